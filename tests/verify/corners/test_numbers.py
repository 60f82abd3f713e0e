"""Rows at corners: no two alike, each of the kind that it says."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from verify.search.corners.numbers import (
    EXTREMES,
    HUGE,
    SIGNS,
    TIES,
    TINY,
    ZEROS,
    generic,
    points_at_corners,
    rows_at_corners,
)

COUNTS = st.integers(1, 9)


@given(COUNTS)
def test_rows_are_of_their_kind(count):
    rows = list(rows_at_corners(count))
    assert {kind for kind, _ in rows} == {ZEROS, TIES, SIGNS, EXTREMES}
    for kind, row in rows:
        assert len(row) == count
        assert (0 in row) is (kind == ZEROS)
        if kind == TIES:
            assert len({abs(value) for value in row}) < count or count == 1
        if kind == EXTREMES:
            assert max(map(abs, row)) > HUGE / 99 or min(map(abs, row)) < TINY * 99
    assert len({row for _, row in rows}) > count


@given(COUNTS)
def test_every_weight_is_0_alone_and_all_are(count):
    rows = [row for kind, row in rows_at_corners(count) if kind == ZEROS]
    assert {k for row in rows for k in range(count) if row.count(0) == 1 and row[k] == 0} == set(
        range(count)
    )
    assert (Fraction(0),) * count in rows


@given(COUNTS)
def test_what_is_in_no_special_position_has_no_tie_and_no_zero(count):
    numbers = generic(count)
    assert len(set(numbers)) == count
    assert all(numbers)


@given(COUNTS)
def test_points_are_data_as_the_papers_assume(width):
    for _, rows in points_at_corners(width):
        assert all(len(row) == width and sum(x * x for x in row) <= 1 for row in rows)
    assert any(len(rows) == 2 and rows[0] == rows[1] for _, rows in points_at_corners(width))
    assert any(not any(rows[0]) for kind, rows in points_at_corners(width) if kind == ZEROS)
