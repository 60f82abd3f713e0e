"""Linear pieces of bias-free piecewise-linear networks with two inputs, by chains of points.

Where no vertex has pre-activations of opposite signs at two points p and q of the plane, all of
them are linear on the segment between p and q, and by homogeneity on the cone that it spans. So a
chain of points, each two neighbours independent and not separated by any kink, spans a connected
set (the origin left out) with an interior on which the network is linear as soon as one linear
function takes its values at all points of the chain.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from graphs.arithmetic import as_fraction
from graphs.exact import evaluation_at
from graphs.network import Network

Point = tuple[Fraction, ...]
RING = 2  # points of this maximum norm are where the walk around the origin begins


def separated(
    network: Network, weights: Sequence[Fraction], points: Sequence[Point]
) -> list[Fraction | None]:
    """Of each two neighbours where on the segment between them, from 0 to 1, the first vertex, in
    topological order, with pre-activations of opposite signs changes its sign; None where there is
    none."""
    pre = evaluation_at(network, weights, points).pre
    bent = [
        [as_fraction(value) for value in pre[v]]
        for v in range(network.vertex_count)
        if len(set(network.activations[v].slopes)) == 2 and v not in network.inputs
    ]
    return [
        next((z[k] / (z[k] - z[k + 1]) for z in bent if z[k] * z[k + 1] < 0), None)
        for k in range(len(points) - 1)
    ]


def walk(network: Network, weights: Sequence[Fraction]) -> list[Point]:
    """Points in the order of their angle, once around the origin, no two neighbours separated."""
    side = [(RING, k) for k in range(-RING, RING)]
    ring = []
    for _ in range(4):
        ring += side
        side = [(-y, x) for x, y in side]
    points = [tuple(Fraction(value, 2 * RING) for value in point) for point in [*ring, ring[0]]]
    cuts = separated(network, weights, points)
    while any(cut is not None for cut in cuts):
        points = [
            point
            for (p, q), cut in zip(pairwise(points), cuts, strict=True)
            for point in ([p] if cut is None else [p, _between(p, q, cut)])
        ] + points[-1:]
        cuts = separated(network, weights, points)
    return points[:-1]


def _between(p: Point, q: Point, share: Fraction) -> Point:
    return tuple(a + share * (b - a) for a, b in zip(p, q, strict=True))


def determinant(p: Point, q: Point) -> Fraction:
    """Of two points of the plane."""
    return p[0] * q[1] - p[1] * q[0]


def linear_through(p: Point, q: Point, values: Sequence[Fraction]) -> Point:
    """The linear function, by its two coefficients, with these values at two independent points."""
    size = determinant(p, q)
    a, b = values
    return (a * q[1] - b * p[1]) / size, (b * p[0] - a * q[0]) / size


def bent_chain(network: Network, weights: Sequence[Fraction]) -> list[Point]:
    """A chain in one piece whose ends have their midpoint outside of it, the shortest on the walk
    around the origin; empty where there is none."""
    points = walk(network, weights)
    count = len(points)
    values = [as_fraction(v) for v in evaluation_at(network, weights, points).outputs[0]]
    around = [k % count for k in range(2 * count)]
    pieces: dict[Point, int] = {}  # numbered: where two neighbours have the same linear function
    linear = [
        linear_through(points[i], points[j], (values[i], values[j]))
        for i, j in pairwise(around[: count + 1])
    ]
    numbers = 2 * [pieces.setdefault(function, len(pieces)) for function in linear]
    for length in range(3, count):
        starts = [k for k in range(count) if len(set(numbers[k : k + length - 1])) == 1]
        ends = [(around[k], around[k + length - 1]) for k in starts]
        if not ends:
            break
        middles = [
            tuple((a + b) / 2 for a, b in zip(points[i], points[j], strict=True)) for i, j in ends
        ]
        found = evaluation_at(network, weights, middles).outputs[0]
        for k, (i, j), value in zip(starts, ends, found, strict=True):
            if as_fraction(value) != (values[i] + values[j]) / 2:
                return [points[m] for m in around[k : k + length]]
    return []
