"""Derivatives of the risk from values of the risk alone."""

from fractions import Fraction

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
)
from verify.papers.lj22.quotients import derivative_at_first, polynomial_loss, risk_slopes

NUMBERS = st.fractions(-5, 5, max_denominator=6)


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


@given(
    st.lists(NUMBERS, min_size=1, max_size=5),
    st.lists(NUMBERS, min_size=5, max_size=6, unique=True),
)
def test_derivatives_of_polynomials(coefficients, points):
    values = [at(coefficients, z) for z in points]
    assert derivative_at_first(points, values) == at(derivative(coefficients), points[0])


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


def test_there_are_none_at_a_kink():
    net = net_of("x>h h>o", {"h": RELU})
    assert risk_slopes(case_of(net, {"x>h": 0, "h>o": 1}, [([1], 1, 1)])) == []


def test_steps_stay_in_the_region():
    """A kink at distance 1/100: a step of 1 would cross it."""
    net = net_of("x>h h>o", {"h": RELU})
    case = case_of(net, {"x>h": "1/100", "h>o": 2}, [([1], 1, 5)])
    assert risk_slopes(case) == [10, Fraction(5, 100)]
    case = case_of(net, {"x>h": "-1/100", "h>o": 2}, [([1], 1, 5)])
    assert risk_slopes(case) == [0, 0]
