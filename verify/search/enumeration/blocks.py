"""Blocks of cases: every combination of numbers from grids, on the same shape.

A block knows how many cases it has before it makes one, and makes those from `start` to `stop`.
Its cases are made from a valid one by changing numbers alone, and arrays of all their numbers come
straight from the grids, so that many thousands of them are cheap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, Protocol, TypeVar

import numpy as np

from graphs.arithmetic import Arithmetic, Array
from graphs.copies import copies
from graphs.network import FIXED
from verify.cases.case import Case, Point
from verify.cases.tensors import Tensor, Tensors
from verify.search.enumeration.scenes import CopiesScene

Numbers = tuple[Fraction, ...]
T = TypeVar("T")


class Slab(Protocol):
    """Some cases of a block, that make one scene."""

    @property
    def cases(self) -> Sequence[Any]:
        """The cases."""
        ...

    def scene(self, arithmetic: Arithmetic) -> Any:
        """Their scene."""
        ...


class Block(Protocol):
    """All combinations of numbers on one shape."""

    @property
    def unit(self) -> float:
        """What a case takes, in units of a network that float64 serves."""
        ...

    @property
    def count(self) -> int:
        """How many cases there are."""
        ...

    def slab(self, start: int, stop: int) -> Slab:
        """The cases with these numbers."""
        ...


@dataclass(frozen=True, eq=False)
class NetworkBlock:
    """Cases on networks that differ in their activations alone.

    bases: a valid case for each network and choice; all have the same n examples. weights: for each
    parameter the values that it takes. points: what any example may be. labels, slopes: what the
    label and the slope of the loss on any example may be. unit: what a case takes, in units of a
    network that float64 serves.
    """

    bases: tuple[Case, ...]
    weights: tuple[Numbers, ...]
    points: tuple[Point, ...]
    labels: Numbers
    slopes: Numbers
    unit: float = 1.0

    @property
    def n(self) -> int:
        """The number of examples."""
        return self.bases[0].example_count

    @cached_property
    def inputs(self) -> list[tuple[Point, ...]]:
        """All rows of examples."""
        return list(product(self.points, repeat=self.n))

    @cached_property
    def label_rows(self) -> list[Numbers]:
        """All rows of labels."""
        return list(product(self.labels, repeat=self.n))

    @cached_property
    def slope_rows(self) -> list[Numbers]:
        """All rows of slopes."""
        return list(product(self.slopes, repeat=self.n))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many values each place has: base, parameters, inputs, labels, slopes."""
        n, grids = self.n, tuple(map(len, self.weights))
        data = (len(self.points) ** n, len(self.labels) ** n, len(self.slopes) ** n)
        return (len(self.bases), *grids, *data)

    @property
    def count(self) -> int:
        """How many cases there are."""
        return prod(self.sizes)

    def slab(self, start: int, stop: int) -> NetworkSlab:
        """The cases with these numbers."""
        return NetworkSlab(self, _digits(start, stop, self.sizes))


@dataclass(frozen=True, eq=False)
class NetworkSlab:
    """Some cases of a block. places: for each place of `NetworkBlock.sizes` the number of the value
    in each case."""

    block: NetworkBlock
    places: tuple[np.ndarray, ...]

    @cached_property
    def cases(self) -> list[Case]:
        """The cases."""
        block = self.block
        base, *weights, inputs, labels, slopes = (place.tolist() for place in self.places)
        columns = [
            [grid[k] for k in place] for grid, place in zip(block.weights, weights, strict=True)
        ]
        rows = zip(*columns, strict=True)
        found = []
        for b, row, x, y, s in zip(base, rows, inputs, labels, slopes, strict=True):
            numbers = {
                "weights": row,
                "inputs": block.inputs[x],
                "labels": block.label_rows[y],
                "slopes": block.slope_rows[s],
            }
            found.append(changed(block.bases[b], numbers))
        return found

    def scene(self, arithmetic: Arithmetic) -> CopiesScene:
        """Their scene."""
        block, count, n = self.block, len(self.places[0]), self.block.n
        network = block.bases[0].network
        _, *weights, inputs, labels, slopes = self.places
        columns = []
        for p, constant in zip(network.parameter_of, network.fixed, strict=True):
            if p == FIXED:
                columns.append(arithmetic.array([constant])[np.zeros(count, dtype=np.int64)])
            else:
                columns.append(arithmetic.array(list(block.weights[p]))[weights[p]])
        edges = arithmetic.join([column.reshape(count, 1) for column in columns], 1)
        width = len(network.free_inputs)
        flat = arithmetic.array([v for rows in block.inputs for row in rows for v in row])
        chosen = flat.reshape(len(block.inputs), n, width)[inputs].swapaxes(1, 2)
        shares = [
            [s * y / n for s, y in zip(s_row, y_row, strict=True)]
            for y_row in block.label_rows
            for s_row in block.slope_rows
        ]
        bases = [block.bases[b] for b in self.places[0].tolist()]
        return CopiesScene(
            copies([base.network for base in bases]),
            arithmetic,
            weights=edges.reshape(-1),
            inputs=chosen.reshape(-1, n),
            labels=arithmetic.array(list(map(list, block.label_rows)))[labels],
            kappa=arithmetic.array(shares)[labels * len(block.slope_rows) + slopes],
            cases=self.cases,
        )


@dataclass(frozen=True, eq=False)
class ArrayBlock:
    """Instances made of arrays of the same shapes.

    base: a valid one. grids: for each array by name the values that each of its entries takes.
    unit: as of NetworkBlock.
    """

    base: Tensors
    grids: Mapping[str, Numbers]
    unit: float = 1.0

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many values each entry of each array has."""
        arrays = self.base.arrays.items()
        return tuple(len(self.grids[name]) for name, array in arrays for _ in array.entries)

    @property
    def count(self) -> int:
        """How many cases there are."""
        return prod(self.sizes)

    def slab(self, start: int, stop: int) -> ArraySlab:
        """The cases with these numbers."""
        return ArraySlab(self, _digits(start, stop, self.sizes))


@dataclass(frozen=True, eq=False)
class ArraySlab:
    """Some instances of a block. places: for each entry of each array the number of its value."""

    block: ArrayBlock
    places: tuple[np.ndarray, ...]

    @cached_property
    def cases(self) -> list[Tensors]:
        """The instances."""
        parts: dict[str, list[Tensor]] = {}
        place = iter(self.places)
        for name, array in self.block.base.arrays.items():
            grid = self.block.grids[name]
            columns = [[grid[k] for k in next(place).tolist()] for _ in array.entries]
            rows = zip(*columns, strict=True)
            parts[name] = [changed(array, {"entries": row}) for row in rows]
        each = zip(*parts.values(), strict=True)
        names = list(parts)
        return [
            changed(self.block.base, {"arrays": dict(zip(names, arrays, strict=True))})
            for arrays in each
        ]

    def scene(self, arithmetic: Arithmetic) -> Array:
        """Their scene."""
        return type(self.block.base).scene(self.cases, arithmetic)


def _digits(start: int, stop: int, sizes: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    """The digits of the numbers from start to stop, the last one the fastest."""
    rest = np.arange(start, stop, dtype=np.int64)
    digits = []
    for size in reversed(sizes):
        rest, digit = np.divmod(rest, size)
        digits.append(digit)
    return tuple(reversed(digits))


def changed(valid: T, fields: Mapping[str, Any]) -> T:
    """A frozen data class with other numbers in fields of the same lengths: what was checked of
    those lengths holds, so it is not checked again."""
    made = object.__new__(type(valid))
    made.__dict__.update(valid.__dict__, **fields)
    return made
