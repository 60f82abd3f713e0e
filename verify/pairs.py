"""Pairs of vertices with the same in-neighbours and the same out-neighbours, and chosen others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphs.evaluation import Union
from graphs.neighbourhoods import equal_neighbourhoods
from graphs.network import Network

Ends = tuple[int, int]


@dataclass(frozen=True)
class Pairs:
    """K pairs (u, v) as union numbers, and their edges matched up.

    vertices: (K, 2). equal: (K,) whether their neighbourhoods are equal. into: three arrays (edge
    au, edge av, pair number), one row for each pair and common in-neighbour a; out_of: the same
    for out-neighbours b.
    """

    vertices: np.ndarray
    equal: np.ndarray
    into: tuple[np.ndarray, np.ndarray, np.ndarray]
    out_of: tuple[np.ndarray, np.ndarray, np.ndarray]

    def __len__(self) -> int:
        return len(self.vertices)


def pairs_of(union: Union, chosen: Sequence[tuple[str, str] | None] = ()) -> Pairs:
    """All pairs (u before v) with equal neighbourhoods of every network of the union.

    chosen: for each network the names of two more vertices, which need not have equal
    neighbourhoods (then the common ones are matched up), or None.
    """
    vertices: list[tuple[int, int]] = []
    equal: list[bool] = []
    into: list[tuple[int, int, int]] = []
    out_of: list[tuple[int, int, int]] = []
    offsets = zip(union.networks, union.vertex_offset, union.edge_offset, strict=False)
    for c, (network, vertex_offset, edge_offset) in enumerate(offsets):
        twins = list(equal_neighbourhoods(network))
        names = chosen[c] if chosen else None
        more = [] if names is None else [(network.index[names[0]], network.index[names[1]])]
        for u, v in twins + [pair for pair in more if pair not in twins]:
            number = len(vertices)
            vertices.append((u + vertex_offset, v + vertex_offset))
            equal.append((u, v) in twins)
            rows = _matched(network, u, v)
            into += [(e + edge_offset, f + edge_offset, number) for e, f in rows[0]]
            out_of += [(e + edge_offset, f + edge_offset, number) for e, f in rows[1]]
    return Pairs(
        np.array(vertices, dtype=np.int64).reshape(-1, 2),
        np.array(equal, dtype=bool),
        _columns(into),
        _columns(out_of),
    )


def _matched(network: Network, u: int, v: int) -> tuple[list[Ends], list[Ends]]:
    """The in-edges of u and v from common tails, and their out-edges to common heads."""
    by_tail = {network.tails[f]: f for f in network.in_edges[v]}
    by_head = {network.heads[f]: f for f in network.out_edges[v]}
    tails = ((e, by_tail.get(network.tails[e])) for e in network.in_edges[u])
    heads = ((e, by_head.get(network.heads[e])) for e in network.out_edges[u])
    return [(e, f) for e, f in tails if f is not None], [(e, f) for e, f in heads if f is not None]


def _columns(rows: list[tuple[int, int, int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    return table[:, 0], table[:, 1], table[:, 2]
