"""The arithmetics in which one formula is evaluated.

A formula is written once, against arrays that know `+ - *`, indexing by integer arrays, and the few
operations below. `Rationals` gives it exact values, `Symbols` (graphs.polynomials) normal forms
over Q, and the enclosures of `numerics` float64 balls on CPU or CUDA; so the float trial, the
exact replay and the proof cannot drift apart.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np

from graphs.errors import NotRationalError

try:  # FLINT's rationals are some twenty times faster than fractions.Fraction
    from flint import fmpq as _flint_rational
except ImportError:  # not on every machine: the answers are the same
    _flint_rational = None  # type: ignore[assignment, misc]  # stands for "no class"

Array = Any  # numpy object array, or a ball array of numerics: see the module's first lines
Indices = np.ndarray


class Arithmetic(ABC):
    """What a formula may ask of its numbers, beyond `+ - *` and indexing."""

    name: str
    exact: bool

    @abstractmethod
    def array(self, numbers: Iterable[Any]) -> Array:
        """An array, of the same shape, from nested sequences of rationals."""

    @abstractmethod
    def zeros(self, shape: int | tuple[int, ...]) -> Array:
        """An array of zeros."""

    @abstractmethod
    def add_at(self, target: Array, index: Indices, values: Array) -> None:
        """Add `values[k]` to `target[index[k]]`, in place; repeated indices accumulate."""

    @abstractmethod
    def slopes(
        self, vertices: Indices, z: Array, left: Array, right: Array
    ) -> tuple[Array, np.ndarray]:
        """The slope of each activation at its pre-activation, and where that is a kink.

        vertices: (k,) vertex numbers; z: (k, n) pre-activations; left, right: (k, 1) slopes on
        either side of 0. Returns slopes (k, n) and a boolean array (k, n), true where z is 0 (or
        cannot be told from 0) and the two slopes differ; the slope there is the right one (exact)
        or an enclosure of both.
        """

    @abstractmethod
    def smooth(self, kind: str, z: Array) -> tuple[Array, Array]:
        """Value and derivative of a smooth activation, tanh, sigmoid or softplus. Raises
        NotRationalError where the arithmetic has none."""

    @abstractmethod
    def square_roots(self, squares: Sequence[Fraction]) -> Array:
        """(k, 1): the roots of k positive rationals. Raises NotRationalError where exact and
        one is not a square."""

    @abstractmethod
    def is_negative(self, values: Array) -> np.ndarray:
        """Boolean, of the same shape: which numbers are (for enclosures: certainly) below 0."""

    @abstractmethod
    def may_be_zero(self, values: Array) -> np.ndarray:
        """Boolean, of the same shape: which numbers are (for enclosures: may be) 0."""

    def largest_eigenvalues(self, matrices: Array) -> Array:
        """(k,): the largest eigenvalue of each symmetric matrix (k, m, m). Raises NotRationalError
        for an arithmetic that does not know it."""
        raise NotRationalError(f"{self.name} arithmetic has no eigenvalues")

    def maximum(self, one: Array, other: Array) -> Array:
        """The larger number at each place."""
        return np.where(np.asarray(one < other, dtype=bool), other, one)

    def join(self, parts: Sequence[Array], axis: int) -> Array:
        """Arrays put together along an axis."""
        return np.concatenate(list(parts), axis=axis)

    def sum_at(self, values: Array, index: Indices, size: int) -> Array:
        """For each i < size the sum of the `values[k]` with `index[k] == i`; shape (size, ...)."""
        target = self.zeros((size, *values.shape[1:]))
        self.add_at(target, index, values)
        return target


def rational(value: Any) -> Any:
    """The fastest exact rational at hand: FLINT's where it is installed, else Fraction."""
    if _flint_rational is None:
        return value if isinstance(value, Fraction) else Fraction(value)
    if type(value) is _flint_rational:
        return value
    if type(value) is int:
        return _flint_rational(value)
    fraction = value if type(value) is Fraction else Fraction(value)
    return _flint_rational(fraction.numerator, fraction.denominator)


def as_fraction(value: Any) -> Fraction:
    """A Fraction from either kind of exact rational (or an int)."""
    if type(value) is Fraction:
        return value
    if isinstance(value, int):
        return Fraction(value)
    if _flint_rational is not None and isinstance(value, _flint_rational):
        return Fraction(int(value.p), int(value.q))
    raise NotRationalError(f"{value!r} is not a rational number")


def object_array(items: Iterable[Any], convert: Any) -> np.ndarray:
    """An object array from nested sequences, each entry passed through `convert`."""
    shape: tuple[int, ...]
    if isinstance(items, np.ndarray):
        shape, flat = items.shape, list(items.astype(object).reshape(-1))
    else:
        rows = list(items)
        if rows and isinstance(rows[0], (list, tuple, np.ndarray)):
            shape = (len(rows), len(rows[0]))
            flat = [item for row in rows for item in row]
        else:
            shape, flat = (len(rows),), rows
    # not result[:] =, which takes a polynomial for a sequence
    return np.fromiter(map(convert, flat), dtype=object, count=len(flat)).reshape(shape)


class ObjectArithmetic(Arithmetic):
    """Arithmetic on numpy object arrays: the parts common to rationals and polynomials."""

    exact = True

    @abstractmethod
    def convert(self, value: Any) -> Any:
        """One number of this arithmetic from a rational."""

    def array(self, numbers: Iterable[Any]) -> np.ndarray:
        return object_array(numbers, self.convert)

    def zeros(self, shape: int | tuple[int, ...]) -> np.ndarray:
        result = np.empty(shape, dtype=object)
        result.fill(self.convert(0))  # not result[...] =, which takes a polynomial for a sequence
        return result

    def add_at(self, target: np.ndarray, index: Indices, values: np.ndarray) -> None:
        np.add.at(target, index, values)

    def smooth(self, kind: str, z: Array) -> tuple[Array, Array]:
        raise NotRationalError(
            f"activation {kind} has no values in {self.name} arithmetic: use float trials"
        )

    def square_roots(self, squares: Sequence[Fraction]) -> np.ndarray:
        return self.array([[_root(square)] for square in squares])


def _root(square: Fraction) -> Fraction:
    numerator, denominator = isqrt(square.numerator), isqrt(square.denominator)
    if numerator**2 != square.numerator or denominator**2 != square.denominator:
        raise NotRationalError(f"sqrt({square}) is not rational: use float trials")
    return Fraction(numerator, denominator)
