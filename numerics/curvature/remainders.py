"""How far a network is from its linearisation in a ball around the weights (Zhu, Liu and Belkin
2022, equation (10)), and how far its Hessian moves there.

Suprema over the ball are approached from below, never more: from d one goes to the sphere in the
direction d / |d| + s / |s|, where s is the slope of |f - f_lin|; for a quadratic f that is power
iteration with the Hessian, shifted so that eigenvalues of both signs do not keep it turning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from numerics.curvature.balls import Vertex
from numerics.curvature.networks import LayeredNetworks
from numerics.curvature.products import gradient, hessian_products

KINK_SHARES = 48
"""Distances from the kinks that are tried, a factor 2^(1/4) apart."""


@dataclass(frozen=True)
class Linearisation:
    """f(w0) (S,) and its gradient there (S, P), for one vertex at one point a network."""

    networks: LayeredNetworks
    target: Vertex
    value: Tensor
    slope: Tensor

    def remainder(self, moves: Tensor) -> tuple[Tensor, Tensor]:
        """(S,): f(w0 + d) - f_lin(w0 + d), and (S, P): its gradient in d, at moves d (S, P)."""
        value, slope = _value_and_slope(
            self.networks.with_flat(self.networks.flat() + moves), self.target
        )
        linear = self.value + (self.slope * moves).sum(dim=1)
        return value - linear, slope - self.slope


def linearisation(networks: LayeredNetworks, target: Vertex) -> Linearisation:
    """f_lin of the vertex."""
    return Linearisation(networks, target, *_value_and_slope(networks, target))


def _value_and_slope(networks: LayeredNetworks, target: Vertex) -> tuple[Tensor, Tensor]:
    found = target.at(networks)
    layer = networks.architecture.depth if target.layer is None else target.layer
    values = found.neurons[layer] if target.neurons else found.preactivations[layer - 1]
    return values[:, 0, 0, target.vertex], gradient(found)[:, 0]


def largest_remainder(
    linear: Linearisation, radius: float, starts: Sequence[Tensor], steps: int = 8
) -> tuple[Tensor, Tensor]:
    """(S,): the largest |f - f_lin| that was seen in B(w0, radius), and (S, P): at which move.

    starts: moves (S, P), put to length `radius`; each is followed for that many steps.
    """
    count = linear.networks.count
    best = linear.value.new_zeros(count)
    place = torch.zeros_like(linear.slope)
    for start in starts:
        move = on_sphere(start, radius)
        for _ in range(steps + 1):
            rest, slope = linear.remainder(move)
            better = rest.abs() > best
            best = torch.where(better, rest.abs(), best)
            place = torch.where(better[:, None], move, place)
            ahead = on_sphere(slope * rest.sign()[:, None], radius)
            move = on_sphere(move + ahead, radius)
    return best, place


def on_sphere(moves: Tensor, radius: float) -> Tensor:
    """Moves (S, P) of length `radius`; 0 stays 0."""
    norms = torch.linalg.vector_norm(moves, dim=1, keepdim=True)
    return radius * moves / torch.where(norms > 0, norms, 1.0)


def kink_moves(linear: Linearisation, radius: float) -> list[Tensor]:
    """For each hidden layer and each sign a move (S, P) of length at most `radius` that takes the
    neurons of the layer that are nearest to their kink at 0, and that the output weighs with this
    sign, as far beyond it as they were before it: there the linearisation of ReLU fails most.

    Raises ValueError where edges share weights.
    """
    networks = linear.networks
    found = linear.target.at(networks)
    moves = []
    for number in range(1, networks.architecture.depth):
        above = found.upstream[number - 1]
        if above is None:
            continue
        z, reads = found.preactivations[number - 1][:, 0, 0], found.reads[number - 1][:, 0, 0]
        mask = networks.masks[number - 1]
        edges = z.new_ones(1, *networks.weights[number - 1].shape[1:]) if mask is None else mask
        parents = edges * reads[:, None, :]  # (S, d_l, s_l): what moves z, beside the scale
        lengths = networks.scales[number - 1] * torch.linalg.vector_norm(parents, dim=2)
        for sign in (1.0, -1.0):
            chosen = (above[:, 0, 0] * sign > 0) & (lengths > 0)
            sizes = _nearest(z, lengths, chosen, radius)
            unit = parents / torch.linalg.vector_norm(parents, dim=2, keepdim=True).clamp(
                min=1e-300
            )
            steps = -z.sign()[..., None] * sizes[..., None] * unit
            weights = list(networks.weights)
            weights[number - 1] = weights[number - 1] + steps
            moves.append(replace(networks, weights=tuple(weights)).flat() - networks.flat())
    return moves


def _nearest(z: Tensor, lengths: Tensor, chosen: Tensor, radius: float) -> Tensor:
    """(S, d): how far each neuron's weights move, 2 epsilon over the length of what moves z for
    those within epsilon of 0, with the largest epsilon of a grid that costs at most `radius`."""
    best = torch.zeros_like(z)
    for k in range(KINK_SHARES):
        epsilon = 2.0 ** (-k / 4) * 4.0
        near = chosen & (z.abs() < epsilon)
        sizes = torch.where(near, 2 * epsilon / torch.where(lengths > 0, lengths, 1.0), 0.0)
        cost = torch.linalg.vector_norm(sizes, dim=1)
        fits = (cost <= radius) & (torch.linalg.vector_norm(best, dim=1) == 0)
        best = torch.where(fits[:, None], sizes, best)
    return best


def hessian_change(
    networks: LayeredNetworks,
    moved: LayeredNetworks,
    target: Vertex,
    generator: torch.Generator,
    *,
    steps: int = 24,
) -> Tensor:
    """(S,): |H(w) - H(w0)|, from below, by power iteration on H(w) - H(w0) from a random start:
    |(H(w) - H(w0)) v| for unit v grows at each step."""
    here, there = target.at(networks), target.at(moved)
    draws = torch.randn(networks.flat().shape, generator=generator, dtype=torch.float64)
    unit = on_sphere(networks.with_flat(draws.to(networks.device)).flat(), 1.0)
    for _ in range(steps):
        vectors = unit[:, None]
        product = (hessian_products(there, vectors) - hessian_products(here, vectors))[:, 0]
        unit = on_sphere(product, 1.0)
    return torch.linalg.vector_norm(product, dim=1)
