"""The matrices that the paper makes of layers (Le & Jegelka 2022, Theorem 1 and Definition 8).

`representation` is the matrix of Definition 8; `incoming` and `outgoing` are the W_1 and W_2 of
Theorem 1 at the neurons (after a convolution: the channels) between two layers.
"""

from __future__ import annotations

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
