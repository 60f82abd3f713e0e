import numpy as np
import pytest
import torch

from numerics.layered.initial import gaussian
from numerics.layered.layers import Convolution, Dense
from numerics.layered.matrices import (
    representation,
)
from numerics.layered.network import LayeredNetwork


def test_representation_of_a_convolution_has_the_printed_shape():
    net = LayeredNetwork((3, 5, 5), [Convolution(4, 2)])
    weights = gaussian(net, 2, np.random.default_rng(0))
    found = representation(net, weights, 1)
    kernel = net.views(weights)["1.K"]
    assert found.shape == (2, 3, 4 * 4)
    assert float(found[1, 2, 1 * 4 + 3]) == float(kernel[1, 3, 2, 0, 1])


def test_gaussian_weights_have_the_deviation_that_is_said():
    net = LayeredNetwork((4, 6, 6), [Convolution(8, 3), Dense(50)])
    views = net.views(gaussian(net, 20, np.random.default_rng(0), gain=2.0))
    for name, fan in (("1.K", 36), ("2.W", 128)):
        assert float(views[name].std()) == pytest.approx(2 / fan**0.5, rel=0.03)
    again = gaussian(net, 20, np.random.default_rng(0), gain=2.0)
    assert torch.equal(net.views(again)["1.K"], views["1.K"])
