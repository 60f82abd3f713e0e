"""Networks along a segment between two points: where they bend, how near they come to an output.

Between two breakpoints every pre-activation is linear along the segment, so that the image of the
segment is a path of straight pieces, exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from graphs.arithmetic import as_fraction, rational
from verify.kinds.deep.networks import Deep, tensor_of
from verify.kinds.deep.scene import DeepScene


def between(one: Sequence[Any], other: Sequence[Any], t: Any) -> list[Any]:
    """one + t (other - one)."""
    return [a + (b - a) * t for a, b in zip(one, other, strict=True)]


def breakpoints(case: Deep, start: Sequence[Any], end: Sequence[Any]) -> list[Any]:
    """All t of [0, 1], 0 and 1 among them, between which every pre-activation is linear at
    x(t) = start + t (end - start)."""
    times = [rational(0), rational(1)]
    values = [list(map(rational, start)), list(map(rational, end))]
    slope = rational(case.number("a"))
    for layer in range(1, case.depth):
        weight, bias = case.matrix(f"W{layer}"), case.matrix(f"b{layer}")
        pre = [list(weight @ np.array(value, dtype=object) + bias) for value in values]
        for neuron in range(len(bias)):
            crossings = []
            for k in range(len(times) - 1):
                low, high = pre[k][neuron], pre[k + 1][neuron]
                if low * high < 0:
                    share = low / (low - high)
                    crossings.append((k, share))
            for k, share in reversed(crossings):
                crossing = between(pre[k], pre[k + 1], share)
                times.insert(k + 1, times[k] + (times[k + 1] - times[k]) * share)
                pre.insert(k + 1, crossing)
        values = [[z if z >= 0 else z * slope for z in row] for row in pre]
    return times


def at_points(case: Deep, points: Sequence[Sequence[Any]]) -> DeepScene:
    """The exact scene of the network at other points."""
    rows = np.array([list(point) for point in points], dtype=object)
    exact = np.frompyfunc(as_fraction, 1, 1)(rows)
    return Deep({**case.arrays, "X": tensor_of(("N", "n0"), exact)}).exact


def nearest_on_segment(case: Deep, start: int, end: int) -> list[Fraction]:
    """For each i the least |f(x) - y_i|^2 over the segment between two points."""
    points = case.matrix("X")
    times = breakpoints(case, points[start], points[end])
    on_segment = at_points(case, [between(points[start], points[end], t) for t in times])
    path = [[as_fraction(v) for v in row] for row in on_segment.outputs[0]]
    targets = [[as_fraction(v) for v in row] for row in case.exact.outputs[0]]
    return [min(distance_to_piece(y, a, b) for a, b in pairwise(path)) for y in targets]


def distance_to_piece(
    y: Sequence[Fraction], a: Sequence[Fraction], b: Sequence[Fraction]
) -> Fraction:
    """The squared distance of y from the segment [a, b]."""
    along = [q - p for p, q in zip(a, b, strict=True)]
    off = [q - p for p, q in zip(a, y, strict=True)]
    size = sum(d * d for d in along)
    if not size:
        return sum((o * o for o in off), Fraction(0))
    t = min(
        max(sum(p * q for p, q in zip(along, off, strict=True)) / size, Fraction(0)), Fraction(1)
    )
    return sum(((o - t * d) ** 2 for o, d in zip(off, along, strict=True)), Fraction(0))


def steepest_piece(case: Deep, start: int, end: int) -> Any:
    """The largest |Jf|_op^2 on the pieces of the segment between two points, in the middle of each:
    a rational or algebraic number."""
    points = case.matrix("X")
    times = breakpoints(case, points[start], points[end])
    middles = [between(points[start], points[end], (a + b) / 2) for a, b in pairwise(times)]
    scene = at_points(case, middles)
    (found, *rest) = (scene.norm_squared(scene.jacobian(at))[0] for at in range(len(middles)))
    for norm in rest:
        found = norm if norm > found else found
    return found
