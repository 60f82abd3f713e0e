"""Losses as functions of the margin z = y nu(x), in forms that neither overflow nor cancel.

Each takes a torch tensor (any device) or anything numpy can read, and returns the same kind, in
float64.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
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
