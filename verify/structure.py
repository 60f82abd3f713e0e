"""The balance identities that a claim amounts to on a given network (see graphs.balance)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from graphs.balance import (
    Balanced,
    Unbalanced,
    Unqualified,
    layer_balance,
    layers_entry,
    vertex_balances,
    vertex_entry,
)
from graphs.errors import NetworkError
from graphs.layers import is_layer, layers, random_layer
from graphs.network import Network

Decided = tuple[dict[str, Any], Balanced | Unbalanced | Unqualified]
Identities = Callable[[Network, Random], list[Decided]]
SMALL = 9
PAIRS = 40


def vertex_identities(network: Network, random: Random) -> list[Decided]:
    """The balance at each inner vertex. Complete for the network."""
    decided = vertex_balances(network)
    return [(vertex_entry(network, v), outcome) for v, outcome in decided.items()]


def layer_identities(reading: str, *, last: bool = False) -> Identities:
    """The balance of pairs of layers by a reading of Definition 7.

    On a network of at most SMALL edges all layers, each against one; by transitivity that covers
    all pairs. On a larger one PAIRS random layers, those drawn twice once. last: the one is the set
    of in-edges of the output.
    """

    def identities(network: Network, random: Random) -> list[Decided]:
        own = network.own_parameter
        if network.edge_count <= SMALL:
            found = list(layers(network, reading, 1 << SMALL, only=own))
        else:
            try:
                found = [random_layer(network, reading, random, only=own) for _ in range(PAIRS)]
            except NetworkError:  # the network has no such layer
                found = []
        reference = list(network.in_edges[network.outputs[0]])
        if not last:
            reference = list(found[0]) if found else []
        elif not all(map(own, reference)) or not is_layer(network, reference, reading):
            return []
        return [
            (layers_entry(network, layer, reference), layer_balance(network, layer, reference))
            for layer in dict.fromkeys(found)
            if set(layer) != set(reference)
        ]

    return identities
