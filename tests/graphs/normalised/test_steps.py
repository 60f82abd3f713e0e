"""One step on M: hand-solved cases, and M_+ as the second moments of the normalised rows."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from tests.graphs.normalised.drawn import matrices, small
from tests.graphs.normalised.drawn import second_moments as drawn_moments
from tests.graphs.normalised.steps import (
    ZeroRowError,
    before_normalisation,
    entry_change,
    frobenius_change,
    is_second_moment_matrix,
    layer,
    second_moments,
    step,
)

F = Fraction


def test_two_rows_by_hand():
    # M = [[1, m], [m, 1]], W = [[0, 1], [0, 0]]: the first row becomes h_1 + gamma h_2
    m, gamma = F(1, 3), F(1, 2)
    done = step([[1, m], [m, 1]], [[0, 1], [0, 0]], gamma)
    assert as_fraction(done.before[0, 0]) == 1 + 2 * gamma * m + gamma**2
    assert as_fraction(done.before[0, 1]) == m + gamma
    assert as_fraction(done.squares[0, 1]) == (m + gamma) ** 2 / (1 + 2 * gamma * m + gamma**2)
    assert done.signs.tolist() == [[1, 1], [1, 1]]
    assert as_fraction(done.frobenius) == 2 + 2 * as_fraction(done.squares[0, 1])


def test_a_rational_step():
    # (2, 1) and (1, 2) after unit vectors: the cosine is 4/5
    done = step([[1, 0], [0, 1]], [[1, 1], [1, 1]], 1)
    assert as_fraction(done.squares[0, 1]) == F(16, 25)


def test_signs():
    done = step([[1, 0], [0, 1]], [[0, 0], [-3, 0]], 1)
    assert done.signs[0, 1] == -1
    assert step([[1, 0], [0, 1]], [[1, 0], [0, 1]], 1).signs[0, 1] == 0


def test_a_zero_row_is_told():
    ones = [[1, 1], [1, 1]]
    with pytest.raises(ZeroRowError, match="row 0"):
        step(ones, [[-1, 0], [0, 0]], 1)
    with pytest.raises(ZeroRowError, match="row 1"):
        step(ones, [[1, 0], [1, -1]], None)


@given(st.data())
def test_the_step_on_moments_is_the_step_on_rows(data):
    d, n = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3))
    hidden = data.draw(st.lists(st.lists(small, min_size=n, max_size=n), min_size=d, max_size=d))
    weights = data.draw(matrices(d))
    gamma = data.draw(st.sampled_from([F(1, 7), F(1), F(-2), None]))
    moments = second_moments(hidden)
    after = second_moments(layer(hidden, weights, gamma))
    assert np.all(before_normalisation(moments, weights, gamma) == after)


@given(st.data())
def test_squares_are_those_of_a_second_moment_matrix(data):
    d = data.draw(st.integers(2, 3))
    moments, weights = data.draw(drawn_moments(d)), data.draw(matrices(d))
    assert is_second_moment_matrix(moments)
    try:
        done = step(moments, weights, F(1, 3))
    except ZeroRowError:
        return
    assert all(done.squares[k, k] == 1 for k in range(d))
    assert all(0 <= as_fraction(x) <= 1 for x in done.squares.reshape(-1))


def test_what_is_no_second_moment_matrix():
    assert is_second_moment_matrix([[1, 1], [1, 1]])
    assert not is_second_moment_matrix([[1, F(3, 2)], [F(3, 2), 1]])  # not semidefinite
    assert not is_second_moment_matrix([[1, 0], [F(1, 2), 1]])  # not symmetric
    assert not is_second_moment_matrix([[2, 0], [0, 1]])  # another diagonal


def test_changes_by_hand():
    # d = 2: delta_F = 8 - 4(1 + m^2) - 16(1 + 3m^2) + 16(1 + m^2)^2 = 4 (1 - m^2)(1 - 4m^2)
    for m in (F(0), F(1, 2), F(-1), F(2, 7)):
        moments = [[1, m], [m, 1]]
        expected = 4 * (1 - m**2) * (1 - 4 * m**2)
        assert as_fraction(frobenius_change(moments)) == expected
        assert as_fraction(2 * entry_change(moments, 0, 1)) == expected


@given(drawn_moments(3))
def test_the_changes_of_entries_sum_to_that_of_the_norm(moments):
    total = sum(entry_change(moments, i, j) for i in range(3) for j in range(3) if i != j)
    assert total == frobenius_change(moments)


def test_no_strength_is_no_step():
    moments = RATIONALS.array([[1, F(1, 3)], [F(1, 3), 1]])
    assert np.all(step(moments, [[5, 1], [2, 3]], 0).before == moments)
