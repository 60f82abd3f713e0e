"""Finite directed graphs, given by their edges alone: what Section 2 says of vertices and layers.

The array `E` (n, n) holds 1 at [v, u] where an edge runs from u to v, else 0. The numbers of the
vertices are names: edges may run from larger to smaller ones, and there may be cycles, which the
hypothesis of acyclicity forbids. A path visits no vertex twice; on a graph without cycles that
forbids nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any

from verify.argument import Step
from verify.dag_pool import GRAPHS
from verify.hypotheses import Hypothesis, by_case
from verify.papers.j23.quantities import each_case
from verify.tensor_pool import TensorPool
from verify.tensors import Tensor, Tensors
from verify.vocabulary import Entries

Parents = tuple[tuple[int, ...], ...]  # of each vertex
Labelled = list[tuple[dict[str, Any], Fraction]]


# counting -----------------------------------------------------------------------------------------
def parents_of(case: Tensors) -> Parents:
    """The vertices from which an edge runs to each vertex."""
    count = case.lengths["n"]
    entries = case.arrays["E"].entries
    return tuple(
        tuple(u for u in range(count) if entries[v * count + u] == 1) for v in range(count)
    )


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


def has_cycle(parents: Parents) -> bool:
    """Whether removing inputs, over and over, leaves something."""
    left = set(range(len(parents)))
    while bare := {v for v in left if not left & set(parents[v])}:
        left -= bare
    return bool(left)


# pool ---------------------------------------------------------------------------------------------
def graph_of(parents: Sequence[Sequence[int]]) -> Tensors:
    """The instance with these parents."""
    count = len(parents)
    entries = tuple(Fraction(u in parents[v]) for v in range(count) for u in range(count))
    return Tensors({"E": Tensor(("n", "n"), (count, count), entries, held=True)})


@dataclass(frozen=True)
class DigraphPool(TensorPool):
    """Small directed acyclic graphs, their vertices named in any order.

    most: vertices at most; of sparse graphs, which have few paths, `sparse`.
    """

    arrays: tuple[tuple[str, tuple[str, ...]], ...] = (("E", ("n", "n")),)
    most: int = 7
    sparse: int = 24

    def draw(self, random: Random, *, n: int = 1, loss: str = "", large: bool = True) -> Tensors:
        """One random instance."""
        count = random.randint(2, self.most if large else 5)
        manner = random.choice((*sorted(GRAPHS), "sparse"))
        made = GRAPHS.get(manner, _sparse)
        if manner == "sparse" and large:
            count = random.randint(count, self.sparse)
        names = random.sample(range(count), count)
        parents: list[list[int]] = [[] for _ in range(count)]
        for v, u in made(count, random):
            parents[names[v]].append(names[u])
        case = graph_of(parents)
        return Tensors(case.arrays, case.choice, manner)

    def values_of(self, name: str, values: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        """Edges are there or not."""
        return (Fraction(0), Fraction(1))

    def scope(self) -> tuple[str, ...]:
        """Sizes, and the manners of graphs."""
        manners = ", ".join(sorted(GRAPHS))
        return (
            f"DAGs with 2 to {self.most} vertices in any order: {manners}",
            f"sparse DAGs with up to {self.sparse} vertices",
        )


def _sparse(count: int, random: Random) -> set[tuple[int, int]]:
    """Two parents at most, at random among the vertices before."""
    edges = {(1, 0)}
    for v in range(1, count):
        edges |= {(v, random.randrange(v)) for _ in range(random.choice((0, 1, 1, 2)))}
    return edges


POOL = DigraphPool()


# hypotheses ---------------------------------------------------------------------------------------
def _to_graph(case: Tensors, random: Random) -> Tensors:
    array = case.arrays["E"]
    entries = tuple(Fraction(entry != 0) for entry in array.entries)
    return case.changing(E=Tensor(array.axes, array.shape, entries, held=True))


DIGRAPH = Hypothesis(
    "directed graph",
    r"the graph is finite: $E_{vu}=1$ for an edge from $u$ to $v$, else $0$",
    by_case(lambda case: all(entry in (0, 1) for entry in case.arrays["E"].entries)),
    _to_graph,
    thin=True,
)


def _without_cycles(case: Tensors, random: Random) -> Tensors:
    """Edges go in one after the other, unless they close a cycle."""
    parents: list[list[int]] = [[] for _ in range(case.lengths["n"])]
    edges = [(v, u) for v, above in enumerate(parents_of(case)) for u in above]
    for v, u in edges:
        parents[v].append(u)
        if has_cycle(tuple(map(tuple, parents))):
            parents[v].remove(u)
    return case.changing(E=graph_of(parents).arrays["E"])


def _with_a_cycle(case: Tensors, random: Random) -> Tensors:
    """One edge back, from a vertex to one before it, or to itself."""
    parents = [list(above) for above in parents_of(case)]
    edges = [(v, u) for v, above in enumerate(parents) for u in above]
    v, u = random.choice(edges) if edges else (0, 0)
    while parents[u] and random.random() < 0.3:
        u = random.choice(parents[u])
    parents[u].append(v)
    return case.changing(E=graph_of(parents).arrays["E"])


ACYCLIC = Hypothesis(
    "acyclic",
    "the graph has no directed cycle",
    by_case(lambda case: not has_cycle(parents_of(case))),
    _without_cycles,
    _with_a_cycle,
    thin=True,
)


# measures and arguments ---------------------------------------------------------------------------
def of_graph(function: Callable[[Parents], Labelled], scene: Any) -> Entries:
    """Entries of a measure that looks at the parents of each vertex."""
    return each_case(lambda case: function(parents_of(case)), scene)


LARGEST = 5  # vertices of the graphs that arguments list
LISTED = (f"every directed acyclic graph with at most {LARGEST} vertices, up to their names",)


def small_graphs(count: int) -> Iterator[Parents]:
    """Every graph on so many vertices whose edges run from smaller to larger numbers: each acyclic
    graph is one of these, its vertices put in order."""
    pairs = list(combinations(range(count), 2))
    for code in range(2 ** len(pairs)):
        there = [pair for place, pair in enumerate(pairs) if code >> place & 1]
        yield tuple(tuple(u for u, w in there if w == v) for v in range(count))


def steps_on_small_graphs(
    function: Callable[[Parents], Labelled], *, slack: bool
) -> tuple[Step, ...]:
    """For each number of vertices, that every entry on every such graph is as claimed."""
    steps = []
    for count in range(1, LARGEST + 1):
        values = [value for parents in small_graphs(count) for _, value in function(parents)]
        holds = all(value >= 0 if slack else value == 0 for value in values)
        graphs = 2 ** (count * (count - 1) // 2)
        said = "at least 0" if slack else "0"
        steps.append(
            Step(f"{count} vertices: {len(values)} entries on {graphs} graphs are {said}", holds)
        )
    return tuple(steps)
