import pytest
import torch
from torch.testing import assert_close

from numerics.curvature.training import train
from tests.numerics.curvature.drawn import networks_of, plain, points_of


@pytest.mark.parametrize("neurons", [False, True])
def test_training_is_gradient_descent(neurons):
    networks = networks_of("nonlinear_output", dropped=True)
    points, targets = points_of(networks, 3), torch.tensor([0.5, -0.5, 0.1]).double()
    trained, first, last = train(networks, points, targets, rate=0.1, steps=7, neurons=neurons)
    for seed in range(2):
        flat = networks.flat()[seed].clone()
        losses = []
        for _ in range(8):
            flat.requires_grad_()
            values = plain(networks, seed, flat, points[seed], neurons=neurons)[:, 0]
            losses.append((values - targets).square().sum() / 2)
            end = flat.detach()
            flat = (flat - 0.1 * torch.autograd.grad(losses[-1], flat)[0]).detach()
        assert_close(trained.flat()[seed], end)
        assert_close(first[seed], losses[0].detach())
        assert_close(last[seed], losses[-1].detach())
    assert bool((last < first).all())
