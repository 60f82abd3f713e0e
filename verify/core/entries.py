"""Entries: what a measure returns, whatever its instances are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphs.arithmetic import Array

Row = tuple[int, dict[str, Any], Any]


@dataclass(frozen=True)
class Entries:
    """What a measure returns: K numbers, and what each of them speaks of.

    values: (K,), the left side of an equation minus the right one. left: (K,) the left side, None
    where a measure has no sides. owner: (K,) the case of each. what: vertex, edge, pair, layers,
    example or case. subjects: (K,) union numbers of vertices or edges, (K, 2) of pairs, or (K,)
    zeros. examples: (K,) example numbers, or -1 where an entry is not about one. label: entry
    number to JSON.
    """

    values: Array
    left: Array | None
    owner: np.ndarray
    what: str
    subjects: np.ndarray
    examples: np.ndarray
    label: Callable[[int], dict[str, Any]]

    def __len__(self) -> int:
        return len(self.owner)


def constant_entries(scene: Any, rows: Sequence[Row], what: str = "case") -> Entries:
    """Entries from (case number, label, number) rows, for measures that walk case by case.

    scene: of any kind of instances; only its arithmetic is asked for.
    """
    values = scene.arithmetic.array([value for _, _, value in rows])
    owner = np.array([c for c, _, _ in rows], dtype=np.int64)
    labels = [label for _, label, _ in rows]
    nothing = np.zeros(len(rows), dtype=np.int64)
    examples = np.array([label.get("example", -1) for label in labels], dtype=np.int64)
    return Entries(values, None, owner, what, nothing, examples, lambda k: labels[k])
