import pytest
import torch
from hypothesis import given

from numerics.deep.families import mixed
from numerics.deep.networks import DeepNetworks, from_flat, stacked
from numerics.deep.passes import jacobians, layers, lower_jacobians, upper_jacobians, with_slopes
from tests.numerics.deep.drawn import drawn_networks, value

needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")


@given(drawn_networks())
def test_values_and_jacobians_are_those_of_autograd(case):
    networks, points = case
    found, jacobian = layers(networks, points).outputs, jacobians(networks, points)
    for c in range(networks.count):
        for n in range(2):
            x = points[c, n]
            wanted = torch.autograd.functional.jacobian(lambda p, c=c: value(networks, c, p), x)
            torch.testing.assert_close(found[c, n], value(networks, c, x))
            torch.testing.assert_close(jacobian[c, n], wanted)


@given(drawn_networks())
def test_every_layer_splits_the_jacobian(case):
    networks, points = case
    found = layers(networks, points)
    lower, upper = lower_jacobians(networks, found), upper_jacobians(networks, found)
    for below, above in zip(lower, with_slopes(upper, found), strict=True):
        torch.testing.assert_close(above @ below, lower[-1])
    torch.testing.assert_close(upper[0], lower[-1])


@given(drawn_networks())
def test_a_batch_is_its_networks(case):
    networks, points = case
    whole = jacobians(networks, points)
    parts = [jacobians(networks.at([c]), points[c : c + 1]) for c in range(networks.count)]
    torch.testing.assert_close(torch.cat(parts), whole, rtol=1e-12, atol=1e-14)


@given(drawn_networks())
def test_flat_parameters_make_the_same_networks(case):
    networks, points = case
    again = from_flat(networks.flat(), networks.widths, networks.slopes)
    assert torch.equal(jacobians(again, points), jacobians(networks, points))
    twice = stacked([networks, again])
    assert twice.count == 2 * networks.count
    assert torch.equal(networks.squared_norms().sum(1), networks.flat().square().sum(1)) or (
        networks.squared_norms().sum(1) - networks.flat().square().sum(1)
    ).abs().max() < 1e-12 * (1 + networks.flat().square().sum())


def test_the_slope_at_a_pre_activation_0_is_1():
    one = torch.ones(1, 1, 1, dtype=torch.float64)
    zero = torch.zeros(1, 1, dtype=torch.float64)
    networks = DeepNetworks((one, one), (zero, zero), torch.zeros(1, dtype=torch.float64))
    assert jacobians(networks, torch.zeros(1, 1)).item() == 1


def test_shapes_that_do_not_fit_are_named():
    one = torch.ones(1, 2, 3, dtype=torch.float64)
    with pytest.raises(ValueError, match="layer 2"):
        DeepNetworks((one, one), (one[:, :, 0], one[:, :, 0]), torch.zeros(1).double())
    with pytest.raises(ValueError, match="float64"):
        DeepNetworks((one.float(),), (one[:, :, 0],), torch.zeros(1).double())
    networks = DeepNetworks((one,), (one[:, :, 0],), torch.zeros(1).double())
    with pytest.raises(ValueError, match="3 inputs"):
        layers(networks, torch.zeros(4, 2))


@needs_cuda
def test_a_device_gives_the_same():
    generator = torch.Generator().manual_seed(1)
    networks = mixed([3, 20, 20, 2], 10, generator)
    points = torch.randn(4, 3, generator=generator, dtype=torch.float64)
    there = jacobians(networks.to("cuda"), points.to("cuda")).cpu()
    torch.testing.assert_close(there, jacobians(networks, points), rtol=1e-10, atol=1e-12)
