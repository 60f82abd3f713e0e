"""The compiled kernel of normalised chains: eight chains in the lanes of one group.

Every array here is flat, and its entries are rows of eight numbers, one for each chain of the
group: entry (i, j) of a d x k matrix begins at 8 (i k + j). No lane looks at another, and the order
of the operations is that of one chain, so a chain comes out the same, to the last bit, whatever
runs beside it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from numerics.chains.lanes import root, where_less
from numerics.chains.laws import EQUAL_IN_ROWS, SYMMETRIC_MATRIX
from numerics.chains.observables import TRACES
from numerics.chains.random_lanes import fill_entries
from numerics.chains.tiles import WIDTH, product
from numerics.chains.tridiagonal import count_at_least, tridiagonalise
from numerics.kernels import aligned, compiled, kept
from numerics.lanes import EIGHT, claim, fill, load, store

MEASURES = len(TRACES)
HERE = Path(__file__)
SOURCES = [
    HERE.with_name(name)
    for name in (
        "lanes.py",
        "random_lanes.py",
        "tiles.py",
        "tridiagonal.py",
        "laws.py",
        "recipes.py",
        "counters.py",
    )
]
GOLDEN, FIRST, SECOND = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xBF58476D1CE4E5B9),
    np.uint64(0x94D049BB133111EB),
)


class Course(NamedTuple):
    """What the chains do. Of K measures, first those of TRACES, then soft ranks, M_ij, H_ij.

    d, k: rows and columns of the coefficients. kind, structure, numbers: the law, see
    `fill_entries`. burn_in, stride, observed, batches: of the plan. thresholds; moments, hidden:
    places (i, j) one after the other.
    """

    d: int
    k: int
    kind: int
    structure: int
    numbers: np.ndarray
    burn_in: int
    stride: int
    observed: int
    batches: int
    thresholds: np.ndarray
    moments: np.ndarray
    hidden: np.ndarray


class Carried(NamedTuple):
    """Arrays of all chains, flat in the second axis.

    state: the coefficients. keep, strength: factors of H and of W H. keys: uint64. probes: see
    Setting. sums: K measures for each batch; least, greatest, last, rises; zero_rows. In groups,
    (G, entries x 8).
    """

    state: np.ndarray
    keep: np.ndarray
    strength: np.ndarray
    keys: np.ndarray
    probes: np.ndarray
    sums: np.ndarray
    least: np.ndarray
    greatest: np.ndarray
    last: np.ndarray
    rises: np.ndarray
    zero_rows: np.ndarray


class Workspace(NamedTuple):
    """Scratch of one thread: weights or normals, W H, M, factors, rows, columns, values, bases."""

    weights: np.ndarray
    branch: np.ndarray
    moments: np.ndarray
    work: np.ndarray
    rows: np.ndarray
    panel: np.ndarray
    values: np.ndarray
    bases: np.ndarray


@compiled
def hashed(word):
    """The finaliser of SplitMix64, see numerics.chains.counters."""
    word = (word ^ (word >> np.uint64(30))) * FIRST
    word = (word ^ (word >> np.uint64(27))) * SECOND
    return word ^ (word >> np.uint64(31))


@compiled
def tie(structure, d, weights):
    """Make the entries of a matrix equal in rows, or symmetric."""
    if structure == EQUAL_IN_ROWS:
        for i in range(d):
            first = load(weights, i * d * WIDTH, EIGHT)
            for j in range(1, d):
                store(weights, (i * d + j) * WIDTH, first)
    elif structure == SYMMETRIC_MATRIX:
        for i in range(d):
            for j in range(i):
                store(weights, (i * d + j) * WIDTH, load(weights, (j * d + i) * WIDTH, EIGHT))


@compiled
def step(course, group, room, layer):
    """The next layer of a group (a row of Carried): draw, multiply, add, normalise."""
    d, k = course.d, course.k
    state, branch = group.state, room.branch
    for c in range(WIDTH):
        room.bases[c] = hashed(group.keys[c] + GOLDEN * np.uint64(layer + 1))
    fill_entries(EIGHT, course.kind, course.numbers, room.bases, 0, d * d, room.weights)
    tie(course.structure, d, room.weights)
    weights = (room.weights, d * WIDTH, WIDTH)
    product(d, d, k, weights, (state, k * WIDTH, WIDTH), branch, room.panel, False)
    keep, strength = load(group.keep, 0, EIGHT), load(group.strength, 0, EIGHT)
    zero_rows = load(group.zero_rows, 0, EIGHT)
    for i in range(d):
        square = fill(0.0, EIGHT)
        for place in range(i * k * WIDTH, (i + 1) * k * WIDTH, WIDTH):
            x = load(state, place, EIGHT) * keep + load(branch, place, EIGHT) * strength
            store(state, place, x)
            square = square + x * x
        square = square * (1.0 / k)
        # a zero row stays zero: its factor is finite
        positive = where_less(fill(0.0, EIGHT), square, square, 1.0)
        factor = 1.0 / root(positive)
        zero_rows = zero_rows + where_less(fill(0.0, EIGHT), square, 0.0, 1.0)
        for place in range(i * k * WIDTH, (i + 1) * k * WIDTH, WIDTH):
            store(state, place, load(state, place, EIGHT) * factor)
    store(group.zero_rows, 0, zero_rows)


@compiled
def measure(course, group, room):
    """All measures of the present layer of a group, to room.values."""
    d, k = course.d, course.k
    state, moments, work, values = group.state, room.moments, room.work, room.values
    rows = (state, k * WIDTH, WIDTH)
    product(d, k, d, rows, (state, WIDTH, k * WIDTH), moments, room.panel, True)
    share = 1.0 / k
    zero = fill(0.0, EIGHT)
    trace, frobenius = zero, zero
    for i in range(d):
        for place in range(i * d * WIDTH, (i + 1) * d * WIDTH, WIDTH):
            x = load(moments, place, EIGHT) * share
            store(moments, place, x)
            frobenius = frobenius + x * x
        trace = trace + load(moments, (i * d + i) * WIDTH, EIGHT)
    whole = (moments, d * WIDTH, WIDTH)
    product(d, d, d, whole, whole, work, room.panel, True)
    cube, squares = zero, zero
    for i in range(d):
        for place in range(i * d * WIDTH, (i + 1) * d * WIDTH, WIDTH):
            cube = cube + load(work, place, EIGHT) * load(moments, place, EIGHT)
        x = load(work, (i * d + i) * WIDTH, EIGHT)
        squares = squares + x * x
    row_means = zero
    probes, first = group.probes, 1 + len(course.hidden) // 2
    for i in range(d):
        mean = zero
        for j in range(k):
            x = load(state, (i * k + j) * WIDTH, EIGHT)
            mean = mean + x * load(probes, j * first * WIDTH, EIGHT)
        row_means = row_means + mean * mean
    store(values, 0, trace * trace / where_less(zero, frobenius, frobenius, 1.0))
    store(values, WIDTH, frobenius)
    store(values, 2 * WIDTH, cube)
    store(values, 3 * WIDTH, squares)
    store(values, 4 * WIDTH, row_means * (1.0 / d))
    at_value = MEASURES
    if len(course.thresholds):
        tridiagonalise(d, moments, work, room.rows)
        for threshold in course.thresholds:
            store(values, at_value * WIDTH, count_at_least(d, room.rows, threshold))
            at_value += 1
    for pair in range(len(course.moments) // 2):
        place = course.moments[2 * pair] * d + course.moments[2 * pair + 1]
        store(values, at_value * WIDTH, load(moments, place * WIDTH, EIGHT))
        at_value += 1
    for pair in range(len(course.hidden) // 2):
        i, total = course.hidden[2 * pair], zero
        for j in range(k):
            x = load(state, (i * k + j) * WIDTH, EIGHT)
            total = total + x * load(probes, (j * first + 1 + pair) * WIDTH, EIGHT)
        store(values, at_value * WIDTH, total)
        at_value += 1
    return at_value


@compiled
def record(group, values, batch, measures):
    """Add the values of one observed layer to what is kept."""
    sums, least, greatest = group.sums, group.least, group.greatest
    last, rises = group.last, group.rises
    for m in range(0, measures * WIDTH, WIDTH):
        x, place = load(values, m, EIGHT), batch * measures * WIDTH + m
        store(sums, place, load(sums, place, EIGHT) + x)
        low, high = load(least, m, EIGHT), load(greatest, m, EIGHT)
        store(least, m, where_less(x, low, x, low))
        store(greatest, m, where_less(high, x, x, high))
        before = load(last, m, EIGHT)
        store(rises, m, load(rises, m, EIGHT) + where_less(before, x, 1.0, 0.0))
        store(last, m, x)


def _carry(counter, course, groups, first, last):
    """Take groups until none is left, each from layer `first` to layer `last`.

    Several threads may run this at once on the same arguments: `counter` (one int64, 0 at first)
    deals out the groups.
    """
    d, k = course.d, course.k
    measures = MEASURES + len(course.thresholds)
    measures += len(course.moments) // 2 + len(course.hidden) // 2
    room = Workspace(
        aligned(d * max(d, k) * WIDTH),
        aligned(d * max(d, k) * WIDTH),
        aligned(d * d * WIDTH),
        aligned(max(d, k) * max(d, k) * WIDTH),
        aligned(4 * d * WIDTH),
        aligned(4 * max(d, k) * WIDTH),
        aligned(measures * WIDTH),
        np.zeros(WIDTH, dtype=np.uint64),
    )
    while True:
        g = claim(counter)
        if g >= len(groups.state):
            return
        group = Carried(  # views are made once: each costs two atomic counts of references
            groups.state[g],
            groups.keep[g],
            groups.strength[g],
            groups.keys[g],
            groups.probes[g],
            groups.sums[g],
            groups.least[g],
            groups.greatest[g],
            groups.last[g],
            groups.rises[g],
            groups.zero_rows[g],
        )
        for layer in range(first, last):
            step(course, group, room, layer)
            number = layer + 1 - course.burn_in
            if number > 0 and number % course.stride == 0:
                number = number // course.stride - 1
                if number < course.observed:
                    measure(course, group, room)
                    batch = number * course.batches // course.observed
                    record(group, room.values, batch, measures)


carry: Any = kept(_carry, *SOURCES)
