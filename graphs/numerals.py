"""Exact numbers in text: how files write rationals and how they are read.

Written is `"p/q"`, or `"p"`. Read are these, JSON integers, hexadecimal floats (`"0x1.8p+1"`) and
finite JSON floats; a float stands for exactly the binary fraction that it is.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import isfinite

from graphs.errors import NetworkError

_RATIONAL = re.compile(r"([+-]?[0-9]+)(?:/([0-9]+))?")
_HEXADECIMAL = re.compile(
    r"([+-]?)0x([0-9a-f]+)(?:\.([0-9a-f]*))?p([+-]?[0-9]{1,5})", re.IGNORECASE
)
_LARGEST_EXPONENT = 2000  # beyond any float64; larger ones would only fill the memory


def parse_number(value: object, what: str, error: type[NetworkError] = NetworkError) -> Fraction:
    """The rational that a JSON value stands for, exactly.

    what: names the value in the message of `error`, which is raised when the value is not a
    number, not finite, or out of range.

    >>> parse_number("-2/3", "a weight"), parse_number("0x1.8p+1", "a weight")
    (Fraction(-2, 3), Fraction(3, 1))
    """
    if isinstance(value, Fraction) or (isinstance(value, int) and not isinstance(value, bool)):
        return Fraction(value)
    if isinstance(value, float):
        if isfinite(value):
            return Fraction(value)
        raise error(f"{what} is {value}: give a finite number")
    number = _from_text(value) if isinstance(value, str) else None
    if number is None:
        raise error(
            f'{what} is {_short(value)}: give an integer, "p/q" with q > 0, a finite float, or a '
            'hexadecimal float such as "0x1.8p+1"'
        )
    return number


def _from_text(text: str) -> Fraction | None:
    try:
        if match := _RATIONAL.fullmatch(text):
            return Fraction(int(match[1]), int(match[2] or 1))
        if match := _HEXADECIMAL.fullmatch(text):
            sign, whole, part, exponent = match[1], match[2], match[3] or "", int(match[4])
            if abs(exponent) > _LARGEST_EXPONENT:
                return None
            size = int(whole + part, 16) * Fraction(2) ** (exponent - 4 * len(part))
            return -size if sign == "-" else size
    except (ZeroDivisionError, ValueError):  # p/0; more digits than Python converts
        return None
    return None


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
