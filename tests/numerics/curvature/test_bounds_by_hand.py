"""Bounds of Lanczos and of ascent where both are worked out by hand."""

from dataclasses import replace
from math import log, sqrt

import pytest
import torch

from numerics.curvature.architectures import Architecture, Layer, fully_connected
from numerics.curvature.balls import Vertex
from numerics.curvature.families import fcn
from numerics.curvature.lanczos import Ritz, lanczos
from numerics.curvature.networks import draw
from numerics.curvature.norms import leading
from numerics.curvature.passes import at_each_point
from numerics.curvature.point_operators import PointHessians
from numerics.curvature.products import hessians
from numerics.curvature.remainders import kink_moves, largest_remainder, linearisation
from numerics.curvature.wirings import points


def ritz(steps):
    numbers = {"value": 3.0, "residual": 0.0, "lowest": -1.0, "highest": 3.0}
    found = {name: torch.full((1, 1), x, dtype=torch.float64) for name, x in numbers.items()}
    return Ritz(vectors=torch.zeros(1, 1, 5), steps=steps, **found)


@pytest.mark.parametrize("steps", [15, 60])
def test_what_lanczos_can_have_missed(steps):
    """1.648 sqrt(n) exp(-sqrt(e) (2 k - 1)) is half the failure; e of the spread, which is at most
    (highest - lowest) / (1 - 2 e)."""
    share = (log(1.648 * sqrt(400)) - log(0.01 / 2)) / (2 * steps - 1)
    expected = share**2 * 4 / (1 - 2 * share**2)
    assert float(ritz(steps).missed(400, 0.01)) == pytest.approx(expected)


def test_few_steps_tell_nothing():
    assert torch.isinf(ritz(3).missed(2, 0.9)).all()
    assert torch.isinf(ritz(6).missed(400, 0.01)).all()  # e is above 1/2


def test_a_remainder_below_0_is_followed_downwards():
    """f = v u^2 at u = 0, v = -5: the remainder is (v + b) a^2 for the move (a, b)."""
    networks = draw(fully_connected([1, 1, 1], "quadratic"), 1, torch.Generator())
    weights = (torch.zeros(1, 1, 1).double(), torch.full((1, 1, 1), -5.0).double())
    linear = linearisation(
        replace(networks, weights=weights), Vertex(torch.ones(1, 1, dtype=torch.float64))
    )
    start = torch.tensor([[0.6, 0.8]], dtype=torch.float64)
    best, _ = largest_remainder(linear, 0.1, [start], steps=40)
    angles = torch.linspace(0, 2 * torch.pi, 20_001, dtype=torch.float64)
    values = (-5 + 0.1 * angles.sin()) * (0.1 * angles.cos()).square()
    assert float(best) == pytest.approx(float(values.abs().max()), rel=1e-4)


def test_neurons_are_moved_beyond_their_kink_as_far_as_before_it():
    networks = draw(fully_connected([1, 400, 1], "relu"), 2, torch.Generator().manual_seed(2))
    linear = linearisation(networks, Vertex(torch.ones(1, 1, dtype=torch.float64)))
    u = networks.weights[0][:, :, 0]
    for moves in kink_moves(linear, 1.0):
        steps = moves[:, :400]
        assert ((steps.abs() >= 2 * u.abs()) | (steps == 0)).all()
        assert (steps * u <= 0).all()


@pytest.mark.parametrize("compiled", [True, False])
def test_the_extreme_ritz_values_of_all_steps_are_the_extreme_eigenvalues(compiled):
    found = at_each_point(fcn(5, inputs=3).draw(3, torch.Generator().manual_seed(1)), points(3))
    operator = PointHessians(found)
    take = leading if compiled else torch_leading
    more = {"tolerance": 1e-15} if compiled else {}
    ritz = take(operator, torch.Generator().manual_seed(2), **more)
    values = torch.linalg.eigvalsh(hessians(found))
    close = {"rtol": 0, "atol": 1e-6}
    torch.testing.assert_close(ritz.lowest, values[..., 0], **close)
    torch.testing.assert_close(ritz.highest, values[..., -1], **close)
    largest = torch.where(ritz.highest > -ritz.lowest, ritz.highest, ritz.lowest)
    torch.testing.assert_close(ritz.value, largest, **close)


def torch_leading(operator, generator):
    return lanczos(operator, operator.start(generator), tolerance=None)


def test_a_layer_that_the_output_does_not_read_is_passed_over():
    """Layer 2 reads layer 1, and nothing reads it: f is that of the layers 1, 3 and 4 alone."""
    first, dead, last = Layer(4, (0,), "tanh"), Layer(5, (1,), "tanh"), Layer(1, (3,), "linear")
    whole = Architecture(3, (first, dead, Layer(4, (1,), "tanh"), last))
    networks = draw(whole, 2, torch.Generator().manual_seed(3))
    found = at_each_point(networks, points(3))
    small = draw(fully_connected([3, 4, 4, 1], "tanh"), 2, torch.Generator())
    small = replace(small, weights=tuple(networks.weights[n] for n in (0, 2, 3)))
    values = torch.linalg.eigvalsh(hessians(at_each_point(small, points(3)))).abs().amax(dim=2)
    for take in (leading, torch_leading):
        ritz = take(PointHessians(found), torch.Generator().manual_seed(2))
        torch.testing.assert_close(ritz.value.abs(), values, rtol=1e-7, atol=0)


def test_lanczos_stops_where_the_residual_is_small():
    found = at_each_point(fcn(40, inputs=5).draw(1, torch.Generator().manual_seed(1)), points(5))
    operator = PointHessians(found)
    start = operator.start(torch.Generator().manual_seed(2))
    early, whole = (lanczos(operator, start, tolerance=share) for share in (1e-2, None))
    assert early.residual <= 1e-2 * early.value.abs() * 1.01
    assert early.steps < whole.steps / 2
