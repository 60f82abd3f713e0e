"""The representation cost, its expansion and the width that suffices: by hand, and the engine."""

from fractions import Fraction
from math import log
from random import Random

import numpy as np
import pytest
from scipy.optimize import minimize

from graphs.arithmetic import as_fraction, rational
from graphs.rationals import RATIONALS
from tests.verify.costs.cases import arrays, on_hull, seen, stands, values
from verify.core.budgets import budget_named
from verify.kinds.deep.networks import deep
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.papers.j23 import representation_cost
from verify.papers.j23.representation_cost import COST, EXPANSION, WIDTH, reduced
from verify.search.drawing import repair
from verify.search.judging import judge_exactly

F = Fraction
CI = Context(budget_named("ci"), 2, "cpu")
DATA = {"X": ("N", "n"), "Y": ("N", "q")}
QUADRANT = [[0, 0], [1, 0], [0, 1]]


# the two minima -----------------------------------------------------------------------------------
def test_the_two_minima_are_one():
    for x, y, weight in (([[0]], [[1]], 1), ([[1, 2], [0, 3]], [[1], [F(1, 2)]], F(1, 10))):
        assert values(COST, arrays(DATA, X=x, Y=y, **{"lambda": weight})) == [0]
    assert values(COST, arrays(DATA, X=[[0]], Y=[[1]], **{"lambda": 0})) == []


def test_ridge_is_the_minimum():
    x, y, weight = np.array([[1.0, 2], [0, 3], [1, 1]]), np.array([[1.0], [-2], [4]]), 0.5
    inputs = np.hstack([x, np.ones((3, 1))])
    exact = RATIONALS.array(inputs.astype(int).tolist())
    solution = representation_cost._ridge(exact.T @ exact, rational(F(1, 2))) @ exact.T
    solution = np.array([[float(v) for v in row] for row in solution]) @ y

    def loss(flat):
        return float(((inputs @ flat[:, None] - y) ** 2).sum() + weight * flat @ flat)

    best = minimize(loss, np.zeros(3)).x
    assert solution[:, 0] == pytest.approx(best, abs=1e-4)


def test_another_cost_would_be_noticed(monkeypatch):
    case = arrays(DATA, X=[[1]], Y=[[1]], **{"lambda": 1})
    plain = representation_cost.least_norm
    monkeypatch.setattr(representation_cost, "least_norm", lambda x, y: plain(x, y) * 2)
    assert judge_exactly(COST, case).violations


# the expansion ------------------------------------------------------------------------------------
def test_constants_have_one_term():
    case = on_hull([[0], [1]], ([[0]], [F(1, 2)]), L=5)
    assert values(EXPANSION, case) == [0, 0]
    assert seen(EXPANSION, on_hull([[1]], ([[0]], [F(1, 2)]), L=5)) == []  # 0 is not there
    assert seen(EXPANSION, on_hull([[0]], ([[0]], [2]), L=5)) == []


def test_a_map_of_rank_one_by_hand():
    depth, size = 4, 13
    x = log(size)
    rest = x**3 / (6 * depth**2) * size
    series = depth + x + x * x / (2 * depth)
    cost = depth * size ** (1 / depth)
    segment = [[0, 0], [2, 3]]  # along the row: the map is its own part along the hull
    found = seen(EXPANSION, on_hull(segment, ([[2, 3]], [0]), L=depth))
    assert [label for label, _, _ in found] == [{"part": "below"}, {"part": "above"}]
    expected = [cost - series + rest, series + rest - cost]
    assert [value for _, value, _ in found] == pytest.approx(expected)
    beside = on_hull(QUADRANT, ([[2, 0], [0, 3]], [0, 0]), L=depth)
    assert seen(EXPANSION, beside) == []  # of rank 2


def test_another_bound_would_be_noticed(monkeypatch):
    case = on_hull([[0], [1]], ([[1]], [0]), L=5)
    assert not judge_exactly(EXPANSION, case).violations
    plain = representation_cost.cost

    def raised(function, depth):
        found = plain(function, depth)
        return type(found)(found.lower, found.upper + 1)

    monkeypatch.setattr(representation_cost, "cost", raised)
    (violation,) = judge_exactly(EXPANSION, case).violations
    assert violation.entry == {"part": "above"}


# the width ----------------------------------------------------------------------------------------
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
    monkeypatch.setattr(representation_cost, "_dependence", lambda rows: None)
    (violation,) = judge_exactly(WIDTH, case).violations
    assert violation.entry == {"part": "width"}


# the engine ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("claim", [COST, EXPANSION, WIDTH], ids=lambda claim: claim.id)
def test_what_is_right_stands(claim):
    assert stands(pointwise(claim, CI), 16)
