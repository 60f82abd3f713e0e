"""Small certificates, each worked by hand in a comment."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

from verify.papers.registry import find
from verify.runs.controls import CONTROLS
from verify.search.certificates import case_of

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


# networks that return below -------------------------------------------------------------------
ONE_EDGE = ["x>o"]
CHAIN = ["x>h", "h>o"]
TRIANGLE = ["x>h", "h>o", "x>o"]
FORK = ["x>u", "x>v", "u>o", "v>o"]
TWO_INPUTS = ["x1>o", "x2>o"]
RELU_PAIR = {"u": "relu", "v": "relu"}


def edge(w: int | str = 1) -> dict[str, Any]:
    return network(ONE_EDGE, weights=[w])


def triangle() -> dict[str, Any]:
    return network(TRIANGLE, {"h": "relu"}, weights=[2, 1, 1])


def of_statement(
    name: str,
    case: dict[str, Any],
    at: list[Any],
    kind: str = "counterexample",
    without: str = "",
) -> Certificate:
    """The certificate of a claim or control in the language that fails in a case; at: where, see
    docs/language.md. Or of another kind."""
    claim = CONTROLS[name][0] if name in CONTROLS else find(name)
    assert claim.terms is not None
    record = claim.terms.certificate(kind, case_of(claim, case), at, without)
    return cast(Certificate, json.loads(json.dumps(record)))


def on_network(net: dict[str, Any], *examples: dict[str, Any]) -> dict[str, Any]:
    """A case."""
    return {"network": net, "examples": list(examples)}


def of_spectrum(*eigenvalues: int, kind: str = "counterexample", without: str = "") -> Certificate:
    """That the planted bound on a spectrum fails at these eigenvalues."""
    lam = {"axes": ["d"], "entries": [str(number) for number in eigenvalues]}
    case = {"format": "tensors", "arrays": {"lam": lam}}
    return of_statement("control.planted.dkbhl20", case, [], kind, without)


STATED: dict[str, Certificate] = {
    # of the eigenvalues 1 and 1, whose sum is d = 2: 2^2 against 2
    "spectrum": of_spectrum(1, 1),
    # f = (2 * 3 + 5) x at x = 1: w df/dw is 6, 5 and 6, in all 17, and L f = 22
    "degree": of_statement(
        "control.planted.zlb22",
        on_network(network(["x>h", "x>o", "h>o"], weights=[2, 5, 3]), example(1)),
        [1],
    ),
    # nu(-1) = relu(-1) = 0, and -nu(1) = -1.
    "control.false": of_statement(
        "control.false", on_network(network(ONE_EDGE, {"o": "relu"}, weights=[1]), example(1)), [1]
    ),
    # Both velocities are -1: 2 (-1) against 2 * 2 (-1).
    "control.planted": of_statement(
        "control.planted.lj22", on_network(network(CHAIN, weights=[1, 1]), example(1)), ["h"]
    ),
    # kappa = 1/2 and -3/2, z_h = 1 and -1: h is on and off. Velocities: x>h -(1/2)(1/2) = -1/4, h>o
    # -(1/2) 1. 2 * 2 (-1/4) against 2 * 2 (-1/2).
    "control.planted, h on and off": of_statement(
        "control.planted.lj22",
        on_network(triangle(), example("1/2"), example("-1/2", y=-1, slope=3)),
        ["h"],
    ),
    # nu(x) = relu(x): at x = 1, y = -1 it is y nu(x) = -1, but nu(yx) = relu(-1) = 0.
    "risk": of_statement(
        "lj22.risk",
        on_network(network(ONE_EDGE, {"o": "relu"}, weights=[1]), example(1, y=-1)),
        [1],
    ),
    # PRE_o = 2, and (16) multiplies the weight 2 with POST_o = 2.
    "eq16@A": of_statement("lj22.eq16@A", on_network(edge(2), example(1)), [1, "o", 1]),
    # dh/dw = x = 1, where (32) with absolute values has sgn(w) = -1 times x.
    "eq32.b@B2": of_statement("lj22.eq32.b@B2", on_network(edge(-1), example(1)), [1, [0], 0]),
    # nu(x) = x at x = 1/2; the only path has Z = 1 and product 1: 1/2 against 1.
    "eq1.a": of_statement("lj22.eq1.a", on_network(edge(), example("1/2")), [1]),
    # o is at its kink, z = 1/2 - 1/2 = 0, which the rule for Z calls active: 0 against 1 + 1.
    "eq1.a at a kink": of_statement(
        "lj22.eq1.a",
        on_network(network(TWO_INPUTS, {"o": "relu"}, weights=[1, 1]), example("1/2", "-1/2")),
        [1],
    ),
    # dnu/dw = x = 1/2; the path without its edge is an empty product, 1.
    "eq3": of_statement("lj22.eq3", on_network(edge(), example("1/2")), [0, 1]),
    # w dR/dw = -1. mu has derivative (-1)(-1) = 1 in h = -1, and A = 1 |w| = 1.
    "eq8-11.10@A": of_statement("lj22.eq8-11.10@A", on_network(edge(-1), example(1)), [0]),
    # nu = -x through h: on either side of h it is w dR/dw = -1, and A = 1 as before.
    "eq8-11.11in@A": of_statement(
        "lj22.eq8-11.11in@A", on_network(network(CHAIN, weights=[-1, 1]), example(1)), ["h"]
    ),
    "eq8-11.11out@A": of_statement(
        "lj22.eq8-11.11out@A", on_network(network(CHAIN, weights=[-1, 1]), example(1)), ["h"]
    ),
    # w dw/dt = 1, and d has the other sign.
    "eq34.34@A": of_statement("lj22.eq34.34@A", on_network(edge(-1), example(1)), [0]),
    # nu = -x: dR/dw = -1 on the in-edge, 1 on the other one: twice w dw/dt = 1, and d = -1.
    "eq36-39.a@A": of_statement(
        "lj22.eq36-39.a@A", on_network(network(CHAIN, weights=[-1, 1]), example(1)), ["h"]
    ),
    # dR/dw = 1, dw/dt = -1.
    "gflow": of_statement("lj22.gflow", on_network(edge(), example(1)), [0]),
    # The velocities are -3/5 and -4/5: 2 (-3/5) against 2 (-4/5). Without x1>o, x1 is cut off.
    "lemma3@A": of_statement(
        "lj22.lemma3@A",
        on_network(network(TWO_INPUTS, weights=[1, 1]), example("3/5", "4/5"))
        | {"choice": {"layers": [[["x1", "o"]], [["x2", "o"]]]}},
        [],
    ),
    # u sleeps: z_u = 0, slope 0, so its weights do not move. v is on: v>o moves by -post_v = -1.
    # in: 0. out: w_uo (-1) = -2. By the printed rule z_u = 0 and z_v = 1 are both active.
    "lemma2b@A asleep": of_statement(
        "lj22.lemma2b@A",
        on_network(network(FORK, RELU_PAIR, weights=[0, 1, 2, 3]), example(1))
        | {"choice": {"slopes_at_0": [["u", 1, "0"]]}},
        ["u", "v"],
    ),
}
"""Certificates of statements."""
SIDES = {
    "spectrum": ("4", "2"),
    "degree": ("17", "22"),
    "control.false": ("0", "-1"),
    "control.planted": ("-2", "-4"),
    "control.planted, h on and off": ("-1", "-2"),
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
    on_network(network(FORK, RELU_PAIR, weights=[1, -1, 1, 1]), example(1)),
    [],
    kind="witness",
)
