"""Data sets with exact rational entries, rows of norm at most 1 and labels 1 and -1.

The real one is scikit-learn's bundled digits; the synthetic ones are drawn with a generator that is
handed in. Separable means: by a hyperplane through the origin, as it is for networks without bias.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import chain, zip_longest
from math import isqrt
from random import Random
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")
Row = tuple[Fraction, ...]
FULL_SIDE = 8
RESOLUTION = 12


@dataclass(frozen=True)
class Dataset:
    """n examples in d dimensions. inputs: n rows of d rationals, each of Euclidean norm at most 1;
    labels: n rationals, 1 or -1."""

    title: str
    inputs: tuple[Row, ...]
    labels: tuple[Fraction, ...]

    @property
    def count(self) -> int:
        """The number of examples."""
        return len(self.labels)

    @property
    def dimension(self) -> int:
        """The number of coordinates."""
        return len(self.inputs[0])

    @cached_property
    def input_array(self) -> np.ndarray:
        """(n, d) float64, each entry rounded to nearest."""
        return np.array([[float(number) for number in row] for row in self.inputs])

    @cached_property
    def label_array(self) -> np.ndarray:
        """(n,) float64."""
        return np.array([float(label) for label in self.labels])

    def head(self, count: int) -> Dataset:
        """The first `count` examples. Raises ValueError where there are not as many."""
        if not 1 <= count <= self.count:
            raise ValueError(f"count = {count}: {self.title} has {self.count} examples")
        return Dataset(self.title, self.inputs[:count], self.labels[:count])


@cache
def digits(
    classes: tuple[int, int] = (0, 1), count: int | None = None, side: int = FULL_SIDE
) -> Dataset:
    """Handwritten digits of two classes, labelled 1 (the first) and -1, alternating.

    side: 8 for the images as they are (64 pixels of 0 to 16), or 4, 2, 1 for sums over square
    blocks of pixels. All images are divided by one integer, the least that brings every row of the
    two classes to norm at most 1, so `count` (the first so many; default all) changes no row. Made
    once.

    Raises ValueError for classes that are not two different digits, a side that does not divide 8,
    or a count that there is not.
    """
    if len(set(classes)) != 2 or not all(0 <= digit <= 9 for digit in classes):
        raise ValueError(f"classes {classes}: give two different digits from 0 to 9")
    if side not in (1, 2, 4, 8):
        raise ValueError(f"side {side} does not divide {FULL_SIDE}: use 8, 4, 2 or 1")
    images, target = _bundled_digits()
    block = FULL_SIDE // side
    pixels = images.reshape(-1, side, block, side, block).sum(axis=(2, 4)).reshape(len(images), -1)
    chosen = [pixels[target == digit].tolist() for digit in classes]
    labels = ([Fraction(sign)] * len(rows) for sign, rows in zip((1, -1), chosen, strict=True))
    data = Dataset(
        f"digits {classes[0]} and {classes[1]}, {side}x{side} pixels",
        _shortened(_alternating(*chosen)),
        tuple(_alternating(*labels)),
    )
    return data if count is None else data.head(count)


@cache
def _bundled_digits() -> tuple[np.ndarray, np.ndarray]:
    """(1797, 8, 8) pixels and the (1797,) digits that they show; nobody changes them."""
    from sklearn.datasets import load_digits  # takes a second to import

    bundled = load_digits()
    return bundled.images.astype(np.int64), bundled.target


def separable(random: Random, count: int, dimension: int) -> Dataset:
    """Random rows, labelled by the side of a random hyperplane through the origin they lie on.

    Where there are two examples or more both labels occur. Raises ValueError for a count or
    dimension that is not positive.
    """
    _check_sizes(count, dimension, 1)
    normal = _integers(random, dimension)
    rows: list[list[int]] = []
    labels: list[Fraction] = []
    while len(rows) < count:
        row = _integers(random, dimension)
        side = sum(a * b for a, b in zip(normal, row, strict=True))
        if not side:
            continue
        if len(rows) == 1 and (side > 0) == (labels[0] > 0):
            row, side = [-number for number in row], -side
        rows.append(row)
        labels.append(Fraction(1 if side > 0 else -1))
    return Dataset(
        f"separable, {count} examples in {dimension} dimensions", _shortened(rows), tuple(labels)
    )


def _check_sizes(count: int, dimension: int, least: int) -> None:
    if count < least or dimension < 1:
        raise ValueError(
            f"{count} examples in {dimension} dimensions: "
            f"give at least {least} examples and one dimension"
        )


def _integers(random: Random, dimension: int) -> list[int]:
    """A row of small integers, not all 0."""
    while True:
        row = [random.randint(-RESOLUTION, RESOLUTION) for _ in range(dimension)]
        if any(row):
            return row


def _alternating(first: Sequence[T], second: Sequence[T]) -> list[T]:
    missing = object()
    pairs: chain[Any] = chain.from_iterable(zip_longest(first, second, fillvalue=missing))
    return [item for item in pairs if item is not missing]


def _shortened(rows: Sequence[Sequence[int]]) -> tuple[Row, ...]:
    """The rows divided by the least integer that brings all of them to norm at most 1."""
    longest = max(sum(number * number for number in row) for row in rows)
    divisor = isqrt(longest - 1) + 1 if longest else 1
    return tuple(tuple(Fraction(number, divisor) for number in row) for row in rows)
