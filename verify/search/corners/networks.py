"""Corners of cases on networks: small graphs, and one thing at a time at a corner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import cycle, islice
from random import Random

from graphs.activations import ABS, LINEAR, RELU, SMOOTH, Activation, leaky_relu
from graphs.families import fully_connected, is_fully_connected
from graphs.network import Network, network
from verify.cases.case import Case
from verify.cases.kinked_points import onto_a_kink
from verify.cases.pool import Pool
from verify.cases.small_networks import biased
from verify.cases.transformations import make_dormant
from verify.core.losses import PRESCRIBED
from verify.search.corners.numbers import (
    COINCIDENT,
    EXTREMES,
    HUGE,
    KINKS,
    ONE,
    RANK,
    SIGNS,
    SIZE,
    TIES,
    TINY,
    ZERO,
    ZEROS,
    generic,
    level,
    points_at_corners,
    rows_at_corners,
)

Cornered = tuple[str, Case]
STEEP, FLAT = leaky_relu(1 - TINY), leaky_relu(TINY)
KINDS: dict[str, tuple[Activation, ...]] = {
    "linear": (LINEAR,),
    "relu": (RELU,),
    "leaky_relu": (FLAT, STEEP),
    "abs": (ABS,),
    **{kind: (Activation(kind),) for kind in SMOOTH},
}


@lru_cache(maxsize=1)
def graphs() -> tuple[Network, ...]:
    """Small graphs: a single edge, width 1, a skip, twins, two inputs, three layers, a diamond."""
    skip = [("x", "h"), ("x", "o"), ("h", "o")]
    diamond = [("x", "a"), ("a", "b"), ("a", "c"), ("x", "c"), ("b", "o"), ("c", "o")]
    return (
        fully_connected([1, 2, 1], LINEAR),
        fully_connected([1, 1], LINEAR),
        fully_connected([2, 2, 1], LINEAR),
        fully_connected([1, 1, 1], LINEAR),
        network(skip, inputs=["x"], outputs=["o"], activations=LINEAR, title="a skip"),
        fully_connected([2, 1], LINEAR),
        fully_connected([1, 2, 2, 1], LINEAR),
        network(diamond, inputs=["x"], outputs=["o"], activations=LINEAR, title="a diamond"),
        fully_connected([2, 1, 1], LINEAR),
        fully_connected([1, 1, 1, 1], LINEAR),
    )


def dressed(pool: Pool) -> list[Network]:
    """The graphs that the pool may have, with one of its activations throughout, or with several;
    with biases where it wants them."""
    found = list(graphs())
    if pool.families == ("fully connected",):
        found = list(filter(is_fully_connected, found))
    if pool.bias is not None:
        found = [biased(net, pool.bias) for net in found]
    kinds = [kind for name in pool.activations for kind in KINDS[name]]
    manners = [[kind] for kind in kinds] + ([kinds] if len(kinds) > 1 else [])
    manners.sort(key=lambda manner: manner != [RELU])
    return [
        net.with_activations(
            dict(zip((net.names[v] for v in net.inner), cycle(manner), strict=False))
        )
        for manner in manners
        for net in found
    ]


def case_on(net: Network, n: int = 1) -> Case:
    """A case in no special position."""
    width = len(net.free_inputs)
    rows = tuple(tuple(value / (k + 1) for value in level(width)) for k in range(n))
    labels = tuple(Fraction((-1) ** k) for k in range(n))
    slopes = tuple(Fraction(-1, k + 1) for k in range(n))
    weights = generic(net.parameter_count)
    return Case(net, weights, rows, labels, PRESCRIBED, slopes, family="corner")


def corners_on(base: Case, random: Random, *, kinks: bool) -> Iterator[Cornered]:
    """Corners of a case, one thing at a time. kinks: dormant vertices and slides too."""
    net = base.network
    narrow = net.vertex_count == 1 + max(net.depths) and base.example_count == 1
    yield SIZE if narrow else TIES, base
    yield KINKS, onto_a_kink(base, random)
    for kind, rows in points_at_corners(len(net.free_inputs)):
        yield kind, with_rows(base, rows)
    if kinks:
        yield KINKS, make_dormant(base, random)
        yield KINKS, base.choosing(selection="sliding")
    for kind, weights in rows_at_corners(net.parameter_count):
        yield kind, base.with_weights(weights)
    for kind, slope in ((EXTREMES, HUGE), (EXTREMES, -TINY), (ZEROS, ZERO), (SIGNS, ONE)):
        yield kind, replace(base, slopes=(slope,) * base.example_count)
    yield SIGNS, replace(base, labels=(-ONE,) * base.example_count)
    both = with_rows(base, (base.inputs[0], base.inputs[0]))
    yield COINCIDENT, replace(both, labels=(ONE, -ONE))
    yield COINCIDENT, replace(both, slopes=(-ONE, -2 * ONE))
    for pattern in ((ONE, 2 * ONE), (ONE, 2 * ONE, 3 * ONE), (ZERO, ONE)):  # equal rows of matrices
        yield RANK, base.with_weights(tuple(islice(cycle(pattern), net.parameter_count)))
    ones = base.with_weights((ONE,) * net.parameter_count)
    yield KINKS, with_rows(ones, (base.inputs[0], tuple(-value for value in base.inputs[0])))


def with_rows(case: Case, rows: Sequence[tuple[Fraction, ...]]) -> Case:
    """The case with other examples, its labels and slopes repeated as often as there are any."""
    count = len(rows)
    return replace(
        case,
        inputs=tuple(rows),
        labels=tuple(islice(cycle(case.labels), count)),
        slopes=tuple(islice(cycle(case.slopes), count)),
    )
