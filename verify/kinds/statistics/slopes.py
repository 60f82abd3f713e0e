"""Slopes along ladders of widths, one for each seed, and what would tell their mean from a border.

A factor log^k m bends a slope by about k / log m: what is open is told together with the power of
the logarithm that would explain it, and the width from which it would show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, isfinite, log10

import numpy as np

from verify.kinds.statistics.confidence import mean_interval
from verify.kinds.statistics.exponents import LEAST, Family, Predicted

MANY = 4096  # seeds: where more are needed, wider networks are the better advice


@dataclass
class Ladder:
    """What was drawn of one family: by quantity the logarithms, (seeds, widths). bad: quantities
    with a value that has none."""

    family: Family
    widths: list[int]
    draw: Callable[[int, int, int], Mapping[str, np.ndarray]]  # width, seeds before, seeds
    logs: dict[str, np.ndarray] = field(default_factory=dict)
    seeds: int = 0

    def more_seeds(self, count: int) -> None:
        """Draw that many seeds more, at every width."""
        columns = [self._column(width, self.seeds, count) for width in self.widths]
        for name in columns[0]:
            new = np.stack([column[name] for column in columns], axis=1)
            self.logs[name] = np.concatenate([self.logs.get(name, new[:0]), new])
        self.seeds += count

    def one_wider(self, width: int) -> None:
        """Draw all seeds so far at one width more."""
        column = self._column(width, 0, self.seeds)
        self.widths.append(width)
        for name, held in self.logs.items():
            self.logs[name] = np.concatenate([held, column[name][:, None]], axis=1)

    def _column(self, width: int, before: int, count: int) -> dict[str, np.ndarray]:
        values = self.draw(width, before, count)
        found = {}
        for name, array in values.items():
            plain = np.asarray(array, dtype=float)
            if plain.shape != (count,):
                raise ValueError(f"{self.family.name}, {name}: {plain.shape} for {count} seeds")
            with np.errstate(divide="ignore", invalid="ignore"):
                found[name] = np.log(plain)
        return found


@dataclass(frozen=True)
class Told:
    """What was seen of one quantity of one family. slope: the mean over the seeds, low and high:
    its interval; spread: the standard deviation of the slopes over the seeds; holds: True, False
    or None as in Predicted.holds; error: that of its interval. widths, logs: as they were."""

    family: str
    said: Predicted
    slope: float
    low: float
    high: float
    spread: float
    holds: bool | None
    error: float
    widths: tuple[int, ...]
    logs: np.ndarray

    @property
    def name(self) -> str:
        """Which quantity of which family."""
        return f"{self.family}: {self.said.quantity}"

    @property
    def interval(self) -> str:
        """The slope with its interval, in words."""
        return f"{self.slope:.3f} ({self.low:.3f} to {self.high:.3f})"


def look(ladder: Ladder, said: Predicted, error: float) -> Told:
    """The slopes of one quantity as they are now."""
    logs, widths = ladder.logs[said.quantity], tuple(ladder.widths)
    held = (ladder.family.name, said)
    if not np.isfinite(logs).all():
        nan = float("nan")
        return Told(*held, nan, -inf, inf, nan, None, error, widths, logs)
    slopes = slopes_of(widths, logs)
    low, high = mean_interval(slopes, error)
    spread = float(slopes.std(ddof=1))
    holds = said.holds(low, high)
    return Told(*held, float(slopes.mean()), low, high, spread, holds, error, widths, logs)


def slopes_of(widths: Sequence[float], logs: np.ndarray) -> np.ndarray:
    """(S,): least-squares slopes of logs (S, widths) against log widths.

    >>> slopes_of((2, 4, 8), np.log([[2.0, 4.0, 8.0]])).round(12).tolist()
    [1.0]
    """
    ruler = np.log(np.asarray(widths, dtype=float))
    ruler = ruler - ruler.mean()
    slopes: np.ndarray = (logs * ruler).sum(axis=-1) / np.square(ruler).sum()
    return slopes


# what would settle it ----------------------------------------------------------------------------
def room(one: Told) -> float:
    """How far the mean slope is from the nearer border, negative beyond it; NaN of no slope."""
    left, right = one.said.borders
    rooms = [one.slope - float(left)] if left is not None else []
    rooms += [float(right) - one.slope] if right is not None else []
    return min(rooms)


def seeds_needed(one: Told) -> float:
    """How many seeds would decide, at the spread and the mean seen; infinite where the mean itself
    is at a border or beyond it, or there is no slope."""
    far = room(one)
    if not far > 0:
        return inf
    count, standard = LEAST, np.resize([1.0, -1.0], MANY * 2) * one.spread
    while count <= MANY:
        if mean_interval(standard[:count], one.error)[1] < far:
            return count
        count *= 2
    return inf


def logarithm(one: Told) -> float:
    """The k for which m^predicted log^k m has the mean slope seen, along these widths."""
    return (one.slope - float(one.said.exponent)) / _bend(one.widths)


def _bend(widths: Sequence[float]) -> float:
    """The slope of log log m along a ladder."""
    logs = np.log(np.log(np.asarray(widths, dtype=float)))
    return float(slopes_of(widths, logs[None])[0])


def width_needed(one: Told) -> float:
    """The largest width of a ladder like this one, but further up, along which m^predicted log^k m
    has a slope between the borders, k as seen; infinite where none up to 2^200 has."""
    k, exponent = logarithm(one), float(one.said.exponent)
    left, right = (None if end is None else float(end) for end in one.said.borders)
    for doublings in range(200):
        widths = [width * 2.0**doublings for width in one.widths]
        slope = exponent + k * _bend(widths)
        if (left is None or slope > left) and (right is None or slope < right):
            return widths[-1]
    return inf


def advice(one: Told) -> str:
    """What would settle it, in words."""
    needed = seeds_needed(one)
    if isfinite(needed):
        return f"about {needed} seeds at the spread seen would settle it"
    k, width = logarithm(one), width_needed(one)
    at = "no width below 10^60" if not isfinite(width) else f"a ladder up to width {_round(width)}"
    return (
        f"a factor (log m)^{k:.1f} beside m^({one.said.exponent}) would have this slope, and "
        f"{at} would tell it from the border"
    )


def _round(width: float) -> str:
    return f"{width:.0f}" if width < 1e6 else f"10^{log10(width):.0f}"
