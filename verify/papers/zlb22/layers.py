"""Definition 2.5: layers by the distance to the input, and the outputs as the last one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

from verify.claim import Kind
from verify.hypotheses import Hypothesis, by_case
from verify.papers.zlb22.digraphs import (
    Labelled,
    Parents,
    children_of,
    distances,
    graph_of,
    of_graph,
    parents_of,
)
from verify.papers.zlb22.graph_claims import graph_claim
from verify.tensors import Tensors
from verify.vocabulary import Entries


# measures -----------------------------------------------------------------------------------------
def parts_of_partition(parents: Parents) -> Labelled:
    """How many indices 0 to L have no vertex; vertices in one of layer 0 and the input alone."""
    p = distances(parents)
    sizes = Counter(p)
    empty = sum(not sizes[index] for index in range(max(p) + 1))
    differ = sum((p[v] == 0) != (not above) for v, above in enumerate(parents))
    return [({"part": "indices"}, Fraction(empty)), ({"part": "inputs"}, Fraction(differ))]


def counted_weights(parents: Parents) -> Labelled:
    """The sum of the in-degrees over layers 1 to L, minus the number of edges, by their tails."""
    p = distances(parents)
    layered = sum(
        len(parents[v])
        for index in range(1, max(p) + 1)
        for v in range(len(parents))
        if p[v] == index
    )
    return [({}, Fraction(layered - sum(map(len, children_of(parents)))))]


def outputs_and_last_layer(parents: Parents) -> Labelled:
    """1 for a vertex that is just one of an output and in layer L, else 0."""
    p, children = distances(parents), children_of(parents)
    last = max(p)
    return [
        ({"entry": v}, Fraction((not below) != (p[v] == last))) for v, below in enumerate(children)
    ]


def partition(scene: object) -> Entries:
    """Layers 0 to L are there, and layer 0 is the input."""
    return of_graph(parts_of_partition, scene)


def weights_counted(scene: object) -> Entries:
    """The number of weights, by layers and by edges."""
    return of_graph(counted_weights, scene)


def outputs_last(scene: object) -> Entries:
    """The outputs are the last layer."""
    return of_graph(outputs_and_last_layer, scene)


# outputs in the last layer ------------------------------------------------------------------------
def ends_last(parents: Parents) -> bool:
    """Whether all outputs lie in the last layer."""
    p = distances(parents)
    return all(below or p[v] == max(p) for v, below in enumerate(children_of(parents)))


def _to_one_end(case: Tensors, random: Random) -> Tensors:
    """Every output outside of the last layer gets an edge to one vertex in it."""
    parents = parents_of(case)
    p, children = distances(parents), children_of(parents)
    end = p.index(max(p))
    made = [list(above) for above in parents]
    made[end] += [v for v, below in enumerate(children) if not below and p[v] < max(p)]
    return case.changing(E=graph_of(made).arrays["E"])


def _to_inner_end(case: Tensors, random: Random) -> Tensors:
    """One vertex outside of the last layer loses the edges that leave it; where these are all edges
    there are, one of them stays, with another vertex apart. Two vertices stay as they are."""
    parents = parents_of(case)
    p = distances(parents)
    inner = [v for v in range(len(parents)) if p[v] < max(p)]
    if not inner or len(parents) < 3:
        return case
    gone = random.choice(inner)
    made = [[u for u in above if u != gone] for above in parents]
    if not any(made):
        first = next(v for v, above in enumerate(parents) if gone in above)
        made[first] = [gone]
        others = [v for v in range(len(parents)) if v not in (first, gone)]
        apart = random.choice(others)
        made = [[] if v == apart else above for v, above in enumerate(made)]
    return case.changing(E=graph_of(made).arrays["E"])


ENDS_LAST = Hypothesis(
    "outputs in layer L",
    "all outputs lie in layer $L$",
    by_case(lambda case: ends_last(parents_of(case))),
    _to_one_end,
    _to_inner_end,
    thin=True,
)


def where_ends_are_last(parents: Parents) -> Labelled:
    """The entries of `outputs_last` on a graph whose outputs lie in the last layer; else none."""
    return outputs_and_last_layer(parents) if ends_last(parents) else []


# the claims ---------------------------------------------------------------------------------------
WHERE = "Definition 2.5, eqs (4), (6), (7)"
LAYERS = r"With layers $f^{(\ell)}=\{f_v:p(v)=\ell\}$, $\ell=0,\dots,L$"

_definition = graph_claim(
    "zlb22.def2.5",
    Kind.DEFINITION,
    WHERE,
    "layers by distance",
    LAYERS + r", layers are mutually exclusive; the index runs over $0,\dots,L$, so there are "
    r"$L+1$ layers; layer 0 is exactly the input layer. (Judged on: every index occurs, and layer "
    r"0 is $\mathcal V_{\rm input}$. That a vertex has one distance is built in.)",
    measure=partition,
    entries=parts_of_partition,
    small="each index from 0 to L occurs, and layer 0 is the input",
    depends=("zlb22.def2.1",),
)
_weights = graph_claim(
    "zlb22.def2.5.weights",
    Kind.IDENTITY,
    WHERE,
    "number of weights",
    LAYERS + r", the weights are $\mathbf w\in\mathbb R^{\sum_\ell\sum_i m_i^{(\ell)}}$: the "
    r"in-degrees over layers 1 to $L$ add up to $|\mathcal E|$.",
    measure=weights_counted,
    entries=counted_weights,
    small="the in-degrees from layer 1 on add up to the number of edges",
    depends=("zlb22.def2.5",),
)
_last = graph_claim(
    "zlb22.def2.5.last",
    Kind.IDENTITY,
    WHERE,
    "the outputs are the last layer",
    r"All outputs being assumed to lie in layer $L$, $f(\mathbf w;x)=f^{(L)}$: "
    r"$\mathcal V_{\rm output}$ is layer $L$.",
    measure=outputs_last,
    entries=where_ends_are_last,
    small="whose outputs lie in the last layer they are the last layer",
    more=(ENDS_LAST,),
    depends=("zlb22.def2.5",),
)

CLAIMS = (_definition, _weights, _last)
