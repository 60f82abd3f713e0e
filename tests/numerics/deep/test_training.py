import pytest
import torch
from hypothesis import given, settings

from numerics.deep.families import gaussian
from numerics.deep.networks import DeepNetworks
from numerics.deep.training import Options, Problem, Status, train
from tests.numerics.deep.drawn import drawn_networks

needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")


@settings(max_examples=40)
@given(drawn_networks())
def test_the_gradient_is_that_of_autograd(case):
    networks, points = case
    targets = torch.ones(networks.count, 2, networks.widths[-1], dtype=torch.float64)
    problem = Problem(networks.widths, networks.slopes, points, targets, 0.1, 0.5)
    flat = networks.flat().requires_grad_()
    loss = problem.costs(flat) + 0.1 * flat.square().sum(dim=1)
    (wanted,) = torch.autograd.grad(loss.sum(), flat)
    value, gradient = problem.loss_and_gradient(flat.detach())
    torch.testing.assert_close(value, loss.detach())
    torch.testing.assert_close(gradient, wanted)


def one_layer(slope=0.0):
    weight = torch.tensor([[[0.3]]]).double()
    return DeepNetworks((weight,), (torch.zeros(1, 1).double(),), torch.tensor([slope]).double())


@pytest.mark.parametrize(("reading", "factor"), [("A", 1.0), ("B", 0.5), ("C", 1.0)])
def test_ridge_regression_by_hand(reading, factor):
    inputs, targets = torch.tensor([[1.0], [-1.0]]), torch.tensor([[2.0], [-2.0]])
    found = train(one_layer(), inputs, targets, Options(0.5, reading, adam=50, tolerance=1e-10))
    # factor (w - 2)^2 + w^2 / 2
    assert found.networks.weights[0].item() == pytest.approx(
        4 * factor / (2 * factor + 1), abs=1e-8
    )
    assert found.statuses == (Status.CONVERGED,)


def test_a_chain_ends_at_the_representation_cost():
    # two factors of one number: (w v - 1)^2 + 0.1 (w^2 + v^2) is least at w v = 0.9
    generator = torch.Generator().manual_seed(0)
    start = gaussian([1, 1, 1], 6, generator, slopes=0.999)
    found = train(
        start,
        torch.tensor([[1.0], [-1.0]]),
        torch.tensor([[1.0], [-1.0]]),
        Options(0.1, adam=2000, tolerance=1e-8),
    )
    ends = found.norms[found.costs < 0.5]
    assert len(ends)
    assert ends.tolist() == pytest.approx([1.8] * len(ends), abs=0.01)


def test_batched_is_one_by_one_and_the_same_again():
    generator = torch.Generator().manual_seed(1)
    start = gaussian([3, 5, 2], 3, generator)
    inputs, targets = (torch.randn(8, n, generator=generator).double() for n in (3, 2))
    options = Options(0.01, adam=30, lbfgs=10)
    whole = train(start, inputs, targets, options)
    assert torch.equal(train(start, inputs, targets, options).norms, whole.norms)
    for c in range(3):
        alone = train(start.at([c]), inputs, targets, options)
        torch.testing.assert_close(alone.norms[0], whole.norms[c], rtol=1e-6, atol=1e-9)


def test_statuses_tell_what_happened():
    generator = torch.Generator().manual_seed(1)
    start = gaussian([3, 5, 2], 2, generator)
    start.weights[0][1] = torch.inf
    inputs, targets = (torch.randn(8, n, generator=generator).double() for n in (3, 2))
    found = train(start, inputs, targets, Options(0.01, adam=2, lbfgs=1))
    assert found.statuses == (Status.BUDGET, Status.DIVERGED)
    assert found.evaluations >= 4
    with pytest.raises(ValueError, match="reading"):
        train(start, inputs, targets, Options(0.01, reading="D"))


@needs_cuda
def test_a_device_gives_the_same():
    generator = torch.Generator().manual_seed(1)
    start = gaussian([3, 20, 20, 2], 3, generator)
    inputs, targets = (torch.randn(8, n, generator=generator).double() for n in (3, 2))
    options = Options(0.01, adam=50, lbfgs=0)
    there = train(start.to("cuda"), inputs.to("cuda"), targets.to("cuda"), options)
    here = train(start, inputs, targets, options)
    torch.testing.assert_close(there.norms.cpu(), here.norms, rtol=1e-8, atol=1e-10)
