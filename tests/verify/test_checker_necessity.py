"""Certificates of necessity: what they show, by hand, and what is not accepted for one."""

import inspect
import re
from typing import Any

import pytest

from tests.verify import certificates as c
from tests.verify.corruptions import changed, everywhere
from verify.checker import restated as checker
from verify.checker.restated import STATEMENTS, WITHOUT, check
from verify.controls import CONTROLS
from verify.registry import all_claims

HOMOGENEOUS, FLOW = "positively homogeneous activations", "gradient flow"
NORM = "lj22.sig2.norm"
H, CHAIN = {"vertex": "h"}, c.CHAIN
FIRST = {"piece": 1, "matrix": "W"}
LAYERS: dict[str, Any] = {
    "pieces": [
        {"kind": "dense", "tails": ["x"], "heads": ["h"]},
        {"kind": "dense", "tails": ["h"], "heads": ["o"]},
    ],
    "at": [0, 1],
    "item": "chain",
}
TANH = c.network(CHAIN, {"h": "tanh"}, weights=[1, 1])


def needing(name: str, *arguments: Any, value: Any = None, **more: Any) -> c.Certificate:
    made = c.counterexample(*arguments, kind="necessity", **more)
    return {**made, "without": name} | ({} if value is None else {"value": value})


# kappa = 1. dw1/dt = -tanh'(1) = -0.4199743..., dw2/dt = -tanh(1) = -0.7615941..., so the defect
# 2 w1 dw1/dt - 2 w2 dw2/dt is 0.6832396...
SMOOTH = needing(
    HOMOGENEOUS,
    NORM,
    TANH,
    [c.example(1)],
    FIRST,
    0,
    value=["683/1000", "684/1000"],
    choice=LAYERS,
)
# w = (1, 2), kappa = -1: velocities (2, 1), with the decay 1/2 (3/2, 0), so the defect is 3
DECAY = needing(
    FLOW,
    NORM,
    c.network(CHAIN, weights=[1, 2]),
    [c.example(1, slope=-1)],
    FIRST,
    3,
    choice={**LAYERS, "weight_decay": "1/2"},
)
# w = (1, 1), kappa = l'(1) = -1/(1 + e) = -0.2689414...: the velocities are both 0.2689414..., and
# 2 w1 dw1/dt - 4 w2 dw2/dt = -0.5378828...
LOGISTIC: c.Certificate = {
    **c.counterexample("control.planted.lj22", c.network(CHAIN, weights=[1, 1]), [], H, 0),
    "value": ["-538/1000", "-537/1000"],
}
LOGISTIC["case"] |= {"loss": "logistic", "examples": [{"x": ["1"], "y": "1"}]}
VALID = {"tanh": SMOOTH, "decay": DECAY, "a loss by name": LOGISTIC}


@pytest.mark.parametrize("name", VALID)
def test_it_is_accepted(name: str) -> None:
    assert check(VALID[name]).code == checker.ACCEPT


@pytest.mark.parametrize("name", ["tanh", "decay"])
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


@pytest.mark.parametrize("name", ["tanh", "decay"])
def test_the_same_case_is_no_counterexample(name: str) -> None:
    plain = {key: value for key, value in VALID[name].items() if key != "without"}
    assert check({**plain, "kind": "counterexample"}).code == checker.REJECT


@pytest.mark.parametrize("name", ["tanh", "decay"])
@pytest.mark.parametrize("other", WITHOUT)
def test_it_shows_no_other_need(name: str, other: str) -> None:
    outcome = check({**VALID[name], "without": other})
    assert (outcome.code == checker.ACCEPT) is (other == VALID[name]["without"])


NEAR = {
    "an enclosure beside it": (["684/1000", "685/1000"], "the residual is between"),
    "an enclosure that ends before it": (["68/100", "683/1000"], "the residual is between"),
    "an enclosure of its opposite": (["-684/1000", "-683/1000"], "the residual is between"),
    "an enclosure that holds 0": (["-1", "1"], "the value may be"),
    "ends in disorder": (["684/1000", "683/1000"], "not in order"),
    "a number": ("683/1000", "the residual is between"),
}


@pytest.mark.parametrize("name", NEAR)
def test_near_misses_of_an_enclosure_are_rejected(name: str) -> None:
    value, reason = NEAR[name]
    outcome = check({**SMOOTH, "value": value})
    assert outcome.code == checker.REJECT
    assert reason in outcome.message


@pytest.mark.parametrize(("digits", "code"), [(9, checker.ACCEPT), (200, checker.DECLINE)])
def test_an_enclosure_that_is_too_narrow_to_be_met_is_declined(digits: int, code: int) -> None:
    flint = pytest.importorskip("flint", reason="the number comes from Arb, in python-flint")
    with flint.ctx.workprec(1000):
        t = flint.arb(1).tanh()
        whole = int((2 * (t - 1 + t * t) * 10**digits).floor().unique_fmpz())
    ends = [f"{whole + k}/{10**digits}" for k in (0, 1)]
    assert check({**SMOOTH, "value": ends}).code == code


WRONG = {
    "all hypotheses hold": (
        changed(SMOOTH, "case", "network", "vertices", 1, "activation", to="relu"),
        "nothing is violated",
    ),
    "another hypothesis fails as well": (
        changed(SMOOTH, "case", "examples", 0, "x", to=["2"]),
        "squared norm 4",
    ),
    "a weight is 0 as well": (
        changed(SMOOTH, "case", "network", "weights", "w[h->o]", to="0"),
        "is 0 and need not keep its sign",
    ),
    "the claim is true without it": (
        changed(DECAY, "case", "choice", "weight_decay", to="0"),
        "nothing is violated",
    ),
    "a claim without that hypothesis": (
        needing(
            FLOW,
            "lj22.eq8-11.8",
            c.network(CHAIN, weights=[1, 2]),
            [c.example(1, slope=-1)],
            {"edge": ["x", "h"]},
            3,
            choice={"weight_decay": "1/2"},
        ),
        "unknown key 'weight_decay'",
    ),
    "a claim that a case exists": (
        {**DECAY, "claim": "lj22.claim2.exists", "without": "not constant"},
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
    assert check({**SMOOTH, "without": "an unknown one"}).code == checker.DECLINE


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
    inside |= {"incident", "own", "layers"}  # handed to `learnable`
    assert {key for keys in WITHOUT.values() for key in keys} <= functions | inside
