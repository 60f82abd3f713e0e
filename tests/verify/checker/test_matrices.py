"""The checker's exact functions of matrices, by what must hold of them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.checker import restated as checker
from verify.checker.restated import Declined

F = Fraction
ENTRIES = st.fractions(min_value=-4, max_value=4, max_denominator=4)


@st.composite
def matrices(draw):
    rows = draw(st.integers(1, 4))
    columns = draw(st.integers(1, 4))
    row = st.lists(ENTRIES, min_size=columns, max_size=columns)
    return draw(st.lists(row, min_size=rows, max_size=rows))


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


@given(matrices())
def test_the_reduced_form_spans_the_same_rows(matrix):
    found, pivots = checker.reduced(matrix)
    assert len(found) == checker.rank(matrix)
    for row, column in zip(found, pivots, strict=True):
        assert row[column] == 1
        assert [other[column] for other in found].count(0) == len(found) - 1
    if found:
        assert checker.rank(matrix + found) == len(found)


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
