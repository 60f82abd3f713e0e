"""The network of an accepted certificate, and how its parts are named in Rocq source."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.rocq.names import comment, identifier

SLOPES = {"linear": ("1", "1"), "relu": ("0", "1"), "abs": ("-1", "1")}


class NotExported(Exception):
    """There is no Rocq form of this certificate. The message says why."""


@dataclass(frozen=True)
class Edge:
    """An edge. parameter: the name of its weight. fixed: its value where it has none."""

    tail: str
    head: str
    parameter: str | None
    fixed: Fraction | None


@dataclass(frozen=True)
class Graph:
    """A network as a certificate has it.

    vertices: in topological order. kinds, slopes: the activation of each, by name and by its
    slopes left and right of 0. into: for each vertex the numbers of the edges that end there.
    """

    vertices: tuple[str, ...]
    kinds: dict[str, str]
    slopes: dict[str, tuple[Fraction, Fraction]]
    inputs: tuple[str, ...]
    constants: dict[str, Fraction]
    output: str
    edges: tuple[Edge, ...]
    into: dict[str, tuple[int, ...]]

    @property
    def computed(self) -> list[str]:
        """The vertices that are no inputs, in topological order."""
        return [v for v in self.vertices if self.into[v]]

    def weight(self, e: int) -> str:
        """The identifier of the weight of an edge: edges that share a parameter share it."""
        edge = self.edges[e]
        if edge.parameter is None:
            return identifier("f", edge.tail, edge.head)
        first = next(f for f in self.edges if f.parameter == edge.parameter)
        return identifier("w", first.tail, first.head)

    def weights(self) -> dict[str, int]:
        """The identifiers of all weights, each with an edge that has it."""
        found: dict[str, int] = {}
        for e in range(len(self.edges)):
            found.setdefault(self.weight(e), e)
        return found


def read_graph(record: dict[str, Any]) -> Graph:
    """The network of a certificate that the checker has accepted."""
    kinds, slopes = {}, {}
    for vertex in record["vertices"]:
        kind = vertex["activation"]
        left, right = (vertex["slope"], "1") if kind == "leaky_relu" else SLOPES.get(kind, ("", ""))
        if not right:
            raise NotExported(f"{kind} is not piecewise linear")
        kinds[vertex["name"]] = kind
        slopes[vertex["name"]] = Fraction(left), Fraction(right)
        if Fraction(vertex.get("scale_square", 1)) != 1:
            raise NotExported("a vertex has a scale")
    edges = tuple(
        Edge(
            item["tail"],
            item["head"],
            item.get("parameter"),
            Fraction(item["fixed"]) if "fixed" in item else None,
        )
        for item in record["edges"]
    )
    into: dict[str, tuple[int, ...]] = dict.fromkeys(kinds, ())
    out_of = dict(into)
    for e, edge in enumerate(edges):
        into[edge.head] += (e,)
        out_of[edge.tail] += (e,)
    (output,) = record["outputs"]
    return Graph(
        _sorted(edges, into, out_of),
        kinds,
        slopes,
        tuple(record["inputs"]),
        {name: Fraction(value) for name, value in record.get("constants", {}).items()},
        output,
        edges,
        into,
    )


def _sorted(
    edges: tuple[Edge, ...], into: dict[str, tuple[int, ...]], out_of: dict[str, tuple[int, ...]]
) -> tuple[str, ...]:
    waiting = {v: len(numbers) for v, numbers in into.items()}
    ready = [v for v, count in waiting.items() if count == 0]
    for v in ready:
        for e in out_of[v]:
            waiting[edges[e].head] -= 1
            if waiting[edges[e].head] == 0:
                ready.append(edges[e].head)
    return tuple(ready)


def described(graph: Graph) -> list[str]:
    """Comments that show the network."""
    lines = [f"The network: inputs {', '.join(graph.inputs)}; output {graph.output}."]
    for v in graph.computed:
        kind = graph.kinds[v]
        more = f" with slope {graph.slopes[v][0]} below 0" if kind == "leaky_relu" else ""
        terms = [graph.edges[e].tail for e in graph.into[v]]
        lines.append(f"  {v}: {kind}{more}, of {', '.join(terms)}")
    lines += [f"The input {name} is held at {value}." for name, value in graph.constants.items()]
    for edge in graph.edges:
        if edge.fixed is not None:
            lines.append(f"The edge {edge.tail} to {edge.head} has the fixed weight {edge.fixed}.")
    for name in sorted({str(edge.parameter) for edge in graph.edges if edge.parameter}):
        users = [edge for edge in graph.edges if edge.parameter == name]
        if len(users) > 1:
            shared = ", ".join(f"{edge.tail} to {edge.head}" for edge in users)
            lines.append(f"One parameter is shared by the edges {shared}.")
    return [comment(line) for line in lines]
