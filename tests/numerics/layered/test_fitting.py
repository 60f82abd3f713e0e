import pytest
import torch
from hypothesis import given, settings

from graphs.activations import leaky_relu
from numerics.layered.fitting import Fit, Options, fit
from numerics.layered.initial import kaiming
from numerics.layered.network import perceptron
from numerics.training import Ending
from tests.numerics.layered.drawn_layers import drawn_problems

needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")


@settings(max_examples=40)
@given(drawn_problems())
def test_the_gradient_is_that_of_autograd(drawn):
    problem = Fit(drawn.net, drawn.problem.inputs, drawn.problem.labels, 0.5)
    flat = drawn.weights.clone().requires_grad_()
    loss = problem.costs(flat) + 0.1 * flat.square().sum(dim=1)
    (wanted,) = torch.autograd.grad(loss.sum(), flat)
    value, gradient = problem.gradient(flat.detach(), 0.1)
    torch.testing.assert_close(value, loss.detach())
    torch.testing.assert_close(gradient, wanted)


def doubles(*rows):
    return torch.tensor(rows, dtype=torch.float64)


@pytest.mark.parametrize(("reading", "factor"), [("A", 1.0), ("B", 0.5), ("C", 1.0)])
def test_ridge_regression_by_hand(reading, factor):
    options = Options(0.5, reading, adam=50, tolerance=1e-10)
    net, targets = perceptron([1, 1]), doubles([2.0], [-2.0])
    found = fit(net, doubles([0.3, 0.0]), doubles([1.0], [-1.0]), targets, options)
    # factor (w - 2)^2 + w^2 / 2
    assert float(found.weights[0, 0]) == pytest.approx(4 * factor / (2 * factor + 1), abs=1e-8)
    assert found.endings == (Ending.CONVERGED,)


def test_a_chain_ends_at_the_representation_cost():
    # two factors of one number: (w v - 1)^2 + 0.1 (w^2 + v^2) is least at w v = 0.9
    net, data = perceptron([1, 1, 1], leaky_relu("999/1000")), doubles([1.0], [-1.0])
    start = kaiming(net, 6, torch.Generator().manual_seed(0))
    found = fit(net, start, data, data, Options(0.1, adam=500, tolerance=1e-8))
    ends = found.norms[found.costs < 0.5]
    assert len(ends)
    assert ends.tolist() == pytest.approx([1.8] * len(ends), abs=0.01)


def drawn(count, *widths):
    generator = torch.Generator().manual_seed(1)
    net = perceptron(widths)
    inputs, targets = (torch.randn(8, n, generator=generator).double() for n in (3, 2))
    return net, kaiming(net, count, generator), inputs, targets


def test_batched_is_one_by_one_and_the_same_again():
    net, start, inputs, targets = drawn(3, 3, 5, 2)
    options = Options(0.01, adam=30, lbfgs=10)
    whole = fit(net, start, inputs, targets, options)
    assert torch.equal(fit(net, start, inputs, targets, options).norms, whole.norms)
    for c in range(3):
        alone = fit(net, start[[c]], inputs, targets, options)
        torch.testing.assert_close(alone.norms[0], whole.norms[c], rtol=1e-6, atol=1e-9)


def test_endings_tell_what_happened():
    net, start, inputs, targets = drawn(2, 3, 5, 2)
    start[1] = torch.inf
    found = fit(net, start, inputs, targets, Options(0.01, adam=2, lbfgs=1))
    assert found.endings == (Ending.BUDGET, Ending.DIVERGED)
    with pytest.raises(ValueError, match="reading"):
        Options(0.01, reading="D")
    with pytest.raises(ValueError, match="targets"):
        fit(net, start, inputs, targets[:, :1], Options(0.01))


@needs_cuda
def test_a_device_gives_the_same():
    net, start, inputs, targets = drawn(3, 3, 20, 20, 2)
    options = Options(0.01, adam=50, lbfgs=0)
    there = fit(net, start.cuda(), inputs, targets, options)
    here = fit(net, start, inputs, targets, options)
    torch.testing.assert_close(there.norms.cpu(), here.norms, rtol=1e-8, atol=1e-10)
