"""Definition 2.5: layers by the distance to the input, and outputs outside of the last one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

from verify.argument import Argument
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.papers.zlb22.digraphs import (
    ACYCLIC,
    DIGRAPH,
    LISTED,
    POOL,
    Labelled,
    Parents,
    children_of,
    distances,
    graph_of,
    of_graph,
    parents_of,
    steps_on_small_graphs,
)
from verify.papers.zlb22.sources import printed
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


def inside_layers(parents: Parents) -> Labelled:
    """1 for an edge whose two ends lie in one layer, else 0."""
    p = distances(parents)
    return [
        ({"entry": [v, u]}, Fraction(p[u] == p[v]))
        for v, above in enumerate(parents)
        for u in above
    ]


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


def narrowest(parents: Parents) -> int | None:
    """The width of Definition 2.7, reading A: the least in-degree from layer 2 on; None for the
    infimum over nothing."""
    p = distances(parents)
    return min((len(above) for v, above in enumerate(parents) if p[v] >= 2), default=None)


def ancestors_of(parents: Parents, v: int) -> list[int]:
    """The vertices from which a path leads to v, and v, in order."""
    found, waiting = {v}, [v]
    while waiting:
        more = set(parents[waiting.pop()]) - found
        found |= more
        waiting += more
    return sorted(found)


def alone_with_ancestors(parents: Parents, v: int) -> Parents:
    """The graph of v and its ancestors."""
    kept = ancestors_of(parents, v)
    place = {u: k for k, u in enumerate(kept)}
    return tuple(tuple(place[w] for w in parents[u] if w in place) for u in kept)


def changes_for_an_output(parents: Parents) -> Labelled:
    """For each output v, on the graph of v and its ancestors: how many distances and in-degrees
    differ; outputs beside one; and 1 where that one is not in the last layer."""
    p = distances(parents)
    found: Labelled = []
    for v, below in enumerate(children_of(parents)):
        if below:
            continue
        kept, own = ancestors_of(parents, v), alone_with_ancestors(parents, v)
        q = distances(own)
        last = [k for k, children in enumerate(children_of(own)) if not children]
        moved = sum(q[k] != p[u] for k, u in enumerate(kept))
        fewer = sum(len(own[k]) != len(parents[u]) for k, u in enumerate(kept))
        inner = len(last) - 1 + sum(q[k] != max(q) for k in last)
        for part, value in (("distances", moved), ("in-degrees", fewer), ("outputs", inner)):
            found.append(({"entry": v, "part": part}, Fraction(value)))
    return found


def widths_for_an_output(parents: Parents) -> Labelled:
    """For each output v: 1/m minus 1/m_v, with the widths of the graph and of that of v and its
    ancestors; 1 over the infimum over nothing is 0."""
    whole = _inverse(narrowest(parents))
    return [
        ({"entry": v}, whole - _inverse(narrowest(alone_with_ancestors(parents, v))))
        for v, below in enumerate(children_of(parents))
        if not below
    ]


def _inverse(width: int | None) -> Fraction:
    return Fraction(0) if width is None else Fraction(1, width)


def partition(scene: object) -> Entries:
    """Layers 0 to L are there, and layer 0 is the input."""
    return of_graph(parts_of_partition, scene)


def edges_inside(scene: object) -> Entries:
    """No edge lies inside a layer."""
    return of_graph(inside_layers, scene)


def weights_counted(scene: object) -> Entries:
    """The number of weights, by layers and by edges."""
    return of_graph(counted_weights, scene)


def outputs_last(scene: object) -> Entries:
    """The outputs are the last layer."""
    return of_graph(outputs_and_last_layer, scene)


def output_alone(scene: object) -> Entries:
    """An output, seen as the only one."""
    return of_graph(changes_for_an_output, scene)


def width_of_output_alone(scene: object) -> Entries:
    """The width with an output as the only one."""
    return of_graph(widths_for_an_output, scene)


# arguments ----------------------------------------------------------------------------------------
GIVEN = (DIGRAPH, ACYCLIC)
USED = tuple(hypothesis.name for hypothesis in GIVEN)


def partition_listed() -> Argument:
    """Every small graph."""
    steps = steps_on_small_graphs(parts_of_partition, slack=False)
    summary = "on every small graph each index from 0 to L occurs, and layer 0 is the input"
    return Argument(summary, steps, (), "partition", USED, LISTED)


def edges_listed() -> Argument:
    """Every small graph."""
    steps = steps_on_small_graphs(inside_layers, slack=False)
    summary = "on every small graph no edge lies inside a layer"
    return Argument(summary, steps, (), "edges_inside", USED, LISTED)


def weights_listed() -> Argument:
    """Every small graph."""
    steps = steps_on_small_graphs(counted_weights, slack=False)
    summary = "on every small graph the in-degrees from layer 1 on add up to the number of edges"
    return Argument(summary, steps, (), "weights_counted", USED, LISTED)


def output_listed() -> Argument:
    """Every small graph, every output."""
    steps = steps_on_small_graphs(changes_for_an_output, slack=False)
    summary = "on every small graph an output keeps its ancestors, their distances and in-degrees"
    return Argument(summary, steps, (), "output_alone", USED, LISTED)


def width_listed() -> Argument:
    """Every small graph, every output."""
    steps = steps_on_small_graphs(widths_for_an_output, slack=True)
    summary = "on every small graph an output with its ancestors has at least the same width"
    return Argument(summary, steps, (), "width_of_output_alone", USED, LISTED)


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


def last_listed() -> Argument:
    """Every small graph whose outputs lie in the last layer."""

    def of_those(parents: Parents) -> Labelled:
        return outputs_and_last_layer(parents) if ends_last(parents) else []

    steps = steps_on_small_graphs(of_those, slack=False)
    summary = "on every small graph whose outputs lie in the last layer they are the last layer"
    return Argument(summary, steps, (), "outputs_last", (*USED, ENDS_LAST.name), LISTED)


# the claims ---------------------------------------------------------------------------------------
WHERE = "Definition 2.5, eqs (4), (6), (7)"
LAYERS = r"With layers $f^{(\ell)}=\{f_v:p(v)=\ell\}$, $\ell=0,\dots,L$"

_definition = Claim(
    "zlb22.def2.5",
    Kind.DEFINITION,
    printed(WHERE),
    "layers by distance",
    LAYERS + r", layers are mutually exclusive; the index runs over $0,\dots,L$, so there are "
    r"$L+1$ layers; layer 0 is exactly the input layer. (Judged on: every index occurs, and layer "
    r"0 is $\mathcal V_{\rm input}$. That a vertex has one distance is built in.)",
    GIVEN,
    ("zlb22.def2.1",),
    measure=partition,
    pool=POOL,
    exact_only=True,
    proof=partition_listed,
)
_edges = Claim(
    "zlb22.def2.5.edges",
    Kind.IDENTITY,
    printed(WHERE),
    "no edge inside a layer",
    LAYERS + ", no edge joins two neurons of one layer.",
    GIVEN,
    ("zlb22.def2.5",),
    measure=edges_inside,
    pool=POOL,
    exact_only=True,
    proof=edges_listed,
)
_weights = Claim(
    "zlb22.def2.5.weights",
    Kind.IDENTITY,
    printed(WHERE),
    "number of weights",
    LAYERS + r", the weights are $\mathbf w\in\mathbb R^{\sum_\ell\sum_i m_i^{(\ell)}}$: the "
    r"in-degrees over layers 1 to $L$ add up to $|\mathcal E|$.",
    GIVEN,
    ("zlb22.def2.5",),
    measure=weights_counted,
    pool=POOL,
    exact_only=True,
    proof=weights_listed,
)
_last = Claim(
    "zlb22.def2.5.last",
    Kind.IDENTITY,
    printed(WHERE),
    "the outputs are the last layer",
    r"All outputs being assumed to lie in layer $L$, $f(\mathbf w;x)=f^{(L)}$: "
    r"$\mathcal V_{\rm output}$ is layer $L$.",
    (*GIVEN, ENDS_LAST),
    ("zlb22.def2.5",),
    measure=outputs_last,
    pool=POOL,
    exact_only=True,
    proof=last_listed,
)
_alone = Claim(
    "zlb22.def2.5.alone",
    Kind.IDENTITY,
    printed(WHERE + "; Section 2.2"),
    "an output in an inner layer",
    "The analysis applies to every output neuron even if not all lie in one layer: an output and "
    "its ancestors make a network of their own, with this output alone, in its last layer, and "
    "with the same distances and in-degrees.",
    GIVEN,
    ("zlb22.def2.5",),
    measure=output_alone,
    pool=POOL,
    exact_only=True,
    proof=output_listed,
)
_width = Claim(
    "zlb22.def2.5.alone.width@A",
    Kind.INEQUALITY,
    printed(WHERE + "; Section 2.2"),
    "the width for an output in an inner layer",
    "The analysis applies to every output neuron even if not all lie in one layer: the network of "
    r"an output and its ancestors has width $m_v\ge m$.",
    GIVEN,
    ("zlb22.def2.5.alone", "zlb22.def2.7@A"),
    reading="A",
    reading_text="the width is the least in-degree of the neurons outside of the input layer and "
    "the first layer",
    measure=width_of_output_alone,
    pool=POOL,
    exact_only=True,
    proof=width_listed,
)

CLAIMS = (_definition, _edges, _weights, _last, _alone, _width)
