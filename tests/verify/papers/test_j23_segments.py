"""Proposition 9, part 2, solved by hand, and what the engine says of it."""

from fractions import Fraction
from random import Random

import pytest

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from tests.verify.papers.looking import looking
from verify.core.evidence import Outcome
from verify.kinds.deep.layered import as_network
from verify.kinds.deep.networks import deep
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.j23 import segment_cases, segments
from verify.search.judging import judge_exactly
from verify.statements.stated import true_of

SMOKE = looking("smoke")
F = Fraction
CLAIMS = {claim.id: claim for claim in segments.CLAIMS}
# f = a x for x < 0: v^T Theta v = 2 a^2 x^2 over the weights, plus a^2 + 1 over the biases
LEAKY = deep([[[1]], [[1]]], points=[[-1], [-3]], slope=F(1, 4))


def measured(name, case):
    found = as_network(case)
    return CLAIMS[name].measure(found.scene([found], RATIONALS)).values


def value(name, case):
    (found,) = measured(name, case)
    return as_fraction(found)


def test_the_kernel_on_a_segment_by_hand():
    w = F(-2) / 4
    places = list(zip([0, F(1, 2), 1], [-1, -2, -3], strict=True))
    for s, at in places:
        for t, other in places:
            weights = 2 * F(1, 16) * at * other * w**2
            biases = (F(1, 16) + 1) * w**2
            same = segments.kernel(s, t) == weights + biases
            assert true_of(same)(as_network(LEAKY))


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
        found = measured(f"j23.prop9.2.steps.{part}@B", LEAKY)
        assert len(found)
        assert not any(as_fraction(x) for x in found)


@pytest.mark.parametrize("part", ["a", "b.zero", "b.sum", "b.bound"])
def test_across_a_kink_differences_are_no_derivatives(part):
    crossing = deep([[[1]], [[1]]], points=[[1], [-3]])
    assert not true_of(segment_cases.SAME_SLOPES)(as_network(crossing))
    says = segments.SAID[part]
    assert not true_of(says)(as_network(crossing))
    claim = CLAIMS[f"j23.prop9.2.steps.{part}@B"]
    assert len(measured(claim.id, crossing)) == 0
    needed = [need.hypothesis for need in necessity(claim, SMOKE).needs if need.needed]
    assert "constant slopes" not in needed


def test_constancy_is_repaired_and_broken():
    random, constant = Random(3), segment_cases.CONSTANT
    holds = true_of(constant.holds)
    repaired = broken = 0
    for _ in range(20):
        case = segment_cases.SEGMENTS.draw(random, large=False)
        repaired += holds(constant.repair(case, random))
        broken += not holds(constant.break_(case, random))
    assert repaired >= 18
    assert broken > 5


def test_one_point_is_no_segment():
    alone = as_network(deep([[[1]]], points=[[2]]))
    assert not true_of(segment_cases.MOVES)(alone)
    assert judge_exactly(CLAIMS["j23.prop9.2@B"], alone).admitted == 0


@pytest.mark.parametrize("name", [c.id for c in CLAIMS.values() if c.proof is not None])
def test_arguments_hold(name):
    assert schema(CLAIMS[name], SMOKE).outcome is Outcome.ARGUES


def test_the_engine_refutes_the_bounds_for_leaky_slopes():
    found = [pointwise(CLAIMS[f"j23.prop9.2.steps.{part}@B"], SMOKE) for part in ("b.bound", "c")]
    assert [one.outcome for one in found] == [Outcome.REFUTES] * 2


def test_the_repairs_are_supported():
    for name in ("j23.prop9.2@B.fix", "j23.prop9.2.steps.c@B.fix"):
        assert pointwise(CLAIMS[name], SMOKE).outcome is Outcome.SUPPORTS
