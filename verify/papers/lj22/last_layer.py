"""The in-edges of the output as a layer, for equation (8) of the earlier version."""

from dataclasses import replace
from random import Random

from verify.case import Case
from verify.papers.lj22.graph_terms import two_layers
from verify.stated import Given


def last_layer(case: Case) -> list[list[str]]:
    """The in-edges of the output, by the names of their ends."""
    network = case.network
    return [
        [network.names[network.tails[e]], network.names[network.heads[e]]]
        for e in network.in_edges[network.outputs[0]]
    ]


def with_last_layer(reading: str) -> Given:
    """Both F and the in-edges of the output are layers; the repair chooses the latter as F'."""
    base = two_layers(reading)

    def choose(case: Case, random: Random) -> Case:
        assert base.repair is not None
        chosen: Case = base.repair(case, random)
        first = chosen.choice.get("layers", [last_layer(case)])[0]
        last: Case = chosen.choosing(layers=[first, last_layer(case)])
        return last

    return replace(base, repair=choose, break_=None)
