"""Claims 1 and 2: the ball in the orthant by hand, and what is found of curves."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verify.drawn_cases import seen, values_of
from verify.cases.tensors import Tensors, tensor
from verify.checker import check
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.search import search
from verify.papers.lj22.direction_proofs import (
    ball_in_orthant,
    recurrence_of_printed,
    stable_signs,
)
from verify.papers.registry import find

CI = Context(budget_named("ci"))
BALL = find("lj22.claim1.ball")
WITNESSED = ("lj22.rem-sign", "lj22.claim2.exists")
REFUTED = ("lj22.claim1.last", "lj22.claim2.a@A")


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


# curves -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", WITNESSED)
def test_witnesses_are_found_and_accepted(name):
    found = search(find(name), CI)
    assert found.outcome is Outcome.PROVES
    assert found.checker["exit"] == 0


@pytest.mark.parametrize("name", REFUTED)
def test_what_is_false_is_refuted(name):
    found = pointwise(find(name), CI)
    assert found.outcome is Outcome.REFUTES
    assert found.checker["exit"] == 0


def test_claim_1_needs_a_limit_without_zeros():
    needs = {need.hypothesis: need for need in necessity(find("lj22.claim1@A"), CI).needs}
    found = needs["limit without zeros"]
    assert found.needed
    assert check(found.certificate).code == 0


# arguments ----------------------------------------------------------------------------------------
def test_the_arguments_hold():
    for argument in (
        ball_in_orthant(),
        stable_signs(),
        recurrence_of_printed(),
    ):
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
