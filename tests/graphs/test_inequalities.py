"""Strict inequalities: either alternative proves itself."""

from fractions import Fraction
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from graphs.inequalities import strictly_positive

small = st.builds(Fraction, st.integers(-3, 3), st.integers(1, 2))
systems = st.integers(1, 3).flatmap(
    lambda k: st.lists(st.lists(small, min_size=k, max_size=k), min_size=1, max_size=6)
)


def dot(row, point):
    return sum((a * b for a, b in zip(row, point, strict=True)), Fraction(0))


@given(systems)
def test_the_answer_is_a_solution_or_a_proof(rows):
    size = len(rows[0])
    answer = strictly_positive(rows, size)
    assert (answer.solution is None) != (answer.certificate is None)
    if answer.solution is not None:
        assert all(dot(row, answer.solution) > 0 for row in rows)
    else:
        y = answer.certificate
        assert len(y) == len(rows)
        assert min(y) >= 0
        assert any(y)
        assert all(
            sum(a * row[i] for a, row in zip(y, rows, strict=True)) == 0 for i in range(size)
        )


@given(systems)
def test_a_certificate_names_no_row_too_many(rows):
    y = strictly_positive(rows, len(rows[0])).certificate
    if y is None:
        return
    support = [row for a, row in zip(y, rows, strict=True) if a]
    for k in range(len(support)):
        rest = support[:k] + support[k + 1 :]
        assert strictly_positive(rest, len(rows[0])).solution is not None


@given(st.lists(st.tuples(*[st.integers(-2, 2)] * 2), min_size=1, max_size=4))
def test_a_grid_finds_a_solution_only_where_there_is_one(rows):
    answer = strictly_positive(rows, 2)
    grid = product(range(-12, 13), repeat=2)
    assert any(all(dot(row, w) > 0 for row in rows) for w in grid) == (answer.solution is not None)


def test_without_rows_everything_solves():
    assert strictly_positive([], 2).solution == (0, 0)


def test_without_columns_nothing_does():
    assert strictly_positive([[]], 0).certificate == (1,)
