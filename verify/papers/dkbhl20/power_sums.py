"""Power sums of the eigenvalues of a symmetric matrix, without computing these.

The elementary symmetric functions of the eigenvalues are sums of principal minors; Newton's
identities make power sums of them. So what is compared with traces of powers is not a trace of a
power itself. |lambda|_p^p takes absolute values: where there are negative eigenvalues, these are
computed and counted twice. C instances, matrices (C, d, d).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import Array, as_fraction, rational
from verify.normalised_hypotheses import semidefinite


def principal_minors(matrices: Array, order: int) -> Array:
    """The sum of the principal minors of order 1, 2 or 3; 0 where there is none."""
    places = range(matrices.shape[-1])
    if order == 1:
        return sum(matrices[:, i, i] for i in places)
    total = matrices[:, 0, 0] * 0
    if order == 2:
        for i, j in combinations(places, 2):
            total = total + matrices[:, i, i] * matrices[:, j, j]
            total = total - matrices[:, i, j] * matrices[:, j, i]
        return total
    for i, j, k in combinations(places, 3):
        for p, q, r, sign in (
            (i, j, k, 1),
            (j, k, i, 1),
            (k, i, j, 1),
            (i, k, j, -1),
            (j, i, k, -1),
            (k, j, i, -1),
        ):
            total = total + matrices[:, i, p] * matrices[:, j, q] * matrices[:, k, r] * sign
    return total


def power_sum(matrices: Array, power: int) -> Array:
    """sum_i lambda_i^power for the powers 1, 2, 3, by Newton's identities."""
    first, second = (principal_minors(matrices, order) for order in (1, 2))
    if power == 1:
        return first
    if power == 2:
        return first * first - second * 2
    third = principal_minors(matrices, 3)
    return first * first * first - first * second * 3 + third * 3


def norm_power(matrices: Array, power: int) -> Array:
    """(C,): |lambda|_p^p = sum_i |lambda_i|^p for p = 1, 2, 3, of symmetric rational matrices."""
    found = power_sum(matrices, power)
    if power % 2:
        more = np.empty(len(matrices), dtype=object)
        more[:] = [_negative_part(matrix, power) for matrix in matrices]
        found = found + more
    return found


def _negative_part(matrix: Any, power: int) -> Any:
    """sum |l|^p - sum l^p over the eigenvalues l: twice the sum of |l|^p over the negative ones."""
    rows = [[as_fraction(entry) for entry in row] for row in matrix]
    if semidefinite(rows):
        return rational(0)
    half = Fraction(power, 2)
    sizes = [reals.power(square, half) for square in reals.squared_singular_values(matrix)]
    total = sum(sizes, rational(0))
    return total - power_sum(matrix[None], power)[0]
