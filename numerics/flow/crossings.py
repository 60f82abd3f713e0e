"""Where within a step of a batch pre-activations cross 0, on the cubic through both its ends."""

from __future__ import annotations

from typing import NamedTuple

import torch

SAMPLES = (0.25, 0.5, 0.75, 1.0)
"""The points of a step that are looked at on the cubic."""

BISECTIONS = 40


class Crossings(NamedTuple):
    """place: (B,), in (0, 1], where in the step the first event is, infinite where there is none;
    target: (B,) int64, the kink that has it."""

    place: torch.Tensor
    target: torch.Tensor


def cubic(
    start: torch.Tensor,
    first_rate: torch.Tensor,
    end: torch.Tensor,
    rate: torch.Tensor,
    x: torch.Tensor | float,
) -> torch.Tensor:
    """At x the cubic with these values and derivatives (by x) at 0 and 1."""
    y = 1.0 - x
    return y * y * (start * (1.0 + 2.0 * x) + first_rate * x) + x * x * (
        end * (1.0 + 2.0 * y) - rate * y
    )


def roots(
    start: torch.Tensor, first_rate: torch.Tensor, end: torch.Tensor, rate: torch.Tensor
) -> torch.Tensor:
    """For cubics that start above 0 and end below: a place where they cross."""
    return _bisected(
        (start, first_rate, end, rate), torch.zeros_like(start), torch.ones_like(start)
    )


Ends = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]


def _bisected(ends: Ends, low: torch.Tensor, high: torch.Tensor) -> torch.Tensor:
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        below = cubic(*ends, middle) < 0
        low, high = torch.where(below, low, middle), torch.where(below, middle, high)
    return high


def first_crossings(
    start: torch.Tensor,
    first_rate: torch.Tensor,
    end: torch.Tensor,
    rate: torch.Tensor,
    level: torch.Tensor,
    looked_at: torch.Tensor,
) -> Crossings:
    """The first crossing of each instance. All (B, K): values, counted positive on the side where
    they belong, and rates times the step; level: how far below 0 counts as 0; looked_at: boolean.
    """
    count = len(start)
    place = start.new_full((count,), torch.inf)
    target = torch.zeros(count, dtype=torch.int64, device=start.device)
    threshold = torch.maximum(level, -2.0 * start)  # it may start a little below, and recover
    ends = (start, first_rate, end, rate)
    low, high = torch.zeros_like(start), torch.zeros_like(start)
    open_ = looked_at
    crossed = torch.zeros_like(looked_at)
    for before, x in zip((0.0, *SAMPLES), SAMPLES, strict=False):
        now = open_ & (cubic(*ends, x) < -threshold)
        low, high = torch.where(now, before, low), torch.where(now, x, high)
        crossed, open_ = crossed | now, open_ & ~now
    where = torch.nonzero(crossed, as_tuple=True)
    if not len(where[0]):
        return Crossings(place, target)
    some = (start[where], first_rate[where], end[where], rate[where])
    found = _bisected(some, low[where], high[where])
    by_kink = torch.full_like(start, torch.inf)
    by_kink[where] = found
    return Crossings(*by_kink.min(dim=1))
