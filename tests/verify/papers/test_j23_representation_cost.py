"""The representation cost, its expansion: by hand, and the engine."""

from fractions import Fraction
from math import log

import numpy as np
import pytest
from scipy.optimize import minimize

from tests.verify.costs.cases import arrays, on_hull, seen, stands, values
from tests.verify.language.values import worth
from verify.core.budgets import budget_named
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.papers.j23 import representation_cost
from verify.papers.j23.representation_cost import COST, EXPANSION

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
    rows = {"X": x.astype(int).tolist(), "Y": y.astype(int).tolist()}
    made = arrays(DATA, **rows, **{"lambda": F(1, 2)})
    solution = [float(worth(representation_cost.SOLUTION[k, 1], made)) for k in (1, 2, 3)]

    def loss(flat):
        return float(((inputs @ flat[:, None] - y) ** 2).sum() + weight * flat @ flat)

    best = minimize(loss, np.zeros(3)).x
    assert solution == pytest.approx(best, abs=1e-4)


def test_the_least_norm_is_that_of_the_interpolation():
    # lambda = 1, X = 0, Y = 1: values 1/2, by the bias alone
    made = arrays(DATA, X=[[0]], Y=[[1]], **{"lambda": 1})
    assert worth(representation_cost.VALUES[1, 1], made) == F(1, 2)
    assert worth(representation_cost.LEAST_NORM, made) == F(1, 4)


# the expansion ------------------------------------------------------------------------------------
def test_constants_have_one_term():
    case = on_hull([[0], [1]], ([[0]], [F(1, 2)]), L=5)
    assert values(EXPANSION, case) == [0, 0]
    for unknown in (
        on_hull([[1]], ([[0]], [F(1, 2)]), L=5),  # 0 is not there
        on_hull([[0]], ([[0]], [2]), L=5),
        on_hull([[-1], [1]], ([[1]], [0]), L=3),
        on_hull([[0], [1]], ([[1]], [1]), L=3),
    ):
        assert seen(EXPANSION, unknown) == []


def test_a_map_of_rank_one_by_hand():
    depth, size = 4, 13
    x = log(size)
    rest = x**3 / (6 * depth**2) * size
    series = depth + x + x * x / (2 * depth)
    cost = depth * size ** (1 / depth)
    segment = [[0, 0], [2, 3]]  # along the row: the map is its own part along the hull
    found = seen(EXPANSION, on_hull(segment, ([[2, 3]], [0]), L=depth))
    expected = [cost - series + rest, series + rest - cost]
    assert [value for _, value, _ in found] == pytest.approx(expected)
    beside = on_hull(QUADRANT, ([[2, 0], [0, 3]], [0, 0]), L=depth)
    assert seen(EXPANSION, beside) == []  # of rank 2


# the engine ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("claim", [COST, EXPANSION], ids=lambda claim: claim.id)
def test_what_is_right_stands(claim):
    assert stands(pointwise(claim, CI), 16)
