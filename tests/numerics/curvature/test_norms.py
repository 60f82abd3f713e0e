from math import sqrt

import pytest
import torch
from torch.testing import assert_close

from numerics.curvature.architectures import Architecture, Layer, fully_connected
from numerics.curvature.lanczos import lanczos
from numerics.curvature.networks import draw, draw_masks
from numerics.curvature.norms import certified_norm, hessian_norms
from numerics.curvature.operators import FullHessians
from numerics.curvature.passes import Objective, at_each_point, backward, forward
from numerics.curvature.point_operators import PointHessians
from numerics.curvature.products import hessian_products, hessians
from tests.numerics.curvature.drawn import (
    SMOOTH,
    architectures,
    dense,
    generator,
    networks_of,
    points_of,
)

EVERY = [(name, dropped) for name in architectures() for dropped in (False, True)]


def random_architecture(seed):
    """Two to four layers, widths 1 to 5, random sources, one or two outputs."""
    draws = torch.randint(0, 1000, (40,), generator=generator(seed)).tolist()
    layers = []
    for number in range(1, 3 + draws[0] % 3):
        sources = {s for s in range(number) if draws[5 * number + s] % 2} | {number - 1}
        kind = SMOOTH[draws[30 + number] % len(SMOOTH)]
        layers.append(Layer(1 + draws[20 + number] % 5, tuple(sorted(sources)), kind))
    layers[-1] = Layer(1 + draws[1] % 2, layers[-1].sources, "linear")
    return Architecture(1 + draws[2] % 3, tuple(layers))


def test_enclosures_hold_the_eigenvalues_of_80_random_networks():
    """Dense Hessians by autograd, which shares nothing with the passes."""
    for seed in range(80):
        architecture = random_architecture(seed)
        masks = draw_masks(architecture, 1, 0.7, generator(seed)) if seed % 2 else None
        networks = draw(architecture, 1, generator(seed), masks=masks)
        points = points_of(networks, 1, seed)
        found = hessian_norms(at_each_point(networks, points), generator(seed))
        wanted = torch.linalg.eigvalsh(dense(networks, 0, points[0], lambda z: z[0, 0]))
        # autograd and eigvalsh round too
        slack = 1e-13 * (1 + wanted.abs().max())
        assert (wanted - found.eigenvalue[0, 0]).abs().min() <= found.radius[0, 0] + slack
        norm = wanted.abs().max()
        assert found.lower[0, 0] <= norm + slack
        assert found.upper[0, 0] >= norm - slack
        assert found.upper[0, 0] <= norm * (1 + 1e-6) + slack


@pytest.mark.parametrize(("name", "dropped"), EVERY)
def test_short_operators_have_the_eigenvalues_of_the_hessian(name, dropped):
    networks = networks_of(name, dropped=dropped)
    found = at_each_point(networks, points_of(networks))
    operator, full = PointHessians(found), FullHessians(found)
    assert operator.size < full.size
    for seed in range(2):
        values = torch.linalg.eigvalsh(hessians(found)[seed, 1])
        short, long = operator.dense(seed, 1), full.dense(seed, 1)
        assert_close(short, short.mT, rtol=1e-12, atol=1e-14)
        assert_close(torch.linalg.eigvalsh(long), values, rtol=1e-12, atol=1e-13)
        eigenvalues = torch.linalg.eigvalsh(short)
        large = values[values.abs() > 1e-10]
        assert_close(eigenvalues[eigenvalues.abs() > 1e-10], large, rtol=1e-11, atol=1e-12)
        assert large.numel() > 1


@pytest.mark.parametrize("dropped", [False, True])
@pytest.mark.parametrize("name", ["connected", "dense", "skips"])
def test_leading_vectors_are_eigenvectors_of_the_whole_hessian(name, dropped):
    networks = networks_of(name, dropped=dropped)
    found = at_each_point(networks, points_of(networks))
    norms = hessian_norms(found, generator(), tolerance=1e-12)
    vectors = norms.leading()
    product = hessian_products(found, vectors)
    assert_close(vectors.norm(dim=2), torch.ones(2, 3).double())
    assert_close(product, norms.eigenvalue[..., None] * vectors, rtol=0, atol=1e-9)


def test_one_hidden_layer_has_the_norm_of_its_closed_form():
    """f = m^(-1/2) sum v_i sigma(u_i x / sqrt(d)): a block for each hidden vertex."""
    networks = draw(fully_connected([6, 300, 1], "tanh"), 4, generator(1))
    points = points_of(networks, 2)
    found = hessian_norms(at_each_point(networks, points), generator(), tolerance=1e-13)
    z = forward(networks, points).preactivations[0][:, 0]
    rho = (points.norm(dim=2) / sqrt(6))[..., None]
    first = 1 - torch.tanh(z) ** 2
    own = rho**2 * (networks.weights[1] * (-2 * torch.tanh(z) * first)).abs()
    wanted = ((own + (own**2 + 4 * rho**2 * first**2).sqrt()) / 2).amax(dim=2) / sqrt(300)
    assert_close(found.eigenvalue.abs(), wanted, rtol=1e-12, atol=0)
    assert bool((found.upper >= wanted * (1 - 1e-13)).all())
    assert bool((found.lower <= wanted * (1 + 1e-13)).all())


def test_batched_equals_single():
    networks = networks_of("dense", count=3, dropped=True)
    points = points_of(networks, 2)
    together = hessian_norms(at_each_point(networks, points), generator(), tolerance=1e-13)
    for seed in range(3):
        for n in range(2):
            one = at_each_point(networks.at([seed]), points[seed : seed + 1, n : n + 1])
            alone = hessian_norms(one, generator(7), tolerance=1e-13)
            assert_close(alone.eigenvalue[0, 0], together.eigenvalue[seed, n], rtol=1e-11, atol=0)
            assert_close(alone.upper[0, 0], together.upper[seed, n], rtol=1e-8, atol=0)


def test_several_points_take_the_plain_operator():
    networks = networks_of("connected")
    points = points_of(networks, 4)
    one = forward(networks, points)
    objective = Objective(3, one.preactivations[-1] - 1, torch.ones_like(one.preactivations[-1]))
    found = hessian_norms(backward(one, objective), generator())
    for seed in range(2):
        loss = dense(networks, seed, points[seed], lambda z: (z - 1).square().sum() / 2)
        norm = torch.linalg.eigvalsh(loss).abs().max()
        assert_close(found.eigenvalue[seed, 0].abs(), norm, rtol=1e-10, atol=0)
        assert norm * (1 - 1e-12) <= found.upper[seed, 0] <= norm * (1 + 1e-6)


def test_the_bound_with_a_probability_is_kept_and_useful():
    networks = draw(fully_connected([8, 60, 60, 1]), 8, generator(2))
    found = at_each_point(networks, points_of(networks, 4))
    exact = hessian_norms(found, generator(3))
    chance = hessian_norms(found, generator(4), certificate="probability", steps=100, failure=1e-3)
    assert chance.steps == 100
    assert bool((chance.upper >= exact.lower).all())
    assert bool((chance.upper <= 1.1 * exact.upper).all())
    assert chance.certificate == "probability"
    assert exact.failure == 0.0
    # three steps can say nothing
    few = hessian_norms(found, generator(5), certificate="probability", steps=3)
    assert bool(torch.isinf(few.upper).all())


def test_the_bound_with_a_probability_covers_what_few_steps_miss():
    networks = draw(fully_connected([8, 60, 60, 1]), 16, generator(2))
    found = at_each_point(networks, points_of(networks, 4))
    exact = hessian_norms(found, generator(3)).lower
    operator, start = PointHessians(found).isotropic(generator(6))
    ritz = lanczos(operator, start, steps=8, tolerance=None)
    assert bool((ritz.value.abs() < exact * (1 - 1e-6)).any())  # there is something to cover
    missed = ritz.missed(operator.dimension, 0.9)
    assert bool(torch.isfinite(missed).all())
    assert (ritz.value.abs() + missed >= exact).double().mean() >= 0.1


def test_a_certificate_is_not_given_below_the_norm():
    for seed in range(20):
        matrix = torch.randn(30, 30, generator=generator(seed)).double()
        matrix = matrix + matrix.mT
        norm = torch.linalg.eigvalsh(matrix).abs().max().item()
        assert norm * (1 - 1e-14) <= certified_norm(matrix, norm) <= norm * (1 + 1e-6)
        for guess in (0.2 * norm, 0.9 * norm, 3 * norm):
            assert certified_norm(matrix, guess) >= norm


def test_large_operators_fall_back_and_linear_ones_are_zero():
    networks = networks_of("connected")
    found = at_each_point(networks, points_of(networks))
    assert hessian_norms(found, generator(), dense_size=5).certificate == "probability"
    first = at_each_point(networks, points_of(networks), layer=1)
    zero = hessian_norms(first, generator())
    assert not zero.eigenvalue.any()
    assert not zero.upper.any()
    assert not zero.leading().any()
    with pytest.raises(ValueError, match="guess"):
        hessian_norms(found, generator(), certificate="guess")
