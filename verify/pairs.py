"""Pairs of vertices with the same in-neighbours and the same out-neighbours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphs.evaluation import Union
from graphs.neighbourhoods import equal_neighbourhoods


@dataclass(frozen=True)
class Pairs:
    """K pairs (u, v), u before v, as union numbers, and their edges matched up.

    vertices: (K, 2). into: three arrays (edge au, edge av, pair number), one row for each pair and
    common in-neighbour a; out_of: the same for out-neighbours b.
    """

    vertices: np.ndarray
    into: tuple[np.ndarray, np.ndarray, np.ndarray]
    out_of: tuple[np.ndarray, np.ndarray, np.ndarray]

    def __len__(self) -> int:
        return len(self.vertices)


def pairs_of(union: Union) -> Pairs:
    """All such pairs of every network of the union."""
    vertices: list[tuple[int, int]] = []
    into: list[tuple[int, int, int]] = []
    out_of: list[tuple[int, int, int]] = []
    offsets = zip(union.networks, union.vertex_offset, union.edge_offset, strict=False)
    for network, vertex_offset, edge_offset in offsets:
        for u, v in equal_neighbourhoods(network):
            number = len(vertices)
            vertices.append((u + vertex_offset, v + vertex_offset))
            matched_in = zip(network.in_edges[u], network.in_edges[v], strict=True)
            into += [(e + edge_offset, f + edge_offset, number) for e, f in matched_in]
            by_head = {network.heads[f]: f for f in network.out_edges[v]}
            out_of += [
                (e + edge_offset, by_head[network.heads[e]] + edge_offset, number)
                for e in network.out_edges[u]
            ]
    return Pairs(
        np.array(vertices, dtype=np.int64).reshape(-1, 2), _columns(into), _columns(out_of)
    )


def _columns(rows: list[tuple[int, int, int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    return table[:, 0], table[:, 1], table[:, 2]
