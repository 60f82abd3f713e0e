"""One pass up and one down through layered networks, and both linearised (the R-operator).

For an objective g(w) = sum_n phi_n(z_v(w; x_n)) of pre-activations (or neurons) of a layer, with
p_l = s V_l f and q_l = V_l^T (s zbar) for a direction V, the R-operator (Pearlmutter 1994) goes
up with R z_l = p_l + s W R f, down with R zbar_l = sigma' R fbar + sigma'' fbar R z and
R fbar = (s W)^T R zbar_l + q_l, and the product is R(s zbar) f^T + (s zbar) R f^T, summed over
points. The direction enters by p and q alone: numerics.curvature.pointwise builds on that.

Axes: S networks, K lanes (objectives or directions of one network), N points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.curvature.activations import jet
from numerics.curvature.networks import LayeredNetworks

Chain = list[Tensor | None]


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


def row(array: Tensor) -> Tensor:
    """(S, d) as (S, 1, 1, d)."""
    return array[:, None, None, :]


def _times(array: Tensor, matrix: Tensor) -> Tensor:
    """(S, K, N, a) times (S, a, b), the lanes of a network in one product."""
    flat = torch.bmm(array.flatten(1, 2), matrix)
    return flat.view(*array.shape[:3], matrix.shape[2])


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


def _joined(
    parts: Sequence[Tensor | None], sources: Sequence[int], like: Sequence[Tensor]
) -> Tensor:
    """What a layer reads, from the parts of all layers (None is 0)."""
    found = [torch.zeros_like(like[s]) if parts[s] is None else parts[s] for s in sources]
    return found[0] if len(found) == 1 else torch.cat(found, dim=3)  # type: ignore[arg-type]  # no None is left


def _add(parts: Chain, place: int, what: Tensor) -> None:
    held = parts[place]
    parts[place] = what if held is None else held + what


def _skip_up(
    networks: LayeredNetworks, number: int, z: Tensor, neurons: Chain, before: Chain
) -> Tensor:
    """z with the skips into layer `number` added; neurons: of the layers 0 on, before: their
    pre-activations, those of the inputs being the inputs (None is 0)."""
    plain = networks.architecture.skip_from == "neurons"
    for source, (heads, tails) in networks.skip_groups[number - 1].items():
        part = neurons[source] if plain else before[source]
        if part is not None:
            z = z.index_add(3, heads, part[..., tails])
    return z


def _skip_down(
    networks: LayeredNetworks, number: int, gradient: Tensor, upstream: Chain, direct: Chain
) -> None:
    """Add the share of the skips into layer `number` to dg/df, or directly to dg/dz, of others."""
    parts = upstream if networks.architecture.skip_from == "neurons" else direct
    for source, (heads, tails) in networks.skip_groups[number - 1].items():
        if source > 0:
            width = networks.architecture.widths[source]
            share = gradient.new_zeros(*gradient.shape[:3], width)
            _add(parts, source, share.index_add(3, tails, gradient[..., heads]))


def _down(networks: LayeredNetworks, number: int, back: Tensor, upstream: Chain) -> None:
    """Hand what reaches the reads of layer `number` to its sources, the inputs excepted."""
    layer, at = networks.architecture.layers[number - 1], 0
    for source in layer.sources:
        width = networks.architecture.widths[source]
        if source > 0:
            _add(upstream, source, back[..., at : at + width])
        at += width


def forward(networks: LayeredNetworks, points: Tensor) -> Pass:
    """One pass up at points (N, d_0), (S, N, d_0) or (S, K, N, d_0); no objective yet."""
    neurons = [batched_points(networks, points)]
    before: Chain = [neurons[0]]
    slopes, seconds, reads = [], [], []
    for number, layer in enumerate(networks.architecture.layers, 1):
        reads.append(_joined(neurons, layer.sources, neurons))
        z = _times(reads[-1], networks.matrices[number - 1].mT)
        z = _skip_up(networks, number, z, list(neurons), before)
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
            _down(networks, number, _times(gradient, networks.matrices[number - 1]), upstream)
        _skip_down(networks, number, gradient, upstream, direct)

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


def linearised(
    found: Pass, p: Sequence[Tensor | None], q: Sequence[Tensor | None]
) -> tuple[Chain, Chain]:
    """R(s zbar_l) and R f read by layer l, for l = 1 to L, from p_l (S, K, N, d_l) and q_l
    (S, K, N, s_l) of the module's docstring; None is 0."""
    networks, objective = found.networks, found.objective
    layers = networks.architecture.layers
    r_neurons: Chain = [None]
    r_before: Chain = [None]
    r_reads: Chain = []
    for number, layer in enumerate(layers[: objective.layer], 1):
        z = p[number - 1]
        if any(r_neurons[source] is not None for source in layer.sources):
            r_reads.append(_joined(r_neurons, layer.sources, found.neurons))
            moved = _times(r_reads[-1], networks.matrices[number - 1].mT)  # type: ignore[arg-type]  # just set
            z = moved if z is None else z + moved
        else:
            r_reads.append(None)
        if layer.skips:
            z = torch.zeros_like(found.preactivations[number - 1]) if z is None else z
            z = _skip_up(networks, number, z, r_neurons, r_before)
        r_before.append(z)
        r_neurons.append(None if z is None else z * found.slopes[number - 1])
    r_gradients = _linearised_down(found, r_neurons, r_before, q)
    r_reads += [None] * (len(layers) - len(r_reads))
    return r_gradients, r_reads


def _linearised_down(
    found: Pass, r_neurons: Chain, r_before: Chain, q: Sequence[Tensor | None]
) -> Chain:
    networks, objective = found.networks, found.objective
    upstream: Chain = [None] * (len(q) + 1)
    direct: Chain = [None] * (len(q) + 1)
    top = (r_neurons if objective.neurons else r_before)[objective.layer]
    if objective.curvatures is not None and top is not None:
        seed = objective.curvatures.to(networks.device) * top
        (upstream if objective.neurons else direct)[objective.layer] = seed
    r_gradients: Chain = [None] * len(q)
    for number in range(objective.layer, 0, -1):
        gradient, above, z = direct[number], upstream[number], r_before[number]
        if above is not None:
            share = above * found.slopes[number - 1]
            gradient = share if gradient is None else gradient + share
        first = found.upstream[number - 1]
        if first is not None and z is not None:
            share = found.seconds[number - 1] * first * z
            gradient = share if gradient is None else gradient + share
        back = q[number - 1]
        if gradient is not None:
            r_gradients[number - 1] = gradient * row(networks.scales[number - 1])
            _skip_down(networks, number, gradient, upstream, direct)
            if number > 1:
                share = _times(gradient, networks.matrices[number - 1])
                back = share if back is None else back + share
        if back is not None and number > 1:
            _down(networks, number, back, upstream)
    return r_gradients


def widened(found: Pass, lanes: int) -> Pass:
    """The same one-lane pass for `lanes` directions at once."""

    def wide(parts: Sequence[Tensor | None]) -> list:
        return [None if part is None else part.expand(-1, lanes, -1, -1) for part in parts]

    return Pass(
        found.networks,
        found.objective,
        *(
            wide(parts)
            for parts in (
                found.neurons,
                found.preactivations,
                found.slopes,
                found.seconds,
                found.reads,
                found.gradients,
                found.upstream,
            )
        ),
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
