"""Corruptions of a certificate in every place: each number, name and list."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

from tests.verify.corruptions import DELETED, changed

Place = tuple[Any, ...]
JUNK: tuple[Any, ...] = (None, True, 0.5, "", "nan", [], {}, [[]], {"x": 1}, "1/0")
SMALL = Fraction(1, 10**9)


def places(data: Any, path: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every value inside, with the keys and positions that lead to it."""
    if path:
        yield path, data
    if isinstance(data, dict):
        for key in data:
            yield from places(data[key], (*path, key))
    elif isinstance(data, list):
        for position, item in enumerate(data):
            yield from places(item, (*path, position))


def variants(value: Any) -> Iterator[Any]:
    """What a value may become: other numbers, other names, other orders and lengths."""
    yield DELETED
    yield from JUNK
    number = _number(value)
    if number is not None:
        others = (0, -number, number + 1, 2 * number, number + SMALL, 10**40, Fraction(1, 10**40))
        yield from map(str, others)
    if isinstance(value, int) and not isinstance(value, bool):
        yield from (value + 1, value - 1, -value - 1, 10**6)
    elif isinstance(value, str) and number is None:
        yield from ("n", "d", "lam", "W", "tensors", value + " ", value.upper())
    elif isinstance(value, list):
        yield from (value + value[-1:], value[::-1], value[1:], value[:-1], value * 2)
    elif isinstance(value, dict):
        yield {**value, "extra": 1}


def _number(value: Any) -> Fraction | None:
    try:
        return Fraction(value) if isinstance(value, str) else None
    except (ValueError, ZeroDivisionError):
        return None


def corruptions(
    certificate: dict[str, Any], random: Random, count: int
) -> Iterator[tuple[str, Any]]:
    """The certificate with one place changed, and words for it: a sample of all these changes."""
    changes = list(_changes(certificate))
    for path, other in random.sample(changes, min(count, len(changes))):
        shown = "deleted" if other is DELETED else json.dumps(other)
        yield f"{'/'.join(map(str, path))}: {shown}"[:120], changed(certificate, *path, to=other)


def _changes(certificate: dict[str, Any]) -> Iterator[tuple[Place, Any]]:
    """Every place with everything that it may become."""
    for path, value in places(certificate):
        for other in variants(value):
            if other is DELETED or json.dumps(other) != json.dumps(value):
                yield path, other
