"""What a baseline fills in: never over what speaks against a claim, nor what every run shows."""

from dataclasses import replace

import pytest

from verify.core.evidence import Evidence, Outcome
from verify.core.foundations import LEFT_OUT
from verify.core.grade import Grade
from verify.core.power import Power
from verify.core.verdict import FALSE, Verdict
from verify.papers.registry import find
from verify.runs.conclusions import MAY_KNOW_LESS, TAKEN_OVER, concluded, elsewhere, without_grade
from verify.runs.engine import Settings
from verify.runs.fingerprint import claim_fingerprint

LAW = find("lj22.lemma2a")
MEASURED = find("dkbhl20.alg1.a@C")
SMOKE = Settings(budget="smoke")
POWER = Power(True, "told apart", 3, 3, 30, 20)
GRADE = Grade(1000, 400, 0.37, 0.43, False, "drawn at ci")

AGREES = Evidence("pointwise", Outcome.SUPPORTS, "cases agree", instances=9)
VIOLATES = Evidence("trials", Outcome.VIOLATES, "a violation in floats", instances=9)
BROKEN = Evidence("trials", Outcome.ERROR, "it broke")
UNDECIDED = Evidence("expanded", Outcome.INCONCLUSIVE, "the identity is not seen to hold")
FALLS = Evidence("search", Outcome.REFUTES, "a counterexample")


def row(claim, verdict, **parts):
    """What a baseline says of a claim."""
    known = {"verdict": verdict.value, "scope": "of ci", "reason": "seen at ci", "worst": None}
    known |= {"code": claim_fingerprint(claim), "power": None, "grade": None, **parts}
    return known


def baseline(*rows, budget="ci"):
    return {"budget": budget, "claims": dict(rows)}


def conclusion(claim, pieces, known, settings=SMOKE):
    return concluded([claim], {claim.id: pieces}, replace(settings, known=known))[claim.id]


def test_what_was_not_measured_here_is_taken_over():
    known = baseline((MEASURED.id, row(MEASURED, Verdict.CONTRADICTED)))
    found = conclusion(MEASURED, [], known)
    assert (found.decision.verdict, found.known) == (Verdict.CONTRADICTED, True)
    assert (found.decision.scope, found.decision.reason) == ("of ci", "seen at ci")
    assert found.not_run == ("experiment",)
    alone = conclusion(MEASURED, [], None)
    assert (alone.decision.verdict, alone.known) == (Verdict.NOT_RUN, False)


@pytest.mark.parametrize("verdict", [v for v in Verdict if v not in TAKEN_OVER])
def test_what_a_run_has_to_show_itself_is_told_and_not_taken(verdict):
    found = conclusion(LAW, [AGREES], baseline((LAW.id, row(LAW, verdict))))
    assert (found.decision.verdict, found.known) == (Verdict.SUPPORTED, False)
    assert f"it is {verdict.value}, as the baseline has it" in found.decision.beside


@pytest.mark.parametrize("piece", [VIOLATES, BROKEN, UNDECIDED, FALLS])
@pytest.mark.parametrize("verdict", [Verdict.SUPPORTED, Verdict.UNTESTED, Verdict.VACUOUS])
def test_what_was_found_against_a_claim_stays(piece, verdict):
    alone = conclusion(LAW, [piece, AGREES], None)
    found = conclusion(LAW, [piece, AGREES], baseline((LAW.id, row(LAW, verdict))))
    assert found.decision.verdict is alone.decision.verdict
    assert not found.known


def test_an_argument_that_fell_is_not_replaced():
    """What rests on an unsettled claim is left aside here, whatever the baseline says."""
    argument = Evidence("schema", Outcome.ARGUES, "", rests_on=("a fact",), cites=("lj22.risk",))
    fallen = row(find("lj22.risk"), Verdict.REFUTED)
    known = baseline(("lj22.risk", fallen), (LAW.id, row(LAW, Verdict.ARGUED_ON_SCOPE)))
    found = conclusion(LAW, [argument, AGREES], known)
    assert LEFT_OUT in found.decision.beside
    assert (found.decision.verdict, found.known) == (Verdict.SUPPORTED, False)


@pytest.mark.parametrize("changed", ["its code", "the budget", "a larger budget here"])
def test_another_statement_or_a_smaller_baseline_says_nothing(changed):
    known = baseline(
        (LAW.id, row(LAW, Verdict.UNTESTED, **({"code": "0a"} if changed == "its code" else {}))),
        budget="smoke" if changed == "the budget" else "ci",
    )
    settings = Settings(budget="full") if changed == "a larger budget here" else SMOKE
    found = conclusion(LAW, [AGREES], known, settings)
    assert (found.decision.verdict, found.known) == (Verdict.SUPPORTED, False)


def test_power_and_grade_come_with_it():
    known = baseline((LAW.id, row(LAW, Verdict.REFUTED, power=POWER.to_json())))
    assert conclusion(LAW, [AGREES], known).power == POWER
    known = baseline((LAW.id, row(LAW, Verdict.REFUTED, grade=GRADE.to_json())))
    assert conclusion(LAW, [FALLS], known).grade == GRADE
    assert conclusion(LAW, [AGREES], known).grade is None  # of what is false alone
    assert without_grade([LAW, MEASURED], known) == [MEASURED]
    assert without_grade([LAW, MEASURED], None) == [LAW, MEASURED]


def test_support_by_checks_without_power_is_none_at_a_smaller_budget_either():
    dull = replace(POWER, tested=False, why="nothing was told apart")
    known = baseline((LAW.id, row(LAW, Verdict.UNTESTED, power=dull.to_json())))
    found = conclusion(LAW, [AGREES], known)
    assert (found.decision.verdict, found.known) == (Verdict.UNTESTED, False)
    assert "nothing was told apart" in found.decision.reason


def test_what_may_be_taken_over():
    assert set(TAKEN_OVER) - set(MAY_KNOW_LESS) == {Verdict.CONTRADICTED}
    assert set(TAKEN_OVER) & set(FALSE) == {Verdict.CONTRADICTED}
    assert not {Verdict.PROVED, Verdict.ARGUED, Verdict.ERROR} & set(TAKEN_OVER)


def test_a_claim_of_which_a_run_is_not():
    known = baseline((LAW.id, row(LAW, Verdict.REFUTED, grade=GRADE.to_json())))
    seen = elsewhere(LAW, known)
    assert (seen.verdict, seen.grade, seen.from_baseline) == (Verdict.REFUTED, GRADE, True)
    for nothing in (None, baseline(), baseline((LAW.id, row(LAW, Verdict.REFUTED, code="0a")))):
        seen = elsewhere(LAW, nothing)
        assert (seen.verdict, seen.from_baseline) == (Verdict.NOT_RUN, False)
