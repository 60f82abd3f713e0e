"""What one layer hands to others, on the way up and on the way down.

Axes: S networks, K lanes, N points.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from numerics.curvature.networks import LayeredNetworks

Chain = list[Tensor | None]
"""One part a layer; None is 0."""


def row(array: Tensor) -> Tensor:
    """(S, d) as (S, 1, 1, d)."""
    return array[:, None, None, :]


def times(array: Tensor, matrix: Tensor) -> Tensor:
    """(S, K, N, a) times (S, a, b), the lanes of a network in one product."""
    flat = torch.bmm(array.flatten(1, 2), matrix)
    return flat.view(*array.shape[:3], matrix.shape[2])


def joined(
    parts: Sequence[Tensor | None], sources: Sequence[int], like: Sequence[Tensor]
) -> Tensor:
    """What a layer reads, from the parts of all layers (None is 0)."""
    found = [torch.zeros_like(like[s]) if parts[s] is None else parts[s] for s in sources]
    return found[0] if len(found) == 1 else torch.cat(found, dim=3)  # type: ignore[arg-type]  # no None is left


def add(parts: Chain, place: int, what: Tensor) -> None:
    """Add to the part at a place."""
    held = parts[place]
    parts[place] = what if held is None else held + what


def skip_up(
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


def skip_down(
    networks: LayeredNetworks, number: int, gradient: Tensor, upstream: Chain, direct: Chain
) -> None:
    """Add the share of the skips into layer `number` to dg/df, or directly to dg/dz, of others."""
    parts = upstream if networks.architecture.skip_from == "neurons" else direct
    for source, (heads, tails) in networks.skip_groups[number - 1].items():
        if source > 0:
            width = networks.architecture.widths[source]
            share = gradient.new_zeros(*gradient.shape[:3], width)
            add(parts, source, share.index_add(3, tails, gradient[..., heads]))


def down(networks: LayeredNetworks, number: int, back: Tensor, upstream: Chain) -> None:
    """Hand what reaches the reads of layer `number` to its sources, the inputs excepted."""
    layer, at = networks.architecture.layers[number - 1], 0
    for source in layer.sources:
        width = networks.architecture.widths[source]
        if source > 0:
            add(upstream, source, back[..., at : at + width])
        at += width
