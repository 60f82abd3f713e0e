"""Pairs of vertices with equal neighbourhoods, of which LJ22's Lemma 2 speaks."""

from __future__ import annotations

from itertools import combinations

from graphs.network import Network


def equal_neighbourhoods(network: Network) -> list[tuple[int, int]]:
    """The pairs u < v of inner vertices with the same in-neighbours and the same out-neighbours."""
    groups: dict[tuple[tuple[int, ...], tuple[int, ...]], list[int]] = {}
    for v in network.inner:
        into = tuple(network.tails[e] for e in network.in_edges[v])
        out_of = tuple(network.heads[e] for e in network.out_edges[v])
        groups.setdefault((into, out_of), []).append(v)
    return sorted(pair for members in groups.values() for pair in combinations(members, 2))
