"""Descent and Adam against PyTorch's own, and by hand; L-BFGS on quadratics."""

from itertools import islice

import pytest
import torch

from numerics.training import Ending, adam, after, by_autograd, descent, lbfgs

START = [torch.tensor([[1.0, -2.0], [3.0, 0.5]]).double(), torch.tensor([[0.3], [0.7]]).double()]


def value(place, step):
    a, b = place
    return (a**4).sum(dim=1) / 4 + (a[:, :1] * b).square().sum(dim=1)


def theirs(optimiser, steps):
    place = [tensor.clone().requires_grad_() for tensor in START]
    made = optimiser(place)
    for _ in range(steps):
        made.zero_grad()
        value(place, 0).sum().backward()
        made.step()
    return [tensor.detach() for tensor in place]


@pytest.mark.parametrize("momentum", [0.0, 0.5])
def test_descent_is_that_of_torch(momentum):
    wanted = theirs(lambda place: torch.optim.SGD(place, 0.01, momentum=momentum), 5)
    found = after(5, descent(by_autograd(value), START, 0.01, momentum=momentum))
    torch.testing.assert_close(found, wanted)


def test_adam_is_that_of_torch():
    wanted = theirs(lambda place: torch.optim.Adam(place, 0.1), 5)
    found = after(5, adam(by_autograd(value), START, lambda step: 0.1))
    torch.testing.assert_close(found, wanted)
    assert START[0].tolist() == [[1, -2], [3, 0.5]]  # the start stays


def test_each_network_has_its_own_rate_and_ascent_is_negative():
    def square(place, step):
        return place[0].square().sum(dim=1) / 2

    start = [torch.tensor([[8.0], [8.0]])]
    course = descent(by_autograd(square), start, torch.tensor([0.5, -1.0]))
    assert [place[0].flatten().tolist() for place in islice(course, 3)] == [
        [8, 8],
        [4, 16],
        [2, 32],
    ]


def test_a_rate_may_depend_on_the_step_and_the_gradient():
    def rate(step, place, gradients):
        return (step + 1) / gradients[0].abs().flatten()

    course = descent(lambda place, step: place, [torch.tensor([[10.0]])], rate)
    assert [float(place[0]) for place in islice(course, 4)] == pytest.approx([10, 9, 7, 4])


def test_an_objective_is_told_the_step():
    course = descent(lambda place, step: [torch.tensor(float(step))], [torch.tensor(0.0)], 1.0)
    assert [float(place[0]) for place in islice(course, 4)] == [0, 0, -1, -3]


def quadratic(flat):
    """With eigenvalues 1, 10, 100, and the second network infinite."""
    scale = torch.tensor([1.0, 10.0, 100.0]).double()
    loss = (scale * (flat - 1) ** 2).sum(dim=1) / 2
    return loss, scale * (flat - 1)


def test_lbfgs_ends_where_a_quadratic_is_least_and_says_how_it_went():
    start = torch.tensor([[5.0, -3.0, 2.0], [torch.inf, 0, 0]]).double()
    end, endings = lbfgs(quadratic, start, 50, lambda flat: torch.full((2,), 1e-9).double())
    assert end[0].tolist() == pytest.approx([1, 1, 1], abs=1e-9)
    assert endings == (Ending.CONVERGED, Ending.DIVERGED)
    one = start[:1]
    assert lbfgs(quadratic, one, 1, lambda flat: torch.zeros(1))[1] == (Ending.BUDGET,)
    away, endings = lbfgs(lambda flat: (quadratic(flat)[0], -quadratic(flat)[1]), one, 5, len)
    assert endings == (Ending.STALLED,)
    assert torch.equal(away, one)
