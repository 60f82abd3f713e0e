"""Bounds on the largest eigenvalue of a symmetric rational matrix, decided by elimination."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

Matrix = Sequence[Sequence[Fraction]]


def gram(matrix: Matrix) -> list[list[Fraction]]:
    """W W^T, rows by rows.

    >>> gram([[Fraction(1), Fraction(2)]])
    [[Fraction(5, 1)]]
    """
    return [
        [sum((a * b for a, b in zip(row, other, strict=True)), Fraction(0)) for other in matrix]
        for row in matrix
    ]


def trace(matrix: Matrix) -> Fraction:
    """The sum of the diagonal; of W W^T the squared Frobenius norm of W."""
    return sum((row[k] for k, row in enumerate(matrix)), Fraction(0))


def at_most(matrix: Matrix, bound: Fraction) -> bool:
    """Whether no eigenvalue of a symmetric matrix is larger than the bound: bound I - A is
    positive semidefinite."""
    return _inertia(matrix, bound)[0]


def at_least(matrix: Matrix, bound: Fraction) -> bool:
    """Whether some eigenvalue of a symmetric matrix is as large as the bound: bound I - A is not
    positive definite."""
    return not _inertia(matrix, bound)[1]


def _inertia(matrix: Matrix, bound: Fraction) -> tuple[bool, bool]:
    """Whether bound I - A is positive semidefinite, and positive definite: by symmetric
    elimination, where a pivot of 0 must have a row of zeros."""
    size = len(matrix)
    left = [[bound * (i == k) - matrix[i][k] for k in range(size)] for i in range(size)]
    definite = True
    for p in range(size):
        pivot = left[p][p]
        if pivot < 0 or (pivot == 0 and any(left[p][k] for k in range(p + 1, size))):
            return False, False
        if pivot == 0:
            definite = False
            continue
        for i in range(p + 1, size):
            factor = left[i][p] / pivot
            if factor:
                for k in range(p + 1, size):
                    left[i][k] -= factor * left[p][k]
    return True, definite


def upper_bound(matrix: Matrix, below: Fraction) -> Fraction | None:
    """A plain rational that no eigenvalue of a symmetric matrix exceeds and that is less than
    `below`: the largest eigenvalue itself where it is plain. None where none was found."""
    for candidate in _near(matrix, upward=True):
        if candidate < below and at_most(matrix, candidate):
            return candidate
    return None


def lower_bound(matrix: Matrix, above: Fraction) -> Fraction | None:
    """A plain rational that some eigenvalue of a symmetric matrix reaches and that is larger than
    `above`. None where none was found."""
    for candidate in _near(matrix, upward=False):
        if candidate > above and at_least(matrix, candidate):
            return candidate
    return None


def _near(matrix: Matrix, *, upward: bool) -> list[Fraction]:
    """Rationals near the largest eigenvalue: plain ones first, then ones to one side of it."""
    import numpy as np

    largest = float(np.linalg.eigvalsh(np.array(matrix, dtype=float))[-1])
    plain = [Fraction(largest).limit_denominator(d) for d in (1, 10, 100)]
    close = [Fraction(largest).limit_denominator(d) for d in (10**4, 10**6)]
    away = [
        Fraction(largest + (step if upward else -step) * max(abs(largest), 1e-9))
        for step in (0.1, 0.01, 1e-4, 1e-6, 1e-9)
    ]
    return plain + [value.limit_denominator(10**k) for k, value in enumerate(away, start=1)] + close


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
