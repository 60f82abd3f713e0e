"""Bounds on largest eigenvalues, decided exactly."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.definiteness import (
    at_least,
    at_most,
    gram,
    kernel_vector,
    lower_bound,
    trace,
    upper_bound,
)


@st.composite
def matrices(draw):
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    entry = st.integers(-4, 4).map(Fraction)
    return [[draw(entry) for _ in range(columns)] for _ in range(rows)]


def largest(matrix):
    return float(np.linalg.eigvalsh(np.array(gram(matrix), dtype=float))[-1])


@given(matrices(), st.fractions(-2, 40, max_denominator=8))
def test_both_bounds_agree_with_eigenvalues(matrix, bound):
    value = largest(matrix)
    if abs(value - bound) > 1e-6:
        assert at_most(gram(matrix), bound) is (value < bound)
        assert at_least(gram(matrix), bound) is (value > bound)


@pytest.mark.parametrize("value", [Fraction(5), Fraction(1, 3)])
def test_an_eigenvalue_is_both_at_most_and_at_least_itself(value):
    square = [[value, Fraction(0)], [Fraction(0), value / 2]]
    assert at_most(square, value)
    assert at_least(square, value)


@given(matrices())
def test_bounds_are_bounds_and_near(matrix):
    square = gram(matrix)
    above, below = upper_bound(square, trace(square) + 1), lower_bound(square, Fraction(-1))
    assert below <= above
    assert at_most(square, above)
    assert at_least(square, below)


def test_no_bound_where_there_is_none():
    square = gram([[Fraction(3), Fraction(4)]])
    assert upper_bound(square, Fraction(25)) is None
    assert lower_bound(square, Fraction(25)) is None
    assert upper_bound(square, Fraction(26)) == lower_bound(square, Fraction(24)) == 25


@given(matrices())
def test_kernel_vectors(matrix):
    vector = kernel_vector(matrix)
    rank = np.linalg.matrix_rank(np.array(matrix, dtype=float))
    assert (vector is None) == (rank == len(matrix[0]))
    if vector is not None:
        assert any(vector)
        assert all(sum(a * b for a, b in zip(row, vector, strict=True)) == 0 for row in matrix)
