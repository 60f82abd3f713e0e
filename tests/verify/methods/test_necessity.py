"""The necessity run: what it finds, what it does not say, and that a needless hypothesis shows."""

from dataclasses import replace
from functools import cache

import pytest

from tests.verify.without import without
from verify.cases.case import case_from_json
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.language.building import Each, Rate, hidden, into
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.papers.lj22.graph_terms import squares
from verify.papers.lj22.invariances import FLOW as INVARIANCE
from verify.papers.registry import find
from verify.search.certificates import answer
from verify.search.judging import judge_exactly
from verify.statements.stated import stated

CONTEXT = Context(budget_named("ci"))
LEARNABLE = "all weights learnable"
NAMES = {
    "lj22.cor1-sum.constancy@A": ["fully connected", LEARNABLE, "own parameters"],
    "dkbhl20.lem1b.steps": ["eigenvalues at least 0", "trace d", "tau between 0 and 1"],
}
"""What is needed, by a claim about networks, and by one about arrays."""


def needs_of(name):
    return {need.hypothesis: need for need in found_for(name).needs}


@cache
def found_for(name):
    return necessity(find(name), CONTEXT)


@pytest.mark.parametrize("claim", NAMES)
def test_every_hypothesis_is_named_once(claim):
    assert list(needs_of(claim)) == [h.name for h in find(claim).hypotheses]


@pytest.mark.parametrize(("claim", "name"), [(c, n) for c, names in NAMES.items() for n in names])
def test_what_is_needed_is_found(claim, name):
    assert needs_of(claim)[name].needed


@pytest.mark.parametrize("claim", NAMES)
def test_what_is_needed_has_a_certificate_that_is_none_of_anything_else(claim):
    needs = needs_of(claim)
    needed = [need for need in needs.values() if need.needed]
    assert len(needed) >= 3
    for need in needed:
        assert need.text.startswith("a certified case")
        assert answer(dict(need.certificate))["exit"] == 0
        assert need.certificate["without"] == need.hypothesis
        for other in needs.keys() - {need.hypothesis}:
            assert answer({**need.certificate, "without": other})["exit"] != 0
        plain = {key: value for key, value in need.certificate.items() if key != "without"}
        assert answer({**plain, "kind": "counterexample"})["exit"] == 1


def told(monkeypatch, code):
    """What is found where the checker has one answer to everything."""
    reply = {"exit": code, "message": "for a test"}
    monkeypatch.setattr("verify.methods.necessity.answer", lambda certificate: reply)
    return necessity(find("lj22.lemma3@B"), CONTEXT)


def test_what_the_checker_does_not_know_is_not_called_certified(monkeypatch):
    found = told(monkeypatch, 2)
    needed = [need for need in found.needs if need.needed]
    assert needed
    assert all(need.certificate is None and "not certified" in need.text for need in needed)
    assert found.figures["certified"] == 0


def test_what_the_checker_refuses_is_not_called_needed(monkeypatch):
    found = told(monkeypatch, 1)
    assert not any(need.needed for need in found.needs)
    assert any(need.text.startswith("not shown: ") for need in found.needs)


@pytest.mark.parametrize("name", ["data", "bias-free", "gradient flow"])
def test_what_a_law_does_not_need_is_not(name):
    """Whatever slopes are taken at kinks, the balance is that of all paths."""
    need = needs_of("lj22.cor1-sum.constancy@A")[name]
    assert not need.needed
    assert "none found in" in need.text


def test_a_found_case_violates_the_claim_without_the_hypothesis_and_only_then():
    claim = find("lj22.cor1-sum.constancy@A")
    need = needs_of(claim.id)[LEARNABLE]
    [hypothesis] = [one for one in claim.hypotheses if one.name == LEARNABLE]
    case = case_from_json(need.case["case"])
    (violation, *_) = judge_exactly(without(claim, hypothesis), case).violations
    assert str(violation.value) == need.case["value"]
    assert violation.entry == need.case["entry"]
    assert not judge_exactly(claim, case).violations


def test_of_a_claim_that_fails_anyway_nothing_is_said():
    claim = find("lj22.lemma2a")
    says = Each(hidden(), lambda v: Rate(squares(into(v))) == 0)
    found = necessity(stated("planted", claim.source, "-", "-", says, INVARIANCE), CONTEXT)
    assert found.needs == ()
    assert "fails with all its hypotheses" in found.summary


def test_a_needless_hypothesis_is_never_called_needed():
    claim = find("lj22.lemma2a")
    [bias_free] = [one for one in claim.hypotheses if one.name == "bias-free"]
    doubled = replace(claim, hypotheses=(*claim.hypotheses, bias_free))
    found = necessity(doubled, CONTEXT)
    assert found.outcome is Outcome.SUPPORTS
    assert not any(need.needed for need in found.needs if need.hypothesis == bias_free.name)
