"""A DAG network with a symbol for everything but the graph, and all small graphs.

Weights, inputs, and at each neuron the value, the slope and the second derivative of the activation
are generators of a ring, so an entry of a measure that is the zero polynomial is 0 for all weights,
all data and all activations that are twice differentiable: at a point, derivatives up to the second
order depend on an activation through these three numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product

import numpy as np

from graphs.arithmetic import Array
from graphs.ring_arithmetic import RingArithmetic
from graphs.rings import Polynomial, ring_of
from verify.cases.tensors import Tensor
from verify.kinds.dags.hypotheses import outputs_of
from verify.kinds.dags.pool import Edges, adjacency
from verify.kinds.dags.scene import Dag, DagScene

ORDERS = 3  # the value of an activation and its first two derivatives


def graph_case(count: int, edges: Edges, numbers: Mapping[str, int] | None = None) -> Dag:
    """An instance that holds the graph, and integers by name; its other numbers are 0."""
    nothing = Fraction(0)
    arrays = {
        "E": adjacency(count, edges),
        "W": Tensor(("n", "n"), (count, count), (nothing,) * count**2),
        "A": Tensor(("n", "k"), (count, 2), (nothing, Fraction(1)) * count),
        "X": Tensor(("N", "n"), (1, count), (nothing,) * count),
    }
    for name, value in (numbers or {}).items():
        arrays[name] = Tensor((), (), (Fraction(value),), integer=True)
    return Dag(arrays)


class SymbolDag(DagScene):
    """One graph with symbols; outputs have the identity as activation."""

    def __init__(self, case: Dag) -> None:
        count = case.lengths["n"]
        pairs = count * (count - 1) // 2
        self.ring = ring_of(pairs + count * (1 + ORDERS))
        super().__init__([case], RingArithmetic(self.ring))
        self._linear = set(outputs_of(case))
        names = list(self.ring.generators)
        self._weights = dict(zip(self.slots, names, strict=False))
        self._inputs = names[pairs : pairs + count]
        self._activations = names[pairs + count :]

    def with_numbers(self, numbers: Mapping[str, int]) -> SymbolDag:
        """The same with other integers; what was computed of the network is kept."""
        made = copy(self)
        integers = {
            name: Tensor((), (), (Fraction(value),), integer=True)
            for name, value in numbers.items()
        }
        made.cases = (self.cases[0].changing(**integers),)
        return made

    def _symbol(self, symbol: Polynomial) -> Array:
        return self.arithmetic.array([symbol])

    def __getitem__(self, name: str) -> Array:
        """(1, 1, n): the inputs `X`; no other array has a place here."""
        if name != "X":
            raise KeyError(f"{name!r} is no array of symbols")
        return self.arithmetic.array(self._inputs).reshape(1, 1, -1)

    def weight(self, v: int, u: int) -> Array:
        """(1,): the symbol of an edge, 0 where there is none."""
        there = bool(self.adjacency[0, v, u])
        return self._symbol(self._weights[v, u]) if there else self.constant(0)

    def activation(self, v: int, z: Array, order: int = 0) -> Array:
        """(1,): the symbol of a neuron and an order of derivative."""
        if v in self._linear:
            return z if order == 0 else self.constant(int(order == 1))
        return self._symbol(self._activations[ORDERS * v + order])

    def vanish(self, values: Array) -> bool:
        """Whether all are the zero polynomial."""
        return bool(np.all(self.arithmetic.may_be_zero(values)))


# all small graphs -------------------------------------------------------------------------------
@cache
def small_graphs(count: int) -> tuple[frozenset[tuple[int, int]], ...]:
    """Every DAG with so many vertices and an edge, once up to the names of its vertices."""
    pairs = [(v, u) for v in range(count) for u in range(v)]
    seen: set[frozenset[tuple[int, int]]] = set()
    found = []
    for size in range(1, len(pairs) + 1):
        for chosen in combinations(pairs, size):
            edges = frozenset(chosen)
            if edges not in seen:
                found.append(edges)
                seen |= _renamed(count, edges)
    return tuple(found)


def _renamed(count: int, edges: frozenset[tuple[int, int]]) -> set[frozenset[tuple[int, int]]]:
    """The same graph with other names, as far as edges still run upwards."""
    made = set()
    for names in permutations(range(count)):
        other = frozenset((names[v], names[u]) for v, u in edges)
        if all(v > u for v, u in other):
            made.add(other)
    return made


def numbers_up_to(depth: int, names: tuple[str, ...]) -> Iterator[dict[str, int]]:
    """Every choice of numbers from 1 to L."""
    for chosen in product(range(1, depth + 1), repeat=len(names)):
        yield dict(zip(names, chosen, strict=True))
