"""The checker's enclosures: exp, log, roots and what is made of them, against Arb and by hand."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.checker import restated as checker
from verify.checker.restated import Interval, Undecided

flint = pytest.importorskip("flint", reason="compared with Arb, which is in python-flint")

BITS = st.sampled_from([1, 20, 40, 80, 160])
REALS = st.fractions(min_value=-40, max_value=40, max_denominator=1000)
POSITIVE = st.fractions(min_value=Fraction(1, 10**6), max_value=10**6, max_denominator=10**6)


def arb(x):
    return flint.arb(flint.fmpq(x.numerator, x.denominator))


def holds(found, function, *numbers):
    """Whether an interval holds the values of a function at some numbers."""
    with flint.ctx.workprec(600):
        values = [function(arb(x)) for x in numbers]
        low, high = arb(found.low), arb(found.high)
        return all(not (value < low) and not (value > high) for value in values)


@given(REALS, BITS)
def test_exp_lies_within_and_narrowly(x, bits):
    found = checker.exponential(x, bits)
    assert holds(found, lambda t: t.exp(), x)
    assert 0 < found.low <= found.high
    assert (found.high - found.low) * 2**bits <= found.high


@given(POSITIVE, BITS)
def test_log_and_roots_lie_within_and_narrowly(x, bits):
    for found, function in (
        (checker.logarithm(x, bits), lambda t: t.log()),
        (checker.square_root(x, bits), lambda t: t.sqrt()),
    ):
        assert holds(found, function, x)
        assert (found.high - found.low) * 2**bits <= 2


def test_what_is_rational_is_exact():
    assert checker.exponential(Fraction(0), 40) == 1
    assert checker.square_root(Fraction(9, 4), 1) == Fraction(3, 2)


def test_exp_of_a_large_number_is_declined():
    assert checker.exponential(Fraction(-1999), 10).high < Fraction(1, 10**800)
    for x in (Fraction(2001), Fraction(-2001)):
        with pytest.raises(checker.Declined):
            checker.exponential(x, 10)


SMALL = st.fractions(min_value=-3, max_value=3, max_denominator=8)
INTERVALS = st.tuples(SMALL, SMALL).map(sorted).map(lambda ends: Interval(*ends))


@given(INTERVALS, INTERVALS, st.fractions(0, 1, max_denominator=8))
def test_comparisons_hold_of_every_number_or_are_not_decided(one, other, share):
    numbers = [i.low + share * (i.high - i.low) for i in (one, other)]
    for compare in (
        lambda a, b: a < b,
        lambda a, b: a <= b,
        lambda a, b: a > b,
        lambda a, b: a >= b,
        lambda a, b: a == b,
        lambda a, b: a != b,
    ):
        try:
            answer = compare(one, other)
        except Undecided:
            continue
        assert answer is compare(*numbers)
    try:
        assert bool(one) is (numbers[0] != 0)
    except Undecided:
        assert one.low <= 0 <= one.high


@given(INTERVALS, INTERVALS, st.fractions(0, 1, max_denominator=8), st.integers(0, 4))
def test_arithmetic_holds_the_results(one, other, share, power):
    a, b = (i.low + share * (i.high - i.low) for i in (one, other))
    pairs = [(one + other, a + b), (one - other, a - b), (one * other, a * b), (abs(one), abs(a))]
    pairs += [(one**power, a**power), (2 - one, 2 - a), (3 * one, 3 * a)]
    if not other.low <= 0 <= other.high:
        pairs.append((one / other, a / b))
    for found, number in pairs:
        assert found.low <= number <= found.high
    wider = checker.outward(one, 2)
    assert wider.low <= one.low
    assert one.high <= wider.high < one.high + Fraction(1, 2)
