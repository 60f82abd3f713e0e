"""Sampled statements: what a paper says of an expectation or a long-run average.

A claim of this kind gives settings, and for each a way to draw independent values of a quantity
whose mean the statement speaks of. How many are drawn, and when they decide, is the business of
verify.methods.sampling.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np


class Relation(Enum):
    """What is said of the mean of the values. The value is the word used in summaries."""

    AT_LEAST = "at least 0"
    ZERO = "0"


@dataclass(frozen=True)
class Arm:
    """One setting in which the mean is as said.

    name: width, strength, law, input, in words. draw: of a number of replicates and a generator,
    that many independent values, (count,) float64.
    """

    name: str
    draw: Callable[[int, np.random.Generator], np.ndarray]


@dataclass(frozen=True)
class Sampled:
    """What is sampled.

    quantity: what the values are, in words. arms: the settings, by scale (0 in seconds, 1 for CI, 2
    at full size). relation: what is said of the mean. resolution: of a mean that is said to be 0,
    how narrow an interval around 0 must be to support that, and how far from 0 one that contradicts
    it. most: replicates of an arm at most, by scale. scope: what the settings share, in words.
    bounds: two numbers between which all values lie, where there are such; then the intervals hold
    whatever the law of the values is. stands_for: where the mean is not what the statement speaks
    of but stands for a limit or an order, for which one; then no mean contradicts it.
    """

    quantity: str
    arms: Callable[[int], Sequence[Arm]]
    relation: Relation = Relation.AT_LEAST
    resolution: float = 0.0
    most: tuple[int, int, int] = (16, 32, 256)
    scope: tuple[str, ...] = ()
    bounds: tuple[float, float] | None = None
    stands_for: str = ""

    def __post_init__(self) -> None:
        if self.relation is Relation.ZERO and not self.resolution > 0:
            raise ValueError(f"{self.quantity}: how near to 0 is near? resolution is missing")
        if min(self.most) < FIRST:
            raise ValueError(f"{self.quantity}: an interval needs at least {FIRST} replicates")


FIRST = 8  # replicates before the first look
