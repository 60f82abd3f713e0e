"""Lemma 13, steps (53), (55) and (57), on laws of finite support.

A law on H enters through its second moment matrices. What these statements use of invariance and of
a small gamma is (52): the expectation of delta_F(M) is minus the remainder of Lemma 7, which is at
most C gamma in size; so it is above -6 d^2 for gamma below 6 d^2/C. That is the hypothesis here: it
asks for less than the print, of a unique invariant law in particular nothing. What is argued so is
argued of every invariant law of finite support. alpha is the quotient S/T of two expectations, and
a bound with 1 - alpha is multiplied by T, which is above 0.

The left end of (57) is the number E|M(H)|_F^2.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import RATIONALS, Array
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_scene
from verify.normalised_hypotheses import above_zero, at_least_zero
from verify.normalised_pool import second_moment_rows
from verify.normalised_scene import Chained, ChainScene
from verify.papers.dkbhl20.frobenius_proofs import (
    chain_is_bounded,
    cubes_are_bounded,
    frobenius_is_bounded,
    sign_makes_it_trivial,
)
from verify.papers.dkbhl20.matrix_laws import (
    LAW,
    LAWS,
    MOMENTS_SEMIDEFINITE,
    UNIT_ON_SUPPORT,
    alpha_terms,
    blocks,
    correlated,
    expectation,
    of_two_rows,
    with_matrices,
)
from verify.papers.dkbhl20.sources import printed
from verify.tensors import Tensor
from verify.vocabulary import Entries

WIDE = 16  # from about this width on equicorrelated matrices break what (52) asks for


# hypotheses ---------------------------------------------------------------------------------------
def _below_1(scene: ChainScene) -> np.ndarray:
    above, below = alpha_terms(scene)
    return above_zero(scene, below - above)


def _is_below_1(case: Chained) -> bool:
    return bool(_below_1(Chained.scene([case], RATIONALS))[0])


def _to_below_1(case: Chained, random: Random) -> Chained:
    """Matrices of the menu, of two rows or more; equal correlations where alpha is 1, as it is for
    blocks of signs."""
    case = of_two_rows(LAW.repair(case, random), random)
    size, count = case.lengths["d"], case.lengths["s"]
    for _ in range(3):
        if _is_below_1(case):
            break
        case = with_matrices(case, [second_moment_rows(size, random) for _ in range(count)])
    if _is_below_1(case):
        return case
    return with_matrices(case, [correlated(size, Fraction(1, random.randint(2, 8)))] * count)


BELOW_1 = Hypothesis(
    "alpha of the law below 1",
    r"the regularity constant of $\nu$ is $\alpha<1$",
    by_scene(_below_1),
    _to_below_1,
    lambda case, random: with_matrices(
        case,
        [blocks(case.lengths["d"], random, equal=True) for _ in range(case.lengths["s"])],
    ),
)


def _balanced(scene: ChainScene) -> np.ndarray:
    change = expectation(scene, scene.frobenius_change)
    return at_least_zero(scene, change + scene.constant(6 * scene.width**2))


def _nearer(case: Chained, random: Random) -> Chained:
    """Weakly correlated matrices of the same size."""
    size, count = case.lengths["d"], case.lengths["s"]
    off = Fraction(random.randint(0, 2), 16)
    return case if _holds(case) else with_matrices(case, [correlated(size, off)] * count)


def _holds(case: Chained) -> bool:
    return bool(_balanced(Chained.scene([case], RATIONALS))[0])


def _wide_and_correlated(case: Chained, random: Random) -> Chained:
    """Equal correlations at a width at which delta_F falls below -6 d^2."""
    rows = correlated(WIDE, Fraction(random.choice((5, 6, 7)), 8))
    count = case.lengths["s"]
    entries = tuple(x for row in rows for x in row) * count
    return case.changing(M=Tensor(("s", "d", "d"), (count, WIDE, WIDE), entries, held=True))


REMAINDER = Hypothesis(
    "remainder of (52)",
    r"$\mathbb E_{H\sim\nu}\delta_F(M(H))\ge-6d^2$, as (52) says of every invariant $\nu$ for "
    r"$\gamma$ so small that the remainder of Lemma 7 is at most $6d^2$ (more is not asked)",
    by_scene(_balanced),
    _nearer,
    _wide_and_correlated,
)
CARRIED = (LAW, MOMENTS_SEMIDEFINITE, UNIT_ON_SUPPORT)
BOUNDED = (*CARRIED, BELOW_1, REMAINDER)


# measures -----------------------------------------------------------------------------------------
def terms(scene: ChainScene) -> tuple[Array, Array, Array]:
    """(C,) each: F, T and T - S, the expectations of |M|_F^2, Tr M^3, Tr M^3 - Tr diag(M^2)^2."""
    above, below = alpha_terms(scene)
    return expectation(scene, scene.frobenius_squared), below, below - above


def norm_slack(scene: ChainScene) -> Entries:
    """(50) squared and times 1 - alpha and T: d^3 T - (T - S) F^2."""
    norm, cube, rest = terms(scene)
    return scene.compare(scene.share(cube, scene.width**3), rest * norm * norm)


def slack_53(scene: ChainScene) -> Entries:
    """2 d^2 - 2 F + 8 (1 - alpha) T."""
    norm, _, rest = terms(scene)
    left = scene.constant(2 * scene.width**2) - scene.share(norm, 2) + scene.share(rest, 8)
    return scene.compare(left, scene.constant(0))


def slack_55(scene: ChainScene) -> Entries:
    """d^2 / (1 - alpha) - T, times 1 - alpha: d^2 - (T - S)."""
    _, _, rest = terms(scene)
    return scene.compare(scene.constant(scene.width**2), rest)


def chain_slack(scene: ChainScene) -> Entries:
    """(57) from the left, the second inequality squared, the third squared and times (T - S)."""
    norm, cube, rest = terms(scene)
    width = scene.width
    roots = expectation(
        scene, lambda matrix: scene.sqrt(scene.share(scene.trace_of_cube(matrix), width))
    )
    return scene.parts(
        [
            ({"part": "spectrum"}, roots, norm),
            ({"part": "mean"}, scene.share(cube, width), roots * roots),
            ({"part": "end"}, scene.share(cube, width**3), scene.share(rest * cube, width)),
        ]
    )


# claims -------------------------------------------------------------------------------------------
SMALL = (
    r"if $\nu_\gamma$ is invariant, $\alpha<1$ and $\gamma$ is sufficiently small (here for laws "
    "of finite support)"
)

NORM = Claim(
    "dkbhl20.lem13.a",
    Kind.INEQUALITY,
    printed("Lemma 13, eq. (50)"),
    "bound on the Frobenius norm",
    r"$\mathbb E_{H\sim\nu_\gamma}[\lVert M(H)\rVert_F^2]\le d^{3/2}/\sqrt{1-\alpha}$ "
    + SMALL
    + ".",
    BOUNDED,
    ("dkbhl20.lem13_53.f@B", "dkbhl20.def3.b"),
    norm_slack,
    LAWS,
    exact_only=True,  # there is a proof
    proof=frobenius_is_bounded,
)

CHAIN = Claim(
    "dkbhl20.lem13.b@B",
    Kind.INEQUALITY,
    printed("proof of Lemma 13, eq. (57)"),
    "chain of bounds",
    r"$\mathbb E_{H\sim\nu_\gamma}[M(H)]=\mathbb E[\lVert\lambda\rVert_2^2]\le\mathbb E"
    r"\sqrt{d\lVert\lambda\rVert_3^3}\le\sqrt{d\,\mathbb E\lVert\lambda\rVert_3^3}\le "
    r"d^{3/2}/\sqrt{1-\alpha}$ " + SMALL + ".",
    BOUNDED,
    ("dkbhl20.lem13_53.f@B",),
    chain_slack,
    LAWS,
    reading="B",
    reading_text=r"the left end is the number $\mathbb E\lVert M(H)\rVert_F^2$",
    exact_only=True,
    floats=True,
    proof=chain_is_bounded,
)

CUBES = Claim(
    "dkbhl20.lem13_53.e",
    Kind.INEQUALITY,
    printed("proof of Lemma 13, eq. (55)"),
    "bound on the cubes",
    r"$\mathbb E\lVert\lambda\rVert_3^3\le d^2/(1-\alpha)$ " + SMALL + ".",
    BOUNDED,
    ("dkbhl20.def3.b",),
    slack_55,
    LAWS,
    exact_only=True,  # there is a proof
    proof=cubes_are_bounded,
)

TRIVIAL = Claim(
    "dkbhl20.lem13_53.c",
    Kind.INEQUALITY,
    printed("proof of Lemma 13, eq. (53)"),
    "the inequality with the regularity constant",
    r"$0\le2d^2-\mathbb E_{H\sim\nu_\gamma}[2\lVert M(H)\rVert_F^2-8(1-\alpha)"
    r"\mathrm{Tr}(M(H)^3)]$ for sufficiently small $\gamma$ (here for every law $\nu$ on "
    r"$\mathcal H$ with $\alpha<1$).",
    (*CARRIED, BELOW_1),
    ("dkbhl20.def3.b",),
    slack_53,
    LAWS,
    exact_only=True,  # there is a proof
    proof=sign_makes_it_trivial,
)

CLAIMS = (NORM, CHAIN, CUBES, TRIVIAL)
