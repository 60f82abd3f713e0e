"""What unrolling a network gives: a graph on its paths, and the tree network on that graph.

Made by `graphs.unrolling.unroll`, where the readings are explained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from graphs.activations import Activation
from graphs.arithmetic import RATIONALS, as_fraction
from graphs.errors import NetworkError
from graphs.evaluation import Union, evaluate
from graphs.network import Network, network
from graphs.paths import Path, input_values, path_vertices


@dataclass(frozen=True)
class TreeNetwork:
    """An unrolled graph as a network, each arc with a parameter of its own.

    network: parameter number = edge number. paths: for each vertex its path in the original
    network. starts: for each vertex the original vertex at which its path starts. edges: for each
    edge the original edge whose weight it carries.
    """

    network: Network
    original: Network
    paths: tuple[Path, ...]
    starts: tuple[int, ...]
    edges: tuple[int, ...]

    def weights(self, weights: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """The weights of the tree, from those of the original network's parameters."""
        carried = self.original.edge_weights(weights)
        return tuple(carried[e] for e in self.edges)

    def inputs(self, x: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """The value at each input of the tree: the original coordinate at its first vertex."""
        values = input_values(self.original, x)
        return tuple(values[self.starts[v]] for v in self.network.inputs)


@dataclass(frozen=True)
class Unrolled:
    """The unrolled graph T_G of a network, in one reading (LJ22 definition 10).

    end: the output. paths: the path of each vertex of T_G, in the order of `suffixes` (the first is
    the empty path, at the output). starts: the original vertex v_p at which each path starts. arcs:
    pairs of vertex numbers, as printed. arc_edges: for each arc the original edge whose weight it
    carries, None where the print leaves the weight undefined (the path at the arc's tail has no
    edge).
    """

    original: Network
    elements: str
    direction: str
    end: int
    paths: tuple[Path, ...]
    starts: tuple[int, ...]
    arcs: tuple[tuple[int, int], ...]
    arc_edges: tuple[int | None, ...]

    @property
    def activations(self) -> tuple[Activation, ...]:
        """The activation of each vertex of T_G, that of the original vertex v_p."""
        return tuple(self.original.activations[v] for v in self.starts)

    @cached_property
    def is_tree(self) -> bool:
        """Whether T_G, as an undirected graph, is a tree."""
        neighbours: dict[int, list[int]] = {k: [] for k in range(len(self.paths))}
        for tail, head in self.arcs:
            neighbours[tail].append(head)
            neighbours[head].append(tail)
        reached = {0}
        waiting = [0]
        while waiting:
            for k in neighbours[waiting.pop()]:
                if k not in reached:
                    reached.add(k)
                    waiting.append(k)
        return len(reached) == len(self.paths) == len(self.arcs) + 1

    @property
    def weights_defined(self) -> bool:
        """Whether every arc has a weight."""
        return None not in self.arc_edges

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """The vertices of T_G whose set no larger one covers."""
        covered = {tail if self.direction == "definition" else head for tail, head in self.arcs}
        return tuple(k for k in range(len(self.paths)) if k not in covered)

    @property
    def leaves_are_paths(self) -> bool:
        """Whether the leaves are in bijection with the paths from the inputs to the output."""
        inputs = set(self.original.inputs)
        complete = [k for k, start in enumerate(self.starts) if start in inputs]
        return list(self.leaves) == complete

    def scales(self, names: Sequence[str]) -> dict[str, Fraction]:
        """The squared scale of each vertex under its name; 1 where an original input stands."""
        inputs = set(self.original.inputs)
        pairs = zip(names, self.starts, strict=True)
        return {n: self.original.scale_squares[v] for n, v in pairs if v not in inputs}

    def network(self) -> TreeNetwork:
        """The tree as a network.

        Raises NetworkError, saying why, where this reading yields no tree network.
        """
        if not self.is_tree:
            raise NetworkError(
                f"the unrolling of {self.original} by sets of {self.elements} is not a tree: "
                f"{len(self.paths)} vertices, {len(self.arcs)} arcs"
            )
        return self._as_network()

    def output(self, weights: Sequence[Fraction], x: Sequence[Fraction]) -> Fraction:
        """tau_G(x), each leaf receiving the coordinate of its first vertex (LJ22 lemma 6).

        Where T_G has all its weights but is no tree, it is evaluated as the graph that it is.
        weights: one for each parameter of the original network. x: its free inputs.

        Raises NetworkError where a weight is undefined.
        """
        tree = self._as_network()
        values = evaluate(
            Union.of([tree.network]),
            RATIONALS,
            RATIONALS.array(tree.weights(weights)),
            RATIONALS.array([[value] for value in tree.inputs(x)]),
        )
        return as_fraction(values.outputs[0, 0])

    def _as_network(self) -> TreeNetwork:
        names = path_names(self.original, self.paths, self.end)
        if not self.weights_defined:
            tail, head = self.arcs[self.arc_edges.index(None)]
            raise NetworkError(
                f"the arc {names[tail]} => {names[head]} of the unrolled graph has no weight: "
                "the path at its tail has no edge"
            )
        leaves = set(self.leaves)
        built = network(
            [(names[tail], names[head]) for tail, head in self.arcs],
            inputs=[names[k] for k in self.leaves],
            outputs=[names[0]],
            activations={
                names[k]: self.activations[k] for k in range(len(names)) if k not in leaves
            },
            scale_squares=self.scales(names),
            title=f"unrolled {self.original.title or 'network'}",
        )
        place = {name: k for k, name in enumerate(names)}
        order = [place[name] for name in built.names]
        carried = dict(zip(self.arcs, self.arc_edges, strict=True))
        ends = zip(built.tails, built.heads, strict=True)
        edges = [carried[order[tail], order[head]] for tail, head in ends]
        return TreeNetwork(
            network=built,
            original=self.original,
            paths=tuple(self.paths[k] for k in order),
            starts=tuple(self.starts[k] for k in order),
            edges=tuple(e for e in edges if e is not None),
        )


def path_names(network: Network, paths: Sequence[Path], end: int) -> list[str]:
    """The paths as they are written: `x1->h->o`."""
    names = [
        "->".join(network.names[v] for v in path_vertices(network, path, end)) for path in paths
    ]
    return unique_names(names, ())


def unique_names(names: Sequence[str], taken: Sequence[str]) -> list[str]:
    """The names, numbered where two would agree (a vertex may have an arrow in its name)."""
    if len({*names, *taken}) == len(names) + len(taken):
        return list(names)
    return [f"{name} #{k}" for k, name in enumerate(names)]
