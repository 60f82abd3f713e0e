"""Products of matrices of eight chains, tile by tile: the sums of a tile stay in registers."""

from __future__ import annotations

from numerics.chains.lanes import tile
from numerics.kernels import compiled
from numerics.lanes import EIGHT, load, store

WIDTH = len(EIGHT)
ONE, FOUR = (0,), (0,) * 4


@compiled
def pack(middle, columns, right, j, panel):
    """Copy columns j to j + columns - 1 of `right` to `panel`, row after row. Rows lie a power of
    two apart, which a cache keeps in few places; the copy is read as it lies."""
    b, under, across = right
    for row in range(middle):
        for c in range(columns):
            entry = load(b, row * under + (j + c) * across, EIGHT)
            store(panel, (row * columns + c) * WIDTH, entry)


@compiled
def product(rows, middle, columns, left, right, out, panel, symmetric):
    """out = left @ right. left, right: (array, step to the next row, to the next column).

    panel: room for four columns. symmetric: the product is; only blocks of rows that reach the
    diagonal are computed, and mirrored.
    """
    a, down, along = left
    for j in range(0, columns, 4):
        breadth = min(4, columns - j)
        pack(middle, breadth, right, j, panel)
        whole = min(rows, j + breadth) if symmetric else rows
        for i in range(0, whole, 4):
            one = (a, i * down, down, along)
            to = (out, (i * columns + j) * WIDTH, columns * WIDTH, WIDTH)
            if breadth == 4 and i + 4 <= rows:
                tile(FOUR, FOUR, EIGHT, middle, one, (panel, 0, 4 * WIDTH, WIDTH), to)
            else:
                part(min(4, rows - i), middle, breadth, one, panel, to)
    if symmetric:
        for i in range(rows):
            for j in range(i):
                store(out, (i * rows + j) * WIDTH, load(out, (j * rows + i) * WIDTH, EIGHT))


@compiled
def part(rows, middle, breadth, left, panel, out):
    """A tile at the border, of fewer rows or columns than four."""
    a, place, down, along = left
    to, first, below, beside = out
    for r in range(rows):
        for c in range(breadth):
            tile(
                ONE,
                ONE,
                EIGHT,
                middle,
                (a, place + r * down, down, along),
                (panel, c * WIDTH, breadth * WIDTH, WIDTH),
                (to, first + r * below + c * beside, below, beside),
            )
