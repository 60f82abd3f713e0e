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


# networks that return below -------------------------------------------------------------------
ONE_EDGE = ["x>o"]
CHAIN = ["x>h", "h>o"]
TRIANGLE = ["x>h", "h>o", "x>o"]
FORK = ["x>u", "x>v", "u>o", "v>o"]
TWO_INPUTS = ["x1>o", "x2>o"]
FIRST = {"example": 0}
AT_H = {"vertex": "h"}
RELU_PAIR = {"u": "relu", "v": "relu"}


def edge(w: int | str = 1) -> dict[str, Any]:
    return network(ONE_EDGE, weights=[w])


def triangle() -> dict[str, Any]:
    return network(TRIANGLE, {"h": "relu"}, weights=[2, 1, 1])


VALID: dict[str, Certificate] = {
    # relu(-1) + relu(1) = 1.
    "control.false": counterexample(
        "control.false", network(ONE_EDGE, {"o": "relu"}, weights=[1]), [example(1)], FIRST, 1
    ),
    # Both velocities are -1: 2 (-1) - 2 * 2 (-1).
    "control.planted": counterexample(
        "control.planted.lj22", network(CHAIN, weights=[1, 1]), [example(1)], AT_H, 2
    ),
    # kappa = 1/2 and -3/2, z_h = 1 and -1: h is on and off. Velocities: x>h -(1/2)(1/2) = -1/4, h>o
    # -(1/2) 1. 2 * 2 (-1/4) - 2 * 2 (-1/2) = 1.
    "control.planted, h on and off": counterexample(
        "control.planted.lj22",
        triangle(),
        [example("1/2"), example("-1/2", y=-1, slope=3)],
        AT_H,
        1,
    ),
}


def of_statement(
    name: str, case: dict[str, Any], at: list[Any], kind: str = "counterexample"
) -> Certificate:
    """The certificate of a claim in the language that fails in a case; at: where, see
    docs/language.md. Or of another kind."""
    statement = find(name).terms
    assert statement is not None
    record = statement.certificate(kind, case_from_json(case), at)
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
    # The velocities are -3/5 and -4/5: 2 (-3/5) against 2 (-4/5). Without x1>o, x1 is cut off.
    "lemma3@A": of_statement(
        "lj22.lemma3@A",
        _at(network(TWO_INPUTS, weights=[1, 1]), example("3/5", "4/5"))
        | {"choice": {"layers": [[["x1", "o"]], [["x2", "o"]]]}},
        [],
    ),
    # u sleeps: z_u = 0, slope 0, so its weights do not move. v is on: v>o moves by -post_v = -1.
    # in: 0. out: w_uo (-1) = -2. By the printed rule z_u = 0 and z_v = 1 are both active.
    "lemma2b@A asleep": of_statement(
        "lj22.lemma2b@A",
        _at(network(FORK, RELU_PAIR, weights=[0, 1, 2, 3]), example(1))
        | {"choice": {"slopes_at_0": [["u", 1, "0"]]}},
        ["u", "v"],
    ),
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
    "lemma3@A": ("-6/5", "-8/5"),
    "lemma2b@A asleep": ("0", "-2"),
}
"""Both sides, worked out by hand."""

# z_u = 1, z_v = -1: u is on, v is off. The entry (u, v) of d/dt (W2^T W2 - W1 W1^T): the velocities
# of x>u and u>o are -1, the others 0, so -w_vo - (-w_xv) = -1 - 1.
WITNESS = of_statement(
    "lj22.lemma4",
    _at(network(FORK, RELU_PAIR, weights=[1, -1, 1, 1]), example(1)),
    [],
    kind="witness",
)
