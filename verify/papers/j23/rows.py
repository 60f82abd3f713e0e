"""Entries from numbers computed case by case: rationals or reals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphs.rationals import RATIONALS
from verify.cases.scenes import Entries
from verify.cases.tensors import Tensors
from verify.kinds.deep.networks import Matrix

Row = tuple[int, dict[str, Any], Any]


def entries_of(rows: Sequence[Row], left: Sequence[Any] | None = None) -> Entries:
    """Entries from (case number, label, number) rows. left: the left side of each, where the
    numbers are differences of two sides."""
    values = _column([value for _, _, value in rows])
    sides = None if left is None else _column(left)
    owner = np.array([number for number, _, _ in rows], dtype=np.int64)
    nothing = np.zeros(len(rows), dtype=np.int64)
    return Entries(values, sides, owner, "case", nothing, nothing - 1, lambda k: rows[k][1])


def _column(numbers: Sequence[Any]) -> np.ndarray:
    found = np.empty(len(numbers), dtype=object)
    for place, value in enumerate(numbers):
        found[place] = value
    return found


def exact(case: Tensors, name: str) -> Matrix:
    """An array of a case as rationals of graphs.arithmetic."""
    array = case.arrays[name]
    entries: Matrix = RATIONALS.array(list(array.entries)).reshape(array.shape)
    return entries


def number(case: Tensors, name: str) -> Any:
    """A number of a case, likewise."""
    return exact(case, name).reshape(-1)[0]
