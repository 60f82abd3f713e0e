"""Statements of the earlier version that differ: Lemma 3's second part, and equation (8)."""

from verify.claim import Claim, Kind
from verify.given import FEEDFORWARD
from verify.language.building import (
    Count,
    Each,
    card,
    edges,
    edges_on,
    element,
    head,
    into,
    minus,
    paths,
    tail,
    vertices,
)
from verify.language.terms import Term
from verify.network_hypotheses import BIAS_FREE, INCIDENT_LEARNABLE, OWN_PARAMETERS
from verify.pair_hypotheses import PAIR_EXISTS
from verify.papers.lj22.invariances import (
    FLOW,
    LAYER_WORDS,
    LAYERED,
    POINTS,
    WHY_LAYER,
    layer_defect,
    pair_defect,
)
from verify.papers.lj22.last_layer import last_layer_chosen, with_last_layer
from verify.papers.lj22.sources import earlier
from verify.papers.lj22.tree_terms import OUTPUT, components
from verify.pool import Pool
from verify.stated import stated
from verify.structure import layer_identities

EQ8 = (
    r"Since $\mathrm{IN}_o$ forms a layer, $$\sum_{e\in F}w_e^2-\sum_{v\in\mathrm{IN}_o}w_{vo}^2="
    r"\sum_{e\in F}w_e^2(0)-\sum_{v\in\mathrm{IN}_o}w_{vo}^2(0)$$"
)


def _eq8(reading: str) -> Claim:
    return Claim(
        f"lj22v1.eq8.b@{reading}",
        Kind.LAW,
        earlier("Lemma 4, (8)"),
        "comparison of a layer with the in-edges of the output",
        EQ8,
        (with_last_layer(reading), last_layer_chosen(), OWN_PARAMETERS, BIAS_FREE, *FLOW),
        (f"lj22.def7@{reading}", f"lj22.lemma3@{reading}", "lj22v1.eq8.a@A"),
        measure=layer_defect,
        pool=LAYERED,
        reading=reading,
        reading_text=LAYER_WORDS[reading],
        identities=layer_identities(reading, last=True),
        why=WHY_LAYER[reading],
    )


def incomparable(chosen: Term) -> Term:
    """Definition 7: no directed path contains two of the edges; a path from an input to the output
    contains each, where all vertices are on one."""
    return Each(paths(), lambda p: Count(edges_on(p), lambda e: element(e, chosen)) <= 1)


def disconnecting(chosen: Term) -> Term:
    """Definition 7: without the edges the network is not in one piece."""
    rest = minus(edges(), chosen)
    return card(components(vertices(), rest, lambda e: tail(e), lambda e: head(e))) > 1


CLAIMS = (
    Claim(
        "lj22v1.lemma3b",
        Kind.LAW,
        earlier("Lemma 3, second part, (5)"),
        "invariance for pairs of vertices, without a condition on patterns",
        r"Under Assumptions 1 and 3, for $v\in V\setminus\{I\cup O\}$ such that all edges incident "
        r"to $v$ have learnable weights: if we also have $\mathrm{IN}_u=\mathrm{IN}_v=\mathrm{IN}$ "
        r"and $\mathrm{OUT}_u=\mathrm{OUT}_v=\mathrm{OUT}$ then for a.e. time $t\ge0$, "
        r"$$\sum_{a\in\mathrm{IN}}w_{au}(t)w_{av}(t)-\sum_{b\in\mathrm{OUT}}w_{ub}(t)w_{vb}(t)="
        r"\sum_{a\in\mathrm{IN}}w_{au}(0)w_{av}(0)-\sum_{b\in\mathrm{OUT}}w_{ub}(0)w_{vb}(0)$$",
        (PAIR_EXISTS, INCIDENT_LEARNABLE, BIAS_FREE, *FLOW),
        ("lj22.lemma2a",),
        measure=pair_defect,
        pool=POINTS,
        why="where $u$ is active and $v$ is not, the in-weights of $u$ and the out-weights of $u$ "
        "move while those of $v$ rest, and the two products change at different rates",
    ),
    stated(
        "lj22v1.eq8.a@A",
        earlier("Lemma 4, (8)"),
        "the in-edges of the output form a layer",
        EQ8 + " Measured: the set of in-edges of $o$ is a layer.",
        incomparable(into(OUTPUT)) & disconnecting(into(OUTPUT)),
        (FEEDFORWARD,),
        depends=("lj22.def7@A",),
        pool=Pool(losses=("prescribed",), largest=6),
        reading="A",
        reading_text=LAYER_WORDS["A"],
    ),
    *(_eq8(reading) for reading in "AB"),
)
