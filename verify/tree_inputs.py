"""The tree networks of the decomposition as functions of their inputs, over the rationals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any

from graphs.arithmetic import as_fraction, rational
from graphs.forward import forward
from graphs.germs import limiting_gradients
from graphs.paths import Path, input_values, path_vertices
from graphs.unrolling import Decomposition, decomposition_tree
from verify.case import Case

CAP = 100  # paths, from anywhere to the output


@dataclass(frozen=True)
class TreeInputs:
    """mu of Lemma 1, or mu' of Lemma 5 (absolute), of one case. Raises TooManyPathsError."""

    case: Case
    absolute: bool

    @cached_property
    def built(self) -> Decomposition:
        """The tree network with its weights."""
        case = self.case
        return decomposition_tree(case.network, case.weights, self.absolute, cap=CAP)

    @property
    def paths(self) -> tuple[Path, ...]:
        """The paths of the network, one for each input of the tree."""
        return self.built.paths

    @cached_property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """The names of the vertices of the network on each path."""
        network = self.case.network
        end = network.outputs[0]
        return tuple(
            tuple(network.names[v] for v in path_vertices(network, path, end))
            for path in self.paths
        )

    @cached_property
    def inputs(self) -> tuple[tuple[Fraction, ...], ...]:
        """The inputs of the tree on each example: h(x_j; w), or h'(x_j; w)."""
        network = self.case.network
        weights = network.edge_weights(self.case.weights)
        factors = [abs(w) for w in weights] if self.absolute else weights
        products = [prod((factors[e] for e in path), start=Fraction(1)) for path in self.paths]
        starts = [network.tails[path[0]] for path in self.paths]
        rows = (input_values(network, x) for x in self.case.inputs)
        return tuple(
            tuple(row[start] * factor for start, factor in zip(starts, products, strict=True))
            for row in rows
        )

    @cached_property
    def corners(self) -> tuple[tuple[tuple[Fraction, ...], ...], ...]:
        """For each example the gradients of the tree on the cones around its inputs: their convex
        hull is the Clarke subdifferential there."""
        tree, weights = self.built.tree, self.built.weights
        return tuple(limiting_gradients(tree, weights, row) for row in self.inputs)

    @cached_property
    def patterns(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each path and example the activations of its neurons, at the tree's inputs."""
        pre = [self.evaluate(row)[1] for row in self.inputs]
        return tuple(
            tuple(self.activity(p, values) for values in pre) for p in range(len(self.paths))
        )

    def evaluate(self, inputs: Sequence[Fraction]) -> tuple[Fraction, list[Any]]:
        """The value at some inputs, and the pre-activation of each vertex of the tree (rationals of
        graphs.arithmetic)."""
        place = tuple(inputs)
        if place not in self._known:
            tree = self.built.tree
            pre, post = forward(tree, self._weights, place)
            self._known[place] = as_fraction(post[tree.outputs[0]]), pre
        return self._known[place]

    @cached_property
    def _known(self) -> dict[tuple[Fraction, ...], tuple[Fraction, list[Any]]]:
        return {}

    @cached_property
    def _weights(self) -> list[Any]:
        return [rational(weight) for weight in self.built.weights]

    def activity(self, which: int, pre: Sequence[Any]) -> tuple[int, ...]:
        """The activation by the printed rule of each neuron on a path, from its input on."""
        tree = self.built.tree
        v = tree.inputs[which]
        found = []
        while tree.out_edges[v]:
            v = tree.heads[tree.out_edges[v][0]]
            if self.built.starts[v] not in self.case.network.inputs:
                off = tree.activations[v].kind == "relu" and pre[v] < 0
                found.append(int(not off))
        return tuple(found)
