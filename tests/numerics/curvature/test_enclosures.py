"""Radii and lower bounds by hand, with a unit of rounding so large that what it adds is seen."""

from dataclasses import replace

import pytest
import torch

from numerics.curvature.architectures import fully_connected
from numerics.curvature.families import fcn
from numerics.curvature.networks import draw
from numerics.curvature.passes import at_each_point
from numerics.curvature.rounding import enclosed, gamma, roundings
from numerics.curvature.variations import skip

LARGE = 2.0**-14


@pytest.fixture(autouse=True)
def large_unit(monkeypatch):
    monkeypatch.setattr("numerics.curvature.rounding.UNIT", LARGE)


def passed(activation, u, v):
    """f = v sigma(u) at the input 1."""
    networks = draw(fully_connected([1, 1, 1], activation), 1, torch.Generator())
    weights = tuple(torch.full((1, 1, 1), float(w), dtype=torch.float64) for w in (u, v))
    return at_each_point(replace(networks, weights=weights), torch.ones(1, 1).double())


def bounds(found, vector, eigenvalue):
    vectors = torch.tensor([[vector]], dtype=torch.float64)
    radius, lower = enclosed(found, vectors, torch.full((1, 1), eigenvalue).double())
    return float(radius), float(lower)


def test_gamma_by_its_definition():
    for count in (1, 20, 400):
        exact = count * LARGE / (1 - count * LARGE)
        assert exact <= gamma(count) <= exact * (1 + 2.0**-9)


def test_roundings_count_the_sums_of_all_layers_and_skips():
    """Widths 3, 5, 4 and 1: sums of 3, 5 and 4 terms up, of 5, 4 and 1 down, and a point."""
    networks = draw(fully_connected([3, 5, 4, 1], "tanh"), 1, torch.Generator())
    point = torch.ones(1, 3).double()
    assert roundings(at_each_point(networks, point)) >= (3 + 5 + 4) + (5 + 4 + 1) + 1
    wiring = fcn(4, depth=4, inputs=3)
    plain, skipping = (
        at_each_point(one.draw(1, torch.Generator()), point) for one in (wiring, skip(wiring))
    )
    assert roundings(skipping) >= roundings(plain) + 2 * 4  # the hidden layers 2 and 3


def test_an_eigenvector_of_any_length_has_a_radius_of_the_rounding_alone():
    """f = v u: H = [[0, 1], [1, 0]], H (3, 3) = (3, 3)."""
    found = passed("linear", 2, 5)
    slack = gamma(roundings(found))
    assert slack > 20 * LARGE
    radius, lower = bounds(found, (3.0, 3.0), 1.0)
    assert slack <= radius <= 1.5 * slack + 16 * LARGE
    assert 1 - 2 * slack - 32 * LARGE <= lower <= 1 - slack


def test_the_slack_is_that_of_absolute_values():
    """f = v u^2 at u = v = 3: H = [[6, 6], [6, 0]], H (1, -1) = (0, 6), |H| |(1, -1)| = (12, 6)."""
    found = passed("quadratic", 3, 3)
    slack = gamma(roundings(found))
    radius, lower = bounds(found, (1.0, -1.0), 0.0)
    assert radius >= (6 + slack * (12**2 + 6**2) ** 0.5) / 2**0.5
    assert lower <= 3 - slack * 18 / 2
