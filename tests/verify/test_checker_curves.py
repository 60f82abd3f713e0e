"""The checker on curves: it judges as the engine does, and accepts nothing else."""

import copy
import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.repository import ROOT
from tests.verify.drawn_curves import curve_case, printed_case, rational_case
from verify.certificates import certificate_of
from verify.checker.restated import ACCEPT, DECLINE, REJECT, check
from verify.claim import Kind
from verify.judging import Violation, judge_exactly
from verify.registry import find
from verify.tensors import Tensors, tensor

ON_CURVES = [
    f"lj22.{name}"
    for name in (
        "rem-sign",
        "claim1@A",
        "claim1.last",
        "claim1.last.fix",
        "claim2.exists",
    )
]
SWINGING = curve_case([[0, 1], [1]], [[0, 1], [-1]], decay=1)
PRINTED = Tensors({"v": tensor(("entry",), [1])})


def certificate(name, case, entry, value=1):
    """A certificate that says the entry of the claim has this value."""
    return certificate_of(find(name), Violation(case, entry, value))


STAY, BALL, TURNS, AGAIN = (
    {"predicate": name}
    for name in (
        "signs stay",
        "w in B",
        "direction converges",
        "preimages infinite",
    )
)
VALID = {
    "rem-sign": certificate("lj22.rem-sign", SWINGING, {"entry": 1}),
    "claim1.last grows": certificate("lj22.claim1.last", rational_case([[0, 1]]), BALL),
    "claim1.last vanishes": certificate("lj22.claim1.last", rational_case([[1]], decay=1), BALL),
    "claim1.last large": certificate("lj22.claim1.last", rational_case([[2]]), BALL),
    "claim2.a@A": certificate("lj22.claim2.a@A", PRINTED, TURNS),
    "claim2.exists": certificate("lj22.claim2.exists", curve_case([[1]], [[1, 1]]), AGAIN),
}


@pytest.mark.parametrize("name", VALID)
def test_valid_certificates_are_accepted(name):
    code, message = check(VALID[name])
    assert code == ACCEPT, message


@pytest.mark.parametrize("name", VALID)
def test_valid_certificates_meet_the_schema(name):
    file = ROOT / "verify/checker/certificate.schema.json"
    Draft202012Validator(json.loads(file.read_text("utf-8"))).validate(VALID[name])


@pytest.mark.parametrize("name", VALID)
def test_another_value_or_a_claim_that_is_true_is_rejected(name):
    assert check({**VALID[name], "value": "2"}).code == REJECT
    assert check({**VALID[name], "value": "0"}).code == REJECT


WRONG = {
    "no direction": certificate("lj22.claim1@A", curve_case([[1]], [[-1]]), STAY),
    "0 at late times": certificate("lj22.claim1@A", printed_case(1, -1), STAY),
    "a zero in the limit": certificate("lj22.claim1@A", SWINGING, STAY),
    "the signs stay": certificate("lj22.claim1@A", rational_case([[-9, 1]]), STAY),
    "does not tend to 0": certificate(
        "lj22.rem-sign", curve_case([[0, 1], [1]], [[0, 1], [-1]]), {"entry": 1}
    ),
    "no such entry": certificate("lj22.rem-sign", SWINGING, {"entry": 2}),
    "does not swing": certificate("lj22.rem-sign", SWINGING, {"entry": 0}),
    "unknown predicate": certificate("lj22.claim2.a@A", PRINTED, STAY),
    "reading B": certificate("lj22.claim2.a@B", PRINTED, TURNS),
    "it does recur": certificate("lj22.claim2.a@A", PRINTED, AGAIN),
    "v is 0": certificate("lj22.claim2.a@A", Tensors({"v": tensor(("entry",), [0])}), TURNS),
    "constant": certificate("lj22.claim2.exists", rational_case([[1]]), AGAIN),
    "never again": certificate("lj22.claim2.exists", rational_case([[1, 1]]), AGAIN),
    "below its floor": certificate("lj22.claim2.exists", curve_case([[1]], [[0, 1]]), AGAIN),
}


def test_a_negative_decay_is_no_curve():
    # with k = -1 the entry (1 - 2 s)(1 + t) grows; its last coefficient is 0 all the same
    swinging = copy.deepcopy(
        certificate("lj22.rem-sign", curve_case([[0, 1], [1]], [[0, 1], [-1]]), {"entry": 1})
    )
    arrays = swinging["case"]["arrays"]
    arrays["decay"]["entries"] = "-1"
    code, message = check(swinging)
    assert code == REJECT
    assert "negative" in message


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_so_is_rejected(name):
    code, message = check(WRONG[name])
    assert code == REJECT, message


def test_what_it_does_not_judge_is_declined():
    near = certificate("lj22.claim1.last", rational_case([["6/5"]]), BALL)
    assert check(near).code == DECLINE
    plane = certificate("lj22.claim2.exists", rational_case([[0, 1], [1]]), AGAIN)
    assert check(plane).code == DECLINE
    decaying = certificate("lj22.claim2.exists", curve_case([[1]], [[1, 1]], decay=1), AGAIN)
    assert check(decaying).code == DECLINE


@pytest.mark.parametrize("name", ON_CURVES)
@settings(max_examples=40)
@given(seed=st.integers(0, 10**6))
def test_engine_and_checker_agree(name, seed):
    claim = find(name)
    case = claim.pool.draw(Random(seed))
    if seed % 2:
        for hypothesis in claim.hypotheses:
            case = hypothesis.repair(case, Random(seed))
    judgement = judge_exactly(claim, case)
    entries = [violation.entry for violation in judgement.violations]
    for entry in entries:
        code, message = check(certificate(name, case, entry))
        assert code == ACCEPT or (code == DECLINE and claim.kind is Kind.EXISTENCE), message
    for entry in (STAY, BALL, AGAIN, {"entry": 0}, {"predicate": "w/|w| in B"}):
        if entry not in entries:
            assert check(certificate(name, case, entry)).code != ACCEPT


def test_a_curve_with_another_shape_is_rejected():
    ragged = copy.deepcopy(VALID["rem-sign"])
    ragged["case"]["arrays"]["crest"]["entries"] = [["1"], ["1"]]
    assert check(ragged).code == REJECT
    lacking = copy.deepcopy(VALID["rem-sign"])
    del lacking["case"]["arrays"]["decay"]
    assert check(lacking).code == REJECT
