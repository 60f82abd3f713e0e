"""What the batched integrator sees of networks: velocities and pre-activations on a pattern.

A batch has B instances with up to P weights, N outputs on examples and K kinks each: pairs of a
vertex whose activation has two slopes and an example. Shorter rows are padded, and masks say so.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch

from numerics.losses import Loss
from numerics.tails import log_slope


class Evaluation(NamedTuple):
    """velocity (B, P); pre: the pre-activations at the kinks (B, K); log_risk, log_scale: (B,), the
    logarithms of the risk and of the mean of |l'|; state: what `rates` needs."""

    velocity: torch.Tensor
    pre: torch.Tensor
    log_risk: torch.Tensor
    log_scale: torch.Tensor
    state: Any


@dataclass(frozen=True)
class Places:
    """Where the kinks of one instance are: shape (vertices, examples); kinks, vertices, examples:
    their numbers, one for each kink."""

    shape: tuple[int, int]
    kinks: np.ndarray
    vertices: np.ndarray
    examples: np.ndarray


@dataclass(frozen=True)
class Problems:
    """The tables of a field. labels, valid: (B, N); counts: (B,), the numbers of examples.
    left, right, kinks: (B, K), the slopes and whether there is a kink. sizes: (B,), the numbers
    of weights; factors: (B, P), 0 in the padding."""

    labels: torch.Tensor
    valid: torch.Tensor
    counts: torch.Tensor
    left: torch.Tensor
    right: torch.Tensor
    kinks: torch.Tensor
    sizes: torch.Tensor
    factors: torch.Tensor


class Field(ABC):
    """-factors * gradient of the risk - decay * w, on the clock "time"; with loss_clock the same
    divided by the mean of |l'|. The activation pattern is prescribed by slopes (B, K)."""

    def __init__(self, tables: Problems, loss: Loss, loss_clock: bool, decay: float) -> None:
        self.tables, self.loss = tables, loss
        self.loss_clock, self.decay = loss_clock, decay

    def __len__(self) -> int:
        return len(self.tables.labels)

    @abstractmethod
    def take(self, instances: torch.Tensor) -> Field:
        """The field of some of the instances, by number."""

    @abstractmethod
    def places(self, instance: int) -> Places:
        """Where the kinks of an instance are."""

    @abstractmethod
    def _forward(self, weights: torch.Tensor, slopes: torch.Tensor) -> tuple[Any, torch.Tensor]:
        """A state, and the outputs (B, N)."""

    @abstractmethod
    def _pre(self, state: Any) -> torch.Tensor:
        """(B, K)."""

    @abstractmethod
    def _pull(self, weights: torch.Tensor, state: Any, cotangents: torch.Tensor) -> torch.Tensor:
        """(B, P): the gradient of the sum of cotangents (B, N) * outputs."""

    @abstractmethod
    def rates(self, weights: torch.Tensor, state: Any, direction: torch.Tensor) -> torch.Tensor:
        """(B, K): the rates of change of the pre-activations along the direction (B, P)."""

    def evaluate(self, weights: torch.Tensor, slopes: torch.Tensor) -> Evaluation:
        """The velocity and what belongs to it."""
        tables = self.tables
        state, outputs = self._forward(weights, slopes)
        margins = tables.labels * outputs
        signs, logs = log_slope(self.loss, margins)
        log_counts = torch.log(tables.counts)
        log_scale = self._log_sum(logs) - log_counts
        log_risk = self._log_sum(self.loss.log_value(margins)) - log_counts
        shift = log_scale if self.loss_clock else torch.zeros_like(log_scale)
        kappa = signs * torch.exp(logs - (shift + log_counts)[:, None]) * tables.labels
        cotangents = torch.where(tables.valid, kappa, 0.0)
        velocity = -tables.factors * self._pull(weights, state, cotangents)
        if self.decay:
            velocity = velocity - self.decay * weights
        return Evaluation(velocity, self._pre(state), log_risk, log_scale, state)

    def _log_sum(self, logs: torch.Tensor) -> torch.Tensor:
        return torch.logsumexp(torch.where(self.tables.valid, logs, -torch.inf), dim=1)
