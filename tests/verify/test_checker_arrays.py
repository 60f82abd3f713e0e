"""The checker on claims about arrays: it computes what the claims measure, and refuses the rest."""

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from graphs.algebraic import Enclosure
from tests.verify.arrays import arrays, entries_of
from tests.verify.corruptions import entries as no_entries
from verify.certificates import value_to_json
from verify.checker.restated import (
    ACCEPT,
    DECLINE,
    MATRIX_STATEMENTS,
    REJECT,
    Interval,
    check,
    interval,
    read_arrays,
)
from verify.claim import Kind
from verify.controls import CONTROLS
from verify.methods.context import repair
from verify.tensors import Tensors, tensor

CLAIMS = {name: CONTROLS[name][0] for name in CONTROLS if "inequality" in name}


def certificate(claim: str, case: Any, entry: dict[str, Any], value: Any) -> dict[str, Any]:
    witness = CLAIMS[claim].kind is Kind.EXISTENCE
    return {
        "format": "lemmata-certificate",
        "version": 1,
        "kind": "witness" if witness else "counterexample",
        "claim": claim,
        "case": case.to_json(),
        "entry": entry,
        "value": value if isinstance(value, str | list) else value_to_json(value),
    }


def moved(value: Fraction | Enclosure) -> Fraction | Enclosure:
    """Another value that violates as well."""
    if isinstance(value, Enclosure):
        return Enclosure(value.low - 1, value.high - 1)
    return value - 1 or Fraction(-2)


def residual(name: str, case: Any, entry: dict[str, Any]) -> Interval:
    """What the checker computes, to 60 bits."""
    statement = MATRIX_STATEMENTS[name]
    read = read_arrays(case.to_json(), statement, entry)
    return interval(statement.residual(replace(read, bits=60)))


@pytest.mark.parametrize("name", CLAIMS)
def test_it_measures_what_the_claim_measures(name):
    claim, random = CLAIMS[name], Random(name)
    assert name in MATRIX_STATEMENTS
    looked = 0
    for large in (False, True, False, False, False, False):
        if looked > 3:
            break
        case = claim.pool.draw(random, n=1, loss="", large=large)
        case = repair(claim, case, random)
        for entry, value in entries_of(claim, case)[:2]:
            looked += 1
            low = value.low if isinstance(value, Enclosure) else value
            bad = low < 0 if claim.kind is Kind.INEQUALITY else value != 0
            code, message = check(certificate(name, case, entry, value))
            assert code == (ACCEPT if bad else REJECT), message
            other = moved(value)
            code, message = check(certificate(name, case, entry, other))
            assert code == REJECT, message
            for what, wrong in no_entries(entry):
                assert check(certificate(name, case, wrong, value)).code == REJECT, what
            found = residual(name, case, entry)
            assert found.high - found.low < Fraction(1, 10**12)
            high = value.high if isinstance(value, Enclosure) else value
            assert found.low <= high
            assert low <= found.high
    assert looked


SHEAR = arrays(M=[[1, 1], [0, 1]])  # |M|^2 is (3 + root 5)/2 or about 2.618, |M|_F^2 is 3
WRONG = "control.inequality.false"


def test_an_irrational_value_needs_an_enclosure_that_holds_it():
    accepted = certificate(WRONG, SHEAR, {}, ["-2/5", "-3/8"])
    assert check(accepted).code == ACCEPT
    assert "between -0.381966" in check(accepted).message
    for value in (["-1/5", "-1/6"], ["-2/5", "1"], ["-3/8", "-2/5"], ["-1/2"], "-19/50", []):
        assert check({**accepted, "value": value}).code == REJECT
    # an enclosure too narrow to be told is not accepted: 320 bits are looked at
    narrow = entries_of(CLAIMS[WRONG], SHEAR)[0][1]
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
    accepted = certificate(WRONG, SHEAR, {}, ["-2/5", "-3/8"])
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
    assert check(certificate(WRONG, arrays(M=entries), {}, ["-2", "-1"])).code == DECLINE


def test_an_enclosure_beyond_floats_is_shown():
    one = 10**160
    case = Tensors({"M": tensor(("rows", "columns"), [[one, one], [1, one]])})
    value = [str(-(10**330)), "-1"]
    code, message = check(certificate("control.inequality.false", case, {}, value))
    assert code == ACCEPT
    assert "between -38196601125010" in message
