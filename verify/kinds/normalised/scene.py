"""The vocabulary for claims about batch-normalised chains: second moments, weight laws.

A batch of instances of one shape, as in verify.kinds.deep.scene: H is (C, d, N), M and W are (C, d,
d), gamma is (C,). What divides by numbers that may be 0 belongs into a measure only where a
hypothesis keeps it from 0; measures multiply out instead where they can.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from graphs.arithmetic import Arithmetic, Array
from verify.cases.real_arrays import RealScene, RealTensors
from verify.cases.tensors import Tensors


class ChainScene(RealScene):
    """A batch of hidden matrices, second moment matrices, weights and weight laws."""

    # sizes -------------------------------------------------------------------------------------
    @property
    def width(self) -> int:
        """d."""
        return self.lengths["d"]

    @property
    def samples(self) -> int:
        """N."""
        return self.lengths["N"]

    # second moments ----------------------------------------------------------------------------
    def diagonal(self, matrices: Array) -> Array:
        """(C, d): the diagonals."""
        places = np.arange(matrices.shape[-1])
        return matrices[:, places, places]

    # weight laws of finite support ---------------------------------------------------------------
    def moment(self, order: int) -> Array:
        """(C,): sum over the atoms of probability times atom^order; arrays `atoms`, `probs`."""
        total = self["probs"]
        for _ in range(order):
            total = total * self["atoms"]
        return total.sum(1)


class Chained(RealTensors):
    """One instance of a claim about normalised chains."""

    @staticmethod
    def scene(cases: Sequence[Tensors], arithmetic: Arithmetic) -> ChainScene:
        """A batch of such instances in one arithmetic."""
        return ChainScene(cases, arithmetic)


def as_chain(case: Tensors, random: Random) -> Chained:
    """The same arrays; the last change of a pool of them."""
    return Chained(case.arrays, case.choice, case.family)
