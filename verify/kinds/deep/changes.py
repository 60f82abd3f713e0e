"""How networks made of arrays come to meet what is supposed of them, or not to.

Bounds with a constant of the theorem's own choosing are parametrised: the case holds a number `gap`
and the constant is what makes the bound an equality, plus `gap`. Supposed is then that the gap is
at least 0, which can be met exactly, broken, and drawn from a ladder.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from verify.cases.hypotheses import random_rational
from verify.kinds.deep.networks import Deep

SLOPES = tuple(map(Fraction, ("-9/10", "-1/2", "-1/5", "0", "1/5", "1/2", "9/10")))
OUTSIDE = tuple(map(Fraction, ("1", "-1", "3/2", "-3/2", "2", "-2")))
GAPS = tuple(map(Fraction, ("0", "0", "1/10", "1", "10")))


def with_number(case: Deep, name: str, value: Fraction | int) -> Deep:
    """The case with another number."""
    array = case.arrays[name]
    return case.changing(**{name: replace(array, entries=(Fraction(value),))})


# the slope, and a gap ----------------------------------------------------------------------------
def sloped_inside(case: Deep, random: Random) -> Deep:
    """The slope inside (-1, 1)."""
    inside = -1 < case.number("a") < 1
    return case if inside else with_number(case, "a", random.choice(SLOPES))


def sloped_outside(case: Deep, random: Random) -> Deep:
    """It is not."""
    return with_number(case, "a", random.choice(OUTSIDE))


def as_relu(case: Deep, random: Random) -> Deep:
    """The slope 0."""
    return with_number(case, "a", 0)


def as_no_relu(case: Deep, random: Random) -> Deep:
    """Another slope inside (-1, 1)."""
    return with_number(case, "a", random.choice([slope for slope in SLOPES if slope]))


def with_gap(name: str, case: Deep, random: Random) -> Deep:
    """The number of this name at least 0."""
    return case if case.number(name) >= 0 else with_number(case, name, random.choice(GAPS))


def below_the_bound(name: str, case: Deep, random: Random) -> Deep:
    """The number of this name below 0."""
    return with_number(case, name, -random.choice([gap for gap in GAPS if gap]))


# the points ---------------------------------------------------------------------------------------
def is_smooth(case: Deep) -> bool:
    """Whether no neuron is at its kink at any point."""
    return not case.exact.kinked


def off_kinks(case: Deep, random: Random) -> Deep:
    """Points at kinks are moved; a neuron that is 0 wherever they are gets a bias, if there are any
    biases."""
    for _ in range(4):
        if is_smooth(case):
            break
        array = case.arrays["X"]
        entries = tuple(
            value + Fraction(random.randint(-8, 8), random.choice((3, 7, 16)))
            for value in array.entries
        )
        case = case.changing(X=replace(array, entries=entries))
    return case if is_smooth(case) else _biased_off_kinks(case)


def _biased_off_kinks(case: Deep) -> Deep:
    layers = range(1, case.depth + 1)
    if not any(any(case.arrays[f"b{layer}"].entries) for layer in layers):
        return case
    for layer in layers[:-1]:  # a bias moves what is behind it
        zero = (case.exact.pre(layer) == 0).any(axis=0)
        bias = case.arrays[f"b{layer}"]
        size = 1 + max(map(abs, bias.entries))
        entries = tuple(b + at * size for b, at in zip(bias.entries, map(int, zero), strict=True))
        case = case.changing(**{f"b{layer}": replace(bias, entries=entries)})
    return case


def onto_a_kink(case: Deep, random: Random) -> Deep:
    """The bias of a hidden neuron becomes such that it is at its kink at a point."""
    if case.depth == 1:
        return case
    layer = random.randint(1, case.depth - 1)
    neuron = random.randrange(case.widths[layer])
    point = random.randrange(case.lengths["N"])
    z = Fraction(str(case.exact.pre(layer)[point, neuron]))
    array = case.arrays[f"b{layer}"]
    entries = list(array.entries)
    entries[neuron] -= z
    return case.changing(**{f"b{layer}": replace(array, entries=tuple(entries))})


def are_different(case: Deep) -> bool:
    """Whether no two points are the same."""
    rows = [tuple(row) for row in case.matrix("X")]
    return all(row not in rows[:k] for k, row in enumerate(rows))


def moved_apart(case: Deep, random: Random) -> Deep:
    """Points that are all different, moved where they are not."""
    if are_different(case):
        return case
    array = case.arrays["X"]
    entries = tuple(value + random_rational(random) for value in array.entries)
    return case.changing(X=replace(array, entries=entries))


def same_points(case: Deep, random: Random) -> Deep:
    """All points at the first one."""
    array = case.arrays["X"]
    first = array.entries[: array.shape[1]]
    return case.changing(X=replace(array, entries=first * array.shape[0]))


# biases -------------------------------------------------------------------------------------------
def without_biases(case: Deep, random: Random) -> Deep:
    """All biases 0."""
    names = [f"b{layer}" for layer in range(1, case.depth + 1)]
    zeros = {
        name: replace(case.arrays[name], entries=(Fraction(0),) * len(case.arrays[name].entries))
        for name in names
    }
    return case.changing(**zeros)


def with_a_bias(case: Deep, random: Random) -> Deep:
    """One bias becomes a random number."""
    name = f"b{random.randint(1, case.depth)}"
    array = case.arrays[name]
    entries = list(array.entries)
    entries[random.randrange(len(entries))] = random_rational(random)
    return case.changing(**{name: replace(array, entries=tuple(entries))})


# the rank -----------------------------------------------------------------------------------------
def jacobian_ranks(case: Deep) -> list[int]:
    """The exact rank of Jf at each point."""
    return case.exact.ranks


def to_rank(case: Deep, random: Random) -> Deep:
    """k becomes the rank at the first point; points of other ranks become others of that rank: the
    opposite one, a random one, and if none of them has it the first point, moved a little."""
    return points_like_the_first(with_number(case, "k", jacobian_ranks(case)[0]), random)


def points_like_the_first(case: Deep, random: Random) -> Deep:
    """Points where the Jacobian has another rank than at the first one are replaced."""
    ranks = jacobian_ranks(case)
    for at in [at for at, rank in enumerate(ranks) if rank != ranks[0]]:
        for number in range(TRIED + 1):
            case = _with_point(case, at, number, random)
            if jacobian_ranks(case)[at] == ranks[0]:
                break
    return case


TRIED = 3  # points in the place of one of another rank


def _with_point(case: Deep, at: int, number: int, random: Random) -> Deep:
    """The case with another point of that number: by turns opposite, random, near the first one."""
    width = case.widths[0]
    entries = list(case.arrays["X"].entries)
    own = slice(at * width, (at + 1) * width)
    if number == 0:
        entries[own] = [-v for v in entries[own]]
    elif number < TRIED:
        size = random.choice((1, 4))
        entries[own] = [Fraction(random.randint(-16, 16) * size, 8) for _ in range(width)]
    else:
        entries[own] = [v + Fraction(random.randint(-2, 2), 64) for v in entries[:width]]
    return case.changing(X=replace(case.arrays["X"], entries=tuple(entries)))


def of_another_rank(case: Deep, random: Random) -> Deep:
    """k is moved by 1, to at least 0."""
    return with_number(case, "k", max(0, case.whole("k") + random.choice((-1, 1))))


LOOKED_AT = 6  # points that are tried for one with a Jacobian that is not 0


def with_k_and_a_slope(case: Deep, random: Random) -> Deep:
    """k at least 1, and the Jacobian not 0 at the first point, if possible."""
    return onto_a_slope(with_number(case, "k", max(1, case.whole("k"))), random)


def onto_a_slope(case: Deep, random: Random) -> Deep:
    """Where the Jacobian is 0 at the first point, that point becomes another one, opposite or near
    or far, where it is not, if one is found."""
    if case.exact.jacobian(0).any():
        return case
    array = case.arrays["X"]
    width = array.shape[1]
    for number in range(LOOKED_AT):
        first = [-v for v in array.entries[:width]]
        if number:
            first = [Fraction(random.randint(-8, 8), random.choice((1, 2, 5))) for _ in first]
        moved = case.changing(X=replace(array, entries=(*first, *array.entries[width:])))
        if moved.exact.jacobian(0).any():
            return moved
    return case
