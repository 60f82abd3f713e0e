"""The matrices that the paper makes of layers (Le & Jegelka 2022, Theorem 1 and Definition 8).

`representation` is the matrix of Definition 8; `incoming` and `outgoing` are the W_1 and W_2 of
Theorem 1 at the neurons (after a convolution: the channels) between two layers.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from numerics.layered.layers import Convolution, Residual
from numerics.layered.network import LayeredNetwork


def representation(net: LayeredNetwork, weights: torch.Tensor, layer: int) -> torch.Tensor:
    """The matrix of a layer (numbered from 1) by Definition 8, with the instances in front.

    Fully connected: W itself. Convolution: (channels in, places * channels out). Residual block:
    [U Z], also where the skip is diagonal or the identity.
    """
    views = net.views(weights)
    if isinstance(net.layers[layer - 1], Convolution):
        kernel = views[f"{layer}.K"].flatten(3)
        return kernel.permute(0, 2, 3, 1).flatten(2)
    return incoming(net, weights, layer)


def incoming(net: LayeredNetwork, weights: torch.Tensor, layer: int) -> torch.Tensor:
    """W_1 at the neurons that a layer ends in: (B, width, ...), a row for each neuron.

    Fully connected: W. Convolution: (B, channels out, channels in * places), a row for each
    channel. Residual block: [U Z].
    """
    views = net.views(weights)
    kind = net.layers[layer - 1]
    if isinstance(kind, Convolution):
        return views[f"{layer}.K"].flatten(2)
    if isinstance(kind, Residual):
        return torch.cat([views[f"{layer}.U"], skip(net, weights, layer)], dim=2)
    return views[f"{layer}.W"]


def outgoing(net: LayeredNetwork, weights: torch.Tensor, layer: int) -> torch.Tensor:
    """W_2 at the neurons that a layer reads: (B, ..., size), a column for each neuron.

    Fully connected: W. Residual block: Y above Z. Behind a convolution the columns are its
    channels: for a convolution (B, places * channels out, channels in), for the others
    (B, rows * positions, channels), the columns of each channel put below each other.
    """
    views = net.views(weights)
    kind = net.layers[layer - 1]
    if isinstance(kind, Convolution):
        kernel = views[f"{layer}.K"].flatten(3)
        return kernel.permute(0, 3, 1, 2).flatten(1, 2)
    matrix = (
        torch.cat([views[f"{layer}.Y"], skip(net, weights, layer)], dim=1)
        if isinstance(kind, Residual)
        else views[f"{layer}.W"]
    )
    below = net.layers[layer - 2] if layer > 1 else None
    if isinstance(below, Convolution):
        split = matrix.view(len(matrix), matrix.shape[1], below.channels, -1)
        return split.transpose(2, 3).flatten(1, 2)
    return matrix


def skip(net: LayeredNetwork, weights: torch.Tensor, layer: int) -> torch.Tensor:
    """The skip matrix of a residual block, (B, width, a); the identity where it is that.

    Raises ValueError where the layer is no residual block.
    """
    kind = net.layers[layer - 1]
    if not isinstance(kind, Residual):
        raise ValueError(f"layer {layer} is {kind}: only residual blocks have a skip")
    views = net.views(weights)
    if kind.variant == "free":
        return views[f"{layer}.Z"]
    if kind.variant == "diagonal":
        return torch.diag_embed(views[f"{layer}.D"])
    width = next(site.width for site in net.sites if site.layer == layer and len(site.terms) == 2)
    one = torch.eye(width, dtype=weights.dtype, device=weights.device)
    return one.expand(len(weights), -1, -1)


@dataclass(frozen=True)
class Interface:
    """A place where Theorem 1 equates: before: W_1 (B, k, ...); after: W_2 (B, ..., k).

    layer: the layer that W_1 belongs to; within: whether both belong to its residual block, Y and
    U; site: the site of the k neurons (after a convolution k channels).
    """

    layer: int
    within: bool
    site: int
    before: torch.Tensor
    after: torch.Tensor

    @property
    def balance(self) -> torch.Tensor:
        """(B, k, k): W_2^T W_2 - W_1 W_1^T."""
        return self.after.mT @ self.after - self.before @ self.before.mT


def interfaces(net: LayeredNetwork, weights: torch.Tensor) -> list[Interface]:
    """All interfaces: within each residual block, and between each two consecutive layers."""
    views = net.views(weights)
    found = []
    last = {site.layer: number for number, site in enumerate(net.sites)}
    for layer, kind in enumerate(net.layers, start=1):
        if isinstance(kind, Residual):
            inner = last[layer] - 1
            pair = views[f"{layer}.Y"], views[f"{layer}.U"]
            found.append(Interface(layer, True, inner, *pair))
        if layer < len(net.layers):
            pair = incoming(net, weights, layer), outgoing(net, weights, layer + 1)
            found.append(Interface(layer, False, last[layer], *pair))
    return found


def balance_rates(
    net: LayeredNetwork, weights: torch.Tensor, velocity: torch.Tensor
) -> list[torch.Tensor]:
    """(B, k, k) for each interface: the rate of change of its balance where the weights change
    at the velocity (B, P)."""
    rates = []
    triples = zip(
        interfaces(net, weights),
        interfaces(net, velocity),
        interfaces(net, torch.zeros_like(weights)),  # what does not move: identity skips
        strict=True,
    )
    for here, moving, still in triples:
        half = here.after.mT @ (moving.after - still.after)
        half = half - here.before @ (moving.before - still.before).mT
        rates.append(half + half.mT)
    return rates
