"""Lemma 5: the rank is at least two (Appendix D).

A unique invariant law is one of N = 1 (verify.papers.dkbhl20.sign_chain), where no matrix has rank
two. So the lemma is also judged without uniqueness, from inputs of full rank, as Theorem 14 has it.
BN multiplies rows by positive numbers: the rank of a layer is that of H + gamma W H.
"""

from __future__ import annotations

from fractions import Fraction

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.language.building import Let, rank
from verify.papers.dkbhl20.invariance import (
    DEFINED,
    DRAWN,
    FULL_RANK,
    NORMALISED,
    POSITIVE,
    RANK_ONE,
    SMALL,
    SMALL_FOR_WIDTH,
    SUPPORT,
    UNIQUE,
    WEIGHTS,
    WIDE,
    law_pool,
)
from verify.papers.dkbhl20.invariant_laws_proofs import one_finite_chain
from verify.papers.dkbhl20.laws_on_signs import INVARIANT_BESIDE_H, ON_SIGNS
from verify.papers.dkbhl20.notation import H, W
from verify.papers.dkbhl20.rank_one_kept import mean_of_product, off_diagonal
from verify.papers.dkbhl20.sign_chain import MASS, STATES, STEP, D, limits, mean, state_of
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.step_cases import BEFORE
from verify.statements.derivations.matrix_words import IDENTITY, matrix, number
from verify.statements.stated import stated

ONE_STEP, WITH_LAW = law_pool(W), law_pool(STATES, MASS)


# what is said -------------------------------------------------------------------------------------
TWO = rank(BEFORE) >= 2
AVERAGES_TEND = Let(
    state_of(H),
    lambda start: limits(
        STEP,
        D,
        lambda s: s == start,
        lambda law: off_diagonal(
            lambda i, j: mean_of_product(law, i, j) == mean(lambda u: u[i] * u[j])
        ),
    ),
)
MEANS_OF_SIZE_ONE = off_diagonal(lambda i, j: abs(mean(lambda u: u[i] * u[j])) == 1)


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
GIVEN = (*WEIGHTS, SUPPORT, POSITIVE)
DRAWS = (
    r"The elements of the weight matrices are drawn independently from $\mathcal P$, of mean zero "
    r"and variance one, with support in $[-B,B]$"
)
IF_UNIQUE = r"the chain $\{H_\ell\}_{\ell\ge1}$ admits a unique invariant distribution"
CONCLUSION = r"$\mathrm{rank}(H_\ell^{(\gamma)})\ge2$ holds almost surely for all integers $\ell$"

PRINTED = stated(
    "dkbhl20.lem5.a",
    printed("Lemma 5, Appendix D"),
    "rank at least two",
    rf"{DRAWS}. If {IF_UNIQUE}, then {CONCLUSION} and $\gamma\le1/(8d)$; $d\ge2$.",
    TWO,
    (WIDE, *GIVEN, SMALL_FOR_WIDTH, UNIQUE, DEFINED, DRAWN),
    depends=("dkbhl20.rank_noninc", "dkbhl20.lem6.c@A", "dkbhl20.hyp_unique.c"),
    pool=ONE_STEP,
)

FROM_FULL_RANK = stated(
    "dkbhl20.lem5.a.full",
    printed("Lemma 5, Appendix D, with the input of Theorem 14"),
    "rank at least two from an input of full rank, without uniqueness",
    rf"Not printed: {DRAWS[0].lower()}{DRAWS[1:]}. If $\mathrm{{rank}}(X)=d\ge2$, then "
    rf"{CONCLUSION} and $\gamma\le1/(8d)$.",
    TWO,
    (WIDE, *GIVEN, SMALL_FOR_WIDTH, FULL_RANK, DRAWN, DEFINED),
    depends=("dkbhl20.lem5.a",),
    pool=ONE_STEP,
)

MENDED = stated(
    "dkbhl20.lem5.a.full.fix",
    printed("Lemma 5, Appendix D, with the input of Theorem 14"),
    "rank at least two from an input of full rank below the threshold with B",
    rf"{DRAWS}. If $\mathrm{{rank}}(X)=d\ge2$, then {CONCLUSION} and $\gamma\le1/(8Bd)$.",
    TWO,
    (WIDE, *GIVEN, SMALL, FULL_RANK, DRAWN),
    depends=("dkbhl20.rank_noninc",),
    pool=ONE_STEP,
    repairs="dkbhl20.lem5.a",
    proof=the_rank_is_kept,
)

AVERAGES = stated(
    "dkbhl20.lem5.b",
    printed("eq. (32), Appendix D"),
    "averages of M tend to its mean",
    rf"{DRAWS}. If {IF_UNIQUE}, then $\lim_{{L\to\infty}}\frac1L\sum_{{\ell=1}}^L[M_\ell]_{{ij}}="
    r"\mathbb E_{H\sim\nu_\gamma}[[M(H)]_{ij}]$ for $\gamma\le1/(8d)$.",
    AVERAGES_TEND,
    (*GIVEN, SMALL_FOR_WIDTH, UNIQUE, RANK_ONE, NORMALISED, ON_SIGNS, INVARIANT_BESIDE_H),
    depends=("dkbhl20.ergodic.b",),
    pool=WITH_LAW,
    proof=one_finite_chain,
)

MEANS = stated(
    "dkbhl20.lem5.c",
    printed("eq. (34), Appendix D"),
    "mean of M after rank one",
    rf"{DRAWS}, and {IF_UNIQUE}. If $\mathrm{{rank}}(H_k)=1$, then $\mathbb E_{{H\sim\nu_\gamma}}"
    r"[[M(H)]_{ij}]\in\{+1,-1\}$ for $\gamma\le1/(8d)$.",
    MEANS_OF_SIZE_ONE,
    (*GIVEN, SMALL_FOR_WIDTH, UNIQUE, RANK_ONE, NORMALISED, ON_SIGNS, INVARIANT_BESIDE_H),
    depends=("dkbhl20.lem6.c@A", "dkbhl20.lem5.b"),
    pool=WITH_LAW,
)

CLAIMS = (PRINTED, FROM_FULL_RANK, MENDED, AVERAGES, MEANS)
