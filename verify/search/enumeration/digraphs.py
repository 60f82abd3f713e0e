"""All small directed acyclic graphs with one output, one of each that differ in more than names."""

from __future__ import annotations

from functools import cache
from itertools import permutations

from graphs.network import Network
from verify.cases.small_networks import small_networks

Shape = tuple[tuple[int, int], ...]


@cache
def digraphs(inputs: int, hidden: int) -> tuple[Network, ...]:
    """Every network with so many inputs and hidden vertices (ReLU) and one output, up to the order
    of the hidden vertices; the one with the fewest edges first.

    Every hidden vertex and the output have an in-edge, every input and hidden vertex an out-edge.
    """
    found: dict[Shape, Network] = {}
    for net in small_networks(inputs, hidden):
        found.setdefault(shape(net), net)
    return tuple(sorted(found.values(), key=lambda net: (net.edge_count, net.tails, net.heads)))


def shape(network: Network) -> Shape:
    """The edges under the least of all numberings of the inner vertices: equal for two networks
    exactly if they differ, activations apart, in the order of the inner vertices alone."""
    ends = list(zip(network.tails, network.heads, strict=True))
    forms = []
    for order in permutations(network.inner):
        place = dict(zip(network.inner, order, strict=True))
        forms.append(sorted((place.get(t, t), place.get(h, h)) for t, h in ends))
    return tuple(min(forms))
