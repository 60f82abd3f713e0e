"""Example 20: its explicit networks.

They are those of reading B of the weights: the four matrices in the order printed, the first and
the last L/2 - 1 times, the others once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphs.arithmetic import rational
from graphs.rationals import RATIONALS
from verify.papers.j23.example20_cases import Numbers


@dataclass(frozen=True)
class Example:
    """The network of a case. m: L/2 - 1, how often the first and the last matrix stand."""

    m: int
    t: Any
    slope: Any

    @classmethod
    def of(cls, case: Numbers) -> Example:
        """Of the numbers of a case with an even depth."""
        return cls(case.whole("L") // 2 - 1, case.value("t"), case.value("a"))

    @property
    def weights(self) -> list[np.ndarray]:
        """W_1 to W_L in reading B."""
        down = self.t ** (-self.m)
        return self._between([[down, -down, 0]], [down**2])

    def mended(self, c: Any) -> list[np.ndarray]:
        """Weights with which the network is the function with a constant c >= 0 for every slope:
        two neurons make max(x - y, 0), sigma(u) + a sigma(-u) = (1 - a^2) max(u, 0)."""
        down = self.t ** (-self.m)
        share = c * down**2 / (1 - self.slope**2)
        return self._between([[down, -down, 0], [-down, down, 0]], [share, self.slope * share])

    def _between(self, bends: list[list[Any]], reads: list[Any]) -> list[np.ndarray]:
        """The first and the last matrices, between them neurons with these weights into and out of
        them."""
        t, one = self.t, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        none = [0] * len(reads)
        return [
            *[matrix([[t, 0, 0], [0, t, 0], [0, 0, t**-2]])] * self.m,
            matrix([*one, *bends]),
            matrix([[1, 0, 0, *none], [0, 1, 0, *none], [0, 0, 1, *reads]]),
            *[matrix([[1 / t, 0, 0], [0, 1 / t, 0], [0, 0, t**2]])] * self.m,
        ]

    def activated(self, z: np.ndarray) -> np.ndarray:
        """The leaky ReLU, entrywise."""
        return np.array([v if v >= 0 else self.slope * v for v in z], dtype=object)

    def forward(self, x: np.ndarray, weights: list[np.ndarray] | None = None) -> list[np.ndarray]:
        """alpha_0 to alpha_(L-1), and alpha~_L; with other weights where they are given."""
        found = [x]
        weights = self.weights if weights is None else weights
        for number, weight in enumerate(weights, start=1):
            z = weight @ found[-1]
            found.append(z if number == len(weights) else self.activated(z))
        return found

    @property
    def square(self) -> Any:
        """|theta|^2."""
        return sum(((w * w).sum() for w in self.weights), rational(0))


def matrix(rows: Sequence[Sequence[Any]]) -> np.ndarray:
    """A matrix of rationals."""
    result: np.ndarray = RATIONALS.array(rows)
    return result


def standing(case: Numbers) -> bool:
    """Whether there is such a network: an even depth, and t other than 0."""
    return case.whole("L") >= 2 and case.whole("L") % 2 == 0 and case.number("t") != 0
