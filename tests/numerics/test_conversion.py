"""Rationals to floats: nearest, with a bound that holds and is 0 exactly where it can be."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.arithmetic import rational
from numerics.conversion import UNIT, enclosed, enclosed_roots

small = st.builds(Fraction, st.integers(-(10**6), 10**6), st.integers(1, 10**4))
wide = st.builds(
    lambda p, q, k: Fraction(p, q) * Fraction(2) ** k,
    st.integers(-(10**30), 10**30),
    st.integers(1, 10**30),
    st.integers(-600, 600),
)


def check(numbers, mid, rad):
    for number, value, error in zip(numbers, mid, rad, strict=True):
        assert value == float(number)
        assert abs(Fraction(value) - number) <= Fraction(error)
        assert (error == 0) == (Fraction(value) == number)
        assert error <= abs(value) * UNIT * 1.0001 + 2.0**-1020


@given(numbers=st.one_of(st.lists(small), st.lists(wide), st.lists(st.one_of(small, wide))))
def test_fractions(numbers):
    check(numbers, *enclosed(numbers))
    check(numbers, *enclosed([rational(number) for number in numbers]))


@given(rows=st.lists(st.tuples(small, st.integers(-(2**60), 2**60)), min_size=1))
def test_nested_sequences_keep_their_shape(rows):
    for given_rows in (rows, tuple(rows), iter(rows), np.array(rows, dtype=object)):
        mid, rad = enclosed(given_rows)
        assert mid.shape == rad.shape == (len(rows), 2)
        for column in range(2):
            check([Fraction(row[column]) for row in rows], mid[:, column], rad[:, column])


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)))
def test_floats_are_themselves(numbers):
    for given_numbers in (numbers, np.array(numbers, dtype=np.float64)):
        mid, rad = enclosed(given_numbers)
        assert mid.tolist() == numbers
        assert not rad.any()


@given(st.lists(st.integers(-(2**63), 2**63 - 1)))
def test_integers_of_any_size(numbers):
    check(list(map(Fraction, numbers)), *enclosed(np.array(numbers, dtype=np.int64)))
    check(list(map(Fraction, numbers)), *enclosed(numbers))
    assert enclosed(np.array([True, False]))[0].tolist() == [1.0, 0.0]


@given(st.lists(wide.map(abs).filter(bool), max_size=4))
def test_roots(squares):
    for square, mid, rad in zip(squares, *enclosed_roots(squares), strict=True):
        low, high = Fraction(mid) - Fraction(rad), Fraction(mid) + Fraction(rad)
        assert low > 0
        assert low * low <= square <= high * high
        assert rad <= mid * UNIT * 1.0001 + 2.0**-1020
    for square, mid, rad in zip(
        squares, *enclosed_roots([square * square for square in squares]), strict=True
    ):
        assert mid == float(square)
        assert (rad == 0) == (Fraction(mid) == square)


def test_what_no_float_can_hold_is_refused():
    with pytest.raises(ValueError, match="beyond the range of float64"):
        enclosed([Fraction(10**400)])
    with pytest.raises(ValueError, match="inf"):
        enclosed([float("inf")])
    with pytest.raises(ValueError, match="nan among 2 numbers"):
        enclosed(np.array([0.0, np.nan]))
    with pytest.raises(ValueError, match="is not a rational number"):
        enclosed(["1/2"])
