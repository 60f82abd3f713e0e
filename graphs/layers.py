"""Layers of a network: by distance from the inputs, and as sets of edges (LJ22 definition 7).

An edge layer is a set of edges of which no directed path contains two, and whose removal
disconnects the graph. "Disconnects" has two readings. A: the underlying undirected graph of what
is left has more than one connected component. B: no directed path from an input to an output is
left.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from random import Random

from graphs.errors import NetworkError
from graphs.network import Network

Layer = tuple[int, ...]
READINGS = ("A", "B")


def distance_cuts(network: Network) -> tuple[Layer, ...]:
    """For each k from 0 to L - 1 the edges from distance at most k to distance more than k.

    In a fully connected network these are the edges of its weight matrices; skip edges occur in
    several of them.
    """
    cuts: list[list[int]] = [[] for _ in range(max(network.depths))]
    for e, (tail, head) in enumerate(zip(network.tails, network.heads, strict=True)):
        for k in range(network.depths[tail], network.depths[head]):
            cuts[k].append(e)
    return tuple(map(tuple, cuts))


def edges_leaving(network: Network, part: Collection[int]) -> Layer:
    """The edges from the vertices of `part` to the others."""
    members = set(part)
    ends = zip(network.tails, network.heads, strict=True)
    return tuple(e for e, (a, b) in enumerate(ends) if a in members and b not in members)


def antichain(network: Network, edges: Iterable[int]) -> bool:
    """Whether no directed path of the network contains two of the edges."""
    chosen = _flags(network, edges)
    met = [False] * network.vertex_count  # whether a path to the vertex contains a chosen edge
    for e, (tail, head) in enumerate(zip(network.tails, network.heads, strict=True)):
        if chosen[e] and met[tail]:
            return False
        if chosen[e] or met[tail]:
            met[head] = True
    return True


def disconnects(network: Network, edges: Iterable[int], reading: str) -> bool:
    """Whether removing the edges disconnects the network, by reading A or B (see above).

    Raises NetworkError for another reading, or an edge that is not there.
    """
    _check_reading(reading)
    removed = _flags(network, edges)
    kept = [
        (tail, head)
        for e, (tail, head) in enumerate(zip(network.tails, network.heads, strict=True))
        if not removed[e]
    ]
    if reading == "A":
        return _component_count(network.vertex_count, kept) > 1
    reached = set(network.inputs)
    for tail, head in kept:
        if tail in reached:
            reached.add(head)
    return reached.isdisjoint(network.outputs)


def is_layer(network: Network, edges: Iterable[int], reading: str) -> bool:
    """Whether the edges are a layer by LJ22 definition 7, in reading A or B."""
    chosen = tuple(edges)
    return antichain(network, chosen) and disconnects(network, chosen, reading)


def layers(
    network: Network, reading: str, cap: int, *, only: Callable[[int], bool] | None = None
) -> tuple[Layer, ...]:
    """All layers of a small network, each as ascending edge numbers, in lexicographic order.

    cap: the most sets of pairwise incomparable edges to look at. only: which edges a layer may
    contain (say `network.own_parameter`).

    Raises NetworkError when there are more such sets than `cap`.
    """
    _check_reading(reading)
    found = []
    for number, chosen in enumerate(_antichains(network, only)):
        if number == cap:
            raise NetworkError(
                f"more than {cap} sets of incomparable edges in {network}: "
                "raise the cap, or draw layers with random_layer"
            )
        if disconnects(network, chosen, reading):
            found.append(chosen)
    return tuple(found)


def random_layer(
    network: Network,
    reading: str,
    random: Random,
    *,
    only: Callable[[int], bool] | None = None,
) -> Layer:
    """A random layer of a network of any size, as ascending edge numbers.

    It is the set of edges that leave a random set of vertices closed under predecessors: for
    reading B one with all inputs and no output, for reading A any but none and all. By reading B
    a network whose vertices all lead to an output has no other layers; by reading A it may.
    only: which edges the layer may contain.

    Raises NetworkError when there is no such layer.
    """
    _check_reading(reading)
    group, order = _contracted(network, only)
    parents: list[set[int]] = [set() for _ in order]
    for tail, head in zip(network.tails, network.heads, strict=True):
        if group[tail] != group[head]:
            parents[group[head]].add(group[tail])
    # arrival times grow along the edges, so what has arrived by some time is closed
    arrival = [1.0 - random.random() for _ in order]
    for g in order:
        arrival[g] += max((arrival[p] for p in parents[g]), default=0.0)
    time = min(arrival) + (max(arrival) - min(arrival)) * random.random()
    part = {g for g in order if arrival[g] <= time} - {max(order, key=arrival.__getitem__)}
    if reading == "B":
        needed = _closure({group[v] for v in network.inputs}, reversed(order), parents)
        barred = {group[v] for v in network.outputs}
        for g in order:
            if not barred.isdisjoint(parents[g]):
                barred.add(g)
        part = (part | needed) - barred
        if not needed.isdisjoint(barred):
            part = set()
    if not part:
        raise NetworkError(f"{network} has no layer of the kind asked for (reading {reading})")
    return edges_leaving(network, [v for v, g in enumerate(group) if g in part])


def _closure(
    members: set[int], backwards: Iterable[int], parents: Sequence[Collection[int]]
) -> set[int]:
    """The members and all their predecessors. backwards: everything, successors first."""
    closed = set(members)
    for g in backwards:
        if g in closed:
            closed.update(parents[g])
    return closed


def _contracted(
    network: Network, only: Callable[[int], bool] | None
) -> tuple[Sequence[int], Sequence[int]]:
    """The group of each vertex, and the groups in topological order.

    A closed set that no forbidden edge leaves contains with the tail of such an edge its head, so
    the two belong together, with all that lies between them.
    """
    forbidden = [e for e in range(network.edge_count) if only is not None and not only(e)]
    if not forbidden:
        return range(network.vertex_count), range(network.vertex_count)
    import networkx

    graph = networkx.DiGraph(zip(network.tails, network.heads, strict=True))
    graph.add_nodes_from(range(network.vertex_count))
    graph.add_edges_from((network.heads[e], network.tails[e]) for e in forbidden)
    condensed = networkx.condensation(graph)
    group: list[int] = [condensed.graph["mapping"][v] for v in range(network.vertex_count)]
    return group, list(networkx.topological_sort(condensed))


def _antichains(network: Network, only: Callable[[int], bool] | None) -> Iterator[Layer]:
    """All sets of pairwise incomparable edges, the empty one included, lexicographically."""
    allowed = [e for e in range(network.edge_count) if only is None or only(e)]
    comparable = _comparable(network)

    def extend(chosen: Layer, candidates: Sequence[int]) -> Iterator[Layer]:
        yield chosen
        for k, e in enumerate(candidates):
            later = [f for f in candidates[k + 1 :] if not comparable[e] >> f & 1]
            yield from extend((*chosen, e), later)

    yield from extend((), allowed)


def _comparable(network: Network) -> list[int]:
    """For each edge, as bits, the edges that some directed path contains together with it."""
    after = [0] * network.vertex_count  # the edges on paths that start at the vertex
    for e in range(network.edge_count - 1, -1, -1):
        after[network.tails[e]] |= 1 << e | after[network.heads[e]]
    before = [0] * network.vertex_count
    for e, (tail, head) in enumerate(zip(network.tails, network.heads, strict=True)):
        before[head] |= 1 << e | before[tail]
    ends = zip(network.tails, network.heads, strict=True)
    return [before[tail] | after[head] for tail, head in ends]


def _component_count(size: int, edges: Iterable[tuple[int, int]]) -> int:
    """The number of connected components of an undirected graph (union-find)."""
    root = list(range(size))

    def find(v: int) -> int:
        while root[v] != v:
            root[v] = root[root[v]]
            v = root[v]
        return v

    for tail, head in edges:
        root[find(tail)] = find(head)
    return sum(1 for v in range(size) if root[v] == v)


def _flags(network: Network, edges: Iterable[int]) -> list[bool]:
    flags = [False] * network.edge_count
    for e in edges:
        if not 0 <= e < network.edge_count:
            raise NetworkError(f"no edge number {e} in {network}")
        flags[e] = True
    return flags


def _check_reading(reading: str) -> None:
    if reading not in READINGS:
        raise NetworkError(f"unknown reading {reading!r} of a layer: use one of A, B")
