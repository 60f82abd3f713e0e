"""Runs of gradient descent: kernels that are known, and what stops a run."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import torch

from numerics.curvature.passes import forward
from numerics.curvature.products import tangent_kernels
from numerics.curvature.square_loss import SquareLoss
from numerics.curvature.wirings import generator_of
from numerics.training import after, descent
from verify.core.experiment import Setting
from verify.papers.registry import find
from verify.papers.zlb22 import descent_in_ball, kernel_figure
from verify.papers.zlb22.training_runs import (
    CHANGE,
    DISTANCE,
    EIGENVALUE,
    REACHED,
    SMALL,
    data_points,
    descended,
    eigenvalue_change,
    kernel_change,
    networks_of,
    path_length,
)


def test_data_do_not_move():
    for name in ("digits", "made"):
        points, labels = data_points(name, 6)
        assert points.shape[0] == labels.shape[0] == 6
        assert float(points.abs().max()) <= 1
        assert sorted(set(labels.tolist())) == [-1, 1]
        assert bool((data_points(name, 6)[0] == points).all())


def test_networks_are_of_the_kind_that_is_asked_for():
    own = generator_of(np.random.default_rng(0))
    dropped = networks_of("dropped", 16, 8, 3, own)
    assert all(mask is not None for mask in dropped.masks)
    assert 0.3 < float(dropped.masks[1].mean()) < 0.7
    assert networks_of("fcn", 16, 8, 3, own).masks[1] is None
    assert networks_of("fcn", 16, 8, 1, own, depth=2, output="tanh").architecture.depth == 2
    with pytest.raises(ValueError, match="family 'x'"):
        networks_of("x", 16, 8, 3, own)


def test_of_a_linear_network_the_kernel_moves_as_its_law_says():
    """f = v.u x / sqrt(m) at one point: K^2 - (4 x^2 / m) f^2 is conserved by the gradient flow, so
    that K changes by about 1/m, not by 1/sqrt(m)."""
    own = generator_of(np.random.default_rng(0))
    networks = networks_of("fcn", 32, 1, 4, own, depth=2, activation="linear")
    x, y = torch.ones(1, 1, dtype=torch.float64), torch.tensor([2.0], dtype=torch.float64)

    def law(nets):
        kernel = tangent_kernels(nets, x).flatten()
        value = forward(nets, x).neurons[-1].flatten()
        return kernel**2 - 4 * value**2 / 32, kernel

    before, kernel = law(networks)
    loss = SquareLoss(networks, x, y)
    (end,) = after(4000, descent(loss.gradients, [networks.flat()], 0.001))
    kept, last = law(networks.with_flat(end))
    assert float(loss.values(end).max()) < 1e-5
    assert kept.numpy() == pytest.approx(before.numpy(), rel=1e-3)
    assert float((last - kernel).abs().min()) > 1e-3  # and it has moved


def test_a_run_stops_when_the_loss_is_small():
    own = generator_of(np.random.default_rng(1))
    points, labels = data_points("made", 2)
    networks = networks_of("fcn", 64, 8, 3, own, depth=2)
    found = descended(networks, points, labels, 2000)
    assert float(found["loss"].max()) < SMALL
    assert bool((found["least"] > 0).all())
    assert bool((found["distance"] > 0.1).all())
    short = descended(networks, points, labels, 1)
    assert float(short["loss"].min()) > SMALL
    assert bool((short["distance"] < found["distance"]).all())


def test_figure_2_on_small_networks():
    found = {
        width: kernel_change("made", 2, 100, width, 8, np.random.default_rng(0))[CHANGE]
        for width in (32, 128)
    }
    assert np.log(found[128]).mean() < np.log(found[32]).mean() - 0.3


def test_the_arms_of_the_figure():
    assert [len(kernel_figure.runs(scale)) for scale in range(3)] == [1, 1, 3]
    measured = find("zlb22.fig2@A").exponents
    for family in measured.families(1):
        assert isinstance(family.values, partial)
    (said,) = measured.predicted
    assert said.along
    assert said.borders == (Fraction(-5, 8), Fraction(-3, 8))
    assert said.holds(-0.55, -0.45)
    assert said.holds(-1.1, -0.9) is False


def test_the_length_of_a_path():
    found = path_length("fcn", "linear", 32, 4, np.random.default_rng(0))
    assert (found[DISTANCE] > 1).all()
    assert (found[REACHED] < 1).all()  # below that of a flow under PL* with lambda_min at the start


def test_convergence_is_seen_and_its_absence():
    setting = Setting(seed=3, scale=0, device="cpu")
    measured = descent_in_ball.convergence(setting)
    assert measured.agrees
    assert measured.instances == 12
    assert not descent_in_ball.convergence(setting, steps=20).agrees
    assert [len(descent_in_ball.runs(scale)) for scale in range(3)] == [2, 4, 4]


def test_the_smallest_eigenvalue_moves_less_than_its_bound():
    """Of a linear network |K - K_0| is at most 2 |J| R |H| + (R |H|)^2 with |H| = |x| / sqrt(m)."""
    own = generator_of(np.random.default_rng(0))
    points, labels = data_points("made", 4)
    networks = networks_of("fcn", 32, 8, 4, own, depth=2, activation="linear")
    found = descended(networks, points, labels, 200)
    largest = torch.linalg.eigvalsh(tangent_kernels(networks, points))[:, -1].sqrt()
    # |H_f| = |x| / (sqrt m sqrt d0) at each point, and R h sqrt n for the four of them
    h = points.norm(dim=1).max() / (32 * 8) ** 0.5
    reach = 2 * found["distance"] * h
    assert bool((found["moved least"] > 0).all())
    assert bool((found["moved least"] <= reach * (2 * largest + reach)).all())
    ratio = eigenvalue_change("fcn", "linear", 32, 4, np.random.default_rng(0))[EIGENVALUE]
    assert ratio == pytest.approx((found["moved least"] / h).numpy(), rel=0.05)
