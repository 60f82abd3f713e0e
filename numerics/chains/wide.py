"""The compiled kernel of normalised chains of larger width: columns of one chain in the lanes.

From some fifty rows on, eight chains side by side leave the cache; here each is alone, row-major,
its rows filled up with zeros to a multiple of eight. A thread takes one chain after the other. The
weights are those of numerics.chains.kernels.
"""

from __future__ import annotations

from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from numerics.chains.kernels import GOLDEN, MEASURES, hashed
from numerics.chains.kernels import SOURCES as OTHERS
from numerics.chains.lanes import total
from numerics.chains.laws import EQUAL_IN_ROWS, SYMMETRIC_MATRIX
from numerics.chains.random_lanes import fill_entries
from numerics.chains.recipes import NORMAL, WORDS
from numerics.chains.tiles import WIDTH, broad_product, padded
from numerics.chains.tridiagonal import broad_count, broad_tridiagonalise
from numerics.kernels import aligned, compiled, kept
from numerics.lanes import EIGHT, at, claim, fill, load, multiply_add, put, store

SOURCES = [*OTHERS, Path(__file__).with_name("kernels.py")]


class Space(NamedTuple):
    """Scratch of one thread: entries in lanes, the weights (d x d), W H and later M H, H transposed
    (k x padded d), M (d x padded d), a copy of it, four rows, values, bases."""

    drawn: np.ndarray
    weights: np.ndarray
    branch: np.ndarray
    transposed: np.ndarray
    moments: np.ndarray
    work: np.ndarray
    rows: np.ndarray
    values: np.ndarray
    bases: np.ndarray


@compiled
def draw(course, space, key, layer, count):
    """The first `count` entries of a layer, in order, to space.weights. Lane p makes those from
    p * chunk on: its base is moved on by as many words."""
    chunk = (count + WIDTH - 1) // WIDTH
    chunk += chunk % 2  # normals come in pairs
    words = 1 if course.kind == NORMAL else WORDS[course.kind]
    base = hashed(key + GOLDEN * np.uint64(layer + 1))
    for p in range(WIDTH):
        space.bases[p] = base + GOLDEN * np.uint64(p * chunk * words)
    fill_entries(EIGHT, course.kind, course.numbers, space.bases, 0, chunk, space.drawn)
    for p in range(WIDTH):
        first = p * chunk
        for q in range(min(chunk, count - first)):
            put(space.weights, first + q, at(space.drawn, q * WIDTH + p))


@compiled
def bind(structure, d, weights):
    """Make the entries of a matrix equal in rows, or symmetric."""
    if structure == EQUAL_IN_ROWS:
        for i in range(d):
            for j in range(1, d):
                put(weights, i * d + j, at(weights, i * d))
    elif structure == SYMMETRIC_MATRIX:
        for i in range(d):
            for j in range(i):
                put(weights, i * d + j, at(weights, j * d + i))


@compiled
def factor_of(d, k, state, work, factor):
    """R (k rows of padded k) of H = Q R by modified Gram and Schmidt; work: as the state."""
    breadth = padded(k)
    for place in range(d * breadth):
        put(work, place, at(state, place))
    for place in range(k * breadth):
        put(factor, place, 0.0)
    for a in range(k):
        for b in range(a, k):
            dot = 0.0
            for i in range(d):
                dot += at(work, i * breadth + a) * at(work, i * breadth + b)
            if b == a:
                size = sqrt(dot)
                put(factor, a * breadth + a, size)
                inverse = 1.0 / size if size > 0.0 else 0.0
                for i in range(d):
                    put(work, i * breadth + a, at(work, i * breadth + a) * inverse)
            else:
                put(factor, a * breadth + b, dot)
                for i in range(d):
                    rest = at(work, i * breadth + b) - dot * at(work, i * breadth + a)
                    put(work, i * breadth + b, rest)


@compiled
def broad_step(course, singles, space, c, layer):
    """The next layer of chain c: draw, multiply, add, normalise."""
    d, k = course.d, course.k
    breadth, state, branch = padded(k), singles.state[c], space.branch
    if course.shortcut:
        factor_of(d, k, state, branch, space.transposed)
        draw(course, space, singles.keys[c], layer, d * k)
        broad_product(d, k, breadth, space.weights, k, space.transposed, branch)
    else:
        draw(course, space, singles.keys[c], layer, d * d)
        bind(course.structure, d, space.weights)
        broad_product(d, d, breadth, space.weights, d, state, branch)
    keep, strength = fill(singles.keep[c], EIGHT), fill(singles.strength[c], EIGHT)
    for i in range(d):
        square = fill(0.0, EIGHT)
        for place in range(i * breadth, (i + 1) * breadth, WIDTH):
            x = load(state, place, EIGHT) * keep + load(branch, place, EIGHT) * strength
            store(state, place, x)
            square = multiply_add(x, x, square)
        mean = total(square) / k
        if mean == 0.0:  # a zero row stays zero
            singles.zero_rows[c] += 1.0
            continue
        factor = 1.0 / sqrt(mean)
        for place in range(i * breadth, (i + 1) * breadth, WIDTH):
            store(state, place, load(state, place, EIGHT) * factor)


@compiled
def broad_measure(course, singles, space, c):
    """All measures of the present layer of chain c, to space.values."""
    d, k = course.d, course.k
    breadth, deep = padded(k), padded(d)
    state, moments, values = singles.state[c], space.moments, space.values
    for i in range(d):
        for j in range(k):
            put(space.transposed, j * deep + i, at(state, i * breadth + j))
    for j in range(k):
        for i in range(d, deep):
            put(space.transposed, j * deep + i, 0.0)
    broad_product(d, k, deep, state, breadth, space.transposed, moments)
    trace, frobenius, squares, row_means = 0.0, 0.0, 0.0, 0.0
    for i in range(d):
        row = fill(0.0, EIGHT)
        for place in range(i * deep, (i + 1) * deep, WIDTH):
            x = load(moments, place, EIGHT) * (1.0 / k)
            store(moments, place, x)
            row = multiply_add(x, x, row)
        row_square = total(row)
        frobenius += row_square
        squares += row_square * row_square  # (M^2)_ii
        trace += at(moments, i * deep + i)
        mean = 0.0
        for j in range(k):
            mean += at(state, i * breadth + j) * singles.probes[c, 0, j]
        row_means += mean * mean
    # Tr(M^3) = |M H|^2 / N
    broad_product(d, d, breadth, moments, deep, state, space.branch)
    cube = fill(0.0, EIGHT)
    for place in range(0, d * breadth, WIDTH):
        x = load(space.branch, place, EIGHT)
        cube = multiply_add(x, x, cube)
    values[0] = trace * trace / frobenius if frobenius > 0.0 else 0.0
    values[1], values[2], values[3] = frobenius, total(cube) / k, squares
    values[4] = row_means / d
    at_value = MEASURES
    if len(course.thresholds):
        broad_tridiagonalise(d, moments, space.work, space.rows)
        for threshold in course.thresholds:
            values[at_value] = broad_count(d, space.rows, threshold)
            at_value += 1
    for pair in range(len(course.moments) // 2):
        values[at_value] = moments[course.moments[2 * pair] * deep + course.moments[2 * pair + 1]]
        at_value += 1
    for pair in range(len(course.hidden) // 2):
        i, entry = course.hidden[2 * pair], 0.0
        for j in range(k):
            entry += at(state, i * breadth + j) * singles.probes[c, 1 + pair, j]
        values[at_value] = entry
        at_value += 1


@compiled
def broad_record(singles, values, c, batch, measures):
    """Add the values of one observed layer to what is kept."""
    for m in range(measures):
        x = values[m]
        singles.sums[c, batch * measures + m] += x
        singles.least[c, m] = min(singles.least[c, m], x)
        singles.greatest[c, m] = max(singles.greatest[c, m], x)
        if x > singles.last[c, m]:
            singles.rises[c, m] += 1.0
        singles.last[c, m] = x


def _carry_wide(counter, course, singles, first, last):
    """Take chains until none is left, each from layer `first` to layer `last`.

    Several threads may run this at once on the same arguments: `counter` (one int64, 0 at first)
    deals out the chains.
    """
    d, k = course.d, course.k
    deep, breadth = padded(d), padded(k)
    large = max(d, k)
    measures = MEASURES + len(course.thresholds)
    measures += len(course.moments) // 2 + len(course.hidden) // 2
    space = Space(
        aligned(d * large + 2 * WIDTH * WIDTH),
        aligned(d * large),
        aligned(d * breadth),
        aligned(max(k, d) * max(deep, breadth)),
        aligned(d * deep),
        aligned(d * deep),
        aligned(4 * deep),
        aligned(measures),
        np.zeros(WIDTH, dtype=np.uint64),
    )
    while True:
        c = claim(counter)
        if c >= len(singles.state):
            return
        for layer in range(first, last):
            broad_step(course, singles, space, c, layer)
            number = layer + 1 - course.burn_in
            if number > 0 and number % course.stride == 0:
                number = number // course.stride - 1
                if number < course.observed:
                    broad_measure(course, singles, space, c)
                    batch = number * course.batches // course.observed
                    broad_record(singles, space.values, c, batch, measures)


carry_wide: Any = kept(_carry_wide, *SOURCES)
