"""A network made of arrays at its points, in exact numbers: what repairs and breaks look at.

At a pre-activation that is 0 the slope of the activation is taken to be 1.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from graphs.arithmetic import rational
from graphs.matrices import rank
from graphs.rationals import RATIONALS

if TYPE_CHECKING:
    from verify.kinds.deep.networks import Deep, Matrix


class Forward:
    """Layers are numbered as in the paper; arrays are of rationals of graphs.arithmetic."""

    def __init__(self, case: Deep) -> None:
        self._case = case

    @cached_property
    def _layers(self) -> tuple[list[Matrix], list[Matrix], list[Matrix]]:
        """Pre-activations 1..L, activations 0..L-1, slopes 1..L, each (N, n_l)."""
        case, a = self._case, self._case.matrix("a").reshape(-1)[0]
        pre: list[Matrix] = []
        post, slopes = [case.matrix("X")], []
        for layer in range(1, case.depth + 1):
            z = post[-1] @ case.matrix(f"W{layer}").T + case.matrix(f"b{layer}")
            pre.append(z)
            left = (z < 0) & (layer < case.depth)
            slopes.append(np.where(left, a, rational(1)))
            post.append(z * slopes[-1])
        return pre, post, slopes

    def pre(self, layer: int) -> Matrix:
        """(N, n_l): pre-activations, l from 1 to L; of L the outputs."""
        return self._layers[0][layer - 1]

    def post(self, layer: int) -> Matrix:
        """(N, n_l): activations, l from 0 to L; of 0 the points."""
        return self._layers[1][layer]

    @property
    def outputs(self) -> Matrix:
        """(N, n_L)."""
        return self.pre(self._case.depth)

    @property
    def kinked(self) -> bool:
        """Whether a hidden neuron has the pre-activation 0 at a point."""
        return any(bool((self.pre(layer) == 0).any()) for layer in range(1, self._case.depth))

    def to_post(self, layer: int, at: int) -> Matrix:
        """(n_l, n_0): J alpha_l at a point, l from 0 (the identity) to L."""
        case, slopes = self._case, self._layers[2]
        found = _identity(case.widths[0])
        for k in range(1, layer + 1):
            found = (case.matrix(f"W{k}") @ found) * slopes[k - 1][at].reshape(-1, 1)
        return found

    def to_pre(self, layer: int, at: int) -> Matrix:
        """(n_l, n_0): J alpha~_l at a point, l from 1 to L."""
        found: Matrix = self._case.matrix(f"W{layer}") @ self.to_post(layer - 1, at)
        return found

    def from_post(self, layer: int, at: int) -> Matrix:
        """(n_L, n_l): J(alpha_l -> f) at a point, l from 0 to L (the identity)."""
        case, slopes = self._case, self._layers[2]
        found = _identity(case.widths[-1])
        for k in range(case.depth, layer, -1):
            found = (found * slopes[k - 1][at]) @ case.matrix(f"W{k}")
        return found

    def from_pre(self, layer: int, at: int) -> Matrix:
        """(n_L, n_l): J(alpha~_l -> f) at a point, l from 1 to L."""
        found: Matrix = self.from_post(layer, at) * self._layers[2][layer - 1][at]
        return found

    def jacobian(self, at: int) -> Matrix:
        """(n_L, n_0): J f at a point."""
        return self.to_post(self._case.depth, at)

    @cached_property
    def ranks(self) -> list[int]:
        """The rank of the Jacobian at each point."""
        return [rank(self.jacobian(at)) for at in range(self._case.lengths["N"])]


def _identity(size: int) -> Matrix:
    found: Matrix = RATIONALS.array(np.eye(size, dtype=int).tolist())
    return found
