"""Bounds on the eigenvalues of a symmetric rational matrix, and kernels, decided by elimination."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

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


def kernel_vector(matrix: Matrix) -> tuple[Fraction, ...] | None:
    """A vector that is not 0 and that the matrix sends to 0, with integer entries, None where
    there is none.

    >>> kernel_vector([[Fraction(1), Fraction(2)]])
    (Fraction(-2, 1), Fraction(1, 1))
    """
    rows = [list(row) for row in matrix]
    width = len(rows[0])
    pivots: list[int] = []
    for column in range(width):
        place = len(pivots)
        found = next((r for r in range(place, len(rows)) if rows[r][column]), None)
        if found is None:
            break
        rows[place], rows[found] = rows[found], rows[place]
        pivot = rows[place][column]
        rows[place] = [value / pivot for value in rows[place]]
        for r in range(len(rows)):
            if r != place and (factor := rows[r][column]):
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[place], strict=True)]
        pivots.append(column)
    free = len(pivots)  # the first column without a pivot
    if free == width:
        return None
    vector = [-rows[k][free] for k in range(free)] + [Fraction(1)]
    vector += [Fraction(0)] * (width - len(vector))
    scale = lcm(*(value.denominator for value in vector))
    return tuple(value * scale for value in vector)
