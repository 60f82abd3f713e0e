"""Claim 2, second sentence, by hand: what the risk does along the ray of the printed curve."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.activations import RELU
from tests.verify.drawn_cases import case_of, net_of, values_of
from verify.evidence import Outcome
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.methods.search import search
from verify.papers.lj22.crossings import bend_of_risk, meets_curve
from verify.registry import find
from verify.runs.budgets import budget_named

SOME, EVERY = (find(f"lj22.claim2.b@{reading}") for reading in "AB")
CI = Context(budget_named("ci"))
SKIP = net_of("x>h h>o x>o", {"o": RELU})
NEURON = net_of("x>o", {"o": RELU})


def skip(direct, slope=1):
    """z_o = c^2 - direct c at c times the weights, on x = 1."""
    weights = {"x>h": 1, "h>o": 1, "x>o": -direct}
    return case_of(SKIP, weights, [([1], 1, slope)])


def neuron(weight, slope=1, x=1):
    return case_of(NEURON, {"x>o": weight}, [([x], 1, slope)])


def test_a_skip_edge_lets_the_ray_cross_a_boundary():
    # just after c = 1, nu = c^2 - c, of derivative 1; before it is 0
    assert values_of(SOME, skip(1, slope=-3)) == [-3]
    assert values_of(SOME, skip(2)) == [0]  # it crosses at c = 2, not at 1
    assert values_of(SOME, skip(1, slope=0)) == [0]


def test_in_layers_the_ray_crosses_nothing_but_0():
    for seed in range(60):
        case = EVERY.pool.draw(Random(seed), n=1, loss="prescribed")
        assert set(values_of(SOME, case)) <= {0}


def test_a_bend_at_0_shows_that_the_curve_meets_d():
    assert meets_curve(neuron(1))
    assert meets_curve(neuron(1, slope=0))  # the slope of the loss at margin 0 is free there
    assert not meets_curve(neuron(1, x=0))
    deep = net_of("x>h h>o", {"h": RELU})
    assert not meets_curve(case_of(deep, {"x>h": 1, "h>o": 1}, [([1], 1, 1)]))  # flat at 0
    assert meets_curve(case_of(deep, {"x>h": 0, "h>o": 1}, [([1], 1, 1)]))  # the axis of x>h


def test_at_margin_0_the_loss_has_one_slope():
    # at v = -1 the margin is 0 too: there and at w = 0 the slope is the prescribed one
    assert not meets_curve(neuron(-1, slope=0))
    assert meets_curve(neuron(-1, slope=2))


def test_a_neuron_that_is_never_off_changes_no_pattern():
    assert values_of(EVERY, neuron(2)) == [1]
    assert values_of(EVERY, neuron(-2)) == [0]  # it is off but at 0, where it counts as active
    assert values_of(EVERY, skip(1)) == []  # not fully connected
    assert values_of(EVERY, neuron(0)) == []
    # without that hypothesis a boundary between v and 2 v is seen
    anywhere = replace(EVERY, hypotheses=EVERY.hypotheses[:2])
    assert values_of(anywhere, skip(Fraction(3, 2))) == [0]
    assert values_of(anywhere, skip(Fraction(1, 2))) == [1]


@given(st.integers(-3, 3), st.integers(-3, 3), st.integers(1, 3))
def test_bends_are_differences_of_the_two_slopes(weight, direction, x):
    case = neuron(weight, x=Fraction(x, 3))
    bend = bend_of_risk(case, case.weights, (Fraction(direction),), (Fraction(1),))
    assert bend == (abs(direction) * Fraction(x, 3) if weight == 0 else 0)


@pytest.mark.parametrize(("claim", "method"), [(SOME, search), (EVERY, pointwise)])
def test_a_case_is_found_and_accepted(claim, method):
    found = method(claim, CI)
    assert found.outcome is (Outcome.PROVES if method is search else Outcome.REFUTES)
    assert found.checker["exit"] == 0
