"""The complementary error function of the checker, against Arb, and against itself."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verify.checker_statements.statements import array, f, near, value
from verify.checker.enclosures import Enclosure
from verify.checker.error_function import complementary_error
from verify.checker.statements import PRECISIONS

F = Fraction
WIDE = st.fractions(-40, 40, max_denominator=1000)
# what is near 0, near the change from one series to the other at x^2 = bits, and far out
POINTS = [
    "1/1000000000000",
    "1/7",
    "2",
    "5",
    "979/100",
    "98/10",
    "126/10",
    "188/10",
    "30",
    "1000000",
]


def ends(x):
    return tuple(F(end) * F(2) ** x.exponent for end in (x.low, x.high))


@pytest.mark.parametrize("bits", [40, 96, 160, 352])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("point", POINTS)
def test_it_is_that_of_arb_to_so_many_bits(point, sign, bits):
    flint = pytest.importorskip("flint", reason="compared with Arb, which is in python-flint")
    x = sign * F(point)
    found = complementary_error(x, bits)
    with flint.ctx.workprec(bits + 64):
        exact = flint.arb(flint.fmpq(x.numerator, x.denominator)).erfc()
        low, high = (
            flint.arb(end) * flint.arb(2) ** found.exponent for end in (found.low, found.high)
        )
        assert low <= exact.upper()
        assert exact.lower() <= high
        assert (high - low) / exact < flint.arb(2) ** (3 - bits)


@given(WIDE, WIDE)
def test_it_falls(x, y):
    one, other = (ends(complementary_error(z, 80)) for z in (min(x, y), max(x, y)))
    assert x == y or one[1] > other[0]


@given(WIDE)
def test_more_bits_narrow_it(x):
    found = [ends(complementary_error(x, bits)) for bits in PRECISIONS]
    sizes = [high - low for low, high in found]
    assert sizes == sorted(sizes, reverse=True)
    assert max(low for low, _ in found) <= min(high for _, high in found)


@given(WIDE, st.fractions(0, 1, max_denominator=50))
def test_it_encloses_what_an_enclosure_holds(x, width):
    low, high = Enclosure.of(x, 80), Enclosure.of(x + width, 80)
    found = ends(complementary_error(low.hull(high), 80))
    for z in (x, x + width / 3, x + width):
        one = ends(complementary_error(z, 120))
        assert found[0] <= one[1]
        assert one[0] <= found[1]


def test_both_sides_of_0_are_2():
    low, high = ends(complementary_error(F(3, 2), 80) + complementary_error(F(-3, 2), 80))
    assert low <= 2 <= high


def test_its_rate_by_hand():
    # d/dt erfc(x) = -2 / sqrt(pi) exp(-x^2) dx/dt, at x = 1/2 with dx/dt = 3
    found = value(
        ["rate", ["erfc", f("x")]], flow={"x": ["mul", 6, f("x")]}, x=array("num", F(1, 2))
    )
    assert near(found, -6 / math.sqrt(math.pi) * math.exp(-1 / 4))
