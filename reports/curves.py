"""The geometry of a drawing: curves as points, the boxes at their ends, places along them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from reports.layout import Point


@dataclass(frozen=True)
class Box:
    """An upright rectangle: its centre and half its width and height."""

    x: float
    y: float
    half_width: float
    half_height: float

    def overlap(self, other: Box) -> float:
        """The area that two boxes share."""
        wide = self.half_width + other.half_width - abs(self.x - other.x)
        high = self.half_height + other.half_height - abs(self.y - other.y)
        return max(wide, 0.0) * max(high, 0.0)

    def holds(self, point: Point) -> bool:
        """Whether a point lies in the box."""
        return (
            abs(point[0] - self.x) <= self.half_width and abs(point[1] - self.y) <= self.half_height
        )

    def rounded_holds(self, point: Point, room: float = 0.0) -> bool:
        """Whether a point lies in the box with its ends rounded, `room` around it included."""
        beyond = max(abs(point[0] - self.x) - (self.half_width - self.half_height), 0.0)
        return math.hypot(beyond, point[1] - self.y) <= self.half_height + room


def smooth(route: Sequence[Point], steps: int = 16) -> list[Point]:
    """Points along a smooth curve through the route (Catmull-Rom); two points stay a line."""
    if len(route) == 2:
        return list(route)
    padded = [route[0], *route, route[-1]]
    points = [route[0]]
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        for step in range(1, steps + 1):
            t = step / steps
            points.append((_spline(a[0], b[0], c[0], d[0], t), _spline(a[1], b[1], c[1], d[1], t)))
    return points


def trimmed(points: Sequence[Point], tail: Box, head: Box) -> list[Point]:
    """The part of a curve outside the (rounded) boxes at its ends."""
    left = _cut(points, tail.rounded_holds)
    return _cut(left[::-1], lambda point: head.rounded_holds(point, room=2))[::-1]


def along(points: Sequence[Point], share: float) -> Point:
    """The point at a share (0 to 1) of the curve's length."""
    lengths = [math.dist(a, b) for a, b in pairwise(points)]
    left = share * sum(lengths)
    for (a, b), step in zip(pairwise(points), lengths, strict=True):
        if left <= step and step > 0:
            return _between(a, b, left / step)
        left -= step
    return points[-1]


def arrow_head(points: Sequence[Point], size: float = 8.5) -> list[Point]:
    """The three corners of the head of an arrow at the end of a curve."""
    whole = max(sum(math.dist(a, b) for a, b in pairwise(points)), 1e-9)
    (x, y), (u, v) = points[-1], along(points, max(0.0, 1 - size / whole))
    angle = math.atan2(y - v, x - u)
    sides = [
        (x + size * math.cos(angle + t), y + size * math.sin(angle + t)) for t in (2.75, -2.75)
    ]
    return [(x, y), *sides]


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    return b + t * ((c - a) + t * ((2 * a - 5 * b + 4 * c - d) + t * (3 * (b - c) + d - a))) / 2


def _cut(points: Sequence[Point], inside: Callable[[Point], bool]) -> list[Point]:
    """The curve from where it first leaves a shape, found by bisection."""
    for place, (start, end) in enumerate(pairwise(points)):
        if not inside(end):
            low, high = 0.0, 1.0
            for _ in range(20):
                middle = (low + high) / 2
                within = inside(_between(start, end, middle))
                low, high = (middle, high) if within else (low, middle)
            return [_between(start, end, high), *points[place + 1 :]]
    return list(points)


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def barbs(curve: Sequence[Point]) -> list[Point]:
    """The head of an arrow at the end of a curve, as an open line through its tip."""
    tip, left, right = arrow_head(curve)
    return [left, tip, right]


def svg_path(points: Sequence[Point]) -> str:
    """A line through points, as the path of an SVG."""
    first, *others = (f"{x:.1f},{y:.1f}".replace(".0", "") for x, y in points)
    return f"M{first}L{' '.join(others)}"
