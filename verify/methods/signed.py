"""Scenes in which every weight is a sign times an absolute value, both symbols.

For claims about the tree networks of the decomposition, whose weights are the signs of the
network's. With s_e and a_e for the sign and the absolute value of a weight, a residual is a
polynomial in which each s_e counts by its parity alone (s_e^2 = 1); if nothing is left after that
reduction, the claim holds for all weights, zeros included, on every activation region.
"""

from __future__ import annotations

from collections import defaultdict
from copy import copy
from fractions import Fraction
from typing import Any

import numpy as np

from graphs.arithmetic import Array
from graphs.evaluation import Evaluation, Union, evaluate
from graphs.network import Network
from graphs.polynomials import Symbols
from graphs.unrolling import Decomposition, decomposition_tree
from verify.vocabulary import Scene


class SignedScene(Scene):
    """The scene of one network with symbolic signs and absolute values.

    The symbols are those of two copies of the network: the weights of the first copy serve as
    absolute values, those of the second as signs. pair: two vertices with equal slopes, or None.
    """

    def __init__(self, net: Network, examples: int, pair: tuple[int, int] | None = None) -> None:
        same = [] if pair is None else [pair]
        symbols = Symbols(Union.of([net, net]), examples, same_slopes=same)
        edges, rows = net.edge_count, len(net.free_inputs)
        self.absolute = symbols.edge_weights[:edges]
        self._signs = symbols.edge_weights[edges:]
        super().__init__(
            Union.of([net]),
            symbols,
            weights=self.absolute * self._signs,
            inputs=symbols.inputs[:rows],
            labels=symbols.array([[1] * examples]),
            kappa=symbols.kappa[:1],
        )
        self.symbols = symbols
        self.sound = True
        self.sign_names = {
            g.text
            for g in symbols.generators
            if g.kind == "weight" and g.index[0] >= net.parameter_count
        }

    @property
    def signs(self) -> Array:
        """(E,): the sign symbols."""
        return self._signs

    @property
    def evaluation(self) -> Evaluation:
        """The network on its symbols."""
        if not hasattr(self, "_evaluation"):
            count = self.union.vertex_count
            own = _on_slopes(self.symbols, np.arange(count))
            self._evaluation = evaluate(self.union, own, self.weights, self.inputs)
        return self._evaluation

    def _tree(self, *, absolute: bool) -> Evaluation:
        net = self.union.networks[0]
        built = decomposition_tree(net, [Fraction(1)] * net.parameter_count, absolute=absolute)
        weights = self.symbols.array([1] * len(built.edges))
        for number, product in enumerate(built.edges):
            for e in product:
                weights[number] = weights[number] * self._signs[e]
        factors = self.absolute if absolute else self.weights
        leaves = self.path_input * self.along(factors)[:, None]
        # an added input has no slope of its own; its number is never asked for
        starts = np.array([0 if v is None else v for v in built.starts], dtype=np.int64)
        own = _on_slopes(self.symbols, starts, built.tree)
        tree = evaluate(Union.of([built.tree]), own, weights, leaves)
        self.sound = self.sound and self._same_slopes(built, tree)
        return tree

    def _same_slopes(self, built: Decomposition, tree: Evaluation) -> bool:
        """Whether the tree may have the network's slopes: the pre-activation of each of its
        vertices is that of the vertex that it stands for, times |w_e| along the way onward. Where
        that product is 0, so is the pre-activation, and what comes of it, whatever the slope.
        """
        sizes = self.symbols.array([[1] for _ in built.starts])
        for v in reversed(range(built.tree.vertex_count)):
            start = built.starts[v]
            if start is None:
                continue
            for e in built.tree.out_edges[v]:  # one, or none at the output
                sizes[v] = sizes[built.tree.heads[e]] * self.absolute[list(built.edges[e])]
            difference = tree.pre[v] - sizes[v] * self.pre[start]
            if not all(map(self._is_zero, difference)):
                return False
        return True

    def is_zero(self, residual: Any) -> bool:
        """Whether nothing is left of a residual when every sign is squared away; never where a
        tree network that was asked for has other slopes than the network."""
        return self.sound and self._is_zero(residual)

    def _is_zero(self, residual: Any) -> bool:
        left: defaultdict[tuple[tuple[str, int], ...], Fraction] = defaultdict(Fraction)
        for monomial, coefficient in self.symbols.to_dict(residual).items():
            reduced = tuple(
                (name, power % 2 if name in self.sign_names else power) for name, power in monomial
            )
            left[tuple(pair for pair in reduced if pair[1])] += coefficient
        return not any(left.values())


def _on_slopes(symbols: Symbols, vertices: np.ndarray, tree: Network | None = None) -> Symbols:
    """The same symbols for another graph: vertex k of it has the slopes of `vertices[k]`; linear
    vertices of a tree have slope 1."""
    changed = copy(symbols)
    changed.slope_values = symbols.slope_values[vertices]
    changed.scales = symbols.scales[vertices]
    if tree is not None:
        plain = [v for v, a in enumerate(tree.activations) if a.kind == "linear"]
        changed.slope_values[plain] = symbols.array([[1] * symbols.examples for _ in plain])
        unscaled = [v for v, square in enumerate(tree.scale_squares) if square == 1]
        changed.scales[unscaled] = symbols.array([[1] for _ in unscaled])
    return changed
