"""The vocabulary for claims about small DAG networks: values, gradients, Hessians, layers.

An instance is a graph on the vertices 0 to n - 1 whose edges run from smaller to larger numbers,
with a polynomial for each activation. Arrays: `E` (n, n) holds 1 at [v, u] where an edge runs from
u to v; `W` (n, n) at the same places the normalised weights w / sqrt(in-degree of v); `A` (n, k)
the coefficients of the activation of each vertex, constant term first; `X` (N, n) the inputs, of
which those at vertices without incoming edges count.

Normalised weights keep everything rational: a derivative by w is the one by the normalised weight
over sqrt(in-degree), so identities between entries of derivatives are the same for both, and sums
of squares of derivatives take the factor 1 / in-degree.

A batch of C instances of one shape may hold different graphs: there is a slot for each pair u < v,
P = n (n - 1) / 2 of them, and the slots that are no edge have weight and derivative 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from random import Random

import numpy as np

from graphs.arithmetic import Arithmetic, Array
from verify.cases.real_arrays import RealScene, RealTensors
from verify.cases.tensors import Tensors

Slot = tuple[int, int]  # the vertex that an edge enters, and the one it leaves


@dataclass(frozen=True)
class Passed:
    """One forward pass at one point, with derivatives by the normalised weights.

    pre, post: (C,) for each vertex, pre-activation and value (pre of an input is 0). slope, bend:
    (C,), first and second derivative of the activation there (of an input: 0). pre_gradient,
    post_gradient: (C, P). pre_hessian, post_hessian: (C, P, P).
    """

    pre: list[Array]
    post: list[Array]
    slope: list[Array]
    bend: list[Array]
    pre_gradient: list[Array]
    post_gradient: list[Array]
    pre_hessian: list[Array]
    post_hessian: list[Array]


class DagScene(RealScene):
    """A batch of small DAG networks."""

    cases: tuple[Dag, ...]

    def __init__(
        self, cases: Sequence[Tensors], arithmetic: Arithmetic, numbers: Array | None = None
    ) -> None:
        super().__init__(cases, arithmetic, numbers)
        self._passed: dict[int, Passed] = {}

    # the graph -----------------------------------------------------------------------------------
    @property
    def vertices(self) -> int:
        """n."""
        return self.lengths["n"]

    @cached_property
    def slots(self) -> list[Slot]:
        """The pairs (v, u) with u < v, in order of v: the places of weights."""
        return [(v, u) for v in range(self.vertices) for u in range(v)]

    @cached_property
    def adjacency(self) -> np.ndarray:
        """(C, n, n) boolean: [v, u] whether an edge runs from u to v; u < v alone counts."""
        n = self.vertices
        flat = [[entry == 1 for entry in case.arrays["E"].entries] for case in self.cases]
        return np.asarray(np.tril(np.array(flat, dtype=bool).reshape(-1, n, n), -1))

    @cached_property
    def in_degree(self) -> np.ndarray:
        """(C, n) integers."""
        return np.asarray(self.adjacency.sum(2))

    @cached_property
    def out_degree(self) -> np.ndarray:
        """(C, n) integers."""
        return np.asarray(self.adjacency.sum(1))

    @cached_property
    def inputs(self) -> np.ndarray:
        """(C, n) boolean: in-degree 0."""
        return np.asarray(self.in_degree == 0)

    @cached_property
    def outputs(self) -> np.ndarray:
        """(C, n) boolean: out-degree 0."""
        return np.asarray(self.out_degree == 0)

    @cached_property
    def layer(self) -> np.ndarray:
        """(C, n) integers: p(v), the length of the longest path from an input to v (Def. 2.1)."""
        depth = np.zeros((len(self.cases), self.vertices), dtype=int)
        for v, u in self.slots:
            depth[:, v] = np.where(
                self.adjacency[:, v, u], np.maximum(depth[:, v], depth[:, u] + 1), depth[:, v]
            )
        return depth

    @cached_property
    def depth(self) -> np.ndarray:
        """(C,) integers: L, the number of the last layer."""
        return np.asarray(self.layer.max(1))

    # numbers -------------------------------------------------------------------------------------
    def chosen(self, mask: np.ndarray) -> Array:
        """The boolean array as numbers 0 and 1 in the arithmetic of the scene."""
        flat = [Fraction(int(entry)) for entry in np.asarray(mask).reshape(-1)]
        return self.arithmetic.array(flat).reshape(*np.shape(mask))

    def inverse_degree(self, v: int) -> Array:
        """(C,): 1 / in-degree of v; 0 at an input."""
        degrees = self.in_degree[:, v]
        return self.arithmetic.array([Fraction(1, int(d)) if d else Fraction(0) for d in degrees])

    @cached_property
    def inverse_degrees(self) -> Array:
        """(C, P): for each slot (v, u), 1 / in-degree of v where there is an edge, else 0."""
        rows = [
            self.inverse_degree(v) * self.chosen(self.adjacency[:, v, u]) for v, u in self.slots
        ]
        return self.arithmetic.join([row.reshape(-1, 1) for row in rows], 1)

    def weight(self, v: int, u: int) -> Array:
        """(C,): the normalised weight of the edge from u to v, 0 where there is none."""
        return self["W"][:, v, u] * self.chosen(self.adjacency[:, v, u])

    def activation(self, v: int, z: Array, order: int = 0) -> Array:
        """(C,): the polynomial of vertex v, or a derivative of it, at the pre-activations z."""
        coefficients = self["A"][:, v]
        total = self.constant(0)
        for power in range(self.lengths["k"] - 1, order - 1, -1):
            factor = 1
            for step in range(order):
                factor *= power - step
            total = total * z + self.share(coefficients[:, power], factor)
        return total

    # derivatives ---------------------------------------------------------------------------------
    def passed(self, at: int) -> Passed:
        """The forward pass at point number `at`, with first and second derivatives."""
        if at not in self._passed:
            self._passed[at] = self._forward(at)
        return self._passed[at]

    def _forward(self, at: int) -> Passed:
        size, count = len(self.cases), len(self.slots)
        run = Passed([], [], [], [], [], [], [], [])
        for v in range(self.vertices):
            pre = self.constant(0)
            gradient = self.arithmetic.zeros((size, count))
            hessian = self.arithmetic.zeros((size, count, count))
            for u in range(v):
                weight = self.weight(v, u)
                pre = pre + weight * run.post[u]
                own = self.place(v, u)
                gradient = gradient + run.post_gradient[u] * weight.reshape(size, 1)
                gradient = gradient + own * run.post[u].reshape(size, 1)
                hessian = hessian + run.post_hessian[u] * weight.reshape(size, 1, 1)
                cross = outer(own, run.post_gradient[u])
                hessian = hessian + cross + cross.swapaxes(1, 2)
            self._activate(run, v, at, pre, gradient, hessian)
        return run

    def place(self, v: int, u: int) -> Array:
        """(C, P): the unit vector of the edge from u to v, 0 where there is none."""
        mask = np.zeros((len(self.cases), len(self.slots)), dtype=bool)
        mask[:, self.slots.index((v, u))] = self.adjacency[:, v, u]
        return self.chosen(mask)

    def _activate(
        self, run: Passed, v: int, at: int, pre: Array, gradient: Array, hessian: Array
    ) -> None:
        size = len(self.cases)
        inner, given = self.chosen(~self.inputs[:, v]), self.chosen(self.inputs[:, v])
        slope = self.activation(v, pre, 1) * inner
        bend = self.activation(v, pre, 2) * inner
        run.pre.append(pre)
        run.post.append(self.activation(v, pre) * inner + self["X"][:, at, v] * given)
        run.slope.append(slope)
        run.bend.append(bend)
        run.pre_gradient.append(gradient)
        run.pre_hessian.append(hessian)
        run.post_gradient.append(gradient * slope.reshape(size, 1))
        square = outer(gradient, gradient) * bend.reshape(size, 1, 1)
        run.post_hessian.append(square + hessian * slope.reshape(size, 1, 1))


def outer(one: Array, other: Array) -> Array:
    """(C, P, Q): the outer products of (C, P) and (C, Q)."""
    (size, p), q = one.shape, other.shape[1]
    return one.reshape(size, p, 1) * other.reshape(size, 1, q)


class Dag(RealTensors):
    """One small DAG network."""

    def described(self) -> str:
        """The vertices, the edges, and the other numbers."""
        count, entries = self.lengths["n"], self.arrays["E"].entries
        edges = [f"{u}→{v}" for v in range(count) for u in range(v) if entries[v * count + u] == 1]
        numbers = [f"{name} = {t.entries[0]}" for name, t in self.arrays.items() if not t.axes]
        return ", ".join([f"{count} vertices with the edges {' '.join(edges)}", *numbers])

    @staticmethod
    def scene(cases: Sequence[Tensors], arithmetic: Arithmetic) -> DagScene:
        """A batch of such instances in one arithmetic."""
        return DagScene(cases, arithmetic)


def as_dag(case: Tensors, random: Random) -> Dag:
    """The same arrays; the last change of a pool of them."""
    return Dag(case.arrays, case.choice, case.family)
