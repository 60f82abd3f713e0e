"""Certificates that must not be accepted, made from valid ones.

`everywhere` corrupts any certificate in every place where that must break it; `HYPOTHESES` lists
certificates of which one single hypothesis fails, with what the checker says of it.
"""

from __future__ import annotations

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
            continue  # see _values
        for junk in (None, 0, -1, True, 1.0, "", "junk", [], {}, [[]]):
            yield f"{key} is {junk!r}", changed(certificate, key, to=junk)
    yield "an extra key", changed(certificate, "comment", to="")
    yield "version 2", changed(certificate, "version", to=2)
    yield "version as text", changed(certificate, "version", to="1")
    for kind in ("counterexample", "witness", "balance", "polynomial"):
        if kind != certificate["kind"]:
            yield f"kind {kind}", changed(certificate, "kind", to=kind)
    if "value" in certificate:
        yield from _values(certificate)
    where = ("case", "network") if "case" in certificate else ("network",)
    net = certificate["case"]["network"] if "case" in certificate else certificate["network"]
    for name, broken in networks(net, scales="identities" not in certificate):
        yield f"network: {name}", changed(certificate, *where, to=broken)
    if "case" in certificate:
        for name, broken in _cases(certificate["case"]):
            yield f"case: {name}", changed(certificate, "case", to=broken)
    if "entry" in certificate:
        for name, broken in entries(certificate["entry"]):
            yield f"entry: {name}", changed(certificate, "entry", to=broken)
    for number, identity in enumerate(certificate.get("identities", [])):
        for name, broken in _identities(identity, net):
            where = ("identities", number)
            yield f"identity {number}: {name}", changed(certificate, *where, to=broken)


def _values(certificate: c.Certificate) -> Named:
    value = Fraction(certificate["value"])
    near = Fraction(1, 10**9)
    for wrong in (0, -value, value + near, value - near, value * (1 + near), 2 * value):
        yield f"value {wrong}", changed(certificate, "value", to=str(wrong))
    for junk in NO_NUMBERS:
        yield f"value {junk!r}", changed(certificate, "value", to=junk)


def networks(net: dict[str, Any], scales: bool) -> Named:
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
    yield from _vertices(net, scales)
    yield from _edges(net)
    if "weights" in net:
        yield from _weights(net)
    else:
        yield "weights", changed(net, "weights", to={e["parameter"]: 1 for e in net["edges"]})


def _vertices(net: dict[str, Any], scales: bool) -> Named:
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
        for scale in ("0", "-1", 0.25, *(("1/4", "1000001/1000000") if scales else ())):
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
    yield "an extra key", changed(case, "loss", to="squared")
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
    choices: list[Any] = [{**choice, "unknown": 1}, {**choice, "sign_at_zero": "0"}, [], "A"]
    choices += [{**choice, "sign_at_zero": 1.0}, {**choice, "selection": "clarke"}]
    for wrong in choices:
        yield f"choice {wrong}", changed(case, "choice", to=wrong)
    for key in ("selection", "dormant", "direction"):
        if key in choice:
            yield f"choice without {key}", changed(case, "choice", key, to=DELETED)


def entries(entry: dict[str, Any]) -> Named:
    """Entries that are none."""
    yield "an extra key", {**entry, "more": 1}
    yield "another one", {"nothing": 0}
    for key in entry:
        yield f"without {key}", changed(entry, key, to=DELETED)
    wrong: dict[str, list[Any]] = {
        "example": [-1, 99, True, "0", 0.0, None],
        "vertex": ["nowhere", "x", 0, None, ["h"]],
        "edge": [["o", "x"], ["x"], ["x", "h", "o"], "x", ["x", "nowhere"], [None, "o"]],
        "pair": [
            ["u"],
            ["u", "u"],
            ["u", "nowhere"],
            ["u", "x"],
            ["o", "u"],
            "uv",
            ["u", "v", "o"],
        ],
        "predicate": ["Tree", "", None, 1, []],
        "iteration": [0, -1, 99, "2", True],
        "invariant": [0, 3, "1", None, True],
    }
    for key, values in wrong.items():
        for value in values if key in entry else []:
            yield f"{key} {value!r}", changed(entry, key, to=value)
    if "layers" in entry:
        first, second = entry["layers"]
        for name, broken in (
            ("one layer", [first]),
            ("three layers", [first, second, second]),
            ("an empty layer", [[], second]),
            ("an edge twice in F", [[*first, first[0]], second]),
            ("an edge twice in F'", [first, [*second, second[0]]]),
            ("a flipped edge", [[first[0][::-1]], second]),
            ("an unknown edge", [first, [["x", "nowhere"]]]),
            ("no list", [first, "second"]),
        ):
            yield name, changed(entry, "layers", to=broken)


def _identities(identity: dict[str, Any], net: dict[str, Any]) -> Named:
    for key in ("entry", "potential"):
        yield f"without {key}", changed(identity, key, to=DELETED)
        yield f"{key} a list", changed(identity, key, to=[])
    yield "an extra key", changed(identity, "note", to="")
    for name, broken in entries(identity["entry"]):
        yield f"entry: {name}", changed(identity, "entry", to=broken)
    for vertex in net["vertices"]:
        name = vertex["name"]
        old = Fraction(identity["potential"].get(name, 0))
        for step in (1, -1, Fraction(1, 10**9)):
            wrong = changed(identity, "potential", name, to=str(old + step))
            yield f"potential of {name} off by {step}", wrong
        yield "a float", changed(identity, "potential", name, to=float(old))
    yield "an unknown vertex", changed(identity, "potential", "nowhere", to="0")


# one hypothesis fails, all else is as it should be ---------------------------------------------
def fixed(certificate: c.Certificate, parameter: str) -> c.Certificate:
    """The same with an edge frozen at its weight."""
    copy = deepcopy(certificate)
    net = copy["case"]["network"] if "case" in copy else copy["network"]
    weight = net["weights"].pop(parameter) if "weights" in net else "1"
    for edge in net["edges"]:
        if edge.get("parameter") == parameter:
            del edge["parameter"]
            edge["fixed"] = weight
    return copy


def tied(certificate: c.Certificate, parameter: str, other: str) -> c.Certificate:
    """The same with the first parameter used for the other's edges too."""
    copy = deepcopy(certificate)
    net = copy["case"]["network"] if "case" in copy else copy["network"]
    if "weights" in net:
        del net["weights"][other]
    for edge in net["edges"]:
        if edge.get("parameter") == other:
            edge["parameter"] = parameter
    return copy


def weighing(certificate: c.Certificate, *weights: int | str) -> c.Certificate:
    """The same with other weights."""
    names = certificate["case"]["network"]["weights"]
    new = {name: str(w) for name, w in zip(names, weights, strict=True)}
    return changed(certificate, "case", "network", "weights", to=new)


def at(certificate: c.Certificate, *examples: dict[str, Any]) -> c.Certificate:
    """The same on other examples."""
    return changed(certificate, "case", "examples", to=list(examples))


def valued(certificate: c.Certificate, value: int | str) -> c.Certificate:
    return changed(certificate, "value", to=str(value))


def claiming(certificate: c.Certificate, claim: str) -> c.Certificate:
    return changed(certificate, "claim", to=claim)


def on(certificate: c.Certificate, net: dict[str, Any]) -> c.Certificate:
    """The same on another network."""
    where = ("case", "network") if "case" in certificate else ("network",)
    return changed(certificate, *where, to=net)


V = c.VALID
A, B, OLD = V["lemma2b@A dormant"], V["lemma2b@B"], V["v1.lemma3b"]
LAYER, LAST, FOUR = V["lemma3@A"], V["v1.eq8.b@A"], V["lemma4"]
CUT_XH = c.layers(["x>h"], ["h>o"])
NEAR = "1000001/1000000"  # a norm just above 1


def choosing(certificate: c.Certificate, **choice: Any) -> c.Certificate:
    old = certificate["case"].get("choice", {})
    return changed(certificate, "case", "choice", to={**old, **choice})


def fork(*activations: str, weights: list[int | str], more: tuple[str, ...] = ()) -> dict[str, Any]:
    kinds = dict(zip("uvo", activations, strict=False))
    return c.network([*c.FORK, *more], kinds, weights=weights)


HYPOTHESES: dict[str, tuple[c.Certificate, str]] = {
    # nu(-2) = 0 as before, the residual is -2
    "risk, norm 2": (valued(at(V["risk"], c.example(2, y=-1)), -2), "norm"),
    "risk.fix, ReLU": (claiming(V["risk"], "lj22.risk.fix"), "not linear"),
    "eq1.a, leaky": (
        on(V["eq1.a"], c.network(c.ONE_EDGE, {"o": "leaky_relu 1/3"}, weights=[1])),
        "not ReLU or linear",
    ),
    "eq3, kink": (
        valued(
            at(on(V["eq3"], c.network(c.ONE_EDGE, {"o": "relu"}, weights=[1])), c.example(0)), -1
        ),
        "kink",
    ),
    "eq3, zero weight": (weighing(V["eq3"], 0), "is 0"),
    "eq3, frozen": (fixed(V["eq3"], "w[x->o]"), "not learnable"),
    "eq3, bias": (
        on(V["eq3"], c.network(["x>o", "b>o"], constants=["b"], weights=[1, 1])),
        "bias-free",
    ),
    "eq2, zero weight": (
        claiming(on(V["eq3"], c.network(c.TRIANGLE, weights=[1, 0, 1])), "lj22.eq2"),
        "is 0",
    ),
    # nu = 0 h + x: behind the fixed weight 0 the tree's copy of h has pre-activation 0
    "eq2, fixed weight 0": (
        claiming(
            fixed(
                on(V["eq3"], c.network(c.TRIANGLE, {"h": "relu"}, weights=[1, 0, 1])),
                "w[h->o]",
            ),
            "lj22.eq2",
        ),
        "'h->o' is 0",
    ),
    "pull-back, two out-edges": (
        claiming(V["eq16@A"], "lj22.lemma7")
        | {"case": {**V["eq16@A"]["case"], "network": c.triangle()}}
        | {"entry": {"vertex": "x", "example": 0}},
        "single out-edge",
    ),
    "pull-back, frozen": (
        fixed(claiming(V["eq16@A"], "lj22.lemma7"), "w[x->o]")
        | {"entry": {"vertex": "x", "example": 0}},
        "not learnable",
    ),
    "more paths, two vertices": (
        claiming(V["gflow"], "lj22.hg") | {"entry": {}},
        "no more than 2",
    ),
    "dormant, wrong way": (choosing(A, direction={"w[x->u]": "1"}), "switch"),
    "dormant, no way": (choosing(A, direction={"w[x->u]": "0"}), "switch"),
    "dormant, empty way": (choosing(A, direction={}), "switch"),
    "dormant, another weight": (
        choosing(A, direction={"w[x->u]": "-1", "w[x->v]": "-1"}),
        "no in-weight",
    ),
    "dormant, unknown weight": (choosing(A, direction={"w": "-1"}), "unknown key"),
    "dormant, not listed": (choosing(A, dormant=[], direction={}), "kink"),
    "dormant, not chosen": (changed(A, "case", "choice", to={}), "kink"),
    "dormant, wrong vertex": (choosing(A, dormant=["v"]), "is not 0"),
    "dormant, nearly": (weighing(A, "1/1000000000", 1, 2, 3), "is not 0"),
    "dormant, leaky": (
        on(A, fork("leaky_relu 1/2", "relu", weights=[0, 1, 2, 3])),
        "not ReLU",
    ),
    "dormant, abs": (on(A, fork("abs", "relu", weights=[0, 1, 2, 3])), "not ReLU"),
    "dormant, linear": (on(A, fork("linear", "relu", weights=[0, 1, 2, 3])), "not ReLU"),
    "dormant, frozen": (choosing(fixed(A, "w[x->u]"), direction={}), "not learnable"),
    "dormant, out-weight frozen": (fixed(A, "w[u->o]"), "not learnable"),
    "dormant, out-weights tied": (
        tied(weighing(A, 0, 1, 2, 2), "w[u->o]", "w[v->o]"),
        "shares",
    ),
    # the residual w_uo post_v is 2 all the same
    "dormant, a zero weight": (weighing(A, 0, 1, 2, 0), "need not keep its sign"),
    "dormant, off on one example only": (at(A, c.example(1), c.example(-1)), "switch"),
    "dormant, a zero example": (at(A, c.example(1), c.example(0)), "switch"),
    "dormant, norm": (valued(at(A, c.example(NEAR)), "1000001/500000"), "norm"),
    "dormant, repaired claim": (claiming(A, "lj22.lemma2b@A.fix"), "is at a kink"),
    "dormant, other patterns": (weighing(A, 0, -1, 2, 3), "different patterns"),
    "pair, leaky by reading A": (claiming(B, "lj22.lemma2b@A"), "does not speak"),
    "pair, slope above 1": (
        on(B, fork("relu", "leaky_relu 3/2", weights=[-1, -2, 1, 1])),
        "does not speak",
    ),
    "pair, negative slope": (
        on(B, fork("relu", "leaky_relu -1/2", weights=[-1, -2, 1, 1])),
        "does not speak",
    ),
    "pair, slope 0": (
        on(B, fork("relu", "leaky_relu 0", weights=[-1, -2, 1, 1])),
        "does not speak",
    ),
    "pair, abs": (on(B, fork("relu", "abs", weights=[-1, -2, 1, 1])), "does not speak"),
    "pair, other patterns": (weighing(B, 1, -2, 1, 1), "different patterns"),
    "pair, other in-vertices": (
        on(B, c.network(["z>u", "x>z", *c.FORK], {"u": "relu"}, weights=[1, 1, -2, -2, 1, 1])),
        "different in-vertices",
    ),
    "pair, other out-vertices": (
        on(B, c.network(["u>z", "z>o", *c.FORK], {"u": "relu"}, weights=[1, 1, -2, -2, 1, 1])),
        "different out-vertices",
    ),
    "pair, frozen": (fixed(B, "w[x->v]"), "not learnable"),
    "pair, tied": (tied(weighing(B, -1, -1, 1, 1), "w[x->u]", "w[x->v]"), "shares"),
    "pair, patterns by reading B": (claiming(OLD, "lj22.lemma2b@B"), "different patterns"),
    "pair, kink on a second example": (at(OLD, c.example(1), c.example(0)), "kink"),
    "pair, norm": (at(OLD, c.example(NEAR)), "norm"),
    "pair, zero weight": (weighing(OLD, 1, -1, 1, 0), "need not keep its sign"),
    "pair, not in the claim": (claiming(OLD, "lj22.lemma2a"), "lacks 'vertex'"),
    # kappa is 1/2 and 0: D is half of what it was
    "pair, equal margins and two slopes": (
        valued(at(OLD, c.example(1), c.example(1, slope=0)), 1),
        "another slope",
    ),
    "layer, equal margins and two slopes": (
        valued(at(LAYER, c.example(1, 0), c.example(0, 1, slope=0)), -1),
        "another slope",
    ),
    "path sum, equal margins and two slopes": (
        valued(at(V["eq8-11.10@A"], c.example(1), c.example(1, slope=3)), -4),
        "another slope",
    ),
    "gflow, equal margins and two slopes": (
        valued(at(V["gflow"], c.example(1), c.example(-1, y=-1, slope=3)), 4),
        "another slope",
    ),
    "Gram, equal margins and two slopes": (
        valued(at(FOUR, c.example(1), c.example(1, slope=3)), -4),
        "another slope",
    ),
    "layer, tied elsewhere": (
        tied(
            at(
                on(
                    LAYER,
                    c.network([*c.TWO_INPUTS, "x1>g", "g>h", "h>o"], weights=[1, 1, 1, 1, 1]),
                ),
                c.example(1, 0),
            )
            | {"entry": c.layers(["x2>o"], ["x2>o"])},
            "w[x1->g]",
            "w[g->h]",
        ),
        "is shared",
    ),
    "vertex, input": (
        claiming(V["eq8-11.11in@A"], "lj22.lemma2a") | {"entry": {"vertex": "x"}},
        "no inner vertex",
    ),
    "vertex, output": (
        claiming(V["eq8-11.11in@A"], "lj22.lemma2a") | {"entry": {"vertex": "o"}},
        "no inner vertex",
    ),
    # 2 (4/5 + 10^-6) - 2 (3/5)
    "layer, norm": (
        valued(at(LAYER, c.example("3/5", "800001/1000000")), "200001/500000"),
        "norm",
    ),
    "layer, frozen": (fixed(LAYER, "w[x1->o]"), "not learnable"),
    "layer, tied": (tied(LAYER, "w[x1->o]", "w[x2->o]"), "is shared"),
    "layer, reading B": (claiming(LAYER, "lj22.lemma3@B"), "not a layer"),
    "layer, two on a path": (
        at(on(LAYER, c.network(c.CHAIN, weights=[1, 2])), c.example(1))
        | {"entry": c.layers(["x>h", "h>o"], ["h>o"])},
        "not a layer",
    ),
    "layer, still connected": (
        at(on(LAYER, c.triangle()), c.example(1)) | {"entry": CUT_XH},
        "not a layer",
    ),
    "layer, still connected behind": (
        at(on(LAYER, c.triangle()), c.example(1)) | {"entry": c.layers(["x>h"], ["x>h"])},
        "not a layer",
    ),
    "layer, zero weight": (weighing(LAYER, 1, 0), "need not keep its sign"),
    "layer, another one chosen": (
        choosing(LAYER, layers=c.layers(["x2>o"], ["x1>o"])["layers"]),
        "differ",
    ),
    "layer, bias": (claiming(V["bias@AA"], "lj22.lemma3@A"), "bias-free"),
    "layer, no bias": (claiming(LAYER, "lj22.bias@AA"), "no bias"),
    "last layer, another one": (claiming(LAYER, "lj22v1.eq8.b@A"), "in-edges of o"),
    "bias, value 2": (
        changed(V["bias@AA"], "case", "network", "constants", to={"b": "2"}),
        "not 1",
    ),
    "bias, nearly 1": (
        changed(V["bias@AA"], "case", "network", "constants", to={"b": "999999999/1000000000"}),
        "not 1",
    ),
    "bias, several by reading A": (claiming(V["bias@BA"], "lj22.bias@AA"), "several"),
    "bias, shared by reading B": (
        on(
            V["bias@BA"],
            c.network(["x>h", "b>h", "h>o", "b>o"], constants=["b"], weights=[1, 1, 1, 1]),
        ),
        "is shared",
    ),
    "bias, two at a vertex": (
        on(
            V["bias@BA"],
            c.network(["x>h", "b>h", "h>o", "c>h"], constants=["b", "c"], weights=[1, 1, 1, 1]),
        ),
        "enter one vertex",
    ),
    "path sum, zero weight": (weighing(V["eq8-11.11in@A"], -1, 0), "is 0"),
    "path sum, kink": (
        at(
            on(
                V["eq8-11.9@B"],
                c.network(["x1>o", "x2>h", "h>o"], {"h": "relu"}, weights=[-1, 1, 1]),
            ),
            c.example(1, 0),
        )
        | {"entry": {"edge": ["x1", "o"]}},
        "kink",
    ),
    "path sum, tied elsewhere": (
        tied(
            on(V["eq8-11.9@B"], c.network([*c.FORK, "x>o"], weights=[1, 1, 1, 1, -1])),
            "w[x->u]",
            "w[x->v]",
        ),
        "is shared",
    ),
    "path sum, input": (V["eq8-11.11in@A"] | {"entry": {"vertex": "x"}}, "no inner vertex"),
    "path sum, norm": (valued(at(V["eq8-11.9@B"], c.example(NEAR)), "1000001/500000"), "norm"),
    "path sum, the other reading": (claiming(V["eq8-11.9@B"], "lj22.eq8-11.9@A"), "is 0"),
    "gflow, frozen": (fixed(V["gflow"], "w[x->o]"), "not learnable"),
    "gflow, repaired": (claiming(V["gflow"], "lj22.gflow.fix"), "is 0"),
    "gflow, zero weight": (weighing(V["gflow"], 0), "is 0"),
    "eq16, the other reading": (claiming(V["eq16@A"], "lj22.eq16@B"), "is 0"),
    "eq16, input": (V["eq16@A"] | {"entry": {"vertex": "x", "example": 0}}, "not there"),
    "unrolled, no skip": (
        on(V["def10@A2B2 tree"], c.network(c.CHAIN, weights=[1, 1])),
        "is 0",
    ),
    "unrolled, sets of edges": (claiming(V["def10@A2B2 tree"], "lj22.def10@A1B2"), "is 0"),
    "unrolled, weights by reading B2": (
        claiming(V["def10@A1B1 weights"], "lj22.def10@A1B2"),
        "is 0",
    ),
    "unrolled value, B1": (claiming(V["lemma6@A2B2"], "lj22.lemma6@A2B1"), "not defined"),
    "unrolled value, A1": (claiming(V["lemma6@A2B2"], "lj22.lemma6@A1B2"), "is 0"),
    "iteration, B1": (claiming(V["lemma5-iter@A1B2"], "lj22.lemma5-iter@A1B1"), "not defined"),
    "iteration, no tree": (
        on(V["lemma5-iter@A2B2"], c.network(c.TRIANGLE, weights=[-1, 0, 1])),
        "no tree",
    ),
    "iteration, no zero": (weighing(V["lemma5-iter@A1B2"], -1, "1/1000000000"), "is 0"),
    "iteration, other sign": (choosing(V["lemma5-iter@A1B2"], sign_at_zero=-1), "is 0"),
    "iteration, repaired claim": (
        claiming(V["lemma5-iter@A1B2"], "lj22.lemma5-iter@A1B2.fix"),
        "the weight 'w[h->o]' is 0",
    ),
    "iteration, too early": (
        V["lemma5-iter@A1B2"] | {"entry": {"iteration": 1, "invariant": 1}},
        "is 0",
    ),
    "iteration, second invariant": (
        V["lemma5-iter@A1B2"] | {"entry": {"iteration": 2, "invariant": 2}},
        "is 0",
    ),
    "iteration, of an example": (
        V["lemma5-iter@A1B2"] | {"entry": {"iteration": 2, "invariant": 1, "example": 0}},
        "does not speak of an example",
    ),
    "iteration, third invariant": (
        V["lemma5-iter@A1B2"] | {"entry": {"iteration": 2, "invariant": 3}},
        "neither 1 nor 2",
    ),
    "Gram, third vertex frozen": (
        fixed(
            on(
                FOUR,
                c.network(
                    ["x>u", "x>v", "x>g", "u>o", "v>o", "g>o"],
                    {"u": "relu", "v": "relu", "g": "relu"},
                    weights=[1, -1, 1, 1, 1, 1],
                ),
            ),
            "w[x->g]",
        ),
        "not learnable",
    ),
    "Gram, both on": (weighing(FOUR, 1, 1, 1, 1), "active"),
    "Gram, on and off by example": (at(FOUR, c.example(1), c.example(-1)), "active"),
    "Gram, linear": (on(FOUR, fork("relu", "linear", weights=[1, -1, 1, 1])), "not ReLU"),
    "Gram, norm": (at(FOUR, c.example(NEAR)), "norm"),
    "Gram, an edge past the layer": (
        on(FOUR, fork("relu", "relu", weights=[1, -1, 1, 1, 1], more=("x>o",))),
        "not ReLU",
    ),
    "Gram, a vertex with one edge less": (
        on(
            FOUR,
            c.network(
                ["x>u", "x>v", "x>g", "u>o", "v>o", "g>r", "r>o"],
                {"u": "relu", "v": "relu", "g": "relu"},
                weights=[1, -1, 1, 1, 1, 1, 1],
            ),
        ),
        "not fully connected",
    ),
    "Gram, kink": (
        on(FOUR, fork("relu", "relu", "relu", weights=[1, -1, 0, 1])),
        "kink",
    ),
    "Gram, frozen": (fixed(FOUR, "w[v->o]"), "not learnable"),
    "balance, empty": (
        changed(V["balance lemma2a"], "identities", to=[]),
        "no identities",
    ),
    "balance, frozen": (fixed(V["balance lemma2a"], "w[h->o]"), "not learnable"),
    "balance, tied": (tied(V["balance lemma2a"], "w[x->h]", "w[h->o]"), "shares"),
    "balance, reading A as B": (
        c.balance("lj22.lemma3@B", c.network(c.TWO_INPUTS), (LAYER["entry"], {})),
        "not a layer",
    ),
    "balance, reading A": (
        c.balance("lj22.lemma3@A", c.network(c.TWO_INPUTS), (LAYER["entry"], {})),
        "the coefficient is",
    ),
    # differences 1 and -1 with potentials at the inputs; the sums along the two paths are not 0
    "balance, potential at inputs": (
        c.balance("lj22.lemma3@A", c.network(c.TWO_INPUTS), (LAYER["entry"], {"x1": -1, "x2": 1})),
        "the potential of 'x1' is not 0",
    ),
    "balance, potential at the output": (
        c.balance(
            "lj22.lemma3@A",
            c.network(c.TWO_INPUTS),
            (c.layers(["x1>o", "x2>o"], ["x1>o"]), {"o": 1, "x1": 1}),
        ),
        "is not 0",
    ),
    "balance, not the claim's": (claiming(V["balance lemma2a"], "lj22.gflow"), "shows nothing"),
    "balance, a pair": (
        claiming(V["balance lemma2a"], "lj22.lemma2b@A"),
        "shows nothing",
    ),
    "polynomial, no patterns": (
        claiming(V["polynomial lemma2b@A"], "lj22v1.lemma3b"),
        "not the zero polynomial",
    ),
    "polynomial, ReLU and leaky": (
        on(V["polynomial lemma2b@B"], c.network(c.FORK, {"u": "relu", "v": "leaky_relu 1/3"})),
        "not the zero polynomial",
    ),
    "polynomial, two slopes": (
        on(
            V["polynomial lemma2b@B"],
            c.network(c.FORK, {"u": "leaky_relu 1/2", "v": "leaky_relu 1/3"}),
        ),
        "not the zero polynomial",
    ),
    "polynomial, abs": (
        on(V["polynomial lemma2b@A"], c.network(c.FORK, {"u": "abs", "v": "abs"})),
        "does not speak",
    ),
    "polynomial, reading A": (
        c.polynomial("lj22.lemma3@A", c.network(c.TWO_INPUTS), LAYER["entry"]),
        "not the zero polynomial",
    ),
    "polynomial, eq1.a": (claiming(V["polynomial eq1.b"], "lj22.eq1.a"), "not the zero polynomial"),
    "polynomial, eq3": (claiming(V["polynomial eq3.fix"], "lj22.eq3"), "not the zero polynomial"),
    "polynomial, eq16": (
        claiming(V["polynomial eq16@B"], "lj22.eq16@A"),
        "not the zero polynomial",
    ),
    "polynomial, gflow": (
        claiming(V["polynomial gflow.fix"], "lj22.gflow"),
        "not the zero polynomial",
    ),
    "polynomial, leaky eq1.b": (
        on(V["polynomial eq1.b"], c.network(c.TRIANGLE, {"h": "leaky_relu 1/2"})),
        "not ReLU or linear",
    ),
    "polynomial, tied": (tied(V["polynomial lemma2a"], "w[x->h]", "w[x->o]"), "is shared"),
    "polynomial, frozen": (fixed(V["polynomial lemma2a"], "w[x->h]"), "not learnable"),
    "polynomial, example 2 of 2": (
        changed(V["polynomial eq3.fix"], "entry", "example", to=2),
        "no example",
    ),
}
