"""Hypothesis strategies for rational second moment matrices with unit diagonal, and weights."""

from fractions import Fraction

from hypothesis import strategies as st

small = st.fractions(-2, 2, max_denominator=4)


@st.composite
def unit_vectors(draw, size):
    """Rational unit vectors, by stereographic projection."""
    t = [draw(small) for _ in range(size - 1)]
    square = sum((x * x for x in t), Fraction(0))
    return [*(2 * x / (square + 1) for x in t), (square - 1) / (square + 1)]


@st.composite
def second_moments(draw, width):
    """Gram matrices (width, width) of unit vectors in a space of dimension 1 to width."""
    size = draw(st.integers(1, width))
    rows = [draw(unit_vectors(size)) for _ in range(width)]
    return [
        [sum((a * b for a, b in zip(r, s, strict=True)), Fraction(0)) for s in rows] for r in rows
    ]


def matrices(width, entries=small):
    """(width, width) matrices of rationals."""
    row = st.lists(entries, min_size=width, max_size=width)
    return st.lists(row, min_size=width, max_size=width)
