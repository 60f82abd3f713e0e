"""The pool of small DAG networks with polynomial activations.

Graphs come in manners: layered, unlayered at random, chains with skips, DenseNets, with an output
in an inner layer, with several outputs, with a neuron of in-degree one. Hypotheses
(see verify.kinds.dags.changes) repair what they ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from math import prod
from random import Random

from verify.cases.tensor_pool import MANNERS, TensorPool
from verify.cases.tensors import Tensor, Tensors

Edges = set[tuple[int, int]]  # (v, u): from u to v, u < v
ARRAYS = (("E", ("n", "n")), ("W", ("n", "n")), ("A", ("n", "k")), ("X", ("N", "n")))
FREELY = ("X", "f", "s", "b")  # arrays whose numbers are of a manner of their own
OF_NETWORKS = ("W", "A", *FREELY)
IDENTITY = (Fraction(0), Fraction(1))


class Dag(Tensors):
    """One small network on a DAG."""

    def described(self) -> str:
        """The vertices, the edges, and the other numbers."""
        numbers = [f"{name} = {t.entries[0]}" for name, t in self.arrays.items() if not t.axes]
        edges = " ".join(f"{u}→{v}" for v, u in sorted(edges_of(self)))
        return ", ".join([f"{self.lengths['n']} vertices with the edges {edges}", *numbers])


def as_dag(case: Tensors) -> Dag:
    """The same arrays."""
    return Dag(case.arrays, case.choice, case.family)


@dataclass(frozen=True)
class DagPool(TensorPool):
    """Small DAG networks and extra arrays of their own axes.

    arrays: `E`, other arrays of the network (of `OF_NETWORKS`), and extras, whose axes may be those
    of the network. least, most: how many vertices. points: the largest N. degree: the largest of
    an activation.
    """

    most: int = 6
    points: int = 2
    degree: int = 3
    lengths: Mapping[str, int] = field(default_factory=dict)
    least: int = 2

    def draw(self, random: Random, *, n: int = 1, loss: str = "", large: bool = True) -> Tensors:
        """One random instance."""
        count = random.randint(self.least, self.most if large else min(4, self.most))
        lengths = {"n": count, "N": random.randint(1, self.points)}
        lengths["k"] = random.randint(2, self.degree + 1)
        manner, numbers = random.choice(sorted(GRAPHS)), random.choice(sorted(MANNERS))
        parts = {"E": adjacency(count, GRAPHS[manner](count, random))}
        for name, axes in self.arrays:
            if name not in ("E", *OF_NETWORKS):
                for axis in axes:
                    lengths.setdefault(axis, random.randint(1, self.lengths.get(axis, 3)))
            if name == "A":
                parts[name] = _activations(lengths, random)
            elif name != "E":
                own = random.choice(sorted(MANNERS)) if name in FREELY else numbers
                parts[name] = _numbers(axes, lengths, own, random)
        for name, low, high in self.integers:
            parts[name] = Tensor((), (), (Fraction(random.randint(low, high)),), integer=True)
        case = as_dag(Tensors(parts, family=manner))
        return case if self.adapt is None else self.adapt(case, random)

    def values_of(self, name: str, values: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        """Edges are there or not."""
        return (Fraction(0), Fraction(1)) if name == "E" else values

    def named(self, random: Random) -> Iterator[Tensors]:
        """One of each manner of graphs, at the largest size."""
        for manner in sorted(GRAPHS):
            case = self.draw(random)
            count = case.lengths["n"]
            edges = GRAPHS[manner](count, random)
            yield replace(case.changing(E=adjacency(count, edges)), family=manner)

    def scope(self) -> tuple[str, ...]:
        """Sizes, and the manners of graphs."""
        axes = {axis for _, names in self.arrays for axis in names}
        degree = f"activations: polynomials of degree at most {self.degree}, one for each vertex"
        return (
            f"DAGs with {self.least} to {self.most} vertices: {', '.join(sorted(GRAPHS))}",
            *([degree] if "k" in axes else []),
            *([f"1 to {self.points} points"] if "N" in axes else []),
            *(f"{name} from {low} to {high}" for name, low, high in self.integers),
        )


def dag_pool(
    *,
    arrays: Sequence[tuple[str, tuple[str, ...]]] = ARRAYS,
    extras: Sequence[tuple[str, tuple[str, ...]]] = (),
    integers: Sequence[tuple[str, int, int]] = (),
    most: int = 6,
    points: int = 2,
    degree: int = 3,
    lengths: Mapping[str, int] | None = None,
    least: int = 2,
    last: Callable[[Tensors, Random], Tensors] | None = None,
) -> DagPool:
    """The pool of small DAG networks with these arrays and extra ones.

    lengths: the longest of each axis of the extras. last: a change of every instance.
    """

    def adapt(case: Tensors, random: Random) -> Tensors:
        dag = as_dag(case)
        return dag if last is None else last(dag, random)

    return DagPool(
        (*arrays, *extras),
        tuple(integers),
        adapt=adapt,
        most=most,
        points=points,
        degree=degree,
        lengths=dict(lengths or {}),
        least=least,
    )


def often_without_zeros(case: Tensors, random: Random) -> Tensors:
    """A third of the instances as they are; the others get a chain with skips, no number 0 among
    weights and inputs, and activations with every coefficient: nothing vanishes by itself there.
    A `last` change of a pool."""
    if random.random() < 1 / 3:
        return case
    count, length = case.lengths["n"], case.lengths.get("k", 2)
    sizes = [Fraction(p, q) for p in (-2, -1, 1, 2) for q in (1, 2)]

    def filled(axes: tuple[str, ...]) -> Tensor:
        shape = tuple(case.lengths[axis] for axis in axes)
        return Tensor(axes, shape, tuple(random.choice(sizes) for _ in range(prod(shape))))

    there = {name: case.arrays[name] for name in OF_NETWORKS if name in case.arrays}
    names = {name: filled(array.axes) for name, array in there.items()}
    edges = _chain(count, random) if count > 1 else set()
    whole = case.changing(E=adjacency(count, edges), **names)
    return replace(whole, family="chain with skips, no zeros") if length > 1 else case


# graphs -----------------------------------------------------------------------------------------
def adjacency(count: int, edges: Edges) -> Tensor:
    """The array `E`; equations tie it (it holds 0 and 1)."""
    entries = [Fraction((v, u) in edges) for v in range(count) for u in range(count)]
    return Tensor(("n", "n"), (count, count), tuple(entries), held=True)


def edges_of(case: Tensors) -> Edges:
    """The edges (v, u) of an instance."""
    count = case.lengths["n"]
    entries = case.arrays["E"].entries
    return {(v, u) for v in range(count) for u in range(v) if entries[v * count + u] == 1}


def with_edges(case: Tensors, edges: Edges) -> Tensors:
    """The instance with other edges."""
    return case.changing(E=adjacency(case.lengths["n"], edges))


def _unlayered(count: int, random: Random) -> Edges:
    share = random.choice((0.3, 0.5, 0.8))
    edges = {(v, u) for v in range(count) for u in range(v) if random.random() < share}
    return edges or {(count - 1, 0)}


def _levels(count: int, random: Random) -> list[list[int]]:
    """The vertices 0 to count - 1 cut into consecutive levels, two at least, the last of one."""
    levels: list[list[int]] = [[0]]
    for v in range(1, count - 1):
        if random.random() < 0.5:
            levels[-1].append(v)
        else:
            levels.append([v])
    return [*levels, [count - 1]]


def _layered(count: int, random: Random) -> Edges:
    levels = _levels(count, random)
    return {(v, u) for low, high in pairwise(levels) for v in high for u in low}


def _dense(count: int, random: Random) -> Edges:
    levels = _levels(count, random)
    return {
        (v, u)
        for place, high in enumerate(levels)
        for v in high
        for low in levels[:place]
        for u in low
    }


def _dropped(count: int, random: Random) -> Edges:
    kept = {edge for edge in _dense(count, random) if random.random() < 0.6}
    return kept or {(count - 1, 0)}


def _chain(count: int, random: Random) -> Edges:
    chain = {(v, v - 1) for v in range(1, count)}
    return chain | {(v, u) for v in range(count) for u in range(v - 1) if random.random() < 0.25}


def _several_outputs(count: int, random: Random) -> Edges:
    edges = _layered(max(count - 1, 2), random)
    last = max(count - 2, 1)
    more = {(count - 1, u) for v, u in edges if v == last} if count > 2 else set()
    return edges | more


def _bottleneck(count: int, random: Random) -> Edges:
    edges, v = _dense(count, random), random.randrange(1, count)
    parents = [u for w, u in sorted(edges) if w == v]
    return {edge for edge in edges if edge[0] != v} | (
        {(v, random.choice(parents))} if parents else set()
    )


GRAPHS: dict[str, Callable[[int, Random], Edges]] = {
    "unlayered": _unlayered,
    "layered": _layered,
    "DenseNet": _dense,
    "dropped edges": _dropped,
    "chain with skips": _chain,
    "several outputs": _several_outputs,
    "bottleneck": _bottleneck,
}


# numbers ----------------------------------------------------------------------------------------
def _numbers(
    axes: Sequence[str], lengths: Mapping[str, int], manner: str, random: Random
) -> Tensor:
    shape = tuple(lengths[axis] for axis in axes)
    return Tensor(tuple(axes), shape, tuple(MANNERS[manner](shape, random)))


def _activations(lengths: Mapping[str, int], random: Random) -> Tensor:
    """Polynomials, one for each vertex: the identity, a power, or small coefficients."""
    rows = [polynomial(lengths["k"], random) for _ in range(lengths["n"])]
    if random.random() < 0.5:
        rows = [rows[0]] * lengths["n"]
    entries = tuple(entry for row in rows for entry in row)
    return Tensor(("n", "k"), (lengths["n"], lengths["k"]), entries)


def polynomial(length: int, random: Random) -> list[Fraction]:
    """Coefficients of one activation, constant term first."""
    manner = random.choice(("identity", "power", "small", "small"))
    if manner == "identity":
        return identity(length)
    if manner == "power":
        power = random.randrange(1, length)
        return [Fraction(place == power) for place in range(length)]
    return [Fraction(random.randint(-4, 4), random.choice((1, 2, 3))) for _ in range(length)]


def identity(length: int) -> list[Fraction]:
    """The coefficients of z."""
    return [Fraction(place == 1) for place in range(length)]
