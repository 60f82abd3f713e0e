"""The layers, blocks and convolutions that a network is made of, found in its graph.

A dense layer: vertices that read the same others. A convolution: vertices that share parameters,
channel by channel. A residual block: what reads all heads of a dense layer and, beside them, what
that layer reads. Inputs that are held constant count for nothing here. What is found are names for
the lists of statements (verify.cases.lists_of_pieces); hypotheses ask the graph what they say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

from graphs.network import FIXED, Network

Rows = list[list[int]]


@dataclass(frozen=True)
class Piece:
    """Vertices by number. kind: dense, block or convolution. inner: of a block. read, rows: of a
    convolution the tails and the heads, by channel and position; met: by position the place of the
    input that each entry of the filter meets, 0 on padding. plainly: whether a block's skip is an
    identity of fixed edges."""

    kind: str
    tails: tuple[int, ...]
    heads: tuple[int, ...]
    inner: tuple[int, ...] = ()
    read: tuple[tuple[int, ...], ...] = ()
    rows: tuple[tuple[int, ...], ...] = ()
    met: tuple[tuple[int, ...], ...] = ()
    plainly: bool = False


def pieces(net: Network) -> list[Piece]:
    """All pieces, by their first head."""
    reads = _reads(net)
    convolved = list(_convolutions(net, reads))
    shared = {v for piece in convolved for v in piece.heads}
    dense = [piece for piece in _dense(reads) if shared.isdisjoint(piece.heads)]
    blocks = [block for layer in dense for block in _blocks(net, reads, layer)]
    return sorted((*dense, *convolved, *blocks), key=lambda one: (one.heads[0], one.kind))


def arrangements(net: Network) -> list[dict[str, Any]]:
    """The lists of each two pieces, the one behind the other, and of each block alone."""
    found = pieces(net)
    alone = [_lists(net, (one,)) for one in found if one.kind == "block"]
    pairs = [
        _lists(net, (one, two))
        for one, two in product(found, found)
        if set(one.heads) == set(two.tails)
    ]
    return [*pairs, *alone]


def layered(net: Network) -> list[list[str]]:
    """The vertices by their distance from the inputs, without those that are held."""
    held = set(net.inputs) - set(net.free_inputs)
    rows: list[list[str]] = [[] for _ in range(max(net.depths) + 1)]
    for v, depth in enumerate(net.depths):
        if v not in held:
            rows[depth].append(net.names[v])
    return rows


def _reads(net: Network) -> dict[int, frozenset[int]]:
    """By vertex that is no input the vertices that it reads."""
    held = set(net.inputs) - set(net.free_inputs)
    inputs = set(net.inputs)
    return {
        v: frozenset(net.tails[e] for e in net.in_edges[v]) - held
        for v in range(net.vertex_count)
        if v not in inputs
    }


def _dense(reads: Mapping[int, frozenset[int]]) -> Iterator[Piece]:
    groups: dict[frozenset[int], list[int]] = {}
    for v, tails in reads.items():
        groups.setdefault(tails, []).append(v)
    for tails, heads in groups.items():
        if tails:
            yield Piece("dense", tuple(sorted(tails)), tuple(heads))


def _blocks(net: Network, reads: Mapping[int, frozenset[int]], layer: Piece) -> Iterator[Piece]:
    """The block whose inside are the heads of a layer, if there is one."""
    inside, entered = set(layer.heads), set(layer.tails)
    skips = {v: tails - inside for v, tails in reads.items() if inside < tails}
    if not skips or not all(skip <= entered for skip in skips.values()):
        return
    if all(skip == entered for skip in skips.values()):
        yield Piece("block", layer.tails, tuple(skips), layer.heads)
    elif all(len(skip) == 1 for skip in skips.values()):
        tails = [next(iter(skip)) for skip in skips.values()]
        if set(tails) == entered and len(tails) == len(entered):
            edges = [
                e
                for v, t in zip(skips, tails, strict=True)
                for e in net.in_edges[v]
                if net.tails[e] == t
            ]
            plainly = all(net.fixed[e] == 1 for e in edges)
            yield Piece("block", tuple(tails), tuple(skips), layer.heads, plainly=plainly)


# convolutions -------------------------------------------------------------------------------------
def _convolutions(net: Network, reads: Mapping[int, frozenset[int]]) -> Iterator[Piece]:
    weighed = {
        (net.tails[e], v): net.parameter_of[e]
        for v, tails in reads.items()
        for e in net.in_edges[v]
        if net.tails[e] in tails
    }
    by_channel = _classes(net, ((v, p) for (_, v), p in weighed.items()))
    layers: dict[frozenset[int], list[list[int]]] = {}
    for row in by_channel:
        if len(row) > 1:
            entered = frozenset(t for v in row for t in reads[v])
            layers.setdefault(entered, []).append(row)
    for entered, rows in layers.items():
        inside = {(t, v): p for (t, v), p in weighed.items() if t in entered}
        read = _by_name(net, entered) or _classes(net, ((t, p) for (t, _), p in inside.items()))
        met = _filter(inside, read, rows)
        if met is not None:
            heads = tuple(v for row in rows for v in row)
            tails = tuple(v for row in read for v in row)
            yield Piece(
                "convolution",
                tails,
                heads,
                (),
                tuple(map(tuple, read)),
                tuple(map(tuple, rows)),
                tuple(map(tuple, met)),
            )


def _by_name(net: Network, vertices: Iterable[int]) -> Rows | None:
    """Vertices with names like `x[1,2,3]` by the first number; None where there are others."""
    found: dict[str, list[int]] = {}
    for v in sorted(vertices):
        channel, comma, _ = net.names[v].partition(",")
        if not comma or "[" not in channel:
            return None
        found.setdefault(channel, []).append(v)
    return list(found.values())


def _classes(net: Network, marked: Iterable[tuple[int, int]]) -> Rows:
    """Vertices that are joined by having a parameter in common, each class in order."""
    first: dict[int, int] = {}
    root = list(range(net.vertex_count))

    def find(v: int) -> int:
        while root[v] != v:
            root[v] = root[root[v]]
            v = root[v]
        return v

    members = set()
    for v, p in marked:
        members.add(v)
        if p != FIXED:
            one, two = sorted((find(v), find(first.setdefault(p, v))))
            root[two] = one
    found: dict[int, list[int]] = {}
    for v in sorted(members):
        found.setdefault(find(v), []).append(v)
    return list(found.values())


def _filter(weighed: Mapping[tuple[int, int], int], read: Rows, rows: Rows) -> Rows | None:
    """What the filter meets at each position, if it is the same for all channels."""
    if len({len(row) for row in read}) != 1 or len({len(row) for row in rows}) != 1:
        return None
    seen: Rows | None = None
    for row, tails in product(rows, read):
        places: dict[int, int] = {}
        met: list[dict[int, int]] = []
        for v in row:
            met.append({})
            for position, t in enumerate(tails, start=1):
                p = weighed.get((t, v))
                if p == FIXED:
                    return None
                if p is not None:
                    met[-1][places.setdefault(p, len(places))] = position
        found = [[at.get(a, 0) for a in range(len(places))] for at in met]
        if seen is None:
            seen = found
        if found != seen:
            return None
    return seen


# lists --------------------------------------------------------------------------------------------
def _lists(net: Network, chain: tuple[Piece, ...]) -> dict[str, Any]:
    """The lists by which statements name the neurons of pieces in sequence."""

    def named(vertices: Iterable[int]) -> list[str]:
        return [net.names[v] for v in vertices]

    def by_channel(rows: Iterable[Iterable[int]]) -> list[list[str]]:
        return [named(row) for row in rows]

    one, two = chain[0], chain[-1]
    single = len(chain) == 1
    convolved = [piece.kind == "convolution" for piece in (one, two)]
    met = [[list(row) for row in piece.met] for piece in chain]
    return {
        "A": [] if convolved[0] else named(one.tails),
        "B": [] if convolved[0] else named(one.inner if single else one.heads),
        "C": [] if convolved[1] else named(two.heads),
        "G": [] if single else named(one.inner),
        "H": [] if single else named(two.inner),
        "X": by_channel(one.read),
        "V": by_channel(one.rows),
        "N": [] if single else by_channel(two.rows),
        "S": met[0],
        "T": [] if single else met[-1],
        "L": [named(one.tails), *(named(piece.heads) for piece in chain)],
        "M": [named(piece.inner) for piece in chain],
        "W": [k for k, piece in enumerate(chain, 1) if not piece.plainly],
        "P": [by_channel(piece.read) for piece in chain],
        "Q": [by_channel(piece.rows) for piece in chain],
        "F": met,
        "kinds": " and ".join(piece.kind for piece in chain),
    }


def edge_layers(net: Network) -> list[list[list[list[str]]]]:
    """Pairs of consecutive sets of edges, from one distance to the next, by the ends of the
    edges."""
    from graphs.layers import distance_cuts

    cuts = [
        [[net.names[net.tails[e]], net.names[net.heads[e]]] for e in cut]
        for cut in distance_cuts(net)
    ]
    return [list(pair) for pair in pairwise(cuts)]
