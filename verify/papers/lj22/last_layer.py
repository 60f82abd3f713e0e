"""The in-edges of the output as a layer, for equation (8) of the earlier version."""

from random import Random

from verify.cases.breaks import random_edge_sets
from verify.cases.case import Case


def last_layer(case: Case) -> list[list[str]]:
    """The in-edges of the output, by the names of their ends."""
    network = case.network
    return [
        [network.names[network.tails[e]], network.names[network.heads[e]]]
        for e in network.in_edges[network.outputs[0]]
    ]


def to_last_layer(case: Case, random: Random) -> Case:
    """The second layer becomes the in-edges of the output, and the first where none is chosen."""
    last = last_layer(case)
    return case.choosing(layers=[case.choice.get("layers", [last])[0], last])


def other_edges(case: Case, random: Random) -> Case:
    """A random set of edges in the place of the first layer."""
    return to_last_layer(random_edge_sets(case, random), random)
