"""Values, slopes and Jacobians of all layers at points, in one pass up and one down."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.deep.networks import DeepNetworks


@dataclass(frozen=True)
class Layers:
    """What the layers hold at N points. preactivations: L tensors (C, N, n_l), the last one the
    outputs. activations: L tensors, of the layers 0 (the points) to L-1. slopes: L-1 tensors
    (C, N, n_l), the diagonals of D_1 to D_(L-1); 1 at a pre-activation that is 0."""

    preactivations: tuple[Tensor, ...]
    activations: tuple[Tensor, ...]
    slopes: tuple[Tensor, ...]

    @property
    def outputs(self) -> Tensor:
        """(C, N, n_L)."""
        return self.preactivations[-1]


def batched_points(networks: DeepNetworks, points: Tensor) -> Tensor:
    """(C, N, n_0) from points of that shape or, the same for all networks, (N, n_0)."""
    if points.ndim == 2:
        points = points.expand(networks.count, *points.shape)
    if points.shape[0] != networks.count or points.shape[2] != networks.widths[0]:
        raise ValueError(
            f"points {tuple(points.shape)} for {networks.count} networks of {networks.widths[0]} "
            "inputs: give (networks, points, inputs) or (points, inputs)"
        )
    return points.to(networks.device, torch.float64)


def layers(networks: DeepNetworks, points: Tensor) -> Layers:
    """Pre-activations, activations and slopes at points (C, N, n_0) or (N, n_0)."""
    activations, preactivations, slopes = [batched_points(networks, points)], [], []
    below = networks.slopes[:, None, None]
    for weight, bias in zip(networks.weights, networks.biases, strict=True):
        z = torch.baddbmm(bias[:, None, :], activations[-1], weight.mT)
        preactivations.append(z)
        if len(preactivations) < networks.depth:
            slopes.append(torch.where(z >= 0, 1.0, below))
            activations.append(z * slopes[-1])
    return Layers(tuple(preactivations), tuple(activations), tuple(slopes))
