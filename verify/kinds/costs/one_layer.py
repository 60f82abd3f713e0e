"""Depth 1: R is the least norm of an affine map through given values, exactly."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import rational
from verify.kinds.deep.networks import Matrix


def extended(points: Matrix) -> Matrix:
    """(N, n + 1): the points with a last coordinate 1, which carries the bias."""
    ones = np.empty((len(points), 1), dtype=object)
    ones.fill(rational(1))
    return np.concatenate([points, ones], axis=1)


def least_norm(points: Matrix, values: Matrix) -> Any:
    """The least |W|_F^2 + |b|^2 with W x_i + b = y_i, a rational; None if no affine map does it.

    points: (N, n). values: (N, q).
    """
    rows = extended(points)
    inverse = reals.pseudo_inverse(rows)
    solution = inverse @ values  # (n + 1, q), the least of all solutions
    if (rows @ solution != values).any():
        return None
    return (solution * solution).sum()
