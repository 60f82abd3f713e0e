"""Bounds on largest eigenvalues and kernels, decided exactly."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.definiteness import at_most
from graphs.matrices import kernel_vector


@st.composite
def matrices(draw):
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    entry = st.integers(-4, 4).map(Fraction)
    return [[draw(entry) for _ in range(columns)] for _ in range(rows)]


def gram(matrix):
    return [[sum(a * b for a, b in zip(x, y, strict=True)) for y in matrix] for x in matrix]


def largest(matrix):
    return float(np.linalg.eigvalsh(np.array(gram(matrix), dtype=float))[-1])


@given(matrices(), st.fractions(-2, 40, max_denominator=8))
def test_the_bound_agrees_with_eigenvalues(matrix, bound):
    value = largest(matrix)
    if abs(value - bound) > 1e-6:
        assert at_most(gram(matrix), bound) is (value < bound)


@pytest.mark.parametrize("value", [Fraction(5), Fraction(1, 3)])
def test_an_eigenvalue_is_at_most_itself(value):
    square = [[value, Fraction(0)], [Fraction(0), value / 2]]
    assert at_most(square, value)
    assert not at_most(square, value - Fraction(1, 10**9))


@given(matrices())
def test_kernel_vectors(matrix):
    vector = kernel_vector(matrix)
    rank = np.linalg.matrix_rank(np.array(matrix, dtype=float))
    assert (vector is None) == (rank == len(matrix[0]))
    if vector is not None:
        assert any(vector)
        assert all(sum(a * b for a, b in zip(row, vector, strict=True)) == 0 for row in matrix)
