"""Paths of a network: how many, which ones, and the path enumeration function.

A path is a tuple of edge numbers, each edge starting where the one before it ends. Counting never
enumerates: the numbers are exact integers from one pass over the edges each way, so a network with
10^44 paths is counted as fast as one with ten.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from graphs.errors import NetworkError, TooManyPathsError
from graphs.evaluation import Union
from graphs.network import Network

Path = tuple[int, ...]
PADDING = -1


@dataclass(frozen=True)
class PathCounts:
    """Numbers of paths between sources and targets (the inputs and outputs unless said otherwise).

    into: for each vertex the number of paths from the sources to it. out_of: for each vertex the
    number of paths from it to the targets (a vertex has one path of length 0 to itself). total:
    the number of paths from sources to targets.
    """

    network: Network
    into: tuple[int, ...]
    out_of: tuple[int, ...]
    total: int


def count_paths(
    network: Network,
    *,
    sources: Sequence[int] | None = None,
    targets: Sequence[int] | None = None,
) -> PathCounts:
    """Count the paths from `sources` to `targets` (vertex numbers; inputs to outputs by default).

    >>> from graphs.network import network
    >>> net = network(
    ...     [("x", "a"), ("x", "b"), ("a", "o"), ("b", "o")], inputs=["x"], outputs=["o"]
    ... )
    >>> count_paths(net).total
    2
    """
    starts, ends = _ends(network, sources, targets)
    into = [0] * network.vertex_count
    out_of = [0] * network.vertex_count
    for v in starts:
        into[v] = 1
    for v in ends:
        out_of[v] = 1
    # edges are sorted by head: all in-edges of a vertex come before any of its out-edges
    for tail, head in zip(network.tails, network.heads, strict=True):
        into[head] += into[tail]
    for tail, head in zip(reversed(network.tails), reversed(network.heads), strict=True):
        out_of[tail] += out_of[head]
    return PathCounts(network, tuple(into), tuple(out_of), sum(into[v] for v in ends))


def enumerate_paths(
    network: Network,
    cap: int | None = None,
    *,
    sources: Sequence[int] | None = None,
    targets: Sequence[int] | None = None,
) -> Iterator[Path]:
    """The paths from `sources` to `targets` (inputs to outputs by default), one at a time.

    The order is that of the sources (for inputs: that of the coordinates), then lexicographic by
    edge numbers, a path before its continuations. A source that is a target has the empty path.

    Raises TooManyPathsError where a path beyond the first `cap` would follow.
    """
    for number, path in enumerate(_walk(network, *_ends(network, sources, targets))):
        if number == cap:
            raise TooManyPathsError(f"more than {cap} paths in {network}: raise the cap")
        yield path


@dataclass(frozen=True)
class PathTable:
    """The paths of a union of networks, network by network in the order of `all_paths`.

    edges: (Pi, L) union edge numbers along each path, padded with -1 at the right. owner: (Pi,)
    the network of each path. first_input: (Pi,) the union vertex number of its input vertex.
    """

    union: Union
    edges: np.ndarray
    owner: np.ndarray
    first_input: np.ndarray

    def __len__(self) -> int:
        return len(self.owner)


def path_table(union: Union, cap: int) -> PathTable:
    """The paths from inputs to outputs of every network of the union.

    cap: the most paths that any one network may have. Raises TooManyPathsError beyond it, before
    anything is enumerated.
    """
    out_of: list[int] = []
    totals: list[int] = []
    for network in union.networks:
        counts = count_paths(network)
        _check_cap(network, counts.total, cap, "paths")
        # every vertex is reached from an input, so none has more paths onward than the network
        out_of.extend(counts.out_of)
        totals.append(counts.total)
    starts = _union_vertices(union, "inputs")
    is_output = np.zeros(union.vertex_count, dtype=bool)
    is_output[_union_vertices(union, "outputs")] = True
    edges, rank = _join(union, starts, is_output, np.array(out_of, dtype=np.int64))
    return PathTable(union, edges, np.repeat(np.arange(len(totals)), totals), starts[rank])


def _union_vertices(union: Union, what: str) -> np.ndarray:
    pairs = zip(union.networks, union.vertex_offset[:-1], strict=True)
    parts = [np.array(getattr(network, what), dtype=np.int64) + o for network, o in pairs]
    return np.concatenate(parts)


def _join(
    union: Union, starts: np.ndarray, is_output: np.ndarray, out_of: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """All paths, by lengthening all begun paths by one edge at a time.

    out_of: (V,) the number of paths from each vertex to the outputs of its network; it tells the
    row of a path before the paths that stand above it are complete. Returns the padded edges
    (Pi, L), and for each path the place of its start in `starts`.
    """
    useful = np.flatnonzero(out_of[union.heads])
    out_edges = useful[np.argsort(union.tails[useful], kind="stable")]
    degree = np.bincount(union.tails[out_edges], minlength=union.vertex_count)
    first_out = np.cumsum(degree) - degree
    # for each edge, how many paths go on from its tail by an earlier edge
    passed = np.cumsum(out_of[union.heads[out_edges]]) - out_of[union.heads[out_edges]]
    prefix = np.empty((len(starts), 0), dtype=np.int64)
    rank, vertex = np.arange(len(starts)), starts
    row = np.cumsum(out_of[starts]) - out_of[starts]
    finished: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    while len(vertex):
        done = is_output[vertex]
        finished.append((row[done], prefix[done], rank[done]))
        ways = degree[vertex]
        begun = np.repeat(np.arange(len(vertex)), ways)
        turn = np.arange(len(begun)) - np.repeat(np.cumsum(ways) - ways, ways)
        place = first_out[vertex[begun]] + turn
        above = passed[place] - passed[first_out[vertex[begun]]] + is_output[vertex[begun]]
        row, rank = row[begun] + above, rank[begun]
        prefix = np.column_stack([prefix[begun], out_edges[place]])
        vertex = union.heads[out_edges[place]]
    length = finished[-1][1].shape[1]
    edges = np.full((int(out_of[starts].sum()), length), PADDING, dtype=np.int64)
    ranks = np.zeros(len(edges), dtype=np.int64)
    for rows, prefixes, begun in finished:
        edges[rows, : prefixes.shape[1]] = prefixes
        ranks[rows] = begun
    return edges, ranks


# helpers ------------------------------------------------------------------------------------------
def _ends(
    network: Network, sources: Sequence[int] | None, targets: Sequence[int] | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    starts = network.inputs if sources is None else tuple(sources)
    ends = network.outputs if targets is None else tuple(targets)
    for what, vertices in (("sources", starts), ("targets", ends)):
        if len(set(vertices)) < len(vertices) or not all(
            0 <= v < network.vertex_count for v in vertices
        ):
            raise NetworkError(f"{what} {vertices} are not distinct vertices of {network}")
    return starts, ends


def _check_cap(network: Network, total: int, cap: int, what: str) -> None:
    if total > cap:
        raise TooManyPathsError(f"{total} {what} in {network}, the cap is {cap}: raise the cap")


def _walk(network: Network, starts: Sequence[int], ends: Sequence[int]) -> Iterator[Path]:
    """Depth first, without recursion (deep networks) and without dead ends."""
    goal = [False] * network.vertex_count
    for v in ends:
        goal[v] = True
    reaches = list(goal)
    onward: list[list[int]] = [[] for _ in network.names]
    for e in range(network.edge_count - 1, -1, -1):
        if reaches[network.heads[e]]:
            reaches[network.tails[e]] = True
            onward[network.tails[e]].append(e)  # in descending order: the last is taken first
    for start in starts:
        if goal[start]:
            yield ()
        path: list[int] = []
        pending = [list(onward[start])]
        while pending:
            if not pending[-1]:
                pending.pop()
                if path:
                    path.pop()
                continue
            edge = pending[-1].pop()
            path.append(edge)
            head = network.heads[edge]
            if goal[head]:
                yield tuple(path)
            pending.append(list(onward[head]))
