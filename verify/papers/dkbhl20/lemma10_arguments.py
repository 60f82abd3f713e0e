"""Arguments for Lemma 10: what makes alpha one, and the steps (47) and (48)."""

from __future__ import annotations

from verify.core.argument import Argument, Step
from verify.papers.dkbhl20.example11_arguments import FACTOR, LINEAR, cauchy_schwarz_of_rows
from verify.statements.derivations.pair_sums import TERM_BY_TERM, lagrange
from verify.statements.derivations.symbols import SQUARES, same, symbols

VANISHES = "x^T M x = 0 only where M x = 0, for a positive semidefinite M"
MULTIPLES_OF_PROJECTIONS = (
    "M^2 = M diag(M^2) and M = M^T give M_ij (c_i - c_j) = 0 for c_i = (M^2)_ii, so M is a direct "
    "sum of blocks with M^2 = c M: c = n/r for a block of n rows and rank r, as its trace is n, "
    "and |M|_F^2 is the sum of n^2/r"
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
        (
            "law of finite support",
            "semidefinite on the support",
            "unit diagonal on the support",
            "other than blocks",
        ),
        section="docs/mathematics/dkbhl20.md#when-alpha-is-below-one",
    )


def excess_is_the_hypothesis() -> Argument:
    """alpha >= 1 says that E Tr diag(M^2)^2 >= E Tr M^3."""
    ring, (cube, ratio) = symbols(2)
    step = same(ring, "S - T = (alpha - 1) T", ratio * cube - cube, (ratio - 1) * cube)
    return Argument(
        "with S = alpha T and T above 0, S - T = (alpha - 1) T",
        (step,),
        (LINEAR,),
        ("alpha at least 1",),
        section="docs/mathematics/dkbhl20.md#when-alpha-is-below-one",
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
        ("eigenvalues at least 0", "trace d", "two eigenvalues not 0"),
        section="docs/mathematics/dkbhl20.md#when-alpha-is-below-one",
    )


def mean_change_is_bounded_below() -> Argument:
    """E delta_F = 2 (d^2 - F) + 8 (S - T), and F <= (d - 1)^2 + 1 where S - T is not below 0."""
    ring, (d, norm, cube, squares) = symbols(4)
    change = 2 * d * d - 2 * norm - 8 * cube + 8 * squares
    parts = 2 * (d * d - norm) + 8 * (squares - cube)
    sizes, (width, one, other) = symbols(3)
    largest = (width - 1) ** 2 + 1
    pair = (one + other) ** 2
    steps: tuple[Step, ...] = (
        same(ring, "delta_F = 2 (d^2 - |M|_F^2) + 8 (S - T)", change, parts),
        *lagrange(),
        *cauchy_schwarz_of_rows()[:1],
        same(
            sizes,
            "two blocks as one: (n + m)^2 - n^2 - m^2 = 2 n m, at least 0",
            pair - one * one - other * other,
            2 * one * other,
        ),
        same(
            sizes,
            "two blocks: (d - 1)^2 + 1 - n^2 - (d - n)^2 = 2 (n - 1)(d - n - 1), at least 0",
            largest - one * one - (width - one) ** 2,
            2 * (one - 1) * (width - one - 1),
        ),
        same(
            sizes,
            "one block of rank two or more: 2 ((d - 1)^2 + 1) - d^2 = (d - 2)^2",
            2 * largest - width * width,
            (width - 2) ** 2,
        ),
        same(sizes, "2 (d^2 - (d - 1)^2 - 1) = 4 (d - 1)", 2 * (width**2 - largest), 4 * width - 4),
    )
    return Argument(
        "S - T is at most 0 at each M, so where alpha is at least 1 it is 0 at each; then M is a "
        "direct sum of multiples of projections, and has |M|_F^2 at most (d - 1)^2 + 1 where its "
        "rank is two or more",
        steps,
        (FACTOR, SQUARES, TERM_BY_TERM, VANISHES, MULTIPLES_OF_PROJECTIONS, LINEAR),
        (
            "law of finite support",
            "semidefinite on the support",
            "unit diagonal on the support",
            "alpha at least 1",
            "rank two on the support",
        ),
        section="docs/mathematics/dkbhl20.md#when-alpha-is-below-one",
    )
