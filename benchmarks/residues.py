"""Balance identities at random points modulo a prime: a cross-check of graphs.balance.

Nothing is shared with the structural proof: the sums are those of a forward and a reverse pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from graphs.network import Network

PRIME = 2**61 - 1


def vertex_coefficients(network: Network, vertex: int) -> dict[int, int]:
    """The coefficients of the balance at a vertex: 1 on its in-edges, -1 on its out-edges."""
    coefficients = dict.fromkeys(network.in_edges[vertex], 1)
    coefficients.update(dict.fromkeys(network.out_edges[vertex], -1))
    return coefficients


def edge_terms(network: Network, random: Random) -> tuple[int, ...]:
    """`w_e dnu/dw_e` modulo 2^61 - 1 for every edge, at one random point.

    Weights (one for each edge), inputs, the slope of every vertex and the derivative of the loss in
    every output are drawn uniformly modulo the prime; one pass forward and one back.
    """
    weights = [random.randrange(PRIME) for _ in network.tails]
    slopes = [random.randrange(PRIME) for _ in network.names]
    post = [0] * network.vertex_count
    backward = [0] * network.vertex_count
    for v in network.inputs:
        post[v] = random.randrange(PRIME)
        slopes[v] = 1
    for v in network.outputs:
        backward[v] = random.randrange(PRIME)
    for v, edges in enumerate(network.in_edges):
        if edges:
            z = sum(weights[e] * post[network.tails[e]] for e in edges)
            post[v] = slopes[v] * z % PRIME
    terms = [0] * network.edge_count
    for v in range(network.vertex_count - 1, -1, -1):
        out = sum(terms[e] for e in network.out_edges[v])  # weight times what flows back to v
        carried = slopes[v] * (backward[v] + out) % PRIME
        for e in network.in_edges[v]:
            terms[e] = weights[e] * carried % PRIME
    return tuple(term * post[tail] % PRIME for term, tail in zip(terms, network.tails, strict=True))


def balance_residues(network: Network, random: Random) -> dict[int, int]:
    """Both sides of all vertex balances at one random point modulo p = 2^61 - 1, subtracted.

    A cross-check of `vertex_balances`: a residue that is not 0 refutes the identity; one that is 0
    proves nothing, but a false identity passes with probability at most d / p, where d is its
    degree, at most 2 (L + 1) for longest path L (Schwartz-Zippel: a path's term is a product of
    its weights, its slopes, a coordinate and the loss derivative).
    """
    terms = edge_terms(network, random)
    return {v: residue(terms, vertex_coefficients(network, v)) for v in network.inner}


def residue(terms: Sequence[int], coefficients: Mapping[int, int]) -> int:
    """sum_e c_e `w_e dnu/dw_e` modulo 2^61 - 1, from `edge_terms`; see `balance_residues`."""
    return sum(c * terms[e] for e, c in coefficients.items()) % PRIME
