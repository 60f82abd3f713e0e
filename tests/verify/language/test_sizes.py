"""What is made of sizes alone: known exactly in every arithmetic."""

from __future__ import annotations

from fractions import Fraction

import pytest

from numerics.enclosures import Balls
from tests.verify.arrays import arrays
from verify.language.building import (
    Each,
    Max,
    Sum,
    When,
    Whole,
    eigenvalues,
    frob2,
    hidden,
    intersection,
    larger,
    list_,
    norm,
    rank,
    rows,
    slope_left,
    smaller,
    upto,
    z,
)
from verify.language.sizes import of_graph, of_sizes
from verify.language.statements import Statement
from verify.language.terms import Term
from verify.papers.lj22.flattenings import T1, dimension
from verify.papers.lj22.singular_values import C, D, W, least

M, N, K = rows(W), rows(W.T), Whole("k", 1, 5)
CASE = arrays(W=[[1, 2, 0], [0, 1, 1]])


@pytest.mark.parametrize(
    ("term", "told"),
    [
        (M, True),
        (smaller(M, N) / (M * N), True),
        (When(M <= N, M, K), True),
        (Max(intersection(upto(M), list_(1, 2)), lambda i: i * K), True),
        (dimension(M, N, K), True),
        (rank(W), False),
        (larger(M, frob2(W)), False),
        (rows(W @ W.T), False),
        (Sum(upto(M), lambda i: W[i, 1]), False),
    ],
)
def test_what_is_made_of_sizes(term: Term, told: bool) -> None:
    assert of_sizes(term) is told


def test_what_is_made_of_a_graph() -> None:
    """Slopes are numbers of it, and may be compared with literals; pre-activations are not."""
    assert of_graph(Each(hidden(), lambda v: slope_left(v) == 0))
    assert not of_graph(Each(hidden(), lambda v: slope_left(v) == z(v, 1)))
    assert not of_graph(Each(hidden(), lambda v: z(v, 1) == 0))


@pytest.mark.parametrize(
    ("left", "value"),
    [
        (frob2(W) / smaller(M, N), Fraction(7, 2)),
        (dimension(M, N, M) / (M * N) * frob2(W), Fraction(7)),
        (When(M <= N, M, N) * frob2(W), Fraction(14)),
        (W / N @ W.T, None),
    ],
)
def test_in_balls(left: Term, value: Fraction | None) -> None:
    says = frob2(left) == 0 if value is None else left <= 0
    statement = Statement("mine.a", says)
    assert statement.in_floats
    middle, radius = statement.measure(type(CASE).scene([CASE], Balls("cpu"))).values.to_numpy()
    wanted = Fraction(25 + 4 + 2 * 4, 9) if value is None else -value
    gap = abs(Fraction(float(middle[0])) - wanted)
    assert gap <= Fraction(float(radius[0]))
    assert radius[0] < 1e-12


def test_a_size_that_is_0_has_no_inverse() -> None:
    statement = Statement("mine.a", frob2(W) / (M - 2) <= norm(W) ** 2)
    assert not len(statement.measure(type(CASE).scene([CASE], Balls("cpu"))))


def test_a_rank_or_an_inner_eigenvalue_decides() -> None:
    assert not Statement("mine.a", frob2(W) / rank(W) <= norm(W) ** 2).in_floats
    assert not Statement("mine.a", eigenvalues(C)[2] <= 0).in_floats
    assert Statement("mine.a", least(C) <= least(D)).in_floats
    assert Statement("mine.a", norm(T1) ** 2 / rows(T1) >= 0).in_floats
