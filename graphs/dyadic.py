"""Exact arithmetic in float64, for many small numbers whose denominators are powers of 2.

An array holds float64 numbers that are all multiples of 2^-q; q is kept beside them. Every
operation knows the q of its exact result: the larger one of two terms, the sum of the two of a
product. It is exact, or it raises InexactError:

Let s be the exact result of one operation, a multiple of u = 2^-q, and f what float64 makes of it.
Where |s| <= 2^53 u, s is an integer of at most 53 bits times a power of 2 (q is kept small, so
nothing underflows), hence a float64 number, and f = s. Where |s| > 2^53 u, which is a float64
number too, rounding is monotone, so |f| >= 2^53 u. So |f| < 2^53 u shows that f = s. Of a sum of
many terms, in any order and with or without fused products, each partial sum is a multiple of u
and at most the sum of the sizes of the terms; where a bound on that sum is below 2^52 u (the factor
2 covers the rounding of the bound), no addition rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from graphs.arithmetic import Arithmetic, Indices, as_fraction
from graphs.errors import NotRationalError

BITS = 53
MOST = 400  # the largest q: squares of such numbers are far from the least normal float64


class InexactError(NotRationalError):
    """A number is no float64 with a power of 2 below, or a result may have been rounded."""


class Dyadic:
    """An array of multiples of 2^-unit, as float64.

    Supports + - * with arrays, numbers and rationals, division by powers of 2, indexing as numpy
    does, abs and sums. A view has the unit of its base, so that it may be written to.
    """

    __array_ufunc__ = None  # numpy arrays leave + - * with such an array to it

    def __init__(self, values: np.ndarray, unit: int | list[int]) -> None:
        self.values = values
        self._unit = [unit] if isinstance(unit, int) else unit

    @property
    def unit(self) -> int:
        """q: every entry is a multiple of 2^-q."""
        return self._unit[0]

    # shape ---------------------------------------------------------------------------------------
    @property
    def shape(self) -> tuple[int, ...]:
        """As of a numpy array."""
        return self.values.shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.values.ndim

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, key: Any) -> Dyadic:
        return Dyadic(np.asarray(self.values[_index(key)]), self._unit)

    def __setitem__(self, key: Any, value: Any) -> None:
        other = self._like(value)
        self.values[_index(key)] = other.values
        self._unit[0] = max(self.unit, other.unit)

    def __iter__(self) -> Iterator[Any]:
        """The rows; of an array with one axis the numbers, as rationals."""
        if self.ndim == 1:
            return (Fraction(value) for value in self.values.tolist())
        return (self[k] for k in range(len(self)))

    def reshape(self, *shape: int) -> Dyadic:
        """As of a numpy array."""
        return Dyadic(self.values.reshape(*shape), self._unit)

    def swapaxes(self, one: int, other: int) -> Dyadic:
        """As of a numpy array."""
        return Dyadic(self.values.swapaxes(one, other), self._unit)

    def copy(self) -> Dyadic:
        """An array of its own."""
        return Dyadic(self.values.copy(), self.unit)

    # arithmetic ----------------------------------------------------------------------------------
    def __neg__(self) -> Dyadic:
        return Dyadic(-self.values, self.unit)

    def __abs__(self) -> Dyadic:
        return Dyadic(np.abs(self.values), self.unit)

    def __add__(self, other: Any) -> Dyadic:
        second = self._like(other)
        return _checked(self.values + second.values, max(self.unit, second.unit), BITS)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Dyadic:
        return self + (-self._like(other))

    def __rsub__(self, other: Any) -> Dyadic:
        return self._like(other) + (-self)

    def __mul__(self, other: Any) -> Dyadic:
        second = self._like(other)
        return _checked(self.values * second.values, self.unit + second.unit, BITS)

    __rmul__ = __mul__

    def __truediv__(self, other: int | Fraction) -> Dyadic:
        return self * Fraction(1, other)

    def __matmul__(self, other: Dyadic) -> Dyadic:
        """Matrix products over the last two axes, as of numpy arrays."""
        terms = self.values.shape[-1]
        unit = self.unit + other.unit
        _within(terms * _largest(self.values) * _largest(other.values), unit, BITS - 1)
        return Dyadic(self.values @ other.values, unit)

    def sum(self, axis: int | None = None) -> Dyadic:
        """The sum of all numbers, or along an axis."""
        terms = self.values.size if axis is None else self.values.shape[axis]
        _within(terms * _largest(self.values), self.unit, BITS - 1)
        return Dyadic(np.asarray(self.values.sum(axis=axis)), self.unit)

    def __repr__(self) -> str:
        return f"Dyadic({self.values!r}, unit={self.unit})"

    def _like(self, value: Any) -> Dyadic:
        return value if isinstance(value, Dyadic) else dyadic(value)


def _largest(values: np.ndarray) -> float:
    return float(np.abs(values).max(initial=0.0))


def _within(bound: float, unit: int, bits: int) -> None:
    if not (unit <= MOST and bound < 2.0 ** (bits - unit)):
        raise InexactError("numbers too long for exact arithmetic in float64: take rationals")


def _checked(values: np.ndarray, unit: int, bits: int) -> Dyadic:
    _within(_largest(values), unit, bits)
    return Dyadic(values, unit)


def _index(key: Any) -> Any:
    """Empty lists as indices come as floats."""
    if isinstance(key, tuple):
        return tuple(map(_index, key))
    return np.asarray(key, dtype=np.int64) if isinstance(key, list) else key


def dyadic(numbers: Any) -> Dyadic:
    """An array from a rational, or nested sequences of rationals or an array of them.

    Raises InexactError where one is no float64, or has another denominator than a power of 2.
    """
    source = np.asarray(numbers)
    if source.dtype == bool or np.issubdtype(source.dtype, np.integer):
        return _checked(source.astype(np.float64), 0, BITS)
    source = source.astype(object)
    values = np.empty(source.shape)
    unit = 0
    for place, number in np.ndenumerate(source):
        exact = as_fraction(Fraction(number) if isinstance(number, int | float) else number)
        power = exact.denominator.bit_length() - 1
        if exact.denominator != 1 << power or exact.numerator.bit_length() > BITS or power > MOST:
            raise InexactError(f"{exact} is no short dyadic number: take rationals")
        values[place] = exact.numerator / exact.denominator
        unit = max(unit, power)
    return Dyadic(values, unit)


class Dyadics(Arithmetic):
    """Dyadic numbers in float64 as an arithmetic: exact, or InexactError."""

    name = "dyadic"
    exact = True

    def array(self, numbers: Iterable[Any]) -> Dyadic:
        return numbers if isinstance(numbers, Dyadic) else dyadic(numbers)

    def zeros(self, shape: int | tuple[int, ...]) -> Dyadic:
        return Dyadic(np.zeros(shape), 0)

    def add_at(self, target: Dyadic, index: Indices, values: Dyadic) -> None:
        unit = max(target.unit, values.unit)
        terms = np.broadcast_to(values.values, (len(index), *target.shape[1:]))
        most = np.bincount(index, minlength=1).max(initial=0)
        _within(_largest(target.values) + most * _largest(terms), unit, BITS - 1)
        np.add.at(target.values, index, terms)
        target._unit[0] = unit

    def slopes(
        self, vertices: Indices, z: Dyadic, left: Dyadic, right: Dyadic
    ) -> tuple[Dyadic, np.ndarray]:
        slope = np.where(z.values < 0, left.values, right.values)
        kinks = (z.values == 0) & (left.values != right.values)
        return Dyadic(slope, max(left.unit, right.unit)), kinks

    def smooth(self, kind: str, z: Dyadic) -> tuple[Dyadic, Dyadic]:
        raise NotRationalError(f"activation {kind} has no exact values: use float trials")

    def square_roots(self, squares: Sequence[Fraction]) -> Dyadic:
        if any(square != 1 for square in squares):
            raise InexactError("scales other than 1: take rationals")
        return Dyadic(np.ones((len(squares), 1)), 0)

    def is_negative(self, values: Dyadic) -> np.ndarray:
        return np.asarray(values.values < 0)

    def may_be_zero(self, values: Dyadic) -> np.ndarray:
        return np.asarray(values.values == 0)

    def maximum(self, one: Dyadic, other: Dyadic) -> Dyadic:
        return Dyadic(np.maximum(one.values, other.values), max(one.unit, other.unit))

    def join(self, parts: Sequence[Dyadic], axis: int) -> Dyadic:
        values = np.concatenate([part.values for part in parts], axis=axis)
        return Dyadic(values, max(part.unit for part in parts))


DYADICS = Dyadics()
