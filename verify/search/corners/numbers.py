"""Rows of numbers at corners: of weights, of points, of slopes and labels."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

Numbers = tuple[Fraction, ...]
Corner = tuple[str, Numbers]
ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
HUGE, TINY = Fraction(2) ** 40, Fraction(1, 2**40)

ZEROS, TIES, KINKS, RANK = "zeros", "ties", "kinks", "rank drops"
SIZE, EXTREMES, SIGNS, ANGLES = "size one", "extremes", "signs", "parallel or orthogonal"
COINCIDENT = "coincident points"
KINDS = (ZEROS, TIES, KINKS, RANK, SIZE, EXTREMES, SIGNS, ANGLES, COINCIDENT)


def generic(count: int) -> Numbers:
    """Numbers in no special position: of different sizes, both signs, none 0."""
    return tuple(Fraction((-1) ** (k // 2) * (2 * k + 3), 2 + k % 3) for k in range(count))


def rows_at_corners(count: int) -> Iterator[Corner]:
    """Rows of so many numbers, each with its kind of corner."""
    plain = generic(count)
    yield TIES, (ONE,) * count
    yield ZEROS, (ZERO,) * count
    yield SIGNS, tuple(-abs(value) for value in plain)
    yield EXTREMES, tuple(value * (HUGE if k % 2 else TINY) for k, value in enumerate(plain))
    for k in range(count):
        yield ZEROS, (*plain[:k], ZERO, *plain[k + 1 :])
    yield TIES, tuple(ONE if value > 0 else -ONE for value in plain)
    yield EXTREMES, tuple(value * HUGE for value in plain)
    yield SIGNS, tuple(map(abs, plain))
    yield EXTREMES, tuple(value * TINY for value in plain)
    for k in range(count - 1):
        yield TIES, (*plain[: k + 1], plain[k], *plain[k + 2 :])
        yield SIGNS, (*plain[: k + 1], -plain[k], *plain[k + 2 :])
    for k in range(count):
        yield EXTREMES, (*plain[:k], HUGE, *plain[k + 1 :])
        if count > 1:
            yield ZEROS, tuple(value if i == k else ZERO for i, value in enumerate(plain))


def axis(width: int, place: int, size: Fraction = ONE) -> Numbers:
    """A multiple of a unit vector."""
    return tuple(size if i == place else ZERO for i in range(width))


def level(width: int) -> Numbers:
    """A point in no special position, of norm at most 1."""
    return tuple(Fraction(k + 2, 2 * (width + 2) ** 2) for k in range(width))


def points_at_corners(width: int) -> Iterator[tuple[str, tuple[Numbers, ...]]]:
    """One or two examples of so many numbers, of norm at most 1, with their kind of corner."""
    first, last, inside = axis(width, 0), axis(width, width - 1), level(width)
    yield ZEROS, ((ZERO,) * width,)
    yield COINCIDENT, (inside, inside)
    yield ANGLES, (inside, tuple(-value for value in inside))
    yield ANGLES, (first, last) if width > 1 else (first, axis(1, 0, HALF))
    yield EXTREMES, (first,)
    yield EXTREMES, (tuple(value * TINY for value in inside),)
    yield ANGLES, (inside, tuple(value * HALF for value in inside))
    yield SIGNS, (tuple(-value for value in inside),)
    yield ZEROS, (inside, (ZERO,) * width)
    yield TIES, ((Fraction(1, 2 * width),) * width,)
    yield ZEROS, (axis(width, width - 1, HALF),)
