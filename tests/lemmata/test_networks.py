"""The commands on networks in files: what is printed, and what is refused."""

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lemmata.arguments import parse_point, parse_slopes
from lemmata.errors import UsageError


@given(st.lists(st.fractions(), min_size=1, max_size=4))
def test_points_are_parsed_exactly(x):
    assert parse_point(",".join(map(str, x))) == x
    slopes = {f"h={k}": value for k, value in enumerate(x)}  # a name may have the sign in it
    assert parse_slopes(",".join(f"{name}={value}" for name, value in slopes.items())) == slopes


@given(st.text("0123456789/.,-=xe ", max_size=8))
def test_points_and_slopes_that_are_none_are_refused(text):
    for parse, option in ((parse_point, "--at"), (parse_slopes, "--slopes")):
        refusal, found = None, []
        try:
            found = parse(text)
        except UsageError as error:
            refusal = str(error)
        if refusal is not None:
            assert refusal.startswith(f"{option} ")
            assert re.search("[,:] give ", refusal)
        values = found if isinstance(found, list) else found.values()
        assert all(isinstance(value, Fraction) for value in values)


NETWORK = {
    "format": "lemmata-network",
    "version": 1,
    "title": "one neuron",
    "vertices": [
        {"name": "x1", "activation": "linear"},
        {"name": "x2", "activation": "linear"},
        {"name": "h", "activation": "relu"},
        {"name": "o", "activation": "linear"},
    ],
    "inputs": ["x1", "x2"],
    "outputs": ["o"],
    "edges": [
        {"tail": "x1", "head": "h", "parameter": "a"},
        {"tail": "x2", "head": "h", "parameter": "b"},
        {"tail": "h", "head": "o", "parameter": "c"},
    ],
    "weights": {"a": "1/2", "b": -1, "c": "0x1.8p+1"},
}


def write(change=None, name: str = "net.json") -> str:
    """The network, changed, in a file of the working directory."""
    data = json.loads(json.dumps(NETWORK))
    if change is not None:
        change(data)
    Path(name).write_text(json.dumps(data))
    return name


def test_derive_gives_paths_output_gradient_and_laws(lemmata):
    called = lemmata("derive", write())
    assert (called.code, called.err) == (0, "")
    lines = [line.strip() for line in called.out.splitlines()]
    for line in (
        "x1->h->o: a*c*x1",
        "nu = a*c*s_h*x1 + b*c*s_h*x2",
        "dnu/d c = a*s_h*x1 + b*s_h*x2",
        "quantity: a**2 + b**2 - c**2",
        "defect: 0",
    ):
        assert line in lines, called.out


def test_derive_on_a_region(lemmata):
    name = write()
    # z = x1/2 - x2: active at (1, 0), inactive at (0, 1)
    active = lemmata("derive", name, "--at", "1,0").out
    assert "nu = a*c*x1 + b*c*x2" in active
    inactive = lemmata("derive", name, "--at", "0,1/1").out
    assert "nu = 0" in inactive
    assert "s_h = 0" in inactive
    by_slopes = lemmata("derive", name, "--slopes", "h=1").out
    assert "nu = a*c*x1 + b*c*x2" in by_slopes


def test_derive_as_latex_and_json(lemmata):
    name = write()
    latex = lemmata("derive", name, "--format", "latex").out
    assert r"\nu = a c s_{h} x_{1} + b c s_{h} x_{2}" in latex
    data = json.loads(lemmata("derive", name, "--format", "json").out)
    assert (data["format"], data["version"]) == ("lemmata-derivation", 1)


def remove(key):
    return lambda data: data.pop(key)


BROKEN = {
    "cycle": (
        lambda d: d["edges"].append({"tail": "o", "head": "h", "fixed": 1}),
        "directed cycle h->o->h: remove one of its edges",
    ),
    "NaN": (lambda d: d["weights"].update(a=float("nan")), "weight of 'a' is nan: give a finite"),
    "infinite": (lambda d: d["weights"].update(a=1e999), "weight of 'a' is inf: give a finite"),
    "no number": (lambda d: d["weights"].update(a="nan"), "weight of 'a' is 'nan': give a finite"),
    "activation": (
        lambda d: d["vertices"][2].update(activation="rleu"),
        "vertex 'h': unknown activation 'rleu': use one of linear, relu",
    ),
    "missing weight": (lambda d: d["weights"].pop("b"), "no weight for the parameter 'b': give"),
    "weight of nothing": (lambda d: d["weights"].update(z=1), "weight for 'z', a parameter that"),
    "no edges": (remove("edges"), "the network has no 'edges': add it"),
    "no such vertex": (lambda d: d["edges"][0].update(tail="q"), "'q', which is not among the"),
    "another version": (lambda d: d.update(version=9), "version 9: this reads"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_network_is_refused_with_file_culprit_and_remedy(lemmata, name):
    change, told = BROKEN[name]
    message = lemmata.refused("derive", write(change, "broken.json"))
    assert message.startswith("lemmata: broken.json: ")
    assert told in message


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["none.json"], "none.json: No such file or directory: check the path"),
        (["net.txt"], "net.txt: unknown kind of file: use a name in .json or .graphml"),
        (["net.json", "--at", "1"], "--at 1: give one number for each of the inputs x1, x2"),
        (["net.json", "--at", "1,2,3"], "--at 1,2,3: give one number for each of the inputs"),
        (["net.json", "--at", "1,x"], "--at '1,x': 'x' is no number, give numbers like 1/2,-3"),
        (["net.json", "--at", "1,1/0"], "--at '1,1/0': '1/0' is no number"),
        (["bare.json", "--at", "1,1"], "--at 1,1: bare.json has no weights, add them"),
        (["net.json", "--slopes", "h"], "--slopes 'h': give VERTEX=SLOPE"),
        (["net.json", "--slopes", "h=x"], "--slopes 'h=x': 'x' is no number"),
        (["net.json", "--slopes", "h=1/3"], "slope 1/3 given for 'h', which has the slopes 0, 1"),
        (["net.json", "--slopes", "q=1"], "slope given for 'q', which is no vertex"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_derive_cannot_use_is_refused(lemmata, words, told):
    write()
    write(remove("weights"), "bare.json")
    Path("net.txt").write_text("x")
    assert told in lemmata.refused("derive", *words)


def test_all_that_is_wrong_is_told_and_nothing_steers_the_terminal(lemmata):
    def spoil(data):
        data["vertices"][2]["name"] = "\x1b[2J"
        data["weights"]["b"] = "\u202e"

    called = lemmata("derive", write(spoil))
    assert (called.code, called.out) == (4, "")
    first, *lines = called.err.splitlines()
    assert first == "lemmata: net.json: 4 things to mend"
    assert all(line.isprintable() for line in lines)
    assert "name of vertex 2 is '\\x1b[2J': it has characters that cannot be printed" in lines[0]


def test_what_was_guessed_is_told_on_stderr(lemmata):
    graph = {"nodes": ["x", "h", "o"], "links": [["x", "h", 0.7], ["h", "o", "7/10"]]}
    Path("net.json").write_text(json.dumps(graph))
    called = lemmata("derive", "net.json", "--at", " 1")
    assert called.code == 0
    assert called.err == (
        "net.json: not said in the file, so taken: inputs x (no in-edge); outputs o (no out-edge); "
        "linear outputs; relu at the vertices inside\n"
    )
    assert "s_h = 1" in called.out
