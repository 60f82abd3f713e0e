"""Claims 1 and 2 by hand: curves whose limits and signs are plain, and mutants of the claims."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verify.drawn_cases import seen, values_of
from tests.verify.drawn_curves import curve_case, pool_draws, printed_case, rational_case
from verify.checker import check
from verify.evidence import Outcome
from verify.judging import judge_exactly
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.search import search
from verify.papers.lj22.direction_measures import in_ball_late
from verify.papers.lj22.direction_proofs import (
    ball_in_orthant,
    recurrence_of_printed,
    stable_signs,
)
from verify.registry import find
from verify.runs.budgets import budget_named
from verify.tensors import Tensors, tensor

CI = Context(budget_named("ci"))
SIGN, BALL, LAST, LAST_FIX = map(
    find, ("lj22.rem-sign", "lj22.claim1.ball", "lj22.claim1.last", "lj22.claim1.last.fix")
)
CLAIM1 = find("lj22.claim1@A")
CLAIM2 = {reading: find(f"lj22.claim2.a@{reading}") for reading in "AB"}
RETURNS = find("lj22.claim2.exists")

SWINGING = curve_case([[0, 1], [1]], [[0, 1], [-1]], decay=1)  # (t, 1 - 2 |sin t|)/(1 + t)


# Claim 1 ----------------------------------------------------------------------------------------
def test_late_signs():
    early = rational_case([[-5, 1], [0, 0, 2], [7, 0, -1]])  # t - 5 changes sign once
    flat = rational_case([[-5, 1], [2]])
    assert values_of(CLAIM1, flat) == []  # the limit is (1, 0)
    assert values_of(CLAIM1, early) == []  # the limit is (0, 2, -1)
    assert values_of(CLAIM1, printed_case(1, 2)) == []  # no direction at the multiples of pi
    assert values_of(CLAIM1, rational_case([[-5, 1], [9, -2]])) == [0]
    assert values_of(CLAIM1, curve_case([[-5, 1], [9, -2]], [[7, 3], [0, -6]])) == [0]


def test_without_its_second_hypothesis_claim_1_is_refuted_by_the_remark():
    assert values_of(SIGN, SWINGING) == [0, 1]
    mutant = replace(CLAIM1, hypotheses=CLAIM1.hypotheses[:1])
    assert values_of(CLAIM1, SWINGING) == []
    assert values_of(mutant, SWINGING) == [1]
    found = pointwise(replace(mutant, id="mutant", proof=None, pool=SIGN.pool), CI)
    assert found.outcome is Outcome.VIOLATES  # the checker does not know the mutant


def test_of_the_remark_only_what_tends_to_0_and_swings_counts():
    assert values_of(SIGN, curve_case([[0, 1], [1]], [[0, 1], [2]], decay=1)) == [0, 0]
    assert values_of(SIGN, curve_case([[0, 1], [1]], [[0, 1], [-1]])) == [
        0,
        0,
    ]  # does not tend to 0
    assert values_of(SIGN, curve_case([[1], [1]], [[1], [-1]])) == []  # no direction


@pytest.mark.parametrize(
    ("rows", "decay", "answer"),
    [
        ([[1]], 0, True),
        ([["149/100"]], 0, True),
        ([["3/2"]], 0, None),  # on the sphere around 1 of radius 1/2
        ([["151/100"]], 0, False),
        ([["51/100"]], 0, True),
        ([["49/100"]], 0, False),
        ([[0, 1]], 0, False),
        ([[0, 1]], 2, False),
        ([[5, 1]], 1, True),
        ([["3/5"], ["4/5"]], 0, True),
        ([["39/50"], ["52/50"]], 0, None),  # 13/10 times (3/5, 4/5), the radius is 3/10
        ([["39/50"], ["53/50"]], 0, False),
        ([["38/50"], ["51/50"]], 0, True),
        ([[1], [1]], 0, False),  # root 2 - 1 is above (root 2)/4
    ],
)
def test_the_ball_around_the_limit(rows, decay, answer):
    assert in_ball_late(rational_case(rows, decay).curve) is answer


def test_a_curve_is_in_the_ball_only_if_both_its_ends_are():
    assert in_ball_late(curve_case([[1]], [["5/4"]]).curve) is True
    assert in_ball_late(curve_case([[1]], [[2]]).curve) is False
    assert in_ball_late(curve_case([[1]], [["3/2"]]).curve) is None
    assert in_ball_late(curve_case([[0, 1], [1]], [[1], [0, 1]]).curve) is None


@given(pool_draws())
def test_it_is_the_direction_that_comes_to_lie_in_the_ball(case):
    printed, repaired = (judge_exactly(claim, case) for claim in (LAST, LAST_FIX))
    assert repaired.violations == ()
    if repaired.admitted and in_ball_late(case.curve) is False:
        assert printed.violations


def vectors(v, u):
    return Tensors({"v": tensor(("entry",), v), "u": tensor(("entry",), u)})


def test_the_ball_inside_of_the_orthant():
    assert values_of(BALL, vectors([2, -2], [1, -2])) == [2, 4]  # on the sphere
    assert values_of(BALL, vectors([2, -2], [1, -1])) == []  # further away
    assert values_of(BALL, vectors([2, 0], [2, 0])) == []
    assert [value for _, value, _ in seen(BALL, vectors([2, 0], [2, 0]))] == [4, -1]


def test_a_ball_of_twice_the_radius_is_not_inside_of_the_orthant():
    wide = replace(BALL.hypotheses[1], test=lambda scene, entries: entries.owner == 0)
    mutant = replace(BALL, hypotheses=(BALL.hypotheses[0], wide))
    assert values_of(mutant, vectors([1], [0])) == [-1]


@pytest.mark.parametrize(("u", "reason"), [(1, "is true there"), (-1, "'in the ball' is not met")])
def test_no_case_is_a_counterexample_in_the_ball_or_out_of_it(u, reason):
    outcome = check(BALL.terms.certificate("counterexample", vectors([2], [u]), [1]))
    assert outcome.code == 1
    assert reason in outcome.message


@given(st.integers(0, 10**6))
def test_repaired_vectors_lie_in_the_ball(seed):
    case = BALL.pool.draw(Random(seed))
    for hypothesis in BALL.hypotheses:
        case = hypothesis.repair(case, Random(seed))
    assert min(values_of(BALL, case)) > 0


def test_the_hypotheses_of_the_ball_are_needed():
    for need in necessity(BALL, CI).needs:
        assert need.needed
        assert check(need.certificate).code == 0


# Claim 2 ----------------------------------------------------------------------------------------
def test_the_printed_function_by_both_readings():
    case = Tensors({"v": tensor(("entry",), [2, 0, -1])})
    assert values_of(CLAIM2["A"], case) == [1, 0]
    assert values_of(CLAIM2["B"], case) == [0, 0]
    nothing = Tensors({"v": tensor(("entry",), [0])})
    assert values_of(CLAIM2["B"], nothing) == []
    assert [value for _, value, _ in seen(CLAIM2["B"], nothing)] == [1, 0]


def test_curves_that_return_to_each_of_their_points():
    assert values_of(RETURNS, curve_case([[1]], [[1, 1]])) == [1]
    assert values_of(RETURNS, rational_case([[1, 1]])) == [0]
    assert values_of(RETURNS, rational_case([[1]])) == []  # constant
    assert values_of(RETURNS, printed_case(1)) == []  # no direction at the multiples of pi


@pytest.mark.parametrize("claim", [SIGN, RETURNS], ids=lambda claim: claim.id)
def test_witnesses_are_found_and_accepted(claim):
    found = search(claim, CI)
    assert found.outcome is Outcome.PROVES
    assert found.checker["exit"] == 0


@pytest.mark.parametrize("claim", [LAST, CLAIM2["A"]], ids=lambda claim: claim.id)
def test_what_is_false_is_refuted(claim):
    found = pointwise(claim, CI)
    assert found.outcome is Outcome.REFUTES
    assert found.checker["exit"] == 0


# arguments ----------------------------------------------------------------------------------------
def test_the_arguments_hold():
    for argument in (ball_in_orthant(), stable_signs("signs_stay"), recurrence_of_printed()):
        assert argument.holds
    assert len(ball_in_orthant().steps) == 5


@given(*[st.fractions(0, 9, max_denominator=5)] * 3, st.sampled_from((1, -1)), st.integers(0, 1))
def test_the_steps_say_what_the_numbers_do(rest, distance, room, sign, towards):
    least = 2 * (distance + room)
    v = sign * (least + rest)
    u = v - sign * distance if towards else v + sign * distance
    assert abs(u - v) <= least / 2
    assert least == 0 or u * v > 0
    assert isinstance(u, Fraction)
