"""Enclosures and linear algebra against floating point, identities, and other precisions."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verify.checker_statements.statements import mat, near, value
from verify.checker.arithmetic import Arithmetic
from verify.checker.budget import Budget
from verify.checker.enclosures import Enclosure
from verify.checker.matrices import matrix
from verify.checker.outcomes import Undecided
from verify.checker.spectra import eigenvalues, schatten, singular
from verify.checker.statements import PRECISIONS

F = Fraction
RATIONALS = st.fractions(-30, 30, max_denominator=50)
POSITIVE = st.fractions(F(1, 50), 30, max_denominator=50)
ENTRIES = st.integers(-4, 4)


def run(bits=80):
    return Arithmetic(Budget(), bits)


def ends(x):
    """Of a number, as rationals."""
    if not isinstance(x, Enclosure):
        return F(x), F(x)
    return tuple(F(end) * F(2) ** x.exponent for end in (x.low, x.high))


def close(found, expected):
    return all(math.isclose(end, expected, rel_tol=1e-9, abs_tol=1e-9) for end in ends(found))


@given(RATIONALS, POSITIVE)
def test_functions_are_near_those_of_floating_point(x, y):
    r = run()
    assert close(r.exp(x), math.exp(x))
    assert close(r.log(y), math.log(y))
    assert close(r.sqrt(y), math.sqrt(y))
    assert close(r.power(y, x), float(y) ** float(x)) or abs(x * math.log(y)) > 18
    assert close(r.rising("sigmoid", x), 1 / (1 + math.exp(-x)))


@pytest.mark.parametrize("wanted", [1, -1])
def test_the_larger_of_equal_numbers_has_a_value(wanted):
    r = run()
    one, other = r.log(4), 2 * r.log(2)
    with pytest.raises(Undecided):
        r.compare(one, other)
    for pair in ((one, other), (other, one)):
        low, high = ends(r.extreme(*pair, wanted))
        inner_low, inner_high = ends(run(160).log(4))
        assert low <= inner_low <= inner_high <= high
        assert high - low < F(1, 2**60)
    assert r.extreme(one, F(1), wanted) == (one if wanted > 0 else 1)
    assert r.extreme(F(3), F(2), wanted) == (3 if wanted > 0 else 2)


@given(RATIONALS, POSITIVE, st.sampled_from(["exp", "log", "sqrt"]))
def test_longer_enclosures_lie_in_shorter_ones(x, y, name):
    found = [ends(getattr(run(bits), name)(x if name == "exp" else y)) for bits in PRECISIONS]
    for (low, high), (inner_low, inner_high) in pairwise(found):
        assert low <= inner_high
        assert inner_low <= high
    low, high = found[-1]
    assert high - low <= max(abs(high), F(1)) / 2**320


@given(RATIONALS, RATIONALS, POSITIVE)
def test_operations_hold_what_rationals_give(x, y, z):
    a, b, c = (Enclosure.of(number, 20) for number in (x, y, z))
    pairs = [
        (a + b, x + y),
        (a - b, x - y),
        (a * b, x * y),
        (a * y, x * y),
        (x - b, x - y),
        (a / c, x / z),
        (x / c, x / z),
        (abs(a), abs(x)),
        (-a, -x),
        (a**5, x**5),
        (a**4, x**4),
    ]
    for found, expected in pairs:
        low, high = ends(found)
        assert low <= expected <= high
        assert high - low <= F(1, 2**8) * max(1, abs(x), abs(y)) ** 2 * max(1, abs(expected))


def test_inverses_of_exact_numbers_hold_what_they_are():
    """Nothing but their own rounding makes them wide."""
    for n in (*range(1, 40), *range(-39, 0)):
        low, high = ends(1 / Enclosure.of(F(n), 8))
        assert low <= F(1, n) <= high, n


@given(POSITIVE)
def test_functions_undo_each_other(x):
    r = run(320)
    for found in (r.exp(r.log(x)), r.log(r.exp(x)), r.mul(r.sqrt(x), r.sqrt(x))):
        low, high = ends(found)
        assert low <= x <= high
        assert high - low < F(1, 2**300)


def test_far_exponents():
    r = run()
    small, large = r.exp(-(10**9)), r.exp(10**9)
    assert r.compare(small, 0) == 1
    with pytest.raises(Undecided):
        r.compare(r.add(1, small), 1)
    assert close(r.mul(small, large), 1)
    assert r.compare(large, r.mul(2, large)) == -1
    assert close(r.log(large), 10**9)


def test_the_sign_of_a_small_difference():
    with pytest.raises(Undecided):
        value(["lt", ["exp", F_TEXT], 1], bits=40)
    assert value(["gt", ["exp", F_TEXT], 1], bits=160) is True


F_TEXT = f"1/{2**100}"


# linear algebra -----------------------------------------------------------------------------------
def square(size):
    return st.lists(st.lists(ENTRIES, min_size=size, max_size=size), min_size=size, max_size=size)


SQUARES = st.integers(1, 5).flatmap(square)
OBLONG = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda s: st.lists(
        st.lists(ENTRIES, min_size=s[1], max_size=s[1]), min_size=s[0], max_size=s[0]
    )
)


@given(SQUARES)
def test_determinant_and_inverse(rows):
    found = value(["det", mat(*rows)])
    assert math.isclose(found, np.linalg.det(rows), abs_tol=1e-6)
    product = value(["matmul", ["inverse", mat(*rows)], mat(*rows)])
    assert product == ("undefined" if found == 0 else np.eye(len(rows)).tolist())


@given(SQUARES, st.fractions(F(1, 9), 9, max_denominator=9))
def test_eigenvalues(rows, factor):
    symmetric = [
        [factor * (x + y) for x, y in zip(*p, strict=True)]
        for p in zip(rows, zip(*rows, strict=True), strict=True)
    ]
    expected = sorted(np.linalg.eigvalsh(np.array(symmetric, dtype=float)), reverse=True)
    for bits in (40, 160):
        found = eigenvalues(run(bits), matrix(symmetric))
        assert len(found) == len(expected)
        assert all(close(x, y) or abs(y) < 1e-6 for x, y in zip(found, expected, strict=True))
    definite = value(["definite", mat(*symmetric)])
    assert definite == (expected[-1] > -1e-9)


@given(OBLONG)
def test_singular_values(rows):
    expected = np.linalg.svd(np.array(rows, dtype=float), compute_uv=False)
    found = singular(run(), matrix(rows))
    assert len(found) == len(expected)
    assert all(close(x, y) or abs(y) < 1e-6 for x, y in zip(found, expected, strict=True))
    rank = np.linalg.matrix_rank(rows)
    assert value(["rank", mat(*rows)]) == rank
    assert [x != 0 for x in found] == [k < rank for k in range(len(found))]
    squares = np.prod([x**2 for x in expected[:rank]])
    assert math.isclose(value(["pdet2", mat(*rows)]), squares, rel_tol=1e-6)
    assert close(schatten(run(), matrix(rows), 3), sum(x**3 for x in expected))


@given(OBLONG)
def test_a_multiple_that_is_not_rational(rows):
    r = run()
    root = r.sqrt(2)
    scaled = matrix([[r.mul(root, x) for x in row] for row in rows])
    expected = math.sqrt(2) * np.linalg.svd(np.array(rows, dtype=float), compute_uv=False)
    pairs = list(zip(singular(r, scaled), expected, strict=True))
    assert all(close(x, y) or ends(x)[1] < 1e-6 > y for x, y in pairs)


def test_multiple_roots_and_roots_close_together():
    twice = [[1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 1], [0, 0, 1, 0]]
    golden = (1 + math.sqrt(5)) / 2
    found = eigenvalues(run(), matrix(twice))
    assert all(
        near(x, y) for x, y in zip(found, [golden, golden, 1 - golden, 1 - golden], strict=True)
    )
    tiny = F(1, 10**12)
    a, b = eigenvalues(run(), matrix([[1, tiny], [tiny, 1]]))
    assert (a, b) == (1 + tiny, 1 - tiny)
    a, b = eigenvalues(run(40), matrix([[1, tiny], [tiny, 1 + tiny]]))
    assert run().compare(a, b) == 1
