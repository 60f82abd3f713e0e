import pytest
import torch
from torch.testing import assert_close

from numerics.curvature.architectures import fully_connected
from numerics.curvature.balls import Vertex, ascend, norm_slopes
from numerics.curvature.networks import draw
from numerics.curvature.norms import hessian_norms
from tests.numerics.curvature.drawn import generator, networks_of, plain, points_of


def norms_at(networks, target):
    return hessian_norms(target.at(networks), generator(9), tolerance=1e-10).lower[:, 0]


@pytest.mark.parametrize("dropped", [False, True])
def test_slopes_are_third_derivatives(dropped):
    networks = networks_of("dense", dropped=dropped)
    points = points_of(networks, 1)
    vectors = networks.with_flat(
        torch.randn(networks.flat().shape, generator=generator()).double()
    ).flat()
    vectors = vectors / vectors.norm(dim=1, keepdim=True)
    found = norm_slopes(networks, Vertex(points, vertex=1), vectors)
    for seed in range(2):
        flat = networks.flat()[seed].requires_grad_()
        value = plain(networks, seed, flat, points[seed])[0, 1]
        first = torch.autograd.grad(value, flat, create_graph=True)[0] @ vectors[seed]
        second = torch.autograd.grad(first, flat, create_graph=True)[0] @ vectors[seed]
        third = torch.autograd.grad(second, flat)[0]
        assert third.abs().max() > 1e-4
        assert_close(found[seed], third, rtol=0, atol=1e-7)


def test_ascent_stays_in_the_ball_and_beats_random_points():
    networks = draw(fully_connected([4, 12, 12, 1]), 2, generator())
    target, radius = Vertex(points_of(networks, 1)), 1.0
    found = ascend(networks, target, radius, generator(), steps=8, restarts=1)
    assert bool((found.distance <= radius * (1 + 1e-12)).all())
    moved = (found.networks.flat() - networks.flat()).norm(dim=1)
    assert_close(moved, found.distance)
    assert_close(found.norms, norms_at(found.networks, target), rtol=1e-3, atol=0)
    assert_close(found.start, norms_at(networks, target), rtol=1e-3, atol=0)
    draws = torch.randn(6, *networks.flat().shape, generator=generator(1)).double()
    for shift in draws:
        there = networks.flat() + radius * shift / shift.norm(dim=1, keepdim=True)
        assert bool((norms_at(networks.with_flat(there), target) < found.norms).all())


def test_ascent_reaches_the_supremum_that_is_known():
    """f = v z^2 with z = u x: |H| at (u, v) is known, and its largest value in a ball by a grid."""
    networks = draw(fully_connected([1, 1, 1], "quadratic"), 2, generator(3))
    x = torch.tensor([[1.0]], dtype=torch.float64)
    found = ascend(networks, Vertex(x), 0.5, generator(), steps=40)
    angle = torch.linspace(0, 6.2832, 20_001, dtype=torch.float64)
    for seed in range(2):
        u, v = networks.flat()[seed]
        u, v = u + 0.5 * angle.cos(), v + 0.5 * angle.sin()
        wanted = (v.abs() + (v**2 + 4 * u**2).sqrt()).max()
        assert_close(found.norms[seed], wanted, rtol=1e-3, atol=0)


def test_no_radius_is_the_centre():
    networks = networks_of("connected")
    found = ascend(networks, Vertex(points_of(networks, 1)), 0.0, generator())
    assert torch.equal(found.networks.flat(), networks.flat())
    assert torch.equal(found.norms, found.start)
    with pytest.raises(ValueError, match="radius"):
        ascend(networks, Vertex(points_of(networks, 1)), -1.0, generator())
    with pytest.raises(ValueError, match="give one"):
        ascend(networks, Vertex(points_of(networks, 2)), 1.0, generator())
