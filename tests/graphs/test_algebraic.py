"""Algebraic numbers: compared exactly, enclosed as narrowly as asked."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.algebraic import Algebraic, Enclosure, exact_value, largest_root
from graphs.arithmetic import as_fraction
from graphs.errors import NotRationalError

roots = st.fractions(-5, 5, max_denominator=6)
PRIMES = (2, 3, 5, 7)


def root(k: int) -> Algebraic:
    """The square root of k."""
    return largest_root([-k, 0, 1])


def polynomial(factors: list[list[Fraction]]) -> list[Fraction]:
    product = [Fraction(1)]
    for factor in factors:
        grown = [Fraction(0)] * (len(product) + len(factor) - 1)
        for i, a in enumerate(product):
            for j, b in enumerate(factor):
                grown[i + j] += a * b
        product = grown
    return product


@given(st.lists(roots, min_size=1, max_size=5))
def test_the_largest_of_rational_roots_is_found_exactly_also_where_it_is_multiple(zeros):
    assert as_fraction(largest_root(polynomial([[-z, Fraction(1)] for z in zeros]))) == max(zeros)


@given(st.lists(roots, max_size=3), st.sampled_from(PRIMES), st.integers(1, 3))
def test_an_irrational_one_is_enclosed(zeros, k, times):
    factors = [[Fraction(-k), Fraction(0), Fraction(1)]] * times
    found = largest_root(polynomial([*factors, *([-z, Fraction(1)] for z in zeros)]))
    if any(z > 0 and z * z > k for z in zeros):
        assert as_fraction(found) == max(zeros)
        return
    low, high = found.enclosure(100)
    assert 0 < low <= high
    assert low**2 < k < high**2
    assert high - low <= Fraction(1, 2**100)


def test_ties_between_different_polynomials_are_ties():
    assert root(2) * root(3) == root(6)
    assert root(2) + root(3) == largest_root([1, 0, -10, 0, 1])
    assert root(2) - root(2) == 0
    cubic = largest_root([1, -3, 0, 1])  # 2 cos(40 degrees), of x^3 - 3x + 1
    assert cubic * cubic * cubic - 3 * cubic == -1
    assert as_fraction(root(2) * root(2)) == 2


def test_numbers_that_nearly_tie_do_not():
    # 665857/470832 is a convergent of the root of 2, off by less than 2e-12
    assert root(2) < Fraction(665857, 470832)
    nearly = root(2) * root(3) - root(6) + Fraction(1, 10**60)
    assert nearly > 0
    assert exact_value(nearly - root(5)) is not None


@given(st.sampled_from(PRIMES), st.sampled_from(PRIMES), roots, roots)
def test_arithmetic_agrees_with_floats(k, m, a, b):
    value = a * root(k) + b * root(m) * root(m) * root(11) - root(k) * root(m) * root(11)
    expected = float(a) * k**0.5 + float(b) * m * 11**0.5 - (k * m * 11) ** 0.5
    if isinstance(value, Algebraic):
        assert float(value) == pytest.approx(expected, abs=1e-9)
    if abs(expected) > 1e-9:
        assert (value > 0) == (expected > 0)
        assert abs(value) > 0


def test_an_irrational_value_is_told_as_an_enclosure_without_0():
    value = exact_value(1 - root(2))
    assert isinstance(value, Enclosure)
    assert value.low < value.high < 0
    assert (1 - value.low) ** 2 > 2 > (1 - value.high) ** 2
    assert exact_value(root(2) * root(2)) == Fraction(2)
    with pytest.raises(NotRationalError):
        as_fraction(root(2))


def test_others_are_not_compared():
    assert root(2) != "a"
    with pytest.raises(TypeError):
        root(2) < "a"  # noqa: B015 - what is tested is that it raises
