"""The gate between a suspicion and a counterexample, for cases that are not rational."""

from dataclasses import replace
from fractions import Fraction

import pytest

from graphs.network import network
from verify.admission import Admitted, Refused, admit, prescribe
from verify.case import Case
from verify.controls import CONTROLS
from verify.evidence import Outcome
from verify.registry import find

pytest.importorskip("flint", reason="Arb is in python-flint, which is not installed")

ONE = Fraction(1)
NET = network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"])
CASE = Case(NET, (ONE, ONE), ((ONE,),), (ONE,), loss="logistic")
LAW = find("lj22.lemma2a")
ROUNDED = prescribe(CASE).slopes[0]


def rounding(scene):
    """What the rounding of the slope of the loss to a rational does: 0 for the rounded slope."""
    rounded = scene.arithmetic.array([[ROUNDED]])
    return scene.per_example(scene.kappa, rounded)


def nothing(scene):
    """0, but in enclosures."""
    return scene.per_example(scene.kappa - scene.kappa, scene.kappa - scene.kappa)


def test_a_law_that_fails_for_every_loss_is_refuted_with_rounded_slopes():
    planted, _ = CONTROLS["control.planted.lj22"]
    found = admit(planted, CASE, 10)
    assert isinstance(found, Admitted)
    assert found.violation.case.loss == "prescribed"


def test_what_needs_the_loss_itself_is_certified_with_its_enclosure():
    found = admit(replace(LAW, measure=rounding, terms=None), CASE, 0)
    # the measure is not that of the claim, so the checker, which knows the claim, does not agree
    assert isinstance(found, Refused)
    assert found.certificate["case"]["loss"] == "logistic"
    assert "slope" not in found.certificate["case"]["examples"][0]
    low, high = (Fraction(end) for end in found.certificate["value"])
    assert low <= high
    assert 0 < abs(low) < Fraction(1, 10**5)


def test_an_artefact_is_refused_with_the_precision_at_which_it_vanished():
    found = admit(replace(LAW, measure=nothing, terms=None), CASE, 10)
    assert isinstance(found, Refused)
    assert found.outcome is Outcome.INCONCLUSIVE
    assert "vanishes at 106 bits" in found.reason


def test_a_rational_case_without_a_violation_is_a_contradiction():
    found = admit(LAW, prescribe(CASE), 10)
    assert isinstance(found, Refused)
    assert found.outcome is Outcome.ERROR
