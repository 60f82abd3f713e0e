"""The checker on claims about arrays: it computes what the claims measure, and refuses the rest."""

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from graphs.algebraic import Enclosure
from tests.verify.arrays import arrays, entries_of, integers
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
from verify.papers.lj22 import bounds_in_words, counting
from verify.registry import find
from verify.tensors import Tensors, tensor

MODULES = (counting, bounds_in_words)
CLAIMS = {claim.id: claim for module in MODULES for claim in module.CLAIMS}
CLAIMS |= {name: CONTROLS[name][0] for name in CONTROLS if "inequality" in name}


def certificate(claim: str, case: Any, entry: dict[str, Any], value: Any) -> dict[str, Any]:
    witness = (CLAIMS.get(claim) or find(claim)).kind is Kind.EXISTENCE
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


SHEAR = arrays(U=[[1, 1], [0, 1]], Y=[[0], [0]], Z=[[0], [0]])
# |B| = 0 and |A|^2 = (3 + root 5)/2, an eighth of which is 0.327
WRONG = "lj22.lemma11-82.b"  # lambda^2/8 - lambda/8 = (2 lambda^2 - 2 lambda)/16, here 0.530


def test_an_irrational_value_needs_an_enclosure_that_holds_it():
    accepted = certificate(WRONG, SHEAR, {}, ["1/2", "3/5"])
    assert check(accepted).code == ACCEPT
    assert "between 0.529508" in check(accepted).message
    for value in (["3/5", "1"], ["-1", "3/5"], ["3/5", "1/2"], ["1/2"], "53/100", []):
        assert check({**accepted, "value": value}).code == REJECT
    # an enclosure too narrow to be told is not accepted: 320 bits are looked at
    narrow = entries_of(find(WRONG), SHEAR)[0][1]
    middle = (narrow.low + narrow.high) / 2
    assert check({**accepted, "value": str(middle)}).code in (REJECT, DECLINE)


@pytest.mark.parametrize(
    ("change", "to"),
    [
        (("format",), "network"),
        (("arrays", "U", "axes"), ["b", "c"]),
        (("arrays", "U", "entries"), [["1", "1"]]),
        (("arrays", "U", "entries"), [["1", "1"], ["0"]]),
        (("arrays", "U", "entries"), [["1", "1"], ["0", "x"]]),
        (("arrays", "U", "entries"), []),
        (("arrays", "U", "integer"), True),
        (("arrays", "V"), {"axes": [], "entries": "1"}),
        (("choice",), {"a": 1}),
        (("more",), 1),
    ],
)
def test_what_is_no_instance_of_the_claim_is_rejected(change, to):
    accepted = certificate(WRONG, SHEAR, {}, ["1/2", "3/5"])
    part: Any = accepted["case"]
    for key in change[:-1]:
        part = part[key]
    part[change[-1]] = to
    assert check(accepted).code == REJECT


@pytest.mark.parametrize(
    ("claim", "case", "value"),
    [
        # symmetric, non-zero, balanced, wide enough: hypotheses that each case breaks
        ("lj22.weyl.a", arrays(C=[[0, 1], [0, 0]], D=[[0, 0], [0, 0]]), "-1"),
        ("lj22.thm2-rank", arrays(W=[[0]]), "-1"),
        ("lj22.sig1.ii@B", arrays(W1=[[1], [0]], W2=[[2, 0], [0, 0]]), "-3"),
        ("lj22.lemma11-74", arrays(U=[["1/2"]], Y=[[0]], Z=[[1]]), "-3/16"),
        ("lj22.lemma10-70", integers(a=0, b=1, c=1), "1"),
    ],
)
def test_a_case_that_breaks_a_hypothesis_is_rejected(claim, case, value):
    entry = {"part": "values", "symmetric": 1} if "sig1" in claim else {}
    entry = {"part": "dimension"} if "70" in claim else entry
    code, message = check(certificate(claim, case, entry, value))
    assert code == REJECT
    assert "the residual" not in message


def test_too_large_is_declined():
    case = arrays(W=[["1"] * 65])
    assert check(certificate("lj22.thm2-rank", case, {}, "-1")).code == DECLINE


def identity(size):
    return [[int(i == j) for j in range(size)] for i in range(size)]


@pytest.mark.parametrize(
    ("claim", "case", "entry"),
    [
        ("lj22.lemma10", arrays(T=[[[1] * 33] * 33] * 8), {}),  # a product with many terms
        (
            "lj22.sig1.ii@B",  # there are many minors
            arrays(W1=identity(24), W2=identity(24)),
            {"part": "values", "symmetric": 12},
        ),
        ("lj22.thm2-rank", arrays(W=[[7**2000, 1], [1, 2]]), {}),  # many steps, long numbers
        ("lj22.thm2-rank", arrays(W=[[7**2000] * 9] * 9), {}),
        ("lj22.weyl.a", arrays(C=identity(40), D=identity(40)), {}),
    ],
)
def test_what_would_take_long_is_declined(claim, case, entry):
    assert check(certificate(claim, case, entry, ["-2", "-1"])).code == DECLINE


def test_an_enclosure_beyond_floats_is_shown():
    one = 10**160
    case = Tensors({"M": tensor(("rows", "columns"), [[one, one], [1, one]])})
    value = [str(-(10**330)), "-1"]
    code, message = check(certificate("control.inequality.false", case, {}, value))
    assert code == ACCEPT
    assert "between -38196601125010" in message
