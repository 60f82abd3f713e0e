"""The vocabulary for claims about fully connected networks: layers, Jacobians, tangent kernels.

A batch of networks of the same widths, in rationals, float64 balls or plain float64 (then
derivatives pass through). C networks, N points; layers are numbered as the paper does. What leaves
the rationals (singular values, logarithms, powers) is a `graphs.reals.Real` in exact arithmetic and
torch in float64; float64 balls do not know it.

At a pre-activation that is 0 the slope of the activation is taken to be 1. Claims that leave such
points out say so by a hypothesis (verify.kinds.deep.hypotheses.SMOOTH).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from graphs.arithmetic import Array
from verify.cases.real_arrays import RealScene

if TYPE_CHECKING:
    from verify.kinds.deep.networks import Deep


class DeepScene(RealScene):
    """A batch of networks of one depth and the same widths."""

    cases: tuple[Deep, ...]

    # the network ---------------------------------------------------------------------------------
    @cached_property
    def depth(self) -> int:
        """L."""
        return self.cases[0].depth

    @property
    def count(self) -> int:
        """N, the number of points."""
        return self.lengths["N"]

    def width(self, layer: int) -> int:
        """n_l."""
        return self.lengths[f"n{layer}"]

    @cached_property
    def weights(self) -> list[Array]:
        """W_1 to W_L, each (C, n_l, n_(l-1)); `weights[0]` is W_1, see `weight`."""
        return [self[f"W{layer}"] for layer in range(1, self.depth + 1)]

    def weight(self, layer: int) -> Array:
        """(C, n_l, n_(l-1)): W_l."""
        return self.weights[layer - 1]

    def bias(self, layer: int) -> Array:
        """(C, n_l): b_l."""
        return self[f"b{layer}"]

    @cached_property
    def slope(self) -> Array:
        """(C,): a."""
        return self["a"]

    @property
    def points(self) -> Array:
        """(C, N, n_0)."""
        return self["X"]

    @cached_property
    def _layers(self) -> tuple[list[Array], list[Array], list[Array], np.ndarray]:
        """Pre-activations 1..L, activations 0..L-1, slopes 0..L, each (C, N, n_l), and where a
        hidden pre-activation is 0: (C, N)."""
        return self.forward(self.points)

    def forward(self, points: Array) -> tuple[list[Array], list[Array], list[Array], np.ndarray]:
        """The same for other points (C, N, n_0)."""
        size, count = len(self.cases), points.shape[1]
        kinked = np.zeros((size, count), dtype=bool)
        pre: list[Array] = []
        post, slopes = [points], [self._ones(count, 0)]
        for layer in range(1, self.depth + 1):
            width = self.width(layer)
            z = post[-1] @ self.transpose(self.weight(layer))
            z = z + self.bias(layer).reshape(size, 1, width)
            pre.append(z)
            if layer == self.depth:
                break
            slope, zero = self.slopes_at(z)
            kinked |= zero.reshape(size, count, width).any(axis=2)
            slopes.append(slope)
            post.append(z * slope)
        slopes.append(self._ones(count, self.depth))
        return pre, post, slopes, kinked

    def slopes_at(self, z: Array) -> tuple[Array, np.ndarray]:
        """The slope of each neuron, (C, N, n), and where its pre-activation is (or may be) 0."""
        flat = z.reshape(-1, 1)
        owner = np.repeat(np.arange(len(self.cases)), len(flat) // len(self.cases))
        left = self.slope.reshape(-1, 1)[owner]
        right = self.arithmetic.array([[1]] * len(flat))
        slope, _ = self.arithmetic.slopes(np.arange(len(flat)), flat, left, right)
        return slope.reshape(*z.shape), self.arithmetic.may_be_zero(flat)

    def _ones(self, count: int, layer: int) -> Array:
        shape = (len(self.cases), count, self.width(layer))
        return self.arithmetic.array([1] * (shape[0] * shape[1] * shape[2])).reshape(*shape)

    def pre(self, layer: int) -> Array:
        """(C, N, n_l): pre-activations, l from 1 to L; of L the outputs."""
        return self._layers[0][layer - 1]

    def post(self, layer: int) -> Array:
        """(C, N, n_l): activations, l from 0 to L-1; of 0 the points."""
        return self._layers[1][layer]

    def slopes(self, layer: int) -> Array:
        """(C, N, n_l): the diagonals of D_l, l from 0 to L; 1 for 0 and L."""
        return self._layers[2][layer]

    @property
    def outputs(self) -> Array:
        """(C, N, n_L)."""
        return self.pre(self.depth)

    @property
    def kinked(self) -> np.ndarray:
        """(C, N) boolean: whether some hidden pre-activation is (or may be) 0 at a point."""
        return self._layers[3]

    # Jacobians -----------------------------------------------------------------------------------
    def identity(self, layer: int) -> Array:
        """(C, n_l, n_l)."""
        size = self.width(layer)
        return self.arithmetic.array(
            [int(i == j) for _ in self.cases for i in range(size) for j in range(size)]
        ).reshape(len(self.cases), size, size)

    def rows_scaled(self, matrices: Array, diagonal: Array) -> Array:
        """D M for diagonals (C, n) and matrices (C, n, m)."""
        return matrices * diagonal.reshape(*diagonal.shape, 1)

    def columns_scaled(self, matrices: Array, diagonal: Array) -> Array:
        """M D for diagonals (C, m) and matrices (C, n, m)."""
        return matrices * diagonal.reshape(diagonal.shape[0], 1, diagonal.shape[1])

    def to_pre(self, layer: int, at: int = 0) -> Array:
        """(C, n_l, n_0): J alpha~_l at the point of that number, l from 1 to L."""
        return self._memory("to_pre", layer, at)

    def to_post(self, layer: int, at: int = 0) -> Array:
        """(C, n_l, n_0): J alpha_l, l from 0 (the identity) to L-1; of L that of alpha~_L."""
        if layer == 0:
            return self.identity(0)
        return self.rows_scaled(self.to_pre(layer, at), self.slopes(layer)[:, at])

    def from_post(self, layer: int, at: int = 0) -> Array:
        """(C, n_L, n_l): J (alpha_l -> f), l from 0 to L (the identity)."""
        return self._memory("from_post", layer, at)

    def from_pre(self, layer: int, at: int = 0) -> Array:
        """(C, n_L, n_l): J (alpha~_l -> f), l from 1 to L (the identity)."""
        return self.columns_scaled(self.from_post(layer, at), self.slopes(layer)[:, at])

    def jacobian(self, at: int = 0) -> Array:
        """(C, n_L, n_0): J f."""
        return self.to_pre(self.depth, at)

    @cached_property
    def _known(self) -> dict[tuple[str, int, int], Array]:
        return {}

    def _memory(self, name: str, layer: int, at: int) -> Array:
        key = (name, layer, at)
        if key not in self._known:
            if name == "to_pre":
                below = self.to_post(layer - 1, at) if layer > 1 else None
                weight = self.weight(layer)
                self._known[key] = weight if below is None else weight @ below
            elif layer == self.depth:
                self._known[key] = self.identity(layer)
            else:
                self._known[key] = self.from_pre(layer + 1, at) @ self.weight(layer + 1)
        return self._known[key]

    # norms ---------------------------------------------------------------------------------------
    def weight_square(self, layer: int) -> Array:
        """(C,): |W_l|_F^2."""
        return self.frobenius_squared(self.weight(layer))

    def square(self, vectors: Array) -> Array:
        """(C,): |v|^2 of vectors (C, n)."""
        return (vectors * vectors).sum(1)

    @cached_property
    def parameter_square(self) -> Array:
        """(C,): |theta|^2, weights and biases."""
        return self.weights_square + sum(
            (self.square(self.bias(layer)) for layer in range(2, self.depth + 1)),
            start=self.square(self.bias(1)),
        )

    @cached_property
    def weights_square(self) -> Array:
        """(C,): the sum of |W_l|_F^2."""
        first = self.weight_square(1)
        return sum((self.weight_square(layer) for layer in range(2, self.depth + 1)), start=first)

    # tangent kernel ------------------------------------------------------------------------------
    def tangent_kernel(self, i: int, j: int, *, biases: bool) -> Array:
        """(C, n_L, n_L): Theta(x_i, x_j), the sum over all parameters, or over the weights alone,
        of products of derivatives."""
        total: Array = None
        for layer in range(1, self.depth + 1):
            products = (self.post(layer - 1)[:, i] * self.post(layer - 1)[:, j]).sum(1)
            size = products + self.constant(1) if biases else products
            behind = self.from_pre(layer, i) @ self.transpose(self.from_pre(layer, j))
            term = behind * size.reshape(len(self.cases), 1, 1)
            total = term if total is None else total + term
        return total

    def trace(self, matrices: Array) -> Array:
        """(C,): the traces of square matrices."""
        return sum(
            (matrices[:, i, i] for i in range(1, matrices.shape[1])), start=matrices[:, 0, 0]
        )
