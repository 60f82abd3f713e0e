"""Values of the neurons of a network on a DAG, by several routes, in rationals or polynomials.

Weights are normalised: w over the square root of what the network divides by. An activation is a
function of a vertex and a pre-activation. As an abstract one it is a symbol for each vertex and
each polynomial, so that an identity between values holds for every activation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from graphs.rings import Polynomial, Ring, ring_of
from verify.papers.zlb22.digraphs import Parents, distances

Activation = Callable[[int, Any], Any]  # of a vertex and its pre-activation
Weights = Mapping[tuple[int, int], Any]  # by head and tail


def along_edges(
    parents: Parents, weights: Weights, activation: Activation, x: Sequence[Any], zero: Any
) -> list[Any]:
    """(2), (3): each vertex from its parents, asked for one after the other; x at inputs."""
    known: dict[int, Any] = {}

    def value(v: int) -> Any:
        if v not in known:
            total = zero
            for u in parents[v]:
                total = total + weights[v, u] * value(u)
            known[v] = activation(v, total) if parents[v] else x[v]
        return known[v]

    return [value(v) for v in range(len(parents))]


def layer_by_layer(
    parents: Parents, weights: Weights, activation: Activation, x: Sequence[Any], zero: Any
) -> list[Any]:
    """(5): layer l from the vectors f_S of incoming neurons, all of them in earlier layers; x in
    layer 0."""
    p = distances(parents)
    values: list[Any] = [x[v] if p[v] == 0 else None for v in range(len(parents))]
    for layer in range(1, max(p) + 1):
        for v in (v for v in range(len(parents)) if p[v] == layer):
            incoming = [values[u] for u in parents[v]]
            row = [weights[v, u] for u in parents[v]]
            pre = sum((w * f for w, f in zip(row, incoming, strict=True)), zero)
            values[v] = activation(v, pre)
    return values


SYMBOLS = "an activation is seen through its values alone: one symbol at each pre-activation"


class Symbols:
    """Symbols for weights, inputs and the values of abstract activations, of one ring."""

    def __init__(self, size: int) -> None:
        self.ring: Ring = ring_of(size)
        self._left = list(reversed(self.ring.generators))
        self._values: dict[tuple[int, frozenset[tuple[tuple[int, ...], Fraction]]], Polynomial] = {}
        self.zero = self.ring.constant(Fraction(0))

    def new(self) -> Polynomial:
        """A symbol that was not used before."""
        return self._left.pop()

    def activation(self, v: int, z: Polynomial) -> Polynomial:
        """The value of the activation of v at z: a symbol of its own for every v and z."""
        key = (v, frozenset(self.ring.terms(z).items()))
        if key not in self._values:
            self._values[key] = self.new()
        return self._values[key]

    def is_zero(self, value: Polynomial) -> bool:
        """Whether the normal form is 0."""
        return self.ring.is_zero(value)


def symbols_for(parents: Parents) -> tuple[Symbols, dict[tuple[int, int], Polynomial], list[Any]]:
    """Symbols, weights of all edges, and inputs; there is room for two values at each vertex."""
    edges = [(v, u) for v, above in enumerate(parents) for u in above]
    symbols = Symbols(len(edges) + 3 * len(parents))
    weights = {edge: symbols.new() for edge in edges}
    return symbols, weights, [symbols.new() for _ in parents]
