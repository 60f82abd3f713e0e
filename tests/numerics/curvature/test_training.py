import pytest
import torch
from torch.testing import assert_close

from numerics.curvature.architectures import fully_connected
from numerics.curvature.networks import draw, draw_masks
from numerics.curvature.norms import hessian_norms
from numerics.curvature.passes import at_each_point
from numerics.curvature.products import jacobian
from numerics.curvature.training import train
from tests.numerics.curvature.drawn import generator, networks_of, plain, points_of


@pytest.mark.parametrize("neurons", [False, True])
def test_training_is_gradient_descent(neurons):
    networks = networks_of("nonlinear_output", dropped=True)
    points, targets = points_of(networks, 3), torch.tensor([0.5, -0.5, 0.1]).double()
    found = train(networks, points, targets, rate=0.1, steps=7, every=3, neurons=neurons)
    assert found.looks == (0, 3, 6, 7)
    for seed in range(2):
        flat = networks.flat()[seed].clone()
        for t in range(8):
            flat.requires_grad_()
            values = plain(networks, seed, flat, points[seed], neurons=neurons)[:, 0]
            loss = (values - targets).square().sum() / 2
            if t in found.looks:
                here = found.looks.index(t)
                assert_close(found.losses[here, seed], loss.detach())
            if t < 7:
                flat = (flat - 0.1 * torch.autograd.grad(loss, flat)[0]).detach()
        assert_close(found.networks.flat()[seed], flat.detach())
        distance = (flat.detach() - networks.flat()[seed]).norm()
        assert_close(found.distances[-1, seed], distance)
    assert bool((found.losses[-1] < found.losses[0]).all())


def test_kernel_changes_and_hessian_norms_along_training():
    networks = draw(fully_connected([4, 12, 1]), 2, generator())
    points, targets = points_of(networks, 3), torch.tensor([1.0, -1.0, 1.0]).double()
    found = train(networks, points, targets, rate=0.2, steps=20, hessians=generator(1))
    assert not found.kernel_changes[0].any()
    for seed in range(2):
        kernels = [
            rows @ rows.T
            for rows in (jacobian(n, points)[seed] for n in (networks, found.networks))
        ]
        wanted = torch.linalg.eigvalsh(kernels[1] - kernels[0]).abs().max()
        wanted = wanted / torch.linalg.eigvalsh(kernels[0]).max()
        assert_close(found.kernel_changes[-1, seed], wanted)
    singles = hessian_norms(at_each_point(found.networks, points), generator(9))
    wanted = singles.eigenvalue.abs().amax(dim=1)
    assert_close(found.hessian_norms[-1], wanted, rtol=1e-3, atol=0)


def test_wider_dense_networks_change_less():
    changes = []
    for width in (8, 128):
        architecture = fully_connected([4, width, width, 1])
        masks = draw_masks(architecture, 4, 0.5, generator(width))
        networks = draw(architecture, 4, generator(width), masks=masks)
        targets = torch.tensor([1.0, -1.0]).double()
        found = train(networks, points_of(networks, 2), targets, rate=0.2, steps=40)
        changes.append(found.kernel_changes.amax(dim=0).log().mean())
    assert changes[0] - changes[1] > 0.5
