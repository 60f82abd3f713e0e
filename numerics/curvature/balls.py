"""How large Hessian norms become in a ball around the weights (Zhu, Liu and Belkin 2022, Theorem
3.6): ascent, which finds lower bounds of the supremum."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.curvature.networks import LayeredNetworks
from numerics.curvature.norms import NOTHING, hessian_norms
from numerics.curvature.passes import Pass, at_each_point
from numerics.curvature.products import hessian_products

DIFFERENCE = 1e-4
"""The step, over unit vectors, of the difference that gives the slope of an eigenvalue."""


@dataclass(frozen=True)
class Vertex:
    """Whose Hessian is meant: the pre-activation (or neuron) of a vertex of a layer at one point
    for each network. points: (S, 1, d_0) or (1, d_0). layer: L unless given."""

    points: Tensor
    layer: int | None = None
    vertex: int = 0
    neurons: bool = False

    def at(self, networks: LayeredNetworks) -> Pass:
        """The pass, lanes (S, 1)."""
        found = at_each_point(
            networks, self.points, layer=self.layer, vertex=self.vertex, neurons=self.neurons
        )
        if found.lanes[1] != 1:
            raise ValueError(f"points {tuple(self.points.shape)}: give one for each network")
        return found


@dataclass(frozen=True)
class Ascent:
    """What was found in the balls. networks: at the points of largest norm; norms: (S,), lower
    bounds of the norms there; start: (S,), those at the centre; distance: (S,), |w - w0|."""

    networks: LayeredNetworks
    norms: Tensor
    start: Tensor
    distance: Tensor


def norm_slopes(networks: LayeredNetworks, target: Vertex, vectors: Tensor) -> Tensor:
    """(S, P): the gradient in w of v^T H(w) v for unit vectors v (S, P), which is D^3 g[v, v], by
    a central difference of H v along v; error of second order in DIFFERENCE."""
    ends = []
    for sign in (1.0, -1.0):
        moved = networks.with_flat(networks.flat() + sign * DIFFERENCE * vectors)
        ends.append(hessian_products(target.at(moved), vectors[:, None])[:, 0])
    return (ends[0] - ends[1]) / (2 * DIFFERENCE)


def ascend(
    networks: LayeredNetworks,
    target: Vertex,
    radius: float,
    generator: torch.Generator,
    *,
    steps: int = 30,
    restarts: int = 2,
    tolerance: float = 1e-4,
) -> Ascent:
    """Projected ascent on |H(w)| in B(w0, radius): from the centre, from both ends of the leading
    eigenvector there, then from `restarts` random points of the sphere. Each step is along the
    normalised slope of the leading eigenvalue, its length halved for a network whose norm did not
    grow. Lower bounds of the supremum, never more.

    Raises ValueError where the radius is negative.
    """
    if radius < 0:
        raise ValueError(f"radius {radius}: give one that is not negative")
    centre = networks.flat()
    first, vectors = _leading(networks, target, generator, tolerance)
    best, place = first, centre
    starts = [torch.zeros_like(centre), radius * vectors, -radius * vectors]
    for _ in range(restarts):
        draws = torch.randn(centre.shape, generator=generator, dtype=torch.float64)
        draws = networks.with_flat(draws.to(networks.device)).flat()
        starts.append(radius * draws / torch.linalg.vector_norm(draws, dim=1, keepdim=True))
    for start in starts if radius > 0 else []:
        found, at = _climb(networks, target, centre, start, radius, generator, steps, tolerance)
        better = found.abs() > best.abs()
        best = torch.where(better, found, best)
        place = torch.where(better[:, None], at, place)
    distance = torch.linalg.vector_norm(place - centre, dim=1)
    return Ascent(networks.with_flat(place), best.abs(), first.abs(), distance)


def _leading(
    networks: LayeredNetworks, target: Vertex, generator: torch.Generator, tolerance: float
) -> tuple[Tensor, Tensor]:
    """(S,) the eigenvalue and (S, P) its unit vector."""
    found = hessian_norms(target.at(networks), generator, certificate=NOTHING, tolerance=tolerance)
    return found.eigenvalue[:, 0], found.leading()[:, 0]


def _climb(
    networks: LayeredNetworks,
    target: Vertex,
    centre: Tensor,
    start: Tensor,
    radius: float,
    generator: torch.Generator,
    steps: int,
    tolerance: float,
) -> tuple[Tensor, Tensor]:
    """(S,) the largest eigenvalues in magnitude that one ascent saw, and (S, P) where."""
    place = centre + start
    value, vectors = _leading(networks.with_flat(place), target, generator, tolerance)
    length = torch.full_like(value, radius / 2)
    for _ in range(steps):
        slopes = norm_slopes(networks.with_flat(place), target, vectors) * value.sign()[:, None]
        sizes = torch.linalg.vector_norm(slopes, dim=1, keepdim=True)
        slopes = slopes / torch.where(sizes > 0, sizes, 1.0)
        moved = place + length[:, None] * slopes - centre
        far = torch.linalg.vector_norm(moved, dim=1, keepdim=True) / radius
        moved = centre + moved / far.clamp(min=1.0)
        ahead, turned = _leading(networks.with_flat(moved), target, generator, tolerance)
        better = ahead.abs() > value.abs()
        value = torch.where(better, ahead, value)
        vectors = torch.where(better[:, None], turned, vectors)
        place = torch.where(better[:, None], moved, place)
        length = torch.where(better, length, length / 2)
    return value, place
