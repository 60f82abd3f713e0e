"""Weights to begin with. Every number comes from the generator that is handed in, on the CPU."""

from __future__ import annotations

from math import prod, sqrt

import numpy as np
import torch

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
