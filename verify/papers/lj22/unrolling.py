"""Appendix B: the unrolled tree, the pull-back of weights, and the absolute-valued tree."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from graphs.network import network
from verify.cases.case import Case
from verify.cases.pool import Pool
from verify.core.claim import Claim, Kind
from verify.language.building import (
    Each,
    Filter,
    Fold,
    Let,
    Map,
    Some,
    Sum,
    When,
    card,
    concat,
    distinct,
    edges,
    edges_on,
    element,
    examples,
    head,
    into,
    item,
    list_,
    nu,
    out_of,
    outputs,
    paths,
    paths_to,
    post,
    tail,
    tuple_,
    upto,
    vertices,
    w,
    x,
    z,
)
from verify.language.terms import Term
from verify.papers.lj22.decomposition import TREES
from verify.papers.lj22.sources import both, final
from verify.papers.lj22.tree_proofs import (
    by_induction,
    pre_activation,
    same_behind,
    same_value,
    without_signs,
)
from verify.papers.lj22.tree_terms import (
    ALL_PATHS,
    NO_EDGES,
    OUTPUT,
    Of,
    along_tree,
    covers,
    decomposed_absolutely,
    edge_of,
    first_vertex,
    forward,
    hasse,
    is_complete,
    is_sign_of_weight,
    is_tree,
    sgn,
    with_signs,
)
from verify.statements.network_hypotheses import (
    BIAS_FREE,
    FEEDFORWARD,
    HOMOGENEOUS,
    OWN_PARAMETERS,
    off_inputs,
)
from verify.statements.stated import Given, stated

WORDS = {
    "A1B1": "paths as sets of edges; arcs from the smaller set to the larger, as in Definition 9",
    "A1B2": "paths as sets of edges; arcs from the longer path to the shorter, as in the proof of "
    "Lemma 6",
}


def displayed_values(end: Of) -> Term:
    """(16), (19): a pre-activation is a sum over the edges into a vertex, with the post-activations
    at one of their ends."""

    def at(v: Term, j: Term) -> Term:
        return z(v, j) == Sum(into(v), lambda e: post(end(e), j) * w(e))

    return off_inputs(lambda v: Each(examples(), lambda j: at(v, j)))


PATHS_CONTAINED = Each(paths(), lambda p: element(edges_on(p), ALL_PATHS)) & (
    card(ALL_PATHS) > card(paths())
)


# Definition 10 -----------------------------------------------------------------------------------
def has_weights(reading: str) -> Term:
    """Whether each arc pq of T_G has a weight: whether p has an edge."""
    first = 1 if reading == "A1B2" else 2  # the longer path, or the shorter one

    def defined(tree: Term) -> Term:
        return Each(hasse(tree), lambda arc: card(tree[item(arc, first)]) >= 1)

    return Let(ALL_PATHS, defined)


IS_TREE = Let(ALL_PATHS, lambda tree: is_tree(upto(card(tree)), hasse(tree)))
LEAVES_ARE_PATHS = Each(
    ALL_PATHS, lambda p: Some(ALL_PATHS, lambda q: covers(q, p)) != is_complete(p)
)


# the recursive construction ----------------------------------------------------------------------
def over_copies(first: Term, images: Of) -> Term:
    """What is first, and the images of what is in each T_j, by the edge from its root to o."""
    return Fold(into(OUTPUT), first, lambda so_far, e: concat(so_far, images(e)))


def appended(path: Term, e: Term) -> Term:
    """pi of a path in G_j."""
    return concat(path, list_(e))


def arcs_of_copy(e: Term) -> Term:
    """The images of the edges of T_j, and that of the one from its root to o."""

    def images(tree: Term) -> Term:
        def image(arc: Term) -> Term:
            return tuple_(*(appended(tree[item(arc, k)], e) for k in (1, 2)))

        return concat(Map(hasse(tree), image), list_(tuple_(list_(e), NO_EDGES)))

    return Let(paths_to(tail(e)), images)


def at_copies(says: Callable[[Term, Term], Term]) -> Term:
    """What is said of all paths in each T_j."""
    return Each(into(OUTPUT), lambda e: Each(paths_to(tail(e)), lambda p: says(p, e)))


ARCS = Let(
    ALL_PATHS,
    lambda tree: Map(hasse(tree), lambda arc: tuple_(tree[item(arc, 1)], tree[item(arc, 2)])),
)
BIJECTION = Let(
    over_copies(list_(NO_EDGES), lambda e: Map(paths_to(tail(e)), lambda p: appended(p, e))),
    lambda images: (
        (card(distinct(images)) == card(images))
        & (card(images) == card(ALL_PATHS))
        & Each(images, lambda p: element(p, ALL_PATHS))
    ),
)
SAME_EDGES = Let(
    over_copies(Filter(ARCS, lambda arc: False), arcs_of_copy),
    lambda arcs: Let(
        ARCS,
        lambda expected: (
            (card(arcs) == card(expected)) & Each(arcs, lambda arc: element(arc, expected))
        ),
    ),
)
SAME_WEIGHTS = at_copies(
    lambda p, e: w(edge_of(appended(p, e))) == When(card(p) == 0, w(e), w(edge_of(p)))
)
SAME_ACTIVATIONS = at_copies(
    lambda p, e: first_vertex(appended(p, e)) == When(card(p) == 0, tail(e), tail(edge_of(p)))
)


# Lemmas 7 and 5 ----------------------------------------------------------------------------------
def pulled_back(v: Term, j: Term, at_zero: Term) -> Term:
    """Lemma 7 at a vertex with a single out-edge f: value and pre-activation behind f."""
    f = out_of(v)[1]

    def weight(e: Term) -> Term:
        inside = When(head(e) == v, w(e) * abs(w(f)), w(e))
        return When(e == f, sgn(w(f), at_zero), inside)

    def data(u: Term) -> Term:
        return When(u == v, x(u, j) * abs(w(f)), x(u, j))

    pre = Sum(into(head(f)), lambda e: weight(e) * forward(tail(e), weight, data))
    return (nu(j) == forward(OUTPUT, weight, data)) & (z(head(f), j) == pre)


PULLED_BACK = Each(
    Filter(vertices(), lambda v: (card(out_of(v)) == 1) & ~element(v, outputs())),
    lambda v: Each(examples(), lambda j: with_signs(lambda s: pulled_back(v, j, s))),
)


def absolute_tree(at_zero: Term) -> Term:
    """The graph of mu' is a tree, and its weights are -1 or 1 and fixed by the signs of w."""
    return IS_TREE & Each(edges(), lambda e: is_sign_of_weight(e, at_zero))


def _one_vertex(case: Case, random: Random) -> Case:
    """The case on a network of one vertex, which is its input and its output."""
    alone = network([], inputs=["x"], outputs=["x"], activations={})
    rows = tuple(row[:1] for row in case.inputs)
    return replace(case, network=alone, weights=(), inputs=rows)


# the claims --------------------------------------------------------------------------------------
WEIGHTS_DEFINED = Given(
    "the unrolled network is defined",
    has_weights("A1B2"),
    r"$\tau_G$ is the unrolled network of $G$: every arc of $T_G$ has a weight",
    built_in=True,
)
MORE_THAN_TWO = Given(
    "more than two vertices", card(vertices()) > 2, r"$G$ has more than $2$ vertices"
)
ONE_EDGE = Given(
    "longest path at least 1",
    card(edges()) >= 1,
    "the longest path of $G$ has length at least $1$",
    break_=_one_vertex,
)
PLAIN = (FEEDFORWARD, BIAS_FREE)


def _common(reading: str) -> dict[str, Any]:
    return {"pool": TREES, "reading": reading, "reading_text": WORDS[reading]}


def _unrolling(reading: str) -> Claim:
    return stated(
        f"lj22.def10@{reading}",
        final("Definition 10 (earlier version: Definition 9)"),
        "unrolling of a network to a tree network",
        r"The unrolled tree neural network $\tau_G$ of $G$ is a tree neural network with "
        r"computation graph $T_G$ where: unweighted graph $(T_G[V],T_G[E])=\mathrm{HASSE}"
        r"(\mathcal H_G)$; weight function $T_G[w]:T_G[E]\ni pq\mapsto G[w](e_p)$; activation "
        r"$T_G[\sigma](v):=G[\sigma](v_p)$, with $v_p$, $e_p$ the vertex and the edge of $p$ "
        r"furthest from $o_G$. Judged: $T_G$ is a tree, every weight is defined, and the "
        r"leaves are in bijection with $\mathcal P_G$.",
        IS_TREE & has_weights(reading) & LEAVES_ARE_PATHS,
        PLAIN,
        kind=Kind.DEFINITION,
        depends=("lj22.def3", "lj22.def9", "lj22.hg"),
        why=WHY_ARCS if reading == "A1B1" else "",
        **_common(reading),
    )


WHY_ARCS = (
    r"by Definition 9 the arcs at the root lead away from the path $\{o_G\}$ of length $0$, "
    r"which has no edge $e_p$ whose weight they could take"
)


LEMMAS = ("pre-activation", "pre-activation of an output")


def _appendix_values(reading: str, number: str, post: str, end: Of) -> Claim:
    whose = "of v itself" if reading == "A" else "of the in-vertices"
    return stated(
        f"lj22.eq16@{reading}",
        both(f"appendix B, ({number})"),
        "pre-activation in the appendix",
        r"$(G[\mathrm{PRE}](v))(x)=x_j$ if $v\equiv i_j^G$, and $\sum_{u\in\mathrm{IN}_v}"
        + post
        + r"(x)\,w_{uv}$ otherwise; $(G[\mathrm{POST}](v))(x)=\sigma_v((G[\mathrm{PRE}](v))(x))$; "
        r"$\mathrm{POST}_{o_G}=\nu$. "
        "Measured: the preactivations of the network's forward pass minus those displayed.",
        displayed_values(end),
        (HOMOGENEOUS, *PLAIN),
        depends=("lj22.def1",),
        pool=Pool(losses=("prescribed",)),
        reading=reading,
        reading_text=f"the postactivations {whose} in the sum, as displayed in ({number})",
        why=(
            "the sum over $u$ has the postactivation of $v$ where it should have that of $u$: $v$ "
            "would be its own input"
        )
        if reading == "A"
        else "",
        proofs=[pre_activation(f"pre-activation{of}") for of in ("", " of an output")]
        if reading == "B"
        else (),
    )


CLAIMS = (
    _appendix_values("A", "16", r"\mathrm{POST}_v", head),
    _appendix_values("B", "19", r"\mathrm{POST}_u", tail),
    stated(
        "lj22.hg",
        both("appendix B, notation"),
        "paths from all vertices",
        r"With $\mathcal H_G$ the set of all paths from any vertex $v\in G[V]$ to $o_G$: if $G$ "
        r"has more than 2 vertices then $\mathcal H_G\supset\mathcal P_G$.",
        PATHS_CONTAINED,
        (MORE_THAN_TWO, *PLAIN),
        kind=Kind.IDENTITY,
        depends=("lj22.def1",),
        pool=TREES,
    ),
    Claim(
        "lj22.def9",
        Kind.DEFINITION,
        final("Definition 9 (earlier version: Definition 8)"),
        "Hasse diagram of inclusion",
        r"The Hasse diagram of $\mathcal S\subset\wp(S)$ is the directed unweighted graph "
        r"$(\mathcal S,E)$ where $pq\in E$ iff $p\subseteq q$ and $|q|-|p|=1$.",
    ),
    stated(
        "lj22.lemma5",
        both("Lemma 5"),
        "absolute-valued decomposition",
        r"For an arbitrary feedforward network $\nu$ there exists a tree network $\mu':\mathbb "
        r"R^\rho\to\mathbb R$ such that $\nu=\mu'\circ h'$, where $h'(x)=\big(x_p\prod_{e\in p}"
        r"|w_e|\big)_{p\in\mathcal P}$. Furthermore, the weights of $\mu'$ are in $\{-1,1\}$ and "
        r"only depend on the signs of the weights of $\nu$.",
        with_signs(lambda s: Each(examples(), lambda j: nu(j) == decomposed_absolutely(j, s))),
        (HOMOGENEOUS, *PLAIN),
        depends=("lj22.lemma6@A1B2", "lj22.lemma7"),
        pool=Pool(losses=("prescribed",), largest=6),
        proofs=[by_induction],
    ),
    stated(
        "lj22.lemma5.shape",
        both("Lemma 5"),
        "the absolute-valued tree has weights -1 and 1, fixed by the signs",
        r"Furthermore, the weights of $\mu'$ are in $\{-1,1\}$ and only depend on the signs of "
        r"the weights of $\nu$.",
        with_signs(absolute_tree),
        (HOMOGENEOUS, *PLAIN),
        kind=Kind.IDENTITY,
        depends=("lj22.lemma6@A1B2", "lj22.lemma7"),
        pool=TREES,
    ),
    stated(
        "lj22.lemma7",
        both("Lemma 7, (25)-(29)"),
        "pull-back of numerical weights",
        r"Let $v$ be an inner vertex with $k$ in-edges $e_1,\dots,e_k$ and a single out-edge $f$. "
        r"The network with the same graph and weights $G'[w](e)=G[w](e)\,|G[w](f)|$ if $e\equiv "
        r"e_j$, $\mathrm{sgn}(G[w](f))$ if $e\equiv f$, and $G[w](e)$ otherwise, computes the same "
        r"function as $\nu$. When fixing the input $x$, the operation extends to inputs: set "
        r"$G'[w](f)=\mathrm{sgn}(G[w](f))$ and update $x_j$ to $x_j|G[w](f)|$.",
        PULLED_BACK,
        (HOMOGENEOUS, OWN_PARAMETERS, *PLAIN),
        depends=("lj22.pullback",),
        pool=Pool(
            losses=("prescribed",),
            largest=6,
            families=("fully connected", "random DAG", "layered DAG", "tree", "bottleneck"),
        ),
        proofs=[same_value, same_behind],
    ),
    *map(_unrolling, WORDS),
    stated(
        "lj22.lemma6@A1B2",
        both("Lemma 6, (18)-(22)"),
        "the unrolled network computes the same function",
        r"Fix an arbitrary feedforward neural network $\nu:\mathbb R^d\to\mathbb R$ with "
        r"computation graph $G$. Let $\tau_G$ be the unrolled tree network of $G$ with "
        r"computation graph $T_G$. Then $\nu=\tau_G$.",
        Each(examples(), lambda j: nu(j) == along_tree(w, lambda v, p: x(v, j))),
        (WEIGHTS_DEFINED, HOMOGENEOUS, *PLAIN),
        kind=Kind.IDENTITY,
        depends=("lj22.def10@A1B2",),
        proofs=[without_signs],
        **_common("A1B2"),
    ),
    stated(
        "lj22.eq23@A1B2",
        both("proof of Lemma 6, (23), (24)"),
        "the recursive construction is isomorphic to the unrolled graph",
        r"With $v_1,\dots,v_m$ the in-vertices of $o_G$, $T_j$ the unrolling of $G$ restricted "
        r"to vertices with a path to $v_j$, and $G'$ the disjoint union of the $T_j$ with a "
        r"new output joined to each $o_{T_j}$ by an edge of weight $G[w](v_jo_G)$: "
        r"$\pi(v)=\{o_G\}$ if $v\equiv o_{G'}$, $\pi(v)=p\cup\{o_G\}$ if $v\equiv p\in"
        r"\mathcal H_{G_j}$, is an isomorphism $G'\to T_G$ preserving edges, weights and "
        r"activations.",
        BIJECTION & SAME_EDGES & SAME_WEIGHTS & SAME_ACTIVATIONS,
        (ONE_EDGE, *PLAIN),
        kind=Kind.IDENTITY,
        depends=("lj22.def10@A1B2",),
        **_common("A1B2"),
    ),
)
