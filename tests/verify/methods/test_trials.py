"""Float trials: what they notice, and what becomes of a suspicion."""

from dataclasses import replace
from fractions import Fraction

import pytest

from verify.core.budgets import BUDGETS
from verify.core.claim import Claim, Kind
from verify.core.evidence import Evidence, Outcome, smallest
from verify.language.building import Each, Rate, hidden, implies, into, out_of
from verify.methods.context import Context
from verify.methods.trials import trials
from verify.papers.lj22.graph_terms import incident_learnable, squares
from verify.papers.lj22.invariances import FLOW
from verify.papers.registry import find
from verify.runs.controls import CONTROLS
from verify.search.judging import NOTHING
from verify.statements.network_hypotheses import BIAS_FREE
from verify.statements.stated import stated

SMOKE = Context(BUDGETS["smoke"])
VERTEX = find("lj22.lemma2a")


def off_by(share: Fraction) -> Claim:
    """Lemma 2's first part with the out-edges counted a little more than once."""
    says = Each(
        hidden(),
        lambda v: implies(
            incident_learnable(v),
            Rate(squares(into(v))) == (1 + share) * Rate(squares(out_of(v))),
        ),
    )
    given, pool = (BIAS_FREE, *FLOW), VERTEX.pool
    return stated("off by a share", VERTEX.source, "-", "-", says, given, pool=pool, kind=Kind.LAW)


def test_a_true_law_is_supported():
    evidence = trials(VERTEX, SMOKE)
    assert evidence.outcome is Outcome.SUPPORTS
    assert evidence.instances == evidence.figures["met all hypotheses"] > 0
    assert float(evidence.figures["worst residual"]) < 1e-9


@pytest.mark.parametrize("name", ["control.false", "control.planted.lj22"])
def test_false_controls_are_refuted(name):
    evidence = trials(CONTROLS[name][0], SMOKE)
    assert evidence.outcome is Outcome.REFUTES
    assert evidence.checker["exit"] == 0


@pytest.mark.parametrize("share", [Fraction(1, 10), Fraction(1, 10**9)])
def test_a_small_slip_is_noticed(monkeypatch, share):
    """The same case replayed exactly confirms it, and the checker; what that does not confirm is
    told as a violation."""
    assert trials(off_by(share), SMOKE).outcome is Outcome.REFUTES
    reply = {"exit": 2, "message": "declined: for a test"}
    monkeypatch.setattr("verify.search.admission.answer", lambda certificate: reply)
    assert trials(off_by(share), SMOKE).outcome is Outcome.VIOLATES
    assert trials(off_by(Fraction(0)), SMOKE).outcome is Outcome.SUPPORTS


def with_loss(loss):
    claim = find("lj22.gflow")
    return replace(claim, pool=replace(claim.pool, losses=(loss,)))


@pytest.mark.parametrize("loss", ["prescribed", "squared"])
def test_a_suspicion_that_exact_replay_denies(monkeypatch, loss):
    """For a rational loss the enclosure was of that very case: one of the two is broken."""
    monkeypatch.setattr("verify.search.admission.judge_exactly", lambda claim, case: NOTHING)
    assert trials(with_loss(loss), SMOKE).outcome is Outcome.ERROR


@pytest.mark.parametrize("loss", ["logistic", "exponential"])
def test_a_suspicion_of_the_loss_itself_stays_open(monkeypatch, loss):
    """What exact replay with rounded slopes does not show: a certificate has prescribed slopes."""
    monkeypatch.setattr("verify.search.admission.judge_exactly", lambda claim, case: NOTHING)
    assert trials(with_loss(loss), SMOKE).outcome is Outcome.INCONCLUSIVE


def test_the_same_seed_sees_the_same():
    first, second = (replace(trials(VERTEX, SMOKE), seconds=0) for _ in "12")
    assert first == second


def test_a_certificate_at_a_smooth_point_is_preferred():
    def piece(vertices: int, choice: dict) -> Evidence:
        network = {"vertices": [{}] * vertices, "edges": [], "weights": {}}
        case = {"network": network, "examples": [{}], "choice": choice}
        return Evidence("search", Outcome.REFUTES, "", certificate={"case": case})

    asleep, smooth, large = piece(3, {"slopes_at_0": [["h", 1, "0"]]}), piece(4, {}), piece(5, {})
    assert smallest([large, asleep, smooth]) is smooth
    assert smallest([asleep]) is asleep
