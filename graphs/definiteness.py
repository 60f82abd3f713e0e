"""Bounds on the eigenvalues of a symmetric rational matrix, decided by elimination."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Matrix = Sequence[Sequence[Fraction]]


def at_most(matrix: Matrix, bound: Fraction) -> bool:
    """Whether no eigenvalue of a symmetric matrix is larger than the bound: bound I - A is
    positive semidefinite, by symmetric elimination, where a pivot of 0 must have a row of zeros."""
    size = len(matrix)
    left = [[bound * (i == k) - matrix[i][k] for k in range(size)] for i in range(size)]
    for p in range(size):
        pivot = left[p][p]
        if pivot < 0 or (pivot == 0 and any(left[p][k] for k in range(p + 1, size))):
            return False
        for i in range(p + 1, size) if pivot else ():
            factor = left[i][p] / pivot
            if factor:
                for k in range(p + 1, size):
                    left[i][k] -= factor * left[p][k]
    return True
