"""Finite directed graphs, given by their edges alone: what Section 2 says of vertices and layers.

A graph is told by the parents of each vertex.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any

Parents = tuple[tuple[int, ...], ...]  # of each vertex
Labelled = list[tuple[dict[str, Any], Fraction]]


# counting -----------------------------------------------------------------------------------------
def children_of(parents: Parents) -> Parents:
    """The vertices to which an edge runs from each vertex."""
    vertices = range(len(parents))
    return tuple(tuple(v for v in vertices if u in parents[v]) for u in vertices)


@lru_cache(maxsize=4096)
def distances(parents: Parents) -> tuple[int, ...]:
    """p(v) of Definition 2.1: the largest number of edges of a path from an input to each vertex,
    by going along every path. 0 where there is no path: a maximum over nothing."""
    children = children_of(parents)
    longest = [0] * len(parents)
    waiting: list[tuple[int, ...]] = [(v,) for v, above in enumerate(parents) if not above]
    while waiting:
        path = waiting.pop()
        end = path[-1]
        longest[end] = max(longest[end], len(path) - 1)
        waiting += [(*path, v) for v in children[end] if v not in path]
    return tuple(longest)


# small graphs ------------------------------------------------------------------------------------
LARGEST = 5  # vertices of the graphs that arguments list
LISTED = (f"every directed acyclic graph with at most {LARGEST} vertices, up to their names",)
NAMES = (
    "up to the names of its vertices an acyclic graph has edges from smaller to larger numbers",
    "graphs with more vertices are not looked at",
)


def small_graphs(count: int) -> Iterator[Parents]:
    """Every graph on so many vertices whose edges run from smaller to larger numbers: each acyclic
    graph is one of these, its vertices put in order."""
    pairs = list(combinations(range(count), 2))
    for code in range(2 ** len(pairs)):
        there = [pair for place, pair in enumerate(pairs) if code >> place & 1]
        yield tuple(tuple(u for u, w in there if w == v) for v in range(count))
