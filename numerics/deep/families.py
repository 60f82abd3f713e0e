"""Random deep networks: Gaussian, orthogonal, with a shared low-rank path, with dead neurons."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import torch
from torch import Tensor

from numerics.deep.networks import DeepNetworks


def gaussian(
    widths: Sequence[int],
    count: int,
    generator: torch.Generator,
    *,
    gain: float | Tensor = 1.0,
    biases: float = 0.0,
    slopes: float | Tensor = 0.0,
) -> DeepNetworks:
    """Independent normal weights with variance gain^2 2 / n_(l-1), the last layer's without the 2
    (which keeps the size of activations at gain 1 for ReLU), and normal biases.

    gain: a number or (C,); biases: their standard deviation; slopes: a number or (C,).
    """
    scale = torch.as_tensor(gain, dtype=torch.float64).expand(count)
    weights, shifts = [], []
    for layer in range(1, len(widths)):
        rows, columns = widths[layer], widths[layer - 1]
        factor = sqrt((2.0 if layer < len(widths) - 1 else 1.0) / columns)
        normal = _normal(generator, count, rows, columns)
        weights.append(normal * (factor * scale[:, None, None]))
        shifts.append(_normal(generator, count, rows) * biases)
    return DeepNetworks(tuple(weights), tuple(shifts), _slopes(slopes, count))


def _normal(generator: torch.Generator, *shape: int) -> Tensor:
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def _slopes(slopes: float | Tensor, count: int) -> Tensor:
    return torch.as_tensor(slopes, dtype=torch.float64).expand(count).clone()
