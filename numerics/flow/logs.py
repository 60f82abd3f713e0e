"""What the compiled integrator writes down as it goes: tables that grow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from numerics.kernels import compiled


class Logs(NamedTuple):
    """Tables with a row for each entry, as they are now.

    steps: time, log risk, log time. changes: segment, vertex, example, side. slides: segment,
    vertex, example, least slope, largest slope. segments: start. signs: time, parameter, sign.
    measures: for each segment F rows of five, see numerics.flow.balances. dense: start, step,
    weights (P), coefficients (D P). sizes: how many rows of each are filled, in this order.
    """

    steps: np.ndarray
    changes: np.ndarray
    slides: np.ndarray
    segments: np.ndarray
    signs: np.ndarray
    measures: np.ndarray
    dense: np.ndarray
    sizes: np.ndarray


STEPS, CHANGES, SLIDE_ROWS, SEGMENTS, SIGNS, MEASURES, DENSE = range(7)


@compiled
def grown(table, filled, more):
    """The table, or a larger copy, with room for so many more rows."""
    if filled + more <= len(table):
        return table
    larger = np.zeros((2 * (filled + more), table.shape[1]))
    for i in range(filled):
        for k in range(table.shape[1]):
            larger[i, k] = table[i, k]
    return larger


@compiled
def empty_logs(parameters, degree, forms, dense):
    """Tables without entries."""
    return Logs(
        np.zeros((64, 3)),
        np.zeros((16, 4)),
        np.zeros((4, 5)),
        np.zeros((16, 1)),
        np.zeros((4, 3)),
        np.zeros((4 * forms, 5)),
        np.zeros((16 if dense else 0, 2 + parameters * (degree + 1))),
        np.zeros(7, dtype=np.int64),
    )


@compiled
def with_room(logs, changes, slides, signs, forms, dense):
    """Logs with room for one more step and segment, and so many more of the others."""
    sizes = logs.sizes
    return Logs(
        grown(logs.steps, sizes[STEPS], 1),
        grown(logs.changes, sizes[CHANGES], changes),
        grown(logs.slides, sizes[SLIDE_ROWS], slides),
        grown(logs.segments, sizes[SEGMENTS], 1),
        grown(logs.signs, sizes[SIGNS], signs),
        grown(logs.measures, sizes[MEASURES], forms),
        grown(logs.dense, sizes[DENSE], dense),
        sizes,
    )


@compiled
def filled(table, count):
    """The rows that are filled, a copy."""
    return table[:count].copy()
