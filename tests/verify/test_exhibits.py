"""Kept exhibits: the checker decides, none is empty, and they are what a run writes."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from verify.cases.scenes import constant_entries
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.core.ledger import PAPERS
from verify.methods.context import Context
from verify.methods.exhibit import exhibit
from verify.papers.registry import all_claims, find
from verify.search import exhibits as module
from verify.search.certificates import answer, claim_of
from verify.search.exhibits import ExhibitError, exhibits, exhibits_of, path_of

KEPT = [(name, kept) for paper in PAPERS for name, kept in exhibits(paper).items()]
CONTEXT = Context(budget_named("smoke"))
SIZES = ("L", "N", "T", "d", "m", "n", "k")  # numbers of layers, samples, terms, neurons


def ids(pair):
    return pair[0] if isinstance(pair, tuple) else None


def whole(pair):
    """The certificate of an exhibit."""
    name, kept = pair
    return kept.certificate_of(find(name))


def test_there_are_exhibits_of_claims_that_are_there():
    names = {claim.id for claim in all_claims()}
    assert len(KEPT) > 100
    assert [name for name, _ in KEPT if name not in names] == []


@pytest.mark.parametrize("pair", KEPT, ids=ids)
def test_the_checker_accepts_each(pair):
    assert claim_of(whole(pair)) == pair[0]
    assert answer(whole(pair))["exit"] == 0


@pytest.mark.parametrize("pair", KEPT, ids=ids)
def test_none_is_empty(pair):
    """A case has an output, an example, a layer: nothing is refuted by what is not there. What a
    statement lets be 0 is no size."""
    certificate = whole(pair)
    case = certificate["case"]
    domain = certificate.get("statement", {}).get("domain", {}).get("arrays", {})
    if "arrays" not in case:
        network = case["network"]
        assert network["inputs"]
        assert network["outputs"]
        assert network["edges"]
        assert case["examples"] or "path" in case
        return
    for name, array in case["arrays"].items():
        entries = array["entries"]
        for _ in array["axes"]:
            assert entries, f"{name} is empty"
            entries = entries[0]
        least = domain.get(name, {}).get("least", 1)
        if array.get("integer") and not array["axes"] and name in SIZES and least:
            assert int(entries) >= 1, f"{name} is {entries}"


# the method -------------------------------------------------------------------------------------
def kept_of(outcome):
    return next(
        (find(name), kept)
        for name, kept in KEPT
        if (found := exhibit(find(name), CONTEXT)) is not None and found.outcome is outcome
    )


def test_a_kept_counterexample_refutes_and_a_witness_proves():
    claim, kept = kept_of(Outcome.REFUTES)
    found = exhibit(claim, CONTEXT)
    assert found.certificate == kept.certificate_of(claim)
    assert found.checker["exit"] == 0
    assert kept_of(Outcome.PROVES)[0].kind.value == "existence"


def test_what_the_checker_rejects_says_nothing(monkeypatch):
    claim, kept = kept_of(Outcome.REFUTES)
    changed = {**kept.certificate, "value": "123456789/7"}
    for certificate in (changed, {**kept.certificate, "statement": "0" * 64, "claim": "another"}):
        rows = {claim.id: replace(kept, certificate=certificate)}
        monkeypatch.setattr("verify.methods.exhibit.exhibits", lambda paper, rows=rows: rows)
        assert exhibit(claim, CONTEXT) is None


def test_a_formula_that_does_not_fail_there_breaks_the_check():
    """The checker's formula and the claim's own have to agree on what is kept."""
    claim, _ = kept_of(Outcome.REFUTES)

    def none(scene):
        return constant_entries(scene, [(k, {}, Fraction(0)) for k in range(len(scene.cases))])

    found = exhibit(replace(claim, measure=none), CONTEXT)
    assert found.outcome is Outcome.ERROR
    assert "one of the two has changed" in found.summary


def test_a_budget_that_looks_for_itself_uses_none():
    claim, _ = kept_of(Outcome.REFUTES)
    assert exhibit(claim, Context(budget_named("full"))) is None


def test_what_a_run_writes_is_read_back(monkeypatch, tmp_path):
    claim, kept = kept_of(Outcome.REFUTES)
    record = {
        "id": claim.id,
        "paper": claim.source.paper,
        "certificate": kept.certificate_of(claim),
        "reason": kept.summary,
        "evidence": [{"outcome": "refutes", "summary": kept.summary, "figures": {}}],
    }
    path = tmp_path / "exhibits.json"
    path.write_text(exhibits_of([record], claim.source.paper))
    monkeypatch.setattr(module, "path_of", lambda paper: path)
    assert module.exhibits.__wrapped__(claim.source.paper) == {claim.id: kept}
    kept_of_all = exhibits_of([], claim.source.paper, {claim.id, "another"})
    assert kept_of_all == path.read_text()
    assert claim.id not in exhibits_of([], claim.source.paper, {"another"})
    without = exhibits_of([record | {"certificate": None}], claim.source.paper, {claim.id})
    assert claim.id not in without  # it was looked at again, and none was found
    for broken in ("{", "[]", json.dumps({"format": "another"})):
        path.write_text(broken)
        with pytest.raises(ExhibitError, match="restore it from version control"):
            module.exhibits.__wrapped__(claim.source.paper)


def test_the_files_are_where_they_are_looked_for():
    assert all(path_of(paper).is_file() for paper in PAPERS)


def test_one_of_an_edited_statement_says_nothing():
    """The id alone does not make it one: the statement has to be the same."""
    claim = find("lj22.lemma11-74")
    assert exhibit(claim, CONTEXT).outcome is Outcome.REFUTES
    edited = replace(claim.terms, says=find("lj22.lemma11-74.fix").terms.says)
    assert exhibit(replace(claim, terms=edited, measure=edited.measure), CONTEXT) is None
