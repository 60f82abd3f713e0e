"""Counting eigenvalues, of eight matrices in lanes, or of one (`broad_`) with columns in lanes.

Householder reflections to tridiagonal form, then Sturm counts: Golub and Van Loan, Matrix
Computations, 8.3.1 and 8.4.1. Every count is that of a matrix within rounding of the given one, so
only eigenvalues within rounding of a threshold can be miscounted.
"""

from __future__ import annotations

from math import sqrt

from numerics.chains.lanes import absolute, root, total, where_less
from numerics.chains.tiles import WIDTH, padded
from numerics.kernels import compiled
from numerics.lanes import EIGHT, at, fill, load, multiply_add, put, store

LEAST = 1e-290  # a pivot nearer to 0 is taken for this


@compiled
def tridiagonalise(d, matrix, work, rows):
    """Diagonal (d) and squares of the off-diagonal entries (d - 1, then 0) of a tridiagonal matrix
    with the eigenvalues of the symmetric `matrix` (d x d), to the first two of the four rows of
    `rows`; the others are scratch, as `work` (d x d), of which the lower triangle is used."""
    zero = fill(0.0, EIGHT)
    offs, v, p = d * WIDTH, 2 * d * WIDTH, 3 * d * WIDTH
    for i in range(d):
        for place in range(i * d * WIDTH, (i * d + i + 1) * WIDTH, WIDTH):
            store(work, place, load(matrix, place, EIGHT))
        store(rows, offs + i * WIDTH, zero)
    for c in range(d - 2):
        tail = zero
        for i in range(c + 1, d):
            x = load(work, (i * d + c) * WIDTH, EIGHT)
            store(rows, v + i * WIDTH, x)
            tail = tail + x * x
        store(rows, offs + c * WIDTH, tail)
        head, size = load(rows, v + (c + 1) * WIDTH, EIGHT), root(tail)
        head = head + where_less(head, 0.0, 0.0 - size, size)
        store(rows, v + (c + 1) * WIDTH, head)
        # v^T v = 2 (tail + |x_1| size); no reflection where the column is zero already
        length = zero
        for i in range(c + 1, d):
            x = load(rows, v + i * WIDTH, EIGHT)
            length = length + x * x
        factor = where_less(length, LEAST, 0.0, 2.0 / where_less(length, LEAST, 1.0, length))
        _multiply(d, c + 1, work, rows, v, p)
        inner = zero
        for i in range(c + 1, d):
            x = load(rows, p + i * WIDTH, EIGHT) * factor
            store(rows, p + i * WIDTH, x)
            inner = inner + x * load(rows, v + i * WIDTH, EIGHT)
        half = inner * factor * 0.5
        for i in range(c + 1, d):
            x = load(rows, p + i * WIDTH, EIGHT) - half * load(rows, v + i * WIDTH, EIGHT)
            store(rows, p + i * WIDTH, x)
        for i in range(c + 1, d):
            x, y = load(rows, v + i * WIDTH, EIGHT), load(rows, p + i * WIDTH, EIGHT)
            for j in range(c + 1, i + 1):
                place = (i * d + j) * WIDTH
                entry = load(work, place, EIGHT) - x * load(rows, p + j * WIDTH, EIGHT)
                store(work, place, entry - y * load(rows, v + j * WIDTH, EIGHT))
    for i in range(d):
        store(rows, i * WIDTH, load(work, (i * d + i) * WIDTH, EIGHT))
    if d > 1:
        x = load(work, ((d - 1) * d + d - 2) * WIDTH, EIGHT)
        store(rows, offs + (d - 2) * WIDTH, x * x)


@compiled
def _multiply(d, start, work, rows, v, p):
    """p = A v for the symmetric A of rows and columns from `start` on, given below the diagonal."""
    for i in range(start, d):
        store(rows, p + i * WIDTH, fill(0.0, EIGHT))
    for i in range(start, d):
        x, total = load(rows, v + i * WIDTH, EIGHT), load(rows, p + i * WIDTH, EIGHT)
        for j in range(start, i):
            entry = load(work, (i * d + j) * WIDTH, EIGHT)
            total = total + entry * load(rows, v + j * WIDTH, EIGHT)
            place = p + j * WIDTH
            store(rows, place, load(rows, place, EIGHT) + entry * x)
        total = total + load(work, (i * d + i) * WIDTH, EIGHT) * x
        store(rows, p + i * WIDTH, total)


@compiled
def count_at_least(d, rows, threshold):
    """How many eigenvalues are at least the threshold, as float64; all where it is at most 0 (the
    matrix is positive semidefinite). rows: see `tridiagonalise`."""
    if threshold <= 0.0:
        return fill(float(d), EIGHT)
    count, pivot = fill(0.0, EIGHT), fill(1.0, EIGHT)
    squares = fill(0.0, EIGHT)
    for i in range(d):
        pivot = load(rows, i * WIDTH, EIGHT) - threshold - squares / pivot
        pivot = where_less(absolute(pivot), LEAST, LEAST, pivot)
        count = count + where_less(pivot, 0.0, 0.0, 1.0)
        squares = load(rows, (d + i) * WIDTH, EIGHT)
    return count


@compiled
def broad_tridiagonalise(d, matrix, work, rows):
    """As `tridiagonalise` for one matrix (d x padded d); the first two of
    the four rows (of padded d numbers) are the result."""
    deep = padded(d)
    offs, v, p = deep, 2 * deep, 3 * deep
    for place in range(0, d * deep, WIDTH):
        store(work, place, load(matrix, place, EIGHT))
    for place in range(4 * deep):
        put(rows, place, 0.0)
    for c in range(d - 2):
        start = (c + 1) // WIDTH * WIDTH
        tail = 0.0
        for j in range(start, d):
            x = at(work, c * deep + j) if j > c else 0.0
            put(rows, v + j, x)
            tail += x * x
        put(rows, offs + c, tail)
        head, size = at(rows, v + c + 1), sqrt(tail)
        head += size if head >= 0.0 else -size
        length = tail - at(rows, v + c + 1) * at(rows, v + c + 1) + head * head
        put(rows, v + c + 1, head)
        factor = 2.0 / length if length > LEAST else 0.0
        inner = 0.0
        for j in range(start, c + 1):
            put(rows, p + j, 0.0)
        for i in range(c + 1, d):
            dot = fill(0.0, EIGHT)
            for j in range(start, deep, WIDTH):
                x = load(work, i * deep + j, EIGHT)
                dot = multiply_add(x, load(rows, v + j, EIGHT), dot)
            x = total(dot) * factor
            put(rows, p + i, x)
            inner += x * at(rows, v + i)
        half = 0.5 * inner * factor
        for i in range(c + 1, d):
            put(rows, p + i, at(rows, p + i) - half * at(rows, v + i))
        for i in range(c + 1, d):
            x, y = -at(rows, v + i), -at(rows, p + i)
            for j in range(start, deep, WIDTH):
                entry = load(work, i * deep + j, EIGHT)
                entry = multiply_add(x, load(rows, p + j, EIGHT), entry)
                entry = multiply_add(y, load(rows, v + j, EIGHT), entry)
                store(work, i * deep + j, entry)
    for i in range(d):
        put(rows, i, at(work, i * deep + i))
    if d > 1:
        x = at(work, (d - 1) * deep + d - 2)
        put(rows, offs + d - 2, x * x)
    put(rows, offs + d - 1, 0.0)


@compiled
def broad_count(d, rows, threshold):
    """How many eigenvalues are at least the threshold; all where it is at most 0."""
    if threshold <= 0.0:
        return float(d)
    deep, count, pivot, square = padded(d), 0.0, 1.0, 0.0
    for i in range(d):
        pivot = at(rows, i) - threshold - square / pivot
        if abs(pivot) < LEAST:
            pivot = LEAST
        if pivot >= 0.0:
            count += 1.0
        square = at(rows, deep + i)
    return count
