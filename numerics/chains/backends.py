"""What carries a batch of chains forward: torch here (CPU or CUDA), Numba in `compiled`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.chains import counters
from numerics.chains.laws import Law
from numerics.chains.observables import Plan, Totals, measured
from numerics.chains.steps import step

TOGETHER = 256
"""So many observed layers leave the device at once: a transfer waits for all that was asked."""


@dataclass(frozen=True)
class Setting:
    """What is the same for all chains of a batch, and (C,) gammas and seeds.

    gammas: float64, may be infinite. seeds: any integers, one for each chain. probes: what of
    H_l = A_l V is read off the coefficients A_l (C, d, k), as (C, k, 1 + q): A p is the mean of
    each row for the first probe p, and the q columns of H that are measured for the others.
    """

    law: Law
    gammas: Tensor
    seeds: tuple[int, ...]
    probes: Tensor
    plan: Plan


class ChainBatch(ABC):
    """C chains on their way."""

    name: str

    @property
    @abstractmethod
    def totals(self) -> Totals:
        """What was seen so far."""

    @abstractmethod
    def advance(self, first: int, last: int) -> None:
        """From layer `first`, where the chains are, to layer `last`."""

    @abstractmethod
    def states(self) -> Tensor:
        """(C, d, k): the present coefficients of H, a copy."""


class TorchChains(ChainBatch):
    """All chains one layer at a time, in torch."""

    name = "torch"

    def __init__(self, coefficients: Tensor, setting: Setting) -> None:
        self._setting = setting
        self._hidden = coefficients
        self._gammas = setting.gammas.to(coefficients.device)
        self._keys = counters.tensor_keys(setting.seeds, coefficients.device)
        self._totals = Totals.empty(len(coefficients), setting.plan)

    @property
    def totals(self) -> Totals:
        return self._totals

    def advance(self, first: int, last: int) -> None:
        setting, plan = self._setting, self._setting.plan
        zero_rows, d = torch.zeros_like(self._gammas), self._hidden.shape[1]
        seen: list[tuple[int, Tensor]] = []
        for layer in range(first, last):
            bases = counters.bases(self._keys, layer)
            added = counters.weights(setting.law, bases, d, d) @ self._hidden
            self._hidden, zero = step(self._hidden, added, self._gammas)
            zero_rows += zero
            batch = plan.batch(layer + 1)
            if batch >= 0:
                seen.append((batch, measured(self._hidden, setting.probes, plan)))
            if seen and (len(seen) == TOGETHER or layer == last - 1):
                values = torch.stack([one for _, one in seen]).cpu().numpy()
                for (number, _), of_layer in zip(seen, values, strict=True):
                    self._totals.add(of_layer, number)
                seen.clear()
        self._totals.zero_rows += zero_rows.cpu().numpy()

    def states(self) -> Tensor:
        return self._hidden.clone()
