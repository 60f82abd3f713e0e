"""Matrices of different sizes, one for each network, in one flat array.

Every block has a column for each example, and examples are innermost: that is what the compiled
kernels read and write in vector registers. Rows are padded to a multiple of eight columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch

LANES = 8
"""Columns of a block are padded to a multiple of this many."""


@dataclass(frozen=True)
class Blocks:
    """One matrix for each of C networks; block c has shape (rows[c], counts[c]).

    flat: the numbers, row after row, block after block; a row takes `strides[c]` places, of which
    the last `strides[c] - counts[c]` are padding and mean nothing. rows, counts: (C,) int64.

    >>> blocks = Blocks.of([[[1.0, 2.0, 3.0]], [[4.0], [5.0]]])
    >>> [tuple(block.shape) for block in blocks], len(blocks.flat)
    ([(1, 3), (2, 1)], 24)
    """

    flat: torch.Tensor
    rows: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(
        cls, matrices: Sequence[Any], device: torch.device | str = "cpu", repeat: bool = False
    ) -> Blocks:
        """Pack float64 matrices (C of them, (rows, columns) each).

        repeat: pad with copies of the last column instead of zeros, so that whatever is computed
        from the padding is as finite as what is computed from the data.
        """
        arrays = [np.asarray(matrix, dtype=np.float64) for matrix in matrices]
        rows = np.array([array.shape[0] for array in arrays], dtype=np.int64)
        counts = np.array([array.shape[1] for array in arrays], dtype=np.int64)
        flat = np.zeros(int(np.sum(rows * padded(counts))))
        blocks = cls(torch.from_numpy(flat), rows, counts)
        for array, start, stop in zip(arrays, blocks.offsets, blocks.offsets[1:], strict=False):
            if stop > start:
                target = flat[start:stop].reshape(len(array), -1)
                target[:, : array.shape[1]] = array
                if repeat:
                    target[:, array.shape[1] :] = array[:, -1:]
        return cls(blocks.flat.to(device), rows, counts)

    @classmethod
    def from_wide(cls, wide: torch.Tensor, rows: np.ndarray, counts: np.ndarray) -> Blocks:
        """The inverse of `wide`: from one matrix with all rows of all blocks."""
        blocks = cls(wide, rows, counts)
        if not blocks._uniform:
            strides = torch.from_numpy(blocks._row_strides).to(wide.device)
            columns = torch.arange(wide.shape[1], device=wide.device)
            wide = wide[columns < strides[:, None]]
        return cls(wide.reshape(-1), rows, counts)

    @cached_property
    def strides(self) -> np.ndarray:
        """(C,): how many places a row of each block takes."""
        return padded(self.counts)

    @cached_property
    def offsets(self) -> np.ndarray:
        """(C + 1,): where each block begins in `flat`, and where the last one ends."""
        return offsets_of(self.rows * self.strides)

    def with_flat(self, flat: torch.Tensor) -> Blocks:
        """Other numbers in blocks of the same shapes."""
        return Blocks(flat, self.rows, self.counts)

    def wide(self) -> torch.Tensor:
        """All rows of all blocks as one matrix, (sum of rows, longest stride).

        A row that is shorter than the longest repeats its last entry, padding included.
        """
        if self._uniform:
            return self.flat.view(int(np.sum(self.rows)), int(self.strides[0]))
        strides = self._row_strides
        columns = np.minimum(np.arange(int(self.strides.max())), strides[:, None] - 1)
        index = offsets_of(strides)[:-1, None] + columns
        return self.flat[torch.from_numpy(index).to(self.flat.device)]

    def valid(self) -> torch.Tensor:
        """Boolean, of the shape of `wide`: which entries are no padding."""
        counts = torch.from_numpy(np.repeat(self.counts, self.rows)).to(self.flat.device)
        columns = torch.arange(int(self.strides.max()), device=self.flat.device)
        return columns < counts[:, None]

    @property
    def _uniform(self) -> bool:
        return bool(np.all(self.strides == self.strides[0]))

    @property
    def _row_strides(self) -> np.ndarray:
        return np.repeat(self.strides, self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, c: int) -> torch.Tensor:
        """Block c without its padding, (rows[c], counts[c]); a view."""
        c = range(len(self))[c]
        block = self.flat[self.offsets[c] : self.offsets[c + 1]]
        return block.view(int(self.rows[c]), int(self.strides[c]))[:, : int(self.counts[c])]

    def __iter__(self) -> Iterator[torch.Tensor]:
        return (self[c] for c in range(len(self)))


def padded(counts: np.ndarray) -> np.ndarray:
    """The counts, rounded up to multiples of LANES."""
    return -(-counts // LANES) * LANES


def offsets_of(sizes: np.ndarray) -> np.ndarray:
    """(C + 1,) int64: where each of C consecutive pieces begins, and the end."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
