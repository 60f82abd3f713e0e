"""The record of a run: what it says of claims, certificates, ancestors and trust; strict JSON."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.json_report import dumps, validate
from tests.verify.certificates import VALID
from tests.verify.runs.cheap_methods import SMOKE
from verify.claim import Claim, Kind
from verify.controls import CONTROLS
from verify.evidence import Evidence, Outcome
from verify.fingerprint import claim_fingerprint
from verify.registry import all_claims, find
from verify.runs import engine, record
from verify.runs.record import (
    ancestors_supported,
    claim_record,
    consistency_control,
    control_record,
    deciding_certificate,
    tampering_control,
    worst_figure,
)
from verify.verdict import Verdict, decide

EVERY_CLAIM = [*all_claims(), *(claim for claim, _ in CONTROLS.values())]
CASES = [VALID[name] for name in ("risk", "gflow", "lemma3@A", "lemma4")]
ARGUMENTS = [VALID[name] for name in ("balance lemma2a", "polynomial lemma2b@A")]
FINE = ["supported", "proved", "proved on scope", "definition"]
NOT_FINE = ["error", "refuted", "vacuous", "inconclusive", "unchecked"]


@st.composite
def evidence_lists(draw) -> list[Evidence]:
    pieces = []
    for method in draw(st.permutations(["structural", "schema", "pointwise", "search", "trials"])):
        if draw(st.booleans()):
            continue
        outcome = draw(st.sampled_from(Outcome))
        certificate = None
        if outcome is Outcome.REFUTES:
            certificate = draw(st.sampled_from(CASES))
        elif outcome in (Outcome.PROVES, Outcome.PROVES_ON_SCOPE):
            certificate = draw(st.none() | st.sampled_from([*CASES, *ARGUMENTS]))
        figures = {"drawn": draw(st.integers(0, 99)), "worst residual": "1e-16"}
        pieces.append(
            Evidence(
                method,
                outcome,
                draw(st.text(max_size=8)),
                ("rests on: a theorem", "n = 1"),
                figures if draw(st.booleans()) else {},
                draw(st.integers(0, 5)),
                draw(st.floats(0, 1e3)),
                draw(st.integers(0, 9)),
                certificate,
                None if certificate is None else {"exit": 0, "message": "accepted"},
            )
        )
    return pieces


def record_of(claim: Claim, pieces, verdicts=None, options=()):
    return claim_record(claim, decide(claim, pieces), pieces, verdicts or {}, options)


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
    head = {"format": "lemmata-run", "version": 1, "run": run}
    return head | {"controls": [], "changes": None, "claims": claims}


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
    if found["verdict"] == "refuted":
        assert found["certificate"]["kind"] in ("counterexample", "witness")
    elif found["verdict"] not in ("proved", "proved on scope"):
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


@given(st.permutations(list(VALID)))
def test_of_several_counterexamples_the_smallest_is_shown(order):
    pieces = [refuting(VALID[name]) for name in order if "case" in VALID[name]]
    claim = find("lj22.risk")
    chosen = deciding_certificate(decide(claim, pieces), pieces)
    sizes = [len(piece.certificate["case"]["network"]["edges"]) for piece in pieces]
    assert len(chosen.certificate["case"]["network"]["edges"]) == min(sizes)


def test_of_equal_networks_the_one_with_fewer_examples_and_plainer_weights_is_shown():
    small = VALID["risk"]
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
    found = record_of(claim, [refuting(VALID["gflow"])], options=options)
    assert found["command"] == "lemmata repro certificates/lj22.gflow.json"


# ancestors -------------------------------------------------------------------------------------
def chain(monkeypatch, **depends):
    """Claims a, b, ... that depend on each other as said."""
    base = find("lj22.gflow")
    claims = {
        name: replace(base, id=name, depends=tuple(others)) for name, others in depends.items()
    }
    monkeypatch.setattr("verify.registry.all_claims", lambda: tuple(claims.values()))
    return claims


def test_ancestors_are_all_supported_or_one_is_not_or_it_is_unknown(monkeypatch):
    claims = chain(monkeypatch, a="bc", b="d", c="d", d="", e="")

    def mark(**verdicts):
        return ancestors_supported(claims["a"], verdicts)

    fine = {"b": "supported", "c": "proved", "d": "definition"}
    assert mark(**fine) is True
    assert mark(**fine, a="refuted", e="error") is True  # its own verdict and others do not count
    assert mark(**fine | {"d": "refuted"}) is False  # through b, which is fine
    assert mark(b="supported", c="proved") is None  # d was not run
    assert mark(b="supported", c="refuted") is False  # worse than unknown
    assert mark() is None
    assert ancestors_supported(claims["d"], {}) is True  # rests on nothing


@given(data=st.data(), claim=st.sampled_from([c for c in all_claims() if c.depends]))
def test_the_mark_of_ancestors_by_its_definition(data, claim):
    by_id = {c.id: c for c in all_claims()}
    above, waiting = set(), list(claim.depends)
    while waiting:
        name = waiting.pop()
        if name not in above:
            above.add(name)
            waiting += by_id[name].depends
    verdict = st.sampled_from([None, *FINE, *NOT_FINE]) | st.sampled_from(FINE)
    drawn = {name: data.draw(verdict) for name in sorted(above)}
    verdicts = {name: value for name, value in drawn.items() if value is not None}
    mark = ancestors_supported(claim, verdicts)
    assert (mark is False) == any(value in NOT_FINE for value in drawn.values())
    assert (mark is True) == all(value in FINE for value in drawn.values())


def test_every_verdict_is_fine_or_not():
    assert {verdict.value for verdict in Verdict} == {*FINE, *NOT_FINE}
    assert set(FINE) == record.FINE


# what it rests on, and its worst figure ----------------------------------------------------------
def test_what_a_proof_rests_on_is_shown():
    proof = Evidence("schema", Outcome.PROVES, "", ("the whole claim", "rests on: a theorem"))
    claim = replace(find("lj22.gflow"), trusted=("a cited result",))
    assert record_of(claim, [proof])["trusted"] == ["a cited result", "a theorem"]
    supporting = Evidence("search", Outcome.SUPPORTS, "", ("rests on: a theorem",), instances=1)
    assert record_of(claim, [supporting])["trusted"] == ["a cited result"]


def test_the_path_theorem_is_trusted_where_graphs_decided():
    claim = find("lj22.lemma2a")
    structural = Evidence("structural", Outcome.PROVES_ON_SCOPE, "", instances=1)
    on_cases = Evidence("pointwise", Outcome.SUPPORTS, "", instances=1)
    path_theorem, slopes = record_of(claim, [structural, on_cases])["trusted"]
    assert path_theorem.startswith("the path theorem")
    assert "slope" in slopes


def test_what_a_refutation_rests_on():
    """An identity: on arithmetic alone. A law: on the flow through the point, and on the Clarke
    element where one was selected."""
    identity = record_of(find("lj22.gflow"), [refuting(VALID["gflow"])])
    assert identity["trusted"] == []
    smooth = record_of(find("lj22.lemma2b@B"), [refuting(VALID["lemma2b@B"])])
    assert len(smooth["trusted"]) == 2
    asleep = record_of(find("lj22.lemma2b@A"), [refuting(VALID["lemma2b@A dormant"])])
    assert len(asleep["trusted"]) == 3
    assert "Clarke" in asleep["trusted"][-1]


def test_a_claim_that_is_refuted_and_proved_voids_the_run():
    proof = Evidence("schema", Outcome.PROVES, "")
    good = consistency_control({"a": [proof], "b": [refuting(VALID["gflow"])]})
    assert good["ok"]
    bad = consistency_control({"a": [proof, refuting(VALID["gflow"])]})
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
    assert record_of(claim, [trials, refuting(VALID["gflow"])])["worst"] is None
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


TAMPERED = [{"certificate": certificate} for certificate in CASES]
OTHERS = [{"certificate": None}, {"certificate": VALID["balance lemma2a"]}]


def test_tampered_certificates_are_rejected():
    found = tampering_control([*TAMPERED, *OTHERS])
    assert found["ok"] is True
    assert found["expected"] == found["observed"] == f"{len(TAMPERED)} rejected"


@pytest.mark.parametrize("code", [0, 2])
def test_a_checker_that_does_not_reject_them_is_found_out(monkeypatch, code):
    values = []

    def lenient(certificate):
        values.append(Fraction(certificate["value"]))
        return {"exit": code if len(values) == 2 else 1, "message": ""}

    monkeypatch.setattr(record, "answer", lenient)
    found = tampering_control(TAMPERED)
    assert found["ok"] is False
    assert found["observed"] == f"{len(TAMPERED) - 1} rejected"
    assert values == [Fraction(certificate["value"]) + 1 for certificate in CASES]


def test_an_existence_claim_shows_its_witness():
    claim = find("lj22.lemma4")
    assert claim.kind is Kind.EXISTENCE
    witness = Evidence("search", Outcome.PROVES, "found", certificate=VALID["lemma4"])
    found = record_of(claim, [witness])
    assert found["verdict"] == "proved"
    assert found["certificate"]["kind"] == "witness"


def test_settings_that_are_usual_are_left_out_of_commands():
    assert engine._options(engine.Settings()) == []
    assert engine._options(replace(SMOKE, workers=3, fresh=True)) == ["--budget", "smoke"]
    other = engine.Settings(seed=7, device="cuda")
    assert engine._options(other) == ["--seed", "7", "--device", "cuda"]
