"""Certificates of which one single hypothesis fails, with what the checker says of it."""

from __future__ import annotations

from tests.verify import certificates as c
from tests.verify.certificate_edits import at, fixed, on, tied, weighing
from tests.verify.corruptions import changed

PLANTED, ON_AND_OFF = c.STATED["control.planted"], c.STATED["control.planted, h on and off"]
BENT = on(PLANTED, c.network(c.CHAIN, {"h": "relu"}, weights=[1, 1]))
NEAR = "1000001/1000000"  # a norm just above 1
BIASED = c.network(["x>h", "b>h", "h>o"], constants=["b"], weights=[1, 1, 1])
ELSEWHERE = "a condition on the way is not met"  # of the vertex

HYPOTHESES: dict[str, tuple[c.Certificate, str]] = {
    "balance, norm": (at(PLANTED, c.example(NEAR)), "'data' is not met"),
    "balance, equal margins and two slopes": (
        at(PLANTED, c.example(1), c.example(1, slope=0)),
        "slopes",
    ),
    "balance, in-edge frozen": (fixed(PLANTED, "w[x->h]"), ELSEWHERE),
    "balance, out-edge frozen": (fixed(PLANTED, "w[h->o]"), ELSEWHERE),
    "balance, tied": (tied(PLANTED, "w[x->h]", "w[h->o]"), ELSEWHERE),
    "balance, tied to an edge elsewhere": (tied(ON_AND_OFF, "w[x->h]", "w[x->o]"), ELSEWHERE),
    "balance, a zero weight": (weighing(PLANTED, 0, 1), "'stable signs (Assumption 1)'"),
    "balance, a zero weight elsewhere": (
        changed(ON_AND_OFF, "case", "network", "weights", "w[x->o]", to="0"),
        "'stable signs (Assumption 1)'",
    ),
    "balance, kink": (at(BENT, c.example(0)), "'differentiable' is not met"),
    "balance, kink on a second example": (
        at(BENT, c.example(1), c.example(0)),
        "'differentiable' is not met",
    ),
    "balance, kink of a zero weight": (weighing(BENT, 0, 1), "'differentiable' is not met"),
    "balance, bias": (on(PLANTED, BIASED), "'bias-free' is not met"),
    "balance, tanh": (
        on(PLANTED, c.network(c.CHAIN, {"h": "tanh"}, weights=[1, 1])),
        "'positively homogeneous activations'",
    ),
    "balance, input": ({**PLANTED, "at": ["x"]}, "not in its list"),
    "balance, output": ({**PLANTED, "at": ["o"]}, "not in its list"),
}
