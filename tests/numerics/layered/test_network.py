import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional

from graphs.activations import TANH
from graphs.errors import NetworkError
from numerics.layered.layers import Convolution, Dense
from numerics.layered.network import LayeredNetwork, perceptron
from tests.numerics.layered.drawn_layers import drawn_problems

needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")


def assert_close(found, wanted, scale=1.0):
    size = max(float(wanted.abs().max()), scale) if wanted.numel() else scale
    assert found.shape == wanted.shape
    assert torch.allclose(found, wanted, rtol=0, atol=1e-12 * size)


@given(drawn_problems())
def test_gradients_are_those_of_autograd(drawn):
    """At a kink autograd has another convention; of normal weights none lies there."""
    weights = drawn.weights.clone().requires_grad_()
    margins = drawn.problem.labels * drawn.net.forward(weights, drawn.problem.inputs).outputs
    loss = {
        "logistic": lambda z: functional.softplus(-z, threshold=50),
        "exponential": lambda z: torch.exp(-z),
        "squared": lambda z: (1 - z) ** 2,
    }[drawn.problem.loss.name]
    risk = loss(margins).sum(dim=2).mean(dim=1)
    (wanted,) = torch.autograd.grad(risk.sum(), weights)
    assert_close(drawn.problem.risk(drawn.weights), risk.detach())
    assert_close(drawn.problem.gradient(drawn.weights), wanted)


@given(drawn_problems())
def test_an_instance_alone_gives_what_it_gives_in_the_batch(drawn):
    gradients = drawn.problem.gradient(drawn.weights)
    risks = drawn.problem.log_risk(drawn.weights)
    for b in range(len(drawn.weights)):
        one = drawn.problem.take(torch.tensor([b]))
        assert_close(one.gradient(drawn.weights[b : b + 1])[0], gradients[b])
        assert_close(one.log_risk(drawn.weights[b : b + 1])[0], risks[b])


@given(drawn_problems(), st.integers(0, 2**20))
def test_tangents_are_the_derivatives_of_preactivations(drawn, seed):
    generator = np.random.default_rng(seed)
    direction = torch.from_numpy(generator.standard_normal(tuple(drawn.weights.shape)))
    state = drawn.problem.state(drawn.weights)
    rates = drawn.net.tangent(drawn.weights, state, direction)
    slopes = drawn.net.pattern(state)
    step = 1e-6
    ahead = drawn.problem.state(drawn.weights + step * direction, slopes)
    behind = drawn.problem.state(drawn.weights - step * direction, slopes)
    for rate, a, b in zip(rates, ahead.pre, behind.pre, strict=True):
        size = max(1.0, *(float(t.abs().max()) for t in (a, rate)))
        assert torch.allclose(rate, (a - b) / (2 * step), rtol=0, atol=1e-7 * size**2)


@given(drawn_problems())
def test_the_pattern_of_a_point_gives_its_values_and_gradients(drawn):
    state = drawn.problem.state(drawn.weights)
    slopes = drawn.net.pattern(state)
    left, right = drawn.net.slope_pairs.unbind(dim=1)
    pre = drawn.net.at_kinks(state.pre)
    assert torch.equal(slopes, torch.where(pre < 0, left, right))
    frozen = drawn.problem.state(drawn.weights, slopes)
    assert torch.equal(frozen.outputs, state.outputs)
    assert torch.equal(
        drawn.problem.gradient(drawn.weights, slopes), drawn.problem.gradient(drawn.weights)
    )


def test_views_are_those_of_the_numbers():
    net = LayeredNetwork((1, 3), [Convolution(2, 2), Dense(2, bias=True), Dense(1)])
    weights = torch.arange(16.0, dtype=torch.float64)[None]
    assert net.shapes == {"1.K": (2, 1, 2), "2.W": (2, 4), "2.b": (2,), "3.W": (1, 2)}
    assert net.views(weights)["2.b"].tolist() == [[12, 13]]
    net.views(weights)["3.W"].mul_(2)
    assert weights[0, 14:].tolist() == [28, 30]


@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("padding", [0, 1])
@pytest.mark.parametrize("dilation", [1, 2])
@pytest.mark.parametrize("size", [(7,), (6, 5)])
def test_convolutions_are_those_of_torch(size, stride, padding, dilation):
    generator = np.random.default_rng(len(size))
    layer = Convolution(3, 2, stride, padding, dilation)
    net = LayeredNetwork((2, *size), [layer])
    weights = torch.from_numpy(generator.standard_normal((2, net.parameter_count)))
    inputs = torch.from_numpy(generator.standard_normal((4, net.inputs)))
    convolve = functional.conv1d if len(size) == 1 else functional.conv2d
    found = net.forward(weights, inputs).outputs
    for b in range(2):
        kernel = net.views(weights)["1.K"][b]
        wanted = convolve(
            inputs.view(4, 2, *size), kernel, stride=stride, padding=padding, dilation=dilation
        )
        assert_close(found[b], wanted.flatten(1))


def test_a_perceptron_by_hand():
    """3 relu(2 x + 1) - 1, and at a pre-activation 0 the slope right of it."""
    net = perceptron([1, 1, 1])
    weights = torch.tensor([[2.0, 1.0, 3.0, -1.0]], dtype=torch.float64)
    state = net.forward(weights, torch.tensor([[1.0], [-1.0], [-0.5]], dtype=torch.float64))
    assert state.outputs.flatten().tolist() == [8, -1, -1]
    assert net.pattern(state).flatten().tolist() == [1, 0, 1]
    found = net.backward(weights, state, torch.ones(1, 3, 1, dtype=torch.float64))
    assert found.tolist() == [[3 * (1 - 0.5), 6, 3, 3]]


@needs_cuda
@given(drawn_problems())
def test_cuda_equals_cpu(drawn):
    found = drawn.problem.to("cuda").gradient(drawn.weights.cuda()).cpu()
    assert_close(found, drawn.problem.gradient(drawn.weights))


def test_what_does_not_fit_is_named():
    with pytest.raises(ValueError, match="layer 2 is a convolution"):
        LayeredNetwork((2,), [Dense(3), Convolution(1, 2)])
    with pytest.raises(NetworkError, match=r"kernel \(2, 2\)"):
        LayeredNetwork((1, 5), [Convolution(1, (2, 2))])
    with pytest.raises(NetworkError, match="spans 4"):
        LayeredNetwork((1, 3), [Convolution(1, 4)])
    with pytest.raises(ValueError, match="tanh"):
        Dense(2, TANH)
    with pytest.raises(ValueError, match="width = 0"):
        Dense(0)
    net = LayeredNetwork((2,), [Dense(1)])
    with pytest.raises(ValueError, match=r"\(instances, 2\)"):
        net.forward(torch.zeros(1, 3, dtype=torch.float64), torch.zeros(1, 2))
    with pytest.raises(ValueError, match="float32"):
        net.forward(torch.zeros(1, 2, dtype=torch.float32), torch.zeros(1, 2))
    with pytest.raises(ValueError, match="inputs have shape"):
        net.forward(torch.zeros(2, 2, dtype=torch.float64), torch.zeros(3, 1, 2))
