"""Data and a loss for a batch of layered networks: margins, risks, their gradients.

With outputs nu_1, ..., nu_K and labels y (n, K) the risk is the mean over the examples of the sum
over k of loss(y_k nu_k): for one output that of the papers, for the squared loss and labels 1 and
-1 the sum of (y_k - nu_k)^2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log

import torch

from numerics.layered.network import LayeredNetwork, State
from numerics.losses import Loss


@dataclass(frozen=True)
class Problem:
    """A network with its examples and loss.

    inputs: (n, d) for all instances or (B, n, d). labels: (n, K) or (B, n, K). Both float64.

    Raises ValueError where the shapes do not fit or a number is not finite.
    """

    network: LayeredNetwork
    inputs: torch.Tensor
    labels: torch.Tensor
    loss: Loss

    def __post_init__(self) -> None:
        for what, tensor, size in (
            ("inputs", self.inputs, self.network.inputs),
            ("labels", self.labels, self.network.outputs),
        ):
            if tensor.ndim not in (2, 3) or tensor.shape[-1] != size or not tensor.shape[-2]:
                raise ValueError(
                    f"{what} have shape {tuple(tensor.shape)}: give (examples, {size}) or "
                    f"(instances, examples, {size}), at least one example"
                )
            if tensor.dtype != torch.float64 or not bool(torch.isfinite(tensor).all()):
                raise ValueError(f"{what}: every number must be a finite float64")
        if self.inputs.shape[-2] != self.labels.shape[-2]:
            raise ValueError(
                f"{self.inputs.shape[-2]} inputs and {self.labels.shape[-2]} labels: "
                "give one label for each example"
            )

    @property
    def count(self) -> int:
        """n, the number of examples."""
        return self.inputs.shape[-2]

    def take(self, instances: torch.Tensor) -> Problem:
        """The problem of some of the instances (by number, int64)."""
        parts = {"inputs": self.inputs, "labels": self.labels}
        own = {name: tensor[instances] for name, tensor in parts.items() if tensor.ndim == 3}
        return replace(self, **own) if own else self

    def to(self, device: torch.device | str) -> Problem:
        """The same problem on another device."""
        return replace(self, inputs=self.inputs.to(device), labels=self.labels.to(device))

    # values --------------------------------------------------------------------------------------
    def state(self, weights: torch.Tensor, slopes: torch.Tensor | None = None) -> State:
        """The values at all sites, see `LayeredNetwork.forward`."""
        return self.network.forward(weights, self.inputs, slopes)

    def margins(self, weights: torch.Tensor, slopes: torch.Tensor | None = None) -> torch.Tensor:
        """(B, n, K): labels times outputs."""
        return self.labels * self.state(weights, slopes).outputs

    def risk(self, weights: torch.Tensor, slopes: torch.Tensor | None = None) -> torch.Tensor:
        """(B,): the risk."""
        return self.loss.value(self.margins(weights, slopes)).sum(dim=2).mean(dim=1)

    def log_risk(self, weights: torch.Tensor, slopes: torch.Tensor | None = None) -> torch.Tensor:
        """(B,): the logarithm of the risk, also where the risk underflows."""
        return self._log_risk(self.margins(weights, slopes))

    def _log_risk(self, margins: torch.Tensor) -> torch.Tensor:
        logs = self.loss.log_value(margins).flatten(1)
        return torch.logsumexp(logs, dim=1) - log(self.count)

    # gradients -----------------------------------------------------------------------------------
    def gradient(self, weights: torch.Tensor, slopes: torch.Tensor | None = None) -> torch.Tensor:
        """(B, P): the gradient of the risk."""
        state = self.state(weights, slopes)
        kappa = self.loss.derivative(self.labels * state.outputs) * self.labels / self.count
        return self.network.backward(weights, state, kappa)
