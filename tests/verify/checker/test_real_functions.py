"""The checker's functions of enclosed numbers: against Arb, by hand, and where they refuse."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.checker import restated as checker
from verify.checker.restated import Declined, Interval, Rejected, Undecided, interval

flint = pytest.importorskip("flint", reason="compared with Arb, which is in python-flint")

BITS = st.sampled_from([20, 40, 80, 160])
POSITIVE = st.fractions(min_value=Fraction(1, 10**6), max_value=10**6, max_denominator=10**6)
PAIRS = st.tuples(POSITIVE, POSITIVE).map(sorted).map(lambda ends: Interval(*ends))
EXPONENTS = st.fractions(min_value=-4, max_value=4, max_denominator=9)


def arb(x):
    return flint.arb(flint.fmpq(x.numerator, x.denominator))


def holds(found, function, *numbers):
    """Whether an interval holds the values of a function at some numbers."""
    with flint.ctx.workprec(800):
        values = [function(arb(x)) for x in numbers]
        low, high = arb(found.low), arb(found.high)
        return all(not (value < low) and not (value > high) for value in values)


def narrow(found, bits, slack=8):
    """Whether it is as narrow as so many bits of the number, up to a factor."""
    return (found.high - found.low) * 2**bits <= slack * max(abs(found.low), abs(found.high), 1)


FUNCTIONS = {
    "log": (checker.logarithm_of, lambda t: t.log()),
    "root": (checker.root_of, lambda t: t.sqrt()),
}


@given(st.sampled_from(list(FUNCTIONS)), PAIRS, st.fractions(0, 1, max_denominator=8), BITS)
def test_the_values_on_an_interval_lie_within(name, z, share, bits):
    function, exact = FUNCTIONS[name]
    inside = z.low + share * (z.high - z.low)
    assert holds(function(z, bits), exact, z.low, inside, z.high)
    at_point = function(inside, bits)
    assert holds(at_point, exact, inside)
    assert narrow(at_point, bits)


@given(PAIRS, EXPONENTS, st.fractions(0, 1, max_denominator=8), BITS)
def test_powers_lie_within_and_narrowly(z, q, share, bits):
    inside = z.low + share * (z.high - z.low)

    def power(t):
        return (t.log() * arb(q)).exp()

    assert holds(checker.power_of(z, q, bits), power, z.low, inside, z.high)
    at_point = checker.power_of(inside, q, bits)
    assert holds(at_point, power, inside)
    assert narrow(at_point, bits)


@given(POSITIVE, st.integers(-4, 4), st.integers(1, 7))
def test_powers_of_powers_are_exact(x, p, q):
    assert checker.power_of(x**q, Fraction(p, q), 10) == x**p


@given(st.integers(1, 10**60), st.integers(1, 40))
def test_integer_roots_are_the_largest_below(number, degree):
    root = checker.integer_root(number, degree)
    assert root**degree <= number < (root + 1) ** degree


def test_by_hand():
    assert checker.power_of(0, 0, 10) == 1
    assert checker.power_of(0, Fraction(1, 3), 10) == 0
    assert checker.power_of(Fraction(8, 27), Fraction(-2, 3), 10) == Fraction(9, 4)
    assert checker.root_of(Fraction(49, 4), 1) == Fraction(7, 2)
    assert checker.logarithm_of(1, 10) == 0
    two = checker.power_of(2, Fraction(1, 2), 60)
    assert two.low**2 < 2 < two.high**2
    whole = checker.power_of(Interval(Fraction(0), Fraction(4)), Fraction(1, 2), 40)
    assert (whole.low, whole.high) == (0, 2)


def test_of_tiny_numbers_as_many_bits_are_known():
    tiny = Fraction(2, 10**200)
    for found in (checker.root_of(tiny, 40), checker.power_of(tiny, Fraction(1, 3), 40)):
        assert 0 < found.low < found.high < found.low * (1 + Fraction(1, 2**30))


AROUND_0 = Interval(Fraction(-1), Fraction(1))


@pytest.mark.parametrize(
    ("function", "argument", "refusal"),
    [
        (checker.logarithm_of, AROUND_0, Undecided),
        (checker.logarithm_of, Interval(Fraction(0), Fraction(1)), Undecided),
        (checker.logarithm_of, 0, Rejected),
        (checker.logarithm_of, -1, Rejected),
        (checker.root_of, AROUND_0, Undecided),
        (checker.root_of, -1, Rejected),
        (checker.root_of, Interval(Fraction(-2), Fraction(-1)), Rejected),
    ],
)
def test_what_has_no_value_is_refused(function, argument, refusal):
    with pytest.raises(refusal):
        function(argument, 20)


@pytest.mark.parametrize(
    ("base", "exponent", "refusal"),
    [
        (AROUND_0, Fraction(1, 2), Undecided),
        (Interval(Fraction(0), Fraction(1)), -1, Undecided),
        (0, -1, Rejected),
        (-1, Fraction(1, 3), Rejected),
        (10**1999, 100, Declined),
    ],
)
def test_powers_without_a_value_are_refused(base, exponent, refusal):
    with pytest.raises(refusal):
        checker.power_of(base, exponent, 20)


SMALL = st.fractions(min_value=-3, max_value=3, max_denominator=64)
INTERVALS = st.tuples(SMALL, SMALL).map(sorted).map(lambda ends: Interval(*ends))


@given(INTERVALS, INTERVALS, st.fractions(0, 1, max_denominator=8))
def test_extremes_and_shorter_ends_hold_the_numbers(one, other, share):
    a, b = (i.low + share * (i.high - i.low) for i in (one, other))
    largest = checker.maximum(one, other)
    assert largest.low <= max(a, b) <= largest.high
    short = checker.trimmed(one)
    assert short.low <= one.low <= one.high <= short.high
    assert short.high - short.low <= (one.high - one.low) * Fraction(17, 16)


def test_shorter_ends_are_shorter():
    long = Interval(Fraction(1, 3**200), Fraction(1, 3**200) + Fraction(1, 7**20))
    assert checker.trimmed(long).high.denominator < 2**70
    assert checker.trimmed(interval(Fraction(1, 3))) == Fraction(1, 3)
