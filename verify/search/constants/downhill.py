"""Downhill, many shapes at once.

An archive keeps the case of the least score for each shape. In each step a few of its cases are
varied in many ways, the variants are looked at in one batch for each shape, and what is better, or
equal and smaller, takes the place of what was there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from verify.cases.case import Case
from verify.cases.tensors import Tensors
from verify.search.constants.slacks import Look, Scores

Shape = tuple[tuple[str, int], ...]
Move = Callable[[Any, Random], Any]
PARENTS = 2


def sizes(case: Any) -> dict[str, int]:
    """The lengths of the axes and the integers of arrays; depth, vertices, edges and examples of a
    case with a network."""
    if isinstance(case, Tensors):
        whole = {name: case.whole(name) for name, a in case.arrays.items() if _is_whole(a)}
        return {**case.lengths, **whole}
    assert isinstance(case, Case)
    net = case.network
    return {
        "depth": max(net.depths),
        "vertices": net.vertex_count,
        "edges": net.edge_count,
        "examples": case.example_count,
    }


def _is_whole(array: Any) -> bool:
    return bool(array.integer) and not array.axes


@dataclass
class Archive:
    """The best case of each shape.

    cases, scores: by shape, in the order in which shapes were met; what a look gives as a score is
    made small. below: cases with a slack certainly below 0. looked: how many cases were looked at.
    met: how many of them have an entry that meets the hypotheses and says something.
    """

    cases: dict[Shape, Any] = field(default_factory=dict)
    scores: dict[Shape, float] = field(default_factory=dict)
    below: list[Any] = field(default_factory=list)
    looked: int = 0
    met: int = 0

    def add(self, look: Look, cases: Sequence[Any]) -> None:
        """Look at cases, and keep what is better than what is there."""
        self.keep(cases, look(cases))

    def keep(self, cases: Sequence[Any], scores: Scores) -> None:
        """Keep what is better than what is there."""
        self.looked += len(cases)
        self.met += int(np.isfinite(scores.score).sum())
        self.below += [case for case, low in zip(cases, scores.below, strict=True) if low]
        for k in np.argsort(scores.score, kind="stable"):
            score, case = float(scores.score[k]), cases[k]
            if not np.isfinite(score):
                break
            shape = tuple(sorted(sizes(case).items()))
            kept = self.scores.get(shape, np.inf)
            if score < kept or (score == kept and case.size() < self.cases[shape].size()):
                self.cases[shape], self.scores[shape] = case, score

    @property
    def least(self) -> float:
        """The least score; infinite where there is none."""
        return min(self.scores.values(), default=np.inf)

    def ranked(self) -> list[Any]:
        """The kept cases, those with the least score first, among equals the smaller ones."""
        order = sorted(self.cases, key=lambda shape: (self.scores[shape], self.cases[shape].size()))
        return [self.cases[shape] for shape in order]

    def parents(self, random: Random) -> list[Any]:
        """The best ones, and some others, so that no shape is forgotten."""
        ranked = self.ranked()
        best, others = ranked[: PARENTS // 2], ranked[PARENTS // 2 :]
        return best + random.sample(others, min(len(others), PARENTS - len(best)))


def downhill(
    look: Look,
    archive: Archive,
    move: Move,
    random: Random,
    *,
    steps: int,
    width: int,
    floor: float = -np.inf,
    patience: int | None = None,
) -> None:
    """Vary the cases of an archive for so many steps, `width` variants each; it ends at the
    first slack below 0, at the first score of at most `floor`, and after `patience` steps without
    a smaller score."""
    waited = 0
    for _ in range(steps):
        parents = archive.parents(random)
        if archive.below or not parents or archive.least <= floor or waited == patience:
            return
        before = archive.least
        each = max(1, width // len(parents))
        archive.add(look, [move(parent, random) for parent in parents for _ in range(each)])
        waited = 0 if archive.least < before else waited + 1
