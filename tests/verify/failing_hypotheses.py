"""Certificates of which one single hypothesis fails, with what the checker says of it."""

from __future__ import annotations

from tests.verify import certificates as c
from tests.verify.certificate_edits import at, choosing, claiming, fixed, on, tied, valued, weighing

V = c.VALID
PLANTED, ON_AND_OFF = V["control.planted"], V["control.planted, h on and off"]
FORK, APART = V["lemma8@A2B1"], V["lemma8-sym@BA2"]
FORK_FIX, APART_FIX = (
    claiming(FORK, "lj22.lemma8@A2B1.fix"),
    claiming(APART, "lj22.lemma8-sym@BA2.fix"),
)
BENT = on(PLANTED, c.network(c.CHAIN, {"h": "relu"}, weights=[1, 1]))
NEAR = "1000001/1000000"  # a norm just above 1
LEAKY = {"u": "relu", "v": "leaky_relu 1/2"}
LINEAR_APART = c.network(c.APART, weights=[1, 1, 1, -1])
BIASED = c.network(["x>h", "b>h", "h>o"], constants=["b"], weights=[1, 1, 1])

HYPOTHESES: dict[str, tuple[c.Certificate, str]] = {
    "balance, norm": (valued(at(PLANTED, c.example(NEAR)), "1000001/500000"), "norm"),
    # kappa is 1/2 and 0: the velocities are half of what they were
    "balance, equal margins and two slopes": (
        valued(at(PLANTED, c.example(1), c.example(1, slope=0)), 1),
        "another slope",
    ),
    "balance, in-edge frozen": (fixed(PLANTED, "w[x->h]"), "not learnable"),
    "balance, out-edge frozen": (fixed(PLANTED, "w[h->o]"), "not learnable"),
    "balance, tied": (tied(PLANTED, "w[x->h]", "w[h->o]"), "shares"),
    "balance, tied to an edge elsewhere": (tied(ON_AND_OFF, "w[x->h]", "w[x->o]"), "shares"),
    "balance, a zero weight": (weighing(PLANTED, 0, 1), "need not keep its sign"),
    "balance, a zero weight elsewhere": (weighing(ON_AND_OFF, 2, 1, 0), "need not keep its sign"),
    "balance, kink": (at(BENT, c.example(0)), "at a kink"),
    "balance, kink on a second example": (at(BENT, c.example(1), c.example(0)), "at a kink"),
    "balance, kink of a zero weight": (weighing(BENT, 0, 1), "at a kink"),
    "balance, bias": (on(PLANTED, BIASED), "bias-free"),
    "balance, tanh": (
        on(PLANTED, c.network(c.CHAIN, {"h": "tanh"}, weights=[1, 1])),
        "not positively homogeneous",
    ),
    "balance, input": ({**PLANTED, "entry": {"vertex": "x"}}, "no inner vertex"),
    "balance, output": ({**PLANTED, "entry": {"vertex": "o"}}, "no inner vertex"),
    "paths, norm": (at(FORK, c.example(NEAR)), "norm"),
    "paths, tied": (tied(FORK, "w[x->u]", "w[x->v]"), "is shared"),
    "paths, zero weight": (weighing(FORK, 1, 1, 1, 0), "is 0"),
    "paths, zero weight that is fixed": (fixed(weighing(FORK, 1, 1, 1, 0), "w[v->o]"), "is 0"),
    "paths, leaky": (on(FORK, c.network(c.FORK, LEAKY, weights=[1, 1, 1, -1])), "not ReLU"),
    "paths, abs": (
        on(FORK, c.network(c.FORK, {"u": "abs", "v": "abs"}, weights=[1, 1, 1, -1])),
        "not ReLU",
    ),
    "paths, other patterns": (weighing(FORK, 1, -1, 1, -1), "different patterns"),
    "paths, other patterns on a second example": (
        at(claiming(APART, FORK["claim"]), c.example("1/2", "1/4"), c.example("1/2", "-1/4")),
        "different patterns on example 1",
    ),
    "paths, of two lengths": (
        on(FORK, c.triangle()) | {"entry": c.two_paths("x>h>o", "x>o")},
        "differ in length",
    ),
    "paths, bias": (
        on(FORK, c.network([*c.FORK, "b>o"], c.RELU_PAIR, ["b"], weights=[1, 1, 1, -1, 1])),
        "bias-free",
    ),
    "paths, signs of the products": (FORK_FIX, "different signs"),
    "paths, kink": (at(FORK_FIX, c.example(1), c.example(0)), "at a kink"),
    "swap, norm": (at(APART, c.example("3/5", "800001/1000000")), "norm"),
    "swap, other patterns": (at(APART, c.example("1/2", "-1/4")), "the patterns at (a, b) differ"),
    "swap, out of the stable regime": (
        at(on(APART, LINEAR_APART), c.example("1/2", "-1/4")),
        "outside of the stable regime",
    ),
    "swap, a factor below 0": (choosing(APART, factors=["-1", "1"]), "not positive"),
    "swap, signs of the products": (APART_FIX, "different signs"),
}
