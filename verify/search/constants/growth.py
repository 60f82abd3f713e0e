"""How the best factor grows with the sizes: a regression, given as figures alone.

Where an exponent of a size is larger than it need be, the best factor is 1 at the smallest size and
grows with the others. One axis at a time takes all lengths, the others having length 1, or 2, or
the largest; for each length the least factor is searched for, and the slope of its logarithm
against the logarithm of the length is fitted by least squares.
"""

from __future__ import annotations

from random import Random

import numpy as np

from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.core.claim import Claim
from verify.search.constants.downhill import Archive, downhill
from verify.search.constants.limits import Effort, moving
from verify.search.constants.moves import axes_of, filled, shaped
from verify.search.constants.slacks import Look

DIFFERENT = 3  # lengths that a slope is fitted to
OTHERS = (1, 2)  # lengths of the other axes, beside the largest one
SEEDS = 16  # corners of a shape


def slopes(claim: Claim, look: Look, random: Random, effort: Effort) -> dict[str, float]:
    """The exponent of the best factor in the length of each axis; look: sees cases by how far the
    factor can go beyond 1. Of arrays alone."""
    pool = claim.pool
    if not isinstance(pool, TensorPool):
        return {}
    found = {}
    for axis in axes_of(pool):
        factors: dict[int, float] = {}
        for length in range(1, pool.largest + 1):
            for other in dict.fromkeys((*OTHERS, pool.largest)):
                lengths = dict.fromkeys(axes_of(pool), other) | {axis: length}
                seed = shaped(claim, pool, lengths, random)
                best = 1 + _least(claim, pool, look, seed, random, effort)
                size = seed.lengths[axis]
                factors[size] = min(factors.get(size, np.inf), best)
        factors = {size: factor for size, factor in factors.items() if np.isfinite(factor)}
        if len(factors) >= DIFFERENT:
            logs = np.log(list(factors)), np.log(list(factors.values()))
            found[axis] = float(np.polyfit(*logs, 1)[0])
    return found


def _least(
    claim: Claim, pool: TensorPool, look: Look, seed: Tensors, random: Random, effort: Effort
) -> float:
    """The least score over cases of the shape of a seed."""
    archive = Archive()
    archive.add(look, [seed, *filled(claim, pool, [seed], random, SEEDS)])
    move, width = moving(claim), effort.width
    downhill(look, archive, move, random, steps=effort.steps, width=width, floor=0.0)
    return archive.least
