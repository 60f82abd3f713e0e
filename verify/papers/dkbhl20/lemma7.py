"""Lemma 7: the sum over (74) at the end of its proof, and step (b): for weights in [-sqrt 3,
sqrt 3] the Taylor remainder of (66) is O(gamma^3).

The remainder belongs to one W, without a mean: g_ij(M_gamma) minus the Taylor polynomial of order
two of g in the entries of Delta M, by (67) and (72). A constant C with |remainder| <= C (gamma d
sqrt 3)^3 where gamma d sqrt 3 <= 1/3 is that of graphs.normalised.taylor.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from graphs.normalised.increments import derivative_facts, term_facts
from graphs.normalised.series import remainder_facts
from graphs.normalised.taylor import taylor_constant
from verify.core.argument import Argument, Step
from verify.language.building import (
    Each,
    Sum,
    When,
    implies,
    sqrt,
    upto,
)
from verify.language.terms import Term
from verify.papers.dkbhl20.drawing import in_roles
from verify.papers.dkbhl20.increment_moments import EVERY_WIDTH
from verify.papers.dkbhl20.laws import frobenius_change
from verify.papers.dkbhl20.lemma6_step import POSITIVE
from verify.papers.dkbhl20.notation import GAMMA, W, increment
from verify.papers.dkbhl20.second_moments import SEMIDEFINITE, SIZE, UNIT_DIAGONAL, M
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.taylor_terms import BOUNDS, printed_second_term
from verify.statements.quantities import with_entries
from verify.statements.stated import Given, pool_with, stated

REACH = Fraction(1, 3)
ROOT_3 = sqrt(3)
REACHED = GAMMA * SIZE * ROOT_3


# what is said -------------------------------------------------------------------------------------
def change_of_entry(i: Term, j: Term) -> Term:
    """The right side of (74), without O(gamma)."""
    return printed_second_term(i, j) - 2 * SIZE * M[i, j] ** 2


SUMMED = Sum(
    upto(SIZE), lambda i: Sum(upto(SIZE), lambda j: When(i == j, 0, change_of_entry(i, j)))
) == frobenius_change(M)


def remainder(i: Term, j: Term) -> Term:
    """R_ij: g(M + Delta M) less its Taylor polynomial at unit diagonal."""
    moved, entry = increment(M, W, GAMMA), M[i, j]
    a, b, c = moved[i, i], moved[i, j], moved[j, j]
    first = 2 * entry * b - entry**2 * (a + c)
    second = b**2 - 2 * entry * b * (a + c) + entry**2 * (a**2 + c**2 + a * c)
    return (entry + b) ** 2 / ((M[i, i] + a) * (M[j, j] + c)) - entry**2 - first - second


BOUND = taylor_constant(REACH) * REACHED**3
REMAINDER = Each(
    upto(SIZE),
    lambda i: Each(upto(SIZE), lambda j: implies(i != j, abs(remainder(i, j)) <= BOUND)),
)


# hypotheses ---------------------------------------------------------------------------------------
def _into_cube(case: Any, random: Random) -> Any:
    edge = Fraction(5, 3)  # a little below sqrt 3
    return with_entries(case, "W", [max(-edge, min(edge, w)) for w in case.arrays["W"].entries])


def _out_of_cube(case: Any, random: Random) -> Any:
    factor = random.choice((Fraction(4), Fraction(100), Fraction(1000)))
    return with_entries(case, "W", [(w or 1) * factor for w in case.arrays["W"].entries])


CUBE = Given(
    "weights in the cube",
    Each(upto(SIZE), lambda i: Each(upto(SIZE), lambda j: abs(W[i, j]) <= ROOT_3)),
    r"$W\in[-\sqrt3,\sqrt3]^{d\times d}$",
    _into_cube,
    _out_of_cube,
)


def _to_small(case: Any, random: Random) -> Any:
    largest = Fraction(1, 6 * case.lengths["d"])  # sqrt 3 is below 2
    if case.number("gamma") <= largest:
        return case
    return with_entries(case, "gamma", [largest / random.choice((1, 2, 16))])


SMALL = Given(
    "gamma d sqrt 3 at most 1/3",
    REACHED <= REACH,
    r"$\gamma d\sqrt3\le\frac13$: $\gamma$ is small",
    _to_small,
    lambda case, random: with_entries(
        case, "gamma", [Fraction(random.choice((1, 2, 10)), case.lengths["d"])]
    ),
)


# arguments ----------------------------------------------------------------------------------------
def sum_for_every_width() -> Argument:
    """Step (a)."""
    return Argument(
        "a sum over i != j is that over all i, j less the terms i = j, which unit diagonals make "
        "sums over one row",
        tuple(Step(*fact) for fact in term_facts() if fact[0].startswith("the sum of (74)")),
        (EVERY_WIDTH,),
        (SEMIDEFINITE.name, UNIT_DIAGONAL.name),
        section="docs/mathematics/dkbhl20.md#orders-in-gamma",
    )


def bounded_remainder(order: int = 8) -> Argument:
    """For every d and every W in the cube."""
    whole = [1, 2, 1] + [0] * (order - 2)  # of (1 + e)^2
    for _ in range(2):  # over 1 - e
        whole = [sum(whole[: n + 1]) for n in range(order + 1)]
    size = 2 * REACH + REACH**2
    total = ((1 + size) / (1 - size)) ** 2 - 1 - 4 * size - 8 * size**2
    steps = (
        *(Step(*fact) for fact in derivative_facts()),
        *(Step(*fact) for fact in remainder_facts()[:2]),
        Step("((1 + e)/(1 - e))^2 = 1 + 4 e + 8 e^2 + ...", whole[:3] == [1, 4, 8]),
        Step("with positive coefficients", min(whole) > 0),
        Step("e = 2 t + t^2 is below 1 at t = 1/3", size < 1),
        Step(
            "what is left of order three in e is C t^3 at t = 1/3",
            total == taylor_constant(REACH) * REACH**3,
        ),
    )
    return Argument(
        "entries of Delta M are at most e = 2 t + t^2, t = gamma d sqrt 3; the power series of "
        "(M_ij + b)^2/((1 + a)(1 + c)) is dominated by that of (1 + b)^2/((1 - a)(1 - c)), whose "
        "part of order three is at most C t^3, as e^k/t^3 grows with t for k >= 3",
        steps,
        BOUNDS,
        (CUBE.name, POSITIVE.name, SMALL.name, SEMIDEFINITE.name, UNIT_DIAGONAL.name),
        section="docs/mathematics/dkbhl20.md#orders-in-gamma",
    )


CLAIMS = (
    stated(
        "dkbhl20.lem7.a",
        printed("proof of Lemma 7, end"),
        "summing (74)",
        r"Summing (74) over $i\ne j$ gives $\delta_F(M)$, the diagonal elements of $M$ and $M_+$ "
        r"being one.",
        SUMMED,
        [SEMIDEFINITE, UNIT_DIAGONAL],
        depends=("dkbhl20.lem7_T1T2.d",),
        pool=pool_with(M, adapt=in_roles("M")),
        proof=sum_for_every_width,
    ),
    stated(
        "dkbhl20.lem7.b",
        printed("Lemma 7, note after eq. (66)"),
        "the Taylor remainder",
        r"The choice of the element-wise uniform distribution over $[-\sqrt3,\sqrt3]$ allows one "
        r"to bound the Taylor remainder deterministically by $O(\gamma^3)$: for each $W$ in the "
        r"cube $|R_{ij}|\le C(\gamma d\sqrt3)^3$, here with $C=\frac{4459}3$ for "
        r"$\gamma d\sqrt3\le\frac13$.",
        REMAINDER,
        [CUBE, POSITIVE, SMALL, SEMIDEFINITE, UNIT_DIAGONAL],
        depends=("dkbhl20.lem7_T1T2.a",),
        pool=pool_with(M, W, GAMMA, largest=3, adapt=in_roles("M", "W", "gamma")),
        proof=bounded_remainder,
    ),
)
