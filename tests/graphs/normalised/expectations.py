"""Means over W of [M_+]_ij^2, exactly, for finitely many weight matrices.

Let row i of W be a, and x = e_i + gamma a. Then g_ij(M_gamma) = (x^T M y)^2 / (x^T M x y^T M y)
with y the same of row j. Where the rows are independent the mean is a trace,

    E g_ij(M_gamma) = Tr(X_i M X_j M),   X_i = E[x x^T / (x^T M x)],

so it takes k^d terms a row (k atoms) in place of k^(2d) for a pair of rows and k^(d^2) for all of
W. At a rational gamma the answer is a rational; as a function of gamma it is a power series at 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from graphs.arithmetic import rational
from graphs.normalised.laws import FiniteLaw, Rows
from graphs.rationals import RATIONALS
from tests.graphs.normalised.entries import independent_entries
from tests.graphs.normalised.steps import Matrix, ZeroRowError, step

Matrices = Iterable[tuple[Sequence[Sequence[Any]], Any]]  # (W, its probability)


def equal_entries(law: FiniteLaw, width: int) -> Rows:
    """W-ROW: all entries of a row are one draw."""
    return [((x,) * width, p) for x, p in zip(law.atoms, law.probabilities, strict=True)]


def weight_matrices(rows: Rows, width: int) -> Iterator[tuple[tuple[Sequence[Any], ...], Any]]:
    """All W with independent rows of this law, each with its probability."""
    for chosen in product(rows, repeat=width):
        mass = Fraction(1)
        for _, p in chosen:
            mass *= p
        yield tuple(row for row, _ in chosen), mass


def symmetric_matrices(
    law: FiniteLaw, width: int
) -> Iterator[tuple[tuple[tuple[Fraction, ...], ...], Fraction]]:
    """W-SYM: symmetric matrices, i.i.d. on and above the diagonal."""
    places = [(i, j) for i in range(width) for j in range(i, width)]
    for entries, mass in independent_entries(law, len(places)):
        at = dict(zip(places, entries, strict=True))
        yield (
            tuple(tuple(at[min(i, j), max(i, j)] for j in range(width)) for i in range(width)),
            mass,
        )


def enumerated_mean_squares(moments: Any, matrices: Matrices, gamma: Any) -> Matrix:
    """E[M_+]_ij^2 (d, d) matrix by matrix, for any law on finitely many W; gamma None: infinity.

    Raises ZeroRowError where a row of H + gamma W H is zero for one of them.
    """
    m = RATIONALS.array(moments)
    total = RATIONALS.zeros(m.shape)
    for weights, mass in matrices:
        total = total + step(m, weights, gamma).squares * rational(mass)
    return total


# at one gamma ------------------------------------------------------------------------------------
def row_operator(moments: Any, rows: Rows, gamma: Any, i: int) -> Matrix:
    """X_i (d, d) at a rational gamma, None for infinity (then x = a).

    Raises ZeroRowError where x^T M x = 0 for a row of positive probability.
    """
    m = RATIONALS.array(moments)
    unit = [rational(int(k == i)) for k in range(len(m))]
    factor = rational(1 if gamma is None else gamma)
    total = RATIONALS.zeros(m.shape)
    for row, mass in rows:
        x = RATIONALS.array(row) * factor
        if gamma is not None:
            x = x + np.array(unit, dtype=object)
        size = x @ m @ x
        if size == 0:
            raise ZeroRowError(f"row {i} is zero for the weights {[str(w) for w in row]}")
        total = total + np.outer(x, x) * (rational(mass) / size)
    return total


def mean_squares(moments: Any, rows: Rows, gamma: Any) -> Matrix:
    """E[M_+]_ij^2 (d, d) where the rows of W are independent with this law; gamma None: infinity.

    Raises ZeroRowError as `row_operator`.
    """
    m = RATIONALS.array(moments)
    d = len(m)
    turned = [row_operator(m, rows, gamma, i) @ m for i in range(d)]
    found = np.full((d, d), rational(1), dtype=object)
    for i in range(d):
        for j in range(i):
            found[i, j] = found[j, i] = np.sum(turned[i] * turned[j].T)
    return found


def mean_frobenius(moments: Any, rows: Rows, gamma: Any) -> Any:
    """E|M_+|_F^2, a rational."""
    return sum(mean_squares(moments, rows, gamma).reshape(-1), rational(0))


# as a power series -------------------------------------------------------------------------------
def row_series(moments: Any, rows: Rows, i: int, order: int) -> list[Matrix]:
    """X_i up to gamma^order: order + 1 matrices (d, d). Raises ZeroRowError where M_ii = 0."""
    m = RATIONALS.array(moments)
    if m[i, i] == 0:
        raise ZeroRowError(f"row {i} of H is zero: there is no series at gamma = 0")
    unit = RATIONALS.array([int(k == i) for k in range(len(m))])
    total = [RATIONALS.zeros(m.shape) for _ in range(order + 1)]
    start = np.outer(unit, unit)
    for row, mass in rows:
        a = RATIONALS.array(row)
        image = m @ a
        inverse = inverse_series([m[i, i], image[i] * 2, a @ image], order)
        parts = (start, np.outer(unit, a) + np.outer(a, unit), np.outer(a, a))
        for n in range(order + 1):
            for k, part in enumerate(parts[: n + 1]):
                total[n] = total[n] + part * (inverse[n - k] * rational(mass))
    return total


def inverse_series(polynomial: Sequence[Any], order: int) -> list[Any]:
    """The coefficients of 1/p up to an order; p_0 is not 0."""
    found = [1 / polynomial[0]]
    for n in range(1, order + 1):
        terms = (polynomial[k] * found[n - k] for k in range(1, min(n, len(polynomial) - 1) + 1))
        found.append(-sum(terms, rational(0)) / polynomial[0])
    return found


def mean_square_series(moments: Any, rows: Rows, order: int) -> list[Matrix]:
    """The power series of E g_ij(M_gamma), i != j, to gamma^order: order + 1 matrices (d, d), with
    zeros (after the constant term) on the diagonal."""
    m = RATIONALS.array(moments)
    d = len(m)
    turned = [[part @ m for part in row_series(m, rows, i, order)] for i in range(d)]
    found = [RATIONALS.zeros((d, d)) for _ in range(order + 1)]
    for i in range(d):
        found[0][i, i] = rational(1)
        for j in range(i):
            for n in range(order + 1):
                pairs = (np.sum(turned[i][k] * turned[j][n - k].T) for k in range(n + 1))
                found[n][i, j] = found[n][j, i] = sum(pairs, rational(0))
    return found


def mean_frobenius_series(moments: Any, rows: Rows, order: int) -> list[Any]:
    """The power series of E|M_+|_F^2 in gamma: order + 1 rationals."""
    return [sum(part.reshape(-1), rational(0)) for part in mean_square_series(moments, rows, order)]
