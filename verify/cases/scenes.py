"""The vocabulary in which measures are written: a scene, and the entries that a measure returns.

A scene is a batch of cases seen in one arithmetic: exact rationals, polynomials, or float64 balls
on CPU or CUDA. A measure uses only what stands here, so it is written once and evaluated in all of
them. Shapes: C networks, V vertices, E edges, Pi paths (all over the union of the batch), n
examples, the same for the whole batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from graphs.arithmetic import Arithmetic, Array
from graphs.evaluation import Evaluation, Union, evaluate
from graphs.paths import PathTable, path_table
from graphs.rationals import RATIONALS
from verify.cases.descent import Descent
from verify.cases.sliding import with_slopes
from verify.core.entries import Entries, Row, constant_entries
from verify.core.losses import PRESCRIBED, loss_slopes

if TYPE_CHECKING:
    from verify.cases.case import Case

PATH_CAP = 2000


class Scene:
    """A batch of cases in one arithmetic. Build it with `scene_of`."""

    def __init__(
        self,
        union: Union,
        arithmetic: Arithmetic,
        *,
        weights: Array,
        inputs: Array,
        labels: Array,
        kappa: Array | None,
        cases: Sequence[Case] = (),
    ) -> None:
        self.union = union
        self.arithmetic = arithmetic
        self.weights = weights
        self.inputs = inputs
        self.labels = labels
        self.cases = tuple(cases)
        self._kappa = kappa
        self._origin: Scene | None = None  # of a scene that has moved
        self._numbers: Array | None = None  # to which it has moved

    def moved(self, numbers: Array, cases: Sequence[Case] | None = None) -> Scene:
        """The same cases with other numbers, (N,): those of all cases one after the other (see
        `Case.numbers`). What belongs to the networks alone is shared with this scene. cases: the
        cases with these numbers, for what is asked of them."""
        weights, inputs, slopes = self._places
        union, edges = self.union, np.flatnonzero(self.union.learnable)
        of_edges = self.weights.copy()
        of_edges[edges] = numbers[weights[union.parameter_of[edges]]]
        kappa = None
        if len(slopes):
            share = self.arithmetic.array([[Fraction(1, self.n)]])
            kappa = numbers[slopes] * self.labels * share
        scene = Scene(
            union,
            self.arithmetic,
            weights=of_edges,
            inputs=numbers[inputs],
            labels=self.labels,
            kappa=kappa,
            cases=self.cases if cases is None else cases,
        )
        scene._origin, scene._numbers = self, numbers
        return scene

    @cached_property
    def _places(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Where the numbers of all cases, one after the other, have the parameters of the union
        (P,), the inputs (I, n), and the slopes (C, n; empty where none are prescribed)."""
        weights: list[int] = []
        inputs: list[list[int]] = []
        slopes: list[list[int]] = []
        start = 0
        for case in self.cases:
            behind = start + len(case.weights)
            weights += range(start, behind)
            width, n = len(case.network.free_inputs), case.example_count
            inputs += [[behind + j * width + i for j in range(n)] for i in range(width)]
            behind += n * width
            start = behind + len(case.slopes)
            slopes += [list(range(behind, start))] if case.slopes else []
        return np.array(weights, dtype=np.int64), np.array(inputs), np.array(slopes)

    @property
    def n(self) -> int:
        """The number of examples."""
        return int(self.inputs.shape[1])

    # values ------------------------------------------------------------------------------------
    @cached_property
    def plain_evaluation(self) -> Evaluation:
        """Every vertex's values and slopes on every example, at a kink the slope right of it."""
        return evaluate(self.union, self.arithmetic, self.weights, self.inputs)

    @cached_property
    def evaluation(self) -> Evaluation:
        """The same, at a kink the slope that its case selects there, if it selects one."""
        found = self.plain_evaluation
        chosen: dict[tuple[int, int], Fraction] = {}
        for case, offset in zip(self.cases, self.union.vertex_offset.tolist(), strict=False):
            for v, j, slope in with_slopes(case).slopes_at_0:
                if v is not None and j < self.n and found.kinks[v + offset, j]:
                    chosen.setdefault((v + offset, j), slope)
        return found.with_slopes(chosen)

    @property
    def value(self) -> Array:
        """(C, n): nu(x_j)."""
        return self.evaluation.outputs

    @property
    def pre(self) -> Array:
        """(V, n): pre-activations."""
        return self.evaluation.pre

    @property
    def post(self) -> Array:
        """(V, n): post-activations."""
        return self.evaluation.post

    # rates -----------------------------------------------------------------------------------
    @cached_property
    def loss_slopes(self) -> Array:
        """(C, n): l'(y_j nu(x_j)), as prescribed, or of the loss that has a name."""
        if self.cases[0].loss == PRESCRIBED:
            if self._numbers is not None:
                return self._numbers[self._places[2]]
            return self.arithmetic.array([case.slopes for case in self.cases])
        return loss_slopes(self.cases[0].loss, self.labels * self.value, self.arithmetic)

    @cached_property
    def kappa(self) -> Array:
        """(C, n): the risk coefficients l'(y_j nu(x_j)) y_j / n."""
        if self._kappa is not None:
            return self._kappa
        return self.loss_slopes * self.labels * self.arithmetic.array([[Fraction(1, self.n)]])

    def on_examples(self, values: Array, owner: np.ndarray) -> Array:
        """(K,): sum_j kappa_j values_j, for values (K, n) that belong to the given networks."""
        return self.total(values * self.kappa[owner])

    def total(self, values: Array) -> Array:
        """(K,): the sum over the examples of values (K, n)."""
        result = values[:, 0]
        for j in range(1, self.n):
            result = result + values[:, j]
        return result

    @property
    def gradients(self) -> Array:
        """(E, n): the derivative of nu(x_j) in the weight of each edge, as if it were its own."""
        return self.evaluation.edge_gradients

    @cached_property
    def risk_gradient(self) -> Array:
        """(E,): the derivative of the risk in each edge's parameter; 0 at fixed edges."""
        own = self.on_examples(self.gradients, self.union.edge_owner)
        learnable = self.union.learnable
        parameters = self.union.parameter_of[learnable]
        size = len(self.union.parameter_owner)
        by_parameter = self.arithmetic.sum_at(own[learnable], parameters, size)
        result = self.arithmetic.zeros(self.union.edge_count)
        result[learnable] = by_parameter[parameters]
        return result

    @property
    def velocity(self) -> Array:
        """(E,): dw/dt under gradient flow."""
        return -self.risk_gradient

    @cached_property
    def descent(self) -> Descent:
        """Gradient descent from these weights, by the steps that the cases chose."""
        return Descent(self)

    # paths ---------------------------------------------------------------------------------
    @cached_property
    def paths(self) -> PathTable:
        """All input-output paths of the batch."""
        if self._origin is not None:
            return self._origin.paths
        return path_table(self.union, PATH_CAP)


def scene_of(cases: Sequence[Case], arithmetic: Arithmetic) -> Scene:
    """The scene of a batch of cases with the same number of examples and the same loss."""
    union = Union.of([case.network for case in cases])
    weights = [w for case in cases for w in case.network.edge_weights(case.weights)]
    columns = [list(coordinate) for case in cases for coordinate in zip(*case.inputs, strict=True)]
    labels = arithmetic.array([list(case.labels) for case in cases])
    n = cases[0].example_count
    kappa = None
    if cases[0].loss == PRESCRIBED:
        rows = [
            [s * y / n for s, y in zip(case.slopes, case.labels, strict=True)] for case in cases
        ]
        kappa = arithmetic.array(rows)
    return Scene(
        union,
        arithmetic,
        weights=arithmetic.array(weights),
        inputs=arithmetic.array(columns),
        labels=labels,
        kappa=kappa,
        cases=cases,
    )


class FreeScene(Scene):
    """An exact scene of one case whose velocities are free numbers instead of those of the
    gradient flow. free: (E,) rationals."""

    def __init__(self, case: Case, free: list[Any]) -> None:
        base = scene_of([case], RATIONALS)
        super().__init__(
            base.union,
            RATIONALS,
            weights=base.weights,
            inputs=base.inputs,
            labels=base.labels,
            kappa=base.kappa,
            cases=[case],
        )
        self.free = RATIONALS.array(free)

    @property
    def velocity(self) -> Array:
        """(E,): the numbers handed in."""
        return self.free


__all__ = [
    "PATH_CAP",
    "Entries",
    "FreeScene",
    "Row",
    "Scene",
    "constant_entries",
    "scene_of",
]
