"""Ranks and null spaces modulo a prime, with and without FLINT."""

import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.laws.modular import Field, as_rational, nullspace, rank, ranks, reduced

P = 2**31 - 1


@st.composite
def matrices(draw) -> np.ndarray:
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    entries = st.lists(st.integers(-2, 2), min_size=rows * columns, max_size=rows * columns)
    return np.array(draw(entries), dtype=np.int64).reshape(rows, columns) % P


@pytest.fixture(params=["flint", "numpy"])
def backend(request, monkeypatch) -> str:
    if request.param == "numpy":
        monkeypatch.setitem(sys.modules, "flint", None)
    else:
        pytest.importorskip("flint", reason="python-flint is not installed")
    return request.param


def test_the_rank_of_small_integers_is_that_over_the_rationals(backend):
    matrix = np.array([[1, 2, 3], [2, 4, 6], [0, 1, -1]]) % P
    assert rank(matrix, P) == 2
    assert rank(np.zeros((0, 3), dtype=np.int64), P) == 0
    form, pivots = reduced(matrix, P)
    assert (form.tolist(), pivots) == ([[1, 0, 5], [0, 1, P - 1]], [0, 1])


@given(matrices())
def test_null_vectors_are_annihilated_and_fill_the_space(matrix):
    basis = nullspace(matrix, P)
    assert len(basis) == matrix.shape[1] - rank(matrix, P)
    assert not (matrix @ basis.T.astype(object) % P).any()
    assert rank(basis, P) == len(basis)


@given(st.lists(matrices(), min_size=1, max_size=5), st.integers(1, 4), st.integers(1, 4))
def test_matrices_eliminated_together_have_the_ranks_they_have_alone(some, rows, columns):
    stack = np.array([np.resize(matrix, (rows, columns)) for matrix in some])
    assert ranks(stack, P).tolist() == [rank(matrix, P) for matrix in stack]


@given(matrices())
def test_both_backends_agree(matrix):
    pytest.importorskip("flint", reason="python-flint is not installed")
    found = reduced(matrix, P)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "flint", None)
        plain = reduced(matrix, P)
        assert rank(matrix, P) == len(found[0])
    assert (found[0].tolist(), found[1]) == (plain[0].tolist(), plain[1])


@given(st.integers(1, 60), st.integers(1, 60))
def test_roots_of_scales_multiply(a, b):
    field = Field([Fraction(a), Fraction(b), Fraction(a * b), Fraction(a, b)])
    p = field.p
    assert field.root(Fraction(a)) ** 2 % p == a % p
    assert field.root(Fraction(a)) * field.root(Fraction(b)) % p == field.root(Fraction(a * b))
    quotient = field.root(Fraction(a, b))
    assert quotient * field.root(Fraction(b)) % p == field.root(Fraction(a))


@given(st.builds(Fraction, st.integers(-1000, 1000), st.integers(1, 1000)))
def test_a_small_rational_is_known_by_its_residue(number):
    residue = Field().residue(number)
    assert as_rational(residue, P) == number


def test_a_residue_may_be_that_of_no_small_rational():
    root = Field([Fraction(3)]).root(Fraction(3))
    assert as_rational(root, Field([Fraction(3)]).p) is None
