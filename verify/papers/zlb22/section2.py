"""Section 2: the distance to the input, layers, and an output outside of the last layer."""

from __future__ import annotations

from functools import partial
from typing import Any

from verify.core.argument import Argument
from verify.core.claim import Claim, Kind
from verify.language.building import (
    Each,
    Filter,
    Max,
    Sum,
    When,
    between,
    card,
    edges,
    element,
    floor,
    head,
    into,
    list_,
    out_of,
    paths_to,
    tail,
    upto,
    vertices,
)
from verify.language.terms import Term
from verify.papers.zlb22.digraphs import LISTED, NAMES
from verify.papers.zlb22.notation import (
    DEPTH,
    NETWORKS,
    V_INPUT,
    V_OUTPUT,
    WIDTH,
    first,
    indegree,
    layer,
    on_small_graphs,
    p,
    with_ancestors,
)
from verify.papers.zlb22.sources import printed
from verify.statements.stated import Given, stated

# Definition 2.1 -----------------------------------------------------------------------------------
BY_RECURSION = Each(
    Filter(vertices(), lambda v: indegree(v) > 0),
    lambda v: p(v) == Max(into(v), lambda e: p(tail(e)) + 1),
)


def truth(says: Term) -> Term:
    """1 where it is true, else 0."""
    return When(says, 1, 0)


ZERO_AT_INPUTS = Each(vertices(), lambda v: truth(p(v) == 0) == truth(element(v, V_INPUT)))

# Definition 2.5 -----------------------------------------------------------------------------------
EVERY_INDEX = Each(between(0, DEPTH), lambda number: card(layer(number)) >= 1) & (
    layer(0) == V_INPUT
)
COUNTED = Sum(upto(DEPTH), lambda number: Sum(layer(number), lambda v: indegree(v))) == card(
    edges()
)
OUTPUTS_ARE_LAST = layer(DEPTH) == V_OUTPUT
ENDS_LAST = Given(
    "outputs in layer L",
    Each(V_OUTPUT, lambda v: p(v) == DEPTH),
    "all outputs lie in layer $L$",
)


# an output alone ----------------------------------------------------------------------------------
def into_within(v: Term, u: Term) -> Term:
    """The edges into u of the graph of v and its ancestors."""
    kept = with_ancestors(v)
    return Filter(into(u), lambda e: element(tail(e), kept))


def p_within(v: Term, u: Term) -> Term:
    """p(u) in the graph of v and its ancestors."""
    kept = with_ancestors(v)

    def within(path: Term) -> Term:
        inside = Each(path, lambda e: element(tail(e), kept))
        return inside & (card(into_within(v, first(path, u))) == 0)

    return floor(Max(Filter(paths_to(u), within), lambda path: card(path)))


def kept_alone(v: Term) -> Term:
    """That v and its ancestors keep distances and in-degrees, and v is the one output, in the last
    layer."""
    kept = with_ancestors(v)
    unread = Filter(kept, lambda u: card(Filter(out_of(u), lambda e: element(head(e), kept))) == 0)
    return (
        Each(kept, lambda u: p_within(v, u) == p(u))
        & Each(kept, lambda u: card(into_within(v, u)) == indegree(u))
        & (unread == list_(v))
        & (p_within(v, v) == Max(kept, lambda u: p_within(v, u)))
    )


ALONE = Each(V_OUTPUT, kept_alone)


def no_narrower(v: Term) -> Term:
    """m_v >= m: each in-degree of which m_v is the least is at least m."""
    deep = Filter(with_ancestors(v), lambda u: p_within(v, u) >= 2)
    return Each(deep, lambda u: card(into_within(v, u)) >= WIDTH)


ALONE_IS_WIDE = Each(V_OUTPUT, no_narrower)


# arguments ----------------------------------------------------------------------------------------
def listed(summary: str, says: Term, *given: Given) -> Argument:
    """What is said, on every small graph."""
    steps = on_small_graphs(says, *given)
    used = tuple(one.name for one in given)
    return Argument(
        summary,
        steps,
        NAMES,
        used,
        LISTED,
        section="docs/mathematics/zlb22.md#distances",
    )


# the statements -----------------------------------------------------------------------------------
LONGEST = (
    r"For each $v\in\mathcal V\setminus\mathcal V_{\rm input}$, $p(v)$ is the maximum length of "
    r"all paths that start in $\mathcal V_{\rm input}$ and end at $v$"
)
LAYERS = r"With layers $f^{(\ell)}=\{f_v:p(v)=\ell\}$, $\ell=0,\dots,L$"
EVERY_OUTPUT = "The analysis applies to every output neuron even if not all lie in one layer: "
OF_LAYERS = "Definition 2.5, eqs (4), (6), (7)"


def _claim(
    name: str,
    where: str,
    title: str,
    text: str,
    says: Term,
    small: str,
    *given: Given,
    **more: Any,
) -> Claim:
    """A statement about graphs. small: what is seen on every small one."""
    return stated(
        f"zlb22.{name}",
        printed(where),
        title,
        text,
        says,
        given,
        pool=NETWORKS,
        proof=partial(listed, f"on every small graph {small}", says, *given),
        **more,
    )


CLAIMS = (
    _claim(
        "def2.1",
        "Definition 2.1",
        "distance to the input",
        LONGEST + r". (Judged on: it is found along the edges, "
        r"$p(v)=\max_{u\in S_{\rm in}(v)}(p(u)+1)$, with $p=0$ at inputs.)",
        BY_RECURSION,
        "the longest path to a vertex is one edge longer than the longest to one of its parents",
        kind=Kind.DEFINITION,
    ),
    _claim(
        "def2.1.zero",
        "Definition 2.1; Section 2.2",
        "distance 0 exactly at inputs",
        LONGEST + r"; $p(v)=0$ if and only if $v\in\mathcal V_{\rm input}$.",
        ZERO_AT_INPUTS,
        "the longest path to a vertex has length 0 exactly if it is an input",
        depends=("zlb22.def2.1",),
    ),
    _claim(
        "def2.5",
        OF_LAYERS,
        "layers by distance",
        LAYERS + r", layers are mutually exclusive; the index runs over $0,\dots,L$, so there are "
        r"$L+1$ layers; layer 0 is exactly the input layer. (Judged on: every index occurs, and "
        r"layer 0 is $\mathcal V_{\rm input}$. That a vertex has one distance is built in.)",
        EVERY_INDEX,
        "each index from 0 to L occurs, and layer 0 is the input",
        kind=Kind.DEFINITION,
        depends=("zlb22.def2.1",),
    ),
    _claim(
        "def2.5.weights",
        OF_LAYERS,
        "number of weights",
        LAYERS + r", the weights are $\mathbf w\in\mathbb R^{\sum_\ell\sum_i m_i^{(\ell)}}$: the "
        r"in-degrees over layers 1 to $L$ add up to $|\mathcal E|$.",
        COUNTED,
        "the in-degrees from layer 1 on add up to the number of edges",
        depends=("zlb22.def2.5",),
    ),
    _claim(
        "def2.5.last",
        OF_LAYERS,
        "the outputs are the last layer",
        r"All outputs being assumed to lie in layer $L$, $f(\mathbf w;x)=f^{(L)}$: "
        r"$\mathcal V_{\rm output}$ is layer $L$.",
        OUTPUTS_ARE_LAST,
        "whose outputs lie in the last layer they are the last layer",
        ENDS_LAST,
        depends=("zlb22.def2.5",),
    ),
    _claim(
        "def2.5.alone",
        f"{OF_LAYERS}; Section 2.2",
        "an output in an inner layer",
        EVERY_OUTPUT + "an output and its ancestors make a network of their own, with this output "
        "alone, in its last layer, and with the same distances and in-degrees.",
        ALONE,
        "an output keeps its ancestors, their distances and in-degrees",
        depends=("zlb22.def2.5",),
    ),
    _claim(
        "def2.5.alone.width@A",
        f"{OF_LAYERS}; Section 2.2",
        "the width for an output in an inner layer",
        EVERY_OUTPUT + r"the network of an output and its ancestors has width $m_v\ge m$.",
        ALONE_IS_WIDE,
        "an output with its ancestors has at least the same width",
        depends=("zlb22.def2.5.alone", "zlb22.def2.7@A"),
        reading="A",
        reading_text="the width is the least in-degree of the neurons outside of the input layer "
        "and the first layer",
    ),
)
