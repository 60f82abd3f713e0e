"""Instances and hypotheses about weight laws of finite support, strengths, and invariant laws.

An instance holds a hidden matrix H, a law of the weights (`atoms`, `probs`), the strength gamma and
a bound B; where a step is looked at also W, all of whose entries are atoms: what holds of every
such W holds almost surely, and what fails for one of them fails with positive probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random

from graphs.matrices import rank as matrix_rank
from graphs.rationals import RATIONALS
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.core.exclusion import Exclusion
from verify.language.building import Each, Some, cols, rank, rows, upto
from verify.language.terms import Term
from verify.papers.dkbhl20.conditions import DEFINED as DEFINED
from verify.papers.dkbhl20.conditions import NAME_OF_SMALL, TEXT_OF_SMALL, to_larger, to_small
from verify.papers.dkbhl20.drawing import (
    gaussian_row,
    held,
    in_roles,
    onto_sphere,
    rows_of,
    three_points,
    unit_rows,
    with_law,
)
from verify.papers.dkbhl20.finite_laws import (
    MEAN_ZERO,
    PROBABILITIES,
    VARIANCE_ONE,
    law_of,
    to_probabilities,
)
from verify.papers.dkbhl20.finite_laws import SYMMETRIC_LAW as SYMMETRIC_LAW
from verify.papers.dkbhl20.lemma6_step import POSITIVE as POSITIVE
from verify.papers.dkbhl20.lemma6_step import B
from verify.papers.dkbhl20.notation import GAMMA, H, W
from verify.papers.dkbhl20.section2 import NORMALISED as NORMALISED
from verify.papers.dkbhl20.sign_chain import (
    ATOMS,
    PROBS,
    STEP,
    STEP_OF_EITHER,
    TIED,
    VALUES,
    D,
    defined,
    laws_of,
)
from verify.papers.dkbhl20.sign_states import law_count
from verify.statements.quantities import lengthened, with_entries, with_rows
from verify.statements.stated import Given, pool_with

ONE = Fraction(1)
AROUND = tuple(map(Fraction, ("1/8", "1/2", "1", "9/8", "5/4", "3/2", "7/4", "5/2")))
RARE = tuple(map(Fraction, (4, 8, 16, 32)))


# instances ----------------------------------------------------------------------------------------
def largest_atom(case: Tensors) -> Fraction:
    """The least B with support in [-B, B]; 1 in place of 0."""
    return max((abs(a) for a, p in zip(*law_of(case), strict=True) if p), default=ONE) or ONE


def around_the_flips(case: Tensors, random: Random) -> Fraction:
    """A strength near 1/(dB), below which no sign can change."""
    return random.choice(AROUND) / (case.lengths["d"] * largest_atom(case))


def in_the_setting(case: Tensors, random: Random) -> Tensors:
    """A third of the instances with rare large weights, most of them near that strength."""
    if random.random() < 0.35:
        case = with_law(case, three_points(random.choice(RARE)))
    if "gamma" not in case.arrays or random.random() < 0.3:
        return case
    return with_entries(case, "gamma", [around_the_flips(case, random)])


def law_pool(*arrays: Term, bounded: bool = True, largest: int = 3) -> TensorPool:
    """Instances with these arrays beside H, the law, the strength and, if bounded, the bound."""
    names = [*(("W",) if any(term is W for term in arrays) else ()), "gamma", "atoms"]
    roles = in_roles("H", *names)
    return pool_with(
        H,
        *arrays,
        GAMMA,
        ATOMS,
        PROBS,
        *((B,) if bounded else ()),
        largest=largest,
        adapt=lambda case, random: in_the_setting(roles(case, random), random),
    )


# one weight matrix --------------------------------------------------------------------------------
def _atoms(case: Tensors) -> list[Fraction]:
    return [a for a, p in zip(*law_of(case), strict=True) if p > 0]


def _drawn(case: Tensors) -> bool:
    return {*case.arrays["W"].entries} <= {*_atoms(case)}


def _draw_weights(case: Tensors, random: Random) -> Tensors:
    """Independent draws; a third of them the largest weights, all against one vector of signs."""
    if not _atoms(case):
        case = to_probabilities(case, random)
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


def _beyond_the_law(case: Tensors, random: Random) -> Tensors:
    """One row of weights that no law of the setting has, against the sign of its neuron or not."""
    rows = rows_of(case.arrays["W"])
    first = [row[0] for row in rows_of(case.arrays["H"])]
    place = random.randrange(len(rows))
    size = random.choice((4, -4, 16, -16)) * largest_atom(case)
    rows[place] = [size * random.choice((first[k], ONE)) for k in range(len(rows))]
    return with_rows(case, "W", rows)


def _is_drawn(weight: Term) -> Term:
    return Some(VALUES, lambda k: (ATOMS[k] == weight) & (PROBS[k] > 0))


DRAWN = Given(
    "weights of the law",
    Each(upto(rows(W)), lambda i: Each(upto(rows(W)), lambda j: _is_drawn(W[i, j]))),
    r"the entries of $W$ are independent draws of $\mathcal P$: each is one of its atoms",
    _draw_weights,
    _beyond_the_law,
    thin=True,
)


# the law ------------------------------------------------------------------------------------------
SUPPORT = Given(
    "support in [-B, B]",
    Each(VALUES, lambda k: abs(ATOMS[k]) <= B),
    r"the support of $\mathcal P$ lies in $[-B,B]$",
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
INDEPENDENT = Given(
    "independent entries",
    TIED == 0,
    r"the entries of $W$ are independent (else all entries of a row are one draw)",
    lambda case, random: with_entries(case, "tied", [Fraction(0)]),
    lambda case, random: with_entries(case, "tied", [ONE]),
)
WEIGHTS = (PROBABILITIES, MEAN_ZERO, VARIANCE_ONE)


# the strength -------------------------------------------------------------------------------------
def _to_small(case: Tensors, random: Random) -> Tensors:
    threshold = Fraction(1, 8 * case.lengths["d"])
    if case.number("gamma") <= threshold:
        return case
    share = Fraction(random.choice((4, 4, 3, 2, 1)), 4)
    return with_entries(case, "gamma", [threshold * share])


SMALL_FOR_WIDTH = Given(
    "gamma at most 1/(8d)",
    GAMMA <= 1 / (8 * D),
    r"$\gamma\le1/(8d)$",
    _to_small,
    lambda case, random: with_entries(
        case, "gamma", [random.choice((2, 8, 16, 64)) * Fraction(1, 8 * case.lengths["d"])]
    ),
)
SMALL = Given(NAME_OF_SMALL, GAMMA <= 1 / (8 * B * D), TEXT_OF_SMALL, to_small, to_larger)


# the input ----------------------------------------------------------------------------------------
def rank_of(case: Tensors) -> int:
    """The rank of H."""
    found: int = matrix_rank(Tensors.scene([case], RATIONALS)["H"][0])
    return found


def _to_one(case: Tensors, random: Random) -> Tensors:
    """u v^T with v the first row, of squared norm N."""
    if rank_of(case) == 1:
        return case
    rows = rows_of(case.arrays["H"])
    row = onto_sphere(rows[0])
    signs = [random.choice((1, -1)) for _ in rows]
    return held(with_rows(case, "H", [[sign * x for x in row] for sign in signs]), "H")


def _of_another_rank(case: Tensors, random: Random) -> Tensors:
    """Other rows, for two samples or more; a single one becomes 0."""
    height, count = case.lengths["d"], max(2, case.lengths["N"])
    rows = unit_rows(height, count, random) if height > 1 else [[Fraction(0)] * count]
    entries = tuple(x for row in rows for x in row)
    return case.changing(H=Tensor(("d", "N"), (height, count), entries))


RANK_ONE = Given(
    "H of rank one",
    rank(H) == 1,
    r"$\mathrm{rank}(H_k)=1$",
    _to_one,
    _of_another_rank,
    thin=True,
)


def _to_full_rank(case: Tensors, random: Random) -> Tensors:
    """Other rows, at least as long as there are rows."""
    height, count = case.arrays["H"].shape
    count = max(height, count)
    for _ in range(8):
        if case.lengths["N"] == count and rank_of(case) == height:
            return case
        entries = tuple(x for _ in range(height) for x in gaussian_row(count, random))
        case = case.changing(H=Tensor(("d", "N"), (height, count), entries))
    return case


def _multiples(case: Tensors, random: Random) -> Tensors:
    first = rows_of(case.arrays["H"])[0]
    factors = [Fraction(random.choice((-2, -1, 1, 3))) for _ in range(case.lengths["d"])]
    return with_rows(case, "H", [[factor * x for x in first] for factor in factors])


WIDE = Given(
    "two rows or more",
    D >= 2,
    r"$d\ge2$",
    lambda case, random: lengthened(case, "d", 2),
)
FULL_RANK = Given(
    "input of rank d", rank(H) == D, r"$\mathrm{rank}(X)=d$", _to_full_rank, _multiples
)


# uniqueness ---------------------------------------------------------------------------------------
def _one_sample(case: Tensors, random: Random) -> Tensors:
    height = case.lengths["d"]
    signs = tuple(Fraction(random.choice((1, -1))) for _ in range(height))
    return case.changing(H=Tensor(("d", "N"), (height, 1), signs, held=True))


def _to_unique(case: Tensors, random: Random) -> Tensors:
    """A single sample, and a strength at which signs change; that goes up from where no sign can
    change, and so no further than it must. Where signs change one way alone, as with weights that
    are at least 0, another law."""
    if law_count(case) == 1:
        return case
    case = to_probabilities(case, random)
    if case.lengths["N"] > 1:
        case = _one_sample(case, random)
    case = _at_flips(case, sorted(random.sample(AROUND, 4)))
    if law_count(case) != 1:
        case = _at_flips(with_law(case, three_points(random.choice(RARE))), AROUND)
    return case


def _at_flips(case: Tensors, factors: Sequence[Fraction]) -> Tensors:
    """The first of these strengths, in units of 1/(dB), with a unique law; else the last."""
    for factor in factors:
        if law_count(case) == 1:
            break
        strength = factor / (case.lengths["d"] * largest_atom(case))
        case = with_entries(case, "gamma", [strength])
    return case


def _to_several(case: Tensors, random: Random) -> Tensors:
    """Below the strength at which a sign can change; a law of H sits at one state or two."""
    share = Fraction(random.choice((1, 2, 4, 7)), 8)
    if "states" in case.arrays:
        support = random.choice((1, 2))
        signs = [[random.choice((1, -1)) for _ in range(case.lengths["d"])] for _ in range(support)]
        case = with_law_on_signs(case, signs, [ONE / support] * support)
    return with_entries(case, "gamma", [share / (case.lengths["d"] * largest_atom(case))])


def with_law_on_signs(
    case: Tensors, states: Sequence[Sequence[int]], masses: Sequence[Fraction]
) -> Tensors:
    """The instance with another law of H."""
    entries = tuple(Fraction(x) for u in states for x in u)
    shape = (len(states), len(states[0]))
    return case.changing(
        states=Tensor(("m", "d"), shape, entries, held=True),
        mass=Tensor(("m",), (len(states),), tuple(masses), held=True),
    )


def _unique(step: Term) -> Term:
    """One sample, and one law on {-1, 1}^d, from every state of which BN is defined."""
    return (cols(H) == 1) & defined(step) & (laws_of(step) == 1)


UNIQUE = Given(
    "unique invariant law",
    _unique(STEP),
    r"the chain $\{H_\ell\}_{\ell\ge1}$ admits a unique invariant distribution: $N=1$ and the "
    r"chain on $\{-1,1\}^d$ has one closed class (for $N\ge2$ there is one law at least on each "
    r"set $\{uv^\top:u\in\{-1,1\}^d\}$)",
    _to_unique,
    _to_several,
    thin=True,
)
UNIQUE_OF_EITHER = replace(UNIQUE, holds=_unique(STEP_OF_EITHER))
"""The same where the entries of a row of W may be one draw."""
ONE_SAMPLE = (
    r"for one sample only; vacuous beyond, where a state $uv^\top$, $u\in\{-1,1\}^d$, keeps its "
    r"$v$, so that each direction of $v$ has an invariant law of its own"
)
NOT_FOR_SMALL_STRENGTHS = Exclusion(
    UNIQUE.name,
    ("dkbhl20.hyp_unique.c.small",),
    "gamma <= 1/(8Bd) is below 1/(dB), where there are at least two invariant laws",
)
