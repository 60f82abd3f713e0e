import pytest
import torch
from hypothesis import given

from numerics.deep.families import gaussian
from numerics.deep.networks import DeepNetworks, from_flat
from numerics.deep.passes import layers
from tests.numerics.deep.drawn import drawn_networks, value

needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")


@given(drawn_networks())
def test_values_are_those_of_a_plain_pass(case):
    networks, points = case
    found = layers(networks, points).outputs
    for c in range(networks.count):
        for n in range(2):
            torch.testing.assert_close(found[c, n], value(networks, c, points[c, n]))


@given(drawn_networks())
def test_flat_parameters_make_the_same_networks(case):
    networks, points = case
    again = from_flat(networks.flat(), networks.widths, networks.slopes)
    assert torch.equal(layers(again, points).outputs, layers(networks, points).outputs)


def test_the_slope_at_a_pre_activation_0_is_1():
    one = torch.ones(1, 1, 1, dtype=torch.float64)
    zero = torch.zeros(1, 1, dtype=torch.float64)
    networks = DeepNetworks((one, one), (zero, zero), torch.zeros(1, dtype=torch.float64))
    assert layers(networks, torch.zeros(1, 1)).slopes[0].item() == 1


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
    networks = gaussian([3, 20, 20, 2], 10, generator, biases=0.3, slopes=0.2)
    points = torch.randn(4, 3, generator=generator, dtype=torch.float64)
    there = layers(networks.to("cuda"), points.to("cuda")).outputs.cpu()
    torch.testing.assert_close(there, layers(networks, points).outputs, rtol=1e-10, atol=1e-12)
