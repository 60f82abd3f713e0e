"""Rationals to float64: the nearest float, and a bound on how far off it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import isfinite, isqrt
from typing import Any

import numpy as np

from graphs.arithmetic import as_fraction

UNIT = 2.0**-53
"""Unit roundoff: rounding to nearest errs by at most UNIT times the result."""

EXACT_INTEGERS = 2**53
"""Integers up to this size are float64 numbers."""

LEAST_NORMAL = 2.0**-1022
ROOT_BITS = 128


def enclosed(numbers: Iterable[Any] | Any) -> tuple[np.ndarray, np.ndarray]:
    """The nearest floats, and bounds on their errors (0 where the number is a float64).

    numbers: one rational or nested sequences of them, or a numpy array; integers, fractions,
    FLINT's rationals, floats. Both results are float64, of the same shape.

    Raises ValueError for a number that is not finite or beyond the range of float64, and
    graphs.errors.NotRationalError for something that is no number.
    """
    array = numbers if isinstance(numbers, np.ndarray) else _object_array(numbers)
    if array.dtype.kind == "f":
        mid = array.astype(np.float64)
        if not np.all(np.isfinite(mid)):
            raise ValueError(f"{mid[~np.isfinite(mid)][0]} among {mid.size} numbers: not finite")
        return mid, np.zeros(mid.shape)
    mid, rad = _enclosed_list(array.reshape(-1).tolist())
    return mid.reshape(array.shape), rad.reshape(array.shape)


def to_float(value: Any, what: str) -> float:
    """The nearest float. Raises ValueError, naming `what`, where it is not finite."""
    try:
        result = float(value)
    except OverflowError:
        raise ValueError(f"{what} is {value}, beyond the range of float64: scale it down") from None
    if not isfinite(result):
        raise ValueError(f"{what} is {value}: it must be finite")
    return result


def exact_fraction(value: Any) -> Fraction:
    """The number as a Fraction; a float is taken at its exact value. Raises as `enclosed`."""
    if isinstance(value, float):
        if not isfinite(value):
            raise ValueError(f"{value} is not finite")
        return Fraction(value)
    if isinstance(value, np.integer):
        return Fraction(int(value))
    return as_fraction(value)


def nearest_root(square: Fraction) -> tuple[float, bool]:
    """A float within (1 + 2^-40) UNIT, relatively, of the root; whether it is the root itself."""
    return _nearest_root(square.numerator, square.denominator)


@lru_cache(maxsize=1024)  # few scales occur, each at many vertices
def _nearest_root(numerator: int, denominator: int) -> tuple[float, bool]:
    square = Fraction(numerator, denominator)
    root = Fraction(isqrt(numerator), isqrt(denominator))
    if root * root == square:
        value = to_float(root, f"the root of {square}")
        return value, Fraction(value) == root
    shift = max(0, ROOT_BITS - (numerator.bit_length() - denominator.bit_length()))
    shift += shift % 2
    scaled = isqrt((numerator << shift) // denominator)
    return to_float(Fraction(scaled, 1 << (shift // 2)), f"the root of {square}"), False


def enclosed_roots(squares: Sequence[Fraction]) -> tuple[np.ndarray, np.ndarray]:
    """(k,) each: the roots of k positive rationals, and bounds on their errors."""
    roots = [nearest_root(square) for square in squares]
    mid = np.array([value for value, _ in roots], dtype=np.float64)
    inexact = np.array([not exact for _, exact in roots], dtype=bool)
    return mid, np.where(inexact, mid * (UNIT * (1.0 + 2.0**-30)) + LEAST_NORMAL, 0.0)


def _object_array(numbers: Any) -> np.ndarray:
    if isinstance(numbers, Iterable) and not isinstance(numbers, (list, tuple)):
        numbers = list(numbers)
    return np.array(numbers, dtype=object)


def _enclosed_list(numbers: list[Any]) -> tuple[np.ndarray, np.ndarray]:
    try:
        tops = [number.numerator for number in numbers]
        bottoms = [number.denominator for number in numbers]
        if (
            max(map(abs, tops), default=0) > EXACT_INTEGERS
            or max(bottoms, default=1) > EXACT_INTEGERS
        ):
            return _enclosed_one_by_one(numbers)
        integers = np.array(bottoms, dtype=np.int64)
        mid = np.array(tops, dtype=np.int64) / integers  # both exact: rounded once
    except (AttributeError, TypeError):  # floats and FLINT's rationals say it otherwise
        return _enclosed_one_by_one(numbers)
    dyadic = integers & (integers - 1) == 0
    return mid, np.where(dyadic, 0.0, np.abs(mid) * UNIT)


def _enclosed_one_by_one(numbers: list[Any]) -> tuple[np.ndarray, np.ndarray]:
    mid, rad = np.zeros(len(numbers)), np.zeros(len(numbers))
    for i, number in enumerate(numbers):
        exact = exact_fraction(number)
        mid[i] = to_float(exact, "a number")
        if Fraction(mid[i]) != exact:
            rad[i] = abs(mid[i]) * UNIT + LEAST_NORMAL
    return mid, rad
