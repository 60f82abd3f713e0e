"""Steps of a proof whose instances are numbers and lists.

Where a step multiplies powers of N and exponentials of partial norms, each power is a number of
its own (N = n^k, so that N^(1/k) = n is rational) and so is each exponential: an exponential of a
real number is any number above 0. What is left is rational, and exponents are compared exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from graphs import reals
from graphs.arithmetic import as_fraction
from graphs.rings import Ring
from verify.cases.tensors import Tensors
from verify.core.argument import Step

Numbers = Sequence[Fraction]
T = TypeVar("T", bound=Tensors)


# lists and numbers of a case ----------------------------------------------------------------------
def listed(case: Tensors, name: str) -> list[Fraction]:
    """The entries of an array with one axis."""
    return list(case.arrays[name].entries)


def rows_of(case: Tensors, name: str) -> list[list[Fraction]]:
    """The rows of an array with two axes."""
    array = case.arrays[name]
    width = array.shape[1]
    return [list(array.entries[k : k + width]) for k in range(0, len(array.entries), width)]


def with_entries(case: T, name: str, entries: Sequence[Fraction]) -> T:
    """The case with other entries of one array."""
    return case.changing(**{name: replace(case.arrays[name], entries=tuple(entries))})


def with_value(case: Tensors, name: str, value: Fraction | int) -> Tensors:
    """The case with another number."""
    return with_entries(case, name, [Fraction(value)])


def with_rows(case: T, name: str, rows: Sequence[Numbers]) -> T:
    """The case with other rows of an array with two axes."""
    return with_entries(case, name, [entry for row in rows for entry in row])


def lengthened(case: Tensors, axis: str, least: int) -> Tensors:
    """The last entry along an axis again, until there are enough."""
    more = max(0, least - case.lengths[axis])
    arrays = {}
    for name, array in case.arrays.items():
        if axis in array.axes:
            whole = np.array(array.entries, dtype=object).reshape(array.shape)
            for place in (k for k, name_of_axis in enumerate(array.axes) if name_of_axis == axis):
                last = np.repeat(whole.take([-1], axis=place), more, axis=place)
                whole = np.concatenate([whole, last], axis=place)
            array = replace(array, shape=whole.shape, entries=tuple(whole.reshape(-1)))
        arrays[name] = array
    return case.changing(**arrays)


# vectors ------------------------------------------------------------------------------------------
def dot(one: Numbers, other: Numbers) -> Fraction:
    """The inner product."""
    return sum((a * b for a, b in zip(one, other, strict=True)), Fraction(0))


def minus(one: Numbers, other: Numbers) -> list[Fraction]:
    """The difference."""
    return [a - b for a, b in zip(one, other, strict=True)]


def square(vector: Numbers) -> Fraction:
    """|v|^2."""
    return dot(vector, vector)


def root(value: Fraction | int) -> Any:
    """The square root of a rational of at least 0, likewise."""
    found = reals.sqrt(Fraction(value))
    return found if isinstance(found, reals.Real) else as_fraction(found)


def upper_root(value: Fraction) -> Fraction:
    """A rational a little above the square root, exactly it where it is a multiple of 1/16."""
    found = Fraction(round(float(value) ** 0.5 * 16), 16)
    while found * found < value:
        found += Fraction(1, 16)
    return found


def nonnegative(ring: Ring, text: str, polynomial: Any) -> Step:
    """The step that a polynomial in numbers of at least 0 has no negative coefficient."""
    return Step(text, all(value >= 0 for value in ring.terms(polynomial).values()))
