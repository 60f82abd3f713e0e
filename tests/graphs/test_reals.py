"""Real numbers by enclosures: against closed forms, mpmath and exact identities."""

from fractions import Fraction
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import reals
from graphs.algebraic import exact_value
from graphs.arithmetic import as_fraction, rational
from graphs.matrices import inverse, rank
from graphs.rationals import RATIONALS

SMALL = st.fractions(min_value=-4, max_value=4, max_denominator=6)
POSITIVE = st.fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=50)


@st.composite
def matrices(draw):
    rows, columns = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    entries = draw(st.lists(SMALL, min_size=rows * columns, max_size=rows * columns))
    return RATIONALS.array(entries).reshape(rows, columns)


def floats(matrix):
    return np.array([[float(as_fraction(x)) for x in row] for row in matrix])


def test_what_is_rational_stays_rational():
    assert reals.log(Fraction(1)) == 0
    assert not isinstance(reals.log(Fraction(1)), reals.Real)
    assert as_fraction(reals.sqrt(Fraction(9, 4))) == Fraction(3, 2)
    assert as_fraction(reals.power(Fraction(32), Fraction(2, 5))) == 4
    assert as_fraction(reals.power(Fraction(8, 27), Fraction(-2, 3))) == Fraction(9, 4)
    assert as_fraction(reals.power(0, Fraction(1, 3))) == 0
    assert isinstance(reals.sqrt(Fraction(2)), reals.Real)


@given(POSITIVE, POSITIVE)
def test_logarithms_and_powers_have_the_sign_of_their_difference(x, y):
    assert (reals.log(x) < reals.log(y)) == (x < y)
    third = Fraction(1, 3)
    assert (reals.power(x, third) < reals.power(y, third)) == (x < y)
    assert (reals.real(reals.exp(reals.log(x))) - x).sign() == 0


def test_a_difference_far_below_float64_is_told():
    tiny = Fraction(1, 10**60)
    root = reals.sqrt(Fraction(2))
    assert (root * root - 2).sign() == 0
    assert root * root - 2 + tiny > 0
    assert root * root - 2 - tiny < 0
    assert not root * root - 2


def test_a_logarithm_of_zero_has_no_sign():
    assert reals.log(Fraction(0)).sign() == 0
    assert not reals.log(Fraction(0)) < -5


def test_a_narrow_enclosure_excludes_zero_and_holds_the_number():
    low, high = exact_value(reals.log(Fraction(3)) - 1)
    assert 0 < low < high
    mpmath.mp.prec = 200
    exact = mpmath.log(3) - 1
    assert mpmath.mpf(low.numerator) / low.denominator < exact
    assert exact < mpmath.mpf(high.numerator) / high.denominator


@given(matrices())
def test_singular_values_agree_with_lapack_and_are_as_many_as_the_rank(matrix):
    found = reals.singular_values(matrix)
    assert len(found) == rank(matrix)
    expected = np.linalg.svd(floats(matrix), compute_uv=False)[: len(found)]
    np.testing.assert_allclose([float(x) for x in found], expected, rtol=1e-7, atol=1e-9)
    assert all(x >= y for x, y in pairwise(found))


def test_equal_singular_values_are_counted_as_often_as_they_occur():
    matrix = RATIONALS.array([[2, 0, 0], [0, 2, 0], [0, 0, 3]])
    assert [as_fraction(x) for x in reals.singular_values(matrix)] == [3, 2, 2]


@given(matrices())
def test_the_pseudo_determinant_is_the_sum_of_squared_minors(matrix):
    from itertools import combinations

    import sympy

    size = rank(matrix)
    whole = sympy.Matrix([[sympy.Rational(str(x)) for x in row] for row in matrix])
    minors = sum(
        (
            whole.extract(list(rows), list(columns)).det() ** 2
            for rows in combinations(range(whole.rows), size)
            for columns in combinations(range(whole.cols), size)
        ),
        sympy.Integer(0),
    )
    found = as_fraction(reals.pseudo_determinant_squared(matrix))
    assert found == Fraction(str(minors)) if size else found == 1


@given(matrices())
def test_the_four_equations_of_moore_and_penrose(matrix):
    inverse = reals.pseudo_inverse(matrix)
    one, other = matrix @ inverse, inverse @ matrix
    assert np.array_equal(one @ matrix, matrix)
    assert np.array_equal(other @ inverse, inverse)
    assert np.array_equal(one, one.T)
    assert np.array_equal(other, other.T)


@given(matrices())
def test_projections_are_symmetric_idempotent_and_keep_the_image(matrix):
    projection = reals.image_projection(matrix)
    assert np.array_equal(projection, projection.T)
    assert np.array_equal(projection @ projection, projection)
    assert np.array_equal(projection @ matrix, matrix)
    assert rank(projection) == rank(matrix)


def test_a_singular_matrix_has_no_inverse():
    with pytest.raises(ZeroDivisionError, match="singular"):
        inverse(RATIONALS.array([[1, 2], [2, 4]]))


@pytest.mark.parametrize("kind", ["tanh", "sigmoid", "softplus"])
@given(SMALL)
def test_smooth_activations_against_mpmath(kind, z):
    value, slope = reals.smooth(kind, z)
    x = mpmath.mpf(z.numerator) / z.denominator
    functions = {
        "tanh": (mpmath.tanh, lambda t: 1 - mpmath.tanh(t) ** 2),
        "sigmoid": (lambda t: 1 / (1 + mpmath.exp(-t)), lambda t: 1 / (2 + 2 * mpmath.cosh(t))),
        "softplus": (lambda t: mpmath.log(1 + mpmath.exp(t)), lambda t: 1 / (1 + mpmath.exp(-t))),
    }
    for found, function in zip((value, slope), functions[kind], strict=True):
        assert float(found) == pytest.approx(float(function(x)), rel=1e-12, abs=1e-15)


def test_smooth_activations_at_0_are_rational_where_they_can_be():
    values = {kind: reals.smooth(kind, Fraction(0)) for kind in ("tanh", "sigmoid", "softplus")}
    assert list(map(as_fraction, values["tanh"])) == [0, 1]
    assert list(map(as_fraction, values["sigmoid"])) == [Fraction(1, 2), Fraction(1, 4)]
    assert values["softplus"][0] == reals.log(Fraction(2))
    assert as_fraction(values["softplus"][1]) == Fraction(1, 2)


def test_a_number_may_be_made_of_many_others():
    one = reals.exp(Fraction(1))
    total = one
    for _ in range(5000):
        total = total + one
    assert total > 13594
    assert total < 13596
    for zero in (Fraction(0), rational(0)):
        assert type(total * zero) is type(zero * total) is type(zero)
        assert total * zero == 0


def test_what_no_precision_tells():
    root = reals.sqrt(Fraction(2))
    assert reals.told(root)
    assert reals.told(Fraction(0))
    assert not reals.told(root * root - 2)
