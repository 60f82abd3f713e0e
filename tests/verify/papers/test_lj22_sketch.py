"""Section 4.3 by hand: equations (8) to (11) in both readings, and the sign of the velocity."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import assume, given, settings

from graphs.activations import LINEAR, RELU
from tests.verify.drawn_cases import (
    case_of,
    derivative_by_values,
    drawn_cases,
    kappas,
    kinked,
    net_of,
    nu,
    seen,
    value_of,
    values_of,
)
from verify.papers.lj22.quotients import with_its_loss
from verify.papers.registry import find

EIGHT = find("lj22.eq8-11.8")
FLOW = find("lj22.gflow")
PART = {number: find(f"lj22.eq8-11.{number}@A") for number in ("9", "10", "11in", "11out")}
# nu = -2 x at x = 1/2, y = -1, l' = 3: kappa = -3, dR/dw = -3/2, w dR/dw = 3
EDGE = case_of(net_of("x>o"), {"x>o": -2}, [(["1/2"], -1, 3)])
XO = {"edge": ["x", "o"]}


def test_the_derivative_of_the_risk_on_one_edge():
    assert value_of(EIGHT, with_its_loss(EDGE, Random(0)), **XO) == 0
    # the tree of Lemma 1 has two negative signs, its derivative is 1
    assert value_of(PART["9"], EDGE, **XO) == Fraction(-3, 2) + Fraction(3, 2)


def test_the_weighted_derivative_on_one_edge():
    # A = kappa m x |w| = -3 with m = 1
    assert value_of(PART["10"], EDGE, **XO) == 3 + 3


def test_with_positive_weights_absolute_values_do_no_harm():
    case = EDGE.with_weights([Fraction(2)])
    for number in ("9", "10"):
        assert value_of(PART[number], case, **XO) == 0


@pytest.mark.parametrize(("number", "sign"), [("11in", 1), ("11out", -1)])
def test_double_counting_at_a_vertex(number, sign):
    # nu = -1 * 2 x at x = 1/2, kappa = -3: w dR/dw = -3 * nu = 3 on both edges; the path has
    # A = -3 m (1/2) 2 with m = 1
    net = net_of("x>h h>o", {"h": LINEAR})
    case = case_of(net, {"x>h": -1, "h>o": 2}, [(["1/2"], -1, 3)])
    assert value_of(PART[number], case, vertex="h") == sign * (3 + 3)


def test_two_examples_are_averaged():
    # kappa = -3/2 and 1/2: dR/dw = -3/4 + 1/4
    case = case_of(net_of("x>o"), {"x>o": -2}, [(["1/2"], -1, 3), (["1/2"], 1, 1)])
    assert value_of(EIGHT, with_its_loss(case, Random(0)), **XO) == 0
    assert value_of(FLOW, case, **XO) == 2 * Fraction(-1, 2)


def test_the_velocity_is_minus_the_derivative():
    assert value_of(FLOW, EDGE, **XO) == 2 * Fraction(-3, 2)


@settings(max_examples=25)
@given(drawn_cases(zero=False))
def test_what_holds(case):
    assume(not kinked(case))
    assert set(values_of(EIGHT, with_its_loss(case, Random(0)))) <= {0}
    assert set(values_of(PART["9"], case)) <= {0}


@settings(max_examples=25)
@given(drawn_cases(zero=False))
def test_the_flow_residual_is_twice_the_derivative(case):
    assume(not kinked(case))

    def risk(other):
        return sum(k * nu(other, j) for j, k in enumerate(kappas(case)))

    for label, value, _ in seen(FLOW, case):
        [e] = label["at"]
        assert value == 2 * derivative_by_values(case, case.network.parameter_of[e], risk, 1)


def test_what_is_outside():
    relu = net_of("x>h h>o", {"h": RELU})
    at_kink = case_of(relu, {"x>h": 0, "h>o": 2}, [(["1/2"], -1, 3)])
    tied = case_of(
        net_of("x>h h>o", parameters={("x", "h"): "w", ("h", "o"): "w"}),
        {"w": 2},
        [(["1/2"], -1, 3)],
    )
    unequal = case_of(net_of("x>o"), {"x>o": -2}, [(["1/2"], -1, 3), (["-1/2"], 1, 1)])
    for claim in (EIGHT, FLOW, *PART.values()):
        for case in (at_kink, tied, unequal):
            assert values_of(claim, case.choosing(loss=["0", "3"])) == []
