"""That no tensor is on the wrong device, shown without a second one: see second_device.py. The same
numbers as on the CPU come out, for all that the experiments and benchmarks call."""

import pytest
import torch
from torch.testing import assert_close

from numerics.curvature.balls import Vertex, ascend
from numerics.curvature.families import densenet_drop, fcn, random_dag
from numerics.curvature.lanczos import lanczos
from numerics.curvature.norms import hessian_norms, leading, operator_of
from numerics.curvature.operators import FullHessians
from numerics.curvature.passes import Objective, at_each_point, backward, forward
from numerics.curvature.products import (
    gradient,
    hessian_products,
    hessians,
    tangent_kernels,
)
from numerics.curvature.remainders import (
    hessian_change,
    kink_moves,
    largest_remainder,
    linearisation,
)
from numerics.curvature.shared_weights import conv1d
from numerics.curvature.square_loss import SquareLoss
from numerics.curvature.variations import skip
from numerics.curvature.wirings import points
from tests.numerics.curvature.drawn import generator, jacobian
from tests.numerics.curvature.second_device import DEVICE, Elsewhere, TwoDevices, back

WIRINGS = {
    "fcn": lambda: fcn(4, inputs=3),
    "several_outputs": lambda: fcn(3, inputs=3, outputs=2, output="tanh"),
    "dropped": lambda: densenet_drop(5, 2, generator(), inputs=3, activation="softplus"),
    "random": lambda: random_dag(3, 2, generator(1), depth=4, inputs=3, activation="gelu"),
    "skips": lambda: skip(fcn(3, depth=4, inputs=3, activation="log_cosh"), "random", generator(2)),
    "before": lambda: skip(fcn(3, inputs=3, activation="relu"), skip_from="preactivations"),
    "shared": lambda: conv1d(2, length=3, output="sigmoid"),
}


def norms(networks, x, **how):
    found = hessian_norms(at_each_point(networks, x), generator(2), tolerance=1e-12, **how)
    return found.eigenvalue.abs(), found.lower, found.upper.clamp(max=1e9)


def products(networks, x):
    found = at_each_point(networks, x)
    unit = networks.flat()[:, None].expand(-1, 2, -1)
    return hessian_products(found, unit), hessians(found), gradient(found)


def lanczos_on_all_weights(networks, x):
    operator = FullHessians(at_each_point(networks, x))
    found = lanczos(operator, operator.start(generator(3)), steps=5, tolerance=None)
    return found.value.abs(), found.highest


def a_loss(networks, x):
    one = forward(networks, x)
    objective = Objective(networks.architecture.depth, one.neurons[-1] - 1, one.neurons[-1] ** 2)
    ritz = leading(operator_of(backward(one, objective)), generator(4), tolerance=1e-12)
    return (ritz.value.abs(),)


def in_a_ball(networks, x):
    found = ascend(networks, Vertex(x[:1]), 0.5, generator(5), steps=1, restarts=0, tolerance=1e-8)
    return found.norms, found.start, found.distance


def remainders(networks, x):
    target = Vertex(x[:1])
    linear = linearisation(networks, target)
    shared = any(tie is not None for tie in networks.ties)
    moves = [networks.flat(), *([] if shared else kink_moves(linear, 0.5))]
    best, place = largest_remainder(linear, 0.5, moves, steps=1)
    moved = networks.with_flat(networks.flat() + place)
    return best, hessian_change(networks, moved, target, generator(6), steps=4)


def trained(networks, x):
    targets = torch.tensor([1.0, -1.0], dtype=torch.float64)
    loss = SquareLoss(networks, x, targets)
    return loss.values(networks.flat()), loss.gradients([networks.flat()], 0)[0]


RUNS = {
    "norms": norms,
    "norms_by_chance": lambda n, x: norms(n, x, certificate="probability", steps=5),
    "products": products,
    "jacobians": lambda n, x: (jacobian(n, x, neurons=True), tangent_kernels(n, x)),
    "lanczos": lanczos_on_all_weights,
    "a_loss": a_loss,
    "in_a_ball": in_a_ball,
    "remainders": remainders,
    "trained": trained,
}


FEW = ("dropped", "before", "shared")
SEVERAL = {
    **dict.fromkeys(("norms_by_chance", "a_loss", "remainders", "trained"), FEW),
    "in_a_ball": ("before",),
}
"""Made of the others, so tried on a few families: of an ascent each step is `norms`."""

CASES = [(name, run) for name in WIRINGS for run in RUNS if name in SEVERAL.get(run, WIRINGS)]


@pytest.mark.parametrize(("name", "run"), CASES)
def test_everything_stays_on_the_device_of_the_networks(name, run):
    networks = WIRINGS[name]().draw(2, generator(8))
    x = points(networks.architecture.inputs, 2)
    wanted = RUNS[run](networks, x)
    with TwoDevices():
        found = RUNS[run](networks.to(DEVICE), x)
        assert all(isinstance(part, Elsewhere) for part in found)
    for one, two in zip(found, wanted, strict=True):
        assert_close(back(one), two, rtol=1e-5, atol=1e-9)


def test_mixed_devices_are_seen():
    with TwoDevices():
        far = torch.ones(3, device=DEVICE)
        with pytest.raises(AssertionError, match="two devices"):
            far + torch.ones(3)
        with pytest.raises(AssertionError, match="generator"):
            torch.randn(3, generator=generator(), device=DEVICE)
        with pytest.raises(AssertionError, match="two devices"):
            far.gather(0, torch.tensor([1]))
        with pytest.raises((RuntimeError, TypeError), match="numpy"):
            far.numpy()
        assert (far * torch.tensor(2.0)).sum().item() == 6  # one number may be of the CPU
        far[torch.tensor([0, 2])] = 5.0
        assert back(far).tolist() == [5, 1, 5]
        assert back(torch.tensor([1, 2], device=DEVICE)).tolist() == [1, 2]
        assert far.to("cpu").tolist() == [5, 1, 5]
        assert not isinstance(torch.ones(2), Elsewhere)
