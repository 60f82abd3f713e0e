"""Polynomials in one variable."""

import sympy
from hypothesis import given
from hypothesis import strategies as st

from graphs.univariate import (
    common_divisor,
    degree,
    derivative,
    divided,
    integral,
    minus,
    plus,
    times,
    univariate,
    value,
)

NUMBERS = st.fractions(-9, 9, max_denominator=6)
POLYNOMIALS = st.lists(NUMBERS, max_size=4).map(univariate)


@given(POLYNOMIALS, POLYNOMIALS, NUMBERS)
def test_operations_commute_with_values(p, q, t):
    assert value(plus(p, q), t) == value(p, t) + value(q, t)
    assert value(minus(p, q), t) == value(p, t) - value(q, t)
    assert value(times(p, q), t) == value(p, t) * value(q, t)


@given(POLYNOMIALS, NUMBERS, NUMBERS)
def test_the_integral_of_the_derivative_is_the_change(p, a, b):
    assert integral(derivative(p), a, b) == value(p, b) - value(p, a)


# roots ------------------------------------------------------------------------------------------
@given(POLYNOMIALS, POLYNOMIALS.filter(bool))
def test_division_leaves_a_remainder_of_lower_degree(p, q):
    whole, rest = divided(p, q)
    assert degree(rest) < degree(q)
    assert plus(times(whole, q), rest) == p
    x = sympy.Symbol("x")
    wanted = sympy.rem(as_sympy(p, x), as_sympy(q, x), x)
    assert sympy.expand(as_sympy(rest, x) - wanted) == 0


@given(POLYNOMIALS.filter(bool), POLYNOMIALS.filter(bool), POLYNOMIALS.filter(bool))
def test_a_common_factor_divides_the_common_divisor(p, q, factor):
    found = common_divisor(times(p, factor), times(q, factor))
    assert found[-1] == 1
    assert divided(found, factor)[1] == ()
    assert not any(divided(times(r, factor), found)[1] for r in (p, q))


def as_sympy(p, x):
    return sum((sympy.Rational(str(c)) * x**k for k, c in enumerate(p)), sympy.Integer(0))
