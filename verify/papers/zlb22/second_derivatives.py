"""What the symbols of equations (13) and (14) mean.

The derivative by another neuron is total; second derivatives collect what arises at the neuron
itself, those of its parents being set to zero. (With total second derivatives the term of k itself
is the whole block, and (13) counts it and more; with derivatives along edges alone (13) misses the
weights into k.)

Derivatives are by the normalised weights (verify.kinds.dags.scene), which changes both sides of an
identity between entries of Hessians by the same factor. Everything is of the first point. C
instances, P places of weights.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from graphs.arithmetic import Array
from verify.cases.scenes import Entries
from verify.kinds.dags.scene import DagScene, outer

POINT = 0


class Derivatives:
    """First and second derivatives, block (l1, l2) of the latter."""

    def __init__(self, scene: DagScene) -> None:
        self.scene = scene
        self.run = scene.passed(POINT)
        place, first = scene.slot_layer, scene.whole("l1")[:, None]
        rows = place == first
        columns = place == scene.whole("l2")[:, None]
        self._block = scene.chosen(rows[:, :, None] & columns[:, None, :])
        self._pre: dict[int, Array] = {}  # what several outputs ask for
        self._bends: dict[int, Array] = {}

    def block(self, hessian: Array) -> Array:
        """(C, P, P): the block for the layers l1 and l2, the other entries 0."""
        return hessian * self._block

    # second derivatives --------------------------------------------------------------------------
    def of_pre(self, v: int) -> Array:
        """(C, P, P): the block of the second derivative of the pre-activation of v."""
        if v not in self._pre:
            self._pre[v] = self.block(self._at_pre(v))
        return self._pre[v]

    def of_post(self, v: int) -> Array:
        """(C, P, P): the block of the second derivative of the value of v."""
        return self.of_pre(v) * _numbers(self.run.slope[v]) + self.bent(v)

    def bent(self, v: int) -> Array:
        """(C, P, P): sigma'' times the product of the gradients of the pre-activation of v."""
        if v not in self._bends:
            gradient = self.run.pre_gradient[v]
            self._bends[v] = self.block(outer(gradient, gradient) * _numbers(self.run.bend[v]))
        return self._bends[v]

    def _at_pre(self, v: int) -> Array:
        """(C, P, P): what the weights into v and the values of its parents give."""
        scene = self.scene
        total = scene.arithmetic.zeros((len(scene.cases), len(scene.slots), len(scene.slots)))
        for u in range(v):
            own = scene.place(v, u)
            cross = outer(own, self.run.post_gradient[u])
            total = total + cross + cross.swapaxes(1, 2)
        return total

    # first derivatives ---------------------------------------------------------------------------
    def of_output(self, k: int) -> list[Array]:
        """(C,) for each neuron i: the derivative of the value of k by the value of i."""
        return self.scene.influence(POINT, k)

    def _of_pre(self, s: int) -> list[Array]:
        """(C,) for each neuron i: that of the pre-activation of s, at i = s that of an output whose
        value is its pre-activation."""
        return self.scene.pre_influence(POINT, s)

    # sums over layers ----------------------------------------------------------------------------
    def in_layer(self, v: int, numbers: np.ndarray) -> Array:
        """(C, 1, 1): 1 where v lies in the layer of that number, else 0."""
        return _numbers(self.scene.chosen(self.scene.layer[:, v] == numbers))

    def term(self, k: int, layer: np.ndarray) -> Array:
        """(C, P, P): G_k^{L,l'} of an output k, l' (C,)."""
        total = self.nothing()
        for i, share in enumerate(self.of_output(k)):
            total = total + self.of_post(i) * _numbers(share) * self.in_layer(i, layer)
        return total

    def term_of_pre(self, s: int, layer: np.ndarray) -> Array:
        """(C, P, P): G_s^{r,l'}, r the layer of s: of the network that ends at s, with the identity
        there, so that the pre-activation of s is its output."""
        shares = self._of_pre(s)
        total = self.of_pre(s) * _numbers(shares[s]) * self.in_layer(s, layer)
        for i in range(s):
            total = total + self.of_post(i) * _numbers(shares[i]) * self.in_layer(i, layer)
        return total

    def nothing(self) -> Array:
        """(C, P, P): zeros."""
        size = len(self.scene.slots)
        return self.scene.arithmetic.zeros((len(self.scene.cases), size, size))


def _numbers(values: Array) -> Array:
    """(C, 1, 1) of (C,)."""
    return values.reshape(-1, 1, 1)


def differences(scene: DagScene, sides: list[tuple[Array, Array]]) -> Entries:
    """The squared Frobenius norm of the difference of two sides, for each neuron k of the last
    layer. sides: for each vertex, (C, P, P) each. The entries' own left side is that of the left
    one."""
    nothing = scene.constant(Fraction(0))
    if not scene.slots:  # a single vertex has no weights
        return only(scene.parts([({}, nothing, nothing)]), np.empty(0, dtype=int))
    parts = []
    for k, (left, right) in enumerate(sides):
        size = scene.frobenius_squared(left)
        parts.append(({"neuron": k}, size, size - scene.frobenius_squared(left - right)))
    every = scene.parts(parts)
    last = (scene.layer == scene.depth[:, None]).T.reshape(-1)
    return only(every, np.flatnonzero(last))


def only(entries: Entries, kept: np.ndarray) -> Entries:
    """Some of the entries, by their numbers."""
    left = None if entries.left is None else entries.left[kept]
    return Entries(
        entries.values[kept],
        left,
        entries.owner[kept],
        entries.what,
        entries.subjects[kept],
        entries.examples[kept],
        lambda k: entries.label(int(kept[k])),
    )
