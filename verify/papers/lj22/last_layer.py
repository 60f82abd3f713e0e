"""The in-edges of the output as a layer, for equation (8) of the earlier version."""

from dataclasses import replace
from fractions import Fraction
from random import Random

from verify.case import Case
from verify.papers.lj22.graph_terms import two_layers
from verify.stated import Given
from verify.vocabulary import Entries, Scene, constant_entries


def last_layer(case: Case) -> list[list[str]]:
    """The in-edges of the output, by the names of their ends."""
    network = case.network
    return [
        [network.names[network.tails[e]], network.names[network.heads[e]]]
        for e in network.in_edges[network.outputs[0]]
    ]


def last_layer_is_layer(scene: Scene, reading: str) -> Entries:
    """0 where the in-edges of the output are a layer by Definition 7, else 1."""
    from graphs.layers import is_layer

    rows = []
    for number, case in enumerate(scene.cases):
        edges = list(case.network.in_edges[case.network.outputs[0]])
        good = is_layer(case.network, edges, reading)
        rows.append((number, {"predicate": "layer"}, Fraction(not good)))
    return constant_entries(scene, rows)


def with_last_layer(reading: str) -> Given:
    """Both F and the in-edges of the output are layers; the repair chooses the latter as F'."""
    base = two_layers(reading)

    def choose(case: Case, random: Random) -> Case:
        assert base.repair is not None
        chosen = base.repair(case, random)
        first = chosen.choice.get("layers", [last_layer(case)])[0]
        last: Case = chosen.choosing(layers=[first, last_layer(case)])
        return last

    return replace(base, repair=choose, break_=None)
