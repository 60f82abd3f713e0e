"""Statements spelled out: what a reader sees beside the print."""

from __future__ import annotations

from typing import Any

import pytest

from verify.language.building import (
    Chosen,
    Each,
    Filter,
    Let,
    Matrix,
    Number,
    Some,
    Sum,
    Tensor,
    When,
    Whole,
    card,
    cols,
    det,
    edges,
    examples,
    frob2,
    implies,
    into,
    list_,
    matrix,
    nu,
    out_of,
    rows,
    trace,
    unfold,
    upto,
    vector,
    vertices,
    w,
)
from verify.language.domains import domain_of
from verify.language.latex import formula
from verify.language.spelled import LETTERS, held, legend, spelled
from verify.language.terms import Term, called, to_json, truth, written
from verify.papers.registry import all_claims

c = Number("c")
BALANCED = Each(
    vertices(),
    lambda v: implies(
        card(into(v)) > 0,
        Sum(into(v), lambda e: w(e) ** 2) == Sum(out_of(v), lambda e: w(e) ** 2),
    ),
)


def test_a_statement_is_told_line_by_line() -> None:
    assert spelled(BALANCED).lines == (
        (0, r"for all $v \in V(G)$:"),
        (1, r"if $\lvert \operatorname{in}(v) \rvert > 0$:"),
        (
            2,
            (
                r"$\sum_{e \in \operatorname{in}(v)} w_{e}^{2} = "
                r"\sum_{e \in \operatorname{out}(v)} w_{e}^{2}$"
            ),
        ),
    )
    assert spelled(BALANCED).where == ()


def test_elements_of_one_kind_are_told_together_and_what_and_joins_apart() -> None:
    said = Each(upto(3), lambda i: Each(upto(i), lambda j: (i > j) & (c <= i)))
    assert spelled(said).lines == (
        (0, r"for all $1 \le i \le 3$, $1 \le j \le i$:"),
        (1, "$i > j$"),
        (1, r"$c \le i$"),
    )
    there = Some(upto(3), lambda i: Let(i + 1, lambda k: c == k))
    assert spelled(there).lines == (
        (0, r"for some $1 \le i \le 3$:"),
        (1, "with $k = i + 1$:"),
        (2, "$c = k$"),
    )


def test_conditions_that_do_not_fit_on_a_line_stand_on_lines_of_their_own() -> None:
    condition = c > 9
    for k in range(1, 9):
        condition = condition & (Sum(upto(k), lambda i: (c + i) ** 2) > k)
    told = spelled(implies(condition, c > 0)).lines
    assert [depth for depth, _ in told] == [0, *[1] * 9, 0, 1]
    assert told[0][1] == "if"
    assert told[10][1] == "then"
    assert told[11] == (1, "$c > 0$")
    assert spelled(implies((c > 1) & (c > 2), c > 0)).lines[0] == (0, "if $c > 1$ and $c > 2$:")


def test_a_condition_that_is_joined_by_or_has_brackets_beside_others() -> None:
    said = implies(((c > 1) | (c < 0)) & (c > 2), c > 0)
    assert spelled(said).lines[0] == (
        0,
        r"if $\left(c > 1 \text{ or } c < 0\right)$ and $c > 2$:",
    )
    alone = implies((c > 1) | (c < 0), c > 0)
    assert spelled(alone).lines[0] == (0, r"if $c > 1 \text{ or } c < 0$:")


def test_no_variable_is_called_like_an_array() -> None:
    assert spelled(Each(upto(3), lambda c_: c_ > c)).lines[0][1] == "for all $1 \\le c_{2} \\le 3$:"
    assert formula(Sum(upto(3), lambda v: v * Number("v"))) == r"\sum_{v_{2}=1}^{3} v_{2} \, v"


def cross(one: Term, other: Term) -> Term:
    return Sum(edges(), lambda e: When(w(e) > one, w(e) * other, w(e) * one))


def test_what_comes_twice_gets_a_letter_with_its_variables() -> None:
    said = Each(
        examples(), lambda j: Each(examples(), lambda k: cross(nu(j), c) == cross(nu(k), c) ** 2)
    )
    found = spelled(said)
    assert found.lines[-1] == (1, r"$\Gamma(j) = \Gamma(k)^{2}$")
    assert found.where == (
        (
            r"$\Gamma(j) = \sum_{e \in E} \begin{cases} "
            r"w_{e} \, c & \text{if } w_{e} > \nu(x_{j}) \\ "
            r"w_{e} \, \nu(x_{j}) & \text{otherwise} \end{cases}$"
        ),
    )


def test_two_that_differ_in_the_order_of_their_variables_are_told_apart() -> None:
    said = Each(
        examples(),
        lambda j: Each(examples(), lambda k: cross(nu(j), nu(k)) == cross(nu(k), nu(j)) + 1),
    )
    found = spelled(said)
    assert found.lines[-1][1] == r"$\Gamma(j, k) = \Gamma(k, j) + 1$"
    same = Each(examples(), lambda j: cross(nu(j), nu(j)) == cross(nu(j), c))
    assert spelled(same).where == ()  # of these two none is the other


def test_letters_of_truths_are_defined_by_equivalence() -> None:
    def held_by(v: Term) -> Term:
        return Each(into(v), lambda e: (w(e) > c) | (w(e) < c - 2))

    said = Each(vertices(), lambda v: Each(vertices(), lambda u: held_by(u) | ~held_by(v)))
    found = spelled(said)
    assert found.lines[-1][1] == r"$\Gamma(u) \text{ or } \left(\text{not } \Gamma(v)\right)$"
    assert r"\iff \forall e \in \operatorname{in}(u)" in found.where[0]


@written(r"M({0})")
def second_moment(A: Any) -> Term:
    return A @ A.T / cols(A)


@written(r"\rho_{{1}}({0})")
def share(A: Any, i: Any) -> Term:
    return second_moment(A)[i, i] / trace(second_moment(A))


def test_notions_of_a_paper_are_written_as_there_and_defined_once() -> None:
    A, B = Matrix("A", "m", "n"), Matrix("B", "m", "n")
    said = Each(upto(rows(A)), lambda i: share(A, i) <= share(B, i) + second_moment(A)[1, i])
    found = spelled(said)
    assert found.lines == (
        (0, r"for all $1 \le i \le m$:"),
        (1, r"$\rho_{i}(A) \le \rho_{i}(B) + M(A)_{1, i}$"),
    )
    assert found.where == (
        r"$\rho_{i}(A_{2}) = \frac{M(A_{2})_{i, i}}{\operatorname{tr}(M(A_{2}))}$",
        r"$M(A_{2}) = \frac{A_{2} \, A_{2}^T}{\operatorname{columns}(A_{2})}$",
    )


def test_a_notion_changes_no_statement() -> None:
    A = Matrix("A", "m", "n")
    plain = frob2(A @ A.T / cols(A)) >= 0
    assert to_json(frob2(second_moment(A)) >= 0) == to_json(plain)
    assert formula(called("L", rows(A) - 1)) == "L"
    assert to_json(called("L", rows(A) - 1)) == to_json(rows(A) - 1)


def test_a_notion_of_a_function_is_written_out() -> None:
    @written(r"m({0})")
    def mean(of: Any) -> Term:
        return Sum(examples(), of) / card(examples())

    assert mean(nu).notion is None
    assert spelled(mean(lambda j: nu(j)) == c).lines == (
        (0, r"$\frac{\sum_{j \in \{1, \dots, n\}} \nu(x_{j})}{n} = c$"),
    )


def test_letters_are_found_in_what_notions_are_about() -> None:
    """The product stands twice, each time in the arguments of a notion."""
    A = Matrix("A", "m", "n")

    def both(i: Term) -> Term:
        return share(A @ A.T @ A @ A.T @ A, i)

    found = spelled(Each(upto(2), lambda i: both(i) * both(i + 1) <= 1))
    assert found.lines[1][1] == r"$\rho_{i}(\Gamma) \, \rho_{i + 1}(\Gamma) \le 1$"
    assert found.where[-1] == r"$\Gamma = A \, A^T \, A \, A^T \, A$"


def test_what_a_case_holds_is_told_in_words() -> None:
    layers = Chosen("L", "seq[seq[vertex]]", "what each layer reads")
    domain = domain_of([card(layers) > c, BALANCED, Whole("k", 1, 5) > 0])
    assert list(held(domain)) == [
        r"a network, its weights, and examples $x_1,\dots,x_n$ with labels",
        "$L$, a list of lists of vertices: what each layer reads",
        "$c$, a number",
        "$k$, a whole number from 1 to 5",
    ]
    named = Matrix("A", "m", "n", meaning="the layer")
    assert list(held(domain_of([trace(named) > Number("x", meaning="a bound")]))) == [
        r"$A$, a matrix, $m \times n$: the layer",
        "$x$, a number: a bound",
    ]


def test_formulas_that_are_not_known_to_everybody_are_explained() -> None:
    found = legend([BALANCED, c > 0])
    assert list(found) == [
        r"\lvert S \rvert",
        "V(G)",
        r"\operatorname{in}(v)",
        r"\operatorname{out}(v)",
        "w_{e}",
    ]
    assert found["w_{e}"] == "the weight of an edge"
    assert r"\mathrm{T}_{(k)}" in legend([trace(unfold(Tensor("T", "a", "b", "c"), 1)) > 0])


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (
            Each(upto(4), lambda i: c <= i) & (c > 0),
            r"\left(\forall 1 \le i \le 4 :\; c \le i\right) \text{ and } c > 0",
        ),
        (
            Each(edges(), lambda e: Some(edges(), lambda f: w(e) == w(f))),
            r"\forall e \in E \; \exists f \in E :\; w_{e} = w_{f}",
        ),
        (
            When(c > 0, 1, When(c > 1, 2, 3)) == c,
            (
                r"\begin{cases} 1 & \text{if } c > 0 \\ 2 & \text{if } c > 1 \\ "
                r"3 & \text{otherwise} \end{cases} = c"
            ),
        ),
        (
            card(Filter(edges(), lambda e: truth(False))) == card(examples()),
            r"\lvert \varnothing \rvert = n",
        ),
        (
            When(c > 0, 1, 2) * c > 0,
            (
                r"\left(\begin{cases} 1 & \text{if } c > 0 \\ 2 & \text{otherwise} "
                r"\end{cases}\right) \, c > 0"
            ),
        ),
        (Sum(edges(), lambda e: w(e)) * c > 0, r"\left(\sum_{e \in E} w_{e}\right) \, c > 0"),
        (Sum(edges(), lambda e: w(e) * c) > 0, r"\sum_{e \in E} w_{e} \, c > 0"),
        ((c / 2) ** 2 > 0, r"\left(\frac{c}{2}\right)^{2} > 0"),
        (
            det(matrix(2, 2, lambda i, j: list_(list_(c, 0), list_(1, c))[i][j])) > 0,
            r"\det(\begin{pmatrix} c & 0 \\ 1 & c \end{pmatrix}) > 0",
        ),
        (
            frob2(vector(2, lambda i: list_(c, 2 * c)[i])) > 0,
            r"\lVert \begin{pmatrix} c \\ 2 \, c \end{pmatrix} \rVert_F^2 > 0",
        ),
        (  # whole numbers where numbers are asked for
            trace(matrix(1, 1, lambda i, j: list_(list_(1))[i][j])) > 0,
            r"\operatorname{tr}(\begin{pmatrix} 1 \end{pmatrix}) > 0",
        ),
        (  # of two rows listed one is taken
            trace(matrix(1, 1, lambda i, j: list_(list_(c), list_(1))[i][j])) > 0,
            r"\operatorname{tr}((\left(\{\{c\}, \{1\}\}_{i}\right)_{j})_{i \le 1, j \le 1}) > 0",
        ),
        (rows(unfold(Tensor("T", "a", "b", "c"), 2)) > 1, "b > 1"),
    ],
)
def test_formulas_say_what_belongs_together(term: Term, expected: str) -> None:
    assert formula(term) == expected


def test_every_statement_is_spelled_out_and_none_has_an_array_called_like_a_letter() -> None:
    stated = [claim.terms for claim in all_claims() if claim.terms is not None]
    assert len(stated) > 200
    for statement in stated:
        assert not set(statement.domain.arrays) & set(LETTERS)
        found = spelled(statement.says)
        assert "?" not in str(found), statement.id  # a variable without a name
        unmet = [one.name for one in statement.domain.lists.values() if not one.meaning]
        assert not unmet, (statement.id, unmet)
