"""Weights to begin with. Every number comes from the generator that is handed in, on the CPU."""

from __future__ import annotations

from math import prod, sqrt

import numpy as np
import torch

from numerics.layered.network import LayeredNetwork


def gaussian(
    net: LayeredNetwork, instances: int, generator: np.random.Generator, gain: float = 1.0
) -> torch.Tensor:
    """(B, P): independent normal weights of mean 0 and standard deviation gain / sqrt(fan in);
    biases are 0."""
    parts = []
    for shape in net.shapes.values():
        fan = prod(shape[1:])
        drawn = generator.standard_normal((instances, prod(shape)))
        parts.append(drawn * (gain / sqrt(fan)) if len(shape) > 1 else 0 * drawn)
    return torch.from_numpy(np.concatenate(parts, axis=1))


def kaiming(
    net: LayeredNetwork, instances: int, generator: torch.Generator, biases: float = 0.0
) -> torch.Tensor:
    """(B, P): independent normal weights with variance 2 / fan in, the last layer's without the 2,
    which keeps the size of activations for ReLU, and normal biases of this standard deviation (He,
    Zhang, Ren and Sun 2015)."""
    parts = []
    for (weight, bias), last in zip(net.names, net.layers, strict=True):
        factor = sqrt((1.0 if last is net.layers[-1] else 2.0) / prod(net.shapes[weight][1:]))
        for name, deviation in ((weight, factor), (bias, biases)):
            if name is not None:
                shape = (instances, *net.shapes[name])
                drawn = torch.randn(*shape, generator=generator, dtype=torch.float64)
                parts.append((drawn * deviation).flatten(1))
    return torch.cat(parts, dim=1)
