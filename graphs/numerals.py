"""Exact numbers in text: how files and the command line write rationals, and how they are read.

Written is `"p/q"`, or `"p"`. Read are these, integers, decimals (`0.7`, `"0.7"`, `"1e-3"`: exactly
what is written) and hexadecimal floats (`"0x1.8p+1"`). A float of Python stands for exactly the
binary fraction that it is.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import isfinite
from numbers import Integral, Real
from reprlib import Repr

from graphs.errors import NetworkError

_RATIONAL = re.compile(r"([+-]?[0-9]+)(?:/([0-9]+))?")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?", re.IGNORECASE)
_HEXADECIMAL = re.compile(
    r"([+-]?)0x([0-9a-f]+)(?:\.([0-9a-f]*))?p([+-]?[0-9]{1,5})", re.IGNORECASE
)
# beyond any float64; larger ones would only fill the memory
_LARGEST_EXPONENT = 2000
_LARGEST_DECIMAL_EXPONENT = 400
_LONGEST = 5000
_SHORT = Repr()
_SHORT.maxlevel, _SHORT.maxstring, _SHORT.maxlong, _SHORT.maxother = 2, 60, 60, 60


def parse_number(value: object, what: str, error: type[NetworkError] = NetworkError) -> Fraction:
    """The rational that a value in a file stands for, exactly.

    what: names the value in the message of `error`, which is raised when the value is not a
    number, not finite, or out of range.

    >>> parse_number("-2/3", "a weight"), parse_number("0.7", "a weight")
    (Fraction(-2, 3), Fraction(7, 10))
    """
    if isinstance(value, Fraction) or (isinstance(value, int) and not isinstance(value, bool)):
        return Fraction(value)
    if isinstance(value, Integral) and not isinstance(value, bool):  # of NumPy
        return Fraction(int(value))
    if isinstance(value, Real) and not isinstance(value, Integral):
        if isfinite(value):
            return Fraction(float(value))
        raise error(f"{what} is {value}: give a finite number")
    number = _from_text(str(value).strip()) if isinstance(value, str | Decimal) else None
    if number is None:
        raise error(
            f"{what} is {shown(value)}: give a finite number, such as 3, 0.7, 7/10 or 1e-3 (a "
            "fraction in quotes in JSON)"
        )
    return number


def parse_decimal(text: str) -> Decimal | float:
    """The decimal that stands in a JSON text; an infinite float where its exponent is absurd."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return float(text)


def shown(value: object) -> str:
    """A value of a file as messages show it: in quotes where it is a text, and never long."""
    return str(value) if isinstance(value, Decimal) else _SHORT.repr(value)


def _from_text(text: str) -> Fraction | None:
    if len(text) > _LONGEST:
        return None
    try:
        if match := _RATIONAL.fullmatch(text):
            return Fraction(int(match[1]), int(match[2] or 1))
        if _DECIMAL.fullmatch(text):
            decimal = Decimal(text)
            small = abs(decimal.adjusted()) <= _LARGEST_DECIMAL_EXPONENT
            return Fraction(decimal) if small else None
        if match := _HEXADECIMAL.fullmatch(text):
            sign, whole, part, exponent = match[1], match[2], match[3] or "", int(match[4])
            if abs(exponent) > _LARGEST_EXPONENT:
                return None
            size = int(whole + part, 16) * Fraction(2) ** (exponent - 4 * len(part))
            return -size if sign == "-" else size
    except (ArithmeticError, ValueError):  # p/0; more digits than Python converts
        return None
    return None
