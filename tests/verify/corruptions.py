"""Certificates that must not be accepted: valid ones, corrupted wherever that must break them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from typing import Any

from tests.verify import certificates as c

Named = Iterator[tuple[str, Any]]
DELETED = object()

NO_NUMBERS = [None, True, 0.5, "", "0.5", "1e3", "1/0", " 1", "1 ", "+1", "--1", "0x1.8p+1", "1_0"]
NO_NUMBERS += ["1/-2", "nan", "inf", "\u0661", [], {}]  # one of them an Arabic digit


def changed(data: Any, *path: Any, to: Any) -> Any:
    """A copy with another value at a path of keys and positions; DELETED removes what is there."""
    copy = deepcopy(data)
    place = copy
    for step in path[:-1]:
        place = place[step]
    if to is DELETED:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return copy


def everywhere(certificate: c.Certificate) -> Named:
    """Corruptions that break any certificate."""
    for key in certificate:
        yield f"without {key}", changed(certificate, key, to=DELETED)
        if key == "value":
            continue  # see _sides
        for junk in (None, 0, -1, True, 1.0, "", "junk", [], {}, [[]]):
            if json.dumps(junk) != json.dumps(certificate[key]):
                yield f"{key} is {junk!r}", changed(certificate, key, to=junk)
    yield "an extra key", changed(certificate, "comment", to="")
    yield "version 2", changed(certificate, "version", to=2)
    yield "version as text", changed(certificate, "version", to="1")
    for kind in ("counterexample", "witness", "necessity", "balance", "polynomial"):
        if kind != certificate["kind"]:
            yield f"kind {kind}", changed(certificate, "kind", to=kind)
    yield from _sides(certificate)
    if "network" in certificate["case"]:
        for name, broken in networks(certificate["case"]["network"]):
            yield f"network: {name}", changed(certificate, "case", "network", to=broken)
        for name, broken in _cases(certificate["case"]):
            yield f"case: {name}", changed(certificate, "case", to=broken)
    else:
        for name, broken in _arrays(certificate["case"]):
            yield f"case: {name}", changed(certificate, "case", to=broken)


def _values(told: str | list[str]) -> Iterator[Any]:
    """Other numbers than a value, and what is none; of an enclosure one beside it, and no order."""
    if isinstance(told, list):
        low, high = map(Fraction, told)
        yield from ([str(high + 1), str(high + 2)], told[::-1], told[:1], str(low - 1))
        return
    value, near = Fraction(told), Fraction(1, 10**9)
    wrong = (-value, value + near, value - near, 2 * value)
    yield from (str(number) for number in wrong if number != value)
    yield from NO_NUMBERS


def _sides(certificate: c.Certificate) -> Named:
    for side, told in certificate["value"].items():
        yield f"without the {side} side", changed(certificate, "value", side, to=DELETED)
        for wrong in _values(told):
            yield f"{side} {wrong!r}", changed(certificate, "value", side, to=wrong)


def _arrays(case: dict[str, Any]) -> Named:
    """Cases that hold no such arrays; an empty choice may be left out."""
    for key in filter(case.get, case):
        yield f"without {key}", changed(case, key, to=DELETED)
    yield "an extra key", changed(case, "loss", to="squared")
    yield "a choice", changed(case, "choice", to={"unknown": 1})
    one = {"axes": [], "entries": "1"}
    yield "an array more", changed(case, "arrays", "more", to=one)
    for name, array in case["arrays"].items():
        where = ("arrays", name)
        yield f"without {name}", changed(case, *where, to=DELETED)
        yield f"{name} is an integer", changed(case, *where, "integer", to=True)
        for axes in ([*array["axes"], "deep"], ["other"] * len(array["axes"]), "axes", None):
            if axes != array["axes"]:
                yield f"{name} has the axes {axes}", changed(case, *where, "axes", to=axes)
        first = [*where, "entries"]
        entry = array["entries"]
        while isinstance(entry, list):
            yield f"{name} is empty", changed(case, *first, to=[])
            first, entry = [*first, 0], entry[0]
        for junk in NO_NUMBERS:
            yield f"{name} holds {junk!r}", changed(case, *first, to=junk)


def networks(net: dict[str, Any]) -> Named:
    """Networks that are none, or of which no claim speaks."""
    for key in ("format", "version", "vertices", "inputs", "outputs", "edges"):
        yield f"without {key}", changed(net, key, to=DELETED)
        yield f"{key} is null", changed(net, key, to=None)
    yield "an extra key", changed(net, "colour", to="red")
    yield "version 2", changed(net, "version", to=2)
    yield "a number as title", changed(net, "title", to=3)
    yield "another format", changed(net, "format", to="lemmata-graph")
    yield "no outputs", changed(net, "outputs", to=[])
    yield "an unknown output", changed(net, "outputs", to=["nowhere"])
    yield "an input as output", changed(net, "outputs", to=net["inputs"][:1])
    yield "the output twice", changed(net, "outputs", to=["o", "o"])
    yield "two outputs", changed(net, "outputs", to=["o", net["edges"][0]["head"]])
    yield "an input missing", changed(net, "inputs", to=net["inputs"][1:])
    yield "an input twice", changed(net, "inputs", to=net["inputs"] * 2)
    yield "the output as input", changed(net, "inputs", to=[*net["inputs"], "o"])
    yield "an input of another name", changed(net, "inputs", to=["X", *net["inputs"][1:]])
    yield "all constant", changed(net, "constants", to=dict.fromkeys(net["inputs"], "1"))
    yield "a constant that is no input", changed(net, "constants", to={"o": "1"})
    yield from _vertices(net)
    yield from _edges(net)
    yield from _weights(net)


def _vertices(net: dict[str, Any]) -> Named:
    vertices, edges = net["vertices"], net["edges"]
    more = {"name": "d", "activation": "linear"}
    yield "a vertex twice", changed(net, "vertices", to=[*vertices, vertices[0]])
    alone = changed(net, "vertices", to=[*vertices, more])
    yield "a vertex alone", alone
    yield "an input alone", changed(alone, "inputs", to=[*net["inputs"], "d"])
    dead = {"tail": net["inputs"][0], "head": "d", "fixed": "1"}
    yield "a second sink", changed(alone, "edges", to=[*edges, dead])
    beyond = {"tail": "o", "head": "d", "fixed": "1"}
    yield "an edge out of the output", changed(alone, "edges", to=[*edges, beyond])
    for v, vertex in enumerate(vertices):
        where = ("vertices", v)
        plain = {"name": vertex["name"]}
        kinds = ["tanh", "softplus", "sigmoid", "Linear", "", None, 1]
        if vertex["name"] in net["inputs"]:
            kinds += ["relu", "abs"]
        for kind in kinds:
            name = f"{vertex['name']} is {kind!r}"
            yield name, changed(net, *where, to={**plain, "activation": kind})
        yield "no activation", changed(net, *where, to=plain)
        yield "leaky without slope", changed(net, *where, to={**plain, "activation": "leaky_relu"})
        yield (
            "relu with slope",
            changed(net, *where, to={**plain, "activation": "relu", "slope": "1/2"}),
        )
        yield "an extra key", changed(net, *where, to={**vertex, "bias": "1"})
        for name in ("", None, 3, "o" if vertex["name"] != "o" else "x"):
            yield f"a vertex named {name!r}", changed(net, *where, "name", to=name)
        for scale in ("0", "-1", 0.25, "1/4", "1000001/1000000"):
            yield f"scale {scale}", changed(net, *where, "scale_square", to=scale)


def _edges(net: dict[str, Any]) -> Named:
    edges = net["edges"]
    for e, edge in enumerate(edges):
        where = ("edges", e)
        loop = {"tail": edge["head"], "head": edge["head"], "fixed": "1"}
        yield "a loop", changed(net, "edges", to=[*edges, loop])
        back = {"tail": edge["head"], "head": edge["tail"], "fixed": "1"}
        yield "an edge back", changed(net, "edges", to=[*edges, back])
        again = {"tail": edge["tail"], "head": edge["head"], "fixed": "1"}
        yield "a parallel edge", changed(net, "edges", to=[*edges, again])
        if edge["tail"] in net["inputs"] or edge["head"] == "o":
            flipped = {**edge, "tail": edge["head"], "head": edge["tail"]}
            yield f"{edge['tail']}>{edge['head']} flipped", changed(net, *where, to=flipped)
        yield "an unknown tail", changed(net, *where, "tail", to="nowhere")
        yield "no head", changed(net, *where, "head", to=DELETED)
        yield "parameter and fixed", changed(net, *where, "fixed", to="1")
        yield "neither", changed(net, *where, "parameter", to=DELETED)
        yield "a parameter without name", changed(net, *where, "parameter", to="")
        yield "a number as parameter", changed(net, *where, "parameter", to=1)
        plain = {"tail": edge["tail"], "head": edge["head"]}
        yield "a fixed float", changed(net, *where, to={**plain, "fixed": 1.0})
    yield "no edges", changed(net, "edges", to=[])


def _weights(net: dict[str, Any]) -> Named:
    yield "no weights", changed(net, "weights", to=DELETED)
    yield "a weight too many", changed(net, "weights", "more", to="1")
    for name in net["weights"]:
        yield f"{name} missing", changed(net, "weights", name, to=DELETED)
        for junk in NO_NUMBERS:
            yield f"{name} is {junk!r}", changed(net, "weights", name, to=junk)
    for e, edge in enumerate(net["edges"]):
        rest = [other for f, other in enumerate(net["edges"]) if f != e]
        yield f"{edge['parameter']} without its edge", changed(net, "edges", to=rest)
        renamed = changed(net, "edges", e, "parameter", to="another")
        yield f"{edge['parameter']} unused", renamed


def _cases(case: dict[str, Any]) -> Named:
    yield "without network", changed(case, "network", to=DELETED)
    yield "without examples", changed(case, "examples", to=DELETED)
    yield "no examples", changed(case, "examples", to=[])
    yield "a loss by name", changed(case, "loss", to="squared")
    for j, example in enumerate(case["examples"]):
        where = ("examples", j)
        for key in ("x", "y", "slope"):
            yield f"without {key}", changed(case, *where, key, to=DELETED)
        yield "an extra key", changed(case, *where, "weight", to="1")
        yield "x too long", changed(case, *where, "x", to=[*example["x"], "0"])
        yield "x too short", changed(case, *where, "x", to=example["x"][1:])
        for junk in NO_NUMBERS:
            yield f"x is {junk!r}", changed(case, *where, "x", 0, to=junk)
            yield f"slope is {junk!r}", changed(case, *where, "slope", to=junk)
        for label in ("0", "2", "1/2", "-1000001/1000000", 0, None, 1.0, True):
            yield f"y is {label!r}", changed(case, *where, "y", to=label)
    choice = case.get("choice", {})
    choices: list[Any] = [
        {**choice, "unknown": 1},
        {**choice, "slopes_at_0": [["nowhere", 1, "0"]]},
        [],
        "A",
    ]
    for wrong in choices:
        yield f"choice {wrong}", changed(case, "choice", to=wrong)
