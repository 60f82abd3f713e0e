"""The in-edges of the output as a layer, for equation (8) of the earlier version."""

from random import Random

from verify.case import Case
from verify.hypotheses import Hypothesis, by_case
from verify.pair_hypotheses import layers


def last_layer(case: Case) -> list[list[str]]:
    """The in-edges of the output, by the names of their ends."""
    network = case.network
    return [
        [network.names[network.tails[e]], network.names[network.heads[e]]]
        for e in network.in_edges[network.outputs[0]]
    ]


def with_last_layer(reading: str) -> Hypothesis:
    """Both F and the in-edges of the output are layers; the repair chooses the latter as F'."""
    base = layers(reading)

    def choose(case: Case, random: Random) -> Case:
        chosen: Case = base.repair(case, random)
        first = chosen.choice.get("layers", [last_layer(case)])[0]
        return chosen.choosing(layers=[first, last_layer(case)])

    return Hypothesis(base.name, base.statement, base.test, choose)


def last_layer_chosen() -> Hypothesis:
    """F' is the set of in-edges of the output."""

    def good(case: Case) -> bool:
        chosen = case.choice.get("layers", ((), ()))[1]
        return sorted(map(tuple, chosen)) == sorted(map(tuple, last_layer(case)))

    return Hypothesis("last layer", r"$F'=\{vo:v\in\mathrm{IN}_o\}$", by_case(good))
