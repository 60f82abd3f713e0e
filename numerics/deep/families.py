"""Random deep networks: Gaussian, orthogonal, with a shared low-rank path, with dead neurons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
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


def orthogonal(
    widths: Sequence[int],
    count: int,
    generator: torch.Generator,
    *,
    gain: float | Tensor = 1.0,
    biases: float = 0.0,
    slopes: float | Tensor = 0.0,
) -> DeepNetworks:
    """Semi-orthogonal matrices, each times the gain; biases and slopes as for `gaussian`."""
    scale = torch.as_tensor(gain, dtype=torch.float64).expand(count)
    weights, shifts = [], []
    for columns, rows in pairwise(widths):
        weights.append(_frames(generator, count, rows, columns) * scale[:, None, None])
        shifts.append(_normal(generator, count, rows) * biases)
    return DeepNetworks(tuple(weights), tuple(shifts), _slopes(slopes, count))


def low_rank(
    widths: Sequence[int],
    count: int,
    generator: torch.Generator,
    *,
    rank: int,
    noise: float = 0.0,
    biases: float = 0.0,
    slopes: float | Tensor = 0.0,
) -> DeepNetworks:
    """A path of one rank through all layers, W_l = U_l U_(l-1)^T with frames U_l of that many
    non-negative orthonormal columns (as far as widths allow), plus noise of this relative size.

    The inner frames have disjoint supports and no negative entry, so that ReLU lets the path pass
    wherever it is positive.
    """
    path = [_supported(generator, count, width, rank) for width in widths]
    weights, shifts = [], []
    for layer in range(1, len(widths)):
        rows, columns = widths[layer], widths[layer - 1]
        weight = path[layer] @ path[layer - 1].mT
        if noise:
            weight = weight + noise / sqrt(columns) * _normal(generator, count, rows, columns)
        weights.append(weight)
        shifts.append(_normal(generator, count, rows) * biases)
    return DeepNetworks(tuple(weights), tuple(shifts), _slopes(slopes, count))


def with_dead_neurons(
    networks: DeepNetworks, share: float, generator: torch.Generator
) -> DeepNetworks:
    """Some hidden neurons, each with this probability, get a bias of -10: dormant on most data."""
    shifts = list(networks.biases)
    for layer in range(networks.depth - 1):
        chosen = torch.rand(shifts[layer].shape, generator=generator) < share
        shifts[layer] = torch.where(chosen.to(networks.device), -10.0, shifts[layer])
    return DeepNetworks(networks.weights, tuple(shifts), networks.slopes)


Family = Callable[[Sequence[int], int, torch.Generator], DeepNetworks]


def mixed(widths: Sequence[int], count: int, generator: torch.Generator) -> DeepNetworks:
    """A batch of all families in equal parts, as far as the count goes: several gains, with and
    without biases, ranks 1 and 2; half of them ReLU, the others with slopes in (-1, 1)."""
    from numerics.deep.networks import stacked

    slopes = torch.rand(count, generator=generator, dtype=torch.float64) * 1.98 - 0.99
    slopes[::2] = 0.0
    gains = 0.5 + torch.rand(count, generator=generator, dtype=torch.float64)
    edges = [round(k * count / 5) for k in range(6)]
    parts = []
    for k, (start, end) in enumerate(pairwise(edges)):
        size = end - start
        if not size:
            continue
        given = {"slopes": slopes[start:end], "biases": (0.0, 0.3)[k % 2]}
        if k < 2:
            part = gaussian(widths, size, generator, gain=gains[start:end], **given)
        elif k < 4:
            part = orthogonal(widths, size, generator, gain=0.7 + 0.4 * gains[start:end], **given)
        else:
            part = low_rank(widths, size, generator, rank=1 + count % 2, noise=0.1, **given)
        if k == 1:
            part = with_dead_neurons(part, 0.2, generator)
        parts.append(part)
    return stacked(parts)


def _normal(generator: torch.Generator, *shape: int) -> Tensor:
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def _frames(generator: torch.Generator, count: int, rows: int, columns: int) -> Tensor:
    """(C, rows, columns): orthonormal rows or columns, whichever are fewer."""
    tall = _normal(generator, count, max(rows, columns), min(rows, columns))
    basis, upper = torch.linalg.qr(tall)
    basis = basis * torch.sign(upper.diagonal(dim1=1, dim2=2))[:, None, :]  # then it is uniform
    return basis if rows >= columns else basis.mT


def _supported(generator: torch.Generator, count: int, width: int, rank: int) -> Tensor:
    """(C, width, rank): column j lives on the neurons i with i % rank = j, non-negative, of norm 1;
    0 where there is no such neuron."""
    entries = _normal(generator, count, width, rank).abs()
    owner = torch.arange(width) % rank
    entries = entries * (owner[:, None] == torch.arange(rank))
    norms = torch.linalg.vector_norm(entries, dim=1, keepdim=True)
    return entries / torch.where(norms > 0, norms, 1.0)


def _slopes(slopes: float | Tensor, count: int) -> Tensor:
    return torch.as_tensor(slopes, dtype=torch.float64).expand(count).clone()
