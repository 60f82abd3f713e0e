"""Certificates of necessity: what they show, by hand, and what is not accepted for one."""

import inspect
import re
from fractions import Fraction

import pytest

from tests.verify.corruptions import changed, everywhere
from tests.verify.necessity_certificates import NEEDING, SIDES, STATED
from verify.checker import check as check_statement
from verify.checker import restated as checker
from verify.checker.restated import STATEMENTS, WITHOUT, check
from verify.papers.registry import all_claims
from verify.runs.controls import CONTROLS

SIGN, TANH = NEEDING["sign"], STATED["tanh"]


@pytest.mark.parametrize("name", NEEDING)
def test_it_is_accepted(name: str) -> None:
    assert check(NEEDING[name]).code == checker.ACCEPT


@pytest.mark.parametrize("name", NEEDING)
def test_corrupted_certificates_are_not_accepted(name: str) -> None:
    corrupted = dict(everywhere(NEEDING[name]))
    assert not [what for what, broken in corrupted.items() if check(broken).code == checker.ACCEPT]
    assert len(corrupted) > 100


@pytest.mark.parametrize("name", NEEDING)
def test_the_same_case_is_no_counterexample(name: str) -> None:
    plain = {key: value for key, value in NEEDING[name].items() if key != "without"}
    assert check({**plain, "kind": "counterexample"}).code == checker.REJECT


@pytest.mark.parametrize("name", NEEDING)
@pytest.mark.parametrize("other", WITHOUT)
def test_it_shows_no_other_need(name: str, other: str) -> None:
    outcome = check({**NEEDING[name], "without": other})
    assert (outcome.code == checker.ACCEPT) is (other == NEEDING[name]["without"])


WRONG = {
    "all hypotheses hold": (
        changed(SIGN, "case", "arrays", "lam", "entries", to=["2", "0"]),
        "the residual is -8, not -74",
    ),
    "another hypothesis fails as well": (
        changed(SIGN, "case", "arrays", "lam", "entries", to=["3", "-1", "1"]),
        "",
    ),
    "the claim is true without it": (
        changed(NEEDING["trace"], "case", "arrays", "lam", "entries", to=["1/2"]),
        "the residual is 1/16",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_shows_nothing_is_rejected(name: str) -> None:
    certificate, reason = WRONG[name]
    outcome = check(certificate)
    assert outcome.code == checker.REJECT
    assert reason in outcome.message


# of statements -----------------------------------------------------------------------------------
@pytest.mark.parametrize("name", STATED)
def test_statements_need_what_they_need_by_hand(name: str) -> None:
    for told, by_hand in zip(STATED[name]["value"].values(), SIDES[name], strict=True):
        low, high = (Fraction(end) for end in (told if isinstance(told, list) else (told, told)))
        assert low <= high
        assert float(low) == pytest.approx(by_hand, rel=1e-8)
    assert check_statement(STATED[name]).code == checker.ACCEPT
    hypotheses = [row["name"] for row in STATED[name]["statement"]["hypotheses"]]
    for other in hypotheses:
        outcome = check_statement({**STATED[name], "without": other})
        assert (outcome.code == checker.ACCEPT) is (other == STATED[name]["without"])


NEAR = {
    "an enclosure beside it": ["-839/1000", "-838/1000"],
    "an enclosure that ends before it": ["-841/1000", "-840/1000"],
    "an enclosure of its opposite": ["838/1000", "840/1000"],
    "ends in disorder": ["-839/1000", "-840/1000"],
    "a number": "-84/100",
}


@pytest.mark.parametrize("name", NEAR)
def test_near_misses_of_an_enclosure_are_rejected(name: str) -> None:
    assert check_statement(changed(TANH, "value", "left", to=["-1", "-1/2"])).code == checker.ACCEPT
    outcome = check_statement(changed(TANH, "value", "left", to=NEAR[name]))
    assert outcome.code == checker.REJECT


@pytest.mark.parametrize(("digits", "code"), [(9, checker.ACCEPT), (200, checker.DECLINE)])
def test_an_enclosure_that_is_too_narrow_to_be_met_is_declined(digits: int, code: int) -> None:
    flint = pytest.importorskip("flint", reason="the number comes from Arb, in python-flint")
    with flint.ctx.workprec(1000):
        t = flint.arb(1).tanh()
        whole = int((-4 * t * 10**digits).floor().unique_fmpz())
    ends = [f"{whole + k}/{10**digits}" for k in (0, 1)]
    assert check_statement(changed(TANH, "value", "right", to=ends)).code == code


STILL = changed(TANH, "case", "examples", 0, "slope", to="0")
SHOWS_NOTHING = {
    "all hypotheses hold": (
        changed(TANH, "case", "network", "vertices", 1, "activation", to="relu"),
        "'positively homogeneous activations' is met",
    ),
    "another hypothesis fails as well": (
        changed(TANH, "case", "examples", 0, "x", to=["2"]),
        "'data' is not met",
    ),
    "a weight is 0 as well": (
        changed(TANH, "case", "network", "weights", "w[h->o]", to="0"),
        "'stable signs (Assumption 1)' is not met",
    ),
    "the claim is true without it": (
        {**STILL, "value": {"left": "0", "right": "0"}},
        "what the statement says is true",
    ),
}


@pytest.mark.parametrize("name", SHOWS_NOTHING)
def test_of_statements_what_shows_nothing_is_rejected(name: str) -> None:
    certificate, reason = SHOWS_NOTHING[name]
    outcome = check_statement(certificate)
    assert outcome.code == checker.REJECT
    assert reason in outcome.message


# the table ---------------------------------------------------------------------------------------
def test_an_unknown_hypothesis_is_declined() -> None:
    assert check({**SIGN, "without": "an unknown one"}).code == checker.DECLINE


def test_the_names_are_those_of_hypotheses() -> None:
    """Of claims and controls that are no statements of the language: those stand in certificates
    of their own."""
    claims = [*all_claims(), *(control for control, _ in CONTROLS.values())]
    restated = [one for one in claims if one.terms is None and one.id in STATEMENTS]
    assert WITHOUT.keys() <= {h.name for one in restated for h in one.hypotheses}


def test_no_two_names_do_without_the_same_check() -> None:
    """So that a need that is shown under one name is not shown under another."""
    checks = [check for own in WITHOUT.values() for check in own]
    assert len(checks) == len(set(checks))


def test_every_waiver_is_met_by_some_statement() -> None:
    functions = {
        getattr(h, "func", h).__name__
        for statement in STATEMENTS.values()
        for h in statement.hypotheses
    }
    source = inspect.getsource(checker)
    inside = set(re.findall(r'"([^"]+)" (?:not )?in \w+(?:\.net)?\.waived', source))
    assert {key for keys in WITHOUT.values() for key in keys} <= functions | inside
