"""Rates: how a quantity grows or falls along a ladder of sizes, and what a paper says of it.

A claim of this kind gives values at each size, drawn with a generator that is handed in, and the
exponents or growth factors that the print states. What is fitted, and when a fit supports the
claim, is the business of verify.methods.rates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

import numpy as np


class Fit(Enum):
    """What is fitted to the values v at the sizes n. The value is the word used in figures."""

    POWER = "exponent"  # the slope of log v against log n
    EXPONENTIAL = "growth"  # the slope of log v against n, the logarithm of the growth factor


@dataclass(frozen=True)
class Claimed:
    """What is printed of one quantity.

    name: as in the samples. low, high: the slope lies between these, None where no end is claimed.
    allowance: how far outside the interval may lie, since sizes are finite. correction: where the
    leading correction is known to fall like n^-correction, it is fitted beside the slope.
    """

    name: str
    low: Fraction | None
    high: Fraction | None
    allowance: Fraction = Fraction(0)
    fit: Fit = Fit.POWER
    correction: Fraction | None = None

    def __post_init__(self) -> None:
        if self.low is None and self.high is None:
            raise ValueError(f"nothing is claimed of {self.name!r}")

    def holds(self, low: float, high: float) -> bool:
        """Whether an interval lies in the claimed range and its allowance."""
        below = self.low is None or low >= self.low - self.allowance
        return below and (self.high is None or high <= self.high + self.allowance)

    def range_text(self) -> str:
        """The claimed range in words."""
        allowed = f" within {float(self.allowance):g}" if self.allowance else ""
        if self.low == self.high:
            return f"{self.low}{allowed}"
        if self.low is None or self.high is None:
            return (
                f"at least {self.low}" if self.high is None else f"at most {self.high}"
            ) + allowed
        return f"between {self.low} and {self.high}{allowed}"


Samples = Callable[[int, int, np.random.Generator], Mapping[str, np.ndarray]]
"""Of a size, a number of seeds S and a generator: by name, (S,) positive float64 values, or their
natural logarithms where the rate says so."""


@dataclass(frozen=True)
class Rate:
    """What is measured along a ladder.

    size: what the sizes are. ladders: sizes for the scales 0 (seconds), 1 (CI) and 2 (full).
    seeds: independent draws at each size, by scale. samples: the values. claimed: what is printed.
    scope: what was drawn, in words. logarithms: whether the samples are those of the values, which
    may be too large for float64.
    """

    size: str
    ladders: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
    seeds: tuple[int, int, int]
    samples: Samples
    claimed: tuple[Claimed, ...]
    scope: tuple[str, ...]
    logarithms: bool = False

    def __post_init__(self) -> None:
        for ladder in self.ladders:
            if len(ladder) < 3 or list(ladder) != sorted(set(ladder)):
                raise ValueError(f"a ladder has at least three increasing sizes: {ladder}")
        if min(self.seeds) < 2:
            raise ValueError("an interval needs at least two seeds")
