"""Instances and hypotheses about weight laws of finite support, strengths, and invariant laws.

An instance holds a hidden matrix H, a law of the weights (`atoms`, `probs`), the strength gamma and
a bound B; where a step is looked at also W, all of whose entries are atoms: what holds of every
such W holds almost surely, and what fails for one of them fails with positive probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import numpy as np

from graphs.matrices import rank
from graphs.rationals import RATIONALS
from verify.cases.hypotheses import Hypothesis, by_case, by_scene
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor
from verify.core.exclusion import Exclusion
from verify.kinds.normalised.hypotheses import (
    PROBABILITIES,
    at_least_zero,
    held,
    law_of,
    positive_number,
)
from verify.kinds.normalised.pool import (
    STRENGTHS,
    chain_pool,
    onto_sphere,
    rows_of,
    three_points,
    unit_rows,
    with_law,
)
from verify.kinds.normalised.scene import Chained, ChainScene
from verify.papers.dkbhl20.sign_states import law_count
from verify.statements.quantities import with_entries, with_rows

ONE = Fraction(1)
AROUND = tuple(map(Fraction, ("1/8", "1/2", "1", "9/8", "5/4", "3/2", "7/4", "5/2")))
RARE = tuple(map(Fraction, (4, 8, 16, 32)))


# instances ----------------------------------------------------------------------------------------
def largest_atom(case: Chained) -> Fraction:
    """The least B with support in [-B, B]; 1 in place of 0."""
    return max((abs(a) for a, p in zip(*law_of(case), strict=True) if p), default=ONE) or ONE


def around_the_flips(case: Chained, random: Random) -> Fraction:
    """A strength near 1/(dB), below which no sign can change."""
    return random.choice(AROUND) / (case.lengths["d"] * largest_atom(case))


def in_the_setting(case: Chained, random: Random) -> Chained:
    """A third of the instances with rare large weights, most of them near that strength."""
    if random.random() < 0.35:
        case = with_law(case, three_points(random.choice(RARE)))
    if random.random() < 0.3:
        return case
    return with_entries(case, "gamma", [around_the_flips(case, random)])


def law_pool(
    *names: str,
    extras: tuple[tuple[str, tuple[str, ...]], ...] = (),
    bounded: bool = True,
    largest: int = 3,
    integers: tuple[tuple[str, int, int], ...] = (),
) -> TensorPool:
    """Instances with these arrays beside H, the law, the strength and, if bounded, the bound."""
    extras = (*((("B", ()),) if bounded else ()), *extras)
    return chain_pool(
        "H",
        *names,
        "gamma",
        "atoms",
        "probs",
        extras=extras,
        integers=integers,
        largest=largest,
        last=in_the_setting,
    )


# one weight matrix --------------------------------------------------------------------------------
def _atoms(case: Chained) -> list[Fraction]:
    return [a for a, p in zip(*law_of(case), strict=True) if p > 0]


def _drawn(case: Chained) -> bool:
    return {*case.arrays["W"].entries} <= {*_atoms(case)}


def _draw_weights(case: Chained, random: Random) -> Chained:
    """Independent draws; a third of them the largest weights, all against one vector of signs."""
    if not _atoms(case):
        case = PROBABILITIES.repair(case, random)
    atoms = _atoms(case)
    if _drawn(case):
        return case
    drawn = [random.choice(atoms) for _ in case.arrays["W"].entries]
    if random.random() < 0.35:
        signs = [random.choice((1, -1)) for _ in range(case.lengths["d"])]
        wanted = [-largest_atom(case) * one * other for one in signs for other in signs]
        drawn = [_nearest(atoms, x) for x in wanted]
    return held(with_entries(case, "W", drawn), "W")


def _nearest(atoms: list[Fraction], wanted: Fraction) -> Fraction:
    return min(atoms, key=lambda atom: abs(atom - wanted))


def _beyond_the_law(case: Chained, random: Random) -> Chained:
    """One row of weights that no law of the setting has, against the sign of its neuron or not."""
    rows = rows_of(case.arrays["W"])
    first = [row[0] for row in rows_of(case.arrays["H"])]
    place = random.randrange(len(rows))
    size = random.choice((4, -4, 16, -16)) * largest_atom(case)
    rows[place] = [size * random.choice((first[k], ONE)) for k in range(len(rows))]
    return with_rows(case, "W", rows)


DRAWN = Hypothesis(
    "weights of the law",
    r"the entries of $W$ are independent draws of $\mathcal P$: each is one of its atoms",
    by_case(_drawn),
    _draw_weights,
    _beyond_the_law,
    thin=True,
)


# the law ------------------------------------------------------------------------------------------
def _supported(scene: ChainScene) -> np.ndarray:
    atoms, bound = scene["atoms"], scene["B"].reshape(-1, 1)
    return np.asarray(at_least_zero(scene, bound - atoms) & at_least_zero(scene, bound + atoms))


SUPPORT = Hypothesis(
    "support in [-B, B]",
    r"the support of $\mathcal P$ lies in $[-B,B]$",
    by_scene(_supported),
    lambda case, random: with_entries(
        case, "B", [max(map(abs, case.arrays["atoms"].entries)) * random.choice((1, 1, 1, 2))]
    ),
    lambda case, random: with_entries(
        case,
        "B",
        [max(map(abs, case.arrays["atoms"].entries)) / random.choice((2, 8, 32))],
    ),
    thin=True,
)
INDEPENDENT = Hypothesis(
    "independent entries",
    r"the entries of $W$ are independent (else all entries of a row are one draw)",
    by_case(lambda case: case.whole("tied") == 0),
    lambda case, random: with_entries(case, "tied", [Fraction(0)]),
    lambda case, random: with_entries(case, "tied", [ONE]),
)
POSITIVE = positive_number("gamma", r"$\gamma>0$", STRENGTHS)


# the strength -------------------------------------------------------------------------------------
def _small(scene: ChainScene) -> np.ndarray:
    product = scene["gamma"] * scene.constant(8 * scene.width)
    return np.asarray(at_least_zero(scene, scene.constant(1) - product))


def _to_small(case: Chained, random: Random) -> Chained:
    threshold = Fraction(1, 8 * case.lengths["d"])
    if case.number("gamma") <= threshold:
        return case
    share = Fraction(random.choice((4, 4, 3, 2, 1)), 4)
    return with_entries(case, "gamma", [threshold * share])


SMALL_FOR_WIDTH = Hypothesis(
    "gamma at most 1/(8d)",
    r"$\gamma\le1/(8d)$",
    by_scene(_small),
    _to_small,
    lambda case, random: with_entries(
        case, "gamma", [random.choice((2, 8, 16, 64)) * Fraction(1, 8 * case.lengths["d"])]
    ),
)


# the input ----------------------------------------------------------------------------------------
def rank_of(case: Chained) -> int:
    """The rank of H."""
    found: int = rank(Chained.scene([case], RATIONALS)["H"][0])
    return found


def _to_one(case: Chained, random: Random) -> Chained:
    """u v^T with v the first row, of squared norm N."""
    if rank_of(case) == 1:
        return case
    rows = rows_of(case.arrays["H"])
    row = onto_sphere(rows[0])
    signs = [random.choice((1, -1)) for _ in rows]
    return held(with_rows(case, "H", [[sign * x for x in row] for sign in signs]), "H")


def _of_another_rank(case: Chained, random: Random) -> Chained:
    """Other rows, for two samples or more; a single one becomes 0."""
    height, count = case.lengths["d"], max(2, case.lengths["N"])
    rows = unit_rows(height, count, random) if height > 1 else [[Fraction(0)] * count]
    entries = tuple(x for row in rows for x in row)
    return case.changing(H=Tensor(("d", "N"), (height, count), entries))


RANK_ONE = Hypothesis(
    "H of rank one",
    r"$\mathrm{rank}(H_k)=1$",
    by_case(lambda case: rank_of(case) == 1),
    _to_one,
    _of_another_rank,
    thin=True,
)


# uniqueness ---------------------------------------------------------------------------------------
def _one_sample(case: Chained, random: Random) -> Chained:
    height = case.lengths["d"]
    signs = tuple(Fraction(random.choice((1, -1))) for _ in range(height))
    return case.changing(H=Tensor(("d", "N"), (height, 1), signs, held=True))


def _to_unique(case: Chained, random: Random) -> Chained:
    """A single sample, and a strength at which signs change; that goes up from where no sign can
    change, and so no further than it must. Where signs change one way alone, as with weights that
    are at least 0, another law."""
    if law_count(case) == 1:
        return case
    case = PROBABILITIES.repair(case, random)
    if case.lengths["N"] > 1:
        case = _one_sample(case, random)
    case = _at_flips(case, sorted(random.sample(AROUND, 4)))
    if law_count(case) != 1:
        case = _at_flips(with_law(case, three_points(random.choice(RARE))), AROUND)
    return case


def _at_flips(case: Chained, factors: Sequence[Fraction]) -> Chained:
    """The first of these strengths, in units of 1/(dB), with a unique law; else the last."""
    for factor in factors:
        if law_count(case) == 1:
            break
        strength = factor / (case.lengths["d"] * largest_atom(case))
        case = with_entries(case, "gamma", [strength])
    return case


def _to_several(case: Chained, random: Random) -> Chained:
    """Below the strength at which a sign can change."""
    share = Fraction(random.choice((1, 2, 4, 7)), 8)
    return with_entries(case, "gamma", [share / (case.lengths["d"] * largest_atom(case))])


UNIQUE = Hypothesis(
    "unique invariant law",
    r"the chain $\{H_\ell\}_{\ell\ge1}$ admits a unique invariant distribution: $N=1$ and the "
    r"chain on $\{-1,1\}^d$ has one closed class (for $N\ge2$ there is one law at least on each "
    r"set $\{uv^\top:u\in\{-1,1\}^d\}$)",
    by_case(lambda case: law_count(case) == 1),
    _to_unique,
    _to_several,
    thin=True,
)
ONE_SAMPLE = (
    r"for one sample only; vacuous beyond, where a state $uv^\top$, $u\in\{-1,1\}^d$, keeps its "
    r"$v$, so that each direction of $v$ has an invariant law of its own"
)
NOT_FOR_SMALL_STRENGTHS = Exclusion(
    UNIQUE.name,
    ("dkbhl20.hyp_unique.c.small",),
    "gamma <= 1/(8Bd) is below 1/(dB), where there are at least two invariant laws",
)
