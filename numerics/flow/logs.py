"""What the compiled integrator writes down as it goes: tables that grow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from numerics.flow.constants import SLIDES
from numerics.flow.kinks import SLIDES_NOW, sign
from numerics.flow.workspaces import GROUP_MEMBERS
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


@compiled
def open_segment(logs, net, kinks, time, old, work):
    """Write down a new segment, what changed, and what slides."""
    sizes = logs.sizes
    segment = sizes[SEGMENTS]
    logs.segments[segment, 0] = time
    sizes[SEGMENTS] += 1
    if segment > 0:
        for v in net.kinks:
            for j in range(net.count):
                place = v * net.stride + j
                if kinks.sides[place] != old[place]:
                    row = logs.changes[sizes[CHANGES]]
                    row[0], row[1], row[2], row[3] = segment, v, j, kinks.sides[place]
                    sizes[CHANGES] += 1
                    if kinks.sides[place] == SLIDES_NOW:
                        work.counts[SLIDES] += 1
    for i in range(kinks.sizes[GROUP_MEMBERS]):
        place = kinks.member_place[i]
        row = logs.slides[sizes[SLIDE_ROWS] + i]
        row[0], row[1], row[2] = segment, place // net.stride, place % net.stride
        row[3] = row[4] = work.pattern[place]
    sizes[SLIDE_ROWS] += kinks.sizes[GROUP_MEMBERS]


@compiled
def widen_slides(logs, kinks, work):
    """Take the slopes of what slides now into the ranges of the last segment."""
    members = kinks.sizes[GROUP_MEMBERS]
    for i in range(members):
        row = logs.slides[logs.sizes[SLIDE_ROWS] - members + i]
        slope = work.pattern[kinks.member_place[i]]
        row[3], row[4] = min(row[3], slope), max(row[4], slope)


@compiled
def turns(net, start, end):
    """How many weights have another sign at the end of the step."""
    found = 0
    for p in range(net.parameters):
        found += sign(start[p]) != sign(end[p])
    return found


@compiled
def log_turns(logs, net, time, h, start, end, coefficients):
    """Write down when weights changed their sign, by the interpolant; in order of time."""
    begin = logs.sizes[SIGNS]
    for p in range(net.parameters):
        before, after = sign(start[p]), sign(end[p])
        if before == after:
            continue
        low, high = 0.0, 1.0
        for _ in range(50):
            x = 0.5 * (low + high)
            value = 0.0
            for d in range(coefficients.shape[0] - 1, -1, -1):
                value = (value + coefficients[d, p]) * x
            if sign(start[p] + value) == before and before != 0:
                low = x
            else:
                high = x
        if before == 0:
            high = 0.0
        row = logs.sizes[SIGNS]
        moment = time + high * h
        while row > begin and logs.signs[row - 1, 0] > moment:
            for k in range(3):
                logs.signs[row, k] = logs.signs[row - 1, k]
            row -= 1
        logs.signs[row, 0], logs.signs[row, 1], logs.signs[row, 2] = moment, p, after
        logs.sizes[SIGNS] += 1


@compiled
def log_dense(logs, net, time, h, start, coefficients):
    """Write down the interpolant of a step."""
    row = logs.dense[logs.sizes[DENSE]]
    row[0], row[1] = time, h
    for p in range(net.parameters):
        row[2 + p] = start[p]
        for d in range(coefficients.shape[0]):
            row[2 + (d + 1) * net.parameters + p] = coefficients[d, p]
    logs.sizes[DENSE] += 1


@compiled
def log_step(logs, time, risk, log_time):
    """Write down where a step ended."""
    row = logs.steps[logs.sizes[STEPS]]
    row[0], row[1], row[2] = time, risk, log_time
    logs.sizes[STEPS] += 1
