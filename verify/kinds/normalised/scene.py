"""The vocabulary for claims about batch-normalised chains: second moments, steps, weight laws.

A batch of instances of one shape, as in verify.kinds.deep.scene: H is (C, d, N), M and W are (C, d,
d), gamma is (C,). What divides by numbers that may be 0 belongs into a measure only where a
hypothesis keeps it from 0; measures multiply out instead where they can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
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

    @cached_property
    def identity(self) -> Array:
        """(C, d, d)."""
        rows = [[Fraction(i == j) for j in range(self.width)] for i in range(self.width)]
        flat = [entry for _ in self.cases for row in rows for entry in row]
        return self.arithmetic.array(flat).reshape(len(self.cases), self.width, self.width)

    # second moments ----------------------------------------------------------------------------
    def second_moment(self, hidden: Array) -> Array:
        """(C, d, d): M(H) = H H^T / N, eq. (2)."""
        return self.share_all(hidden @ self.transpose(hidden), Fraction(1, hidden.shape[-1]))

    def share_all(self, values: Array, of: int | Fraction) -> Array:
        """Arrays of any shape times a rational."""
        return values * self.constant(of).reshape(len(self.cases), *[1] * (len(values.shape) - 1))

    def scaled(self, values: Array, factors: Array) -> Array:
        """Arrays of any shape, each times its number; factors (C,)."""
        return values * factors.reshape(len(self.cases), *[1] * (len(values.shape) - 1))

    def diagonal(self, matrices: Array) -> Array:
        """(C, d): the diagonals."""
        places = np.arange(matrices.shape[-1])
        return matrices[:, places, places]

    # one step ----------------------------------------------------------------------------------
    def before_norm(self, hidden: Array, weights: Array, strength: Array) -> Array:
        """(C, d, N): H + gamma W H."""
        return hidden + self.scaled(weights @ hidden, strength)

    def increment(self, moments: Array, weights: Array, strength: Array) -> Array:
        """(C, d, d): Delta M = gamma W M + gamma M W^T + gamma^2 W M W^T, eq. (37)."""
        once = weights @ moments
        back = moments @ self.transpose(weights)
        twice = once @ self.transpose(weights)
        return self.scaled(once + back, strength) + self.scaled(twice, strength * strength)

    def normalised(self, hidden: Array) -> Array:
        """(C, d, N): BN(H), each row over its root mean square. Reals; no row may be 0."""
        squares = (hidden * hidden).sum(2)
        roots = self.sqrt(self.share_all(squares, Fraction(1, hidden.shape[-1])))
        return hidden / roots.reshape(*roots.shape, 1)

    # weight laws of finite support ---------------------------------------------------------------
    def moment(self, order: int) -> Array:
        """(C,): sum over the atoms of probability times atom^order; arrays `atoms`, `probs`."""
        total = self["probs"]
        for _ in range(order):
            total = total * self["atoms"]
        return total.sum(1)

    def choices(self, count: int) -> Iterator[tuple[tuple[int, ...], Array]]:
        """Every way to draw that many weights: which atoms, and the probability, (C,)."""
        probabilities = self["probs"]
        for chosen in product(range(probabilities.shape[1]), repeat=count):
            weight = self.constant(1)
            for one in chosen:
                weight = weight * probabilities[:, one]
            yield chosen, weight


class Chained(RealTensors):
    """One instance of a claim about normalised chains."""

    @staticmethod
    def scene(cases: Sequence[Tensors], arithmetic: Arithmetic) -> ChainScene:
        """A batch of such instances in one arithmetic."""
        return ChainScene(cases, arithmetic)


def as_chain(case: Tensors, random: Random) -> Chained:
    """The same arrays; the last change of a pool of them."""
    return Chained(case.arrays, case.choice, case.family)
