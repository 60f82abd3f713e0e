"""How the best factor grows with the sizes: a regression, given as figures alone.

Where an exponent of a size is larger than it need be, the best factor is 1 at the smallest size and
grows with the others. For each size the least factor is found over the cases of that size, and the
slope of its logarithm against the logarithm of the size is fitted by least squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from verify.constants.downhill import Archive, Move, downhill
from verify.constants.limits import Effort
from verify.constants.sight import Look

DIFFERENT = 3  # sizes that a slope is fitted to


def everywhere(
    look: Look, seeds: Sequence[Any], move: Move, random: Random, effort: Effort
) -> Archive:
    """Downhill for each shape by itself, from the best one of the seeds."""
    archive = Archive()
    archive.add(look, seeds)
    for shape in list(archive.cases):
        one = Archive({shape: archive.cases[shape]}, {shape: archive.scores[shape]})
        downhill(look, one, move, random, steps=effort.steps, width=effort.width, floor=0.0)
        archive.cases[shape], archive.scores[shape] = one.cases[shape], one.scores[shape]
    return archive


def slopes(archive: Archive) -> dict[str, float]:
    """The exponent of the best factor, 1 plus the score, in each size with enough values."""
    found = {}
    names = dict.fromkeys(name for shape in archive.cases for name, _ in shape)
    for name in names:
        factors: dict[int, float] = {}
        for shape, score in archive.scores.items():
            size = dict(shape).get(name, 0)
            factors[size] = min(factors.get(size, np.inf), 1 + score)
        factors = {size: factor for size, factor in factors.items() if size > 0}
        if len(factors) >= DIFFERENT:
            logs = np.log(list(factors)), np.log(list(factors.values()))
            found[name] = float(np.polyfit(*logs, 1)[0])
    return found
