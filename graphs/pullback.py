"""Pulling numerical weights back towards the inputs (LJ22 lemma 7), and the iteration of lemma 5.

A positively homogeneous vertex with a single out-edge f may hand the size of its weight to its
in-edges and keep the sign: the function does not change. Done for all vertices of an unrolled
network from the output backwards, this leaves a tree of signs, and the sizes in the inputs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from graphs.errors import NetworkError, ParameterError
from graphs.network import Network
from graphs.paths import DEFAULT_CAP, Path
from graphs.trees import TreeNetwork
from graphs.unrolling import sign, unroll

Weights = tuple[Fraction, ...]


def pull_back(
    network: Network, weights: Sequence[Fraction], vertex: int, sign_at_zero: int = 1
) -> Weights:
    """The weights after pulling the out-weight of an inner vertex back to its in-edges (LJ22 (25)).

    weights: one for each parameter; so is the result.

    Raises NetworkError when the vertex is not inner or has not exactly one out-edge, ParameterError
    when one of its edges has no parameter of its own.
    """
    if vertex in network.inputs or vertex in network.outputs:
        raise NetworkError(f"vertex {network.names[vertex]!r} of {network} is not an inner vertex")
    out_edge = _single_out_edge(network, vertex)
    network.check_weight_count(weights)
    changed = list(weights)
    size = abs(weights[_own(network, out_edge)])
    for e in network.in_edges[vertex]:
        changed[_own(network, e)] *= size
    out_parameter = _own(network, out_edge)
    changed[out_parameter] = Fraction(sign(weights[out_parameter], sign_at_zero))
    return tuple(changed)


def pull_back_input(
    network: Network, weights: Sequence[Fraction], vertex: int, sign_at_zero: int = 1
) -> tuple[Weights, Fraction]:
    """The weights after pulling the out-weight of an input back to its coordinate.

    Returns the new weights, and the factor by which the coordinate of x is to be multiplied.

    Raises NetworkError when the vertex is no input or has not exactly one out-edge, ParameterError
    when that edge has no parameter of its own.
    """
    if vertex not in network.inputs:
        raise NetworkError(f"vertex {network.names[vertex]!r} of {network} is not an input")
    network.check_weight_count(weights)
    parameter = _own(network, _single_out_edge(network, vertex))
    changed = list(weights)
    changed[parameter] = Fraction(sign(weights[parameter], sign_at_zero))
    return tuple(changed), abs(weights[parameter])


@dataclass(frozen=True)
class Iteration:
    """The state after one step of the iteration in LJ22's proof of lemma 5.

    number: j, from 1. tree: the network of T_G (M_G has the same graph). vertices: the numbers in
    the tree of pi_1, ..., pi_j. weights: of M_G, one for each parameter of the tree. factors: for
    each input of the tree, in its order, what its coordinate has been multiplied by.
    """

    number: int
    tree: TreeNetwork
    vertices: tuple[int, ...]
    weights: Weights
    factors: tuple[Fraction, ...]

    @property
    def path(self) -> Path:
        """The path pi_j in the original network."""
        return self.tree.paths[self.vertices[-1]]

    def first_residuals(
        self, weights: Sequence[Fraction], sign_at_zero: int = 1
    ) -> tuple[Fraction, ...]:
        """Invariant 1: for each k <= j, M_G[w](pi_k q) - sgn(G[w](e_{pi_k})).

        weights: of the original network's parameters.
        """
        original = self.tree.original.edge_weights(weights)
        graph = self.tree.network
        return tuple(
            self.weights[graph.out_edges[v][0]]
            - sign(original[self.tree.paths[v][0]], sign_at_zero)
            for v in self.vertices
        )

    def second_residuals(self, weights: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """Invariant 2: what is wrong with the sizes that have reached pi_j.

        One entry for each in-vertex r of pi_j, M_G[w](r pi_j) - G[w](e_r) prod_{f in pi_j}
        |G[w](f)|; if pi_j is an input, one entry, its factor minus that product.
        weights: of the original network's parameters.
        """
        original = self.tree.original.edge_weights(weights)
        graph, vertex = self.tree.network, self.vertices[-1]
        size = Fraction(1)
        for e in self.path:
            size *= abs(original[e])
        if vertex in graph.inputs:
            return (self.factors[graph.inputs.index(vertex)] - size,)
        return tuple(
            self.weights[e] - original[self.tree.edges[e]] * size for e in graph.in_edges[vertex]
        )


def iterated_pull_back(
    network: Network,
    weights: Sequence[Fraction],
    elements: str = "edges",
    direction: str = "proof",
    *,
    sign_at_zero: int = 1,
    cap: int = DEFAULT_CAP,
) -> Iterator[Iteration]:
    """Apply lemma 7 to all vertices of T_G but the output, breadth first from it (LJ22 lemma 5).

    elements, direction: the reading of definition 10, see `graphs.unrolling.unroll`. weights: of
    the original network's parameters.

    Raises NetworkError when T_G is no tree network in that reading.
    """
    unrolled = unroll(network, elements, direction, cap=cap)
    tree = unrolled.network()
    number_of = {path: v for v, path in enumerate(tree.paths)}
    current = tree.weights(weights)
    factors = [Fraction(1)] * len(tree.network.inputs)
    vertices: list[int] = []
    for path in unrolled.paths[1:]:  # in breadth-first order, see suffixes
        vertex = number_of[path]
        vertices.append(vertex)
        if vertex in tree.network.inputs:
            current, factor = pull_back_input(tree.network, current, vertex, sign_at_zero)
            factors[tree.network.inputs.index(vertex)] *= factor
        else:
            current = pull_back(tree.network, current, vertex, sign_at_zero)
        yield Iteration(len(vertices), tree, tuple(vertices), current, tuple(factors))


def _single_out_edge(network: Network, vertex: int) -> int:
    edges = network.out_edges[vertex]
    if len(edges) != 1:
        raise NetworkError(
            f"vertex {network.names[vertex]!r} of {network} has {len(edges)} out-edges: "
            "a weight is pulled back through a vertex with exactly one"
        )
    return edges[0]


def _own(network: Network, e: int) -> int:
    """The parameter of an edge. Raises ParameterError when it is fixed or shared."""
    if not network.own_parameter(e):
        raise ParameterError(
            f"edge {network.edge_name(e)} of {network} has no parameter of its own: "
            "its weight cannot be changed alone"
        )
    return network.parameter_of[e]
