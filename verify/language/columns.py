"""Columns: what a term is worth in many rows at once, and how rows are taken, joined and spread.

A row is a case with values for the variables that are bound around a term. By sort a column is:
numbers, an array of the arithmetic (R,); whole numbers, an object array of Python's; truths, a
boolean array; vertices and edges, their numbers in the union of the networks; paths, their numbers
in the table; vectors and matrices, `Groups`; lists, `Lists`; tuples, a tuple of columns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from graphs.algebraic import Algebraic, exact_value
from graphs.arithmetic import Arithmetic, Array
from graphs.reals import Real, real
from verify.language.sorts import MAT, VEC, Sort

Rows = np.ndarray
Values = Any


@dataclass(frozen=True)
class Groups:
    """Vectors or matrices: by shape the rows that have it, in order, and an array (k, *shape). A
    row without a value is in no group."""

    parts: dict[tuple[int, ...], tuple[Rows, Array]]

    def unary(self, change: Callable[[Array], Array]) -> Groups:
        """Each array changed, all of one shape together."""
        found = Groups({})
        for rows, array in self.parts.values():
            found.put(rows, change(array))
        return found

    def put(self, rows: Rows, array: Array) -> None:
        """Add rows of one shape."""
        if not len(rows):
            return
        shape = tuple(array.shape[1:])
        assert shape not in self.parts, "rows of one shape come together"
        self.parts[shape] = (rows, array)

    def defined(self, count: int) -> np.ndarray:
        """(R,): which rows have a value."""
        found = np.zeros(count, dtype=bool)
        for rows, _ in self.parts.values():
            found[rows] = True
        return found


def ragged(counts: np.ndarray) -> np.ndarray:
    """0, 1, ..., up to each count, one behind the other."""
    return np.asarray(np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts))


@dataclass(frozen=True)
class Lists:
    """Lists: (R,) how long each is, and their elements one behind the other."""

    counts: np.ndarray
    items: Values

    @cached_property
    def starts(self) -> np.ndarray:
        """(R,): where each begins."""
        return np.asarray(np.cumsum(self.counts) - self.counts)

    @cached_property
    def owner(self) -> Rows:
        """The row of each element."""
        return np.repeat(np.arange(len(self.counts)), self.counts)


@dataclass(slots=True, eq=False)  # a frozen one takes twice as long to make, at every step
class Column:
    """Values, and (R,) which rows have one: what the others hold says nothing."""

    values: Values
    defined: np.ndarray


def numbers_in(values: Values) -> int:
    """How many numbers, truths, vertices, ... a column holds."""
    if isinstance(values, tuple):
        return sum(map(numbers_in, values))
    if isinstance(values, Lists):
        return len(values.counts) + numbers_in(values.items)
    if isinstance(values, Groups):
        return sum(prod(array.shape) for _, array in values.parts.values())
    return len(values)


def only_defined(column: Column) -> Column:
    """A column of vectors or matrices, of which rows without a value are in no group."""
    found = Groups({})
    for rows, array in column.values.parts.values():
        kept = column.defined[rows]
        found.put(rows[kept], array if kept.all() else array[kept])
    return Column(found, column.defined)


def grouped(arithmetic: Arithmetic, pieces: Sequence[tuple[Rows, Array]]) -> Groups:
    """Groups of pieces, those of one shape put together, rows in order."""
    by_shape: dict[tuple[int, ...], list[tuple[Rows, Array]]] = {}
    for rows, array in pieces:
        if len(rows):
            by_shape.setdefault(tuple(array.shape[1:]), []).append((rows, array))
    found = Groups({})
    for some in by_shape.values():
        rows, array = some[0]
        if len(some) > 1:
            rows = np.concatenate([piece[0] for piece in some])
            array = arithmetic.join([piece[1] for piece in some], 0)
        order = np.argsort(rows, kind="stable")
        found.put(rows[order], array[order])
    return found


def paired(
    one: Groups, other: Groups, change: Callable[[Array, Array], Array | None]
) -> list[tuple[Rows, Array]]:
    """What becomes of two columns of groups, shape by shape; None where two shapes do not fit."""
    pieces = []
    for rows, array in one.parts.values():
        for others, second in other.parts.values():
            if rows is others or np.array_equal(rows, others):
                common, first = rows, array
            else:
                common, left, right = np.intersect1d(rows, others, return_indices=True)
                if not len(common):
                    continue
                first, second = array[left], second[right]
            made = change(first, second)
            if made is not None:
                pieces.append((common, made))
    return pieces


def taken(values: Values, sort: Sort, rows: Rows) -> Values:
    """Some rows of a column, in an order and as often as asked for."""
    if isinstance(values, tuple):
        return tuple(taken(part, s, rows) for part, s in zip(values, sort.inner, strict=True))
    if isinstance(values, Lists):
        counts = values.counts[rows]
        places = np.repeat(values.starts[rows], counts) + ragged(counts)
        return Lists(counts, taken(values.items, sort.inner[0], places))
    if isinstance(values, Groups):
        found = Groups({})
        for old, array in values.parts.values():
            place = np.searchsorted(old, rows)
            place[place == len(old)] = 0
            kept = old[place] == rows
            found.put(np.flatnonzero(kept), array[place[kept]])
        return found
    return values[rows]


def joined(pieces: Sequence[tuple[Values, Rows]], sort: Sort, arithmetic: Arithmetic) -> Values:
    """One column of pieces, each with the rows where it belongs; together they are all rows."""
    order = np.concatenate([rows for _, rows in pieces])
    if sort in (VEC, MAT):
        parts = [
            (rows[old], array) for values, rows in pieces for old, array in values.parts.values()
        ]
        return grouped(arithmetic, parts)
    if sort.name == "tuple":
        return tuple(
            joined([(values[k], rows) for values, rows in pieces], part, arithmetic)
            for k, part in enumerate(sort.inner)
        )
    if sort.name == "seq":
        together = Lists(
            np.concatenate([values.counts for values, _ in pieces]),
            behind(
                [values.items for values, _ in pieces],
                [int(values.counts.sum()) for values, _ in pieces],
                sort.inner[0],
                arithmetic,
            ),
        )
        return taken(together, sort, np.argsort(order, kind="stable"))
    counts = [len(rows) for _, rows in pieces]
    together = behind([values for values, _ in pieces], counts, sort, arithmetic)
    return together[np.argsort(order, kind="stable")]


def behind(
    parts: Sequence[Values], counts: Sequence[int], sort: Sort, arithmetic: Arithmetic
) -> Values:
    """Columns one behind the other. counts: how many rows each has, with those without a value."""
    if len(parts) == 1:
        return parts[0]
    if sort.name == "num":
        return arithmetic.join(parts, 0)
    if sort.name in ("seq", "tuple") or sort in (VEC, MAT):
        starts = np.cumsum([0, *counts])
        pieces = [
            (part, np.arange(start, start + count))
            for part, start, count in zip(parts, starts, counts, strict=False)
        ]
        return joined(pieces, sort, arithmetic)
    return np.concatenate(parts)


def plain(values: Values, sort: Sort, row: int) -> Any:
    """What a column holds in one row, as a Python value that can be compared and hashed."""
    if isinstance(values, tuple):
        return tuple(plain(part, s, row) for part, s in zip(values, sort.inner, strict=True))
    if isinstance(values, Lists):
        start = int(values.starts[row])
        return tuple(
            plain(values.items, sort.inner[0], start + k) for k in range(int(values.counts[row]))
        )
    if isinstance(values, Groups):
        for rows, array in values.parts.values():
            place = np.searchsorted(rows, row)
            if place < len(rows) and rows[place] == row:
                return (array.shape[1:], *(_number(x) for x in array[place].reshape(-1)))
        return None
    if sort.name == "num":
        return _number(values[row])
    return bool(values[row]) if sort.name == "bool" else int(values[row])


def _number(value: Any) -> Any:
    """A rational as a Fraction, so that equal ones are equal; another number as it is."""
    if isinstance(value, Algebraic | Real):
        return real(value)
    return Fraction(exact_value(value))  # type: ignore[arg-type]  # no Enclosure
