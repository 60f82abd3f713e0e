"""Certificates of every kind: accepted ones by hand, near misses, and random changes to them."""

import copy
import json
import subprocess
import sys
import zipfile
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import verify.checker
from tests.verify.checker_statements.statements import array, certificate, f, mat, network, v
from verify.checker import (
    ACCEPTED,
    DECLINED,
    REJECTED,
    check,
    check_content,
    statement_hash,
)
from verify.checker.__main__ import main

MATRIX = {"A": array("mat", [["7/2"], ["0"]], "m", "n"), "k": array("int", 1)}
PAGE = certificate(
    ["each", ["range", 1, ["rows", f("A")]], ["le", ["entry", f("A"), v(0), 1], f("k")]],
    [1],
    ["7/2", "1"],
    hypotheses={"A is not 0": ["gt", ["frob2", f("A")], 0]},
    **MATRIX,
)
PAGE["statement"]["domain"]["arrays"]["k"] |= {"least": 1, "largest": 5}
ARRAYS = {"A": array("mat", [[1, 2], [3, 4]], "n", "n"), "c": array("num", -1)}
TRUE, NO_TRUTH = ["eq", 0, 0], ["eq", ["div", 1, 0], 0]
NET = network(["x>h", "h>o"], [2, 3], {"h": "relu"}, [([1], 1, "-1/2"), ([-1], -1, 2)])
NETWORK = {"domain": {"network": True}, "case": NET}
T = f("T")  # its first and its second unfolding have the ranks 2 and 3
TENSOR = {
    "T": array("tensor", [[[1, 0], [0, 1], [0, 0]], [[0, 0], [0, 0], [2, 0]]], "a", "b", "c"),
    "U": array("tensor", [[[5, 0], [0, 0], [0, 0]], [[0, 0], [0, 0], [3, 7]]], "a", "b", "c"),
}
RATE = ["rate", ["sum", ["into", v(0)], ["pow", ["weight", v(1)], 2]]]
SQUARES = ["sum", ["edges"], ["pow", ["weight", v(0)], 2]]

VALID = {
    "the page's": PAGE,
    "both parts": certificate(
        ["and", TRUE, ["each", ["range", 1, 2], ["implies", ["gt", v(0), 1], ["eq", v(0), "5/2"]]]],
        [1, 2],
        ["2", "5/2"],
    ),
    "another leaf": certificate(["not", TRUE], [], None),
    "numbers that are no sides": certificate(["eq", f("A"), ["eye", 2]], [], None, **ARRAYS),
    "an existence that fails": certificate(["some", ["range", 1, 3], ["gt", v(0), 3]], [], None),
    "irrational": certificate(
        ["le", ["norm", f("A")], 5], [], [["546/100", "547/100"], "5"], **ARRAYS
    ),
    "elements": certificate(
        [
            "each",
            ["list", ["tuple", ["list", "1/2"], True, mat([1, 2])]],
            ["lt", ["at", ["item", v(0), 1], 1], "1/2"],
        ],
        [[["1/2"], True, [["1", "2"]]]],
        ["1/2", "1/2"],
    ),
    "vertex, edge, path, example": certificate(
        [
            "each",
            ["hidden"],
            [
                "each",
                ["into", v(0)],
                ["each", ["paths"], ["each", ["examples"], ["lt", ["post", v(0), v(3)], 2]]],
            ],
        ],
        ["h", 0, [0, 1], 1],
        ["2", "2"],
        **NETWORK,
    ),
    # h > o: slope -1/2 and gradient 2, so the velocity 1/2, and x > h: 3/4; squares move by 3
    "a rate": certificate(
        ["each", ["hidden"], ["eq", RATE, 0]],
        ["h"],
        ["3", "0"],
        **NETWORK,
    ),
    "a flow of arrays": certificate(
        ["eq", ["rate", ["frob2", f("A")]], 0],
        [],
        ["58", "0"],
        flow={"A": ["transpose", f("A")]},
        **ARRAYS,
    ),
    # row by row: 1 0 0 0, 0 1 0 0, 0 0 2 0
    "an unfolding": certificate(
        [
            "each",
            ["range", 1, ["rows", ["unfold", T, 2]]],
            ["le", ["entry", ["unfold", T, 2], v(0), 3], 1],
        ],
        [3],
        ["2", "1"],
        **TENSOR,
    ),
    "the ranks of two unfoldings": certificate(
        ["eq", ["rank", ["unfold", T, 1]], ["rank", ["unfold", T, 2]]],
        [],
        ["2", "3"],
        hypotheses={"T is not 0": ["gt", ["frob2", ["unfold", T, 3]], 0]},
        **TENSOR,
    ),
    # twice the sum of the products: 2 (1 x 5 + 2 x 3)
    "a flow of tensors": certificate(
        ["eq", ["rate", ["frob2", ["unfold", T, 3]]], 0],
        [],
        ["22", "0"],
        flow={"T": f("U")},
        **TENSOR,
    ),
    "a witness": certificate(
        ["some", ["range", 1, 2], ["eq", ["entry", f("A"), v(0), 1], 3]],
        [],
        None,
        kind="witness",
        hypotheses={"regular": ["ne", ["det", f("A")], 0]},
        **ARRAYS,
    ),
    "a witness with sides": certificate(
        ["eq", ["det", f("A")], -2], [], ["-2", "-2"], kind="witness", **ARRAYS
    ),
    "necessity": certificate(
        ["ge", f("c"), 0],
        [],
        ["-1", "0"],
        kind="necessity",
        without="positive",
        hypotheses={"positive": ["gt", f("c"), 0], "regular": ["ne", ["det", f("A")], 0]},
        **ARRAYS,
    ),
    "necessity of what has no value": certificate(
        ["ge", f("c"), 0],
        [],
        ["-1", "0"],
        kind="necessity",
        without="positive",
        hypotheses={"positive": ["gt", ["sqrt", f("c")], 0]},
        **ARRAYS,
    ),
    "another place has no value": certificate(
        ["each", ["range", 0, 2], ["le", ["div", 2, v(0)], 1]], [1], ["2", "1"]
    ),
}


def places(value, way=()):
    """The ways to all that is in a record."""
    inner = value.items() if isinstance(value, dict) else ()
    for key, part in enumerate(value) if isinstance(value, list) else inner:
        yield (*way, key)
        yield from places(part, (*way, key))


@pytest.mark.parametrize("wrapped", [lambda v: [v], lambda v: ["neg", v], lambda v: {"a": v}])
@pytest.mark.parametrize("name", ["the page's", "elements"])
def test_what_is_nested_deeply_is_no_error(name, wrapped):
    deep = 1
    for _ in range(5_000):
        deep = wrapped(deep)
    for way in places(VALID[name]):
        record = part = copy.deepcopy(VALID[name])
        for key in way[:-1]:
            part = part[key]
        part[way[-1]] = deep
        assert check(record).code in (REJECTED, DECLINED), way


@pytest.mark.parametrize("name", VALID)
def test_it_is_accepted(name):
    code, message = check(VALID[name])
    assert code == ACCEPTED, message
    assert check_content(json.dumps(VALID[name]).encode()) == (code, message)


def test_the_message():
    digest = statement_hash(PAGE["statement"])
    assert check(PAGE).message == (
        f"accepted: counterexample to your statement mine.lemma1 (hash {digest[:12]}): "
        "left 7/2, right 1"
    )
    assert "necessity of 'positive' in your statement" in check(VALID["necessity"]).message
    assert "witness of your statement mine.lemma1 (hash" in check(VALID["a witness"]).message


def test_a_registered_statement_is_told_from_another_one_of_its_name():
    digest = statement_hash(PAGE["statement"])
    registered = "counterexample to the registered statement mine.lemma1 (hash"
    assert registered in check(PAGE, {"mine.lemma1": digest}).message
    for lock in ({"mine.lemma1": digest[::-1]}, {"mine.lemma2": digest}, {}):
        assert "to your statement mine.lemma1" in check(PAGE, lock).message


def test_the_hash_is_of_what_is_said_and_of_no_name():
    statement = PAGE["statement"]
    renamed = copy.deepcopy(statement) | {"id": "other"}
    renamed["hypotheses"][0]["name"] = "other"
    assert statement_hash(renamed) == statement_hash(statement)
    without_flow = {key: part for key, part in statement.items() if key != "flow"}
    assert statement_hash(without_flow) == statement_hash(statement)
    for key, other in (("says", True), ("flow", {"A": f("A")}), ("hypotheses", []), ("domain", {})):
        assert statement_hash(statement | {key: other}) != statement_hash(statement)


def changed(name, *path, to):
    result = copy.deepcopy(VALID[name])
    place = result
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return result


def without(name, *path):
    result = copy.deepcopy(VALID[name])
    place = result
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    return result


P, STATEMENT = "the page's", ("the page's", "statement")
SINGULAR = {"axes": ["n", "n"], "entries": [["0", "0"], ["3", "1"]]}
REJECTIONS = {
    "another left": changed(P, "value", "left", to="7/3"),
    "an enclosure beside it": changed(P, "value", "left", to=["15/4", "4"]),
    "another right": changed(P, "value", "right", to="2"),
    "null": changed(P, "value", to=None),
    "no right": without(P, "value", "right"),
    "a third side": changed(P, "value", "more", to="1"),
    "a float": changed(P, "value", "left", to=3.5),
    "a text": changed(P, "value", "left", to="3.5"),
    "a value that is not null": changed("another leaf", "value", to={"left": "1", "right": "1"}),
    "a place where it is true": changed(P, "at", to=[2]),
    "no place": changed(P, "at", to=[]),
    "beyond the leaf": changed(P, "at", to=[1, 1]),
    "outside the list": changed(P, "at", to=[3]),
    "another sort": changed(P, "at", to=["1"]),
    "true for 1": changed(P, "at", to=[True]),
    "at is no list": changed(P, "at", to=1),
    "the other part": changed("both parts", "at", to=[0, 2]),
    "no such part": changed("both parts", "at", to=[2, 2]),
    "a condition that is false": changed("both parts", "at", to=[1, 1]),
    "an edge that is not there": changed("vertex, edge, path, example", "at", 1, to=1),
    "a vertex that is not hidden": changed("vertex, edge, path, example", "at", 0, to="x"),
    "another path": changed("vertex, edge, path, example", "at", 2, to=[1, 0]),
    "an element with another entry": changed("elements", "at", 0, 2, to=[["1", "3"]]),
    "an element of another shape": changed("elements", "at", 0, 2, to=[["1"]]),
    "a rational for an irrational": changed("irrational", "value", "left", to="546/100"),
    "an enclosure that does not hold it": changed(
        "irrational", "value", "left", to=["54/10", "546/100"]
    ),
    "an enclosure upside down": changed("irrational", "value", "left", to=["6", "5"]),
    "three ends": changed("irrational", "value", "left", to=["5", "6", "7"]),
    "a hypothesis that is not met": changed(
        P, "statement", "hypotheses", 0, "holds", to=["lt", ["frob2", f("A")], 0]
    ),
    "a hypothesis without a value": changed(P, "statement", "hypotheses", 0, "holds", to=NO_TRUTH),
    "a hypothesis that is a number": changed(P, "statement", "hypotheses", 0, "holds", to=1),
    "a conclusion without a value": changed("another leaf", "statement", "says", to=NO_TRUTH),
    "a conclusion that is true": changed("another leaf", "statement", "says", to=["not", False]),
    "a conclusion that is a number": changed("another leaf", "statement", "says", to=1),
    "a list without a value": changed(
        "another leaf", "statement", "says", to=["each", ["list", ["div", 1, 0]], False]
    ),
    "two hypotheses of a name": changed(
        "necessity", "statement", "hypotheses", 1, "name", to="positive"
    ),
    "a necessity of nothing": changed("necessity", "without", to="other"),
    "a necessity of what is met": changed("necessity", "without", to="regular"),
    "another hypothesis is not met": changed(
        "necessity", "case", "arrays", "A", to=SINGULAR | {"entries": [["0", "0"], ["0", "0"]]}
    ),
    "a witness that is false": changed("a witness", "statement", "says", 2, 2, to=5),
    "a witness with a place": changed("a witness", "at", to=[2]),
    "a witness of another case": changed("a witness", "case", "arrays", "A", to=SINGULAR),
    "without in a counterexample": changed(P, "without", to="A is not 0"),
    "a necessity without without": without("necessity", "without"),
    "no id": without(P, "statement", "id"),
    "an id that is no text": changed(P, "statement", "id", to=5),
    "more in the statement": changed(P, "statement", "more", to=5),
    "more in the certificate": changed(P, "more", to=5),
    "another format": changed(P, "format", to="lemmata-certificate"),
    "no version": without(P, "version"),
    "no case": without(P, "case"),
    "a case of a network": changed(P, "case", to=NET),
    "a case of arrays": changed("a rate", "case", to=PAGE["case"]),
    "other axes": changed(P, "case", "arrays", "A", "axes", to=["n", "m"]),
    "no axes": changed(P, "case", "arrays", "A", "axes", to=[]),
    "an array too few": without(P, "case", "arrays", "A"),
    "an array too many": changed(P, "case", "arrays", "B", to=PAGE["case"]["arrays"]["A"]),
    "an empty array": changed(P, "case", "arrays", "A", "entries", to=[]),
    "empty rows": changed(P, "case", "arrays", "A", "entries", to=[[], []]),
    "ragged rows": changed(P, "case", "arrays", "A", "entries", to=[["1"], ["1", "2"]]),
    "not square": changed("a witness", "case", "arrays", "A", "entries", to=[["1", "2"]]),
    "a number for an array": changed(P, "case", "arrays", "A", "entries", to="1"),
    "no integer": changed(P, "case", "arrays", "k", "entries", to="3/2"),
    "integer is not said": without(P, "case", "arrays", "k", "integer"),
    "integer is said of others": changed(P, "case", "arrays", "A", "integer", to=True),
    "too small": changed(P, "case", "arrays", "k", "entries", to="0"),
    "too large": changed(P, "case", "arrays", "k", "entries", to="6"),
    "another format of the case": changed(P, "case", "format", to="other"),
    "bounds of a number": changed("necessity", "statement", "domain", "arrays", "c", "least", to=1),
    "axes of a number": changed(
        "necessity", "statement", "domain", "arrays", "c", "axes", to=["n"]
    ),
    "an unknown sort": changed(P, "statement", "domain", "arrays", "A", "sort", to="array"),
    "another entry of a tensor": changed(
        "an unfolding", "case", "arrays", "T", "entries", 1, 2, to=["5/2", "0"]
    ),
    "its entry elsewhere": changed(
        "an unfolding", "case", "arrays", "T", "entries", 1, to=[["0", "0"], ["2", "0"], ["0", "0"]]
    ),
    "another left of an unfolding": changed("an unfolding", "value", "left", to="3"),
    "a row of an unfolding where it is true": changed("an unfolding", "at", to=[1]),
    "a row that is not there": changed("an unfolding", "at", to=[4]),
    "along another axis": changed("an unfolding", "statement", "says", 2, 1, 1, 2, to=3),
    "another rank of an unfolding": changed(
        "the ranks of two unfoldings", "value", "right", to="2"
    ),
    "two equal ranks": changed("the ranks of two unfoldings", "statement", "says", 2, 1, 2, to=3),
    "a tensor that is 0": changed(
        "the ranks of two unfoldings", "case", "arrays", "T", "entries", to=[[["0"] * 2] * 3] * 2
    ),
    "another velocity of a tensor": changed("a flow of tensors", "statement", "flow", "T", to=T),
    "a tensor that stands still": changed("a flow of tensors", "statement", "flow", to={}),
    "both domains": changed(P, "statement", "domain", "network", to=True),
    "network is not true": changed("a rate", "statement", "domain", "network", to=1),
    "a flow in a network": changed("a rate", "statement", "flow", to={"A": 1}),
    "a flow of nothing": changed("a flow of arrays", "statement", "flow", to={"B": 1}),
    "a flow of an int": changed(P, "statement", "flow", to={"k": 1}),
    "a flow of another sort": changed("a flow of arrays", "statement", "flow", "A", to=1),
    "a flow of another shape": changed("a flow of arrays", "statement", "flow", "A", to=["eye", 3]),
    "a flow with a rate of itself": changed(
        "a flow of arrays", "statement", "flow", "A", to=["rate", f("A")]
    ),
}


@pytest.mark.parametrize("name", REJECTIONS)
def test_it_is_rejected(name):
    code, message = check(REJECTIONS[name])
    assert code == REJECTED, message


DECLINATIONS = {
    "another version": changed(P, "version", to=2),
    "another kind": changed(P, "kind", to="wish"),
    "a choice": changed(P, "case", "choice", to={"a": 1}),
    "equal irrational numbers": changed(
        "another leaf",
        "statement",
        "says",
        to=["not", ["eq", ["sqrt", 6], ["mul", ["sqrt", 2], ["sqrt", 3]]]],
    ),
}


@pytest.mark.parametrize("name", DECLINATIONS)
def test_it_is_declined(name):
    code, message = check(DECLINATIONS[name])
    assert code == DECLINED, message


@pytest.mark.parametrize("value", [None, 1, "a", [], {}, True, [PAGE], {"format": []}])
def test_what_is_no_certificate(value):
    assert check(value).code == REJECTED


CONTENTS = {
    b"": REJECTED,
    b"{": REJECTED,
    b"\xff": REJECTED,
    b"null": REJECTED,
    b'{"a": 1, "a": 1}': REJECTED,
    b'{"format": NaN}': REJECTED,
    b'{"format": 1.5}': REJECTED,
    b"[" * 100_000: REJECTED,
    b"[" * 100_000 + b"]" * 100_000: REJECTED,
    b'{"a":' * 100_000: REJECTED,
    b"[" * 900 + b"]" * 900: REJECTED,
    b"1" * 3000: DECLINED,
    b" " * (64 * 2**20 + 1): DECLINED,
}


@pytest.mark.parametrize("content", CONTENTS, ids=lambda content: str(content[:20]))
def test_what_is_no_json(content):
    assert check_content(content).code == CONTENTS[content]


# the program --------------------------------------------------------------------------------------
def test_the_program(tmp_path, capsys):
    file = tmp_path / "certificate.json"
    for name, code in (("the page's", ACCEPTED), ("another", REJECTED), ("a choice", DECLINED)):
        found = VALID.get(name) or DECLINATIONS.get(name) or changed(P, "at", to=[2])
        file.write_text(json.dumps(found))
        assert main([str(file)]) == code
        assert len(capsys.readouterr().out.splitlines()) == 1
    assert main([]) == DECLINED
    assert main([str(tmp_path)]) == DECLINED
    assert main(["\0"]) == DECLINED
    page, lock, wrong = (tmp_path / name for name in ("page.json", "lock.json", "wrong.json"))
    page.write_text(json.dumps(PAGE))
    lock.write_text(json.dumps({"mine.lemma1": statement_hash(PAGE["statement"])}))
    wrong.write_text('{"mine.lemma1": 1}')
    capsys.readouterr()
    assert main([str(page), "--registered", str(lock)]) == ACCEPTED
    assert "the registered statement" in capsys.readouterr().out
    assert main([str(page), "--registered", str(wrong)]) == DECLINED
    assert "a lock has a hash for each name" in capsys.readouterr().out
    assert main([str(page), "--known", str(lock)]) == DECLINED


def test_packed_under_another_name(tmp_path):
    """As one file, without the rest of the repository."""
    packed, file = tmp_path / "checker.pyz", tmp_path / "certificate.json"
    with zipfile.ZipFile(packed, "w") as archive:
        for path in Path(verify.checker.__file__).parent.glob("*.py"):
            archive.write(path, f"packed/{path.name}")
        start = "import sys\nfrom packed.__main__ import main\nsys.exit(main(sys.argv[1:]))\n"
        archive.writestr("__main__.py", start)
    for found, code in ((PAGE, ACCEPTED), ({"format": "lemmata-certificate"}, REJECTED)):
        file.write_text(json.dumps(found))
        command = [sys.executable, "-I", str(packed), str(file)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
        assert (done.returncode, done.stderr) == (code, "")


# random changes -----------------------------------------------------------------------------------
@pytest.mark.parametrize("name", VALID)
def test_a_changed_byte_never_fails(name):
    content, random = json.dumps(VALID[name]).encode(), Random(name)
    for _ in range(150):
        k, other = random.randrange(len(content)), random.choice(b'0123456789"[]{},:-/ aextrue')
        found = check_content(content[:k] + bytes([other]) + content[k + 1 :])
        assert found.code in (ACCEPTED, REJECTED, DECLINED)
        assert "\n" not in found.message


OTHERS = (None, True, 0, 1, -1, 7, 10**9, "0", "1/2", "h", [], {}, ["var", 0], ["div", 1, 0], [[]])


@pytest.mark.parametrize("name", VALID)
def test_a_changed_part_never_fails(name):
    random = Random(name)
    for _ in range(150):
        found = copy.deepcopy(VALID[name])
        place = found
        while True:
            key = random.choice(list(place) if isinstance(place, dict) else range(len(place)))
            inner = place[key]
            if not isinstance(inner, dict | list) or not inner or random.random() < 0.1:
                break
            place = inner
        place[key] = random.choice(OTHERS)
        assert check(found).code in (ACCEPTED, REJECTED, DECLINED)


def test_a_changed_number_of_a_value_is_not_accepted():
    random = Random(1)
    exact = [name for name, made in VALID.items() if made["value"] and name != "irrational"]
    for _ in range(60):
        name, side = random.choice(exact), random.choice(["left", "right"])
        other = f"{random.randint(-9, 9)}/{random.randint(1, 4)}"
        found = check(changed(name, "value", side, to=other))
        text = VALID[name]["value"][side]
        assert (found.code == ACCEPTED) == (Fraction(text) == Fraction(other))
