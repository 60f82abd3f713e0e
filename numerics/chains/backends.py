"""What carries a batch of chains forward: torch here (CPU or CUDA), Numba in `compiled`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.chains import counters
from numerics.chains.laws import Law
from numerics.chains.observables import Plan, Totals, measured
from numerics.chains.steps import branch, floors, step


@dataclass(frozen=True)
class Setting:
    """What is the same for all chains of a batch, and (C,) gammas and seeds.

    gammas: float64, may be infinite. seeds: any integers, one for each chain.
    """

    law: Law
    gammas: Tensor
    seeds: tuple[int, ...]
    plan: Plan
    centred: bool = False
    shortcut: bool = False


class Chains(ABC):
    """C chains on their way. totals: what was seen so far."""

    name: str
    totals: Totals

    @abstractmethod
    def advance(self, first: int, last: int) -> None:
        """From layer `first`, where the chains are, to layer `last`."""

    @abstractmethod
    def states(self) -> Tensor:
        """(C, d, N): the present H, a copy."""


class TorchChains(Chains):
    """All chains one layer at a time, in torch."""

    name = "torch"

    def __init__(self, inputs: Tensor, setting: Setting) -> None:
        self._setting = setting
        self._hidden = inputs
        self._gammas = setting.gammas.to(inputs.device)
        self._floor = floors(setting.law, self._gammas, inputs.shape[1])
        self._keys = counters.tensor_keys(setting.seeds, inputs.device)
        self.totals = Totals.empty(len(inputs), setting.plan)

    def advance(self, first: int, last: int) -> None:
        setting, plan = self._setting, self._setting.plan
        zero_rows = torch.zeros_like(self._gammas)
        for layer in range(first, last):
            bases = counters.bases(self._keys, layer)
            added = branch(setting.law, bases, self._hidden, shortcut=setting.shortcut)
            # the input need not be normalised: what is rounding is told by its own size
            size = self._hidden.square().mean(dim=(1, 2)) if layer == 0 else 1.0
            self._hidden, zero = step(
                self._hidden, added, self._gammas, size * self._floor, centred=setting.centred
            )
            zero_rows += zero
            batch = plan.batch(layer + 1)
            if batch >= 0:
                self.totals.add(measured(self._hidden, plan).cpu().numpy(), batch)
        self.totals.zero_rows += zero_rows.cpu().numpy()

    def states(self) -> Tensor:
        return self._hidden.clone()
