"""Hessian-vector products by a forward pass over a reverse one, Jacobians and tangent kernels.

Axes: S networks, K lanes (objectives or directions of one network), N points, P weights.
"""

from __future__ import annotations

import torch
from torch import Tensor

from numerics.curvature.hops import Chain, row
from numerics.curvature.linearised import linearised, widened
from numerics.curvature.networks import LayeredNetworks
from numerics.curvature.passes import Pass, at_each_point


def hessian_products(found: Pass, vectors: Tensor) -> Tensor:
    """(S, K, P): the Hessians of the objectives times vectors (S, K, P). K of the vectors may be
    any number where the pass has one lane."""
    if found.lanes[1] == 1 and vectors.shape[1] > 1:
        found = widened(found, vectors.shape[1])
    networks = found.networks
    directions = networks.spread(vectors)
    p: Chain = []
    q: Chain = []
    for number, direction in enumerate(directions, 1):
        scaled = found.scaled(number)
        p.append(found.reads[number - 1] @ direction.mT * row(networks.scales[number - 1]))
        q.append(None if scaled is None or number == 1 else scaled @ direction)
    r_gradients, r_reads = linearised(found, p, q)
    parts = []
    for number, direction in enumerate(directions, 1):
        product = torch.zeros_like(direction)
        scaled, r_gradient, r_read = (
            found.scaled(number),
            r_gradients[number - 1],
            r_reads[number - 1],
        )
        if r_gradient is not None:
            product = r_gradient.mT @ found.reads[number - 1]
        if scaled is not None and r_read is not None:
            product = product + scaled.mT @ r_read
        parts.append(product)
    return networks.collected(parts)


def gradient(found: Pass) -> Tensor:
    """(S, K, P): the gradients of the objectives."""
    count, lanes, _ = found.lanes
    parts = []
    for number, (rows, columns) in enumerate(found.networks.architecture.shapes, 1):
        scaled = found.scaled(number)
        if scaled is None:
            parts.append(found.neurons[0].new_zeros(count, lanes, rows, columns))
        else:
            parts.append(scaled.mT @ found.reads[number - 1])
    return found.networks.collected(parts)


def tangent_kernels(
    networks: LayeredNetworks,
    points: Tensor,
    *,
    layer: int | None = None,
    vertex: int = 0,
    neurons: bool = False,
) -> Tensor:
    """(S, N, N): K = J J^T of an output (or of another vertex), without forming J where no edge
    is dropped: the sum over layers of <s zbar(x), s zbar(y)> <f(x), f(y)>."""
    found = at_each_point(networks, points, layer=layer, vertex=vertex, neurons=neurons)
    count, number = found.lanes[:2]
    kernel = found.neurons[0].new_zeros(count, number, number)
    for place, mask in enumerate(networks.masks):
        scaled = found.scaled(place + 1)
        if scaled is None:
            continue
        left, right = scaled[:, :, 0], found.reads[place][:, :, 0]
        if networks.ties[place] is not None:
            rows = networks.shared_rows(place, left[..., None] * right[:, :, None, :])
            kernel += rows @ rows.mT
        elif mask is None:
            kernel += (left @ left.mT) * (right @ right.mT)
        else:
            part = (left[..., None] * right[:, :, None, :] * mask[:, None]).flatten(2)
            kernel += part @ part.mT
    return kernel


def hessians(found: Pass) -> Tensor:
    """(S, K, P, P): the Hessians of the objectives, dense, for small P; symmetric up to rounding
    as computed, column by column."""
    count, lanes, _ = found.lanes
    size = found.networks.parameter_count
    one = torch.eye(size, dtype=torch.float64, device=found.networks.device)
    if lanes == 1:  # all columns at once
        return hessian_products(found, one.expand(count, size, size))[:, None].mT
    columns = [hessian_products(found, unit.expand(count, lanes, size)) for unit in one]
    return torch.stack(columns, dim=3)


def blocks(networks: LayeredNetworks, dense: Tensor) -> list[list[Tensor]]:
    """The blocks H^(l1, l2) of dense Hessians (..., P, P), as views, by layer and layer."""
    sizes = list(networks.distinct)
    return [list(strip.split(sizes, dim=-1)) for strip in dense.split(sizes, dim=-2)]
