"""Lemma 10: when the regularity constant is below one.

Its steps on laws of finite support; the lemma itself, with a unique invariant law, is in
`unique_laws`. What is left without uniqueness: alpha is 1 exactly where M^2 = M diag(M^2) on all of
the support (blocks of signs), else below 1. (48) is looked at in its leading order: by Lemma 7 the
mean change in one layer is gamma^2 E delta_F(M) + O(gamma^3).
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from graphs.matrices import rank as rank_of
from graphs.rationals import RATIONALS
from verify.cases.tensors import Tensors
from verify.core.exclusion import Exclusion
from verify.language.building import Count, Each, Max, Some, diag, diagonal, dim, rank
from verify.language.terms import Term
from verify.papers.dkbhl20 import lemma10_arguments as arguments
from verify.papers.dkbhl20.drawing import Rows, second_moment_rows, spectrum
from verify.papers.dkbhl20.laws import (
    ALPHA,
    ALPHA_AT_LEAST_1,
    CARRIED,
    LAWS,
    SUPPORT,
    WIDTH,
    blocks,
    correlated,
    drawn_for,
    frobenius_change,
    matrices_of,
    mean,
    moments,
    of_two_rows,
    square_diagonal,
    to_law,
    trace_of_cube,
    with_matrices,
)
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.spectrum import (
    LAMBDA,
    NON_NEGATIVE,
    PLACES,
    SPECTRA,
    TRACE_D,
    power_sum,
    with_numbers,
)
from verify.statements.stated import Given, stated, true_of, unless


# hypotheses ---------------------------------------------------------------------------------------
def not_of_blocks(a: Term) -> Term:
    """M^2 != M diag(M^2)."""
    return a @ a != a @ diag(diagonal(a @ a))


def _to_other(case: Tensors, random: Random) -> Tensors:
    """Equal correlations in place of the first matrix, of two rows or more."""
    case = of_two_rows(case, random)
    matrices = matrices_of(case)
    matrices[0] = correlated(case.lengths["d"], Fraction(1, random.randint(2, 8)))
    return with_matrices(case, matrices)


_OTHER = Some(SUPPORT, lambda k: not_of_blocks(moments(k)))
OTHER_THAN_BLOCKS = Given(
    "other than blocks",
    _OTHER,
    r"$M(H)^2\ne M(H)\,\mathrm{diag}(M(H)^2)$ with positive probability",
    unless(_OTHER, _to_other),
    lambda case, random: drawn_for(
        case, lambda size, random: blocks(size, random, equal=False), random
    ),
)


def _to_above_1(case: Tensors, random: Random) -> Tensors:
    """A multiple of the matrices: alpha of c M is c times that of M, which is above 0."""
    case = drawn_for(to_law(case, random), second_moment_rows, random)
    factor = 2
    while not true_of(factor * ALPHA > 1)(case):
        factor *= 2
    scaled = [[[factor * x for x in line] for line in lines] for lines in matrices_of(case)]
    return with_matrices(case, scaled)


ALPHA_ABOVE_1 = Given(
    "alpha above 1",
    ALPHA > 1,
    r"the regularity constant of $\nu$ is greater than $1$",
    unless(ALPHA > 1, _to_above_1),
)


def rank_of_rows(lines: Rows) -> int:
    """The rank of a matrix."""
    found: int = rank_of(
        RATIONALS.array([x for line in lines for x in line]).reshape(len(lines), -1)
    )
    return found


def _to_rank_2(case: Tensors, random: Random) -> Tensors:
    case = of_two_rows(case, random)
    size = case.lengths["d"]
    kept = [
        lines if rank_of_rows(lines) > 1 else _blocks_of_rank_2(size, random)
        for lines in matrices_of(case)
    ]
    return with_matrices(case, kept)


def _blocks_of_rank_2(size: int, random: Random) -> Rows:
    """Two blocks of signs."""
    cut = random.randint(1, size - 1)
    signs = [random.choice((1, -1)) for _ in range(size)]
    return [
        [Fraction(signs[i] * signs[j] * ((i < cut) == (j < cut))) for j in range(size)]
        for i in range(size)
    ]


def _of_rank_1(size: int, random: Random) -> Rows:
    signs = [random.choice((1, -1)) for _ in range(size)]
    return [[Fraction(a * b) for a in signs] for b in signs]


RANK_2 = Given(
    "rank two on the support",
    Each(SUPPORT, lambda k: rank(moments(k)) >= 2),
    r"$\mathrm{rank}(M(H))\ge2$ for each $H$ of the support of $\nu$",
    _to_rank_2,
    lambda case, random: drawn_for(case, _of_rank_1, random),
    thin=True,
)


def _two_eigenvalues(case: Tensors, random: Random) -> Tensors:
    size = max(2, case.lengths["d"])
    found = spectrum(size, random)
    several = sum(x != 0 for x in found) > 1
    return with_numbers(case, found if several else [Fraction(1)] * size)


def _one_eigenvalue(case: Tensors, random: Random) -> Tensors:
    size = case.lengths["d"]
    return with_numbers(case, [Fraction(size), *[Fraction(0)] * (size - 1)])


_TWO = Count(PLACES, lambda i: LAMBDA[i] != 0) >= 2
TWO_EIGENVALUES = Given(
    "two eigenvalues not 0",
    _TWO,
    r"$\mathrm{rank}(M(H))\ge2$: at least two of the $\lambda_i$ are not $0$",
    unless(_TWO, _two_eigenvalues),
    _one_eigenvalue,
)


# claims -------------------------------------------------------------------------------------------
BELOW_1 = ALPHA < 1
EXCESS = mean(lambda a: -trace_of_cube(a) + square_diagonal(a)) >= 0
TOP, SIZE = Max(PLACES, lambda i: LAMBDA[i]), dim(LAMBDA)
LEADING = (
    (power_sum(2) <= TOP * power_sum(1))
    & (TOP * power_sum(1) <= SIZE * TOP)
    & (SIZE * TOP < SIZE**2)
)
CHANGE = mean(frobenius_change) >= 4 * (WIDTH - 1)
WORDS = (
    r"\mathbb E_{H\sim\nu_\gamma}[-\mathrm{Tr}(M(H)^3)+\mathrm{Tr}(\mathrm{diag}(M(H)^2)^2)]\ge0"
)

CLAIMS = (
    stated(
        "dkbhl20.lem10.a.fix",
        printed("Lemma 10, Appendix E"),
        "the regularity constant is below one, repaired",
        r"The regularity constant of a distribution $\nu$ over $\mathcal H$ is less than one, "
        r"whatever $\gamma$, if $M(H)^2\ne M(H)\,\mathrm{diag}(M(H)^2)$ with positive probability.",
        BELOW_1,
        (*CARRIED, OTHER_THAN_BLOCKS),
        pool=LAWS,
        depends=("dkbhl20.def3.b",),
        repairs="dkbhl20.lem10.a",
        proof=arguments.only_blocks_have_alpha_1,
    ),
    stated(
        "dkbhl20.lem10.b",
        printed("eq. (47), Appendix E"),
        "if the regularity constant is greater than one",
        rf"If $\alpha$ is greater than one, ${WORDS}$.",
        EXCESS,
        (*CARRIED, ALPHA_ABOVE_1),
        pool=LAWS,
        excluded=Exclusion(
            ALPHA_ABOVE_1.name,
            ("dkbhl20.def3.b",),
            "the regularity constant is E Tr diag(M^2)^2 over E Tr M^3, which is not smaller",
        ),
    ),
    stated(
        "dkbhl20.lem10.b.fix",
        printed("eq. (47), Appendix E"),
        "if the regularity constant is at least one",
        rf"If $\alpha$ is at least one, ${WORDS}$.",
        EXCESS,
        (*CARRIED, ALPHA_AT_LEAST_1),
        pool=LAWS,
        repairs="dkbhl20.lem10.b",
        proof=arguments.excess_is_the_hypothesis,
    ),
    stated(
        "dkbhl20.lem10.c",
        printed("proof of Lemma 10, Appendix E"),
        "the Frobenius norm is below d",
        r"The rank of $M(H)$ is at least $2$ and the eigenvalues sum to $d$: $\lVert "
        r"M(H)\rVert_F^2="
        r"\sum_i\lambda_i^2\le\max_i\lambda_i\sum_j\lambda_j\le d\max_i\lambda_i<d^2$.",
        LEADING,
        (NON_NEGATIVE, TRACE_D, TWO_EIGENVALUES),
        pool=SPECTRA,
        proof=arguments.largest_is_below_d,
    ),
    stated(
        "dkbhl20.lem10.d",
        printed("eq. (48), Appendix E"),
        "the mean change of the Frobenius norm is above 0",
        rf"If ${WORDS}$ and the rank of $M(H)$ is at least $2$, then $\mathbb "
        rf"E_{{W,H\sim\nu_\gamma}}"
        r"[\lVert M(H_+)\rVert_F^2-\lVert M(H)\rVert_F^2]>0$ for a sufficiently small $\gamma$: "
        r"$\mathbb E_{H\sim\nu_\gamma}[\delta_F(M(H))]\ge4(d-1)$, whatever the law is, which does "
        r"move "
        r"with $\gamma$; the remainder of Lemma 7 is at most $C\gamma$ for all of them.",
        CHANGE,
        (*CARRIED, ALPHA_AT_LEAST_1, RANK_2),
        pool=LAWS,
        proof=arguments.mean_change_is_bounded_below,
    ),
)
