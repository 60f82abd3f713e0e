import pytest
import torch
from torch.testing import assert_close

from numerics.curvature.architectures import fully_connected
from numerics.curvature.networks import draw
from numerics.curvature.passes import Objective, at_each_point, backward, forward
from numerics.curvature.products import (
    blocks,
    gradient,
    hessian_products,
    hessians,
    tangent_kernels,
)
from tests.numerics.curvature.drawn import (
    SMOOTH,
    architectures,
    dense,
    edges,
    jacobian,
    networks_of,
    plain,
    points_of,
)

EVERY = [(name, dropped) for name in architectures() for dropped in (False, True)]


@pytest.mark.parametrize(("name", "dropped"), EVERY)
def test_hessians_of_every_vertex_and_layer_are_those_of_autograd(name, dropped):
    networks = networks_of(name, dropped=dropped)
    points = points_of(networks, 2 if name == "connected" else 1)
    for layer, width in enumerate(networks.architecture.widths[1:], 1):
        for neurons in (False, True):
            vertex = width - 1
            found = at_each_point(networks, points, layer=layer, vertex=vertex, neurons=neurons)
            computed = hessians(found)
            for seed in range(networks.count):
                for n in range(points.shape[1]):
                    wanted = dense(
                        networks,
                        seed,
                        points[seed, n : n + 1],
                        lambda values, vertex=vertex: values[0, vertex],
                        layer=layer,
                        neurons=neurons,
                    )
                    assert_close(computed[seed, n], wanted, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("neurons", [False, True])
@pytest.mark.parametrize("name", ["dense", "skips", "nonlinear_output"])
def test_a_loss_over_several_points_and_outputs(name, neurons):
    networks = networks_of(name)
    points = points_of(networks, 4)
    one = forward(networks, points)
    outputs = one.neurons[-1] if neurons else one.preactivations[-1]
    targets = torch.linspace(-1, 1, outputs.numel(), dtype=torch.float64).view(outputs.shape)
    level = networks.architecture.depth
    # phi(z) = (z - y)^2 / 2 + (z - y)^4: phi' and phi'' by hand
    rest = outputs - targets
    objective = Objective(level, rest + 4 * rest**3, 1 + 12 * rest**2, neurons)
    computed = hessians(backward(one, objective))
    for seed in range(networks.count):

        def loss(values, seed=seed):
            rest = values - targets[seed, 0]
            return (rest.square() / 2 + rest**4).sum()

        wanted = dense(networks, seed, points[seed], loss, neurons=neurons)
        assert_close(computed[seed, 0], wanted, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("kind", SMOOTH)
def test_each_activation(kind):
    networks = draw(fully_connected([2, 3, 3, 1], kind), 1, torch.Generator().manual_seed(3))
    points = 2 * points_of(networks, 1)
    wanted = dense(networks, 0, points[0], lambda values: values.sum())
    assert_close(hessians(at_each_point(networks, points))[0, 0], wanted, rtol=1e-11, atol=1e-12)
    assert wanted.abs().max() > 1e-4


def test_the_hessian_of_a_quadratic_layer_is_known():
    """f = m^(-1/2) sum v_i z_i^2, z_i = u_i x / sqrt(d): blocks 2 v_i x x^T / (d sqrt(m)) and
    2 z_i x / sqrt(d m)."""
    networks = draw(fully_connected([3, 4, 1], "quadratic"), 1, torch.Generator().manual_seed(4))
    x = torch.tensor([[1.0, -2.0, 0.5]], dtype=torch.float64)
    u, v = networks.weights[0][0], networks.weights[1][0, 0]
    wanted = torch.zeros(16, 16, dtype=torch.float64)
    for i in range(4):
        own = slice(3 * i, 3 * i + 3)
        wanted[own, own] = 2 * v[i] * torch.outer(x[0], x[0]) / 3 / 2
        wanted[own, 12 + i] = wanted[12 + i, own] = 2 * (u[i] @ x[0]) * x[0] / 3 / 2
    assert_close(hessians(at_each_point(networks, x))[0, 0], wanted, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize(("name", "dropped"), EVERY)
def test_jacobian_rows_and_tangent_kernels_are_those_of_autograd(name, dropped):
    networks = networks_of(name, dropped=dropped)
    points = points_of(networks, 4)
    rows, kernels = jacobian(networks, points), tangent_kernels(networks, points)
    for seed in range(networks.count):
        wanted = torch.autograd.functional.jacobian(
            lambda flat, seed=seed: plain(networks, seed, flat, points[seed])[:, 0],
            networks.flat()[seed],
        )
        wanted = wanted * edges(networks, seed)
        assert_close(rows[seed], wanted, rtol=1e-12, atol=1e-13)
        assert_close(kernels[seed], wanted @ wanted.T, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("name", ["connected", "dense", "skips"])
def test_batched_equals_single_over_seeds_lanes_and_vectors(name):
    networks = networks_of(name, count=3, dropped=name == "dense")
    points = points_of(networks, 2)
    found = at_each_point(networks, points)
    size = networks.architecture.parameter_count
    vectors = torch.randn(3, 2, size, generator=torch.Generator().manual_seed(5)).double()
    together = hessian_products(found, vectors)
    for seed in range(3):
        for n in range(2):
            alone = at_each_point(networks.at([seed]), points[seed : seed + 1, n : n + 1])
            both = torch.stack([vectors[seed, n], -2 * vectors[seed, n]])[None]
            single = hessian_products(alone, both)[0]
            assert_close(single[0], together[seed, n], rtol=1e-12, atol=1e-13)
            assert_close(single[1], -2 * together[seed, n], rtol=1e-12, atol=1e-13)


def test_blocks_by_layer_and_their_place():
    networks = networks_of("connected")
    found = hessians(at_each_point(networks, points_of(networks, 1)))
    parts = blocks(networks, found)
    assert [part.shape[-1] for part in parts[0]] == [12, 16, 4]
    assert_close(parts[1][2], parts[2][1].mT, rtol=1e-12, atol=1e-13)
    assert not parts[2][2].any()  # linear in the last weights
    assert parts[0][1].abs().max() > 1e-3


def test_first_layer_is_linear_and_gradients_agree_with_differences():
    networks = networks_of("dense")
    points = points_of(networks, 1)
    assert not hessians(at_each_point(networks, points, layer=1)).any()
    found = gradient(at_each_point(networks, points))
    step = 1e-6
    direction = torch.randn(found.shape, generator=torch.Generator().manual_seed(6)).double()[:, 0]
    ends = [
        forward(networks.with_flat(networks.flat() + sign * step * direction), points)
        for sign in (1, -1)
    ]
    slope = (ends[0].neurons[-1] - ends[1].neurons[-1])[:, 0, 0, 0] / (2 * step)
    assert_close((found[:, 0] * direction).sum(dim=1), slope, rtol=1e-7, atol=1e-8)


def test_wrong_shapes_are_refused():
    networks = networks_of("connected")
    with pytest.raises(ValueError, match="points"):
        forward(networks, torch.zeros(3, 2, dtype=torch.float64))
    with pytest.raises(ValueError, match="layer 4"):
        at_each_point(networks, points_of(networks), layer=4)
