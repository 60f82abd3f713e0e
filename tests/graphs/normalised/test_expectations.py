"""Means over W: the trace formula against matrix by matrix, series against values."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.arithmetic import as_fraction
from graphs.normalised.laws import (
    asymmetric,
    finite_law,
    rademacher,
    three_points,
)
from tests.graphs.normalised.drawn import second_moments
from tests.graphs.normalised.entries import independent_entries
from tests.graphs.normalised.expectations import (
    ZeroRowError,
    enumerated_mean_squares,
    equal_entries,
    mean_frobenius,
    mean_frobenius_series,
    mean_square_series,
    mean_squares,
    symmetric_matrices,
    weight_matrices,
)
from tests.graphs.normalised.steps import frobenius_change

F = Fraction
LAWS = [rademacher(), three_points(2), asymmetric(), rademacher().shifted("1/3")]
M3 = [[1, F(1, 3), F(1, 2)], [F(1, 3), 1, F(-1, 4)], [F(1, 2), F(-1, 4), 1]]


def test_two_rows_by_hand():
    # M = I, W-R, gamma = 1: x in {(2, +-1), (0, +-1)}, y in {(+-1, 2), (+-1, 0)}. The squared
    # cosines: (2, s)(t, 2): (2t + 2s)^2/25, that is 16/25 or 0; (2, s)(t, 0): 4/5; (0, s)(t, 2):
    # 4/5; (0, s)(t, 0): 0. Their mean is (8/25 + 4/5 + 4/5 + 0)/4.
    rows = independent_entries(rademacher(), 2)
    expected = (F(8, 25) + F(8, 5)) / 4
    assert as_fraction(mean_squares([[1, 0], [0, 1]], rows, 1)[0, 1]) == expected
    assert as_fraction(mean_frobenius([[1, 0], [0, 1]], rows, 1)) == 2 + 2 * expected


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
@given(st.data())
@settings(max_examples=10)
def test_the_trace_is_the_mean_over_all_matrices(law, data):
    moments = data.draw(second_moments(2))
    gamma = data.draw(st.sampled_from([F(1, 9), F(2, 7), F(5, 11)]))
    rows = independent_entries(law, 2)
    try:
        found = mean_squares(moments, rows, gamma)
    except ZeroRowError:
        with pytest.raises(ZeroRowError):
            enumerated_mean_squares(moments, weight_matrices(rows, 2), gamma)
        return
    assert np.all(found == enumerated_mean_squares(moments, weight_matrices(rows, 2), gamma))


def test_three_rows_and_infinite_strength():
    rows = independent_entries(rademacher(), 3)
    every = list(weight_matrices(rows, 3))
    assert len(every) == 512
    assert sum(mass for _, mass in every) == 1
    for gamma in (F(1, 5), None):
        direct = enumerated_mean_squares(M3, every, gamma)
        assert np.all(mean_squares(M3, rows, gamma) == direct)


def test_rows_of_one_draw():
    rows = equal_entries(three_points(2), 3)
    direct = enumerated_mean_squares(M3, weight_matrices(rows, 3), F(1, 9))
    assert np.all(mean_squares(M3, rows, F(1, 9)) == direct)
    independent = mean_squares(M3, independent_entries(three_points(2), 3), F(1, 9))
    assert not np.all(direct == independent)


def test_symmetric_weights():
    every = list(symmetric_matrices(rademacher(), 2))
    assert len(every) == 8
    assert all(w[0][1] == w[1][0] for w, _ in every)
    assert sum(mass for _, mass in every) == 1
    assert enumerated_mean_squares([[1, 0], [0, 1]], every, F(1, 2)).shape == (2, 2)


def test_the_series_starts_with_the_squares():
    entries = mean_square_series(M3, independent_entries(rademacher(), 3), 1)
    assert [as_fraction(part[1, 1]) for part in entries] == [1, 0]
    assert as_fraction(entries[0][0, 1]) == F(1, 9)


@pytest.mark.parametrize("law", LAWS[:3], ids=lambda law: law.name)
@given(second_moments(3))
@settings(max_examples=5)
def test_the_second_coefficient_is_the_change_of_lemma_7(law, moments):
    series = mean_frobenius_series(moments, independent_entries(law, 3), 3)
    assert series[1] == 0
    assert series[2] == frobenius_change(moments)
    assert not law.symmetric or series[3] == 0


def test_a_law_with_another_variance_or_mean_is_seen():
    wide = independent_entries(rademacher().scaled(2), 3)
    assert mean_frobenius_series(M3, wide, 2)[2] == 4 * frobenius_change(M3)
    moved = independent_entries(rademacher().shifted(1), 3)
    assert mean_frobenius_series(M3, moved, 1)[1] != 0


def test_a_zero_row_is_told():
    ones, rows = [[1, 1], [1, 1]], independent_entries(rademacher(), 2)
    with pytest.raises(ZeroRowError, match="row 0"):
        mean_squares(ones, rows, F(1, 2))  # 1 + (1/2)(-1 - 1) = 0
    with pytest.raises(ZeroRowError, match="no series"):
        mean_frobenius_series([[0, 0], [0, 1]], rows, 2)


def test_one_row_and_one_atom():
    rows = independent_entries(finite_law("one", [(3, 1)]), 1)
    assert as_fraction(mean_frobenius([[1]], rows, F(1, 2))) == 1
