"""Lemma 4, on chains of signs and steps worked out by hand."""

from fractions import Fraction

import pytest

from tests.verify.papers.dkbhl20_cases import case, number_of, says
from tests.verify.papers.dkbhl20_laws import RADEMACHER, SKEW, instance, symmetric, values
from verify.core.budgets import budget_named
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.dkbhl20 import lemma4, symmetric_rows
from verify.papers.dkbhl20.symmetric_rows import (
    laws_of_entries,
    means_of_moments,
    means_of_rows,
    steps_with_signs,
    turned_laws,
)
from verify.search.certificates import answer
from verify.search.judging import judge_exactly

CLAIMS = {claim.id: claim for claim in (*symmetric_rows.CLAIMS, *lemma4.CLAIMS)}
COLUMN = [[1], [1]]


def test_means_of_one_law_and_of_fixed_states():
    assert values(means_of_rows, instance(H=COLUMN, gamma=1)) == {(0,): 0, (1,): 0}
    assert values(means_of_moments, instance(H=COLUMN, gamma=1)) == {((0, 1),): 0}
    fixed = instance(H=COLUMN, gamma=Fraction(1, 4))  # each state has a law of its own
    assert values(means_of_rows, fixed) == {(0,): 1, (1,): 1}
    assert values(means_of_moments, fixed) == {((0, 1),): 1}


def test_of_a_law_that_is_not_symmetric_rows_are_symmetric_and_products_are_not():
    # strength 1, two neurons: u_i + w_1 u_1 + w_2 u_2. At u = (1, 1): 5, 5/2, 0: not defined; at 2:
    # 9, 4, 4, -1 with 1/25, 8/25, 16/25, so each sign flips with 16/25. At (1, -1): of u_1 = 1
    # 1 + 2 (w_1 - w_2) = 1, 6, -4, 1: flips with 4/25; of u_2 = -1: -1 + 2 (w_1 - w_2): 4/25
    case = instance(SKEW, H=COLUMN, gamma=2)
    assert not symmetric(SKEW)
    assert symmetric(RADEMACHER)
    assert values(means_of_rows, case) == {(0,): 0, (1,): 0}
    # of M_12 alone: 1 to -1 with 2 (16/25)(9/25) = 288/625, back with 2 (4/25)(21/25) = 168/625
    expected = (Fraction(168) - 288) / (168 + 288)
    assert values(means_of_moments, case) == {((0, 1),): abs(expected)}


def test_entries_of_sw():
    case = instance(SKEW, H=COLUMN, S=[1, -1])
    # of row 2: P(-w = 2) - P(w = 2) = -1/5, P(-w = 1/2) - 0 = 4/5
    assert values(laws_of_entries, case) == {(0,): 0, (1,): Fraction(4, 5)}
    case = instance(H=COLUMN, S=[1, -1])
    assert values(laws_of_entries, case) == {(0,): 0, (1,): 0}


def test_steps_by_sws():
    case = instance(SKEW, H=COLUMN, S=[1, -1], gamma=2)
    # (1, 1) stays with (9/25)^2, (1, -1) with (21/25)^2; the largest difference is that of (1, 1)
    # to (-1, -1), (16/25)^2, and (1, -1) to (-1, 1), (4/25)^2, or that of staying
    gaps = [Fraction(21**2 - 9**2, 625), Fraction(16**2 - 4**2, 625)]
    assert values(steps_with_signs, case) == {(): max(gaps)}
    assert values(steps_with_signs, instance(H=COLUMN, S=[1, -1], gamma=1)) == {(): 0}
    assert values(turned_laws, instance(H=COLUMN, S=[1, -1], gamma=1)) == {(): 0}
    assert values(turned_laws, case)[()] > 0


HIDDEN = [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("signs", "turned", "diagonals"), [([1, -1], True, True), ([1, 2], False, False)]
)
def test_half_steps(signs, turned, diagonals):
    found = case(H=HIDDEN, W=[[1, 1], [0, 1]], S=signs, gamma=1)
    assert says(CLAIMS["dkbhl20.lem4.d"], found) is turned
    assert says(CLAIMS["dkbhl20.lem4.e.fix"], found) is diagonals
    assert says(CLAIMS["dkbhl20.lem4.e"], found) is False


def test_half_steps_by_hand():
    # SWS = [[1, -1], [0, 1]]; H_(1/2) = [[-1, 0], [6, 8]]; SH + WSH = [[-1, 0], [-6, -8]]
    found = case(H=HIDDEN, W=[[1, 1], [0, 1]], S=[1, -1], gamma=1)
    for term, rows in ((lemma4.HALF, [[-1, 0], [6, 8]]), (lemma4.OTHER, [[-1, 0], [-6, -8]])):
        assert [[number_of(term[i, j], found) for j in (1, 2)] for i in (1, 2)] == rows
    assert says(CLAIMS["dkbhl20.lem4.e"], case(H=[[1]], W=[[1]], S=[1], gamma=1))  # one row


PROVED = tuple(name for name, claim in CLAIMS.items() if claim.proof is not None)


@pytest.mark.parametrize("name", PROVED)
def test_arguments(name):
    assert schema(CLAIMS[name], Context(budget_named("smoke"))).outcome.value == "argues"


@pytest.mark.parametrize("name", sorted(set(CLAIMS) - {"dkbhl20.lem4.e"}))
def test_what_holds(name):
    evidence = pointwise(CLAIMS[name], Context(budget_named("smoke")))
    assert evidence.outcome.value == "supports"
    assert evidence.instances > 0


def test_without_diag_the_last_equality_fails():
    evidence = pointwise(CLAIMS["dkbhl20.lem4.e"], Context(budget_named("smoke")))
    assert evidence.outcome.value == "refutes"
    assert answer(evidence.certificate)["exit"] == 0


def test_what_lemma_4_needs():
    needs = necessity(CLAIMS["dkbhl20.lem4.a"], Context(budget_named("ci"))).needs
    assert {need.hypothesis for need in needs if need.needed} == {"unique invariant law"}
    needs = necessity(CLAIMS["dkbhl20.lem4.g"], Context(budget_named("ci"))).needs
    wanted = {"unique invariant law", "symmetric law"}
    assert {need.hypothesis for need in needs if need.needed} == wanted


def test_a_law_that_is_not_symmetric_is_not_admitted():
    judgement = judge_exactly(CLAIMS["dkbhl20.lem4.g"], instance(SKEW, H=COLUMN, gamma=2, tied=0))
    assert not judgement.admitted
    judgement = judge_exactly(CLAIMS["dkbhl20.lem4.g"], instance(H=COLUMN, gamma=1, tied=0))
    assert judgement.admitted


def test_rows_of_one_draw():
    # u_i + w (u_1 + u_2): from (1, 1) each sign flips with 1/2, from (1, -1) none does
    case = instance(H=COLUMN, S=[1, -1], gamma=1, tied=1)
    assert values(steps_with_signs, case) == {(): Fraction(3, 4)}
    assert values(turned_laws, case) == {(): Fraction(3, 4)}
    needs = necessity(CLAIMS["dkbhl20.lem4.c"], Context(budget_named("ci"))).needs
    wanted = {"symmetric law", "independent entries"}
    assert {need.hypothesis for need in needs if need.needed} == wanted
