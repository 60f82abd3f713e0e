"""Terms as they are evaluated: what differs in names alone is one object, and only that."""

from __future__ import annotations

import gc
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from graphs.rationals import RATIONALS
from verify.cases.tensors import Tensor, Tensors
from verify.language import evaluation
from verify.language.building import Each, Matrix, Sum, Vector, dim, dot, row, rows, upto
from verify.language.evaluation import Evaluation
from verify.language.frames import BINDERS
from verify.language.lowering import TERMS, lowered
from verify.language.statements import Statement
from verify.language.terms import Term, number

A, X, Y = Matrix("A", "m", "m"), Vector("x", "m"), Vector("y", "m")


def total(vector: Term) -> Term:
    return Sum(upto(dim(vector)), lambda i: vector[i])


def squares(vector: Term) -> Term:
    return Sum(upto(dim(vector)), lambda k: vector[k] ** 2)


def of_rows(one: Callable[[Term, Term], Term]) -> Term:
    return Sum(upto(rows(A)), lambda i: Sum(upto(rows(A)), lambda j: one(i, j)))


def scene() -> Any:
    x = Tensor(("m",), (3,), (Fraction(1), Fraction(2), Fraction(4)))
    return Tensors.scene([Tensors({"x": x})], RATIONALS)


def same(one: Term, other: Term) -> bool:
    return lowered(one, {}) is lowered(other, {})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (total(X), Sum(upto(dim(X)), lambda other: X[other])),
        (of_rows(lambda i, j: A[i, j]), of_rows(lambda j, i: A[j, i])),
        (Vector("x", "m", meaning="in words")[1], X[1]),
    ],
)
def test_names_make_no_difference(one: Term, other: Term) -> None:
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (total(X), total(Y)),
        (total(X), squares(X)),
        (of_rows(lambda i, j: A[i, j]), of_rows(lambda i, j: A[j, i])),
        (of_rows(lambda i, j: X[i] * X[i]), of_rows(lambda i, j: X[i] * X[j])),
        (number(1), number(2)),
        (Vector("x", "m")[1], Vector("x", "n")[1]),
    ],
)
def test_everything_else_does(one: Term, other: Term) -> None:
    assert not same(one, other)


def test_a_part_is_the_same_wherever_it_stands() -> None:
    inner = lowered(total(X), {})
    within = lowered(Each(upto(rows(A)), lambda i: A[i, i] <= total(X)), {})
    assert any(part is inner for part in within.walk())


def test_a_variable_is_told_from_those_around_it() -> None:
    # sum_i (sum_j x_j) x_i and sum_i sum_j x_i x_j, whose inner sums have numbers of their own
    nested = Sum(upto(dim(X)), lambda i: total(X) * X[i])
    by = Evaluation(scene())
    assert by.column(lowered(nested, {})).values[0] == 49
    both = Sum(upto(dim(X)), lambda i: Sum(upto(dim(X)), lambda j: X[i] * X[j]))
    assert by.column(lowered(both, {})).values[0] == 49


def test_terms_that_nobody_has_are_gone() -> None:
    gc.collect()
    before = len(TERMS)
    statement = Statement("it", dot(X, row(A, 1)) == 12345, {})
    assert statement.worked_out is lowered(statement.says, {})
    assert len(TERMS) > before
    del statement
    gc.collect()
    assert len(TERMS) == before


def test_entries_are_those_of_the_matrix_of_their_case() -> None:
    # sum_i sum_j (i + 2 j) A_ij
    weighted = of_rows(lambda i, j: (i + 2 * j) * A[i, j])
    cases = []
    for entries in ((1, 2, 3, 4), (5, 0, 0, -1), (0, 1, 0, 0)):
        matrix = Tensor(("m", "m"), (2, 2), tuple(map(Fraction, entries)))
        cases.append(Tensors({"A": matrix}))
    by = Evaluation(Tensors.scene(cases, RATIONALS))
    found = by.column(lowered(weighted, {})).values
    assert [int(value) for value in found] == [3 + 10 + 12 + 24, 15 - 6, 5]
    of_row = Each(upto(rows(A)), lambda i: dot(row(A, i), row(A, 1)) > 0)
    assert by.column(lowered(of_row, {})).values.tolist() == [True, False, False]


def test_a_scene_that_holds_much_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    held = scene()
    one = Evaluation.of(held)
    assert Evaluation.of(held) is one
    monkeypatch.setattr(evaluation, "MOST_HELD", 2)
    statement = Statement("it", Each(upto(dim(X)), lambda i: total(X) >= X[i]), {})
    assert [int(value) for value in statement.measure(held).values] == [6, 5, 3]
    assert not any(isinstance(key[0], int) for key in one.root.within)
    other = Evaluation.of(held)
    assert other is not one
    assert [int(value) for value in statement.measure(held).values] == [6, 5, 3]


def test_a_scene_works_out_once_what_several_statements_ask(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sums = []
    real = BINDERS["sum"]

    def counted(*arguments: object) -> object:
        sums.append(arguments)
        return real(*arguments)

    monkeypatch.setitem(BINDERS, "sum", counted)
    given = {"bounded": squares(X) <= 100}
    one = Statement("one", squares(X) + total(X) >= 0, given)
    other = Statement("other", Each(upto(dim(X)), lambda i: total(X) >= X[i]), given)
    first = scene()
    assert one.hypothesis("bounded")(first).all()
    assert one.measure(first).values[0] == 28
    assert other.hypothesis("bounded")(first).all()
    assert [int(value) for value in other.measure(first).values] == [6, 5, 3]
    assert len(sums) == 2
    assert one.measure(scene()).values[0] == 28
    assert len(sums) == 4
