"""All small DAGs, up to the names of their vertices, and numbers of layers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations, product


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
