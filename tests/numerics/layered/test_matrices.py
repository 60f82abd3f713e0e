import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graphs.activations import LINEAR, RELU
from numerics.layered.initial import balanced, gaussian
from numerics.layered.layers import Convolution, Dense, Residual
from numerics.layered.matrices import (
    balance_rates,
    incoming,
    interfaces,
    outgoing,
    representation,
    skip,
)
from numerics.layered.network import LayeredNetwork
from numerics.layered.problem import Problem
from numerics.losses import LOGISTIC
from tests.numerics.layered.drawn_layers import drawn_problems, layered_networks


def equal_by_the_theorem(net, pair):
    """Inside of every block; else where both layers have all their weights free."""
    free = [not (isinstance(k, Residual) and k.variant != "free") for k in net.layers]
    return pair.within or (free[pair.layer - 1] and free[pair.layer])


LINEAR_NETWORKS = layered_networks(activations=st.just(LINEAR))


@given(drawn_problems(LINEAR_NETWORKS))
def test_balances_of_linear_layers_do_not_change_along_the_flow(drawn):
    """Theorem 1 for layers of every kind, with the flattenings that it prints."""
    velocity = -drawn.problem.gradient(drawn.weights)
    found = balance_rates(drawn.net, drawn.weights, velocity)
    size = max(1.0, float(drawn.weights.abs().max() * velocity.abs().max()))
    for pair, rate in zip(interfaces(drawn.net, drawn.weights), found, strict=True):
        assert rate.shape == pair.balance.shape
        if equal_by_the_theorem(drawn.net, pair):
            assert float(rate.abs().max()) <= 1e-11 * size


@given(drawn_problems(LINEAR_NETWORKS))
def test_the_rate_of_a_balance_is_its_derivative(drawn):
    step = 1e-4
    velocity = drawn.weights.flip(1)
    ahead = interfaces(drawn.net, drawn.weights + step * velocity)
    behind = interfaces(drawn.net, drawn.weights - step * velocity)
    rates = balance_rates(drawn.net, drawn.weights, velocity)
    for a, b, rate in zip(ahead, behind, rates, strict=True):
        found = (a.balance - b.balance) / (2 * step)  # exact for quadratic forms
        assert torch.allclose(rate, found, rtol=1e-9, atol=1e-8)


def test_relu_breaks_the_balance():
    net = LayeredNetwork((2,), [Dense(3, RELU), Dense(1, LINEAR)])
    weights = gaussian(net, 1, np.random.default_rng(0))
    x = torch.tensor([[1.0, 0.5], [-1.0, 0.3]], dtype=torch.float64)
    y = torch.tensor([[1.0], [-1.0]], dtype=torch.float64)
    velocity = -Problem(net, x, y, LOGISTIC).gradient(weights)
    rate = balance_rates(net, weights, velocity)[0][0]
    assert float(rate.diagonal().abs().max()) < 1e-14
    assert float(rate.abs().max()) > 1e-3


def numbered(net):
    return torch.arange(1.0, net.parameter_count + 1, dtype=torch.float64)[None]


def test_flattenings_by_hand():
    net = LayeredNetwork((2, 3), [Convolution(1, 2), Convolution(2, 1), Dense(1)])
    weights = numbered(net)  # K1 = [[[1, 2], [3, 4]]], K2 = [[[5]], [[6]]], W = [[7, ..., 10]]
    assert representation(net, weights, 1)[0].tolist() == [[1, 2], [3, 4]]
    assert incoming(net, weights, 1)[0].tolist() == [[1, 2, 3, 4]]
    assert outgoing(net, weights, 2)[0].tolist() == [[5], [6]]
    assert incoming(net, weights, 2)[0].tolist() == [[5], [6]]
    assert outgoing(net, weights, 3)[0].tolist() == [[7, 9], [8, 10]]
    assert representation(net, weights, 3)[0].tolist() == [[7, 8, 9, 10]]


def test_matrices_of_blocks_by_hand():
    net = LayeredNetwork((2,), [Residual("free", 1, 1), Residual("diagonal", 1), Dense(1)])
    weights = numbered(net)
    assert incoming(net, weights, 1)[0].tolist() == [[3, 4, 5]]  # [U Z]
    assert representation(net, weights, 1)[0].tolist() == [[3, 4, 5]]
    assert outgoing(net, weights, 1)[0].tolist() == [[1, 2], [4, 5]]  # Y above Z
    assert incoming(net, weights, 2)[0].tolist() == [[7, 8]]
    same = LayeredNetwork((2,), [Residual("identity", 1)])
    assert incoming(same, numbered(same), 1)[0].tolist() == [[3, 1, 0], [4, 0, 1]]
    with pytest.raises(ValueError, match="only residual blocks"):
        skip(net, weights, 3)


def test_representation_of_a_convolution_has_the_printed_shape():
    net = LayeredNetwork((3, 5, 5), [Convolution(4, 2)])
    weights = gaussian(net, 2, np.random.default_rng(0))
    found = representation(net, weights, 1)
    kernel = net.views(weights)["1.K"]
    assert found.shape == (2, 3, 4 * 4)
    assert float(found[1, 2, 1 * 4 + 3]) == float(kernel[1, 3, 2, 0, 1])


def test_balanced_weights_are_balanced_and_gaussian_ones_are_not():
    net = LayeredNetwork((3,), [Dense(4, LINEAR), Dense(2, LINEAR), Dense(1, LINEAR)])
    for pair in interfaces(net, balanced(net, 2, np.random.default_rng(1), 0.5)):
        assert float(pair.balance.abs().max()) < 1e-15
    for pair in interfaces(net, gaussian(net, 2, np.random.default_rng(1), 0.5)):
        assert float(pair.balance.abs().max()) > 1e-3
    with pytest.raises(ValueError, match="not fully connected"):
        balanced(LayeredNetwork((2,), [Residual("free", 1)]), 1, np.random.default_rng(0), 1.0)


def test_gaussian_weights_have_the_deviation_that_is_said():
    net = LayeredNetwork((4, 6, 6), [Convolution(8, 3), Dense(50)])
    views = net.views(gaussian(net, 20, np.random.default_rng(0), gain=2.0))
    for name, fan in (("1.K", 36), ("2.W", 128)):
        assert float(views[name].std()) == pytest.approx(2 / fan**0.5, rel=0.03)
    again = gaussian(net, 20, np.random.default_rng(0), gain=2.0)
    assert torch.equal(net.views(again)["1.K"], views["1.K"])
