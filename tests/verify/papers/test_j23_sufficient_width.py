"""The width that suffices at depth 2: by hand, and the engine."""

from fractions import Fraction
from random import Random

import pytest

from graphs.arithmetic import as_fraction
from tests.verify.costs.cases import stands, values
from verify.core.budgets import budget_named
from verify.kinds.deep.networks import deep
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.papers.j23 import sufficient_width
from verify.papers.j23.sufficient_width import WIDTH, reduced
from verify.search.drawing import repair
from verify.search.judging import judge_exactly

F = Fraction
CI = Context(budget_named("ci"), 2, "cpu")


def kept(case):
    factors, costs, parts = reduced(case)
    before, after = parts.sum(axis=0), (factors.reshape(-1, 1) * parts).sum(axis=0)
    assert all(a == b for a, b in zip(before, after, strict=True))
    return [as_fraction(factor) for factor in factors], [float(cost) for cost in costs]


def test_equal_neurons_become_one():
    case = deep([[[1], [1], [1]], [[1, 1, 1]]], points=[[1]])
    factors, costs = kept(case)
    assert sorted(factors) == [0, 0, 3]
    assert costs == [2, 2, 2]
    assert values(WIDTH, case) == [6 - 6, 2 - 1, 0]


def test_the_cheaper_neuron_stays():
    # at x = 1 both give 1: the one by (1, 0), the other by (0, 2) and 1/2; or by (3, 0) and 1/3
    wide = deep([[[1], [-1]], [[1, F(1, 2)]]], [[0, 3], [0]], points=[[1]])
    factors, costs = kept(wide)
    assert factors == [2, 0]
    assert costs == pytest.approx([2, 10**0.5])


def test_opposite_neurons_go():
    case = deep([[[1], [1]], [[1, -1]]], points=[[1]])
    factors, _ = kept(case)
    assert factors == [0, 0]


@pytest.mark.parametrize("seed", range(20))
def test_the_values_stay_and_the_cost_does_not_rise(seed):
    random = Random(seed)
    case = repair(WIDTH, WIDTH.pool.draw(random), random)
    factors, costs = kept(case)
    assert min(factors) >= 0
    assert sum(f * c for f, c in zip(map(float, factors), costs, strict=True)) <= sum(costs) + 1e-9
    numbers = case.lengths["N"] * case.widths[-1]
    assert sum(factor != 0 for factor in factors) <= numbers


def test_what_leaves_all_neurons_would_be_noticed(monkeypatch):
    case = deep([[[1], [1], [1]], [[1, 1, 1]]], points=[[1]])
    assert not judge_exactly(WIDTH, case).violations
    monkeypatch.setattr(sufficient_width, "_dependence", lambda rows: None)
    (violation,) = judge_exactly(WIDTH, case).violations
    assert violation.entry == {"part": "width"}


def test_what_is_right_stands():
    assert stands(pointwise(WIDTH, CI), 16)
