"""Weights to begin with. Every number comes from the generator that is handed in, on the CPU."""

from __future__ import annotations

from itertools import pairwise
from math import prod, sqrt

import numpy as np
import torch

from numerics.layered.layers import Dense
from numerics.layered.network import LayeredNetwork


def gaussian(
    net: LayeredNetwork, instances: int, generator: np.random.Generator, gain: float = 1.0
) -> torch.Tensor:
    """(B, P): independent normal weights of mean 0 and standard deviation gain / sqrt(fan in),
    the fan in of a diagonal skip being 1."""
    parts = []
    for shape in net.shapes.values():
        fan = prod(shape[1:])
        drawn = generator.standard_normal((instances, prod(shape)))
        parts.append(drawn * (gain / sqrt(fan)))
    return torch.from_numpy(np.concatenate(parts, axis=1))


def balanced(
    net: LayeredNetwork, instances: int, generator: np.random.Generator, size: float
) -> torch.Tensor:
    """(B, P): fully connected layers of rank one, `W_j = size u_{j+1} u_j^T` with random unit
    vectors u_j, so that `W_{j+1}^T W_{j+1} = W_j W_j^T` for consecutive layers.

    Raises ValueError where a layer is not fully connected.
    """
    if not all(isinstance(layer, Dense) for layer in net.layers):
        raise ValueError(f"{net} has layers that are not fully connected: use `gaussian`")
    widths = [net.sites[0].width, *(site.width for site in net.sites[1:])]
    vectors = []
    for width in widths:
        drawn = generator.standard_normal((instances, width))
        vectors.append(drawn / np.linalg.norm(drawn, axis=1, keepdims=True))
    parts = [
        size * (after[:, :, None] * before[:, None, :]).reshape(instances, -1)
        for before, after in pairwise(vectors)
    ]
    return torch.from_numpy(np.concatenate(parts, axis=1))
