"""The command `laws`: the conserved quantities of a network in a file."""

import json
from pathlib import Path

import pytest

from graphs.composition import linear_head
from graphs.convolutions import convolution
from tests.graphs.written import dump
from tests.lemmata.test_networks import remove, write


def test_laws_are_named_counted_and_certified(lemmata):
    called = lemmata("laws", write())
    assert (called.code, called.err) == (0, "")
    lines = [line.strip() for line in called.out.splitlines()]
    for line in (
        "lj22.lemma2a: vertex h",
        "a^2 + b^2 - c^2",
        "1 law: 0 linear, 1 quadratic (1 lj22.lemma2a)",
        "certified: there is no other law of degree 1 or 2",
    ):
        assert line in lines, called.out
    assert lines[-1].startswith("certified: 1 independent, and no other conserved quantity of any")


def test_laws_on_a_region(lemmata):
    name = write()
    # z = x1/2 - x2: active at (1, 0), inactive at (0, 1), where nothing moves
    active = lemmata("laws", name, "--at", "1,0").out
    assert "on the region with the slopes h=1" in active
    assert "w = (1/2, -1, 3)" in active
    inactive = lemmata("laws", name, "--at", "0,1").out
    assert "3 laws: 3 linear, 0 quadratic" in inactive
    assert lemmata("laws", name, "--slopes", "h=0").out.count("alone") == 3


def test_laws_as_latex_and_json(lemmata):
    name = write()
    assert lemmata("laws", name, "--format", "latex").out == "\\[ Q_{1} = a^2 + b^2 - c^2 \\]\n"
    data = json.loads(lemmata("laws", name, "--format", "json", "--seed", "3").out)
    assert data["format"] == "lemmata-laws"
    assert data["laws"][0]["terms"][2] == {"factors": ["c", "c"], "coefficient": "-1"}
    assert data["laws"][0]["proof"] == "mixing"
    assert (data["independent"], data["bound"], data["complete"]) == (1, 1, True)
    assert set(data["point"]) == {"a", "b", "c"}


def test_a_law_that_nothing_explains_is_called_unnamed(lemmata):
    dump(linear_head(convolution(3, (1, 2), 2)), None, "conv.graphml")
    called = lemmata("laws", "conv.graphml")
    assert called.out.count("lj22.thm1: ") == 3
    assert called.out.count("unnamed: by its normal form") == 1
    told = json.loads(lemmata("laws", "conv.graphml", "--format", "json").out)
    assert told["named"] == {"lj22.thm1": 3, "unnamed": 1}
    assert told["laws"][3]["proof"] == "expansion"
    assert told["all_quadratic"]
    assert told["not_proved"] == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["none.json"], "none.json: No such file or directory: check the path"),
        (["net.json", "--at", "1"], "--at 1: give one number for each of the inputs x1, x2"),
        (["bare.json", "--at", "1,1"], "--at 1,1: bare.json has no weights, add them"),
        (["net.json", "--at", "2,1"], "the pre-activation of 'h' is 0 there"),
        (["net.json", "--slopes", "h"], "--slopes 'h': give VERTEX=SLOPE"),
        (["net.json", "--slopes", "h=1/3"], "slope 1/3 given for 'h', which has the slopes 0, 1"),
        (["net.json", "--slopes", "q=1"], "slope given for 'q', which is no vertex"),
        (["net.json", "--slopes", "x1=1"], "slope given for 'x1', which is no vertex"),
        (["smooth.json", "--slopes", "h=1"], "activation 'tanh' is not piecewise linear"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_laws_cannot_use_is_refused(lemmata, words, told):
    write()
    write(remove("weights"), "bare.json")
    write(lambda d: d["vertices"][2].update(activation="tanh"), "smooth.json")
    assert told in lemmata.refused("laws", *words)
    assert Path("net.json").is_file()
