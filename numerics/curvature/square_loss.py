"""The square loss of one output, for training."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.curvature.networks import LayeredNetworks
from numerics.curvature.passes import Objective, Pass, backward, forward
from numerics.curvature.products import gradient


@dataclass(frozen=True)
class SquareLoss:
    """1/2 sum_n (f(w; x_n) - y_n)^2 of the networks of a batch, at any weights.

    points (N, d_0) or (S, N, d_0); targets (N,) or (S, N). neurons: whether f is the neuron, after
    a non-linear output activation.
    """

    networks: LayeredNetworks
    points: Tensor
    targets: Tensor
    neurons: bool = False

    def values(self, flat: Tensor) -> Tensor:
        """(S,): the losses at weights (S, P)."""
        return self._rest(self._forward(flat)).square().sum(dim=(1, 2, 3)) / 2

    def gradients(self, place: list[Tensor], step: int) -> list[Tensor]:
        """The gradients (S, P), for `numerics.training`."""
        found, depth = self._forward(place[0]), self.networks.architecture.depth
        objective = Objective(depth, self._rest(found), None, self.neurons)
        return [gradient(backward(found, objective))[:, 0]]

    def _forward(self, flat: Tensor) -> Pass:
        return forward(self.networks.with_flat(flat), self.points)

    def _rest(self, found: Pass) -> Tensor:
        """(S, 1, N, outputs): f - y at the first output, 0 elsewhere."""
        values = (found.neurons if self.neurons else found.preactivations)[-1]
        rest = torch.zeros_like(values)
        rest[..., 0] = values[..., 0] - self.targets.to(values)[..., None, :]
        return rest
