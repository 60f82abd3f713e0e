"""Certificates of which one single hypothesis fails, with what the checker says of it."""

from __future__ import annotations

from typing import Any

from tests.verify import certificates as c
from tests.verify.certificate_edits import at, choosing, claiming, fixed, on, tied, valued, weighing
from tests.verify.corruptions import changed

V = c.VALID
A, OLD = V["lemma2b@A dormant"], V["v1.lemma3b"]
PAIR = claiming(OLD, "lj22.lemma2b@A")
LAYER, LAST, FOUR = V["lemma3@A"], V["v1.eq8.b@A"], V["lemma4"]
CUT_XH = c.layers(["x>h"], ["h>o"])
NEAR = "1000001/1000000"  # a norm just above 1


def fork(*activations: str, weights: list[int | str], more: tuple[str, ...] = ()) -> dict[str, Any]:
    kinds = dict(zip("uvo", activations, strict=False))
    return c.network([*c.FORK, *more], kinds, weights=weights)


ONE_EDGE = {"network": c.edge(), "examples": [c.example(1)]}
ON_CHAIN = {"network": c.network(c.CHAIN, weights=[-1, 1]), "examples": [c.example(1)]}

HYPOTHESES: dict[str, tuple[c.Certificate, str]] = {
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
    "pair, leaky": (
        on(PAIR, fork("relu", "leaky_relu 1/2", weights=[-1, -2, 1, 1])),
        "does not speak",
    ),
    "pair, abs": (on(PAIR, fork("relu", "abs", weights=[-1, -2, 1, 1])), "does not speak"),
    "pair, other patterns": (weighing(PAIR, 1, -2, 1, 1), "different patterns"),
    "pair, other in-vertices": (
        on(PAIR, c.network(["z>u", "x>z", *c.FORK], {"u": "relu"}, weights=[1, 1, -2, -2, 1, 1])),
        "different in-vertices",
    ),
    "pair, other out-vertices": (
        on(PAIR, c.network(["u>z", "z>o", *c.FORK], {"u": "relu"}, weights=[1, 1, -2, -2, 1, 1])),
        "different out-vertices",
    ),
    "pair, frozen": (fixed(PAIR, "w[x->v]"), "not learnable"),
    "pair, tied": (tied(weighing(PAIR, -1, -1, 1, 1), "w[x->u]", "w[x->v]"), "shares"),
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
    "layer, bias": (claiming(V["bias@BA"], "lj22.lemma3@A"), "bias-free"),
    "layer, no bias": (claiming(LAYER, "lj22.bias@BA"), "no bias"),
    "last layer, another one": (claiming(LAYER, "lj22v1.eq8.b@A"), "in-edges of o"),
    "bias, value 2": (
        changed(V["bias@BA"], "case", "network", "constants", to={"b": "2", "c": "1"}),
        "not 1",
    ),
    "bias, nearly 1": (
        changed(
            V["bias@BA"], "case", "network", "constants", to={"b": "999999999/1000000000", "c": "1"}
        ),
        "not 1",
    ),
    "bias, shared": (
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
    "polynomial, no patterns": (
        claiming(V["polynomial lemma2b@A"], "lj22v1.lemma3b"),
        "not the zero polynomial",
    ),
    "polynomial, leaky": (
        on(V["polynomial lemma2b@A"], c.network(c.FORK, {"u": "relu", "v": "leaky_relu 1/3"})),
        "does not speak",
    ),
    "polynomial, abs": (
        on(V["polynomial lemma2b@A"], c.network(c.FORK, {"u": "abs", "v": "abs"})),
        "does not speak",
    ),
    "polynomial, reading A": (
        c.polynomial("lj22.lemma3@A", c.network(c.TWO_INPUTS), LAYER["entry"]),
        "not the zero polynomial",
    ),
    "polynomial, tied": (tied(V["polynomial lemma2a"], "w[x->h]", "w[x->o]"), "is shared"),
    "polynomial, frozen": (fixed(V["polynomial lemma2a"], "w[x->h]"), "not learnable"),
    # what needs a case on a chain, whatever was wrong there
    "vertex, input": (
        claiming(V["v1.lemma3b"], "lj22.lemma2a") | {"case": ON_CHAIN, "entry": {"vertex": "x"}},
        "no inner vertex",
    ),
    "vertex, output": (
        claiming(V["v1.lemma3b"], "lj22.lemma2a") | {"case": ON_CHAIN, "entry": {"vertex": "o"}},
        "no inner vertex",
    ),
}
