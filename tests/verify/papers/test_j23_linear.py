"""Deep linear networks: by hand, against numpy and descents, and what the engine says."""

from fractions import Fraction
from itertools import pairwise
from math import log, sqrt
from random import Random

import numpy as np
import pytest
from scipy.optimize import minimize

from tests.verify.costs.cases import arrays, seen, stands, values
from verify.core.budgets import budget_named
from verify.kinds.deep.layered import as_network
from verify.kinds.deep.networks import deep
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.j23 import linear
from verify.search.arguments import beside_the_point
from verify.search.drawing import repair
from verify.search.judging import judge_exactly

F = Fraction
CI = Context(budget_named("ci"), 2, "cpu")
CLAIMS = {claim.id.removeprefix("j23."): claim for claim in linear.CLAIMS}
MATRIX = {"A": ("m", "n")}


# the cost -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("weights", "slack"),
    [
        ([[[2]], [[1]]], 5 - 2 * 2),
        ([[[2]], [[2]]], 0),
        ([[[2]], [[1]], [[-4]]], 21 - 3 * 4),
        ([[[1, 0], [0, 3]]], 0),
        ([[[1, 0], [0, 1]], [[0, 0], [0, 1]]], 3 - 2),
        ([[[1], [1]], [[1, 1]]], 0),
        ([[[1], [0]], [[0, 1]]], 2),  # the product is 0
    ],
)
def test_factorisations_by_hand(weights, slack):
    net = as_network(deep(weights, points=[[1] * len(weights[0][0])]))
    assert values(CLAIMS["linear.a"], net) == pytest.approx([slack], abs=1e-12)


def test_layers_that_are_not_balanced_are_another_case():
    for weights, balanced in (
        ([[[2]], [[1]]], False),
        ([[[2]], [[-2]]], True),
        ([[[1], [1]], [[1, 1]]], True),
        ([[[1], [0]], [[0, 1]]], False),
        ([[[0, 1], [1, 0]], [[2, 0], [0, 1]]], False),
        ([[[0, 1], [2, 0]], [[1, 0], [0, 2]]], True),
    ):
        net = as_network(deep(weights, points=[[1] * len(weights[0][0])]))
        ((_, _, admitted),) = seen(CLAIMS["linear.b"], net)
        assert admitted is balanced


@pytest.mark.parametrize("depth", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_descents_over_factorisations_end_at_the_cost(seed, depth):
    generator = np.random.default_rng(seed)
    matrix = generator.normal(size=(2, 2))
    sizes = np.linalg.svd(matrix, compute_uv=False)
    wanted = depth * (sizes ** (2 / depth)).sum()

    def product(flat):
        layers = flat.reshape(depth, 2, 2)
        whole = layers[0]
        for layer in layers[1:]:
            whole = layer @ whole
        return whole

    held = {"type": "eq", "fun": lambda flat: (product(flat) - matrix).reshape(-1)}
    u, s, v = np.linalg.svd(matrix)
    shares = s ** (1 / depth)
    layers = [np.diag(shares) @ v, *[np.diag(shares)] * (depth - 2), u * shares]
    start = np.concatenate([layer.reshape(-1) for layer in layers])
    assert (start @ start) == pytest.approx(wanted)
    start = start + 0.1 * generator.normal(size=start.shape)
    found = minimize(lambda flat: flat @ flat, start, constraints=[held], method="SLSQP")
    assert found.fun == pytest.approx(wanted, rel=1e-4)


@pytest.mark.parametrize("seed", range(12))
def test_repairs_balance_all_shapes(seed):
    claim, random = CLAIMS["linear.b"], Random(seed)
    case = repair(claim, claim.pool.draw(random), random)
    layers = [case.deep.matrix(f"W{k}") for k in range(1, case.deep.depth + 1)]
    assert all((one @ one.T == two.T @ two).all() for one, two in pairwise(layers))
    judged = judge_exactly(claim, case)
    assert judged.admitted
    assert not judged.violations


# the expansion ------------------------------------------------------------------------------------
def test_a_power_by_hand():
    s, depth = 3, 4
    x = log(s)
    left = sqrt(3) - 1 - x / 2 - x * x / 8
    found = values(CLAIMS["linexp.a"], arrays({}, ("L",), s=s, L=depth))
    assert found == pytest.approx([4 / 3 * x**3 * 9 / 64 - left])
    small = values(CLAIMS["linexp.a"], arrays({}, ("L",), s=F(1, 3), L=depth))
    left = 1 / sqrt(3) - 1 + x / 2 - x * x / 8
    assert small == pytest.approx([4 / 3 * x**3 / 64 - abs(left)])
    assert values(CLAIMS["linexp.a"], arrays({}, ("L",), s=1, L=depth)) == [0]
    assert values(CLAIMS["linexp.a"], arrays({}, ("L",), s=0, L=depth)) == []


def test_a_matrix_by_hand():
    depth = 5
    sizes = np.array([2, 1 / 3])
    x = np.log(sizes)
    cost = depth * (sizes ** (2 / depth)).sum()
    series = 2 * depth + 2 * x.sum() + ((2 * x) ** 2).sum() / (2 * depth)
    rest = (4 / 3 * np.abs(x) ** 3 * np.maximum(1, sizes**2)).sum() / depth**2
    case = arrays(MATRIX, ("L",), A=[[0, 2, 0], [F(-1, 3), 0, 0]], L=depth)
    assert values(CLAIMS["linexp.b"], case) == pytest.approx([rest - abs(cost - series)])
    assert values(CLAIMS["linexp.b"], arrays(MATRIX, ("L",), A=[[0, 0]], L=depth)) == [0]


# the engine ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", CLAIMS)
def test_what_is_right_stands(name):
    assert stands(pointwise(CLAIMS[name], CI), 40)


@pytest.mark.parametrize("name", ["linexp.a", "linexp.b"])
def test_arguments_hold_and_are_about_the_claim(name):
    argument = CLAIMS[name].proof()
    assert argument.holds
    assert not beside_the_point(CLAIMS[name], argument)


def test_balance_is_needed():
    needs = necessity(CLAIMS["linear.b"], CI).needs
    assert "balanced layers" in {one.hypothesis for one in needs if one.needed}
