"""Lemma 4, on chains of signs and steps worked out by hand."""

from fractions import Fraction

import pytest

from tests.verify.papers.dkbhl20_cases import case, number_of, says
from tests.verify.papers.dkbhl20_laws import RADEMACHER, SKEW, instance, symmetric
from tests.verify.papers.looking import looking
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.dkbhl20 import lemma4, symmetric_rows
from verify.papers.dkbhl20.sign_chain import mean
from verify.papers.dkbhl20.sign_states import sign_chain_of
from verify.search.certificates import answer
from verify.search.judging import judge_exactly

CLAIMS = {claim.id: claim for claim in (*symmetric_rows.CLAIMS, *lemma4.CLAIMS)}
COLUMN = [[1], [1]]
EVERY = [[1, 1], [1, -1], [-1, 1], [-1, -1]]
UNIFORM = {"states": EVERY, "mass": [Fraction(1, 4)] * 4}


def held(part, found):
    return says(CLAIMS[f"dkbhl20.lem4.{part}"], found)


def test_means_of_one_law_and_of_fixed_states():
    uniform = instance(H=COLUMN, gamma=1, tied=0, **UNIFORM)
    assert held("a", uniform)
    assert held("g", uniform)
    # each state has a law of its own
    fixed = instance(H=COLUMN, gamma=Fraction(1, 4), tied=0, states=[[1, 1]], mass=[1])
    assert held("a", fixed) is False
    assert held("g", fixed) is False


def test_of_a_law_that_is_not_symmetric_rows_are_symmetric_and_products_are_not():
    # strength 1, two neurons: u_i + w_1 u_1 + w_2 u_2. At u = (1, 1): 5, 5/2, 0: not defined; at 2:
    # 9, 4, 4, -1 with 1/25, 8/25, 16/25, so each sign flips with 16/25. At (1, -1): of u_1 = 1
    # 1 + 2 (w_1 - w_2) = 1, 6, -4, 1: flips with 4/25; of u_2 = -1: -1 + 2 (w_1 - w_2): 4/25
    law = sign_chain_of(instance(SKEW, H=COLUMN, gamma=2)).laws[0]
    found = instance(SKEW, H=COLUMN, gamma=2, tied=0, states=EVERY, mass=list(law))
    assert not symmetric(SKEW)
    assert symmetric(RADEMACHER)
    assert held("a", found)
    assert held("g", found) is False
    # of M_12 alone: 1 to -1 with 2 (16/25)(9/25) = 288/625, back with 2 (4/25)(21/25) = 168/625
    expected = (Fraction(168) - 288) / (168 + 288)
    assert number_of(mean(lambda u: u[1] * u[2]), found) == expected


def test_entries_of_sw():
    # of row 2 of the skew law: P(-w = 2) = 0, P(w = 2) = 1/5
    assert held("b", instance(SKEW, S=[1, -1], tied=0)) is False
    assert held("b", instance(S=[1, -1], tied=0))


def test_steps_by_sws():
    # (1, 1) stays with (9/25)^2, (1, -1) with (21/25)^2
    unlike = instance(SKEW, S=[1, -1], gamma=2, tied=0, states=[[1, 1], [1, -1]], mass=[1, 0])
    alike = instance(S=[1, -1], gamma=1, tied=0, **UNIFORM)
    assert held("c", unlike) is False
    assert held("f", unlike) is False
    assert held("c", alike)
    assert held("f", alike)


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
    assert schema(CLAIMS[name], looking("smoke")).outcome.value == "argues"


@pytest.mark.parametrize("name", sorted(set(CLAIMS) - {"dkbhl20.lem4.e"}))
def test_what_holds(name):
    evidence = pointwise(CLAIMS[name], looking("smoke"))
    assert evidence.outcome.value == "supports"
    assert evidence.instances > 0


def test_without_diag_the_last_equality_fails():
    evidence = pointwise(CLAIMS["dkbhl20.lem4.e"], looking("smoke"))
    assert evidence.outcome.value == "refutes"
    assert answer(evidence.certificate)["exit"] == 0


def test_what_lemma_4_needs():
    needs = necessity(CLAIMS["dkbhl20.lem4.g"], looking("smoke")).needs
    wanted = {"unique invariant law", "symmetric law", "invariant law (38)"}
    assert {need.hypothesis for need in needs if need.needed} == wanted


def test_a_law_that_is_not_symmetric_is_not_admitted():
    claim, arrays = CLAIMS["dkbhl20.lem4.g"], {"H": COLUMN, "tied": 0, **UNIFORM}
    assert not judge_exactly(claim, instance(SKEW, gamma=2, **arrays)).admitted
    assert judge_exactly(claim, instance(gamma=1, **arrays)).admitted


def test_rows_of_one_draw():
    # u_i + w (u_1 + u_2): from (1, 1) each sign flips with 1/2, from (1, -1) none does
    found = instance(S=[1, -1], gamma=1, tied=1, states=[[1, -1]], mass=[1])
    assert held("c", found) is False
    assert held("f", found) is False
    needs = necessity(CLAIMS["dkbhl20.lem4.c"], looking("ci")).needs
    wanted = {"symmetric law", "independent entries", "S of signs"}
    assert {need.hypothesis for need in needs if need.needed} == wanted
