"""Strict reading of JSON: no key twice, no float, no key that is not known, exact numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from fractions import Fraction
from typing import Any

from .enclosures import Rational
from .outcomes import Declined, Rejected, reject, require

LARGEST_FILE = 64 * 2**20  # bytes
MOST_DIGITS = 2_000  # characters of a number in a file
LONG = re.compile(rb"[0-9]{%d}" % (MOST_DIGITS + 1))
DEEPEST = 200  # arrays and objects within one another


def read_json(content: bytes) -> object:
    """The JSON value in a file."""
    if len(content) > LARGEST_FILE:
        raise Declined(f"the file has {len(content)} bytes, more than {LARGEST_FILE}")
    if LONG.search(content):
        raise Declined(f"a number of more than {MOST_DIGITS} digits")
    try:
        return json.loads(
            content.decode("utf-8"),
            object_pairs_hook=_unique_keys,
            parse_float=_refuse_float,
            parse_constant=_refuse_float,
        )
    except RecursionError as error:
        raise Rejected("the file is nested too deeply") from error
    except ValueError as error:
        raise Rejected(f"the file is not JSON: {error}") from error


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result: dict[str, object] = {}
    for key, value in pairs:
        require(key not in result, f"the key {key!r} stands twice in one object")
        result[key] = value
    return result


def _refuse_float(literal: str) -> object:
    reject(f'the number {literal} is no exact number: write "p/q" or an integer')


def _short(literal: str) -> None:
    if len(literal) > MOST_DIGITS:
        raise Declined(f"a number of {len(literal)} characters, more than {MOST_DIGITS}")


def shallow(value: object) -> None:
    """Reject what is nested so deeply that reading it by recursion could fail."""
    level: list[Any] = [value]
    for _ in range(DEEPEST):
        level = [
            v
            for part in level
            for v in (part.values() if isinstance(part, dict) else part)
            if isinstance(v, (list, dict))
        ]
        if not level:
            return
    reject(f"it is nested more than {DEEPEST} deep")


def fields(
    value: object, where: str, needed: Iterable[str], optional: Iterable[str] = ()
) -> dict[str, Any]:
    """A JSON object with all the needed keys, and none beside these and the optional ones."""
    if not isinstance(value, dict):
        reject(f"{where} is no JSON object")
    required = set(needed)
    for key in sorted(required - value.keys()):
        reject(f"{where} lacks {key!r}")
    for key in value.keys() - required - set(optional):
        reject(f"{where} has the unknown key {key!r}")
    return value


def named(value: object, where: str) -> dict[str, Any]:
    """A JSON object whose keys are names of the author's."""
    if not isinstance(value, dict):
        reject(f"{where} is no JSON object")
    for key in value:
        text(key, f"a name in {where}")
    return value


def array(value: object, where: str, length: int | None = None) -> list[Any]:
    """A JSON array, of the given length if one is given."""
    if not isinstance(value, list):
        reject(f"{where} is no JSON array")
    require(length is None or len(value) == length, f"{where} does not have length {length}")
    return value


def text(value: object, where: str) -> str:
    """A string that is not empty."""
    if not isinstance(value, str) or not value:
        reject(f"{where} is no text")
    return value


def integer(value: object, where: str) -> int:
    """A JSON integer."""
    if isinstance(value, bool) or not isinstance(value, int):
        reject(f"{where} is no integer")
    if value.bit_length() > 4 * MOST_DIGITS:
        raise Declined(f"{where} is a number of {value.bit_length()} bits")
    return value


def fraction(value: object, where: str) -> Rational:
    """A rational as text: "p/q" or "p"; an `int` if it is whole."""
    if not isinstance(value, str):
        reject(f'{where} is no rational: write "p/q"')
    _short(value)
    match = re.fullmatch(r"(-?[0-9]+)(?:/([0-9]+))?", value)
    if match is None:
        reject(f'{where} is {value!r}: write "p/q"')
    denominator = int(match[2] or 1)
    require(denominator != 0, f"{where} is {value!r}, with denominator 0")
    found = Fraction(int(match[1]), denominator)
    return found.numerator if found.denominator == 1 else found


def rational(value: object, where: str) -> Rational:
    """A rational as text, or a JSON integer."""
    return fraction(value, where) if isinstance(value, str) else integer(value, where)


def known(name: object, names: Collection[str], where: str) -> str:
    """One of the given names."""
    if not isinstance(name, str) or name not in names:
        shown = repr(name[:80]) if isinstance(name, str) else "no text"
        reject(f"{where} is {shown}, which is not there")
    return name
