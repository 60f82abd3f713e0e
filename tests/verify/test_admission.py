"""The gate between a suspicion and a counterexample, for cases that are not rational."""

from fractions import Fraction

from graphs.network import network
from verify.cases.case import Case
from verify.cases.prescribing import prescribe
from verify.core.evidence import Outcome
from verify.papers.registry import find
from verify.runs.controls import CONTROLS
from verify.search.admission import Admitted, Refused, admit

ONE = Fraction(1)
NET = network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"])
CASE = Case(NET, (ONE, ONE), ((ONE,),), (ONE,), loss="logistic")
LAW = find("lj22.lemma2a")


def test_a_law_that_fails_for_every_loss_is_refuted_with_rounded_slopes():
    planted, _ = CONTROLS["control.planted.lj22"]
    found = admit(planted, CASE, 10)
    assert isinstance(found, Admitted)
    assert found.violation.case.loss == "prescribed"


def test_what_the_loss_itself_shows_is_not_told_from_an_artefact():
    found = admit(LAW, CASE, 10)
    assert isinstance(found, Refused)
    assert found.outcome is Outcome.INCONCLUSIVE
    assert "slopes of the loss rounded" in found.reason


def test_a_rational_case_without_a_violation_is_a_contradiction():
    found = admit(LAW, prescribe(CASE), 10)
    assert isinstance(found, Refused)
    assert found.outcome is Outcome.ERROR
