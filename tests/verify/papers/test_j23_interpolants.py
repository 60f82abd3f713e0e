"""Rates around Theorem 10: kernels against networks, distances against definitions, verdicts."""

from fractions import Fraction

import numpy as np
import pytest

from graphs.arithmetic import as_fraction
from tests.verify.deep_networks import parameter_square, tangent_kernel
from verify.core.budgets import budget_named
from verify.core.claim import Kind
from verify.core.evidence import Outcome
from verify.kinds.deep.networks import deep
from verify.methods.context import Context
from verify.methods.rates import rates
from verify.papers.j23 import interpolants, random_outputs
from verify.papers.j23.interpolants import DEPTH, kernel_of, largest
from verify.papers.j23.random_outputs import (
    back_and_forth,
    edges_of,
    length_below,
    outputs,
    two_nearest,
)

SMOKE = Context(budget_named("smoke"))
CLAIMS = (*interpolants.CLAIMS, *random_outputs.CLAIMS)


def network_of(points: np.ndarray, depth: int):
    """The network of the closed form, at the points where that looks."""
    heights = points[:, 0]
    order = np.argsort(heights)
    values, shift = points[order], 1 - heights.min()
    knots = heights[order] + shift
    slopes = np.diff(values, axis=0) / np.diff(knots)[:, None]
    changes = np.diff(slopes, axis=0, prepend=np.zeros((1, points.shape[1])))
    sizes = np.sqrt(np.linalg.norm(changes, axis=1))
    weights = [
        [[1.0] + [0.0] * (points.shape[1] - 1)],
        *[[[1.0]]] * (depth - 3),
        sizes[:, None].tolist(),
        (changes / sizes[:, None]).T.tolist(),
    ]
    biases = [[shift], *[[0.0]] * (depth - 3), (-sizes * knots[:-1]).tolist(), values[0].tolist()]
    middles = (values[:-1] + values[1:]) / 2
    return deep(_exact(weights), _exact(biases), _exact(middles.tolist())), values


def _exact(numbers):
    return [_exact(n) for n in numbers] if isinstance(numbers, list) else Fraction(numbers)


@pytest.mark.parametrize(("k", "depth"), [(2, 3), (2, 5), (3, 4)])
def test_the_kernel_is_that_of_the_network(k, depth):
    points = np.random.default_rng(k).random((4, k))
    kernels, more = kernel_of(points, depth)
    case, _ = network_of(points, depth)
    assert more == pytest.approx(float(parameter_square(case)) - depth)
    for at in range(3):
        exact = tangent_kernel(case, at, biases=True)
        assert kernels[at] == pytest.approx(np.vectorize(lambda v: float(as_fraction(v)))(exact))


def test_the_network_fits_the_data():
    points = np.random.default_rng(1).random((5, 2))
    case, values = network_of(points, 4)
    fitted = case.with_array("X", _exact(values.tolist())).exact.outputs
    assert np.vectorize(lambda v: float(as_fraction(v)))(fitted) == pytest.approx(values)


def test_the_trace_grows_with_depth_and_the_smallest_eigenvalue_does_not():
    points = np.random.default_rng(4).random((12, 2))
    shallow, deeper = (kernel_of(points, depth)[0] for depth in (10**4, 10**5))
    assert largest(deeper) / largest(shallow) == pytest.approx(10, rel=0.01)
    least = [np.linalg.eigvalsh(kernel)[:, 0].max() for kernel in (shallow, deeper)]
    assert least[1] / least[0] < 1.1
    assert kernel_of(points, 10**4)[1] == pytest.approx(kernel_of(points, 10**5)[1])  # c_1
    assert DEPTH >= 3


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_rates_support_what_holds(claim):
    assert claim.kind is Kind.RATE
    found = rates(claim, SMOKE)
    assert found.outcome is Outcome.SUPPORTS
    assert found.plots[0].curves


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_distances_are_those_of_the_definition(k):
    points = outputs(40, k, np.random.default_rng(k), even=k % 2 == 0)
    table = np.linalg.norm(points[:, None] - points[None], axis=2)
    first, second = two_nearest(points)
    ordered = np.sort(table, axis=1)
    assert first == pytest.approx(ordered[:, 1])
    assert second == pytest.approx(ordered[:, 2])


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_the_path_visits_every_point_and_is_no_shorter_than_the_bound(k):
    points = outputs(500, k, np.random.default_rng(k))
    order = back_and_forth(points)
    assert sorted(order.tolist()) == list(range(500))
    assert length_below(points) <= edges_of(points, order).sum()
    at_random = edges_of(points, np.arange(500)).sum()
    assert edges_of(points, order).sum() < 0.6 * at_random


def test_the_bound_on_a_line_by_hand():
    points = np.array([[0.0], [0.1], [0.3]])
    # d_1 + d_2: 0.4, 0.3, 0.5; without d_2 of the ends 0.3 and 0.3
    assert length_below(points) == pytest.approx((1.2 - 0.6) / 2)


def test_other_exponents_would_be_noticed():
    claim = random_outputs.ORDER
    for said in claim.rate.claimed:
        wrong = Fraction(1, 10) + said.allowance
        assert not said.holds(float(said.low + wrong), float(said.high + wrong))
