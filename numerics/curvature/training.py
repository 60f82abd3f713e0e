"""Gradient descent on the square loss, all networks of a batch at once."""

from __future__ import annotations

import torch
from torch import Tensor

from numerics.curvature.networks import LayeredNetworks
from numerics.curvature.passes import Objective, Pass, backward, forward
from numerics.curvature.products import gradient


def train(
    networks: LayeredNetworks,
    points: Tensor,
    targets: Tensor,
    *,
    rate: float | Tensor,
    steps: int,
    vertex: int = 0,
    neurons: bool = False,
) -> tuple[LayeredNetworks, Tensor, Tensor]:
    """Full-batch gradient descent on 1/2 sum_n (f(w; x_n) - y_n)^2 of one output: the networks
    after the last step, and the losses (S,) before the first and after the last.

    points (N, d_0) or (S, N, d_0); targets (N,) or (S, N); rate: a number or (S,). neurons: whether
    f is the neuron, after a non-linear output activation.
    """
    level, wanted = networks.architecture.depth, targets.to(networks.device)[..., None, :]
    step = torch.as_tensor(rate, dtype=torch.float64, device=networks.device).view(-1, 1)

    def rest_of(found: Pass) -> Tensor:
        values = (found.neurons if neurons else found.preactivations)[-1]
        rest = torch.zeros_like(values)
        rest[..., vertex] = values[..., vertex] - wanted
        return rest

    found = forward(networks, points)
    rest = rest_of(found)
    first = rest.square().sum(dim=(1, 2, 3)) / 2
    for _ in range(steps):
        slope = gradient(backward(found, Objective(level, rest, None, neurons)))[:, 0]
        networks = networks.with_flat(networks.flat() - step * slope)
        found = forward(networks, points)
        rest = rest_of(found)
    return networks, first, rest.square().sum(dim=(1, 2, 3)) / 2
