"""Where a search for extremal cases starts, and how it moves from one case to others.

Arrays: corners are made of small matrices with entries -1, 0, 1, of a single entry, of rank one, of
orthogonal slices, of equal entries and of zeros, each array in its own manner. Moves change one
number by a step of any size, put a number to 0 or to the value of another, scale an array, put an
array into a corner, or round all numbers. Cases with networks move as they do in every search, or
become smaller or plainer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from math import prod
from random import Random
from typing import Any

from verify.cases.tensor_pool import MANNERS, Shape, TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.core.claim import Claim
from verify.core.losses import PRESCRIBED
from verify.search.drawing import draw, repair

GRID = 2**24  # numbers are multiples of its inverse
FINEST = 22  # the smallest step is 2^-22 times the size of a number
PLAINER = 0.3  # of the moves of a network make it smaller or plainer
DEPTHS = (8, 32, 128)  # among how many changes, the boldest first
BOLD = (Fraction(2), Fraction(1, 2), Fraction(1, 8))  # what is false may be so for small ones only
HUGE = 2**12  # numbers above this are not made larger
Numbers = tuple[Fraction, ...]


def _signs(shape: Shape, random: Random) -> list[Fraction]:
    return [Fraction(random.choice((-1, 0, 0, 1, 1))) for _ in range(prod(shape))]


def _ones_and_zeros(shape: Shape, random: Random) -> list[Fraction]:
    return [Fraction(random.randint(0, 1)) for _ in range(prod(shape))]


MANNERS_OF_CORNERS: tuple[Callable[[Shape, Random], list[Fraction]], ...] = (
    _signs,
    _ones_and_zeros,
    MANNERS["orthogonal slices"],
    MANNERS["orthogonal slices"],
    MANNERS["equal entries"],
    MANNERS["zeros"],
    MANNERS["single entry"],
    MANNERS["low rank"],
)


def corners(claim: Claim, random: Random, count: int, shapes: int) -> list[Any]:
    """About so many cases to start from, of so many shapes at most, hypotheses repaired; for arrays
    every other shape has all axes of length 1 or 2."""
    pool = claim.pool
    assert pool is not None, f"{claim.id} has no pool"
    examples = pool.examples
    arrays = isinstance(pool, TensorPool) and bool(pool.arrays)

    def drawn(k: int) -> Any:
        n = examples[k % len(examples)]
        return draw(claim, random, n=n, loss=PRESCRIBED, large=k % (8 if arrays else 2) == 0)

    if not arrays:
        return [drawn(k) for k in range(count)]
    assert isinstance(pool, TensorPool)
    lengths = [{axis: random.choice((1, 2, 2)) for axis in axes_of(pool)} for _ in range(shapes)]
    seeds = [drawn(k) if k % 2 else shaped(claim, pool, lengths[k], random) for k in range(shapes)]
    return [*seeds, *filled(claim, pool, seeds, random, count - shapes)]


def filled(
    claim: Claim, pool: TensorPool, seeds: Sequence[Tensors], random: Random, count: int
) -> list[Tensors]:
    """So many corners of the shapes of the seeds."""
    return [
        _fitted(claim, pool, cornered(random.choice(seeds), random), random) for _ in range(count)
    ]


def axes_of(pool: TensorPool) -> list[str]:
    """The names of the axes of a pool."""
    return sorted({axis for _, names in pool.arrays for axis in names})


def shaped(claim: Claim, pool: TensorPool, lengths: Mapping[str, int], random: Random) -> Tensors:
    """A case whose axes have these lengths, unless the pool's last change makes them others."""
    case = pool.draw(random, large=False)
    arrays = {name: array for name, array in case.arrays.items() if array.integer}
    for name, names in pool.arrays:
        shape = tuple(lengths[axis] for axis in names)
        arrays[name] = Tensor(names, shape, tuple(_signs(shape, random)))
    return _fitted(claim, pool, Tensors(arrays, case.choice, "corner"), random)


def _fitted(claim: Claim, pool: TensorPool, case: Tensors, random: Random) -> Tensors:
    """The case with the pool's last change, and hypotheses repaired."""
    adapted = case if pool.adapt is None else pool.adapt(case, random)
    return repair(claim, adapted, random)  # type: ignore[no-any-return]  # as cases go in


def cornered(case: Tensors, random: Random) -> Tensors:
    """The case with the numbers of each array replaced by a corner; integers stay."""
    same = random.choice(MANNERS_OF_CORNERS)
    alike = random.random() < 0.3
    arrays = {}
    for name, array in case.arrays.items():
        make = same if alike else random.choice(MANNERS_OF_CORNERS)
        entries = array.entries if array.integer else tuple(make(array.shape, random))
        arrays[name] = replace(array, entries=entries)
    if random.random() < 0.3:
        arrays = copied(arrays, random)
    return replace(case, arrays=arrays, family="corner")


def copied(arrays: Mapping[str, Tensor], random: Random) -> dict[str, Tensor]:
    """One array put in the place of another of its shape, or its transpose, where there is one."""
    pairs = [
        (one, other, turned)
        for one, source in arrays.items()
        for other, target in arrays.items()
        for turned in (False, True)
        if one != other
        and not source.integer
        and not target.integer
        and target.shape == (source.shape[::-1] if turned else source.shape)
        and (len(source.shape) == 2 or not turned)
    ]
    if not pairs:
        return dict(arrays)
    one, other, turned = random.choice(pairs)
    entries = arrays[one].entries
    if turned:
        rows, columns = arrays[one].shape
        entries = tuple(entries[i * columns + j] for j in range(columns) for i in range(rows))
    return {**arrays, other: replace(arrays[other], entries=entries)}


def moved(claim: Claim, case: Any, random: Random) -> Any:
    """A neighbour of a case, hypotheses repaired."""
    if not isinstance(case, Tensors):
        plainer = _plainer(case, random) if random.random() < PLAINER else None
        return repair(claim, plainer or case.varied(random), random)
    ranges = {}
    if isinstance(claim.pool, TensorPool):
        ranges = {name: (low, high) for name, low, high in claim.pool.integers}
    for _ in range(random.choice((1, 1, 2))):
        held = {name for name, array in case.arrays.items() if array.held}
        often = sorted(case.arrays.keys() - held) if random.random() < 0.9 else []
        name = random.choice(often or sorted(case.arrays))
        array = case.arrays[name]
        if array.integer:
            changed = _stepped(array, ranges.get(name), random)
        else:
            changed = replace(array, entries=_changed(array, random))
        case = case.changing(**{name: changed})
    return repair(claim, case, random)


def _plainer(case: Any, random: Random) -> Any | None:
    """One of the changes that make a case smaller or plainer, if it has so many."""
    place = random.randrange(random.choice(DEPTHS))
    found = next(islice(case.changes(), place, None), None)
    return found if found is not None and found.admissible else None


def _stepped(array: Tensor, ends: tuple[int, int] | None, random: Random) -> Tensor:
    """Whole numbers one up or down, within their range; as they are where none is known."""
    if ends is None:
        return array
    low, high = map(Fraction, ends)
    stepped = (entry + random.choice((-1, 1)) for entry in array.entries)
    return replace(array, entries=tuple(min(max(entry, low), high) for entry in stepped))


def _changed(array: Tensor, random: Random) -> Numbers:
    move = random.random()
    if move < 0.55:
        return _one_entry(array.entries, random)
    if move < 0.65:
        return _scaled(array.entries, random)
    if move < 0.75:
        return tuple(random.choice(MANNERS_OF_CORNERS)(array.shape, random))
    if move < 0.9:
        return _all_entries(array.entries, random)
    grain = random.choice((1, 1, 2, 3, 4, 8))
    return tuple(Fraction(round(entry * grain), grain) for entry in array.entries)


def _one_entry(entries: Numbers, random: Random) -> Numbers:
    place = random.randrange(len(entries))
    value = entries[place]
    choice = random.random()
    if choice < 0.15:
        new = Fraction(0)
    elif choice < 0.35:
        new = random.choice((1, -1)) * random.choice(entries)
    else:
        step = Fraction(random.choice((1, -1)), 2 ** random.randint(0, FINEST))
        new = on_grid(value + step * (abs(value) or 1))
    return (*entries[:place], new, *entries[place + 1 :])


def _scaled(entries: Numbers, random: Random) -> Numbers:
    by = 1 + Fraction(random.choice((1, -1)), 2 ** random.randint(1, FINEST))
    by = random.choice((by, by, *BOLD))
    if by > 1 and max(map(abs, entries)) > HUGE:
        return entries
    return tuple(on_grid(entry * by) for entry in entries)


def _all_entries(entries: Numbers, random: Random) -> Numbers:
    size = max(map(abs, entries)) or Fraction(1)
    grain = 2.0 ** -random.randint(2, FINEST) * float(size)
    steps = (Fraction(random.gauss(0, 1) * grain) for _ in entries)
    return tuple(on_grid(entry + step) for entry, step in zip(entries, steps, strict=True))


def on_grid(number: Fraction) -> Fraction:
    """The next multiple of the inverse of GRID."""
    return Fraction(round(number * GRID), GRID)
