"""Balance identities, decided from the graph alone.

With positively homogeneous activations `w_e dnu/dw_e` is the sum of one term for each input-output
path through e, the same term for every edge of the path. A combination `sum_e c_e w_e dR/dw_e` is
therefore a sum over paths p of (sum of c_e over e in p) times the path's term, and vanishes for all
weights, data and losses where every path has coefficient sum 0. That is so exactly when there is a
*potential*: integers phi on the vertices, 0 at inputs and outputs, with c_e = phi(head) - phi(tail)
on every edge that lies on an input-output path. Finding it, or a path that shows that there is
none, takes time linear in the edges, for any number of paths.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphs.errors import NetworkError
from graphs.network import FIXED, Network


@dataclass(frozen=True)
class Balanced:
    """Every path has coefficient sum 0. potential: phi by vertex number, 0 where missing."""

    potential: Mapping[int, int]


@dataclass(frozen=True)
class Unbalanced:
    """A path from an input to an output (edge numbers) whose coefficient sum `total` is not 0."""

    path: tuple[int, ...]
    total: int


@dataclass(frozen=True)
class Unqualified:
    """The identity is not about the weights of this network. reason: in words."""

    reason: str


def decide(network: Network, coefficients: Mapping[int, int]) -> Balanced | Unbalanced:
    """Whether sum_{e in p} c_e = 0 for every path p from an input to an output.

    coefficients: c_e by edge number, 0 where missing. Time linear in the edges.

    Raises NetworkError for an edge that is not there.

    >>> from graphs.network import network
    >>> net = network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"])
    >>> decide(net, {0: 1, 1: -1})
    Balanced(potential={1: 1})
    >>> decide(net, {0: 1})
    Unbalanced(path=(0, 1), total=1)
    """
    _check_edges(network, coefficients)
    useful = useful_edges(network)
    outputs = set(network.outputs)
    potential: list[int | None] = [None] * network.vertex_count
    arrival: list[int] = [-1] * network.vertex_count  # the edge that gave a vertex its potential
    for v in network.inputs:
        potential[v] = 0
    for e, (tail, head) in enumerate(zip(network.tails, network.heads, strict=True)):
        if not useful[e]:
            continue
        here = (potential[tail] or 0) + coefficients.get(e, 0)
        if head in outputs and here != 0:
            return _refuted(coefficients, (*_prefix(network, arrival, tail), e))
        if potential[head] is None:
            potential[head] = here
            arrival[head] = e
        elif potential[head] != here:
            # two ways to the head with different sums: with one common way on, not both are 0
            onward = _onward(network, useful, head)
            ways = ((*_prefix(network, arrival, tail), e), _prefix(network, arrival, head))
            sums = [sum(coefficients.get(f, 0) for f in (*way, *onward)) for way in ways]
            way = ways[0] if sums[0] != 0 else ways[1]
            return _refuted(coefficients, (*way, *onward))
    return Balanced({v: phi for v, phi in enumerate(potential) if phi})


def useful_edges(network: Network) -> list[bool]:
    """For each edge whether it lies on a path from an input to an output."""
    reaches = [False] * network.vertex_count
    for v in network.outputs:
        reaches[v] = True
    for tail, head in zip(reversed(network.tails), reversed(network.heads), strict=True):
        if reaches[head]:
            reaches[tail] = True
    # every vertex is reached from an input, see Network
    return [reaches[head] for head in network.heads]


def vertex_balances(network: Network) -> dict[int, Balanced | Unqualified]:
    """For each inner vertex v whether sum_in w dR/dw = sum_{p through v} A_p = sum_out w dR/dw.

    A_p is the term of path p (LJ22 (11)). The first sum minus the last has the potential 1 at v, 0
    elsewhere: an edge into v has coefficient 1 = 1 - 0, an edge out of v has -1 = 0 - 1, and no
    edge is both (Network has refused cycles). The sum in the middle equals the first one because a
    path through v, which is no input, enters v by exactly one edge. So it remains to see which
    vertices qualify: all together take one pass over the edges.
    """
    reason = _inhomogeneous(network)
    uses = [0] * (network.parameter_count + 1)  # the last one gathers the fixed edges
    for p in network.parameter_of:
        uses[p] += 1
    uses[FIXED] = 0
    hindrance: dict[int, int] = {}  # at a vertex, the first edge without a parameter of its own
    ends = zip(network.tails, network.heads, network.parameter_of, strict=True)
    for e, (tail, head, p) in enumerate(ends):
        if uses[p] != 1:
            hindrance.setdefault(tail, e)
            hindrance.setdefault(head, e)
    result: dict[int, Balanced | Unqualified] = {}
    for v in network.inner:
        why = reason or (_not_own(network, hindrance[v]) if v in hindrance else None)
        result[v] = Unqualified(why) if why else Balanced({v: 1})
    return result


def layer_coefficients(
    network: Network, first: Iterable[int], second: Iterable[int]
) -> dict[int, int]:
    """The coefficients of the balance of two sets of edges: 1 on the first, -1 on the second.

    An edge of both has 0 and is left out. Raises NetworkError for an edge that is not there.
    """
    coefficients = dict.fromkeys(first, 1)
    for e in set(second):
        coefficients[e] = coefficients.get(e, 0) - 1
    _check_edges(network, coefficients)
    return {e: c for e, c in sorted(coefficients.items()) if c}


def layer_balance(
    network: Network, first: Iterable[int], second: Iterable[int]
) -> Balanced | Unbalanced | Unqualified:
    """Whether sum_F w dR/dw = sum_F' w dR/dw for two sets of edges F and F' (LJ22 lemma 3).

    Unqualified when an activation is not positively homogeneous, or an edge that is in one of the
    sets alone has no learnable parameter of its own. Unbalanced refutes the identity where every
    activation is linear and every edge has a parameter of its own: the terms of different paths
    are then different monomials.

    Raises NetworkError for an edge that is not there.
    """
    coefficients = layer_coefficients(network, first, second)
    reason = _inhomogeneous(network)
    for e in coefficients:
        reason = reason or _not_own(network, e)
    return Unqualified(reason) if reason else decide(network, coefficients)


def _inhomogeneous(network: Network) -> str | None:
    for name, activation in zip(network.names, network.activations, strict=True):
        if not activation.homogeneous:
            return f"the activation {activation} of {name} is not positively homogeneous"
    return None


def _not_own(network: Network, e: int) -> str | None:
    p = network.parameter_of[e]
    if p == FIXED:
        return f"the weight of {network.edge_name(e)} is fixed"
    if len(network.edges_of_parameter[p]) > 1:
        name = network.parameter_names[p]
        return f"{network.edge_name(e)} shares the parameter {name} with other edges"
    return None


def _prefix(network: Network, arrival: Sequence[int], v: int) -> tuple[int, ...]:
    """A path from an input to v, along the edges that gave the potentials."""
    edges = []
    while arrival[v] >= 0:
        edges.append(arrival[v])
        v = network.tails[arrival[v]]
    return tuple(reversed(edges))


def _onward(network: Network, useful: Sequence[bool], v: int) -> tuple[int, ...]:
    """A path from v to an output."""
    outputs = set(network.outputs)
    edges: list[int] = []
    while v not in outputs:
        edges.append(next(e for e in network.out_edges[v] if useful[e]))
        v = network.heads[edges[-1]]
    return tuple(edges)


def _refuted(coefficients: Mapping[int, int], path: tuple[int, ...]) -> Unbalanced:
    return Unbalanced(path, sum(coefficients.get(e, 0) for e in path))


def _check_edges(network: Network, edges: Iterable[int]) -> None:
    for e in edges:
        if not 0 <= e < network.edge_count:
            raise NetworkError(f"no edge number {e} in {network}")
