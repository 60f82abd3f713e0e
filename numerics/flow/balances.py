"""Quadratic forms along Runge-Kutta steps, with errors of rounding compensated.

For a step w' = w + h sum_i b_i k_i with stages w_i = w + h sum_j a_ij k_j and a form Q,

    Q(w') - Q(w) = 2h sum_i b_i w_i^T Q k_i + h^2 sum_ij m_ij k_i^T Q k_j,
    m_ij = b_i b_j - b_i a_ij - b_j a_ji,

exactly. So where w^T Q velocity = 0 the left side minus the second sum is 0 up to rounding.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from numerics.flow.constants import BOUND, RATE, RATE_SCALE, RESIDUAL, ROUNDINGS, TIME
from numerics.kernels import compiled

exact: Any = njit(nogil=True, error_model="numpy")
"""Compiled without leave to round a product and a sum together, which would undo the splitting."""

EPSILON = float(np.finfo(np.float64).eps)


class Quadratic(NamedTuple):
    """The forms of one network, see numerics.flow.options.Forms. starts: (F + 1,)."""

    starts: np.ndarray
    rows: np.ndarray
    columns: np.ndarray
    values: np.ndarray


@exact
def split_sum(a, b):
    """a + b as a rounded sum and the rest."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@exact
def split_product(a, b):
    """a * b as a rounded product and the rest (Dekker); without overflow below 1e300."""
    product = a * b
    large = 134217729.0 * a
    high_a = large - (large - a)
    low_a = a - high_a
    large = 134217729.0 * b
    high_b = large - (large - b)
    low_b = b - high_b
    rest = ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b
    return product, rest


@exact
def change(forms, f, start, end):
    """Q(end) - Q(start), as if summed in twice the precision; and the sum of absolute terms."""
    total, rest, size = 0.0, 0.0, 0.0
    for e in range(forms.starts[f], forms.starts[f + 1]):
        a, b, value = forms.rows[e], forms.columns[e], forms.values[e]
        for sign, w in ((1.0, end), (-1.0, start)):
            product, low = split_product(w[a], w[b])
            scaled, lower = split_product(sign * value, product)
            total, error = split_sum(total, scaled)
            rest += error + (lower + sign * value * low)
        size += abs(value) * (abs(end[a] * end[b]) + abs(start[a] * start[b]))
    return total, rest, size


@compiled
def value_of(forms, f, weights):
    """Q(weights)."""
    total, rest = 0.0, 0.0
    for e in range(forms.starts[f], forms.starts[f + 1]):
        product, low = split_product(weights[forms.rows[e]], weights[forms.columns[e]])
        scaled, lower = split_product(forms.values[e], product)
        total, error = split_sum(total, scaled)
        rest += error + (lower + forms.values[e] * low)
    return total + rest


@compiled
def bilinear(forms, f, one, other):
    """one^T Q other, and the sum of the absolute values of its terms."""
    total, size = 0.0, 0.0
    for e in range(forms.starts[f], forms.starts[f + 1]):
        a, b, value = forms.rows[e], forms.columns[e], 0.5 * forms.values[e]
        total += value * (one[a] * other[b] + one[b] * other[a])
        size += abs(value) * (abs(one[a] * other[b]) + abs(one[b] * other[a]))
    return total, size


@compiled
def weigh(forms, tableau, time, h, start, end, stage_weights, velocities, measures):
    """Update the measures, (F, 5), of the segment by one step."""
    stages = tableau.stages
    for f in range(len(forms.starts) - 1):
        total, rest, size = change(forms, f, start, end)
        products, bound = 0.0, 0.0
        for i in range(stages):
            for j in range(i + 1):
                weight = tableau.balance[i, j] * (1.0 if i == j else 2.0)
                if weight != 0.0:
                    product, terms = bilinear(forms, f, velocities[i], velocities[j])
                    products += weight * product
                    bound += abs(weight) * terms
        residual = abs((total - h * h * products) + rest)
        bound = size + h * h * bound
        for i in range(stages):
            rate, terms = bilinear(forms, f, stage_weights[i], velocities[i])
            bound += 2.0 * h * abs(tableau.b[i]) * terms
            if 2.0 * abs(rate) > measures[f, RATE]:
                measures[f, RATE], measures[f, RATE_SCALE] = 2.0 * abs(rate), 2.0 * terms
        bound *= ROUNDINGS * 0.5 * EPSILON
        # the step that stands out most against its bound
        if residual * max(measures[f, BOUND], 1e-300) >= measures[f, RESIDUAL] * bound:
            measures[f, RESIDUAL], measures[f, BOUND] = residual, bound
            measures[f, TIME] = time
