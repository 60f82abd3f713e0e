import pytest
import torch
from torch.testing import assert_close

from numerics.curvature.square_loss import SquareLoss
from tests.numerics.curvature.drawn import networks_of, plain, points_of


@pytest.mark.parametrize("neurons", [False, True])
def test_values_and_gradients_are_those_of_autograd(neurons):
    networks = networks_of("nonlinear_output", dropped=True)
    points, targets = points_of(networks, 3), torch.tensor([0.5, -0.5, 0.1]).double()
    loss = SquareLoss(networks, points, targets, neurons)
    values, (gradients,) = loss.values(networks.flat()), loss.gradients([networks.flat()], 0)
    for seed in range(2):
        flat = networks.flat()[seed].clone().requires_grad_()
        outputs = plain(networks, seed, flat, points[seed], neurons=neurons)[:, 0]
        wanted = (outputs - targets).square().sum() / 2
        assert_close(values[seed], wanted.detach())
        assert_close(gradients[seed], torch.autograd.grad(wanted, flat)[0])
