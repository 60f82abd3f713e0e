"""Real roots on an interval, counted."""

from fractions import Fraction

import sympy
from hypothesis import given

from graphs.real_roots import root_count
from graphs.univariate import times, univariate
from tests.graphs.test_univariate import NUMBERS, POLYNOMIALS, as_sympy


@given(POLYNOMIALS.filter(bool), POLYNOMIALS.filter(bool), NUMBERS, NUMBERS)
def test_roots_are_those_that_sympy_counts(p, q, low, high):
    x, ends = sympy.Symbol("x"), (sympy.Rational(str(low)), sympy.Rational(str(high)))
    for product in (p, times(p, times(q, q))):
        counted = sympy.Poly(as_sympy(product, x), x).count_roots(*ends) if low <= high else 0
        assert root_count(product, low, high) == counted


def test_double_roots_and_roots_at_the_ends_are_counted_once():
    third, nearby = univariate([1, -6, 9]), univariate([1, -6, "901/100"])  # (1 - 3 t)^2
    assert root_count(third, Fraction(0), Fraction(1)) == 1
    assert root_count(third, Fraction(1, 3), Fraction(1, 3)) == 1
    assert root_count(third, Fraction(0), Fraction(1, 3)) == 1
    assert root_count(nearby, Fraction(0), Fraction(1)) == 0
