"""The checker's functions of matrices: eigenvalues and singular values in enclosures, the rest
exactly; against numpy, by what must hold of them, and by hand."""

from fractions import Fraction
from itertools import combinations, pairwise
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.checker import restated as checker
from verify.checker.restated import Arrays, Declined, Interval, Rejected, Spectrum

F = Fraction
ENTRIES = st.fractions(min_value=-4, max_value=4, max_denominator=4)


def determinant(matrix):
    """By the first row."""
    if not matrix:
        return F(1)
    minors = ([row[:k] + row[k + 1 :] for row in matrix[1:]] for k in range(len(matrix)))
    return sum((-1) ** k * matrix[0][k] * determinant(minor) for k, minor in enumerate(minors))


@st.composite
def matrices(draw, square=False):
    rows = draw(st.integers(1, 4))
    columns = rows if square else draw(st.integers(1, 4))
    row = st.lists(ENTRIES, min_size=columns, max_size=columns)
    return draw(st.lists(row, min_size=rows, max_size=rows))


@st.composite
def symmetric_matrices(draw):
    matrix = draw(matrices(square=True))
    return checker.plus(matrix, checker.transposed(matrix))


def at(bits):
    return Arrays({}, {}, {}, {}, bits)


def floats(matrix):
    return np.array([[float(entry) for entry in row] for row in matrix])


def rows(*lists):
    return [[F(entry) for entry in row] for row in lists]


def contains(found: Interval, value: Fraction) -> bool:
    return found.low <= value <= found.high


# eigenvalues -------------------------------------------------------------------------------------
@given(symmetric_matrices(), st.sampled_from([10, 40, 160]))
def test_eigenvalues_are_enclosed_in_order(matrix, bits):
    found = at(bits).eigenvalues(matrix)
    expected = np.linalg.eigvalsh(floats(matrix))[::-1]
    assert np.allclose([float(x.low) for x in found], expected, atol=2.0**-bits + 1e-9)
    assert all((x.high - x.low) * 2**bits <= 1 for x in found)
    assert all(a.high >= b.low for a, b in pairwise(found))
    assert contains(checker.added(found), checker.trace(matrix))
    total = prod(found, start=checker.interval(1))
    assert contains(total, determinant(matrix))
    squares = checker.added(x.square() for x in found)
    assert contains(squares, checker.frobenius_squared(matrix))


@given(symmetric_matrices())
def test_each_end_is_on_its_side_by_elimination(matrix):
    """The largest eigenvalue is below t exactly where t - M is positive definite."""
    largest = at(30).eigenvalue(matrix, 1)
    size = len(matrix)

    def side(t):
        shifted = checker.minus(checker.scaled(checker.identity(size), t), matrix)
        return checker.definiteness(shifted)

    if largest.low == largest.high:
        assert side(largest.low) == 0
    else:
        assert side(largest.low) == -1
        assert side(largest.high) == 1


@given(symmetric_matrices(), st.integers(1, 4))
def test_enclosures_shrink_and_agree(matrix, number):
    if number > len(matrix):
        return
    wide, narrow = (at(bits).eigenvalue(matrix, number) for bits in (20, 200))
    assert wide.low <= narrow.low
    assert narrow.high <= wide.high
    assert (narrow.high - narrow.low) * 2**200 <= min(1, abs(narrow.low))


@given(st.lists(ENTRIES, min_size=1, max_size=4), st.integers(0, 3))
def test_rational_eigenvalues_are_exact_with_multiplicity(values, turn):
    """A rotation by (3/5, 4/5) of a diagonal matrix."""
    size = len(values)
    matrix = [[values[i] if i == j else F(0) for j in range(size)] for i in range(size)]
    for k in range(min(turn, size - 1)):
        q = checker.identity(size)
        q[k][k] = q[k + 1][k + 1] = F(3, 5)
        q[k][k + 1], q[k + 1][k] = F(4, 5), F(-4, 5)
        matrix = checker.times(checker.times(q, matrix), checker.transposed(q))
    found = at(40).eigenvalues(matrix)
    assert [(x.low, x.high) for x in found] == [(v, v) for v in sorted(values, reverse=True)]


def test_irrational_eigenvalues_with_multiplicity_beside_zeros():
    golden = rows([2, 1, 0, 0, 0], [1, 1, 0, 0, 0], [0, 0, 2, 1, 0], [0, 0, 1, 1, 0], [0] * 5)
    found = at(60).eigenvalues(golden)
    high, low = (3 + 5**0.5) / 2, (3 - 5**0.5) / 2
    assert [float(x.low) for x in found] == pytest.approx([high, high, low, low, 0])
    assert found[0].low == found[1].low != found[0].high
    assert (found[4].low, found[4].high) == (0, 0)
    spectrum = Spectrum.of(golden)
    assert (spectrum.rank, spectrum.zeros) == (4, 1)
    minus_it = at(60).eigenvalues(checker.scaled(golden, -1))
    assert [(-x.high, -x.low) for x in reversed(minus_it)] == [(x.low, x.high) for x in found]


def test_eigenvalues_that_lie_close_are_told_apart():
    near = F(1, 10**30)
    found = at(40).eigenvalues(rows([1, 0, 0], [0, 1 + near, 0], [0, 0, 2]))
    assert found[0] == 2
    for x in found[1:]:
        assert contains(x, 1 + near) or contains(x, F(1))
    close = rows([1, near], [near, 1])  # 1 + near and 1 - near
    one, other = at(160).eigenvalues(close)
    assert (one.low, other.low) == (1 + near, 1 - near)


def test_what_has_no_spectrum_is_refused():
    with pytest.raises(Rejected, match="not symmetric"):
        Spectrum.of(rows([0, 1], [0, 0]))
    with pytest.raises(Rejected, match="no eigenvalue of that number"):
        at(10).eigenvalue(rows([1]), 2)
    with pytest.raises(Rejected, match="counted from 1"):
        at(10).singular_value(rows([1]), 0)
    with pytest.raises(Declined):
        Spectrum.of([[F(1, 7 ** (500 + i + j) + i * j) for j in range(12)] for i in range(12)])


# singular values ---------------------------------------------------------------------------------
@given(matrices())
def test_singular_values_and_what_is_made_of_them(matrix):
    arrays, exact = at(60), np.linalg.svd(floats(matrix))[1]
    found = arrays.singular_values(matrix)
    size = checker.rank(matrix)
    assert len(found) == size
    exact = exact[:size]
    assert np.allclose([float(s.low) for s in found], exact, rtol=1e-6)
    for value, expected in (
        (arrays.schatten(matrix, F(2, 3)), (exact ** (2 / 3)).sum()),
        (arrays.nuclear_norm(matrix), exact.sum()),
        (arrays.operator_norm(matrix), max(exact, default=0)),
        (arrays.log_pseudo_determinant(matrix), np.log(exact).sum()),
    ):
        assert float(value.low) == pytest.approx(expected, rel=1e-6, abs=1e-6)
        assert (value.high - value.low) * 2**50 <= 1
    assert contains(arrays.schatten(matrix, 2), checker.frobenius_squared(matrix))
    assert arrays.singular_value(matrix, size + 1) == 0
    log = checker.added(map(arrays.log, found))
    other = arrays.log_pseudo_determinant(matrix)
    assert log.low <= other.high
    assert other.low <= log.high


@given(matrices())
def test_the_pseudo_determinant_is_the_sum_of_squared_minors(matrix):
    found = checker.pseudo_determinant_squared(matrix)
    size = checker.rank(matrix)
    if size == 0:
        assert found == 1
    else:
        chosen = [
            [[matrix[i][j] for j in columns] for i in kept]
            for kept in combinations(range(len(matrix)), size)
            for columns in combinations(range(len(matrix[0])), size)
        ]
        assert found == sum(determinant(minor) ** 2 for minor in chosen)


def test_singular_values_by_hand():
    arrays = at(40)
    assert arrays.operator_norm(rows([3, 4])) == 5
    assert arrays.nuclear_norm(rows([0, 2], [-3, 0])) == 5
    assert arrays.schatten(rows([0, 8], [-27, 0]), F(2, 3)) == 13
    zero = rows([0, 0])
    assert arrays.singular_values(zero) == []
    assert arrays.operator_norm(zero) == arrays.log_pseudo_determinant(zero) == 0
    assert checker.pseudo_determinant_squared(rows([1, 1], [1, 1])) == 4


# exactly -----------------------------------------------------------------------------------------
@given(matrices())
def test_pseudo_inverses_and_projections(matrix):
    """The four equations of Penrose, and what makes a projection."""
    times, plus = checker.times, checker.pseudo_inverse(matrix)
    there, back = times(matrix, plus), times(plus, matrix)
    assert times(there, matrix) == matrix
    assert times(back, plus) == plus
    assert there == checker.transposed(there)
    assert back == checker.transposed(back)
    assert checker.projection(matrix) == there
    assert checker.trace(there) == checker.rank(matrix)


@given(matrices(square=True))
def test_inverses_and_characteristic_polynomials(matrix):
    size = len(matrix)
    coefficients = checker.characteristic_polynomial(matrix)
    power, total = checker.identity(size), checker.scaled(checker.identity(size), 0)
    for c in coefficients:  # the theorem of Cayley and Hamilton
        total = checker.plus(total, checker.scaled(power, c))
        power = checker.times(power, matrix)
    assert not any(map(any, total))
    assert coefficients[-1] == 1
    assert coefficients[0] == (-1) ** size * determinant(matrix)
    if coefficients[0]:
        assert checker.times(checker.inverse(matrix), matrix) == checker.identity(size)
    else:
        with pytest.raises(Rejected, match="singular"):
            checker.inverse(matrix)


@given(matrices())
def test_the_reduced_form_spans_the_same_rows(matrix):
    found, pivots = checker.reduced(matrix)
    assert len(found) == checker.rank(matrix)
    for row, column in zip(found, pivots, strict=True):
        assert row[column] == 1
        assert [other[column] for other in found].count(0) == len(found) - 1
    if found:
        assert checker.rank(matrix + found) == len(found)


def test_products_and_pieces_by_hand():
    one, other = rows([1, 2]), rows([3], [5])
    assert checker.above(one, one) == rows([1, 2], [1, 2])
    assert checker.rows_scaled([F(2), F(3)], other) == rows([6], [15])
    assert checker.columns_scaled(one, [F(2), F(3)]) == rows([2, 6])
    assert checker.columns_of(one, [1]) == rows([2])
    assert checker.applied(one, [F(1), F(1)]) == [3]
    assert checker.as_column([F(3), F(5)]) == other
    assert checker.length_squared([F(3), F(4)]) == 25
    assert checker.small_gram(one) == rows([5])
    assert checker.small_gram(other) == rows([34])


# limits on the work ------------------------------------------------------------------------------
def test_the_work_of_a_check_adds_up():
    steps = checker.MOST_WORK // 1000

    def work(times):
        for _ in range(times):
            checker.charge(steps, 999)

    enough = 1 + checker.MOST_TOGETHER // (steps * 999)
    work(enough)  # outside of a check nothing is added up
    with checker.metered():
        work(enough - 1)
        with pytest.raises(Declined, match="together"):
            work(1)
    with pytest.raises(Declined, match="takes too long"):
        checker.charge(steps, 1001)
