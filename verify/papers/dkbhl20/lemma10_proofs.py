"""Arguments for Lemma 10: what makes alpha one, and the steps (47) and (48)."""

from __future__ import annotations

from verify.argument import Argument, Step
from verify.papers.dkbhl20.pair_sums import TERM_BY_TERM, lagrange
from verify.papers.dkbhl20.regularity_proofs import FACTOR, LINEAR, cauchy_schwarz_of_rows
from verify.papers.dkbhl20.symbols import SQUARES, same, symbols

VANISHES = "x^T M x = 0 only where M x = 0, for a positive semidefinite M"
ONLY_SIGNS = (
    "where M_ij^2 = 1 for all i, j, the unit vectors v_i with M_ij = <v_i, v_j> are one vector up "
    "to sign, and M has rank one"
)


def only_blocks_have_alpha_1() -> Argument:
    """(M^3)_ii - (M^2)_ii^2 is the value of M at x = M e_i - (M^2)_ii e_i."""
    ring, (cube, square, one) = symbols(3)
    value = cube - 2 * square * square + square * square * one
    text = "x^T M x = (M^3)_ii - 2 s^2 + s^2 M_ii for x = M e_i - s e_i and s = (M^2)_ii"
    step = same(ring, text, value - (cube - square * square), square * square * (one - 1))
    return Argument(
        "for M_ii = 1 the sum of (M^3)_ii - (M^2)_ii^2 is one of values x^T M x, which are all 0 "
        "only where M^2 e_i = (M^2)_ii M e_i for each i",
        (step,),
        (VANISHES, LINEAR),
        "alpha_is_below_1",
        (
            "law of finite support",
            "semidefinite on the support",
            "unit diagonal on the support",
            "other than blocks",
        ),
    )


def excess_is_the_hypothesis() -> Argument:
    """alpha >= 1 says that E Tr diag(M^2)^2 >= E Tr M^3."""
    ring, (cube, ratio) = symbols(2)
    step = same(ring, "S - T = (alpha - 1) T", ratio * cube - cube, (ratio - 1) * cube)
    return Argument(
        "with S = alpha T and T above 0, S - T = (alpha - 1) T",
        (step,),
        (LINEAR,),
        "square_excess",
        ("alpha at least 1",),
    )


def largest_is_below_d() -> Argument:
    """sum l_i (max l - l_i), and d - max l the sum of the others."""
    steps = []
    for size in (2, 3, 4):
        ring, lam = symbols(size)
        top, others = lam[0], lam[1:]
        total = sum(others, start=top)
        left = top * total - sum((x * x for x in others), start=top * top)
        terms = sum((x * (top - x) for x in others), start=top * 0)
        text = f"max l sum l - sum l^2 = sum l_i (max l - l_i), {size} eigenvalues"
        steps.append(same(ring, text, left, terms))
        text = f"sum l - max l is the sum of the others, {size} eigenvalues"
        steps.append(same(ring, text, total - top, sum(others, start=top * 0)))
    return Argument(
        "each l_i (max l - l_i) is at least 0; with sum l = d and a second eigenvalue above 0, "
        "d - max l is above 0",
        tuple(steps),
        ("both are sums of terms of one index beside the first, so two to four show all",),
        "largest_eigenvalue",
        ("eigenvalues at least 0", "trace d", "two eigenvalues not 0"),
    )


def mean_change_is_positive() -> Argument:
    """E delta_F = 2 (d^2 - F) + 8 (S - T)."""
    ring, (d, norm, cube, squares) = symbols(4)
    change = 2 * d * d - 2 * norm - 8 * cube + 8 * squares
    parts = 2 * (d * d - norm) + 8 * (squares - cube)
    step: Step = same(ring, "delta_F = 2 (d^2 - |M|_F^2) + 8 (S - T)", change, parts)
    return Argument(
        "d^2 - |M|_F^2 is the sum of 1 - M_ij^2, each at least 0 and one of them above 0 where the "
        "rank is at least two; S - T is at least 0 where alpha is at least 1",
        (step, *lagrange(), *cauchy_schwarz_of_rows()[:1]),
        (FACTOR, SQUARES, TERM_BY_TERM, ONLY_SIGNS, LINEAR),
        "mean_change",
        (
            "law of finite support",
            "semidefinite on the support",
            "unit diagonal on the support",
            "alpha at least 1",
            "rank two on the support",
        ),
    )
