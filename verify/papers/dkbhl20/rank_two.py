"""Lemma 5: the rank is at least two (Appendix D).

A unique invariant law is one of N = 1 (verify.papers.dkbhl20.sign_states), where no matrix has rank
two. So the lemma is also judged without uniqueness, from inputs of full rank, as Theorem 14 has it.
BN multiplies rows by positive numbers: the rank of a layer is that of H + gamma W H.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from random import Random

from graphs.rings import ring_of
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.scenes import Entries
from verify.cases.tensors import Tensor, Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.kinds.normalised.hypotheses import MEAN_ZERO, NORMALISED, PROBABILITIES, VARIANCE_ONE
from verify.kinds.normalised.pool import gaussian_row, rows_of
from verify.kinds.normalised.scene import Chained, ChainScene
from verify.papers.dkbhl20.conditions import DEFINED, SMALL
from verify.papers.dkbhl20.invariance import (
    DRAWN,
    POSITIVE,
    RANK_ONE,
    SMALL_FOR_WIDTH,
    SUPPORT,
    UNIQUE,
    law_pool,
    rank_of,
)
from verify.papers.dkbhl20.invariant_laws_proofs import one_finite_chain
from verify.papers.dkbhl20.sign_states import sign_chain_of, signs_of_rows
from verify.papers.dkbhl20.sources import printed
from verify.statements.derivations.matrix_words import IDENTITY, matrix, number
from verify.statements.derivations.pair_sums import different_indices
from verify.statements.quantities import with_rows

ZERO, ONE = Fraction(0), Fraction(1)
ONE_STEP = law_pool("W")
LAWS = law_pool()


# hypotheses ---------------------------------------------------------------------------------------
def _of_two_rows(case: Chained, random: Random) -> Chained:
    """A single neuron twice."""
    if case.lengths["d"] > 1:
        return case
    changes = {"H": Tensor(("d", "N"), (2, case.lengths["N"]), case.arrays["H"].entries * 2)}
    if "W" in case.arrays:
        changes["W"] = Tensor(("d", "d"), (2, 2), case.arrays["W"].entries * 4)
    return case.changing(**changes)


WIDE = Hypothesis(
    "two rows or more",
    r"$d\ge2$",
    by_case(lambda case: case.lengths["d"] >= 2),
    _of_two_rows,
)


def _to_full_rank(case: Chained, random: Random) -> Chained:
    """Other rows, at least as long as there are rows."""
    height, count = case.arrays["H"].shape
    count = max(height, count)
    for _ in range(8):
        if case.lengths["N"] == count and rank_of(case) == height:
            return case
        entries = tuple(x for _ in range(height) for x in gaussian_row(count, random))
        case = case.changing(H=Tensor(("d", "N"), (height, count), entries))
    return case


def _of_rank_one(case: Chained, random: Random) -> Chained:
    first = rows_of(case.arrays["H"])[0]
    factors = [Fraction(random.choice((-2, -1, 1, 3))) for _ in range(case.lengths["d"])]
    return with_rows(case, "H", [[factor * x for x in first] for factor in factors])


FULL_RANK = Hypothesis(
    "input of rank d",
    r"$\mathrm{rank}(X)=d$",
    by_case(lambda case: rank_of(case) == case.lengths["d"]),
    _to_full_rank,
    _of_rank_one,
)


# measures -----------------------------------------------------------------------------------------
def rank_above_one(scene: ChainScene) -> Entries:
    """rank(H + gamma W H) - 2."""
    before = scene.before_norm(scene["H"], scene["W"], scene["gamma"])
    return scene.compare(scene.numbers(scene.rank_of(before)), scene.constant(2))


def averages_and_means(scene: ChainScene) -> Entries:
    """The largest difference of a limit of the averages of [M_l]_ij from H = u v^T and E M_ij under
    an invariant law on the states u v^T, for i < j. From an H of another rank nothing is said: 0.
    """
    parts = []
    for i, j in different_indices(scene.width):
        worst = [_spread(case, i, j) for case in scene.cases]
        parts.append(({"entry": [i, j]}, scene.numbers(worst), scene.constant(0)))
    return scene.parts(parts)


def _spread(case: Tensors, i: int, j: int) -> Fraction:
    chain, signs = sign_chain_of(case), signs_of_rows(case)
    if chain is None or signs is None:
        return ZERO
    means = [chain.mean(law, i, j) for law in chain.laws]
    reached = [means[n] for n in chain.reached[chain.states.index(signs)]]
    return max((abs(one - other) for one in reached for other in means), default=ZERO)


def means_of_products(scene: ChainScene) -> Entries:
    """(E M_ij)^2 - 1 for i < j, under the invariant law on the states u v^T for which it is least;
    0 where there is none."""
    parts = []
    for i, j in different_indices(scene.width):
        squares = [_least(case, i, j) for case in scene.cases]
        parts.append(({"entry": [i, j]}, scene.numbers(squares), scene.constant(1)))
    return scene.parts(parts)


def _least(case: Tensors, i: int, j: int) -> Fraction:
    chain = sign_chain_of(case)
    if chain is None:
        return ONE
    return min((chain.mean(law, i, j) ** 2 for law in chain.laws), default=ONE)


# argument -----------------------------------------------------------------------------------------
DOMINANT = "a strictly diagonally dominant matrix is invertible (Levy-Desplanques)"
KEPT = "positive factors of rows, and invertible matrices, keep the rank"


def the_rank_is_kept() -> Argument:
    """I + gamma W is strictly diagonally dominant."""
    ring = ring_of(2)
    width, s = ring.generators
    one = ring.constant(Fraction(1))
    rest = (one - s) - (width - one) * s
    hidden, weights, gamma = matrix("H"), matrix("W"), number("gamma")
    words = hidden + gamma @ weights @ hidden - (IDENTITY + gamma @ weights) @ hidden
    return Argument(
        "I + gamma W is strictly diagonally dominant for gamma d B <= 1/8, so no layer changes the "
        "rank",
        (
            Step("H + gamma W H = (I + gamma W) H", words.is_zero),
            Step(
                "(1 - s) - (d - 1) s = 1 - d s, s = gamma B", ring.is_zero(rest - one + width * s)
            ),
            Step("1 - 1/8 is above 0", 1 - Fraction(1, 8) > 0),
        ),
        (DOMINANT, KEPT),
        "rank_above_one",
        (
            "two rows or more",
            "support in [-B, B]",
            "gamma above 0",
            "gamma at most 1/(8Bd)",
            "input of rank d",
            "weights of the law",
        ),
        section="docs/mathematics/dkbhl20.md#full-rank-is-kept",
    )


# claims -------------------------------------------------------------------------------------------
WEIGHTS = (PROBABILITIES, MEAN_ZERO, VARIANCE_ONE, SUPPORT, POSITIVE)
DRAWS = (
    r"The elements of the weight matrices are drawn independently from $\mathcal P$, of mean zero "
    r"and variance one, with support in $[-B,B]$"
)
IF_UNIQUE = r"the chain $\{H_\ell\}_{\ell\ge1}$ admits a unique invariant distribution"
CONCLUSION = r"$\mathrm{rank}(H_\ell^{(\gamma)})\ge2$ holds almost surely for all integers $\ell$"

PRINTED = Claim(
    "dkbhl20.lem5.a",
    Kind.INEQUALITY,
    printed("Lemma 5, Appendix D"),
    "rank at least two",
    rf"{DRAWS}. If {IF_UNIQUE}, then {CONCLUSION} and $\gamma\le1/(8d)$; $d\ge2$.",
    (WIDE, *WEIGHTS, SMALL_FOR_WIDTH, UNIQUE, DEFINED, DRAWN),
    ("dkbhl20.rank_noninc", "dkbhl20.lem6.c@A", "dkbhl20.hyp_unique.c"),
    rank_above_one,
    ONE_STEP,
    exact_only=True,
    floats=True,
)

FROM_FULL_RANK = Claim(
    "dkbhl20.lem5.a.full",
    Kind.INEQUALITY,
    printed("Lemma 5, Appendix D, with the input of Theorem 14"),
    "rank at least two from an input of full rank, without uniqueness",
    rf"Not printed: {DRAWS[0].lower()}{DRAWS[1:]}. If $\mathrm{{rank}}(X)=d\ge2$, then "
    rf"{CONCLUSION} and $\gamma\le1/(8d)$.",
    (WIDE, *WEIGHTS, SMALL_FOR_WIDTH, FULL_RANK, DRAWN, DEFINED),
    ("dkbhl20.lem5.a",),
    rank_above_one,
    ONE_STEP,
    exact_only=True,
    floats=True,
)

MENDED = Claim(
    "dkbhl20.lem5.a.full.fix",
    Kind.INEQUALITY,
    printed("Lemma 5, Appendix D, with the input of Theorem 14"),
    "rank at least two from an input of full rank below the threshold with B",
    rf"{DRAWS}. If $\mathrm{{rank}}(X)=d\ge2$, then {CONCLUSION} and $\gamma\le1/(8Bd)$.",
    (WIDE, *WEIGHTS, SMALL, FULL_RANK, DRAWN),
    ("dkbhl20.rank_noninc",),
    rank_above_one,
    ONE_STEP,
    repairs="dkbhl20.lem5.a",
    exact_only=True,
    floats=True,
    proof=the_rank_is_kept,
)

AVERAGES = Claim(
    "dkbhl20.lem5.b",
    Kind.IDENTITY,
    printed("eq. (32), Appendix D"),
    "averages of M tend to its mean",
    rf"{DRAWS}. If {IF_UNIQUE}, then $\lim_{{L\to\infty}}\frac1L\sum_{{\ell=1}}^L[M_\ell]_{{ij}}="
    r"\mathbb E_{H\sim\nu_\gamma}[[M(H)]_{ij}]$ for $\gamma\le1/(8d)$.",
    (*WEIGHTS, SMALL_FOR_WIDTH, UNIQUE, RANK_ONE, NORMALISED),
    ("dkbhl20.ergodic.b",),
    averages_and_means,
    LAWS,
    exact_only=True,
    proof=partial(one_finite_chain, "averages_and_means"),
)

MEANS = Claim(
    "dkbhl20.lem5.c",
    Kind.IDENTITY,
    printed("eq. (34), Appendix D"),
    "mean of M after rank one",
    rf"{DRAWS}, and {IF_UNIQUE}. If $\mathrm{{rank}}(H_k)=1$, then $\mathbb E_{{H\sim\nu_\gamma}}"
    r"[[M(H)]_{ij}]\in\{+1,-1\}$ for $\gamma\le1/(8d)$.",
    (*WEIGHTS, SMALL_FOR_WIDTH, UNIQUE, RANK_ONE, NORMALISED),
    ("dkbhl20.lem6.c@A", "dkbhl20.lem5.b"),
    means_of_products,
    LAWS,
    exact_only=True,
)

CLAIMS = (PRINTED, FROM_FULL_RANK, MENDED, AVERAGES, MEANS)
