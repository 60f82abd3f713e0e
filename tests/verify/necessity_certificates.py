"""Certificates of necessity of claims that are not in the language, and one of a loss by name.

Each is worked by hand in a comment.
"""

from __future__ import annotations

from typing import Any

from tests.verify import certificates as c


def needing(
    name: str, net: dict[str, Any], example: dict[str, Any], value: int | list[str]
) -> c.Certificate:
    """A case of the planted balance that does not meet a hypothesis."""
    made = c.counterexample("control.planted.lj22", net, [example], c.AT_H, 0, kind="necessity")
    return {**made, "without": name, "value": value if isinstance(value, list) else str(value)}


NEEDING: dict[str, c.Certificate] = {
    # kappa = 1. dw1/dt = -tanh'(1) = -0.4199743..., dw2/dt = -tanh(1) = -0.7615941..., so the rate
    # 2 w1 dw1/dt - 4 w2 dw2/dt is 2.2064279...
    "tanh": needing(
        "positively homogeneous activations",
        c.network(c.CHAIN, {"h": "tanh"}, weights=[1, 1]),
        c.example(1),
        ["2206/1000", "2207/1000"],
    ),
    # w = (1, 2), x = 2, kappa = -1: velocities (4, 2), so the rate is 2 * 4 - 4 * 2 * 2
    "data": needing("data", c.network(c.CHAIN, weights=[1, 2]), c.example(2, slope=-1), -8),
}
# w = (1, 1), kappa = l'(1) = -1/(1 + e) = -0.2689414...: the velocities are both 0.2689414..., and
# 2 w1 dw1/dt - 4 w2 dw2/dt = -0.5378828...
LOGISTIC: c.Certificate = {
    **c.counterexample("control.planted.lj22", c.network(c.CHAIN, weights=[1, 1]), [], c.AT_H, 0),
    "value": ["-538/1000", "-537/1000"],
}
LOGISTIC["case"] |= {"loss": "logistic", "examples": [{"x": ["1"], "y": "1"}]}
