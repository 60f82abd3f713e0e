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

from numerics.curvature.lane_arrays import COLUMNS, SHARED, WIDTH, Scratch
from numerics.curvature.lane_products import clean, dot, gram, product
from numerics.curvature.tridiagonal import UNIT, end_of_spectrum, summed
from numerics.kernels import kept

FIRST_LOOK = 16
"""Steps before the first look: after 8, one lane in 200 had converged to an eigenvalue that is not
the largest, where the tolerance is 1e-2."""

SOURCES = [
    Path(__file__).with_name(f"{name}.py")
    for name in ("kernels", "lane_arrays", "lane_products", "tridiagonal")
]


class Found(NamedTuple):
    """What comes out, (S K,) and vectors (S K, D)."""

    values: np.ndarray
    residuals: np.ndarray
    lowest: np.ndarray
    highest: np.ndarray
    steps: np.ndarray
    vectors: np.ndarray


@summed
def _looked(alphas, betas, k, ends, vectors):
    """Which Ritz value of k steps is of largest magnitude, 0 the least one or 1 the greatest, and
    its residual relative to it. ends (2,) gets both, vectors (2, .) their eigenvectors."""
    for place, number in enumerate((1, k)):
        ends[place] = end_of_spectrum(alphas, betas, k, number, vectors[place, :k])
    place = 1 if abs(ends[1]) > abs(ends[0]) else 0
    if ends[place] == 0.0:
        return place, 0.0
    return place, betas[k - 1] * abs(vectors[place, k - 1]) / abs(ends[place])


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
    reads = lanes.reads[n]
    alphas, betas, ends = np.zeros(steps), np.zeros(steps), np.zeros(2)
    vectors = np.zeros((2, steps))
    work, image = np.zeros(size), np.zeros(size)
    work[:] = lanes.start[n]
    gram(plan, masks, delta, inner, reads, weights, work, image, scratch)
    norm = sqrt(max(dot(work, image), 0.0))
    factor, scale = 1.0 / norm if norm > 0.0 else 0.0, 0.0
    k, look, before, old = 0, FIRST_LOOK, 0, 0.0
    while True:
        x, y = basis[k], images[k]
        for i in range(size):
            x[i] = work[i] * factor
            y[i] = image[i] * factor
        product(plan, matrices, scales, slopes, bends, curve, y, work, scratch)
        clean(plan, groups, weights, null, work, scratch.sums)
        alphas[k] = dot(y, work)
        for i in range(size):
            work[i] -= alphas[k] * x[i]
        if k > 0:
            for i in range(size):
                work[i] -= betas[k - 1] * basis[k - 1, i]
        for j in range(k + 1):
            count[j] = dot(images[j], work)
        for j in range(k + 1):
            along, earlier = count[j], basis[j]
            for i in range(size):
                work[i] -= along * earlier[i]
        gram(plan, masks, delta, inner, reads, weights, work, image, scratch)
        square, spread = dot(work, image), 0.0
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
            _, rest = _looked(alphas, betas, k, ends, vectors)
            if rest <= tolerance:
                break
            look, before, old = _next_look(k, before, rest, old, tolerance), k, rest
        factor = 1.0 / norm
    place, _ = _looked(alphas, betas, k, ends, vectors)
    found.lowest[n], found.highest[n] = ends
    vector = found.vectors[n]
    vector[:] = 0.0
    for j in range(k):
        for i in range(size):
            vector[i] += vectors[place, j] * basis[j, i]
    gram(plan, masks, delta, inner, reads, weights, vector, image, scratch)
    norm = sqrt(max(dot(vector, image), 0.0))
    factor = 1.0 / norm if norm > 0.0 else 0.0
    for i in range(size):
        vector[i] *= factor
        image[i] *= factor
    product(plan, matrices, scales, slopes, bends, curve, image, work, scratch)
    clean(plan, groups, weights, null, work, scratch.sums)
    value = dot(image, work)
    for i in range(size):
        work[i] -= value * vector[i]
    gram(plan, masks, delta, inner, reads, weights, work, image, scratch)
    found.values[n] = value
    found.residuals[n] = sqrt(max(dot(work, image), 0.0))
    found.steps[n] = k


def _lanczos_lanes(plan, networks, lanes, found, steps, tolerance):
    """Fill `found`: Lanczos on each lane, at most `steps` steps."""
    size, vertices = lanes.start.shape[1], lanes.slopes.shape[1]
    reads, shared = 1, 1
    for b in range(len(plan.table)):
        reads = max(reads, plan.table[b, COLUMNS] + plan.table[b, WIDTH])
        shared = max(shared, plan.table[b, SHARED])
    scratch = Scratch(
        np.zeros(vertices),
        np.zeros(vertices),
        np.zeros(vertices),
        np.zeros(vertices),
        np.zeros(reads),
        np.zeros(reads),
        np.zeros(reads),
        np.zeros(shared),
    )
    basis, images, count = np.zeros((steps, size)), np.zeros((steps, size)), np.zeros(steps)
    for n in range(len(lanes.start)):
        _lane(plan, networks, lanes, found, n, count, tolerance, basis, images, scratch)


lanczos_lanes: Any = kept(_lanczos_lanes, *SOURCES)
