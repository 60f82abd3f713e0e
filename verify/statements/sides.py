"""Measures that walk case by case and give the two sides of each of their equations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from verify.cases.real_arrays import RealScene
from verify.cases.scenes import Entries

Side = tuple[dict[str, Any], Any, Any]  # label, left, right


def by_numbers(sides: Callable[[Any], Iterator[Side]]) -> Callable[[RealScene], Entries]:
    """A measure that walks case by case."""

    def measure(scene: RealScene) -> Entries:
        labels, left, right, owner = [], [], [], []
        for number, case in enumerate(scene.cases):
            for label, one, other in sides(case):
                labels.append(label)
                left.append(one)
                right.append(other)
                owner.append(number)
        one, other = (_column(values) for values in (left, right))
        nothing = np.zeros(len(owner), dtype=np.int64)
        which = np.array(owner, dtype=np.int64)
        return Entries(one - other, one, which, "case", nothing, nothing - 1, lambda k: labels[k])

    measure.__name__ = getattr(sides, "__name__", getattr(sides, "func", sides).__name__)
    measure.__dict__["__wrapped__"] = sides
    return measure


def _column(values: Sequence[Any]) -> np.ndarray:
    result = np.empty(len(values), dtype=object)
    for place, value in enumerate(values):
        result[place] = value
    return result
