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


def lower_jacobians(networks: DeepNetworks, found: Layers) -> list[Tensor]:
    """The Jacobians of the pre-activations of layers 1 to L: (C, N, n_l, n_0)."""
    count, points = found.outputs.shape[:2]
    first = networks.weights[0][:, None].expand(count, points, -1, -1)
    jacobians = [first]
    for weight, slope in zip(networks.weights[1:], found.slopes, strict=True):
        jacobians.append(weight[:, None] @ (slope[..., None] * jacobians[-1]))
    return jacobians


def upper_jacobians(networks: DeepNetworks, found: Layers) -> list[Tensor]:
    """The Jacobians of the outputs in the activations of layers 0 to L: (C, N, n_L, n_l); the first
    is the Jacobian of the network, the last the identity."""
    count, points, outputs = found.outputs.shape
    one = torch.eye(outputs, dtype=torch.float64, device=networks.device)
    jacobians = [one.expand(count, points, -1, -1)]
    for layer in range(networks.depth, 0, -1):
        above = jacobians[-1]
        if layer < networks.depth:
            above = above * found.slopes[layer - 1][..., None, :]
        jacobians.append(above @ networks.weights[layer - 1][:, None])
    return jacobians[::-1]


def with_slopes(upper: list[Tensor], found: Layers) -> list[Tensor]:
    """The Jacobians of the outputs in the pre-activations of layers 1 to L, (C, N, n_L, n_l), from
    those in the activations of layers 0 to L."""
    inner = zip(upper[1:-1], found.slopes, strict=True)
    return [*(above * slope[..., None, :] for above, slope in inner), upper[-1]]


def jacobians(networks: DeepNetworks, points: Tensor) -> Tensor:
    """(C, N, n_L, n_0): the Jacobians of the networks at points."""
    return lower_jacobians(networks, layers(networks, points))[-1]
