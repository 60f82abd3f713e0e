"""Certificates of necessity: what they show, by hand, and what is not accepted for one."""

import inspect
import re

import pytest

from tests.verify.corruptions import changed, everywhere
from tests.verify.necessity_certificates import LOGISTIC, NEEDING
from verify.checker import restated as checker
from verify.checker.restated import STATEMENTS, WITHOUT, check
from verify.controls import CONTROLS
from verify.registry import all_claims

VALID = {**NEEDING, "a loss by name": LOGISTIC}
TANH, LARGE = NEEDING.values()


@pytest.mark.parametrize("name", VALID)
def test_it_is_accepted(name: str) -> None:
    assert check(VALID[name]).code == checker.ACCEPT


@pytest.mark.parametrize("name", NEEDING)
def test_corrupted_certificates_are_not_accepted(name: str) -> None:
    valid = VALID[name]
    corrupted = dict(everywhere({**valid, "value": "3"}))
    corrupted = {what: broken for what, broken in corrupted.items() if "value" not in what}
    restored = {
        what: {**broken, "value": valid["value"]} if "value" in broken else broken
        for what, broken in corrupted.items()
    }
    accepted = [w for w, broken in restored.items() if check(broken).code == checker.ACCEPT]
    assert all(restored[what] == valid for what in accepted)  # an activation changed to itself
    assert len(restored) > 100 + len(accepted)


@pytest.mark.parametrize("name", NEEDING)
def test_the_same_case_is_no_counterexample(name: str) -> None:
    plain = {key: value for key, value in VALID[name].items() if key != "without"}
    assert check({**plain, "kind": "counterexample"}).code == checker.REJECT


@pytest.mark.parametrize("name", NEEDING)
@pytest.mark.parametrize("other", WITHOUT)
def test_it_shows_no_other_need(name: str, other: str) -> None:
    outcome = check({**VALID[name], "without": other})
    assert (outcome.code == checker.ACCEPT) is (other == VALID[name]["without"])


NEAR = {
    "an enclosure beside it": (["2207/1000", "2208/1000"], "the residual is between"),
    "an enclosure that ends before it": (["22/10", "2206/1000"], "the residual is between"),
    "an enclosure of its opposite": (["-2207/1000", "-2206/1000"], "the residual is between"),
    "an enclosure that holds 0": (["-3", "3"], "the value may be"),
    "ends in disorder": (["2207/1000", "2206/1000"], "not in order"),
    "a number": ("2206/1000", "the residual is between"),
}


@pytest.mark.parametrize("name", NEAR)
def test_near_misses_of_an_enclosure_are_rejected(name: str) -> None:
    value, reason = NEAR[name]
    outcome = check({**TANH, "value": value})
    assert outcome.code == checker.REJECT
    assert reason in outcome.message


@pytest.mark.parametrize(("digits", "code"), [(9, checker.ACCEPT), (200, checker.DECLINE)])
def test_an_enclosure_that_is_too_narrow_to_be_met_is_declined(digits: int, code: int) -> None:
    flint = pytest.importorskip("flint", reason="the number comes from Arb, in python-flint")
    with flint.ctx.workprec(1000):
        t = flint.arb(1).tanh()
        whole = int((2 * (2 * t - 1 + t * t) * 10**digits).floor().unique_fmpz())
    ends = [f"{whole + k}/{10**digits}" for k in (0, 1)]
    assert check({**TANH, "value": ends}).code == code


STILL = changed(TANH, "case", "examples", 0, "slope", to="0")
WRONG = {
    "all hypotheses hold": (
        changed(STILL, "case", "network", "vertices", 1, "activation", to="relu"),
        "nothing is violated",
    ),
    "another hypothesis fails as well": (
        changed(TANH, "case", "examples", 0, "x", to=["2"]),
        "squared norm 4",
    ),
    "a weight is 0 as well": (
        changed(TANH, "case", "network", "weights", "w[h->o]", to="0"),
        "is 0 and need not keep its sign",
    ),
    "the claim is true without it": (
        STILL,
        "nothing is violated",
    ),
    "a claim that a case exists": (
        {**LARGE, "claim": "dkbhl20.def_r.b.rank", "without": "H is not 0"},
        "is not violated by a case",
    ),
    "slopes beside a loss by name": (
        changed(LOGISTIC, "case", "examples", 0, "slope", to="1"),
        "unknown key 'slope'",
    ),
    "another loss": (changed(LOGISTIC, "case", "loss", to="exponential"), "not between -0.538"),
    "an unknown loss": (changed(LOGISTIC, "case", "loss", to="hinge"), "the loss is 'hinge'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_shows_nothing_is_rejected(name: str) -> None:
    certificate, reason = WRONG[name]
    outcome = check(certificate)
    assert outcome.code == checker.REJECT
    assert reason in outcome.message


def test_an_unknown_hypothesis_is_declined() -> None:
    assert check({**TANH, "without": "an unknown one"}).code == checker.DECLINE


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
        for h in (
            statement.hypotheses
            if isinstance(statement, checker.MatrixStatement)
            else (checker.one_output, *statement.network, *statement.point)
        )
    }
    source = inspect.getsource(checker)
    inside = set(re.findall(r'suppose\(\s*"([^"]+)"', source))
    inside |= set(re.findall(r'"([^"]+)" (?:not )?in \w+(?:\.net)?\.waived', source))
    inside |= {"incident", "own"}  # handed to `learnable`
    assert {key for keys in WITHOUT.values() for key in keys} <= functions | inside
