"""Cases built of pieces, for tests: by hand from a plan and a list of weights."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

from graphs.activations import LINEAR
from verify.cases.networks_of_pieces import Plan, Spec, build
from verify.cases.structured import Structured
from verify.cases.structured_pool import StructuredPool


def dense(width: int, activation: Any = LINEAR) -> Spec:
    """A dense layer."""
    return Spec("dense", width, activation=activation)


def block(width: int, inner: int, variant: str = "free", outer: Any = LINEAR, within: Any = LINEAR):
    """A residual block."""
    return Spec("block", width, inner, variant, activation=outer, within=within)


def conv(width: int, size: Any, kernel: Any = 1, **options: Any) -> Spec:
    """A convolution; numbers stand for one dimension."""
    as_tuples = {
        key: value if isinstance(value, (tuple, str)) else (value,)
        for key, value in {"kernel": kernel, **options}.items()
        if key != "activation"
    }
    shape = size if isinstance(size, tuple) else (size,)
    activation = options.get("activation", LINEAR)
    return Spec("convolution", width, size=shape, activation=activation, **as_tuples)


def case_of_plan(
    inputs: int,
    pieces: Sequence[Spec],
    weights: Any,
    x: Sequence[Any],
    item: str = "",
    at: Sequence[int] | None = None,
    head: bool = False,
    **choice: Any,
) -> Structured:
    """A case with one example of label 1 and slope 1. weights: one for each parameter, or by name
    of one of its edges, "x1>h1.2"."""
    plan = Plan(inputs, tuple(pieces), tuple(range(len(pieces)) if at is None else at), head)
    net, chosen = build(plan)
    if isinstance(weights, dict):
        by_edge = [
            next(
                weights[word]
                for e in edges
                if (word := net.edge_name(e).replace("->", ">")) in weights
            )
            for edges in net.edges_of_parameter
        ]
        weights = by_edge
    return Structured(
        net,
        tuple(map(Fraction, weights)),
        (tuple(map(Fraction, x)),),
        (Fraction(1),),
        slopes=(Fraction(1),),
        choice={**chosen, "item": item, **choice},
        plan=plan,
    )


def drawn(pool: StructuredPool, seed: int, n: int = 2, large: bool = False) -> Structured:
    """A case of a pool."""
    return pool.draw(Random(seed), n=n, loss="prescribed", large=large)
