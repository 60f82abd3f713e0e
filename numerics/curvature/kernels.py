"""Lanczos on Hessians at single points, compiled: one network and one point after the other.

What numerics.curvature.point_operators and numerics.curvature.lanczos do for a batch in torch, for
one lane at a time, so that each stops when it has converged. Small networks are bound by the cost
of a call there; here there are none. Numba compiles this at the first call.
"""

from __future__ import annotations

from math import log, sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from numerics.curvature.tridiagonal import UNIT, eigenvector, largest, spectrum, summed
from numerics.kernels import kept

FIRST_LOOK = 8
SOURCES = (Path(__file__), Path(__file__).with_name("tridiagonal.py"))

NUMBER_OF_COLUMNS = 12
(
    WIDTH,  # d
    COLUMNS,  # s
    READS,  # s, or 0
    INPUTS,  # of what is read, the first ones
    AT,  # in the coordinates
    VERTEX,  # in arrays over vertices
    COLUMN,  # in arrays over what is read
    ENTRY,  # in the matrices
    FIRST_SEGMENT,
    END_SEGMENT,
    FIRST_SKIP,
    END_SKIP,
) = range(NUMBER_OF_COLUMNS)


class Plan(NamedTuple):
    """What is the same for all networks. Layers: those that the objectives depend on.

    table (B, 12): see the names above. segments (., 3): a source's vertices, where they stand in
    what is read, how many; skips (., 2): a vertex of the layer, counted from its first, and the
    vertex that is added. masked: whether there are masks (in all layers then). before: whether
    skips are of pre-activations. neurons: whether the objective is.
    """

    table: np.ndarray
    segments: np.ndarray
    skips: np.ndarray
    masked: bool
    before: bool
    neurons: bool


class Networks(NamedTuple):
    """Matrices (S, entries), their masks (1 or S, entries; or (1, 1)), scales (1 or S, vertices),
    groups (1 or S, D)."""

    matrices: np.ndarray
    masks: np.ndarray
    scales: np.ndarray
    groups: np.ndarray


class Lanes(NamedTuple):
    """Arrays (S K, .): slopes, bends (sigma'' dg/df) and delta over vertices; inner over what is
    read; curve: phi'' at the top layer; weights, null, start over coordinates."""

    slopes: np.ndarray
    bends: np.ndarray
    delta: np.ndarray
    inner: np.ndarray
    curve: np.ndarray
    weights: np.ndarray
    null: np.ndarray
    start: np.ndarray


class Found(NamedTuple):
    """What comes out, (S K,) and vectors (S K, D)."""

    values: np.ndarray
    residuals: np.ndarray
    lowest: np.ndarray
    highest: np.ndarray
    steps: np.ndarray
    vectors: np.ndarray


class Scratch(NamedTuple):
    """Room of one thread: over vertices, over coordinates, over what a layer reads."""

    z: np.ndarray
    moved: np.ndarray
    above: np.ndarray
    direct: np.ndarray
    back: np.ndarray
    seen: np.ndarray
    sums: np.ndarray


@summed
def _dot(one, two):
    total = 0.0
    for i in range(len(one)):
        total += one[i] * two[i]
    return total


@summed
def _rows_times(matrix, rows, columns, first, vector, found):
    """found[i] += sum of matrix[i, j] vector[j] over j >= first."""
    part, n = vector[first:columns], columns - first
    for i in range(0, rows - 3, 4):
        at = i * columns + first
        one, two = matrix[at : at + n], matrix[at + columns : at + columns + n]
        at += 2 * columns
        three, four = matrix[at : at + n], matrix[at + columns : at + columns + n]
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        for j in range(len(part)):
            x = part[j]
            a += one[j] * x
            b += two[j] * x
            c += three[j] * x
            d += four[j] * x
        found[i] += a
        found[i + 1] += b
        found[i + 2] += c
        found[i + 3] += d
    for i in range(rows - rows % 4, rows):
        at = i * columns + first
        found[i] += _dot(matrix[at : at + n], part)


@summed
def _columns_times(matrix, rows, columns, first, vector, found):
    """found[j] += sum of matrix[i, j] vector[i], for j >= first."""
    part, n = found[first:columns], columns - first
    for i in range(0, rows - 3, 4):
        at = i * columns + first
        one, two = matrix[at : at + n], matrix[at + columns : at + columns + n]
        at += 2 * columns
        three, four = matrix[at : at + n], matrix[at + columns : at + columns + n]
        a, b, c, d = vector[i], vector[i + 1], vector[i + 2], vector[i + 3]
        for j in range(len(part)):
            part[j] += one[j] * a + two[j] * b + three[j] * c + four[j] * d
    for i in range(rows - rows % 4, rows):
        at = i * columns + first
        _add(part, vector[i], matrix[at : at + n])


@summed
def _add(found, factor, part):
    """found += factor part."""
    for j in range(len(found)):
        found[j] += factor * part[j]


@summed
def _gram(plan, masks, delta, inner, weights, x, out, scratch):
    """out = G x."""
    for i in range(len(x)):
        out[i] = weights[i] * x[i]
    for b in range(len(plan.table)):
        row = plan.table[b]
        d, s, at = row[WIDTH], row[COLUMNS], row[AT]
        if row[READS] == 0:
            continue
        left = delta[row[VERTEX] : row[VERTEX] + d]
        right = inner[row[COLUMN] : row[COLUMN] + s]
        u, q = x[at : at + d], x[at + d : at + d + s]
        first, second = out[at : at + d], out[at + d : at + d + s]
        if plan.masked:
            mask = masks[row[ENTRY] : row[ENTRY] + d * s]
            seen, sent = scratch.seen[:s], scratch.back[:s]
            sums = scratch.sums[:d]
            for j in range(s):
                seen[j] = right[j] * q[j]
                sent[j] = 0.0
            sums[:] = 0.0
            _rows_times(mask, d, s, row[INPUTS], seen, sums)
            for i in range(d):
                first[i] += left[i] * sums[i]
                sums[i] = left[i] * u[i]
            _columns_times(mask, d, s, row[INPUTS], sums, sent)
            for j in range(s):
                second[j] += right[j] * sent[j]
        else:
            across, back = _dot(right, q), _dot(left, u)
            _add(first, across, left)
            _add(second, back, right)


@summed
def _clean(plan, groups, weights, null, x, sums):
    """Take out of x what G takes to 0."""
    for i in range(len(x)):
        x[i] = x[i] if weights[i] > 0.0 else 0.0
    for b in range(len(plan.table)):
        row = plan.table[b]
        if row[READS] == 0:
            continue
        at, n = row[AT], row[WIDTH] + row[READS]
        part, one = x[at : at + n], null[at : at + n]
        if plan.masked:
            group = groups[at : at + n]
            sums[:n] = 0.0
            for i in range(n):
                sums[group[i]] += one[i] * part[i]
            for i in range(n):
                part[i] -= one[i] * sums[group[i]]
        else:
            _add(part, -_dot(one, part), one)


@summed
def _product(plan, matrices, scales, slopes, bends, curve, y, out, scratch):
    """out = S y."""
    above, direct = scratch.above, scratch.direct
    above[:] = 0.0
    direct[:] = 0.0
    for b in range(len(plan.table)):
        row = plan.table[b]
        d, s, at, vertex = row[WIDTH], row[COLUMNS], row[AT], row[VERTEX]
        z, moved = scratch.z[vertex : vertex + d], scratch.moved[vertex : vertex + d]
        scale, slope, first = (
            scales[vertex : vertex + d],
            slopes[vertex : vertex + d],
            y[at : at + d],
        )
        for i in range(d):
            z[i] = scale[i] * first[i]
        if row[READS] > 0:
            read = out[at + d : at + d + s]
            read[: row[INPUTS]] = 0.0
            for n in range(row[FIRST_SEGMENT], row[END_SEGMENT]):
                source, place, width = plan.segments[n]
                _copy(scratch.moved[source : source + width], read[place : place + width])
            matrix = matrices[row[ENTRY] : row[ENTRY] + d * s]
            _rows_times(matrix, d, s, row[INPUTS], read, z)
        for n in range(row[FIRST_SKIP], row[END_SKIP]):
            head, tail = plan.skips[n]
            z[head] += scratch.z[tail] if plan.before else scratch.moved[tail]
        for i in range(d):
            moved[i] = slope[i] * z[i]
    top = plan.table[len(plan.table) - 1]
    for i in range(top[WIDTH]):
        vertex = top[VERTEX] + i
        if plan.neurons:
            above[vertex] = curve[i] * scratch.moved[vertex]
        else:
            direct[vertex] = curve[i] * scratch.z[vertex]
    for b in range(len(plan.table) - 1, -1, -1):
        row = plan.table[b]
        d, s, at, vertex = row[WIDTH], row[COLUMNS], row[AT], row[VERTEX]
        z = scratch.z[vertex : vertex + d]  # from here on the gradients instead
        scale, slope, bend = (
            scales[vertex : vertex + d],
            slopes[vertex : vertex + d],
            bends[vertex : vertex + d],
        )
        up, beside, first = (
            above[vertex : vertex + d],
            direct[vertex : vertex + d],
            out[at : at + d],
        )
        for i in range(d):
            z[i] = up[i] * slope[i] + beside[i] + bend[i] * z[i]
            first[i] = z[i] * scale[i]
        for n in range(row[FIRST_SKIP], row[END_SKIP]):
            head, tail = plan.skips[n]
            if plan.before:
                direct[tail] += z[head]
            else:
                above[tail] += z[head]
        if row[READS] > 0:
            back = scratch.back[:s]
            _copy(y[at + d : at + d + s], back)
            matrix = matrices[row[ENTRY] : row[ENTRY] + d * s]
            _columns_times(matrix, d, s, row[INPUTS], z, back)
            for n in range(row[FIRST_SEGMENT], row[END_SEGMENT]):
                source, place, width = plan.segments[n]
                _add(above[source : source + width], 1.0, back[place : place + width])


@summed
def _copy(part, found):
    for i in range(len(part)):
        found[i] = part[i]


@summed
def _looked(alphas, betas, k, work):
    """The residual of the Ritz value of largest magnitude of k steps, relative to it. work (3, .):
    its first row gets the Ritz values."""
    diagonal, beside, last = work[0, :k], work[1, :k], work[2, :k]
    diagonal[:] = alphas[:k]
    beside[:] = betas[:k]
    spectrum(diagonal, beside, last)
    place = largest(diagonal)
    if diagonal[place] == 0.0:
        return 0.0
    return betas[k - 1] * abs(last[place]) / abs(diagonal[place])


@summed
def _next_look(k, before, rest, old, tolerance):
    """When the residual will be small enough if it goes on to fall as from step `before` to k, but
    soon, since it falls faster and faster."""
    most = max(4, k // 3)
    if before == 0 or not 0.0 < rest < old:
        return k + most
    steps = log(rest / tolerance) / log(old / rest) * (k - before)
    return k + max(2, min(int(steps), most))


@summed
def _lane(plan, networks, lanes, found, n, count, tolerance, basis, images, scratch):
    """Lanczos on one of the Hessians, see numerics.curvature.lanczos."""
    net = n // (len(lanes.slopes) // len(networks.matrices))
    size, steps = lanes.start.shape[1], len(basis)
    masks = networks.masks[net % len(networks.masks)]
    groups = networks.groups[net % len(networks.groups)]
    scales = networks.scales[net % len(networks.scales)]
    matrices = networks.matrices[net]
    delta, inner, weights = lanes.delta[n], lanes.inner[n], lanes.weights[n]
    slopes, bends, null, curve = lanes.slopes[n], lanes.bends[n], lanes.null[n], lanes.curve[n]
    alphas, betas, rows = np.zeros(steps), np.zeros(steps), np.zeros((3, steps))
    work, image = np.zeros(size), np.zeros(size)
    work[:] = lanes.start[n]
    _gram(plan, masks, delta, inner, weights, work, image, scratch)
    norm = sqrt(max(_dot(work, image), 0.0))
    factor, scale = 1.0 / norm if norm > 0.0 else 0.0, 0.0
    k, look, before, old = 0, FIRST_LOOK, 0, 0.0
    while True:
        x, y = basis[k], images[k]
        for i in range(size):
            x[i] = work[i] * factor
            y[i] = image[i] * factor
        _product(plan, matrices, scales, slopes, bends, curve, y, work, scratch)
        _clean(plan, groups, weights, null, work, scratch.sums)
        alphas[k] = _dot(y, work)
        for i in range(size):
            work[i] -= alphas[k] * x[i]
        if k > 0:
            for i in range(size):
                work[i] -= betas[k - 1] * basis[k - 1, i]
        for j in range(k + 1):
            count[j] = _dot(images[j], work)
        for j in range(k + 1):
            along, earlier = count[j], basis[j]
            for i in range(size):
                work[i] -= along * earlier[i]
        _gram(plan, masks, delta, inner, weights, work, image, scratch)
        square, spread = _dot(work, image), 0.0
        for i in range(size):
            spread += weights[i] * work[i] * work[i]
        norm = sqrt(max(square, 0.0))
        scale = max(scale, abs(alphas[k]))
        live = norm > 16 * size * UNIT * scale and square > 16 * size * UNIT * spread
        scale = max(scale, norm)
        betas[k] = norm if live else 0.0
        k += 1
        if not live or k == steps:
            break
        if k >= look:
            rest = _looked(alphas, betas, k, rows)
            if rest <= tolerance:
                break
            look, before, old = _next_look(k, before, rest, old, tolerance), k, rest
        factor = 1.0 / norm
    _looked(alphas, betas, k, rows)
    found.lowest[n], found.highest[n] = rows[0, :k].min(), rows[0, :k].max()
    eigenvector(alphas, betas, rows[0, largest(rows[0, :k])], count[:k], rows)
    vector = found.vectors[n]
    vector[:] = 0.0
    for j in range(k):
        for i in range(size):
            vector[i] += count[j] * basis[j, i]
    _gram(plan, masks, delta, inner, weights, vector, image, scratch)
    norm = sqrt(max(_dot(vector, image), 0.0))
    factor = 1.0 / norm if norm > 0.0 else 0.0
    for i in range(size):
        vector[i] *= factor
        image[i] *= factor
    _product(plan, matrices, scales, slopes, bends, curve, image, work, scratch)
    _clean(plan, groups, weights, null, work, scratch.sums)
    value = _dot(image, work)
    for i in range(size):
        work[i] -= value * vector[i]
    _gram(plan, masks, delta, inner, weights, work, image, scratch)
    found.values[n] = value
    found.residuals[n] = sqrt(max(_dot(work, image), 0.0))
    found.steps[n] = k


def _lanczos_lanes(plan, networks, lanes, found, steps, tolerance):
    """Fill `found`: Lanczos on each lane, at most `steps` steps."""
    size, vertices = lanes.start.shape[1], lanes.slopes.shape[1]
    reads = 1
    for b in range(len(plan.table)):
        reads = max(reads, plan.table[b, COLUMNS] + plan.table[b, WIDTH])
    scratch = Scratch(
        np.zeros(vertices),
        np.zeros(vertices),
        np.zeros(vertices),
        np.zeros(vertices),
        np.zeros(reads),
        np.zeros(reads),
        np.zeros(reads),
    )
    basis, images, count = np.zeros((steps, size)), np.zeros((steps, size)), np.zeros(steps)
    for n in range(len(lanes.start)):
        _lane(plan, networks, lanes, found, n, count, tolerance, basis, images, scratch)


lanczos_lanes: Any = kept(_lanczos_lanes, *SOURCES)
