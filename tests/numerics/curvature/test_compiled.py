import numpy as np
import pytest
import torch
from torch.testing import assert_close

from numerics.curvature.families import densenet_drop, fcn, random_dag
from numerics.curvature.lanczos import lanczos
from numerics.curvature.norms import hessian_norms, leading
from numerics.curvature.operators import FullHessians
from numerics.curvature.passes import Objective, at_each_point, backward, forward
from numerics.curvature.point_operators import PointHessians
from numerics.curvature.products import hessian_products, hessians
from numerics.curvature.variations import skip
from numerics.curvature.wirings import points
from tests.numerics.curvature.drawn import architectures, generator, networks_of, points_of

compiled = pytest.importorskip("numerics.curvature.compiled", reason="needs numba")
tridiagonal = pytest.importorskip("numerics.curvature.tridiagonal", reason="needs numba")
kernels = pytest.importorskip("numerics.curvature.kernels", reason="needs numba")

EVERY = [(name, dropped) for name in architectures() for dropped in (False, True)]


@pytest.mark.parametrize(("name", "dropped"), EVERY)
@pytest.mark.parametrize("neurons", [False, True])
def test_norms_are_those_of_dense_hessians(name, dropped, neurons):
    networks = networks_of(name, count=3, dropped=dropped)
    for layer, width in enumerate(networks.architecture.widths[1:], 1):
        found = at_each_point(
            networks, points_of(networks, 2), layer=layer, vertex=width - 1, neurons=neurons
        )
        operator = PointHessians(found)
        ritz = compiled.compiled_lanczos(operator, operator.start(generator(layer)), tolerance=1e-9)
        wanted = torch.linalg.matrix_norm(hessians(found), ord=2)
        assert_close(ritz.value.abs(), wanted, rtol=1e-11, atol=1e-14)
        assert bool((ritz.residual <= 1e-7 * wanted + 1e-14).all())


def large():
    return {
        "fcn": fcn(40, depth=4),
        "several": fcn(24, outputs=5, output="tanh"),
        "dropped": densenet_drop(30, 2, generator(), depth=4),
        "random": random_dag(16, 2, generator(), most=1.5),
        "skips": skip(fcn(20, depth=5), "random", generator(2)),
        "before": skip(fcn(20, depth=5), "index", skip_from="preactivations"),
    }


@pytest.mark.parametrize("name", large())
def test_lanes_agree_with_torch_and_have_eigenvectors(name):
    networks = large()[name].draw(2, generator(3))
    found = at_each_point(networks, points(8, 3))
    operator = PointHessians(found)
    start = operator.start(generator(4))
    one = compiled.compiled_lanczos(operator, start, tolerance=1e-7)
    two = lanczos(operator, start, tolerance=1e-12)
    assert_close(one.value, two.value, rtol=1e-10, atol=0)
    assert bool((one.residual <= 2e-7 * one.value.abs()).all())
    weights = operator.weights_of(one.vectors)
    assert_close(weights.norm(dim=2), torch.ones(2, 3).double(), rtol=1e-9, atol=0)
    rest = hessian_products(found, weights) - one.value[..., None] * weights
    assert_close(rest.norm(dim=2), one.residual, rtol=1e-3, atol=1e-13)
    assert one.steps < two.steps


def test_a_lane_does_not_depend_on_the_others():
    networks = networks_of("dense", count=3, dropped=True)
    x = points_of(networks, 2)
    operator = PointHessians(at_each_point(networks, x))
    start = operator.start(generator(5))
    together = compiled.compiled_lanczos(operator, start)
    for seed in range(3):
        alone = PointHessians(at_each_point(networks.at([seed]), x[seed : seed + 1, 1:]))
        single = compiled.compiled_lanczos(alone, start[seed : seed + 1, 1:])
        assert torch.equal(single.vectors[0, 0], together.vectors[seed, 1])
        assert single.value[0, 0] == together.value[seed, 1]


@pytest.mark.parametrize("neurons", [False, True])
def test_a_loss_at_one_point(neurons):
    networks = networks_of("nonlinear_output")
    one = forward(networks, points_of(networks, 1))
    outputs = one.neurons[-1] if neurons else one.preactivations[-1]
    objective = Objective(2, outputs - 1, 3 + outputs**2, neurons)
    found = backward(one, objective)
    ritz = leading(PointHessians(found), generator(1), tolerance=1e-9)
    wanted = torch.linalg.matrix_norm(hessians(found), ord=2)
    assert_close(ritz.value.abs(), wanted, rtol=1e-11, atol=0)


def test_a_hessian_of_zero():
    networks = networks_of("connected")
    operator = PointHessians(at_each_point(networks, points_of(networks), layer=1))
    ritz = compiled.compiled_lanczos(operator, operator.start(generator(1)))
    assert not ritz.value.any()
    assert not ritz.residual.any()


def test_what_takes_which_route():
    networks = fcn(12).draw(2, generator(1))
    found = at_each_point(networks, points(8, 2))
    short = leading(PointHessians(found), generator(2), tolerance=1e-9)
    full = leading(FullHessians(found), generator(2), tolerance=1e-9)
    assert_close(short.value, full.value, rtol=1e-10, atol=0)
    assert hessian_norms(found, generator(2)).steps < 200


@pytest.mark.parametrize("size", [1, 2, 3, 8, 60])
def test_tridiagonal_matrices_have_the_eigenvalues_of_lapack(size):
    numbers = np.random.default_rng(size)
    for kind in range(4):
        alphas, betas = numbers.standard_normal(size), numbers.standard_normal(size)
        if kind == 1:
            alphas[:] = 0.0  # symmetric about 0
        if kind == 2:
            betas[size // 2 :] = 0.0  # falls apart
        if kind == 3:
            betas *= 1e-9 ** np.linspace(0, 1, size)
        matrix = np.diag(alphas) + np.diag(betas[: size - 1], 1) + np.diag(betas[: size - 1], -1)
        values = np.linalg.eigvalsh(matrix)
        scale = np.abs(values).max() + 1e-300
        for number in (1, size):
            vector = np.zeros(size)
            value = tridiagonal.end_of_spectrum(alphas, betas, size, number, vector)
            assert abs(value - values[number - 1]) < 1e-13 * scale * size
            assert abs(np.linalg.norm(vector) - 1) < 1e-13
            assert np.linalg.norm(matrix @ vector - value * vector) < 1e-12 * scale * size


def test_the_next_look_follows_the_fall_of_the_residual():
    # a factor ten in four steps: three more factors take twelve, too far ahead
    assert kernels._next_look(20, 16, 1e-3, 1e-2, 1e-6) == 26
    assert kernels._next_look(20, 16, 1e-5, 1e-4, 1e-6) == 24
    assert kernels._next_look(8, 0, 0.5, 0.0, 1e-6) == 12
    assert kernels._next_look(30, 24, 0.5, 0.4, 1e-6) == 40
    assert kernels._next_look(20, 16, 2e-6, 1e-2, 1e-6) == 22
