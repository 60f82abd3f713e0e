"""Certificates of which one single hypothesis fails, with what the checker says of it."""

from __future__ import annotations

from tests.verify import certificates as c
from tests.verify.certificate_edits import at, fixed, on, tied, valued, weighing

V = c.VALID
PLANTED, ON_AND_OFF = V["control.planted"], V["control.planted, h on and off"]
BENT = on(PLANTED, c.network(c.CHAIN, {"h": "relu"}, weights=[1, 1]))
NEAR = "1000001/1000000"  # a norm just above 1
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
}
