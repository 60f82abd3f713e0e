"""Non-linear outputs: the chain rule by hand, and ladders that tell them from the identity."""

from fractions import Fraction

import numpy as np
import pytest

from graphs.algebraic import exact_value
from graphs.rationals import RATIONALS
from verify.cases.tensors import Tensors, tensor
from verify.checker import ACCEPTED, check
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.core.experiment import Setting
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.papers.registry import find
from verify.papers.zlb22.nonlinear_output import trained_through
from verify.papers.zlb22.output_curvature import REST, TOGETHER, curvature_of
from verify.search.judging import view

SMOKE = Context(budget_named("smoke"), 0, "cpu")


def entries(name, **numbers):
    arrays = {key: tensor((), value) for key, value in numbers.items()}
    found = view(find(f"zlb22.nonlinear_output.{name}"), [Tensors(arrays)], RATIONALS).entries
    return [exact_value(value) for value in found.values]


# exactly ------------------------------------------------------------------------------------------
def test_an_output_that_is_flat_below_its_bend():
    assert entries("b@B1", t=0, c=1, e=0) == [Fraction(-1, 2)]
    assert entries("b@B1", t=7, c=-3, e=0) == [Fraction(-1, 2)]
    assert entries("b@B1", t=0, c=1, e=1) == [0]  # curved everywhere
    assert entries("b@B1", t=-1, c=1, e=0) == []


def test_not_every_output_bends():
    found = pointwise(find("zlb22.nonlinear_output.b@B1"), SMOKE)
    assert found.outcome is Outcome.REFUTES
    assert check(found.certificate).code == ACCEPTED


def test_half_of_the_networks_are_flat():
    """An output activation that is 0 below 0: f~ is symmetric around 0, whatever the width."""
    from numerics.curvature.families import fcn
    from numerics.curvature.passes import at_each_point, forward
    from numerics.curvature.products import hessians
    from numerics.curvature.wirings import generator_of, points

    own = generator_of(np.random.default_rng(2))
    networks = fcn(6, depth=2, inputs=4, output="relu").draw(400, own)
    x = points(4, 1)
    below = forward(networks, x).preactivations[-1].flatten() < 0
    norms = hessians(at_each_point(networks, x, neurons=True)).flatten(1).norm(dim=1)
    assert abs(float(below.double().mean()) - 0.5) < 0.1
    assert bool(((norms == 0) == below).all())


# ladders ------------------------------------------------------------------------------------------
def slope(output, widths=(16, 64), seeds=8):
    logs = []
    for width in widths:
        found = curvature_of(output, 2, width, seeds, np.random.default_rng(width))
        assert found[REST].shape == (seeds,)
        logs.append(np.log(found[REST]).mean())
    return (logs[1] - logs[0]) / np.log(widths[1] / widths[0])


def test_the_identity_is_told_from_other_outputs():
    assert slope("linear") < -0.5  # the control: transition to linearity
    assert slope("quadratic") > -0.2
    assert slope("relu") > -0.2


def test_of_a_square_by_hand():
    """f = f~^2 has |f - f_lin| = (f~(w) - f~(w0))^2 up to a part that is small with H of f~."""
    found = curvature_of("quadratic", 2, 512, 2, np.random.default_rng(0))
    from numerics.curvature.families import fcn
    from numerics.curvature.passes import at_each_point
    from numerics.curvature.products import gradient
    from numerics.curvature.wirings import generator_of, points

    own = generator_of(np.random.default_rng(0))
    networks = fcn(512, depth=2, inputs=4, output="quadratic").draw(2 * TOGETHER, own)
    size = gradient(at_each_point(networks, points(4, 1)))[:, 0].norm(dim=1)
    expected = (size**2).view(2, TOGETHER).mean(dim=1).numpy()
    assert found[REST] == pytest.approx(expected, rel=0.2)


def test_descent_through_an_output():
    measured = trained_through(Setting(seed=5, scale=0, device="cpu"))
    assert measured.agrees
    assert measured.instances == 8
    few = trained_through(Setting(seed=5, scale=0, device="cpu"), steps=20)
    assert not few.agrees
