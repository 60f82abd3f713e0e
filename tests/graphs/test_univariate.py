"""Polynomials in one variable."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from graphs.univariate import (
    clearly_nonnegative,
    degree,
    derivative,
    integral,
    late_sign,
    minus,
    plus,
    text_of,
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


@given(POLYNOMIALS)
def test_beyond_all_roots_the_sign_is_the_late_sign(p):
    late = 1 + sum(map(abs, p[:-1]), Fraction(0)) / (abs(p[-1]) if p else 1)
    there = value(p, late)
    assert late_sign(p) == (there > 0) - (there < 0)
    assert (degree(p) < 0) == (late_sign(p) == 0)


@given(POLYNOMIALS, st.fractions(0, 9, max_denominator=6))
def test_without_negative_coefficients_there_are_no_negative_values(p, t):
    assert not clearly_nonnegative(p) or value(p, t) >= 0


def test_text():
    texts = [text_of(univariate(c)) for c in ([], [0, -1], [-1, 0, "1/2"], [3, 1, -2])]
    assert texts == ["0", "-t", "-1 + 1/2 t^2", "3 + t - 2 t^2"]
