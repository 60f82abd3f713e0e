"""Small certificates, each worked by hand in a comment. `VALID` maps a name to each of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

from verify.case import case_from_json
from verify.registry import find

Certificate = dict[str, Any]


def network(
    edges: Sequence[str],
    activations: dict[str, str] | None = None,
    constants: Sequence[str] = (),
    weights: Sequence[int | str] | None = None,
) -> dict[str, Any]:
    """A network from edges such as "x>h"; inputs start with x or are constant, the output is o.

    activations: of vertices that are not linear; "leaky_relu 1/2" has slope 1/2. weights: one for
    each edge, in order.
    """
    pairs = [edge.split(">") for edge in edges]
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    vertices = []
    for name in names:
        kind, _, slope = (activations or {}).get(name, "linear").partition(" ")
        vertices.append({"name": name, "activation": kind} | ({"slope": slope} if slope else {}))
    result: dict[str, Any] = {
        "format": "lemmata-network",
        "version": 1,
        "title": "",
        "vertices": vertices,
        "inputs": [name for name in names if name.startswith("x") or name in constants],
        "outputs": ["o"],
        "constants": dict.fromkeys(constants, "1"),
        "edges": [{"tail": a, "head": b, "parameter": f"w[{a}->{b}]"} for a, b in pairs],
    }
    if weights is not None:
        names_of = [edge["parameter"] for edge in result["edges"]]
        result["weights"] = {name: str(w) for name, w in zip(names_of, weights, strict=True)}
    return result


def example(*x: int | str, y: int = 1, slope: int | str = 1) -> dict[str, Any]:
    return {"x": [str(value) for value in x], "y": str(y), "slope": str(slope)}


def certificate(kind: str, claim: str, **fields: Any) -> Certificate:
    return {"format": "lemmata-certificate", "version": 1, "kind": kind, "claim": claim, **fields}


def counterexample(
    claim: str,
    net: dict[str, Any],
    examples: Sequence[dict[str, Any]],
    entry: dict[str, Any],
    value: int | str,
    *,
    choice: dict[str, Any] | None = None,
    kind: str = "counterexample",
) -> Certificate:
    case: dict[str, Any] = {"network": net, "examples": list(examples)}
    if choice is not None:
        case["choice"] = choice
    return certificate(kind, claim, case=case, entry=entry, value=str(value))


def balance(claim: str, net: dict[str, Any], *identities: tuple[Any, Any]) -> Certificate:
    listed = [{"entry": entry, "potential": potential} for entry, potential in identities]
    return certificate("balance", claim, network=net, identities=listed)


def polynomial(claim: str, net: dict[str, Any], entry: Any, examples: int = 2) -> Certificate:
    return certificate("polynomial", claim, network=net, examples=examples, entry=entry)


# networks that return below -------------------------------------------------------------------
ONE_EDGE = ["x>o"]
CHAIN = ["x>h", "h>o"]
TRIANGLE = ["x>h", "h>o", "x>o"]
FORK = ["x>u", "x>v", "u>o", "v>o"]
TWO_INPUTS = ["x1>o", "x2>o"]
BIASED = ["x>o", "b>o"]
PAIR = {"pair": ["u", "v"]}
FIRST = {"example": 0}
ON_EDGE = {"edge": ["x", "o"]}
RELU_PAIR = {"u": "relu", "v": "relu"}

DORMANT = {"selection": "dormant", "dormant": ["u"], "direction": {"w[x->u]": "-1"}}


def layers(first: Sequence[str], second: Sequence[str]) -> dict[str, Any]:
    return {"layers": [[edge.split(">") for edge in layer] for layer in (first, second)]}


def edge(w: int | str = 1) -> dict[str, Any]:
    return network(ONE_EDGE, weights=[w])


def triangle() -> dict[str, Any]:
    return network(TRIANGLE, weights=[2, 1, 1])


VALID: dict[str, Certificate] = {
    # u sleeps: w_xu = 0, slope 0, so u's weights do not move. v is on: w_vo moves by -post_v = -1.
    # in: 0. out: w_uo (-1) = -2. D = 0 - (-2). Printed patterns: z_u = 0 and z_v = 1 both give 1.
    "lemma2b@A dormant": counterexample(
        "lj22.lemma2b@A",
        network(FORK, RELU_PAIR, weights=[0, 1, 2, 3]),
        [example(1)],
        PAIR,
        2,
        choice=DORMANT,
    ),
    # z_u = 1, z_v = -1: u on, v off. Velocities: xu -1, uo -1, others 0. in: -w_xv = 1.
    # out: -w_vo = -1. D = 2.
    "v1.lemma3b": counterexample(
        "lj22v1.lemma3b",
        network(FORK, RELU_PAIR, weights=[1, -1, 1, 1]),
        [example(1)],
        PAIR,
        2,
    ),
    # Velocities -3/5 and -4/5; without x1>o the vertex x1 is cut off. 2 (-3/5) - 2 (-4/5).
    "lemma3@A": counterexample(
        "lj22.lemma3@A",
        network(TWO_INPUTS, weights=[1, 1]),
        [example("3/5", "4/5")],
        layers(["x1>o"], ["x2>o"]),
        "2/5",
    ),
    # As before with two examples: kappa = 1/2 and -1/2 at x = (1, 0) and (0, 1): velocities -1/2
    # and 1/2. F' is both edges: the sum is minus that of x2>o alone, -2 (1/2).
    "v1.eq8.b@A": counterexample(
        "lj22v1.eq8.b@A",
        network(TWO_INPUTS, weights=[1, 2]),
        [example(1, 0), example(0, 1, y=-1)],
        layers(["x1>o"], ["x1>o", "x2>o"]),
        -2,
        choice={"layers": layers(["x1>o"], ["x1>o", "x2>o"])["layers"]},
    ),
    # Own bias inputs b of h and c of o. nu = h + c, h = x + b. All velocities are -1 but that of
    # h>o: -h = -3/2. F = {b>h} cuts b off, F' = {c>o, h>o} cuts o off: -2 + 2 + 3.
    "bias@BA": counterexample(
        "lj22.bias@BA",
        network(["x>h", "b>h", "h>o", "c>o"], constants=["b", "c"], weights=[1, 1, 1, 1]),
        [example("1/2")],
        layers(["b>h"], ["c>o", "h>o"]),
        3,
    ),
    # w dw/dt = 1, and d = -1, times x |w| = 1 once more: 1 + 1.
    "eq51@AB": counterexample("lj22.eq51@AB", edge(-1), [example(1)], layers(["x>o"], ["x>o"]), 2),
    # The controls. relu(-1) + relu(1) = 1; and with velocities -1 and -1: -2 - 2 (-2).
    "control.false": counterexample(
        "control.false", network(ONE_EDGE, {"o": "relu"}, weights=[1]), [example(1)], FIRST, 1
    ),
    "control.planted": counterexample(
        "control.planted.lj22",
        network(CHAIN, weights=[1, 1]),
        [example(1)],
        {"vertex": "h"},
        2,
    ),
    # The pair of v1.lemma3b, seen as two fully-connected layers: out - in = -1 - 1.
    "lemma4": counterexample(
        "lj22.lemma4",
        network(FORK, RELU_PAIR, weights=[1, -1, 1, 1]),
        [example(1)],
        PAIR,
        -2,
        kind="witness",
    ),
    # x>h has coefficient 1 = 1 - 0 and h>o has -1 = 0 - 1.
    "balance lemma2a": balance(
        "lj22.lemma2a", network(CHAIN, {"h": "relu"}), ({"vertex": "h"}, {"h": 1})
    ),
    # At u: x>u and v>u count 1, u>o counts -1.
    "balance lemma2a two": balance(
        "lj22.lemma2a",
        network(["x>v", "x>u", "v>u", "u>o", "v>o"], {"u": "leaky_relu 1/10", "v": "abs"}),
        ({"vertex": "u"}, {"u": "1"}),
        ({"vertex": "v"}, {"v": "2/2", "u": 0}),
    ),
    # 1, 0, -1 along x>g>h>o: both inner potentials are 1.
    "balance lemma3@B": balance(
        "lj22.lemma3@B",
        network(["x>g", "g>h", "h>o"], {"g": "relu"}),
        (layers(["x>g"], ["h>o"]), {"g": "1", "h": "1"}),
        (layers(["x>g"], ["x>g"]), {}),
    ),
    "balance v1.eq8.b@B": balance(
        "lj22v1.eq8.b@B",
        network(FORK, RELU_PAIR),
        (layers(["x>u", "v>o"], ["u>o", "v>o"]), {"u": 1}),
    ),
    # The bias enters h: in-edges 1, out-edge -1.
    "balance bias@BB": balance(
        "lj22.bias@BB",
        network(["x>h", "b>h", "h>o"], {"h": "relu"}, constants=["b"]),
        (layers(["x>h", "b>h"], ["h>o"]), {"h": 1}),
    ),
    # D_uv = s (...) - s (...) with one slope s for both: ReLU and ReLU with equal patterns.
    "polynomial lemma2b@A": polynomial("lj22.lemma2b@A", network(FORK, RELU_PAIR), PAIR),
    # Beside the linear v the ReLU u has pattern 1, hence slope 1.
    "polynomial lemma2b@A.fix": polynomial(
        "lj22.lemma2b@A.fix", network(FORK, {"u": "relu"}), PAIR
    ),
    # Without patterns: two linear vertices.
    "polynomial v1.lemma3b": polynomial("lj22v1.lemma3b", network(FORK, {"o": "relu"}), PAIR),
    "polynomial lemma2a": polynomial(
        "lj22.lemma2a", network(TRIANGLE, {"h": "abs", "o": "relu"}), {"vertex": "h"}
    ),
    "polynomial lemma3@B": polynomial(
        "lj22.lemma3@B",
        network(TRIANGLE, {"h": "relu"}),
        layers(["x>h", "x>o"], ["h>o", "x>o"]),
    ),
    "polynomial gflow.fix": polynomial("lj22.gflow.fix", network(TRIANGLE), ON_EDGE),
}


def of_statement(name: str, case: dict[str, Any], at: list[Any]) -> Certificate:
    """The certificate of a claim in the language that fails in a case; at: where, see
    docs/language.md."""
    statement = find(name).terms
    assert statement is not None
    read = case_from_json(case)
    record = statement.certificate("counterexample", read, at)
    return cast(Certificate, json.loads(json.dumps(record)))


def _at(net: dict[str, Any], *examples: dict[str, Any]) -> dict[str, Any]:
    return {"network": net, "examples": list(examples)}


STATED: dict[str, Certificate] = {
    # nu(x) = relu(x): at x = 1, y = -1 it is y nu(x) = -1, but nu(yx) = relu(-1) = 0.
    "risk": of_statement(
        "lj22.risk",
        _at(network(ONE_EDGE, {"o": "relu"}, weights=[1]), example(1, y=-1)),
        [1],
    ),
    # PRE_o = 2, and (16) multiplies the weight 2 with POST_o = 2.
    "eq16@A": of_statement("lj22.eq16@A", _at(edge(2), example(1)), [1, "o", 1]),
    # dh/dw = x = 1, where (32) with absolute values has sgn(w) = -1 times x.
    "eq32.b@B2": of_statement("lj22.eq32.b@B2", _at(edge(-1), example(1)), [1, [0], 0]),
    # nu(x) = x at x = 1/2; the only path has Z = 1 and product 1: 1/2 against 1.
    "eq1.a": of_statement("lj22.eq1.a", _at(edge(), example("1/2")), [1]),
    # o is at its kink, z = 1/2 - 1/2 = 0, which the rule for Z calls active: 0 against 1 + 1.
    "eq1.a at a kink": of_statement(
        "lj22.eq1.a",
        _at(network(TWO_INPUTS, {"o": "relu"}, weights=[1, 1]), example("1/2", "-1/2")),
        [1],
    ),
    # dnu/dw = x = 1/2; the path without its edge is an empty product, 1.
    "eq3": of_statement("lj22.eq3", _at(edge(), example("1/2")), [0, 1]),
    # w dR/dw = -1. mu has derivative (-1)(-1) = 1 in h = -1, and A = 1 |w| = 1.
    "eq8-11.10@A": of_statement("lj22.eq8-11.10@A", _at(edge(-1), example(1)), [0]),
    # nu = -x through h: on either side of h it is w dR/dw = -1, and A = 1 as before.
    "eq8-11.11in@A": of_statement(
        "lj22.eq8-11.11in@A", _at(network(CHAIN, weights=[-1, 1]), example(1)), ["h"]
    ),
    "eq8-11.11out@A": of_statement(
        "lj22.eq8-11.11out@A", _at(network(CHAIN, weights=[-1, 1]), example(1)), ["h"]
    ),
    # w dw/dt = 1, and d has the other sign.
    "eq34.34@A": of_statement("lj22.eq34.34@A", _at(edge(-1), example(1)), [0]),
    # nu = -x: dR/dw = -1 on the in-edge, 1 on the other one: twice w dw/dt = 1, and d = -1.
    "eq36-39.a@A": of_statement(
        "lj22.eq36-39.a@A", _at(network(CHAIN, weights=[-1, 1]), example(1)), ["h"]
    ),
    # dR/dw = 1, dw/dt = -1.
    "gflow": of_statement("lj22.gflow", _at(edge(), example(1)), [0]),
}
"""Certificates of statements of the language about networks."""
SIDES = {
    "risk": ("-1", "0"),
    "eq16@A": ("2", "4"),
    "eq32.b@B2": ("1", "-1"),
    "eq1.a": ("1/2", "1"),
    "eq1.a at a kink": ("0", "2"),
    "eq3": ("1/2", "1"),
    "eq8-11.10@A": ("-1", "1"),
    "eq8-11.11in@A": ("-1", "1"),
    "eq8-11.11out@A": ("1", "-1"),
    "eq34.34@A": ("1", "-1"),
    "eq36-39.a@A": ("2", "-2"),
    "gflow": ("1", "-1"),
}
"""Both sides, worked out by hand."""
