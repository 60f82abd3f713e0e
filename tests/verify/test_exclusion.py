"""Hypotheses that proved claims exclude: what is checked, and that each check can fail."""

from dataclasses import replace
from random import Random

import pytest

from verify.cases.scenes import constant_entries
from verify.core.budgets import budget_named
from verify.core.evidence import Evidence, Outcome
from verify.core.exclusion import Exclusion
from verify.core.verdict import Verdict, decide
from verify.methods.context import Context
from verify.methods.vacuity import vacuity
from verify.papers.registry import all_claims, find
from verify.runs.fingerprint import claim_fingerprint
from verify.runs.record import Found, claim_record
from verify.runs.tasks import Task, perform, tasks_for
from verify.search.exclusion import CASES, looked_at, without_argument

SMOKE = Context(budget_named("smoke"))
EXCLUDED = [claim for claim in all_claims() if claim.excluded is not None]
ONE_OF_EACH = list({claim.excluded.cites: claim for claim in EXCLUDED}.values())
"""By what excludes them: the baseline tells that all of them are vacuous."""
CLAIM = find("dkbhl20.lem10.b")
SEVERAL_LAWS = find("dkbhl20.lem10.a")
RESTS = "a positive semidefinite M is V V^T, so that M_ij = <v_i, v_j>"


def looked(exclusion, claim=CLAIM):
    return looked_at(claim, exclusion, Random(3), 60)


@pytest.mark.parametrize("claim", ONE_OF_EACH, ids=lambda claim: claim.id)
def test_what_is_registered_as_excluded_is(claim):
    found = vacuity(claim, SMOKE)
    assert found.outcome is Outcome.ARGUES
    assert found.instances == 0
    assert 0 < found.figures["cases that meet the others"] <= CASES
    assert all(name in found.summary for name in claim.excluded.cites)
    assert found.joint_cases[0].hypotheses == (claim.excluded.hypothesis,)
    assert found.joint_cases[0].case is None


def test_the_claims_of_lemma_10_are_among_them():
    names = {claim.id for claim in EXCLUDED}
    assert {"dkbhl20.lem10.a", "dkbhl20.lem10.b", "dkbhl20.cor15.a"} <= names
    assert "dkbhl20.lem6.a@A" not in names


def test_the_hypothesis_must_be_one_of_the_claim():
    found = looked(replace(CLAIM.excluded, hypothesis="alpha above 2"))
    assert found.faults == ("the claim has no hypothesis 'alpha above 2'",)


def test_something_must_be_cited():
    assert looked(replace(CLAIM.excluded, cites=())).faults == ("it cites no claim",)


def test_what_is_cited_must_be_proved():
    found = looked(replace(CLAIM.excluded, cites=("dkbhl20.def3.b", "dkbhl20.lem10.b")))
    assert found.faults[0] == "dkbhl20.lem10.b has no argument"


def test_an_argument_that_fails_or_is_about_something_else_is_no_proof():
    proved = find("dkbhl20.def3.b")
    argument = proved.proof()
    broken = replace(argument.steps[0], holds=False)
    assert without_argument(proved) == []
    assert without_argument(replace(proved, proof=lambda: replace(argument, steps=(broken,)))) == [
        f"the argument of dkbhl20.def3.b fails: {broken.text}"
    ]
    assert (
        "its goal is not"
        in without_argument(replace(proved, proof=lambda: replace(argument, goal=None)))[0]
    )


def test_what_is_cited_must_speak_of_the_cases():
    """def3.b is about laws on unit diagonals; without that hypothesis cases have others."""
    wider = replace(
        CLAIM, hypotheses=tuple(h for h in CLAIM.hypotheses if "unit diagonal" not in h.name)
    )
    assert any("does not speak of" in fault for fault in looked(CLAIM.excluded, wider).faults)


def test_without_a_case_nothing_is_excluded():
    found = looked_at(CLAIM, CLAIM.excluded, Random(3), 0)
    assert found.cases == 0
    assert found.faults == ("no case was found that meets the other hypotheses",)


def test_what_is_cited_must_hold_on_the_cases(monkeypatch):
    """An argument for a measure that says something else: each case shows it."""
    cited = find("dkbhl20.def3.b")

    def dominance(scene):
        return constant_entries(scene, [(c, {}, -1) for c in range(len(scene.cases))])

    wrong = replace(cited, measure=dominance)
    assert without_argument(wrong) == []
    monkeypatch.setattr("verify.search.exclusion.find", lambda name: wrong)
    faults = looked(CLAIM.excluded).faults
    assert any(fault.startswith("dkbhl20.def3.b fails on") for fault in faults)


def test_a_hypothesis_that_is_met_is_not_excluded():
    at_least = find("dkbhl20.lem10.b.fix")  # alpha = 1 on blocks of signs
    exclusion = Exclusion("alpha at least 1", ("dkbhl20.def3.b",), "")
    found = looked(exclusion, at_least)
    assert any(fault.startswith("all are met by") for fault in found.faults)
    assert vacuity(replace(at_least, excluded=exclusion), SMOKE).outcome is Outcome.ERROR


def test_a_strength_above_the_threshold_is_not_excluded():
    """Beyond 1/(dB) a single sample can have a unique law, and the cited claim says nothing."""
    without = tuple(h for h in SEVERAL_LAWS.hypotheses if h.name != "gamma at most 1/(8Bd)")
    found = looked(SEVERAL_LAWS.excluded, replace(SEVERAL_LAWS, hypotheses=without))
    assert found.faults


def evidence(claim):
    tasks = [*tasks_for(claim, "smoke", 0, "cpu"), Task(claim.id, "vacuity", "smoke", 0, "cpu")]
    return [e for task in tasks if (e := perform(task)) is not None]


def test_the_verdict_and_the_record_say_by_what():
    pieces = evidence(CLAIM)
    decision = decide(CLAIM, pieces)
    assert decision.verdict is Verdict.VACUOUS
    assert decision.scope == "the whole claim"
    assert "excluded by dkbhl20.def3.b" in decision.reason
    rests_on = claim_record(CLAIM, Found(decision, pieces))["rests_on"]
    assert RESTS in rests_on["trusted"]
    assert "dkbhl20.def3.b" in rests_on["cites"]


def test_a_case_that_met_them_all_breaks_it():
    found = vacuity(CLAIM, SMOKE)
    seen = Evidence("pointwise", Outcome.SUPPORTS, "seen", instances=1)
    assert decide(CLAIM, [found, seen]).verdict is Verdict.ERROR
    assert decide(CLAIM, [found, replace(seen, instances=0)]).verdict is Verdict.VACUOUS


def test_a_proof_that_nothing_meets_the_hypotheses_proves_no_claim():
    proof = Evidence("schema", Outcome.ARGUES, "argued", instances=3)
    assert decide(CLAIM, [vacuity(CLAIM, SMOKE), proof]).verdict is Verdict.VACUOUS


def test_the_fingerprint_follows_what_is_cited(monkeypatch):
    first = claim_fingerprint(CLAIM)
    assert claim_fingerprint(replace(CLAIM, excluded=None)) != first
    other = replace(CLAIM.excluded, because="for another reason")
    assert claim_fingerprint(replace(CLAIM, excluded=other)) != first
    cited = find("dkbhl20.def3.b")
    monkeypatch.setattr(
        "verify.runs.fingerprint._registered", lambda names: [replace(cited, statement="another")]
    )
    assert claim_fingerprint(CLAIM) != first
