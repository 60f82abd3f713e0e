"""Exact linear algebra on small matrices: numpy object arrays of rationals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from graphs.algebraic import largest_root
from graphs.arithmetic import as_fraction, rational
from graphs.definiteness import at_most


def characteristic_polynomial(matrix: np.ndarray) -> list[Any]:
    """det(x - M) of a square matrix of rationals: n + 1 coefficients, from the constant one up.

    The Faddeev-LeVerrier recursion: M_k = M M_(k-1) + c_(n-k+1), c_(n-k) = -tr(M M_k) / k.

    >>> from graphs.rationals import RATIONALS
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
    """Of a matrix of rationals whose eigenvalues are all real: a rational, or
    graphs.algebraic.Algebraic.

    Raises ValueError where an eigenvalue is not real.
    """
    if not has_real_spectrum(matrix):
        raise ValueError("the largest eigenvalue is asked of a matrix with others than real ones")
    return largest_root(characteristic_polynomial(matrix))


def has_real_spectrum(matrix: np.ndarray) -> bool:
    """Whether all eigenvalues of a square matrix of rationals are real.

    They are if and only if the matrix of the traces of M^(i + j), i, j < n, is positive
    semidefinite (Hermite).

    >>> from graphs.rationals import RATIONALS
    >>> [has_real_spectrum(RATIONALS.array([[0, 1], [c, 0]])) for c in (1, 0, -1)]
    [True, True, False]
    """
    if np.array_equal(matrix, matrix.T):
        return True
    size = len(matrix)
    traces, power = [Fraction(size)], matrix
    for _ in range(2 * size - 2):
        traces.append(as_fraction(power.trace()))
        power = power @ matrix
    return at_most([[-traces[i + j] for j in range(size)] for i in range(size)], Fraction(0))


def rank(matrix: np.ndarray) -> int:
    """The rank of a matrix of rationals.

    >>> from graphs.rationals import RATIONALS
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
