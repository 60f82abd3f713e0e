"""Exact linear algebra on small matrices: numpy object arrays of rationals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from graphs.algebraic import largest_root
from graphs.arithmetic import as_fraction, object_array, rational
from graphs.definiteness import at_most

try:
    import flint
except ImportError:  # not on every machine: the answers are the same
    flint = None  # type: ignore[assignment]  # stands for "no module"

Rows = Sequence[Sequence[Any]] | np.ndarray
RATIONAL = {int, Fraction, type(rational(0))}


def characteristic_polynomial(matrix: np.ndarray) -> list[Any]:
    """det(x - M) of a square matrix of rationals: n + 1 coefficients, from the constant one up.

    By FLINT, or by the Faddeev-LeVerrier recursion: M_k = M M_(k-1) + c_(n-k+1),
    c_(n-k) = -tr(M M_k) / k.

    >>> from graphs.rationals import RATIONALS
    >>> [int(c) for c in characteristic_polynomial(RATIONALS.array([[2, 1], [1, 1]]))]
    [1, -3, 1]
    """
    size = len(matrix)
    if flint is not None:
        exact = flint.fmpq_mat(size, size, [rational(entry) for entry in matrix.reshape(-1)])
        return list(exact.charpoly().coeffs())
    coefficients = [rational(0)] * size + [rational(1)]
    identity = object_array(
        [[int(i == j) for j in range(size)] for i in range(size)], rational
    ).reshape(size, size)
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


# elimination -------------------------------------------------------------------------------------
def reduced(rows: Rows) -> tuple[list[list[Any]], list[int]]:
    """The reduced echelon form of a matrix without its rows of zeros, and the columns of the
    pivots. Entries: rationals, or other numbers that can be divided (graphs.reals).

    >>> one = Fraction(1)
    >>> [list(map(int, row)) for row in reduced([[one, 2 * one], [2 * one, 4 * one]])[0]]
    [[1, 2]]
    """
    exact = _by_flint(rows)
    if exact is not None:
        form, count = exact.rref()
        left = form.tolist()[:count]
        return left, [next(k for k, entry in enumerate(row) if entry) for row in left]
    left, pivots = _echelon(rows)
    for place in reversed(range(len(pivots))):
        head = left[place][pivots[place]]
        left[place] = [entry / head for entry in left[place]]
        for r in range(place):
            factor = left[r][pivots[place]]
            if factor != 0:
                left[r] = [a - factor * b for a, b in zip(left[r], left[place], strict=True)]
    return left, pivots


def _echelon(rows: Rows) -> tuple[list[list[Any]], list[int]]:
    """An echelon form without its rows of zeros, and the columns of the pivots."""
    left = [list(row) for row in rows]
    pivots: list[int] = []
    for column in range(len(left[0]) if left else 0):
        found = len(pivots)
        at = next((r for r in range(found, len(left)) if left[r][column] != 0), None)
        if at is None:
            continue
        left[found], left[at] = left[at], left[found]
        for r in range(found + 1, len(left)):
            factor = left[r][column] / left[found][column]
            if factor != 0:
                left[r] = [a - factor * b for a, b in zip(left[r], left[found], strict=True)]
        pivots.append(column)
    return left[: len(pivots)], pivots


def _by_flint(rows: Rows) -> Any:
    """The matrix for FLINT; None without it, or where an entry is not rational."""
    if flint is None or not len(rows):
        return None
    entries = [entry for row in rows for entry in row]
    kinds = set(map(type, entries))
    if not kinds <= RATIONAL:
        return None
    entries = list(map(rational, entries)) if Fraction in kinds else entries
    return flint.fmpq_mat(len(rows), len(rows[0]), entries)


def rank(matrix: np.ndarray) -> int:
    """The rank of a matrix of rationals, or of other numbers that can be divided.

    >>> from graphs.rationals import RATIONALS
    >>> rank(RATIONALS.array([[1, 2], [2, 4]]))
    1
    """
    exact = _by_flint(matrix)
    return len(_echelon(matrix)[1]) if exact is None else int(exact.rank())


def column_basis(matrix: np.ndarray) -> np.ndarray:
    """Linearly independent columns of a matrix of rationals that span its image: (n, rank)."""
    return matrix[:, np.array(reduced(matrix)[1], dtype=np.int64)]


def inverse(matrix: np.ndarray) -> np.ndarray:
    """Of an invertible matrix of rationals. Raises ZeroDivisionError of a singular one."""
    size = len(matrix)
    if size == 0:
        return matrix
    exact = _by_flint(matrix)
    if exact is not None:
        return object_array(exact.inv().tolist(), rational)
    ones = [[rational(int(i == j)) for j in range(size)] for i in range(size)]
    form, pivots = reduced([[*row, *one] for row, one in zip(matrix, ones, strict=True)])
    if pivots != list(range(size)):
        raise ZeroDivisionError("the matrix is singular")
    return object_array([row[size:] for row in form], lambda entry: entry)


def kernel(rows: Sequence[Sequence[Fraction]]) -> list[tuple[Fraction, ...]]:
    """A basis of the vectors that a matrix of rationals sends to 0: each is 1 at a column without a
    pivot, and 0 at the others.

    >>> kernel([[Fraction(1), Fraction(2)]])
    [(Fraction(-2, 1), Fraction(1, 1))]
    """
    form, pivots = reduced(rows)
    width = len(rows[0])
    basis = []
    for free in (k for k in range(width) if k not in pivots):
        vector = [Fraction(int(k == free)) for k in range(width)]
        for row, pivot in zip(form, pivots, strict=True):
            vector[pivot] = -as_fraction(row[free])
        basis.append(tuple(vector))
    return basis


def kernel_vector(matrix: Sequence[Sequence[Fraction]]) -> tuple[Fraction, ...] | None:
    """A vector that is not 0 and that the matrix sends to 0, with integer entries, None where
    there is none."""
    vector = next(iter(kernel(matrix)), None)
    if vector is None:
        return None
    scale = lcm(*(value.denominator for value in vector))
    return tuple(value * scale for value in vector)
