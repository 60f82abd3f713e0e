"""Terms: sorts, records, names, formulas, edits, rates."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from reports.mathml import formula as mathml
from tests.repository import ROOT
from tests.verify.language.test_evaluation import ON_NETWORK, WORKED
from tests.verify.language.values import case, worth
from verify.language.building import (
    FUNCTIONS,
    Matrix,
    Number,
    Tensor,
    Vector,
    Whole,
    eigenvalues,
    list_,
    norm,
    unfold,
    upto,
)
from verify.language.domains import domain_from_json, domain_of
from verify.language.edits import edits
from verify.language.latex import formula
from verify.language.lowering import lowered
from verify.language.operators import OPERATORS
from verify.language.rates import without_rates
from verify.language.records import from_json, key
from verify.language.sorts import INT, NUM, fits, seq, signature, sort_of
from verify.language.statements import Statement, leaves
from verify.language.terms import Term, TermError, make, to_json
from verify.papers.registry import find

A, B, x, c, k = (
    Matrix("A", "m", "n"),
    Matrix("B", "n", "k"),
    Vector("x", "n"),
    Number("c"),
    Whole("k", 1, 5),
)
T = Tensor("T", "a", "b", "c")
Sum, Each, Rate, rank = (FUNCTIONS[name] for name in ("Sum", "Each", "Rate", "rank"))


# sorts -------------------------------------------------------------------------------------------
def test_a_whole_number_is_a_number() -> None:
    assert fits(INT, NUM)
    assert not fits(NUM, INT)
    assert fits(seq(INT), seq(NUM))
    assert signature("seq[S] seq[S]: seq[S]").of((seq(INT), seq(NUM))) == (
        (seq(NUM), seq(NUM)),
        seq(NUM),
    )
    assert sort_of("seq[seq[vertex]]") == seq(seq(sort_of("vertex")))


@pytest.mark.parametrize(
    ("build", "told"),
    [
        (lambda: A + c, "add(mat, num): it takes"),
        (lambda: rank(x), "rank(vec): it takes (mat)"),
        (lambda: A * 0.5, "0.5 is not exact: write Fraction(1, 2)"),
        (lambda: make("eq", A, x), "eq(mat, vec)"),
        (lambda: A[1], "has two indices"),
        (lambda: A[0, 1], "the index 0: indices run from 1"),
        (lambda: A * A, "the product of matrices is A @ B"),
        (lambda: A == 0, "write frob2(A) == 0"),
        (lambda: Sum(k, lambda i: i), "int is no list"),
        (lambda: Sum(upto(3), c), "the last argument is a function"),
        (lambda: Sum(upto(3), lambda i, j: i), "takes 2 values, 1 are bound"),
        (lambda: bool(c > 0), "neither true nor false"),
        (lambda: 0 < c < 1, "joined by & instead of a <= b <= c"),
        (lambda: list(upto(3)), "walked by Sum, Each"),
        (lambda: list_("a"), "'a' is no term"),
        (lambda: Matrix("A b", "m", "n"), "names no array"),
        (lambda: Whole("k", 3, 2), "no whole number from 3 to 2"),
        (lambda: domain_of([A, Matrix("A", "n", "m")]), "two different arrays"),
        (lambda: Statement("s", make("truth", True)) if False else domain_of([]), "no array"),
        (lambda: Statement("s", rank(A)), "an int, not a relation"),
        (lambda: Tensor("T", "a", "b"), "three to 6 axes, not 2"),
        (lambda: unfold(T, 4), "no unfolding 4 of a tensor with 3 axes"),
        (lambda: unfold(A, 1), "no unfolding 1 of a mat"),
        (lambda: T == T, "say it of its unfoldings"),
        (lambda: list_(T, T), "say it of its unfoldings"),
    ],
)
def test_what_is_malformed_says_so(build: Any, told: str) -> None:
    with pytest.raises(TermError) as caught:
        build()
    assert told in str(caught.value)


# records -----------------------------------------------------------------------------------------
def _row(i: Any) -> Term:
    found: Term = Sum(upto(FUNCTIONS["cols"](A)), lambda j: A[i, j] * k) <= c
    return found


SAID = Each(upto(FUNCTIONS["rows"](A)), _row)


def test_a_record_reads_back() -> None:
    data = to_json(SAID)
    assert data == [
        "each",
        ["range", 1, ["rows", ["field", "A"]]],
        [
            "le",
            [
                "sum",
                ["range", 1, ["cols", ["field", "A"]]],
                ["mul", ["entry", ["field", "A"], ["var", 0], ["var", 1]], ["field", "k"]],
            ],
            ["field", "c"],
        ],
    ]
    domain = domain_of([SAID])
    back = from_json(data, domain_from_json(domain.to_json()).arrays)
    assert key(back) == key(SAID)
    assert back.sort == SAID.sort


def test_names_do_not_matter() -> None:
    one = Sum(upto(3), lambda i: Sum(upto(i), lambda j: i - j))
    two = Sum(upto(3), lambda u: Sum(upto(u), lambda v: u - v))
    assert key(one) == key(two)
    assert key(one) != key(Sum(upto(3), lambda u: Sum(upto(u), lambda v: v - u)))


@pytest.mark.parametrize(
    "data",
    [
        ["nothing", 1],
        ["var", 0],
        ["field", "Q"],
        ["add", 1],
        ["add", 1, True],
        ["sum", ["range", 1, 3], ["var", 1]],
        "1/0",
        "x",
        None,
        1.5,
        [],
        ["item", ["tuple", 1, 2], 3],
    ],
)
def test_what_is_no_term_is_refused(data: Any) -> None:
    with pytest.raises(TermError):
        from_json(data, {})


# formulas ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (rank(A @ B) <= rank(A), r"\operatorname{rank}(A \, B) \le \operatorname{rank}(A)"),
        ((c + 1) * k - (c - k), r"\left(c + 1\right) \, k - \left(c - k\right)"),
        ((c + 1) ** 2 / 3, r"\frac{\left(c + 1\right)^{2}}{3}"),
        (-(c + 1), r"-\left(c + 1\right)"),
        (c * Fraction(-1, 2), r"c \, \left(-\frac{1}{2}\right)"),
        (A.T @ (A + A), r"A^T \, \left(A + A\right)"),
        (Sum(upto(k), lambda i: x[i] ** 2), r"\sum_{i=1}^{k} x_{i}^{2}"),
        (
            SAID,
            r"\forall 1 \le i \le m :\; \sum_{j=1}^{n} A_{i, j} \, k \le c",
        ),
        (
            Sum(upto(2), lambda i: Sum(upto(i), lambda i: i)),
            r"\sum_{i=1}^{2} \sum_{i_{2}=1}^{i} i_{2}",
        ),
        (unfold(T, 3).T @ unfold(T, 3), r"T_{(3)}^T \, T_{(3)}"),
        (Number("alpha_1") > Number("W2"), r"\alpha_{1} > W_{2}"),
    ],
)
def test_formulas(term: Term, expected: str) -> None:
    assert formula(term) == expected


def test_every_operator_has_a_formula_that_renders() -> None:
    for term, _ in (*WORKED, *ON_NETWORK):
        text = formula(term)
        assert "?" not in text  # a variable without a name
        assert "<math" in mathml(text)  # which refuses what would show as LaTeX


# edits -------------------------------------------------------------------------------------------
def test_edits_differ_in_one_place_and_from_each_other() -> None:
    said = FUNCTIONS["frob2"](A @ B) <= FUNCTIONS["frob2"](A) * FUNCTIONS["frob2"](B)
    found = list(edits(said))
    texts = [key(edit.says) for edit in found]
    assert len(set(texts)) == len(texts)
    assert key(said) not in texts
    shown = {formula(edit.says) for edit in found}
    a, b, ab = (rf"\lVert {m} \rVert_F^2" for m in ("A", "B", r"A \, B"))
    transposed = r"\lVert A^T \, B \rVert_F^2"
    assert rf"{ab} < {a} \, {b}" in shown
    assert rf"{transposed} \le {a} \, {b}" in shown
    assert rf"{ab} \le {a}" in shown
    assert {edit.rule for edit in found} >= {"relation", "transpose", "factor", "dropped", "order"}


def test_a_strict_relation_is_weakened_or_turned_around_and_an_element_left_out() -> None:
    told = {(edit.rule, formula(edit.says)) for edit in edits(c < 1)}
    assert {("strictness", r"c \le 1"), ("relation", "c > 1")} <= told
    told = {(edit.rule, formula(edit.says)) for edit in edits(make("in", k, upto(3)))}
    assert ("relation", rf"\text{{not }} {formula(make('in', k, upto(3)))}") in told


def test_a_range_loses_its_last_or_its_first_number() -> None:
    said = {formula(e.new) for e in edits(Sum(upto(k), lambda i: i) == c) if e.rule == "bound"}
    assert said == {r"\sum_{i=1}^{k - 1} i", r"\sum_{i=1 + 1}^{k} i"}


def test_a_side_is_negated_and_a_mean_over_examples_is_taken_for_a_sum() -> None:
    told = {(e.rule, formula(e.old), formula(e.new)) for e in edits(Sum(upto(k), lambda i: i) == c)}
    assert {("sign", "c", "-c"), ("factor", "c", r"2 \, c")} <= told
    assert ("sign", "0", "0") not in {
        (e.rule, formula(e.old), formula(e.new)) for e in edits(c >= 0)
    }
    examples = make("examples")
    count = formula(make("card", examples))
    summed = Sum(examples, lambda j: make("label", j))
    told = {(e.rule, formula(e.new)) for e in edits(summed == c)}
    assert {("factor", rf"{count} \, c"), ("factor", rf"\frac{{1}}{{{count}}} \, c")} <= told


@pytest.mark.parametrize("name", ["lj22.lemma2a", "lj22.thm1-5", "j23.sandwich.order"])
def test_an_edit_keeps_the_leaves_where_it_changes_where_they_are_asked(name) -> None:
    says = find(name).terms.says
    before = set(map(id, leaves(says)))
    found = list(edits(says))
    for edit in found:
        assert edit.keeps_leaves == before.issubset(map(id, leaves(edit.says)))
    assert not all(edit.keeps_leaves for edit in found)
    assert any(edit.keeps_leaves for edit in found) == (name != "lj22.thm1-5")


def test_edits_come_in_the_order_that_is_asked_for_and_none_is_written_before() -> None:
    said = FUNCTIONS["frob2"](A @ B) <= FUNCTIONS["frob2"](A) * FUNCTIONS["frob2"](B)
    seen = []

    def factors_first(found):
        seen.extend(found)
        return sorted(seen, key=lambda edit: edit.rule != "factor")

    first = next(edits(said, factors_first))
    assert first.rule == "factor"
    assert [edit for edit in seen if "says" in vars(edit)] == [first]
    assert {key(edit.says) for edit in edits(said, factors_first)} == {
        key(edit.says) for edit in edits(said)
    }


def test_every_edit_of_a_statement_can_be_measured() -> None:
    held = case(A=[[1, 2], [3, 4]], c=Fraction(1), k=2)
    for edit in edits(SAID):
        assert worth(edit.says, held) in (True, False, None), formula(edit.says)


# lowering ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("term", "quicker"),
    [
        (eigenvalues(A.T @ A)[1], "largest eigenvalue"),
        (norm(A) ** 2, "squared norm"),
        (norm(A) ** 6, "squared norm"),
        (norm(A.T @ A - 3 * (B @ B.T)), "largest eigenvalue"),
        (norm(A), "norm"),
        (norm(A) ** 3, "norm"),
        (norm(A @ B), "norm"),
        (eigenvalues(A.T @ A)[2], "eigenvalues"),
    ],
)
def test_what_has_a_quicker_form(term: Term, quicker: str) -> None:
    found = lowered(term, {}).operators
    assert found & {"largest eigenvalue", "squared norm", "norm", "eigenvalues"} == {quicker}
    statement = Statement("s", term >= 0)
    assert statement.in_floats == (quicker in ("largest eigenvalue", "squared norm"))


# rates -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "term",
    [
        rank(A) + 0,
        make("sqrt", c),
        c**k,
        make("at", list_(c, c), make("floor", c)),
        make("norm", A),
    ],
)
def test_what_has_no_rate_says_so(term: Term) -> None:
    with pytest.raises(TermError):
        without_rates(Rate(term), {"A": A, "c": c})


def test_a_rate_is_worked_out_once_and_for_all() -> None:
    statement = Statement("s", Rate(c**2) == 2 * c * k, flow={"c": k + 0})
    assert "rate" not in statement.worked_out.operators
    assert "rate" in statement.says.operators
    assert worth(statement.worked_out, case(c=Fraction(3), k=2)) is True


# names -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("python", FUNCTIONS)
def test_every_name_tells_what_it_is_and_where_it_is_defined(python: str) -> None:
    text = FUNCTIONS[python].__doc__ or ""
    assert text.splitlines()[0].endswith(".")
    for part in ("Sorts:", "Formula:", f"Example: {python}("):
        assert part in text


def test_the_page_has_a_row_for_every_operator() -> None:
    page = (ROOT / "docs/language.md").read_text()
    missing = [name for name in OPERATORS if f"`{name}(" not in page and f"`{name}`" not in page]
    assert missing == []
