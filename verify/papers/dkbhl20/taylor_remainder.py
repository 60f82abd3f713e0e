"""Lemma 7, step (b): for weights in [-sqrt 3, sqrt 3] the Taylor remainder of (66) is O(gamma^3).

The remainder belongs to one W, without a mean: g_ij(M_gamma) minus the Taylor polynomial of order
two of g in the entries of Delta M. A constant C with |remainder| <= C (gamma d sqrt 3)^3 where
gamma d sqrt 3 <= 1/3 is that of graphs.normalised.taylor; both sides are squared.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

from graphs.normalised.increments import derivative_facts
from graphs.normalised.series import remainder_facts
from graphs.normalised.steps import ZeroRowError
from graphs.normalised.taylor import taylor_constant, taylor_remainder
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.normalised_hypotheses import SEMIDEFINITE, UNIT_DIAGONAL
from verify.normalised_pool import chain_pool, rows_of
from verify.normalised_scene import Chained, ChainScene
from verify.papers.dkbhl20.increment_moments import STRENGTH
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.taylor_terms import BOUNDS
from verify.quantities import each_case, with_entries
from verify.tensors import Tensors
from verify.vocabulary import Entries

REACH = Fraction(1, 3)
SQUARED_BOUND = 3  # B^2 for the uniform law of variance one


# the measure --------------------------------------------------------------------------------------
def _at_pair(case: Tensors, i: int, j: int) -> Fraction:
    """The remainder, with the derivatives (67), (72) at unit diagonal."""
    moments, weights = rows_of(case.arrays["M"]), rows_of(case.arrays["W"])
    try:
        return taylor_remainder(moments, weights, case.number("gamma"), i, j)
    except ZeroRowError as error:
        raise ZeroDivisionError("g is not defined") from error


def squared_remainders(scene: ChainScene) -> Entries:
    """(C (gamma d)^3)^2 27 - remainder^2 for each i != j, where g is defined."""
    constant = taylor_constant(REACH)

    def pairs(case: Tensors) -> list[tuple[dict[str, Any], Any]]:
        gamma, width = case.number("gamma"), case.lengths["d"]
        most = constant**2 * (gamma * width) ** 6 * SQUARED_BOUND**3
        return [
            ({"part": f"{i} {j}"}, most - _at_pair(case, i, j) ** 2)
            for i, j in permutations(range(width), 2)
        ]

    return each_case(pairs, scene)


# hypotheses ---------------------------------------------------------------------------------------
def _into_cube(case: Chained, random: Random) -> Chained:
    edge = Fraction(5, 3)  # a little below sqrt 3
    entries = [max(-edge, min(edge, w)) for w in case.arrays["W"].entries]
    return with_entries(case, "W", entries)


def _out_of_cube(case: Chained, random: Random) -> Chained:
    factor = random.choice((Fraction(4), Fraction(100), Fraction(1000)))
    return with_entries(case, "W", [(w or 1) * factor for w in case.arrays["W"].entries])


CUBE = Hypothesis(
    "weights in the cube",
    r"$W\in[-\sqrt3,\sqrt3]^{d\times d}$",
    by_case(lambda case: all(w * w <= SQUARED_BOUND for w in case.arrays["W"].entries)),
    _into_cube,
    _out_of_cube,
)


def _is_small(case: Chained) -> bool:
    product = case.number("gamma") * case.lengths["d"]
    return product**2 * SQUARED_BOUND <= REACH**2


SMALL = Hypothesis(
    "gamma d sqrt 3 at most 1/3",
    r"$\gamma d\sqrt3\le\frac13$: $\gamma$ is small",
    by_case(_is_small),
    lambda case, random: (
        case
        if _is_small(case)
        else with_entries(
            case, "gamma", [Fraction(1, 6 * case.lengths["d"] * random.choice((1, 2, 16)))]
        )
    ),
    lambda case, random: with_entries(
        case, "gamma", [Fraction(random.choice((1, 2, 10)), case.lengths["d"])]
    ),
)


# argument -----------------------------------------------------------------------------------------
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
        "squared_remainders",
        (
            "weights in the cube",
            "gamma above 0",
            "gamma d sqrt 3 at most 1/3",
            "positive semidefinite",
            "unit diagonal",
        ),
        section=35,
    )


CLAIMS = (
    Claim(
        "dkbhl20.lem7.b",
        Kind.INEQUALITY,
        printed("Lemma 7, note after eq. (66)"),
        "the Taylor remainder",
        r"The choice of the element-wise uniform distribution over $[-\sqrt3,\sqrt3]$ allows one "
        r"to bound the Taylor remainder deterministically by $O(\gamma^3)$: for each $W$ in the "
        r"cube $|R_{ij}|\le C(\gamma d\sqrt3)^3$, here with $C=\frac{4459}3$ for "
        r"$\gamma d\sqrt3\le\frac13$.",
        (CUBE, STRENGTH, SMALL, SEMIDEFINITE, UNIT_DIAGONAL),
        ("dkbhl20.lem7_T1T2.a",),
        squared_remainders,
        chain_pool("M", "W", "gamma", largest=3),
        exact_only=True,
        proof=bounded_remainder,
    ),
)
