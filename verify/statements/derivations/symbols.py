"""Symmetric matrices and vectors of symbols, for arguments in normal forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphs.rings import Ring, ring_of
from verify.core.argument import Step

FEW_INDICES = (
    "both sides are sums, over sets of at most {} indices, of what the entries at these indices "
    "give, so that identities for d up to {} are identities for every d"
)
TWO_INDICES, THREE_INDICES = (FEW_INDICES.format(*[word] * 2) for word in ("two", "three"))
SQUARES = "squares of real numbers are at least 0"


def symmetric_symbols(size: int) -> tuple[Ring, Any]:
    """A ring, and the (d, d) symmetric matrix of its generators."""
    ring = ring_of(size * (size + 1) // 2)
    found = np.empty((size, size), dtype=object)
    symbols = iter(ring.generators)
    for i in range(size):
        for j in range(i, size):
            found[i, j] = found[j, i] = next(symbols)
    return ring, found


def symbols(size: int) -> tuple[Ring, tuple[Any, ...]]:
    """A ring, and its generators."""
    ring = ring_of(size)
    return ring, ring.generators


def added(ring: Ring, terms: Sequence[Any]) -> Any:
    """Their sum; 0 of none."""
    total = ring.generators[0] * 0
    for term in terms:
        total = total + term
    return total


def trace(matrix: Any) -> Any:
    """The sum of the diagonal."""
    return sum((matrix[i, i] for i in range(1, len(matrix))), start=matrix[0, 0])


def same(ring: Ring, text: str, one: Any, other: Any) -> Step:
    """The step that two polynomials are one."""
    return Step(text, ring.is_zero(one - other))
