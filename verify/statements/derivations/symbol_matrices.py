"""Matrices whose entries are symbols, for arguments that expand products entry by entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from graphs.rationals import RATIONALS
from graphs.rings import ring_of
from verify.cases.array_scenes import MatrixScene

EVERY_SHAPE = "entries of products of matrices are sums of the same form for every shape"
Matrices = Mapping[str, tuple[str, str]]


class SymbolScene(MatrixScene):
    """One instance of matrices whose entries are the generators of a ring.

    axes: of each matrix; lengths: of each axis.
    """

    def __init__(self, axes: Matrices, lengths: Mapping[str, int]) -> None:
        super().__init__((), RATIONALS)
        self.shapes = {name: tuple(lengths[axis] for axis in pair) for name, pair in axes.items()}
        self.ring = ring_of(sum(m * n for m, n in self.shapes.values()))
        symbols = np.empty(len(self.ring.generators), dtype=object)
        symbols[:] = list(self.ring.generators)  # not np.array, which takes them for sequences
        ends = np.cumsum([m * n for m, n in self.shapes.values()])
        parts = zip(self.shapes.items(), np.split(symbols, ends[:-1]), strict=True)
        self.matrices = {name: part.reshape(1, *shape) for (name, shape), part in parts}

    def __getitem__(self, name: str) -> Any:
        """(1, m, n): a matrix of symbols."""
        return self.matrices[name]

    def transpose(self, matrices: Any) -> Any:
        """(1, n, m) of (1, m, n)."""
        return matrices.swapaxes(-1, -2)

    def gram(self, matrices: Any) -> Any:
        """(1, n, n): M^T M."""
        return self.transpose(matrices) @ matrices

    def equal(self, one: Any, other: Any) -> bool:
        """Whether two matrices have the same entries, in normal form."""
        return one.shape == other.shape and all(map(self.ring.is_zero, (one - other).flat))
