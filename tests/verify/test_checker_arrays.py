"""The checker on claims about arrays: it computes what the claims measure, and refuses the rest."""

from typing import Any

import pytest

from tests.verify.arrays import arrays, entries_of
from tests.verify.norms import FALSE as WRONG
from tests.verify.norms import below, measured
from verify.cases.tensors import Tensors, tensor
from verify.checker.restated import ACCEPT, DECLINE, REJECT, check

pytestmark = pytest.mark.usefixtures("norms")


def certificate(case: Any, value: str | list[str]) -> dict[str, Any]:
    return {
        "format": "lemmata-certificate",
        "version": 1,
        "kind": "counterexample",
        "claim": WRONG,
        "case": case.to_json(),
        "entry": {},
        "value": value,
    }


SHEAR = arrays(M=[[1, 1], [0, 1]])  # |M|^2 is (3 + root 5)/2 or about 2.618, |M|_F^2 is 3


def test_an_irrational_value_needs_an_enclosure_that_holds_it():
    accepted = certificate(SHEAR, ["-2/5", "-3/8"])
    assert check(accepted).code == ACCEPT
    assert "between -0.381966" in check(accepted).message
    for value in (["-1/5", "-1/6"], ["-2/5", "1"], ["-3/8", "-2/5"], ["-1/2"], "-19/50", []):
        assert check({**accepted, "value": value}).code == REJECT
    # an enclosure too narrow to be told is not accepted: 320 bits are looked at
    narrow = entries_of(measured(below), SHEAR)[0][1]
    middle = (narrow.low + narrow.high) / 2
    assert check({**accepted, "value": str(middle)}).code in (REJECT, DECLINE)


@pytest.mark.parametrize(
    ("change", "to"),
    [
        (("format",), "network"),
        (("arrays", "M", "axes"), ["columns", "rows"]),
        (("arrays", "M", "entries"), [["1", "1"], ["0"]]),
        (("arrays", "M", "entries"), [["1", "1"], ["0", "x"]]),
        (("arrays", "M", "entries"), []),
        (("arrays", "M", "integer"), True),
        (("arrays", "V"), {"axes": [], "entries": "1"}),
        (("choice",), {"a": 1}),
        (("more",), 1),
    ],
)
def test_what_is_no_instance_of_the_claim_is_rejected(change, to):
    accepted = certificate(SHEAR, ["-2/5", "-3/8"])
    part: Any = accepted["case"]
    for key in change[:-1]:
        part = part[key]
    part[change[-1]] = to
    assert check(accepted).code == REJECT


@pytest.mark.parametrize(
    "entries",
    [
        [["1"] * 65],
        [[7**2000, 1], [1, 2]],  # many steps, long numbers
        [[7**2000] * 9] * 9,
    ],
)
def test_what_would_take_long_is_declined(entries):
    assert check(certificate(arrays(M=entries), ["-2", "-1"])).code == DECLINE


def test_an_enclosure_beyond_floats_is_shown():
    one = 10**160
    case = Tensors({"M": tensor(("rows", "columns"), [[one, one], [1, one]])})
    value = [str(-(10**330)), "-1"]
    code, message = check(certificate(case, value))
    assert code == ACCEPT
    assert "between -38196601125010" in message
