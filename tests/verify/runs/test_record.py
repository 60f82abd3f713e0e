"""The record of a run: what it says of claims, certificates, ancestors and trust; strict JSON."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.json_report import dumps, validate
from tests.verify.certificates import STATED, WITNESS
from tests.verify.runs.cheap_methods import SMOKE
from verify.core.claim import Claim, Kind
from verify.core.evidence import Evidence, Outcome
from verify.core.verdict import Verdict, decide
from verify.papers.registry import all_claims, find
from verify.runs import engine, record
from verify.runs.controls import CONTROLS
from verify.runs.fingerprint import claim_fingerprint
from verify.runs.record import (
    Found,
    claim_record,
    consistency_control,
    control_record,
    deciding_certificate,
    tampering_control,
    worst_figure,
)

EVERY_CLAIM = [*all_claims(), *(claim for claim, _ in CONTROLS.values())]
CASES = [STATED[name] for name in ("control.false", "control.planted", "risk")]


@st.composite
def evidence_lists(draw) -> list[Evidence]:
    pieces = []
    for method in draw(st.permutations(["expanded", "schema", "pointwise", "search", "trials"])):
        if draw(st.booleans()):
            continue
        outcome = draw(st.sampled_from(Outcome))
        certificate = None
        if outcome is Outcome.REFUTES:
            certificate = draw(st.sampled_from(CASES))
        elif outcome in (Outcome.PROVES, Outcome.PROVES_ON_SCOPE):
            certificate = draw(st.none() | st.sampled_from([*CASES, WITNESS]))
        figures = {"drawn": draw(st.integers(0, 99)), "worst residual": "1e-16"}
        pieces.append(
            Evidence(
                method,
                outcome,
                draw(st.text(max_size=8)),
                ("n = 1",),
                figures if draw(st.booleans()) else {},
                draw(st.integers(0, 5)),
                draw(st.floats(0, 1e3)),
                draw(st.integers(0, 9)),
                certificate,
                None if certificate is None else {"exit": 0, "message": "accepted"},
                rests_on=draw(st.sampled_from([(), ("a theorem",)])),
                section=draw(st.sampled_from(["", "docs/mathematics/lj22.md#rays"])),
            )
        )
    return pieces


def record_of(claim: Claim, pieces, options=()):
    return claim_record(claim, Found(decide(claim, pieces), pieces), options)


def whole_run(claims):
    """A run's record around records of claims."""
    run = {
        "id": "1",
        "started": "2026-11-20T17:00:00Z",
        "seconds": 0.1,
        "budget": "ci",
        "seed": 0,
        "command": "lemmata run",
        "device": "cpu",
        "versions": {},
        "void": False,
        "void_reasons": [],
    }
    head = {
        "format": "lemmata-run",
        "version": 4,
        "run": run,
        "notation": {},
        "papers": [],
        "statements": [],
    }
    rest = {"findings": [], "conflicts": None, "laws": None, "versions": []}
    return head | rest | {"controls": [], "changes": None, "claims": claims}


@given(st.sampled_from(EVERY_CLAIM), evidence_lists())
def test_whatever_was_found_the_record_meets_its_schema(claim, pieces):
    found = record_of(claim, pieces)
    whole = whole_run([found])
    validate(whole)
    assert json.loads(dumps(whole)) == whole  # plain data: no tuple, no enum, no fraction
    assert found["id"] == claim.id
    assert found["code"] == claim_fingerprint(claim)
    assert [h["id"] for h in found["hypotheses"]] == [
        f"H{k}" for k in range(1, len(claim.hypotheses) + 1)
    ]
    assert [e["method"] for e in found["evidence"]] == [piece.method for piece in pieces]
    assert [e["seconds"] for e in found["evidence"]] == [round(p.seconds, 3) for p in pieces]
    assert all("certificate" not in piece for piece in found["evidence"])  # it is there once


# certificates ----------------------------------------------------------------------------------
@given(st.sampled_from([c for c in all_claims() if c.judged]), evidence_lists())
def test_the_certificate_fits_the_verdict(claim, pieces):
    found = record_of(claim, pieces)
    if found["verdict"] in ("refuted", "refuted by argument"):
        assert found["certificate"]["kind"] in ("counterexample", "witness")
    elif found["verdict"] not in ("proved", "proved on scope", "argued"):
        assert found["certificate"] is None
    if found["certificate"] is None:
        assert found["certificate_file"] is found["checker"] is None
        assert found["command"] == f"lemmata run {claim.id}"
    else:
        assert found["certificate_file"] == f"certificates/{claim.id}.json"
        assert found["command"] == f"lemmata repro certificates/{claim.id}.json"
        assert found["checker"]["exit"] == 0


def refuting(certificate) -> Evidence:
    return Evidence("search", Outcome.REFUTES, "", certificate=certificate)


@given(st.permutations(["control.false", "control.planted", "eq1.a at a kink"]))
def test_of_several_counterexamples_the_smallest_is_shown(order):
    pieces = [refuting(STATED[name]) for name in order]
    claim = find("lj22.risk")
    chosen = deciding_certificate(decide(claim, pieces), pieces)
    sizes = [len(piece.certificate["case"]["network"]["edges"]) for piece in pieces]
    assert len(chosen.certificate["case"]["network"]["edges"]) == min(sizes)


def test_of_equal_networks_the_one_with_fewer_examples_and_plainer_weights_is_shown():
    small = STATED["control.false"]
    case = small["case"]
    more = {**small, "case": {**case, "examples": case["examples"] * 2}}
    network = case["network"]
    weights = dict.fromkeys(network["weights"], "97/89")
    ugly = {**small, "case": {**case, "network": {**network, "weights": weights}}}
    claim = find("lj22.risk")
    for other in (more, ugly):
        for pieces in ([refuting(small), refuting(other)], [refuting(other), refuting(small)]):
            assert deciding_certificate(decide(claim, pieces), pieces).certificate is small


def test_options_are_part_of_the_command_that_runs_a_claim_again():
    claim = find("lj22.gflow")
    supporting = [Evidence("search", Outcome.SUPPORTS, "", instances=3)]
    options = ("--budget", "smoke", "--seed", "5")
    found = record_of(claim, supporting, options=options)
    assert found["command"] == "lemmata run lj22.gflow --budget smoke --seed 5"
    found = record_of(claim, [refuting(STATED["gflow"])], options=options)
    assert found["command"] == "lemmata repro certificates/lj22.gflow.json"


# what it rests on, and its worst figure ----------------------------------------------------------
def test_what_an_argument_rests_on_is_shown():
    argued = Evidence(
        "schema",
        Outcome.ARGUES,
        "",
        rests_on=("a theorem",),
        section="docs/mathematics/lj22.md#rays",
        cites=("lj22.eq1.b",),
    )
    claim = replace(find("lj22.gflow"), trusted=("a cited result",))
    found = record_of(claim, [argued])["rests_on"]
    assert found["trusted"] == ["a cited result", "a theorem"]
    assert (found["section"], found["cites"]) == ("docs/mathematics/lj22.md#rays", ["lj22.eq1.b"])
    supporting = Evidence("search", Outcome.SUPPORTS, "", rests_on=("a theorem",), instances=1)
    assert record_of(claim, [supporting])["rests_on"]["trusted"] == ["a cited result"]


def test_what_a_refutation_rests_on():
    """An identity: on arithmetic alone. A law: on the flow through the point, and on the Clarke
    element where one was selected. By argument: on the lemma that leads to the statement."""
    identity = record_of(find("lj22.gflow"), [refuting(STATED["gflow"])])["rests_on"]
    assert identity["trusted"] == []
    asleep = record_of(find("lj22.lemma2b@A"), [refuting(STATED["lemma2b@A asleep"])])["rests_on"]
    assert len(asleep["trusted"]) == 3
    assert "Clarke" in asleep["trusted"][-1]
    by_lemma = replace(
        find("lj22.gflow"), through="by a lemma (docs/mathematics/engine.md#the-path-theorem)"
    )
    found = record_of(by_lemma, [refuting(STATED["gflow"])])
    assert found["verdict"] == "refuted by argument"
    assert found["rests_on"]["trusted"] == [by_lemma.through]


def test_a_claim_that_is_refuted_and_argued_for_voids_the_run():
    proof = Evidence("schema", Outcome.ARGUES, "")
    good = consistency_control({"a": [proof], "b": [refuting(STATED["gflow"])]})
    assert good["ok"]
    bad = consistency_control({"a": [proof, refuting(STATED["gflow"])]})
    assert not bad["ok"]
    assert bad["observed"] == "a"


def test_the_worst_figure_is_that_of_the_trials():
    trials = Evidence(
        "trials",
        Outcome.SUPPORTS,
        "",
        figures={"worst residual": "1e-16", "noticed in every entry": "2e-15"},
    )
    pointwise = Evidence("pointwise", Outcome.SUPPORTS, "", figures={"drawn": 3})
    assert worst_figure([]) is worst_figure([pointwise]) is None
    found = worst_figure([pointwise, trials])
    assert "1e-16" in found
    assert "2e-15" in found


def test_a_refuted_claim_has_no_worst_figure():
    # trials of the same claim may have seen nothing: 1e-16 beside "refuted" would mislead
    trials = Evidence("trials", Outcome.SUPPORTS, "", figures={"worst residual": "1e-16"})
    claim = find("lj22.gflow")
    assert record_of(claim, [trials, refuting(STATED["gflow"])])["worst"] is None
    assert "1e-16" in record_of(claim, [trials])["worst"]


def test_definitions_are_not_judged():
    found = record_of(find("lj22.def1"), [])
    assert found["verdict"] == "definition"
    assert found["evidence"] == []


# controls --------------------------------------------------------------------------------------
@given(st.sampled_from([v.value for v in Verdict]), st.sampled_from(list(CONTROLS)))
def test_a_control_is_fine_only_with_an_expected_verdict(observed, name):
    claim, expected = CONTROLS[name]
    found = control_record(claim, observed, expected)
    assert found["ok"] is (observed in expected)
    assert found["observed"] == observed
    assert all(word in found["expected"] for word in expected)


TAMPERED = [{"certificate": certificate} for certificate in STATED.values()]
PROOF = {**{k: v for k, v in WITNESS.items() if k != "value"}, "kind": "proof"}
OTHERS = [{"certificate": None}, {"certificate": PROOF}]


def test_tampered_certificates_are_rejected():
    found = tampering_control([*TAMPERED, *OTHERS])
    assert found["ok"] is True
    assert found["expected"] == found["observed"] == f"{len(TAMPERED)} rejected"


@pytest.mark.parametrize("code", [0, 2])
def test_a_checker_that_does_not_reject_them_is_found_out(monkeypatch, code):
    values = []

    def lenient(certificate):
        values.append(Fraction(certificate["value"]["left"]))
        return {"exit": code if len(values) == 2 else 1, "message": ""}

    monkeypatch.setattr(record, "answer", lenient)
    found = tampering_control([{"certificate": certificate} for certificate in CASES])
    assert found["ok"] is False
    assert found["observed"] == f"{len(CASES) - 1} rejected"
    assert values == [Fraction(certificate["value"]["left"]) + 1 for certificate in CASES]


def test_an_existence_claim_shows_its_witness():
    claim = find("lj22.lemma4")
    assert claim.kind is Kind.EXISTENCE
    witness = Evidence("search", Outcome.PROVES, "found", certificate=WITNESS)
    found = record_of(claim, [witness])
    assert found["verdict"] == "proved"
    assert found["certificate"]["kind"] == "witness"


def test_settings_that_are_usual_are_left_out_of_commands():
    assert engine._options(engine.Settings()) == []
    assert engine._options(replace(SMOKE, workers=3, fresh=True)) == ["--budget", "smoke"]
    other = engine.Settings(seed=7, device="cuda")
    assert engine._options(other) == ["--seed", "7", "--device", "cuda"]


@pytest.mark.parametrize(
    ("verdict", "mended"),
    [("refuted", True), ("contradicted", True), ("vacuous", True), ("open", False)],
)
def test_what_is_false_or_says_nothing_is_mended_by_what_stands(verdict, mended):
    def row(name, verdict, repairs=None):
        more = {"role": "repair", "depends": [], "rests_on": {"cites": []}, "mended_by": []}
        return {"id": name, "verdict": verdict, "repairs": repairs, **more}

    broken = row("p.a", verdict)
    rows = [broken, row("p.a.fix", "supported", "p.a"), row("p.a.other.fix", "open", "p.a")]
    record.connect([], rows)
    assert broken["mended_by"] == (["p.a.fix"] if mended else [])
