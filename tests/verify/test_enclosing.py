"""Judging what is not rational: what is real stays at more bits, what is an artefact vanishes."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphs.arb
from graphs.activations import TANH, Activation
from graphs.algebraic import Enclosure
from graphs.errors import NotRationalError, PrecisionError
from graphs.network import network
from tests.verify.without import without
from verify.cases.case import Case
from verify.core.claim import Source
from verify.language.building import Each, Rate, hidden, into, out_of
from verify.papers.lj22.graph_terms import squares
from verify.papers.registry import find
from verify.runs.controls import CONTROLS
from verify.search.certificates import answer, necessity_certificate
from verify.search.enclosing import PRECISIONS, judge_closely, look_closer, needs_enclosing
from verify.statements.network_hypotheses import HOMOGENEOUS
from verify.statements.stated import stated

pytest.importorskip("flint", reason="Arb is in python-flint, which is not installed")

ONE = Fraction(1)
NET = network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"], activations={"h": TANH})
CASE = Case(NET, (ONE, ONE), ((ONE,),), (ONE,), slopes=(ONE,))


def balance(left, right):
    """That two sums of squares at each hidden vertex move alike."""
    says = Each(hidden(), lambda v: Rate(squares(left(v))) == Rate(squares(right(v))))
    return stated("planted", Source("planted", "-", "-"), "-", "-", says, (HOMOGENEOUS,))


def unconditioned(claim):
    """The claim without its one hypothesis."""
    return without(claim, claim.hypotheses[0])


LAW = unconditioned(balance(into, out_of))


def test_a_violation_stays():
    # the defect is 2 (tanh 1 - tanh' 1), see test_checker_necessity
    look = look_closer(LAW, CASE)
    assert look.bits == PRECISIONS[0]
    (violation,) = look.judgement.violations
    assert violation.entry == {"at": ["h"]}
    assert violation.value.low < Fraction(683239628683, 10**12) < violation.value.high
    assert "stays" in look.words


def test_an_artefact_vanishes_and_it_is_said_at_which_precision():
    look = look_closer(unconditioned(balance(into, into)), CASE)
    assert look.judgement.violations == ()
    assert look.judgement.admitted == 1
    assert look.bits == PRECISIONS[-1]
    assert 0 < look.widest < 2.0 ** (20 - PRECISIONS[-1])
    assert f"vanishes at {PRECISIONS[0]} bits" in look.words
    assert "artefact" in look.words


def test_where_no_entry_meets_the_hypotheses_that_is_said():
    look = look_closer(find("lj22.lemma2a"), CASE)
    assert look.judgement.admitted == 0
    assert "no entry is seen to meet the hypotheses" in look.words


def test_what_needs_it():
    assert not needs_enclosing(CASE)
    assert needs_enclosing(replace(CASE, loss="logistic", slopes=()))
    assert not needs_enclosing(replace(CASE, loss="squared", slopes=()))


def test_a_claim_that_is_judged_exactly_or_not_at_all():
    with pytest.raises(NotRationalError):
        judge_closely(replace(LAW, exact_only=True), CASE)


def test_without_flint_it_says_so(monkeypatch):
    monkeypatch.setattr(graphs.arb, "flint", None)
    with pytest.raises(PrecisionError):
        look_closer(LAW, CASE)


NUMBERS = st.fractions(min_value=-2, max_value=2, max_denominator=6)


@given(st.lists(NUMBERS, min_size=2, max_size=2), NUMBERS, st.sampled_from(["tanh", "softplus"]))
def test_the_checker_agrees_on_what_arb_encloses_and_on_nothing_beside_it(weights, x, kind):
    """A balance at a vertex, with the out-edges counted twice."""
    claim, _ = CONTROLS["control.planted.lj22"]
    [homogeneous] = [h for h in claim.hypotheses if h.name == HOMOGENEOUS.name]
    net = NET.with_activations({"h": Activation(kind)})
    case = Case(net, tuple(weights), ((x / 2,),), (ONE,), slopes=(ONE,))
    for violation in judge_closely(without(claim, homogeneous), case).violations:
        certificate = necessity_certificate(claim, HOMOGENEOUS.name, violation)
        assert answer(certificate)["exit"] == 0
        left, right = (
            Enclosure(*map(Fraction, told if isinstance(told, list) else (told, told)))
            for told in certificate["value"].values()
        )
        assert violation.value.low <= left.high - right.low
        assert left.low - right.high <= violation.value.high
        for shift in (1 + 3 * (left.high - left.low), -left.low - left.high):
            moved = [str(left.low + shift), str(left.high + shift)]
            value = {**certificate["value"], "left": moved}
            assert not shift or answer({**certificate, "value": value})["exit"] == 1
