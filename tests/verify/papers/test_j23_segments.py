"""Proposition 9, part 2, solved by hand, and what the engine says of it."""

from fractions import Fraction
from random import Random

import pytest

from graphs.arithmetic import as_fraction
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.kinds.deep.networks import deep
from verify.methods.ascent import ascent
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.j23 import segment_cases, segments
from verify.search.judging import judge_exactly

SMOKE = Context(budget_named("smoke"), 0, "cpu")
F = Fraction
CLAIMS = {claim.id: claim for claim in segments.CLAIMS}
# f = a x for x < 0: v^T Theta v = 2 a^2 x^2 over the weights, plus a^2 + 1 over the biases
LEAKY = deep([[[1]], [[1]]], points=[[-1], [-3]], slope=F(1, 4))


def value(name, case):
    (found,) = CLAIMS[name].measure(case.exact).values
    return as_fraction(found)


def test_the_kernel_on_a_segment_by_hand():
    k = segments.kernels_on_the_segment(LEAKY.exact, biases=False)
    w = F(-2) / 4
    ends = [-1, -2, -3]
    assert [[as_fraction(x[0]) for x in row] for row in k] == [
        [2 * F(1, 16) * s * t * w**2 for t in ends] for s in ends
    ]


def test_the_bounds_by_hand():
    # g'' = 4 a^2 d^2 w^2, against 2 L d^2 |w|^2 a with d = 2, w = -1/2: both squared, times d^2
    second = 4 * F(1, 16) * 4 * F(1, 4)
    assert value("j23.prop9.2.steps.b.bound@B", LEAKY) == second**2 - 16 * 4 * F(1, 64)
    larger = (2 * F(1, 16) * 9 + F(1, 16) + 1) * F(1, 4)
    assert value("j23.prop9.2.steps.c@B", LEAKY) == larger**2 - F(1, 4) * 4 * F(1, 64)
    norm = 2 * F(1, 16) * 9
    assert value("j23.prop9.2@B.fix", LEAKY) == norm**2 * 4 - F(4) * F(1, 4)


def test_the_derivatives_agree_on_a_segment():
    for part in ("a", "b.zero", "b.sum"):
        entries = CLAIMS[f"j23.prop9.2.steps.{part}@B"].measure(LEAKY.exact)
        assert not any(as_fraction(x) for x in entries.values)


@pytest.mark.parametrize("part", ["a", "b.zero", "b.sum", "b.bound"])
def test_across_a_kink_differences_are_no_derivatives(part):
    crossing = deep([[[1]], [[1]]], points=[[1], [-3]])
    assert not segment_cases.same_slopes(crossing.exact)[0]
    k = segments.kernels_on_the_segment(crossing.exact, biases=True)
    assert as_fraction((k[0][0] + k[2][0] - 2 * k[1][0])[0])  # d_xx is 0 off the kink all the same
    claim = CLAIMS[f"j23.prop9.2.steps.{part}@B"]
    assert len(claim.measure(crossing.exact)) == 0
    needed = [need.hypothesis for need in necessity(claim, SMOKE).needs if need.needed]
    assert "constant slopes" not in needed


def test_constancy_is_repaired_and_broken():
    random, hypothesis = Random(3), segment_cases.CONSTANT
    holds = segment_cases.same_slopes
    repaired = broken = 0
    for _ in range(20):
        case = segment_cases.SEGMENTS.draw(random, large=False)
        repaired += bool(holds(hypothesis.repair(case, random).exact)[0])
        broken += not holds(hypothesis.break_(case, random).exact)[0]
    assert repaired >= 18
    assert broken > 5


def test_one_point_is_a_segment_that_does_not_move():
    alone = deep([[[1]]], points=[[2]])
    assert not segment_cases._moves(alone.exact)[0]
    assert judge_exactly(CLAIMS["j23.prop9.2@B"], alone).admitted == 0


@pytest.mark.parametrize("name", [c.id for c in CLAIMS.values() if c.proof is not None])
def test_arguments_hold(name):
    assert schema(CLAIMS[name], SMOKE).outcome is Outcome.ARGUES


def test_the_engine_refutes_the_bounds_for_leaky_slopes():
    assert ascent(CLAIMS["j23.prop9.2.steps.b.bound@B"], SMOKE).outcome is Outcome.REFUTES


def test_the_repairs_are_supported():
    for name in ("j23.prop9.2@B.fix", "j23.prop9.2.steps.c@B.fix"):
        assert pointwise(CLAIMS[name], SMOKE).outcome is Outcome.SUPPORTS
