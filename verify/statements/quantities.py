"""Steps of a proof whose instances are numbers: entries, and hypotheses about numbers and lists.

Where a step multiplies powers of N and exponentials of partial norms, each power is a number of
its own (N = n^k, so that N^(1/k) = n is rational) and so is each exponential: an exponential of a
real number is any number above 0. What is left is rational, and exponents are compared exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any, TypeVar

import numpy as np

from graphs import reals
from graphs.arithmetic import as_fraction, rational
from graphs.rings import Ring
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.scenes import Entries, Row
from verify.cases.tensors import Tensors
from verify.core.argument import Step

Numbers = Sequence[Fraction]
T = TypeVar("T", bound=Tensors)


def entries_of_rows(scene: Any, rows: Sequence[Row], left: Sequence[Any] | None = None) -> Entries:
    """Entries from (case number, label, value) rows; values are rationals or Reals. left: the left
    sides, where the values are differences of two sides."""
    owner = np.array([number for number, _, _ in rows], dtype=np.int64)
    labels = [label for _, label, _ in rows]
    nothing = np.zeros(len(rows), dtype=np.int64)
    values = _numbers([value for _, _, value in rows])
    sides = None if left is None else _numbers(left)
    return Entries(values, sides, owner, "case", nothing, nothing - 1, lambda k: labels[k])


def _numbers(values: Sequence[Any]) -> np.ndarray:
    found = np.empty(len(values), dtype=object)
    for k, value in enumerate(values):
        found[k] = rational(value) if isinstance(value, Fraction | int) else value
    return found


def each_case(
    measure: Callable[[Any], Sequence[tuple[dict[str, Any], Any]]], scene: Any
) -> Entries:
    """Entries of a measure that looks at one case at a time and gives (label, value) pairs. A case
    on which it divides by 0 has none: what is measured is not defined there."""
    rows: list[Row] = []
    for number, case in enumerate(scene.cases):
        with suppress(ZeroDivisionError):
            rows += [(number, label, value) for label, value in measure(case)]
    return entries_of_rows(scene, rows)


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


# hypotheses ---------------------------------------------------------------------------------------


def relation(
    title: str,
    statement: str,
    met: Callable[[Any], bool],
    repaired: Callable[[Any, Random], Any],
    broken: Callable[[Any, Random], Any] | None = None,
) -> Hypothesis:
    """A relation between the numbers of a case, not met where it divides by 0; the repair is made
    only where it fails."""

    def defined(case: Any) -> bool:
        try:
            return met(case)
        except ZeroDivisionError:
            return False

    def mended(case: Any, random: Random) -> Any:
        return case if defined(case) else repaired(case, random)

    return Hypothesis(title, statement, by_case(defined), mended, broken)


def upper_root(value: Fraction) -> Fraction:
    """A rational a little above the square root, exactly it where it is a multiple of 1/16."""
    found = Fraction(round(float(value) ** 0.5 * 16), 16)
    while found * found < value:
        found += Fraction(1, 16)
    return found


def nonnegative(ring: Ring, text: str, polynomial: Any) -> Step:
    """The step that a polynomial in numbers of at least 0 has no negative coefficient."""
    return Step(text, all(value >= 0 for value in ring.terms(polynomial).values()))
