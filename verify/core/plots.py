"""Curves that belong to evidence: plain numbers, drawn by the reports."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

MOST_POINTS = 240


@dataclass(frozen=True)
class Curve:
    """One curve: its name and its points, x increasing, or in the order of a path in a plane."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.x) != len(self.y) or not self.x:
            raise ValueError(f"curve {self.name!r}: {len(self.x)} x for {len(self.y)} y")
        if not all(map(math.isfinite, (*self.x, *self.y))):
            raise ValueError(f"curve {self.name!r} has a point that is not finite: leave it out")


@dataclass(frozen=True)
class Plot:
    """Curves in one frame. x, y: what the axes say; x_log, y_log: whether an axis is logarithmic
    (then all its values are positive)."""

    title: str
    x: str
    y: str
    curves: tuple[Curve, ...]
    x_log: bool = False
    y_log: bool = False

    def __post_init__(self) -> None:
        for axis, logarithmic in (("x", self.x_log), ("y", self.y_log)):
            values = [v for curve in self.curves for v in getattr(curve, axis)]
            if logarithmic and any(v <= 0 for v in values):
                raise ValueError(f"plot {self.title!r}: {axis} is logarithmic and not positive")

    def to_json(self) -> dict[str, Any]:
        """As a record; `plot_from_json` reads it back."""
        curves = [{"name": c.name, "x": list(c.x), "y": list(c.y)} for c in self.curves]
        return {**asdict(self), "curves": curves}


def thinned(name: str, x: list[float], y: list[float], most: int = MOST_POINTS) -> Curve:
    """A curve of at most `most` of the points, evenly chosen, the first and the last among them;
    points that are not finite are left out."""
    points = [(a, b) for a, b in zip(x, y, strict=True) if math.isfinite(a) and math.isfinite(b)]
    if len(points) > most:
        last = len(points) - 1
        points = [points[round(k * last / (most - 1))] for k in range(most)]
    return Curve(name, tuple(a for a, _ in points), tuple(b for _, b in points))


def plot_from_json(data: Mapping[str, Any]) -> Plot:
    """The plot that `to_json` wrote."""
    curves = tuple(Curve(c["name"], tuple(c["x"]), tuple(c["y"])) for c in data["curves"])
    return Plot(**{**data, "curves": curves})
