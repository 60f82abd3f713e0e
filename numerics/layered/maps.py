"""The linear maps that layers are made of, each bilinear in its weights and its argument.

B instances, n examples: arguments are (B, n, in), values (B, n, out), weights (B, *shape); every
axis of neurons is flat, channels first. All three passes of a network (values, gradients,
tangents) need no more than the three methods.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import product
from math import prod

import numpy as np
import torch
from torch.nn.functional import pad

from graphs.convolutions import output_shape


class LinearMap(ABC):
    """shape: of the weights of one instance, None where there are none. width: the size out."""

    shape: tuple[int, ...] | None
    width: int

    @abstractmethod
    def apply(self, weights: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        """(B, n, out): the value."""

    @abstractmethod
    def pull(self, weights: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
        """(B, n, in): the adjoint in the argument, applied to g (B, n, out)."""

    @abstractmethod
    def outer(self, g: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        """(B, *shape): the adjoint in the weights, summed over the examples."""


class Full(LinearMap):
    """A matrix, width x size."""

    def __init__(self, size: int, width: int) -> None:
        self.shape, self.width = (width, size), width

    def apply(self, weights: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return torch.matmul(x, weights.mT)

    def pull(self, weights: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
        return torch.matmul(g, weights)

    def outer(self, g: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return torch.matmul(g.mT, x)


class Diagonal(LinearMap):
    """A diagonal matrix; its weights are the diagonal."""

    def __init__(self, width: int) -> None:
        self.shape, self.width = (width,), width

    def apply(self, weights: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return weights[:, None, :] * x

    def pull(self, weights: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
        return weights[:, None, :] * g

    def outer(self, g: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return (g * x).sum(dim=1)


class Identity(LinearMap):
    """The identity, without weights."""

    def __init__(self, width: int) -> None:
        self.shape, self.width = None, width

    def apply(self, weights: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return x

    def pull(self, weights: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
        return g

    def outer(self, g: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        raise TypeError("the identity has no weights")


class Filter(LinearMap):
    """A convolution, not mirrored: `y[c, i] = sum over b, a of k[c, b, a] x[b, i s - p + a d]`.

    The weights are (channels out, channels in, *kernel). Every pass only gathers, by a table of
    which place of the input each place of the filter reads: sums are always taken in one order.
    before, after: (channels, *size) in and out.

    Raises graphs.errors.NetworkError where the filter does not fit.
    """

    def __init__(
        self,
        before: tuple[int, ...],
        channels: int,
        kernel: tuple[int, ...],
        stride: tuple[int, ...],
        padding: tuple[int, ...],
        dilation: tuple[int, ...],
        circular: bool,
    ) -> None:
        positions = output_shape(before[1:], kernel, stride, padding, dilation)
        along = []
        for n, count, k, s, p, d in zip(
            before[1:], positions, kernel, stride, padding, dilation, strict=True
        ):
            seen = np.arange(count)[:, None] * s - p + np.arange(k)[None, :] * d
            along.append(seen % n if circular else np.where((seen < 0) | (seen >= n), -1, seen))
        self.before, self.after = before, (channels, *positions)
        self.sides, self.shape = kernel, (channels, before[0], *kernel)
        self.width = prod(self.after)
        self.channels, self.positions, self.places = channels, prod(positions), prod(kernel)
        self._reads = _joined_tables(along, before[1:])
        self._readers = _inverse_table(self._reads, prod(before[1:]))
        self._held: dict[tuple[str, torch.device], torch.Tensor] = {}

    def apply(self, weights: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return self._channels_first(torch.matmul(self._patches(x), self._matrix(weights).mT))

    def pull(self, weights: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
        instances, count = g.shape[:2]
        patches = torch.matmul(self._channels_last(g), self._matrix(weights))
        split = patches.view(instances, count, self.positions, self.before[0], self.places)
        cells = pad(split.transpose(2, 3).flatten(3), (0, 1))
        return cells[..., self._table("readers", g.device)].sum(dim=-1).flatten(2)

    def outer(self, g: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        found = torch.matmul(self._channels_last(g).mT, self._patches(x))
        return found.view(-1, self.channels, self.before[0], *self.sides)

    # layouts -------------------------------------------------------------------------------------
    def _matrix(self, weights: torch.Tensor) -> torch.Tensor:
        return weights.reshape(len(weights), self.channels, -1)

    def _patches(self, x: torch.Tensor) -> torch.Tensor:
        """(B, n * positions, channels in * places)."""
        instances, count = x.shape[:2]
        cells = pad(x.reshape(instances, count, self.before[0], -1), (0, 1))
        read = cells[..., self._table("reads", x.device)]
        return read.transpose(2, 3).reshape(instances, count * self.positions, -1)

    def _channels_first(self, rows: torch.Tensor) -> torch.Tensor:
        """(B, n * positions, c) to (B, n, c * positions)."""
        split = rows.view(len(rows), -1, self.positions, self.channels)
        return split.transpose(2, 3).flatten(2)

    def _channels_last(self, flat: torch.Tensor) -> torch.Tensor:
        """(B, n, c * positions) to (B, n * positions, c)."""
        split = flat.reshape(*flat.shape[:2], self.channels, self.positions)
        return split.transpose(2, 3).reshape(len(flat), -1, self.channels)

    def _table(self, which: str, device: torch.device) -> torch.Tensor:
        if (which, device) not in self._held:
            table = self._reads if which == "reads" else self._readers
            self._held[which, device] = torch.from_numpy(table).to(device)
        return self._held[which, device]


def _joined_tables(along: Sequence[np.ndarray], size: Sequence[int]) -> np.ndarray:
    """(positions, places): the flat place of the input, or their number where it is padding."""
    outs = list(product(*(range(len(table)) for table in along)))
    places = list(product(*(range(table.shape[1]) for table in along)))
    result = np.full((len(outs), len(places)), prod(size), dtype=np.int64)
    for o, out in enumerate(outs):
        for a, place in enumerate(places):
            seen = [int(t[i, k]) for t, i, k in zip(along, out, place, strict=True)]
            if min(seen) >= 0:
                result[o, a] = np.ravel_multi_index(seen, tuple(size))
    return result


def _inverse_table(reads: np.ndarray, size: int) -> np.ndarray:
    """(size, most readers): for each place of the input the cells (a position's place of the
    filter) that read it, filled up with the number of cells, where a 0 stands."""
    lists: list[list[int]] = [[] for _ in range(size)]
    for cell, place in enumerate(reads.reshape(-1)):
        if place < size:
            lists[place].append(cell)
    longest = max([1, *map(len, lists)])
    return np.array([cells + [reads.size] * (longest - len(cells)) for cells in lists])
