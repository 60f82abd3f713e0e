"""All small instances made of arrays: every shape up to a number of entries, every entry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import prod
from random import Random

from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.core.claim import Claim
from verify.search.enumeration.blocks import ArrayBlock, Numbers
from verify.search.enumeration.scopes import Scope, listed

ONE = Fraction(1)
VALUES: tuple[Numbers, ...] = (
    (Fraction(0), ONE, -ONE, 2 * ONE),
    (Fraction(0), ONE, -ONE),
    (Fraction(0), ONE),
)
UNIT = 3.0  # an instance over the rationals takes so many times what float64 takes for a network
INTEGER_UNIT = 3.0
LONGEST = 3  # axis


def array_ladder(claim: Claim, pool: TensorPool, random: Random) -> Iterator[Iterator[Scope]]:
    """The scopes of a pool of arrays: the numbers of entries in turn, more values first; of
    integers alone ever larger boxes."""
    if not pool.arrays:
        yield (_box(pool, top, random) for top in (40, 20, 12, 8, 6, 5, 4, 3, 2))
        return
    for layout in pool.layouts():
        yield from _ladder_of_layout(layout, random)


def _ladder_of_layout(pool: TensorPool, random: Random) -> Iterator[Iterator[Scope]]:
    by_entries: dict[int, list[dict[str, int]]] = {}
    axes = sorted({axis for _, names in pool.arrays for axis in names})
    top = min(LONGEST, pool.largest)
    for lengths in product(range(1, top + 1), repeat=len(axes)):
        shape = dict(zip(axes, lengths, strict=True))
        entries = sum(prod(shape[axis] for axis in names) for _, names in pool.arrays)
        by_entries.setdefault(entries, []).append(shape)
    for entries, shapes in sorted(by_entries.items()):
        yield (_scope(pool, entries, shapes, values, random) for values in VALUES)


def _scope(
    pool: TensorPool, entries: int, shapes: list[dict[str, int]], values: Numbers, random: Random
) -> Scope:
    blocks = []
    for shape in shapes:
        arrays = {}
        for name, names in pool.arrays:
            lengths = tuple(shape[axis] for axis in names)
            arrays[name] = Tensor(names, lengths, (ONE,) * prod(lengths))
        grids = {name: pool.values_of(name, values) for name in arrays}
        grids |= {name: _whole(low, min(high, low + 2)) for name, low, high in pool.integers}
        if (base := typed(pool, arrays, random)) is not None:
            blocks.append(ArrayBlock(base, grids, UNIT))
    whole = [f"{name} from {low} to {min(high, low + 2)}" for name, low, high in pool.integers]
    own = {name: pool.values_of(name, values) for name, _ in pool.arrays}
    whole += [f"{name} in {listed(some)}" for name, some in own.items() if some != values]
    named = ", ".join(f"{name} ({', '.join(axes)})" if axes else name for name, axes in pool.arrays)
    words = f"all {named} with {entries} entries in all"
    if any(axes for _, axes in pool.arrays):
        words += f" and axes of length at most {min(LONGEST, pool.largest)}"
    words += f", all entries in {listed(values)}"
    return Scope("; ".join([words, *whole]), tuple(blocks))


def _box(pool: TensorPool, top: int, random: Random) -> Scope:
    """Every integer from its least value, `top` values of each."""
    ranges = {name: (low, min(high, low + top - 1)) for name, low, high in pool.integers}
    base = typed(pool, {}, random)
    assert base is not None
    words = ", ".join(f"{name} from {low} to {high}" for name, (low, high) in ranges.items())
    grids = {name: _whole(*ends) for name, ends in ranges.items()}
    return Scope(f"all integers {words}", (ArrayBlock(base, grids, INTEGER_UNIT),))


def _whole(low: int, high: int) -> Numbers:
    return tuple(Fraction(value) for value in range(low, high + 1))


def typed(
    pool: TensorPool,
    arrays: Mapping[str, Tensor],
    random: Random,
    integers: Mapping[str, int] | None = None,
) -> Tensors | None:
    """These arrays, and integers (default: the least), in an instance of the kind that the pool
    makes; None where it gives it another shape."""
    parts = dict(arrays)
    for name, low, _ in pool.integers:
        value = Fraction((integers or {}).get(name, low))
        parts[name] = Tensor((), (), (value,), integer=True)
    plain = Tensors(parts, family="enumerated")
    if pool.adapt is None:
        return plain
    shaped = pool.adapt(plain, random)
    same = {name: array.shape for name, array in shaped.arrays.items()} == {
        name: array.shape for name, array in parts.items()
    }
    return type(shaped)(parts, shaped.choice, "enumerated") if same else None
