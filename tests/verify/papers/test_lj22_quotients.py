"""Derivatives of the risk from values of the risk alone."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graphs.activations import RELU
from tests.verify.drawn_cases import (
    case_of,
    derivative_by_values,
    drawn_cases,
    kappas,
    kinked,
    net_of,
    nu,
    values_of,
)
from tests.verify.language.values import worth
from verify.cases.transformations import with_one_loss
from verify.language.building import Map, edges
from verify.papers.lj22.descent_terms import SCHEME
from verify.papers.lj22.quotients import (
    ONE_POLYNOMIAL_LOSS,
    POLYNOMIAL_LOSS,
    by_values,
    polynomial_loss,
    with_its_loss,
)
from verify.papers.registry import find

EIGHT = find("lj22.eq8-11.8")

NUMBERS = st.fractions(-5, 5, max_denominator=6)


def slopes_of(case):
    """dR/dw of each parameter, from values of the risk with the loss that the case holds."""
    found = worth(Map(edges(), by_values), case)
    return [found[e] for e, *_ in case.network.edges_of_parameter]


def risk_slopes(case):
    """The same, with the loss that has its slopes."""
    return slopes_of(with_its_loss(case, Random(0)))


def at(coefficients, z):
    return sum((c * z**k for k, c in enumerate(coefficients)), Fraction(0))


def derivative(coefficients):
    return [k * c for k, c in enumerate(coefficients)][1:]


@given(st.dictionaries(NUMBERS, NUMBERS, min_size=1, max_size=5))
def test_the_loss_has_the_prescribed_slopes(slope_at):
    loss = polynomial_loss(list(slope_at), list(slope_at.values()))
    assert len(loss) == len(slope_at) + 1
    assert at(loss, Fraction(0)) == 0
    for margin, slope in slope_at.items():
        assert at(derivative(loss), margin) == slope


def test_equal_margins_are_one_node():
    assert polynomial_loss([Fraction(1)] * 2, [Fraction(3)] * 2) == [0, 3]


@settings(max_examples=30)
@given(drawn_cases(zero=False))
def test_the_loss_of_a_case_has_its_slopes_at_every_step(case):
    case = with_one_loss(case.choosing(eta=["1/2", "1"], slopes=[["3"] * case.example_count]))
    chosen = with_its_loss(case, Random(0))
    assert worth(ONE_POLYNOMIAL_LOSS.holds, chosen)
    assert worth(POLYNOMIAL_LOSS.holds, chosen)
    assert not worth(POLYNOMIAL_LOSS.holds, ONE_POLYNOMIAL_LOSS.break_(chosen, Random(0)))


@settings(max_examples=30)
@given(drawn_cases(zero=False))
def test_risk_slopes_are_the_chain_rule(case):
    """Against kappa times difference quotients of the network."""
    assume(not kinked(case))
    margins = [nu(case, j) * case.labels[j] for j in range(case.example_count)]
    assume(len(set(margins)) == len(margins))
    found = risk_slopes(case)
    for p in range(case.network.parameter_count):
        quotients = [
            derivative_by_values(case, p, lambda c, j=j: nu(c, j), 1)
            for j in range(case.example_count)
        ]
        assert found[p] == sum(k * q for k, q in zip(kappas(case), quotients, strict=True))


def test_by_hand():
    # nu = 2 x at x = 1/2: the margin is 1, l(z) = 3 z, so R = 3 w x and dR/dw = 3/2
    assert risk_slopes(case_of(net_of("x>o"), {"x>o": 2}, [(["1/2"], 1, 3)])) == [Fraction(3, 2)]


@pytest.mark.parametrize("loss", [["5", "3"], ["0", "-3", "3"], ["7", "0", "0", "1"]])
def test_only_the_slope_of_the_loss_matters(loss):
    # l'(1) = 3 at the margin 1 each time
    case = case_of(net_of("x>o"), {"x>o": 2}, [(["1/2"], 1, 3)], loss=loss)
    assert worth(POLYNOMIAL_LOSS.holds, case)
    assert values_of(EIGHT, case) == [0]
    steeper = case.choosing(loss=[loss[0], "1", *loss[2:]])
    assert slopes_of(steeper) != [Fraction(3, 2)]
    assert values_of(EIGHT, steeper) == []


def test_risks_are_those_of_the_region():
    """A kink at distance 1/100, and differences over steps of size 1: no activation changes."""
    net = net_of("x>h h>o", {"h": RELU})
    case = case_of(net, {"x>h": "1/100", "h>o": 2}, [([1], 1, 5)])
    assert risk_slopes(case) == [10, Fraction(5, 100)]
    case = case_of(net, {"x>h": "-1/100", "h>o": 2}, [([1], 1, 5)])
    assert risk_slopes(case) == [0, 0]


def test_a_step_with_a_shared_weight():
    # nu = s s x = 4 at x = 1; l(z) = 3 z, so dR/ds = 3 * 2 s = 12, of which each edge has 6
    net = net_of("x>h h>o", parameters={("x", "h"): "s", ("h", "o"): "s"})
    case = case_of(net, {"x>h": 2}, [([1], 1, 3)], loss=["0", "3"], eta=["1/2"])
    assert worth(Map(edges(), by_values), case) == (6, 6)
    assert worth(SCHEME, case)
