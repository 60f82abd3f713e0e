"""Certificates about networks made of arrays: accepted ones by hand, near misses, corruptions."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest

from tests.verify.checker.networks import case, certificate, record
from tests.verify.corruptions import DELETED, NO_NUMBERS, changed
from tests.verify.effort import counted
from tests.verify.invalid.edits import corruptions
from tests.verify.invalid.second_opinion import genuine
from verify.checker import restated as checker
from verify.checker.restated import ACCEPT, DECLINE, REJECT, check
from verify.rocq.export import NotExported, export

SCHEMA = json.loads(Path(checker.__file__).with_name("certificate.schema.json").read_text())
AT = {"point": 0}
PLANTED = "control.planted.j23"
SLOPE, SMOOTH = "slope inside (-1, 1)", "smooth at the points"

VALID = {
    # |theta|^2 = |Jf|^2 = 1: 1 for 2 * 1
    "one layer": certificate(PLANTED, case([[["1"]]], [[5]]), AT, -1),
    # |theta|^2 = 5 and |Jf| = 2 at a point in the first quadrant: 5^2 for 3^2 * 4
    "two layers": certificate(PLANTED, case([[[1]], [[2]]], [[3]], slope="1/2"), AT, -11),
    # (13/4)^3 for 4^3 at the second point; dead at the first
    "second point": certificate(
        PLANTED,
        case([[[1]], [[1]], [[1]]], [[-2], [7]], [[0], ["1/2"], [0]]),
        {"point": 1},
        "-1899/64",
    ),
    # |theta|^2 = 2 and |Jf| = 2 for a = 2 at -1: 2^2 - 3^2 2^2
    "slope 2": certificate(PLANTED, case([[[-1]], [[1]]], [[1]], slope=2), AT, -32, SLOPE),
    # |theta|^2 = 3, slopes 3 and 1, so |Jf| = 3: 3^3 - 4^3 3^2
    "slope 3": certificate(PLANTED, case([[[-1]], [[-1]], [[1]]], [[1]], slope=3), AT, -549, SLOPE),
    # the slope at 0 is 1: 2^2 for 3^2 * 1
    "kink": certificate(PLANTED, case([[[1]], [[1]]], [[0]]), AT, -5, SMOOTH),
}
ONE = VALID["two layers"]


@pytest.mark.parametrize("name", VALID)
def test_it_is_accepted(name):
    code, message = check(VALID[name])
    assert code == ACCEPT, message


def test_diagonal_matrices_of_two_neurons():
    # |theta|^2 = 2 + 2 and |Jf|_F^2 = 2: 4^2 for 3^2 * 2
    eye = [[1, 0], [0, 1]]
    assert check(certificate(PLANTED, case([eye, eye], [[1, 1]]), AT, -2)).code == ACCEPT
    # |theta|^2 = 2 + 13, |Jf|^2 = 2^2 + 3^2
    made = case([eye, [[2, 0], [0, 3]]], [[1, 1]])
    assert check(certificate(PLANTED, made, AT, 15**2 - 3**2 * 13)).code == REJECT


# near misses -------------------------------------------------------------------------------------
@pytest.mark.parametrize("value", ["-3000000001/1000000000", "-2", "3", "0", 0, ["-4", "-7/2"]])
def test_another_value_is_rejected(value):
    assert check({**ONE, "value": value}).code == REJECT


@pytest.mark.parametrize(
    ("name", "path", "to", "reason"),
    [
        ("two layers", ("case", "arrays", "a", "entries"), "1", "inside (-1, 1)"),
        ("two layers", ("case", "arrays", "a", "entries"), "-1", "inside (-1, 1)"),
        ("two layers", ("case", "arrays", "a", "entries"), "1/0", "denominator 0"),
        ("two layers", ("case", "arrays", "X", "entries"), [["0"]], "is 0 at the point 0"),
        ("two layers", ("case", "arrays", "b1", "entries"), ["-3"], "is 0 at the point 0"),
        ("second point", ("entry", "point"), 0, "the residual is"),
        ("second point", ("entry", "point"), 2, "which is not there"),
        ("second point", ("case", "arrays", "X", "entries"), [["0"], ["7"]], "at the point 0"),
        ("slope 2", ("case", "arrays", "a", "entries"), "3", "the residual is"),
        ("slope 2", ("without",), SMOOTH, "inside (-1, 1)"),
        ("kink", ("without",), SLOPE, "is 0 at the point 0"),
        ("kink", ("case", "arrays", "X", "entries"), [["1/1000"]], "as well"),
        ("kink", ("without",), "bias-free", ""),
    ],
)
def test_near_misses(name, path, to, reason):
    code, message = check(changed(VALID[name], *path, to=to))
    assert code != ACCEPT
    assert reason in message


def test_a_case_at_a_slope_of_1_shows_no_need_where_nothing_is_violated():
    made = case([[[-1], [-1]], [[1, -1]]], [[1]], slope=1)  # |theta|^2 = 4, Jf = 0
    assert check(certificate(PLANTED, made, AT, 16, SLOPE)).code == REJECT
    assert check({**VALID["slope 2"], "kind": "counterexample"}).code == REJECT


@pytest.mark.parametrize("claim", ["control.planted.dkbhl20", "control.planted.zlb22"])
def test_it_refutes_no_other_claim(claim):
    for name, valid in VALID.items():
        if claim != valid["claim"]:
            assert check({**valid, "claim": claim}).code != ACCEPT, name


# the form of a case ------------------------------------------------------------------------------
NAMES = ("W1", "W2", "b1", "b2", "a", "X")
RENAMED = [
    ("W2", "W3"),
    ("W1", "W0"),
    ("W1", "w1"),
    ("W1", "W01"),
    ("W1", "W\u0661"),
    ("b2", "b3"),
    ("b1", "b0"),
    ("X", "x"),
    ("a", "slope"),
]


def corrupted():
    arrays = ONE["case"]["arrays"]
    for name in NAMES:
        where = ("case", "arrays", name)
        yield f"no {name}", changed(ONE, *where, to=DELETED)
        yield f"{name} is an integer", changed(ONE, *where, "integer", to=True)
        for key in ("axes", "entries"):
            yield f"no {key} of {name}", changed(ONE, *where, key, to=DELETED)
        for axes in ([], ["n1"], ["n0", "n1"], ["n2", "n2"], ["N"], ["n1", "n0", "N"], "n1", None):
            if axes != arrays[name]["axes"]:
                yield f"axes of {name} {axes}", changed(ONE, *where, "axes", to=axes)
        entries = arrays[name]["entries"]
        for wrong in ([], [[]], [entries], [entries, entries], {}, "x", None, [entries, "1"]):
            yield f"{name} is {wrong}", changed(ONE, *where, "entries", to=wrong)
        for junk in NO_NUMBERS:
            full = [[junk]] if len(arrays[name]["axes"]) == 2 else [junk]
            to = full if arrays[name]["axes"] else junk
            yield f"a number of {name} is {junk!r}", changed(ONE, *where, "entries", to=to)
    for old, new in RENAMED:
        renamed = {new if name == old else name: item for name, item in arrays.items()}
        yield f"{old} is called {new}", changed(ONE, "case", "arrays", to=renamed)
    layer = {"W3": record(["n3", "n2"], [[1]]), "b3": record(["n3"], [0])}
    for name, item in layer.items():
        yield f"{name} alone", changed(ONE, "case", "arrays", to={**arrays, name: item})
    yield "an array too many", changed(ONE, "case", "arrays", "c", to=record([], 1))
    yield "no arrays", changed(ONE, "case", "arrays", to={})
    yield "a list of arrays", changed(ONE, "case", "arrays", to=[])
    yield "points alone", changed(ONE, "case", "arrays", to={"X": arrays["X"]})
    yield "a choice", changed(ONE, "case", "choice", to={"x": 1})
    yield "no choice at all", changed(ONE, "case", "choice", to=None)
    yield "another format", changed(ONE, "case", "format", to="lemmata-network")
    yield "a matrix of three axes", changed(ONE, "case", "arrays", "W1", "entries", to=[[["1"]]])
    yield (
        "rows of unequal length",
        changed(ONE, "case", "arrays", "W1", "entries", to=[["1"], ["1", "2"]]),
    )
    for entry in ({}, {"point": "0"}, {"point": 0, "layer": 1}, {"point": 1}, {"point": -1}, [], 0):
        yield f"entry {entry}", changed(ONE, "entry", to=entry)


CORRUPTED = dict(corrupted())


@pytest.mark.parametrize("what", CORRUPTED)
def test_what_is_no_such_case_is_rejected(what):
    assert check(CORRUPTED[what]).code == REJECT


def test_a_layer_more_is_another_network():
    arrays = ONE["case"]["arrays"]
    layer = {"W3": record(["n3", "n2"], [[1]]), "b3": record(["n3"], [0])}
    code, message = check(changed(ONE, "case", "arrays", to={**arrays, **layer}))
    assert code == REJECT
    assert "the residual is" in message


@pytest.mark.parametrize("name", VALID)
def test_changed_anywhere_it_is_rejected_or_another_genuine_one(name):
    valid, accepted = VALID[name], 0
    for what, broken in corruptions(valid, Random(name), 150):
        code, message = check(broken)
        assert code in (ACCEPT, REJECT, DECLINE)
        if code == ACCEPT:
            accepted += 1
            assert valid["kind"] == "necessity" or genuine(broken), (what, message)
    assert accepted < 30


@pytest.mark.parametrize("name", VALID)
def test_the_schema_takes_it(name):
    valid = dict(VALID[name])
    if valid.pop("without", None):
        valid["kind"] = "counterexample"  # certificates of necessity have no schema
    jsonschema.validate(valid, SCHEMA)


# large and hostile -------------------------------------------------------------------------------
def wide(size, number, depth=1, points=1):
    rows = [[number(i, j) for j in range(size)] for i in range(size)]
    return case([rows] * depth, [[number(i, 1) for i in range(size)]] * points)


HOSTILE = {
    "a long number": case([[["9" * 2001]]], [[1]]),
    "65 neurons": wide(65, lambda i, j: 1),
    "64 neurons": wide(64, lambda i, j: i + j),
    "24 neurons": wide(24, lambda i, j: f"{i + 2}/{j + 3 + i * i}", depth=3),
    "12 neurons": wide(12, lambda i, j: f"{3 ** (i + j)}/{7 ** (i + 2 * j)}", depth=4, points=9),
    "9 neurons with long numbers": wide(9, lambda i, j: f"{7 ** (200 + i)}/{11 ** (180 + j)}"),
    "3 neurons with longer numbers": wide(3, lambda i, j: f"{7 ** (900 + i)}/{11 ** (880 + j)}"),
    "5 neurons with long numbers": wide(5, lambda i, j: f"{2**997 + i}/{3**600 + 7**j + i}", 2),
    "513 layers": case([[[1]]] * 513, [[1]]),
    "500 layers": case([[["3/7"]]] * 500, [[1]]),
    "60 layers of 4": wide(4, lambda i, j: f"{i - j + 5}/{j + 9}", depth=60, points=2),
    "huge and tiny": case([[[10**1900]], [[f"1/{10**1900}"]], [["1/3"]]], [[1]]),
    "a vast norm": case([[[10**1900]], [[10**1900]], [["1/3"]]], [[1]]),
    "a tiny norm": case([[[f"1/{10**1900}"]], [[f"1/{10**1900}"]], [["1/3"]]], [[1]]),
    "nearly equal singular values": case(
        [[[1, 0], [0, f"{10**600 + 1}/{10**600}"]], [[1, 1], [1, -1]], [[1, 0], [0, 1]]], [[1, 1]]
    ),
    "64 points": wide(5, lambda i, j: f"{i + 2}/{j + 3}", depth=3, points=64),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_it_answers_soon(name):
    for without in ("", SLOPE):
        made = certificate(PLANTED, HOSTILE[name], AT, ["-91", "-90"], without)
        answer, calls = counted(lambda made=made: check(made))
        assert answer.code in (REJECT, DECLINE)
        assert calls < 5 * 10**6, "about a second"


def test_declined_is_what_is_too_large():
    for name in ("a long number", "65 neurons", "513 layers"):
        assert check(certificate(PLANTED, HOSTILE[name], AT, ["-2", "-1"])).code == DECLINE
    many = [["1"]] * 65
    assert check(certificate(PLANTED, case([[[1]]], many), AT, ["-2", "-1"])).code == DECLINE


# what is drawn from it elsewhere -----------------------------------------------------------------
@pytest.mark.parametrize("name", VALID)
def test_there_is_no_rocq_form(name):
    with pytest.raises(NotExported, match=re.escape("networks made of arrays have no Rocq form")):
        export(VALID[name])


def test_balances_and_polynomials_are_not_about_them():
    for kind, more in (
        ("balance", {"network": {}, "identities": []}),
        ("polynomial", {"network": {}, "examples": 1, "entry": {}}),
    ):
        made: dict[str, Any] = {"format": "lemmata-certificate", "version": 1}
        assert check({**made, "kind": kind, "claim": PLANTED, **more}).code != ACCEPT
