"""Statements of the earlier version that differ: Lemma 3's second part, and equation (8)."""

from dataclasses import replace
from random import Random

from verify.cases.breaks import random_edge_sets
from verify.cases.case import Case
from verify.cases.pool import Pool
from verify.cases.transformations import twin
from verify.core.claim import Claim, Kind
from verify.language.building import card, into, minus
from verify.papers.lj22.graph_terms import G, apart, incomparable, of_pairs, two_layers
from verify.papers.lj22.invariances import FLOW, LAYER_WORDS, LAYERED, of_layers
from verify.papers.lj22.sources import earlier
from verify.papers.lj22.tree_terms import OUTPUT
from verify.statements.network_hypotheses import BIAS_FREE, FEEDFORWARD, OWN_PARAMETERS
from verify.statements.stated import Given, stated

EQ8 = (
    r"Since $\mathrm{IN}_o$ forms a layer, $$\sum_{e\in F}w_e^2-\sum_{v\in\mathrm{IN}_o}w_{vo}^2="
    r"\sum_{e\in F}w_e^2(0)-\sum_{v\in\mathrm{IN}_o}w_{vo}^2(0)$$"
)


IS_LAST = (card(minus(G, into(OUTPUT))) == 0) & (card(minus(into(OUTPUT), G)) == 0)


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


def _eq8(reading: str) -> Claim:
    two = two_layers(reading)
    last = Given(
        "last layer",
        IS_LAST,
        r"$F'=\{vo:v\in\mathrm{IN}_o\}$",
        to_last_layer,
        two.repair,
    )
    return of_layers(
        reading,
        f"lj22v1.eq8.b@{reading}",
        earlier("Lemma 4, (8)"),
        "comparison of a layer with the in-edges of the output",
        EQ8,
        (replace(two, break_=other_edges), last, OWN_PARAMETERS, BIAS_FREE, *FLOW),
        pool=LAYERED,
        depends=(f"lj22.def7@{reading}", f"lj22.lemma3@{reading}", "lj22v1.eq8.a@A"),
    )


CLAIMS = (
    stated(
        "lj22v1.lemma3b",
        earlier("Lemma 3, second part, (5)"),
        "invariance for pairs of vertices, without a condition on patterns",
        r"Under Assumptions 1 and 3, for $v\in V\setminus\{I\cup O\}$ such that all edges incident "
        r"to $v$ have learnable weights: if we also have $\mathrm{IN}_u=\mathrm{IN}_v=\mathrm{IN}$ "
        r"and $\mathrm{OUT}_u=\mathrm{OUT}_v=\mathrm{OUT}$ then for a.e. time $t\ge0$, "
        r"$$\sum_{a\in\mathrm{IN}}w_{au}(t)w_{av}(t)-\sum_{b\in\mathrm{OUT}}w_{ub}(t)w_{vb}(t)="
        r"\sum_{a\in\mathrm{IN}}w_{au}(0)w_{av}(0)-\sum_{b\in\mathrm{OUT}}w_{ub}(0)w_{vb}(0)$$",
        of_pairs(),
        (BIAS_FREE, *FLOW),
        kind=Kind.LAW,
        pool=Pool(kinks=True, adapt=lambda case, random: twin(case, random)),
        depends=("lj22.lemma2a",),
        why="where $u$ is active and $v$ is not, the in-weights of $u$ and the out-weights of $u$ "
        "move while those of $v$ rest, and the two products change at different rates",
    ),
    stated(
        "lj22v1.eq8.a@A",
        earlier("Lemma 4, (8)"),
        "the in-edges of the output form a layer",
        EQ8 + " Measured: the set of in-edges of $o$ is a layer.",
        incomparable(into(OUTPUT)) & apart(into(OUTPUT), "A"),
        (FEEDFORWARD,),
        depends=("lj22.def7@A",),
        pool=Pool(losses=("prescribed",), largest=6),
        reading="A",
        reading_text=LAYER_WORDS["A"],
    ),
    *(_eq8(reading) for reading in "AB"),
)
