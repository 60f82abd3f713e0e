"""One step of the chain on the second moment matrix, over the rationals.

(36), (37), (42), (63) to (65): M_gamma = M + Delta M, and [M_+]_ij^2 = g_ij(M_gamma). The entries
of M_+ hold square roots; their squares and signs are rational.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from graphs.arithmetic import as_fraction, rational
from graphs.definiteness import at_most
from graphs.rationals import RATIONALS

Matrix = Any  # numpy object array of the rationals of graphs.arithmetic


class ZeroRowError(ValueError):
    """A row of H + gamma W H is zero, so batch normalisation divides by 0."""


def second_moments(hidden: Any) -> Matrix:
    """M(H) = H H^T / N (d, d) of a matrix H (d, N) of rationals."""
    rows = RATIONALS.array(hidden)
    return rows @ rows.T / rational(rows.shape[1])


def increment(moments: Any, weights: Any, gamma: Any) -> Matrix:
    """(64): Delta M = gamma W M + gamma M W^T + gamma^2 W M W^T (d, d)."""
    m, w, g = RATIONALS.array(moments), RATIONALS.array(weights), rational(gamma)
    product = w @ m
    return product * g + product.T * g + product @ w.T * (g * g)


def before_normalisation(moments: Any, weights: Any, gamma: Any) -> Matrix:
    """(63): M_gamma = (I + gamma W) M (I + gamma W)^T (d, d); gamma None stands for infinity,
    where it is W M W^T."""
    m, w = RATIONALS.array(moments), RATIONALS.array(weights)
    if gamma is None:
        return w @ m @ w.T
    return m + increment(m, w, gamma)


def squared_correlation(moments: Matrix, i: int, j: int) -> Any:
    """(65): g_ij(M) = M_ij^2 / (M_ii M_jj), a rational. Raises ZeroRowError where a diagonal entry
    is 0."""
    scale = moments[i, i] * moments[j, j]
    if scale == 0:
        raise ZeroRowError(f"row {i if moments[i, i] == 0 else j} is zero: it has no direction")
    return moments[i, j] * moments[i, j] / scale


@dataclass(frozen=True)
class Step:
    """M_+ by its squares and signs.

    before: M_gamma (d, d); squares: [M_+]_ij^2 (d, d); signs: (d, d) integers in {-1, 0, 1}.
    """

    before: Matrix
    squares: Matrix
    signs: np.ndarray

    @property
    def frobenius(self) -> Any:
        """|M_+|_F^2."""
        return sum(self.squares.reshape(-1), rational(0))


def normalised(before: Any) -> Step:
    """diag(A)^(-1/2) A diag(A)^(-1/2) of a symmetric A (d, d), squared and with signs.

    Raises ZeroRowError where a diagonal entry is 0.
    """
    a = RATIONALS.array(before)
    squares = np.empty(a.shape, dtype=object)
    for i, j in np.ndindex(*a.shape):
        squares[i, j] = squared_correlation(a, i, j)
    signs = np.array([[int(x > 0) - int(x < 0) for x in row] for row in a])
    return Step(a, squares, signs)


def step(moments: Any, weights: Any, gamma: Any) -> Step:
    """M_+ from M (d, d), W (d, d) and gamma (None: infinity).

    >>> one = step([[1, 0], [0, 1]], [[1, 1], [1, -1]], 1)
    >>> int(one.squares[0, 1] * 5), int(one.signs[0, 1])
    (4, 1)
    """
    return normalised(before_normalisation(moments, weights, gamma))


def layer(hidden: Any, weights: Any, gamma: Any) -> Matrix:
    """H + gamma W H (d, N) before its rows are divided by their root mean squares; gamma None
    stands for infinity."""
    h, w = RATIONALS.array(hidden), RATIONALS.array(weights)
    return w @ h if gamma is None else h + w @ h * rational(gamma)


def is_unit_diagonal(moments: Any) -> bool:
    """(p.1): whether all diagonal entries are 1."""
    return all(row[i] == 1 for i, row in enumerate(moments))


def is_second_moment_matrix(moments: Any) -> bool:
    """Whether M is symmetric, positive semidefinite and has unit diagonal: M = M(H) for an H with
    rows of norm sqrt N and N >= rank M."""
    m = RATIONALS.array(moments)
    if not is_unit_diagonal(m) or not bool(np.all(m == m.T)):
        return False
    return at_most([[-as_fraction(x) for x in row] for row in m], Fraction(0))


def frobenius_change(moments: Any) -> Any:
    """delta_F(M) = 2d^2 - 2|M|_F^2 - 8 Tr M^3 + 8 Tr diag(M^2)^2 (Lemma 7)."""
    m = RATIONALS.array(moments)
    d, square = len(m), m @ m
    cube = (square @ m).trace()
    spread = sum((square[i, i] * square[i, i] for i in range(d)), rational(0))
    return rational(2 * d * d) - square.trace() * 2 - cube * 8 + spread * 8


def entry_change(moments: Any, i: int, j: int) -> Any:
    """The right side of (74) without O(gamma), for i != j."""
    m = RATIONALS.array(moments)
    square, entry = m @ m, m[i, j]
    g = entry * entry
    rows = square[i, i] + square[j, j]
    return rows - g * (2 * len(m)) - square[i, j] * entry * 8 + g * rows * 4
