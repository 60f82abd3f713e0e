"""One pass up and one down through layered networks.

Axes: S networks, K lanes (objectives or directions of one network), N points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.curvature.activations import jet
from numerics.curvature.hops import Chain, down, joined, row, skip_down, skip_up, times
from numerics.curvature.networks import LayeredNetworks


@dataclass(frozen=True)
class Objective:
    """g = sum over points and vertices of phi(z) for the pre-activations z of a layer.

    layer: 1 to L. coefficients: phi', (S, K, N, d_layer), or what broadcasts to it. curvatures:
    phi'', the same shape; None is 0. neurons: whether phi is of the neurons instead.
    """

    layer: int
    coefficients: Tensor
    curvatures: Tensor | None = None
    neurons: bool = False


@dataclass(frozen=True)
class Pass:
    """What one pass up and one down hold. (S, K, N, .) throughout.

    neurons: f_0 to f_L; preactivations: z_1 to z_L; slopes, seconds: sigma' and sigma'' of the
    layers 1 to L; reads: what each layer reads; gradients: dg/dz of the layers 1 to L and
    upstream: dg/df of them, both None where g does not depend on them.
    """

    networks: LayeredNetworks
    objective: Objective
    neurons: list[Tensor]
    preactivations: list[Tensor]
    slopes: list[Tensor]
    seconds: list[Tensor]
    reads: list[Tensor]
    gradients: Chain
    upstream: Chain

    @property
    def lanes(self) -> tuple[int, int, int]:
        """(S, K, N)."""
        count, lanes, points = self.neurons[0].shape[:3]
        return count, lanes, points

    def scaled(self, number: int) -> Tensor | None:
        """s dg/dz of layer `number` (1 to L)."""
        gradient = self.gradients[number - 1]
        return None if gradient is None else gradient * row(self.networks.scales[number - 1])


def batched_points(networks: LayeredNetworks, points: Tensor) -> Tensor:
    """(S, K, N, d_0) from points (N, d_0), (S, N, d_0) or that shape (S or 1 networks).

    Raises ValueError for other shapes.
    """
    if points.ndim == 2:
        points = points[None, None]
    elif points.ndim == 3:
        points = points[:, None]
    wanted = (networks.count, networks.architecture.inputs)
    if points.ndim != 4 or points.shape[0] not in (1, wanted[0]) or points.shape[3] != wanted[1]:
        raise ValueError(f"points {tuple(points.shape)} for {wanted[0]} networks of {wanted[1]}")
    points = points.to(networks.device, torch.float64)
    return points.expand(networks.count, -1, -1, -1)


def forward(networks: LayeredNetworks, points: Tensor) -> Pass:
    """One pass up at points (N, d_0), (S, N, d_0) or (S, K, N, d_0); no objective yet."""
    neurons = [batched_points(networks, points)]
    before: Chain = [neurons[0]]
    slopes, seconds, reads = [], [], []
    for number, layer in enumerate(networks.architecture.layers, 1):
        reads.append(joined(neurons, layer.sources, neurons))
        z = times(reads[-1], networks.matrices[number - 1].mT)
        z = skip_up(networks, number, z, list(neurons), before)
        value, first, second = jet(layer.activation, z)
        neurons.append(value)
        before.append(z)
        slopes.append(first)
        seconds.append(second)
    nothing = Objective(networks.architecture.depth, neurons[-1].new_zeros(()))
    empty: Chain = [None] * len(reads)
    done = [z for z in before[1:] if z is not None]
    return Pass(networks, nothing, neurons, done, slopes, seconds, reads, empty, list(empty))


def backward(found: Pass, objective: Objective) -> Pass:
    """The pass with the gradients of an objective. Points with one lane serve all its lanes."""
    networks, layers = found.networks, found.networks.architecture.layers
    if not 1 <= objective.layer <= len(layers):
        raise ValueError(f"layer {objective.layer}: one of 1 to {len(layers)}")
    seed = objective.coefficients.to(networks.device)
    width = layers[objective.layer - 1].width
    shape = torch.broadcast_shapes(seed.shape, (*found.neurons[0].shape[:3], width))
    seed = seed.expand(shape)
    upstream: Chain = [None] * (len(layers) + 1)
    direct: Chain = [None] * (len(layers) + 1)
    (upstream if objective.neurons else direct)[objective.layer] = seed
    gradients: Chain = [None] * len(layers)
    for number in range(objective.layer, 0, -1):
        gradient, above = direct[number], upstream[number]
        if above is not None:
            share = above * found.slopes[number - 1]
            gradient = share if gradient is None else gradient + share
        if gradient is None:
            continue
        gradients[number - 1] = gradient
        if number > 1:
            down(networks, number, times(gradient, networks.matrices[number - 1]), upstream)
        skip_down(networks, number, gradient, upstream, direct)

    def lanes(parts: Sequence[Tensor]) -> list[Tensor]:
        return [part.expand(*shape[:3], part.shape[3]) for part in parts]

    return Pass(
        networks,
        objective,
        lanes(found.neurons),
        lanes(found.preactivations),
        lanes(found.slopes),
        lanes(found.seconds),
        lanes(found.reads),
        gradients,
        upstream[1:],
    )


def one_vertex(networks: LayeredNetworks, layer: int, vertex: int) -> Tensor:
    """(1, 1, 1, d_layer): the coefficients of a single vertex."""
    if not 1 <= layer <= networks.architecture.depth:
        raise ValueError(f"layer {layer}: one of 1 to {networks.architecture.depth}")
    one = torch.zeros(networks.architecture.widths[layer], dtype=torch.float64)
    one[vertex] = 1.0
    return one.to(networks.device)[None, None, None]


def at_each_point(
    networks: LayeredNetworks,
    points: Tensor,
    *,
    layer: int | None = None,
    vertex: int = 0,
    neurons: bool = False,
) -> Pass:
    """A pass with one lane for each point: its objective is z_v (or f_v) at this point alone.

    points (N, d_0) or (S, N, d_0); lanes (S, N, 1). layer: L unless given.
    """
    layer = networks.architecture.depth if layer is None else layer
    lanes = batched_points(networks, points).transpose(1, 2)
    objective = Objective(layer, one_vertex(networks, layer, vertex), None, neurons)
    return backward(forward(networks, lanes), objective)
