"""Lemma 10: when the regularity constant is below one.

Its steps on laws of finite support, as in `matrix_laws`; the lemma itself, with a unique invariant
law, is in `unique_laws`. What is left without uniqueness: alpha is 1 exactly where
M^2 = M diag(M^2) on all of the support (blocks of signs), else below 1. Strict inequalities have
entries that are 0 where they hold, as equations have. (48) is looked at in its leading order: by
Lemma 7 the mean change in one layer is gamma^2 E delta_F(M) + O(gamma^3).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import RATIONALS, Array, as_fraction
from graphs.matrices import rank
from verify.argument import Argument
from verify.claim import Claim, Kind
from verify.exclusion import Exclusion
from verify.hypotheses import Hypothesis, by_case, by_scene
from verify.normalised_hypotheses import NON_NEGATIVE, TRACE_D, above_zero
from verify.normalised_pool import Rows, second_moment_rows, spectrum, with_entries
from verify.normalised_scene import Chained, ChainScene
from verify.papers.dkbhl20.lemma10_proofs import (
    excess_is_the_hypothesis,
    largest_is_below_d,
    mean_change_is_bounded_below,
    only_blocks_have_alpha_1,
)
from verify.papers.dkbhl20.matrix_laws import (
    ALPHA_AT_LEAST_1,
    LAW,
    LAWS,
    MOMENTS_SEMIDEFINITE,
    UNIT_ON_SUPPORT,
    alpha_terms,
    blocks,
    correlated,
    expectation,
    matrices_of,
    of_two_rows,
    with_matrices,
)
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.spectra import SPECTRA
from verify.tensors import Tensor
from verify.vocabulary import Entries

CARRIED = (LAW, MOMENTS_SEMIDEFINITE, UNIT_ON_SUPPORT)


# hypotheses ---------------------------------------------------------------------------------------
def _product(one: Rows, other: Rows) -> Rows:
    columns = list(zip(*other, strict=True))
    return [
        [sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0)) for column in columns]
        for row in one
    ]


def is_of_blocks(rows: Rows) -> bool:
    """Whether M^2 = M diag(M^2)."""
    square = _product(rows, rows)
    return all(
        square[i][j] == rows[i][j] * square[j][j]
        for i in range(len(rows))
        for j in range(len(rows))
    )


def _to_other(case: Chained, random: Random) -> Chained:
    """Equal correlations in place of the first matrix, of two rows or more."""
    case = of_two_rows(case, random)
    matrices = matrices_of(case)
    if not all(map(is_of_blocks, matrices)):
        return case
    matrices[0] = correlated(case.lengths["d"], Fraction(1, random.randint(2, 8)))
    return with_matrices(case, matrices)


OTHER_THAN_BLOCKS = Hypothesis(
    "other than blocks",
    r"$M(H)^2\ne M(H)\,\mathrm{diag}(M(H)^2)$ with positive probability",
    by_case(lambda case: not all(map(is_of_blocks, matrices_of(case)))),
    _to_other,
    lambda case, random: with_matrices(
        case,
        [blocks(case.lengths["d"], random, equal=False) for _ in matrices_of(case)],
    ),
)


def _above_1(scene: ChainScene) -> np.ndarray:
    above, below = alpha_terms(scene)
    return above_zero(scene, above - below)


def _to_above_1(case: Chained, random: Random) -> Chained:
    """A multiple of the matrices: alpha of c M is c times that of M, which is above 0."""
    case = LAW.repair(case, random)
    if _above_1(Chained.scene([case], RATIONALS))[0]:
        return case
    drawn = [second_moment_rows(case.lengths["d"], random) for _ in matrices_of(case)]
    above, below = alpha_terms(Chained.scene([with_matrices(case, drawn)], RATIONALS))
    factor = as_fraction(below[0]) / as_fraction(above[0]) * random.randint(2, 4)
    return with_matrices(case, [[[factor * x for x in row] for row in rows] for rows in drawn])


ALPHA_ABOVE_1 = Hypothesis(
    "alpha above 1",
    r"the regularity constant of $\nu$ is greater than $1$",
    by_scene(_above_1),
    _to_above_1,
)


def rank_of_rows(rows: Rows) -> int:
    """The rank of a matrix."""
    found: int = rank(RATIONALS.array([x for row in rows for x in row]).reshape(len(rows), -1))
    return found


def _to_rank_2(case: Chained, random: Random) -> Chained:
    case = of_two_rows(case, random)
    size = case.lengths["d"]
    kept = [
        rows if rank_of_rows(rows) > 1 else _blocks_of_rank_2(size, random)
        for rows in matrices_of(case)
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


def _one_of_rank_1(case: Chained, random: Random) -> Chained:
    matrices = matrices_of(case)
    signs = [random.choice((1, -1)) for _ in matrices[0]]
    rows = [[Fraction(a * b) for a in signs] for b in signs]
    return with_matrices(case, [rows for _ in matrices])


RANK_2 = Hypothesis(
    "rank two on the support",
    r"$\mathrm{rank}(M(H))\ge2$ for each $H$ of the support of $\nu$",
    by_case(lambda case: all(rank_of_rows(rows) > 1 for rows in matrices_of(case))),
    _to_rank_2,
    _one_of_rank_1,
    thin=True,
)


def _two_eigenvalues(case: Chained, random: Random) -> Chained:
    entries = case.arrays["lam"].entries
    if sum(x != 0 for x in entries) > 1:
        return case
    size = max(2, len(entries))
    found = spectrum(size, random)
    if sum(x != 0 for x in found) < 2:
        found = [Fraction(1)] * size
    return case.changing(lam=Tensor(("d",), (size,), tuple(found)))


TWO_EIGENVALUES = Hypothesis(
    "two eigenvalues not 0",
    r"$\mathrm{rank}(M(H))\ge2$: at least two of the $\lambda_i$ are not $0$",
    by_case(lambda case: sum(x != 0 for x in case.arrays["lam"].entries) > 1),
    _two_eigenvalues,
    lambda case, random: with_entries(
        case,
        "lam",
        [
            Fraction(len(case.arrays["lam"].entries) * (k == 0))
            for k in range(len(case.arrays["lam"].entries))
        ],
    ),
)


# measures -----------------------------------------------------------------------------------------
def strictly_above_zero(scene: ChainScene, values: Array) -> Entries:
    """0 where a number is above 0, else -1."""
    above = above_zero(scene, values.reshape(-1, 1))
    return scene.compare(scene.numbers((above * 1 - 1).tolist()), scene.constant(0))


def alpha_is_below_1(scene: ChainScene) -> Entries:
    """Whether E Tr M^3 - E Tr diag(M^2)^2 is above 0."""
    above, below = alpha_terms(scene)
    return strictly_above_zero(scene, below - above)


def square_excess(scene: ChainScene) -> Entries:
    """E[-Tr M^3 + Tr diag(M^2)^2]."""
    above, below = alpha_terms(scene)
    return scene.compare(above, below)


def largest_eigenvalue(scene: ChainScene) -> Entries:
    """max l sum l - sum l^2, 0 from d max l - max l sum l, and whether d - max l is above 0."""
    lam = scene["lam"]
    top = lam[:, 0]
    for place in range(1, lam.shape[1]):
        top = scene.arithmetic.maximum(top, lam[:, place])
    total, nothing = lam.sum(1), scene.constant(0)
    apart = scene.share(top, scene.width) - top * total
    below = above_zero(scene, (scene.constant(scene.width) - top).reshape(-1, 1))
    return scene.parts(
        [
            ({"part": "square"}, top * total, (lam * lam).sum(1)),
            ({"part": "trace"}, nothing, apart * apart),
            ({"part": "strict"}, scene.numbers((below * 1 - 1).tolist()), nothing),
        ]
    )


def mean_change(scene: ChainScene) -> Entries:
    """E delta_F(M) - 4 (d - 1)."""
    least = scene.constant(4 * (scene.width - 1))
    return scene.compare(expectation(scene, scene.frobenius_change), least)


# claims -------------------------------------------------------------------------------------------
EXCESS = (
    r"\mathbb E_{H\sim\nu_\gamma}[-\mathrm{Tr}(M(H)^3)+\mathrm{Tr}(\mathrm{diag}(M(H)^2)^2)]\ge0"
)


def _exactly(
    part: str,
    title: str,
    statement: str,
    hypotheses: tuple[Hypothesis, ...],
    measure: Callable[[ChainScene], Entries],
    proof: Callable[[], Argument] | None,
) -> Claim:
    where = {"a": "Lemma 10", "b": "eq. (47)", "c": "proof of Lemma 10", "d": "eq. (48)"}[part]
    return Claim(
        f"dkbhl20.lem10.{part}",
        Kind.IDENTITY if measure is alpha_is_below_1 else Kind.INEQUALITY,
        printed(f"{where}, Appendix E"),
        title,
        statement,
        hypotheses,
        measure=measure,
        pool=SPECTRA if part == "c" else LAWS,
        exact_only=True,
        proof=proof,
    )


BELOW_1 = replace(
    _exactly(
        "a",
        "the regularity constant is below one, repaired",
        r"The regularity constant of a distribution $\nu$ over $\mathcal H$ is less than one, "
        r"whatever $\gamma$, if $M(H)^2\ne M(H)\,\mathrm{diag}(M(H)^2)$ with positive probability.",
        (*CARRIED, OTHER_THAN_BLOCKS),
        alpha_is_below_1,
        only_blocks_have_alpha_1,
    ),
    id="dkbhl20.lem10.a.fix",
    repairs="dkbhl20.lem10.a",
    depends=("dkbhl20.def3.b",),
)
IF_ABOVE = _exactly(
    "b",
    "if the regularity constant is greater than one",
    rf"If $\alpha$ is greater than one, ${EXCESS}$.",
    (*CARRIED, ALPHA_ABOVE_1),
    square_excess,
    None,
)
IF_ABOVE = replace(
    IF_ABOVE,
    excluded=Exclusion(
        ALPHA_ABOVE_1.name,
        ("dkbhl20.def3.b",),
        "the regularity constant is E Tr diag(M^2)^2 over E Tr M^3, which is not smaller",
    ),
)
IF_AT_LEAST = replace(
    _exactly(
        "b",
        "if the regularity constant is at least one",
        rf"If $\alpha$ is at least one, ${EXCESS}$.",
        (*CARRIED, ALPHA_AT_LEAST_1),
        square_excess,
        excess_is_the_hypothesis,
    ),
    id="dkbhl20.lem10.b.fix",
    repairs="dkbhl20.lem10.b",
)
LEADING = _exactly(
    "c",
    "the Frobenius norm is below d",
    r"The rank of $M(H)$ is at least $2$ and the eigenvalues sum to $d$: $\lVert M(H)\rVert_F^2="
    r"\sum_i\lambda_i^2\le\max_i\lambda_i\sum_j\lambda_j\le d\max_i\lambda_i<d^2$.",
    (NON_NEGATIVE, TRACE_D, TWO_EIGENVALUES),
    largest_eigenvalue,
    largest_is_below_d,
)
CHANGE = _exactly(
    "d",
    "the mean change of the Frobenius norm is above 0",
    rf"If ${EXCESS}$ and the rank of $M(H)$ is at least $2$, then $\mathbb E_{{W,H\sim\nu_\gamma}}"
    r"[\lVert M(H_+)\rVert_F^2-\lVert M(H)\rVert_F^2]>0$ for a sufficiently small $\gamma$: "
    r"$\mathbb E_{H\sim\nu_\gamma}[\delta_F(M(H))]\ge4(d-1)$, whatever the law is, which does move "
    r"with $\gamma$; the remainder of Lemma 7 is at most $C\gamma$ for all of them.",
    (*CARRIED, ALPHA_AT_LEAST_1, RANK_2),
    mean_change,
    mean_change_is_bounded_below,
)

CLAIMS = (BELOW_1, IF_ABOVE, IF_AT_LEAST, LEADING, CHANGE)
