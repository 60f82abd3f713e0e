"""Losses as functions of the margin z = y nu(x), in forms that neither overflow nor cancel.

Each takes a torch tensor (any device) or anything numpy can read, and returns the same kind, in
float64.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import torch

SERIES_END = 36.0
"""Beyond this margin log(1 + e^-z) and e^-z differ by less than one rounding."""


class Loss(ABC):
    """A loss l(z). differentiable: whether l'(z) exists for all z."""

    name: str
    differentiable: bool

    def value(self, margins: Any) -> Any:
        """l(z)."""
        return _apply(self._value, margins)

    def derivative(self, margins: Any) -> Any:
        """l'(z); at a kink of l, the derivative to its right."""
        return _apply(self._derivative, margins)

    def log_value(self, margins: Any) -> Any:
        """log l(z), also where l(z) itself underflows or overflows; -inf where l(z) = 0.

        Raises ValueError for a loss that takes negative values.
        """
        return _apply(self._log_value, margins)

    @abstractmethod
    def _value(self, z: torch.Tensor) -> torch.Tensor: ...

    @abstractmethod
    def _derivative(self, z: torch.Tensor) -> torch.Tensor: ...

    @abstractmethod
    def _log_value(self, z: torch.Tensor) -> torch.Tensor: ...


class Logistic(Loss):
    """log(1 + e^-z)."""

    name = "logistic"
    differentiable = True

    def _value(self, z: torch.Tensor) -> torch.Tensor:
        return torch.clamp(-z, min=0.0) + torch.log1p(torch.exp(-torch.abs(z)))

    def _derivative(self, z: torch.Tensor) -> torch.Tensor:
        small = torch.exp(-torch.abs(z))
        return -torch.where(z >= 0, small, 1.0) / (1.0 + small)

    def _log_value(self, z: torch.Tensor) -> torch.Tensor:
        return torch.where(z > SERIES_END, -z, torch.log(self._value(z)))


class Exponential(Loss):
    """e^-z. Its value and derivative overflow to infinity for z < -709; its logarithm does not."""

    name = "exponential"
    differentiable = True

    def _value(self, z: torch.Tensor) -> torch.Tensor:
        return torch.exp(-z)

    def _derivative(self, z: torch.Tensor) -> torch.Tensor:
        return -torch.exp(-z)

    def _log_value(self, z: torch.Tensor) -> torch.Tensor:
        return -z


class Squared(Loss):
    """(1 - z)^2, which for labels 1 and -1 is (y - nu)^2."""

    name = "squared"
    differentiable = True

    def _value(self, z: torch.Tensor) -> torch.Tensor:
        return (1.0 - z) ** 2

    def _derivative(self, z: torch.Tensor) -> torch.Tensor:
        return 2.0 * (z - 1.0)

    def _log_value(self, z: torch.Tensor) -> torch.Tensor:
        return 2.0 * torch.log(torch.abs(1.0 - z))


class Hinge(Loss):
    """max(1 - z, 0). It has a kink at z = 1, where `derivative` is 0."""

    name = "hinge"
    differentiable = False

    def _value(self, z: torch.Tensor) -> torch.Tensor:
        return torch.clamp(1.0 - z, min=0.0)

    def _derivative(self, z: torch.Tensor) -> torch.Tensor:
        return torch.where(z < 1.0, -1.0, 0.0).to(z)

    def _log_value(self, z: torch.Tensor) -> torch.Tensor:
        return torch.log(self._value(z))


@dataclass(frozen=True)
class Prescribed(Loss):
    """The loss with prescribed rational slopes at given margins.

    Its derivative is the broken line through the points (margins[j], slopes[j]), constant outside
    them, and it is 0 at the least of the margins. It exists for every choice of slopes, as long as
    equal margins have equal slopes.

    Raises ValueError when they have not, or when there is no margin.

    >>> Prescribed.at([Fraction(1, 2), Fraction(-1)], [Fraction(-1, 3), Fraction(2)]).slopes
    (Fraction(2, 1), Fraction(-1, 3))
    """

    margins: tuple[Fraction, ...]
    slopes: tuple[Fraction, ...]
    name = "prescribed"
    differentiable = True

    @classmethod
    def at(cls, margins: Sequence[Fraction], slopes: Sequence[Fraction]) -> Prescribed:
        """The loss through the points (margins[j], slopes[j]), given in any order."""
        if not margins or len(margins) != len(slopes):
            raise ValueError(
                f"{len(margins)} margins and {len(slopes)} slopes: give one slope for each margin"
            )
        points: dict[Fraction, Fraction] = {}
        for margin, slope in zip(map(Fraction, margins), map(Fraction, slopes), strict=True):
            if points.setdefault(margin, slope) != slope:
                raise ValueError(
                    f"slopes {points[margin]} and {slope} at the same margin {margin}: "
                    "a loss has one derivative there"
                )
        ordered = sorted(points)
        return cls(tuple(ordered), tuple(points[margin] for margin in ordered))

    def exact_derivative(self, margin: Fraction) -> Fraction:
        """l'(z) as a rational number."""
        if margin <= self.margins[0]:
            return self.slopes[0]
        for left, right, low, high in zip(
            self.margins, self.margins[1:], self.slopes, self.slopes[1:], strict=False
        ):
            if margin <= right:
                return low + (high - low) * (margin - left) / (right - left)
        return self.slopes[-1]

    def _derivative(self, z: torch.Tensor) -> torch.Tensor:
        knots, slopes, _ = self._tables(z)
        piece, share = self._locate(z, knots)
        return slopes[piece] + share * (slopes[piece + 1] - slopes[piece])

    def _value(self, z: torch.Tensor) -> torch.Tensor:
        knots, slopes, values = self._tables(z)
        piece, _ = self._locate(z, knots)
        inside = torch.minimum(torch.maximum(z, knots[0]), knots[-1])
        mean = (slopes[piece] + self._derivative(inside)) / 2
        outside = torch.where(z < knots[0], slopes[0], slopes[-1]) * (z - inside)
        return values[piece] + (inside - knots[piece]) * mean + outside

    def _log_value(self, z: torch.Tensor) -> torch.Tensor:
        raise ValueError("a prescribed loss may be negative: take its value, not its logarithm")

    def _tables(self, z: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Knots (at least two), slopes there, values there."""
        margins, slopes = list(self.margins), list(self.slopes)
        if len(margins) == 1:
            margins.append(margins[0] + 1)
            slopes.append(slopes[0])
        values = [Fraction(0)]
        for j in range(len(margins) - 1):
            step = (margins[j + 1] - margins[j]) * (slopes[j] + slopes[j + 1]) / 2
            values.append(values[-1] + step)
        tables = (
            torch.tensor([float(f) for f in part], dtype=torch.float64).to(z.device)
            for part in (margins, slopes, values)
        )
        knots, at_knots, integrals = tables
        return knots, at_knots, integrals

    @staticmethod
    def _locate(z: torch.Tensor, knots: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The piece that each z lies on, and how far along it, in [0, 1]."""
        piece = torch.clamp(torch.searchsorted(knots, z, right=True) - 1, 0, len(knots) - 2)
        width = knots[piece + 1] - knots[piece]
        return piece, torch.clamp((z - knots[piece]) / width, 0.0, 1.0)


LOGISTIC = Logistic()
EXPONENTIAL = Exponential()
SQUARED = Squared()
HINGE = Hinge()
LOSSES = {loss.name: loss for loss in (LOGISTIC, EXPONENTIAL, SQUARED, HINGE)}


def _apply(function: Callable[[torch.Tensor], torch.Tensor], margins: Any) -> Any:
    if isinstance(margins, torch.Tensor):
        return function(margins.to(torch.float64))
    array = np.asarray(margins, dtype=np.float64)
    return function(torch.from_numpy(np.atleast_1d(array))).numpy().reshape(array.shape)
