"""Gradient descent, and how far the tangent kernel and the Hessian norms move along it (Zhu, Liu
and Belkin 2022, Figure 2)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.curvature.networks import LayeredNetworks
from numerics.curvature.norms import leading, operator_of
from numerics.curvature.passes import Objective, at_each_point, backward, forward
from numerics.curvature.products import gradient, tangent_kernels


@dataclass(frozen=True)
class Training:
    """What was seen at T looks along gradient descent, the start included.

    looks: the T numbers of steps done. losses, kernel_changes (the spectral norm of K(w_t) - K(w_0)
    over that of K(w_0)), distances (|w_t - w_0|): (T, S). hessian_norms: (T, S), the largest over
    points, a lower bound; or None. networks: after the last step.
    """

    looks: tuple[int, ...]
    losses: Tensor
    kernel_changes: Tensor
    distances: Tensor
    hessian_norms: Tensor | None
    networks: LayeredNetworks


def train(
    networks: LayeredNetworks,
    points: Tensor,
    targets: Tensor,
    *,
    rate: float | Tensor,
    steps: int,
    every: int = 10,
    hessians: torch.Generator | None = None,
    tolerance: float = 1e-4,
    vertex: int = 0,
    neurons: bool = False,
) -> Training:
    """Full-batch gradient descent on 1/2 sum_n (f(w; x_n) - y_n)^2 of one output.

    points (N, d_0) or (S, N, d_0); targets (N,) or (S, N); rate: a number or (S,). hessians: a
    generator where Hessian norms are to be measured at each look (largest over the points).
    neurons: whether f is the neuron, after a non-linear output activation.
    """
    start, level = networks.flat(), networks.architecture.depth
    first = tangent_kernels(networks, points, vertex=vertex, neurons=neurons)
    size = torch.linalg.matrix_norm(first, ord=2)
    step = torch.as_tensor(rate, dtype=torch.float64, device=networks.device).view(-1, 1)
    looks: list[int] = []
    seen: list[list[Tensor]] = []
    for t in range(steps + 1):
        found = forward(networks, points)
        values = (found.neurons if neurons else found.preactivations)[-1]
        rest = torch.zeros_like(values)
        rest[..., vertex] = values[..., vertex] - targets.to(networks.device)[..., None, :]
        if t % every == 0 or t == steps:
            kernel = tangent_kernels(networks, points, vertex=vertex, neurons=neurons)
            change = torch.linalg.matrix_norm(kernel - first, ord=2) / size
            distance = torch.linalg.vector_norm(networks.flat() - start, dim=1)
            look = [rest.square().sum(dim=(1, 2, 3)) / 2, change, distance]
            if hessians is not None:
                one = at_each_point(networks, points, vertex=vertex, neurons=neurons)
                ritz = leading(operator_of(one), hessians, tolerance=tolerance)
                look.append(ritz.value.abs().amax(dim=1))
            looks.append(t)
            seen.append(look)
        if t < steps:
            slope = gradient(backward(found, Objective(level, rest, None, neurons)))[:, 0]
            networks = networks.with_flat(networks.flat() - step * slope)
    figures = [torch.stack(column) for column in zip(*seen, strict=True)]
    norms = figures[3] if hessians is not None else None
    return Training(tuple(looks), figures[0], figures[1], figures[2], norms, networks)
