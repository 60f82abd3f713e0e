"""Certificates of necessity, each worked by hand in a comment."""

from __future__ import annotations

from tests.verify import certificates as c


def needing(name: str, spectrum: list[int], value: int) -> c.Certificate:
    """Eigenvalues that do not meet a hypothesis of the planted bound."""
    claim = "control.planted.dkbhl20"
    made = c.of_arrays(claim, {"lam": (["d"], spectrum)}, {}, value)
    return {**made, "kind": "necessity", "without": name}


NEEDING: dict[str, c.Certificate] = {
    "trace": needing("trace d", [2], -8),  # 2^3 - (2^2)^2
    "sign": needing("eigenvalues at least 0", [3, -1], -74),  # 27 - 1 - (9 + 1)^2
}
"""Of a claim that is not in the language."""

STATED: dict[str, c.Certificate] = {
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
"""Of the planted balance."""
SIDES = {"tanh": (-0.8399486832, -3.0463766238), "data": (8, 16)}
