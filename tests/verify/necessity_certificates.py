"""Certificates of necessity, each worked by hand in a comment."""

from __future__ import annotations

from tests.verify import certificates as c

STATED: dict[str, c.Certificate] = {
    # of 2, whose sum is not d = 1: (2^2)^2 against 2^3
    "trace": c.of_spectrum(2, kind="necessity", without="trace d"),
    # of 3 and -1: (9 + 1)^2 against 27 - 1
    "sign": c.of_spectrum(3, -1, kind="necessity", without="eigenvalues at least 0"),
    # kappa = 1. dw1/dt = -tanh'(1) = -0.4199743..., dw2/dt = -tanh(1) = -0.7615941..., so the rates
    # are 2 w1 dw1/dt = -0.8399486... and 2 * 2 w2 dw2/dt = -3.0463766...
    "tanh": c.of_statement(
        "control.planted.lj22",
        c.on_network(c.network(c.CHAIN, {"h": "tanh"}, weights=[1, 1]), c.example(1)),
        ["h"],
        kind="necessity",
        without="positively homogeneous activations",
    ),
    # w = (1, 2), x = 2, kappa = -1: velocities (4, 2), so the rates are 2 * 4 and 2 * 4 * 2
    "data": c.of_statement(
        "control.planted.lj22",
        c.on_network(c.network(c.CHAIN, weights=[1, 2]), c.example(2, slope=-1)),
        ["h"],
        kind="necessity",
        without="data",
    ),
}
"""Of planted lemmas."""
SIDES = {
    "trace": (16, 8),
    "sign": (100, 26),
    "tanh": (-0.8399486832, -3.0463766238),
    "data": (8, 16),
}
