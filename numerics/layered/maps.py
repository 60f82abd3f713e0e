"""The linear maps that layers are made of, each bilinear in its weights and its argument.

B instances, n examples: arguments are (B, n, in), values (B, n, out), weights (B, *shape); every
axis of neurons is flat, channels first. A full matrix, or one whose entries are tied or absent (a
convolution is one of these): all that differs is how the matrix is made of the weights.
"""

from __future__ import annotations

from math import prod

import numpy as np
import torch
from torch.nn.functional import pad


class Full:
    """A matrix, width x size, of weights of that shape."""

    def __init__(self, width: int, size: int) -> None:
        self.shape: tuple[int, ...] = (width, size)
        self.width, self.size = width, size

    def matrix(self, weights: torch.Tensor) -> torch.Tensor:
        """(B, width, size)."""
        return weights

    def collected(self, matrices: torch.Tensor) -> torch.Tensor:
        """(B, *shape): the transpose of `matrix`."""
        return matrices


class Tied(Full):
    """A matrix whose entries are weights by number, those of one number the same; none where the
    number is -1. numbers: (width, size) integers below the product of `shape`.

    Both directions only gather, so sums are always taken in one order, on any device.
    """

    def __init__(self, numbers: np.ndarray, shape: tuple[int, ...]) -> None:
        super().__init__(*numbers.shape)
        self.shape = shape
        count = prod(shape)
        entries = [np.flatnonzero(numbers == number) for number in range(count)]
        longest = max(1, *map(len, entries))
        table = np.full((count, longest), numbers.size)  # there a 0 stands
        for number, places in enumerate(entries):
            table[number, : len(places)] = places
        self._numbers = torch.from_numpy(np.where(numbers < 0, count, numbers))
        self._entries = torch.from_numpy(table)

    def matrix(self, weights: torch.Tensor) -> torch.Tensor:
        return pad(weights.flatten(1), (0, 1))[:, self._numbers.to(weights.device)]

    def collected(self, matrices: torch.Tensor) -> torch.Tensor:
        entries = pad(matrices.flatten(1), (0, 1))[:, self._entries.to(matrices.device)]
        return entries.sum(dim=2).view(-1, *self.shape)
