"""Exact linear algebra on small matrices: numpy object arrays of rationals."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphs.algebraic import largest_root
from graphs.arithmetic import rational


def characteristic_polynomial(matrix: np.ndarray) -> list[Any]:
    """det(x - M) of a square matrix of rationals: n + 1 coefficients, from the constant one up.

    The Faddeev-LeVerrier recursion: M_k = M M_(k-1) + c_(n-k+1), c_(n-k) = -tr(M M_k) / k.

    >>> from graphs.arithmetic import RATIONALS
    >>> [int(c) for c in characteristic_polynomial(RATIONALS.array([[2, 1], [1, 1]]))]
    [1, -3, 1]
    """
    size = len(matrix)
    coefficients = [rational(0)] * size + [rational(1)]
    identity = np.full((size, size), rational(0), dtype=object)
    for i in range(size):
        identity[i, i] = rational(1)
    auxiliary = identity
    for k in range(1, size + 1):
        product = matrix @ auxiliary
        trace = sum((product[i, i] for i in range(size)), rational(0))
        coefficients[size - k] = trace / -k
        auxiliary = product + identity * coefficients[size - k]
    return coefficients


def largest_eigenvalue(matrix: np.ndarray) -> Any:
    """Of a symmetric matrix of rationals: a rational, or graphs.algebraic.Algebraic.

    Raises ValueError where the matrix is not symmetric.
    """
    if not np.array_equal(matrix, matrix.T):
        raise ValueError("the largest eigenvalue is asked of a matrix that is not symmetric")
    return largest_root(characteristic_polynomial(matrix))


def rank(matrix: np.ndarray) -> int:
    """The rank of a matrix of rationals.

    >>> from graphs.arithmetic import RATIONALS
    >>> rank(RATIONALS.array([[1, 2], [2, 4]]))
    1
    """
    rows = [list(row) for row in matrix]
    found = 0
    for column in range(matrix.shape[1]):
        pivot = next((r for r in range(found, len(rows)) if rows[r][column] != 0), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for r in range(found + 1, len(rows)):
            factor = rows[r][column] / rows[found][column]
            if factor != 0:
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[found], strict=True)]
        found += 1
    return found
