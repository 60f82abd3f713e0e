"""Gradients and Hessians of a DAG network by its weights, entry by entry, in any exact arithmetic.

A network is the list of parents of each vertex, in topological order. At a vertex with parents the
pre-activation is z_v = sum_u w_vu f_u and the value f_v = sigma_v(z_v); of sigma_v the value, the
slope and the second derivative at z_v are given, as numbers or as symbols. Edges are numbered by
the vertex that they enter, then by the order of its parents. Only entries that the graph does not
make 0 are kept: a Hessian maps a pair a <= b of edges to its entry.

Two ways lead to a Hessian: forwards, vertex by vertex by the chain rule; and as a sum over neurons
of what arises at each, times the derivative of the output by it (equation (13) of Zhu, Liu, Belkin
2022, with total first derivatives and second derivatives of the neuron alone).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from graphs.rings import Ring, ring_of

Number = Any  # an exact rational or a polynomial: `+` and `*` are all that is asked of it
Parents = Sequence[Sequence[int]]
Hessian = dict[tuple[int, int], Number]
Activation = Callable[[int, Number], tuple[Number, Number, Number]]


def edges_of(parents: Parents) -> list[tuple[int, int]]:
    """The edges (v, u) from u to v in the order of their numbers."""
    return [(v, u) for v, incoming in enumerate(parents) for u in incoming]


@dataclass(frozen=True)
class SecondOrder:
    """A network at one point.

    weights: by edge number. post, slope, bend: by vertex, the value and the first two derivatives
    of the activation; of a vertex without parents only the value counts.
    """

    parents: Parents
    weights: Sequence[Number]
    post: Sequence[Number]
    slope: Sequence[Number]
    bend: Sequence[Number]

    @cached_property
    def incoming(self) -> list[list[tuple[int, int, Number]]]:
        """Of each vertex (number of the edge, parent, weight) for each parent."""
        numbered: list[list[tuple[int, int, Number]]] = [[] for _ in self.parents]
        for number, (v, u) in enumerate(edges_of(self.parents)):
            numbered[v].append((number, u, self.weights[number]))
        return numbered

    @cached_property
    def gradients(self) -> list[dict[int, Number]]:
        """Of each vertex the derivatives of the pre-activation by the edges before it."""
        found: list[dict[int, Number]] = []
        for incoming in self.incoming:
            gradient: dict[int, Number] = {}
            for edge, u, weight in incoming:
                gradient[edge] = self.post[u]
                if self.parents[u]:
                    share = weight * self.slope[u]
                    for other, value in found[u].items():
                        _add(gradient, other, share * value)
            found.append(gradient)
        return found

    # forwards ------------------------------------------------------------------------------------
    def hessian(self, k: int) -> Hessian:
        """Of the pre-activation of k, by the chain rule from vertex to vertex."""
        return self._hessians[k]

    @cached_property
    def _hessians(self) -> list[Hessian]:
        found: list[Hessian] = []
        for incoming in self.incoming:
            total: Hessian = {}
            for edge, u, weight in incoming:
                if not self.parents[u]:
                    continue
                for pair, value in self._bent(u).items():
                    _add(total, pair, weight * value)
                share = weight * self.slope[u]
                for pair, value in found[u].items():
                    _add(total, pair, share * value)
                for other, value in self.gradients[u].items():
                    _add(total, _pair(edge, other), self.slope[u] * value)
            found.append(total)
        return found

    def _bent(self, v: int) -> Hessian:
        """The second derivative of the activation times the products of derivatives."""
        entries = sorted(self.gradients[v].items())
        return {
            (a, b): self.bend[v] * one * other
            for place, (a, one) in enumerate(entries)
            for b, other in entries[place:]
        }

    # as a sum over neurons -----------------------------------------------------------------------
    def hessian_by_neurons(self, k: int) -> Hessian:
        """The same, as the sum over the neurons i before k, and k itself, of what arises at i."""
        total: Hessian = {}
        for pair, value in self._at_pre(k).items():
            _add(total, pair, value)
        for i, share in self.influences(k).items():
            if not self.parents[i]:
                continue
            for pair, value in self._bent(i).items():
                _add(total, pair, share * value)
            through = share * self.slope[i]
            for pair, value in self._at_pre(i).items():
                _add(total, pair, through * value)
        return total

    def influences(self, k: int) -> dict[int, Number]:
        """The derivative of the pre-activation of k by the value of each vertex before it."""
        found: dict[int, Number] = {}
        for _, u, weight in self.incoming[k]:
            _add(found, u, weight)
        for v in range(k - 1, -1, -1):
            if v in found and self.parents[v]:
                through = found[v] * self.slope[v]
                for _, u, weight in self.incoming[v]:
                    _add(found, u, through * weight)
        return found

    def _at_pre(self, v: int) -> Hessian:
        """What the weights into v give beside the derivatives of its parents."""
        found: Hessian = {}
        for edge, u, _ in self.incoming[v]:
            if self.parents[u]:
                for other, value in self.gradients[u].items():
                    _add(found, _pair(edge, other), self.slope[u] * value)
        return found


def _pair(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a <= b else (b, a)


def _add(entries: dict[Any, Number], key: Any, value: Number) -> None:
    entries[key] = entries[key] + value if key in entries else value


# networks -----------------------------------------------------------------------------------------
def at_point(
    parents: Parents, weights: Sequence[Number], inputs: Sequence[Number], activation: Activation
) -> SecondOrder:
    """The network at weights and inputs (by vertex, of those without parents).

    activation: from a vertex and its pre-activation the value and the first two derivatives.

    >>> from fractions import Fraction
    >>> square = lambda v, z: (z * z, 2 * z, 2)
    >>> chain = at_point([[], [0], [1]], [3, 5], [2, 0, 0], square)
    >>> chain.hessian(2)
    {(0, 0): 40, (0, 1): 24}
    >>> chain.hessian(2) == chain.hessian_by_neurons(2)
    True
    """
    post: list[Number] = []
    slopes: list[Number] = []
    bends: list[Number] = []
    numbers = iter(weights)
    for v, incoming in enumerate(parents):
        terms = [next(numbers) * post[u] for u in incoming]
        value, slope, bend = activation(v, sum(terms[1:], terms[0])) if terms else (inputs[v], 0, 0)
        post.append(value)
        slopes.append(slope)
        bends.append(bend)
    return SecondOrder(parents, list(weights), post, slopes, bends)


def in_symbols(parents: Parents, backend: str = "auto") -> tuple[Ring, SecondOrder]:
    """The network with a symbol for each weight and, at each vertex, for the value, the slope and
    the second derivative: generators in this order, edges first, three for each vertex then."""
    count = len(edges_of(parents))
    ring = ring_of(count + 3 * len(parents), backend)
    weights, rest = ring.generators[:count], ring.generators[count:]
    return ring, SecondOrder(parents, weights, rest[0::3], rest[1::3], rest[2::3])
