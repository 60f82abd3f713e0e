"""Hypotheses about fully connected networks, as objects (see verify.cases.hypotheses).

Bounds with a constant of the theorem's own choosing are parametrised: the case holds a number `gap`
and the constant is what makes the bound an equality, plus `gap`. The hypothesis is then that the
gap is at least 0, which can be met exactly, broken, and drawn from a ladder.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np

from verify.cases.hypotheses import Hypothesis, by_case, by_scene, random_rational
from verify.kinds.deep.networks import Deep
from verify.kinds.deep.scene import DeepScene

SLOPES = tuple(map(Fraction, ("-9/10", "-1/2", "-1/5", "0", "1/5", "1/2", "9/10")))
OUTSIDE = tuple(map(Fraction, ("1", "-1", "3/2", "-3/2", "2", "-2")))
GAPS = tuple(map(Fraction, ("0", "0", "1/10", "1", "10")))


def with_number(case: Deep, name: str, value: Fraction | int) -> Deep:
    """The case with another number."""
    array = case.arrays[name]
    return case.changing(**{name: replace(array, entries=(Fraction(value),))})


def positive(scene: DeepScene, name: str, shift: int = 0, sign: int = 1) -> np.ndarray:
    """(C,) boolean: whether the shift plus or minus a number is above 0."""
    value = scene.constant(shift) + scene.share(scene[name], sign)
    below, zero = scene.arithmetic.is_negative(value), scene.arithmetic.may_be_zero(value)
    return np.asarray(~(below | zero))


def vanishes(scene: DeepScene, name: str) -> np.ndarray:
    """(C,) boolean: whether all entries of an array are 0."""
    values = scene[name]
    return np.asarray(scene.arithmetic.may_be_zero(values).reshape(len(scene.cases), -1).all(1))


# the slope ----------------------------------------------------------------------------------------
def _inside(case: Deep) -> bool:
    return -1 < case.number("a") < 1


SLOPE = Hypothesis(
    "slope inside (-1, 1)",
    r"$\sigma_a(x)=x$ if $x\ge0$, $ax$ otherwise, with $a\in(-1,1)$",
    by_scene(lambda scene: positive(scene, "a", 1) & positive(scene, "a", 1, -1)),
    lambda case, random: case if _inside(case) else with_number(case, "a", random.choice(SLOPES)),
    lambda case, random: with_number(case, "a", random.choice(OUTSIDE)),
)

RELU = Hypothesis(
    "ReLU",
    r"$\sigma$ is the ReLU: $a=0$",
    by_scene(lambda scene: vanishes(scene, "a")),
    lambda case, random: with_number(case, "a", 0),
    lambda case, random: with_number(
        case, "a", random.choice([slope for slope in SLOPES if slope])
    ),
)


# the points ---------------------------------------------------------------------------------------
def _smooth(case: Deep) -> bool:
    return not case.exact.kinked.any()


def _off_kinks(case: Deep, random: Random) -> Deep:
    """Points at kinks are moved; a neuron that is 0 wherever they are gets a bias, if there are any
    biases."""
    for _ in range(4):
        if _smooth(case):
            break
        array = case.arrays["X"]
        entries = tuple(
            value + Fraction(random.randint(-8, 8), random.choice((3, 7, 16)))
            for value in array.entries
        )
        case = case.changing(X=replace(array, entries=entries))
    return case if _smooth(case) else _biased_off_kinks(case)


def _biased_off_kinks(case: Deep) -> Deep:
    layers = range(1, case.depth + 1)
    if not any(any(case.arrays[f"b{layer}"].entries) for layer in layers):
        return case
    for layer in layers[:-1]:  # a bias moves what is behind it
        zero = (case.exact.pre(layer)[0] == 0).any(axis=0)
        bias = case.arrays[f"b{layer}"]
        size = 1 + max(map(abs, bias.entries))
        entries = tuple(b + at * size for b, at in zip(bias.entries, map(int, zero), strict=True))
        case = case.changing(**{f"b{layer}": replace(bias, entries=entries)})
    return case


def _onto_a_kink(case: Deep, random: Random) -> Deep:
    """The bias of a hidden neuron becomes such that it is at its kink at a point."""
    if case.depth == 1:
        return case
    layer = random.randint(1, case.depth - 1)
    neuron = random.randrange(case.widths[layer])
    point = random.randrange(case.lengths["N"])
    z = Fraction(str(case.exact.pre(layer)[0, point, neuron]))
    array = case.arrays[f"b{layer}"]
    entries = list(array.entries)
    entries[neuron] -= z
    return case.changing(**{f"b{layer}": replace(array, entries=tuple(entries))})


SMOOTH = Hypothesis(
    "smooth at the points",
    r"no hidden pre-activation is $0$ at the points spoken of",
    by_scene(lambda scene: ~scene.kinked.any(axis=1)),
    _off_kinks,
    _onto_a_kink,
)


def _different(case: Deep) -> bool:
    rows = [tuple(row) for row in case.matrix("X")]
    return all(row not in rows[:k] for k, row in enumerate(rows))


def _moved_apart(case: Deep, random: Random) -> Deep:
    if _different(case):
        return case
    array = case.arrays["X"]
    entries = tuple(value + random_rational(random) for value in array.entries)
    return case.changing(X=replace(array, entries=entries))


def _same_points(case: Deep, random: Random) -> Deep:
    array = case.arrays["X"]
    first = array.entries[: array.shape[1]]
    return case.changing(X=replace(array, entries=first * array.shape[0]))


DIFFERENT = Hypothesis(
    "different points",
    r"$x_i\ne x_j$ for $i\ne j$",
    by_case(_different),
    _moved_apart,
    _same_points,
)


# biases -------------------------------------------------------------------------------------------
def without_biases(case: Deep, random: Random) -> Deep:
    """All biases 0."""
    names = [f"b{layer}" for layer in range(1, case.depth + 1)]
    zeros = {
        name: replace(case.arrays[name], entries=(Fraction(0),) * len(case.arrays[name].entries))
        for name in names
    }
    return case.changing(**zeros)


def _some_bias(case: Deep, random: Random) -> Deep:
    name = f"b{random.randint(1, case.depth)}"
    array = case.arrays[name]
    entries = list(array.entries)
    entries[random.randrange(len(entries))] = random_rational(random)
    return case.changing(**{name: replace(array, entries=tuple(entries))})


NO_BIASES = Hypothesis(
    "no biases",
    r"$b_\ell=0$ for every $\ell$",
    by_case(
        lambda case: (
            not any(any(case.arrays[f"b{layer}"].entries) for layer in range(1, case.depth + 1))
        )
    ),
    without_biases,
    _some_bias,
)


# bounds by a gap ----------------------------------------------------------------------------------
def at_least_0(name: str, title: str, statement: str) -> Hypothesis:
    """That the number of this name is at least 0."""

    def repaired(case: Deep, random: Random) -> Deep:
        return case if case.number(name) >= 0 else with_number(case, name, random.choice(GAPS))

    def broken(case: Deep, random: Random) -> Deep:
        return with_number(case, name, -random.choice([gap for gap in GAPS if gap]))

    return Hypothesis(
        title,
        statement,
        by_scene(lambda scene: ~scene.arithmetic.is_negative(scene[name])),
        repaired,
        broken,
    )


NORM_BOUND = at_least_0(
    "gap",
    "norm bound",
    r"$\lVert\theta\rVert^2\le kL+c_1$: here $c_1=\lVert\theta\rVert^2-kL+\mathrm{gap}$ with "
    r"$\mathrm{gap}\ge0$",
)
KERNEL_BOUND = at_least_0(
    "gap2",
    "kernel bound",
    r"the tangent kernel is at most $cL$: here $cL$ is its value plus $\mathrm{gap2}\ge0$",
)


# the rank -----------------------------------------------------------------------------------------
def jacobian_ranks(case: Deep) -> list[int]:
    """The exact rank of Jf at each point."""
    scene = case.exact
    return [int(scene.rank_of(scene.jacobian(at))[0]) for at in range(scene.count)]


def _ranks_are_k(scene: DeepScene) -> np.ndarray:
    ranks = [scene.rank_of(scene.jacobian(at)) for at in range(scene.count)]
    return np.asarray((np.array(ranks) == scene.whole("k")).all(axis=0))


def _to_rank(case: Deep, random: Random) -> Deep:
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


def _other_rank(case: Deep, random: Random) -> Deep:
    return with_number(case, "k", max(0, case.whole("k") + random.choice((-1, 1))))


RANK = Hypothesis(
    "rank k",
    r"$\mathrm{Rank}\,Jf_\theta(x)=k$ at the points spoken of",
    by_scene(_ranks_are_k),
    _to_rank,
    _other_rank,
)

LOOKED_AT = 6  # points that are tried for one with a Jacobian that is not 0


def _onto_a_slope(case: Deep, random: Random) -> Deep:
    """k at least 1, and the Jacobian not 0 at the first point, if possible."""
    return onto_a_slope(with_number(case, "k", max(1, case.whole("k"))), random)


def onto_a_slope(case: Deep, random: Random) -> Deep:
    """Where the Jacobian is 0 at the first point, that point becomes another one, opposite or near
    or far, where it is not, if one is found."""
    if case.exact.rank_of(case.exact.jacobian(0))[0] > 0:
        return case
    array = case.arrays["X"]
    width = array.shape[1]
    for number in range(LOOKED_AT):
        first = [-v for v in array.entries[:width]]
        if number:
            first = [Fraction(random.randint(-8, 8), random.choice((1, 2, 5))) for _ in first]
        moved = case.changing(X=replace(array, entries=(*first, *array.entries[width:])))
        if moved.exact.rank_of(moved.exact.jacobian(0))[0] > 0:
            return moved
    return case


K_AT_LEAST_1 = Hypothesis(
    "k at least 1",
    r"$k\ge1$",
    by_case(lambda case: case.whole("k") >= 1),
    _onto_a_slope,
)
