"""Exact linear algebra on small matrices, against numpy and by hand."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import matrices as exact
from graphs.algebraic import exact_value
from graphs.arithmetic import as_fraction
from graphs.matrices import (
    characteristic_polynomial,
    has_real_spectrum,
    kernel,
    largest_eigenvalue,
    rank,
    reduced,
)
from graphs.rationals import RATIONALS

numbers = st.fractions(-4, 4, max_denominator=4)


@st.composite
def matrices(draw, *, square=False):
    m = draw(st.integers(1, 4))
    n = m if square else draw(st.integers(1, 4))
    return RATIONALS.array(
        draw(st.lists(st.lists(numbers, min_size=n, max_size=n), min_size=m, max_size=m))
    )


def floats(matrix):
    return np.array([[float(as_fraction(x)) for x in row] for row in matrix])


@given(matrices(square=True))
def test_a_matrix_is_a_root_of_its_characteristic_polynomial(matrix):
    total, power = matrix * 0, RATIONALS.array(np.eye(len(matrix), dtype=int).tolist())
    for coefficient in characteristic_polynomial(matrix):
        total, power = total + power * coefficient, power @ matrix
    assert not total.any()


@given(matrices())
def test_a_kernel_is_what_is_sent_to_0(matrix):
    basis = kernel([[as_fraction(x) for x in row] for row in matrix])
    assert len(basis) == matrix.shape[1] - rank(matrix)
    assert not any((matrix @ RATIONALS.array(list(vector))).any() for vector in basis)
    assert not basis or rank(RATIONALS.array([list(vector) for vector in basis])) == len(basis)


@given(matrices())
def test_both_gram_matrices_have_the_same_largest_eigenvalue(matrix):
    one, other = largest_eigenvalue(matrix @ matrix.T), largest_eigenvalue(matrix.T @ matrix)
    assert one == other
    assert float(np.linalg.norm(floats(matrix), 2) ** 2) == pytest.approx(_float(one), abs=1e-6)


@given(matrices(square=True))
def test_the_largest_eigenvalue_of_an_indefinite_matrix(matrix):
    symmetric = matrix + matrix.T
    expected = np.linalg.eigvalsh(floats(symmetric))[-1]
    assert _float(largest_eigenvalue(symmetric)) == pytest.approx(float(expected), abs=1e-6)


def _float(value):
    found = exact_value(value)
    return float(found if isinstance(found, Fraction) else found.low)


@given(st.lists(st.integers(-3, 3), min_size=9, max_size=9))
def test_real_spectra_of_triangular_matrices_and_others(entries):
    matrix = RATIONALS.array(entries).reshape(3, 3)
    assert has_real_spectrum(np.triu(matrix))
    assert largest_eigenvalue(np.triu(matrix)) == max(matrix.diagonal())
    found = np.linalg.eigvals(matrix.astype(float)).imag
    if has_real_spectrum(matrix):
        assert abs(found).max() < 1e-3
    else:
        assert abs(found).max() > 1e-9


def test_only_real_spectra_are_taken():
    with pytest.raises(ValueError, match="real"):
        largest_eigenvalue(RATIONALS.array([[0, 1], [-1, 0]]))


@given(matrices(), st.integers(1, 4))
def test_the_rank_is_of_a_product_at_most_that_of_a_factor(matrix, inner):
    thin = RATIONALS.array([[i + j * j for j in range(inner)] for i in range(matrix.shape[1])])
    product = matrix @ thin
    assert rank(product) <= min(rank(matrix), rank(thin))
    assert rank(matrix) == rank(matrix.T) == rank(matrix @ matrix.T)


@given(matrices(square=True))
def test_without_flint_the_answers_are_the_same(matrix):
    def answers():
        form, pivots = reduced(matrix)
        numbers = [[as_fraction(entry) for entry in row] for row in form]
        polynomial = list(map(as_fraction, characteristic_polynomial(matrix)))
        return numbers, pivots, kernel(matrix), rank(matrix), polynomial

    with_it = answers()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "flint", None)
        assert answers() == with_it
    assert len(with_it[1]) == with_it[3] == len(matrix) - len(with_it[2])


@pytest.mark.parametrize("by_flint", [True, False])
def test_an_inverse_by_hand(monkeypatch, by_flint):
    if not by_flint:
        monkeypatch.setattr(exact, "flint", None)
    found = exact.inverse(RATIONALS.array([[1, 2], [3, 4]]))
    assert [[as_fraction(x) for x in row] for row in found] == [
        [-2, 1],
        [Fraction(3, 2), Fraction(-1, 2)],
    ]
    with pytest.raises(ZeroDivisionError):
        exact.inverse(RATIONALS.array([[1, 2], [2, 4]]))
