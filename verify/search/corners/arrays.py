"""Corners of instances made of arrays: zero, equal, of rank one, orthogonal, huge, of length 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import prod
from random import Random

from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.search.corners.numbers import (
    ANGLES,
    COINCIDENT,
    EXTREMES,
    HUGE,
    ONE,
    RANK,
    SIGNS,
    SIZE,
    TIES,
    TINY,
    ZERO,
    ZEROS,
    generic,
)
from verify.search.enumeration.arrays import typed

Index = tuple[int, ...]
Fill = Callable[[int, Index], Fraction]  # from the number of the array and an index

FILLS: tuple[tuple[str, Fill], ...] = (
    (ZEROS, lambda which, at: ZERO),
    (RANK, lambda which, at: Fraction(prod(i + 1 + which for i in at))),
    (TIES, lambda which, at: ONE),
    (ANGLES, lambda which, at: Fraction(len(set(at)) <= 1)),
    (EXTREMES, lambda which, at: HUGE * (1 + sum(at) * (1 + which))),
    (SIGNS, lambda which, at: Fraction((-1) ** (sum(at) + which))),
    (ZEROS, lambda which, at: ONE if which == 0 else ZERO),
    (RANK, lambda which, at: Fraction((at[-1] if at else 0) + 1)),
    (ANGLES, lambda which, at: Fraction((-1) ** prod(at))),
    (COINCIDENT, lambda which, at: Fraction(1 + sum((k + 1) * i for k, i in enumerate(at)))),
    (EXTREMES, lambda which, at: TINY * (1 + sum(at))),
    (RANK, lambda which, at: Fraction(not any(at))),
    (ZEROS, lambda which, at: ZERO if which == 0 else ONE),
    (SIGNS, lambda which, at: Fraction((-1) ** which * (1 + sum(at)))),
    (ANGLES, lambda which, at: Fraction((which + 1) * (1 + (at[0] if at else 0)))),
    (RANK, lambda which, at: Fraction(list(at) == sorted(set(at)) and len(at) > 1)),
    (EXTREMES, lambda which, at: (HUGE if which % 2 else TINY) * (1 + sum(at))),
    (TIES, lambda which, at: Fraction(1 + min(at, default=0))),
    (SIGNS, lambda which, at: -Fraction(1 + sum(at))),
)
"""Ways to fill arrays, with their kinds; an index runs from 0 along each axis."""


def corners_of_arrays(pool: TensorPool, random: Random) -> Iterator[tuple[str, Tensors]]:
    """Corners of the instances of a pool."""
    for layout in pool.layouts():
        yield from _corners_of_layout(layout, random)


def _corners_of_layout(pool: TensorPool, random: Random) -> Iterator[tuple[str, Tensors]]:
    for lengths in shapes(pool):
        one = set(lengths.values()) <= {1}
        if one and pool.arrays:
            yield SIZE, _filled(pool, lengths, lambda which, at: Fraction(which + 2), random)
        yield TIES if one else RANK, _generic(pool, lengths, random)
        for kind, fill in FILLS if pool.arrays else ():
            yield kind, _filled(pool, lengths, fill, random)
    yield from _integers(pool, random)


def shapes(pool: TensorPool) -> list[dict[str, int]]:
    """All axes of length 1, of length 2, of the largest; each one of length 1, or alone longer."""
    axes = sorted({axis for _, names in pool.arrays for axis in names})
    top = min(3, pool.largest)
    found = [dict.fromkeys(axes, 2), dict.fromkeys(axes, 1)]
    for axis in axes:
        found += [dict.fromkeys(axes, 2) | {axis: 1}, dict.fromkeys(axes, 1) | {axis: 2}]
    found.append(dict.fromkeys(axes, top))
    return [shape for k, shape in enumerate(found) if shape not in found[:k]]


def _filled(pool: TensorPool, lengths: dict[str, int], fill: Fill, random: Random) -> Tensors:
    arrays = {}
    for which, (name, names) in enumerate(pool.arrays):
        shape = tuple(lengths[axis] for axis in names)
        entries = tuple(fill(which, at) for at in product(*map(range, shape)))
        arrays[name] = Tensor(names, shape, entries)
    return _instance(pool, arrays, {}, random)


def _generic(pool: TensorPool, lengths: dict[str, int], random: Random) -> Tensors:
    arrays = {}
    for name, names in pool.arrays:
        shape = tuple(lengths[axis] for axis in names)
        arrays[name] = Tensor(names, shape, generic(prod(shape)))
    return _instance(pool, arrays, {}, random)


def _integers(pool: TensorPool, random: Random) -> Iterator[tuple[str, Tensors]]:
    """Each integer at its least and largest value, alone and with all others."""
    lengths = dict.fromkeys((axis for _, names in pool.arrays for axis in names), 2)
    arrays = {
        name: Tensor(names, tuple(lengths[a] for a in names), generic(2 ** len(names)))
        for name, names in pool.arrays
    }
    ends = {name: (low, high) for name, low, high in pool.integers}
    for side in (0, 1) if ends else ():
        whole = {name: both[side] for name, both in ends.items()}
        yield EXTREMES if side else SIZE, _instance(pool, arrays, whole, random)
        for name, both in ends.items():
            turned = whole | {name: both[1 - side]}
            yield EXTREMES, _instance(pool, arrays, turned, random)
            inner = whole | {name: min(both[0] + 1, both[1])}
            yield TIES, _instance(pool, arrays, inner, random)


def _instance(
    pool: TensorPool, arrays: dict[str, Tensor], integers: dict[str, int], random: Random
) -> Tensors:
    """The instance in the kind that the pool makes; as the pool shapes it where it must."""
    found = typed(pool, arrays, random, integers)
    if found is not None:
        return found
    assert pool.adapt is not None
    return pool.adapt(plain(pool, arrays, integers), random)


def plain(pool: TensorPool, arrays: dict[str, Tensor], integers: dict[str, int]) -> Tensors:
    """The instance before the pool shapes it."""
    parts = dict(arrays)
    for name, low, _ in pool.integers:
        parts[name] = Tensor((), (), (Fraction(integers.get(name, low)),), integer=True)
    return Tensors(parts, family="corner")
