"""Proposition I.1, the counting in its proof: on how many weights of a layer a neuron depends.

D(v, l'), for a layer l', is the sum of the in-degrees of those among v and its ancestors that lie
in layer l'. Every vertex leads to an output, so that all weights of a layer are at most as many as
the product of the largest in-degrees times the number of outputs.
"""

from __future__ import annotations

from graphs.rings import ring_of
from verify.argument import Argument
from verify.derivations.symbols import same
from verify.language.building import (
    Each,
    Filter,
    Max,
    Prod,
    Sum,
    between,
    edges,
    head,
    into,
    tail,
    upto,
    vertices,
)
from verify.language.terms import Term
from verify.papers.zlb22.notation import (
    NETWORKS,
    indegree,
    layer,
    on_small_graphs,
    p,
    with_ancestors,
)
from verify.papers.zlb22.sources import printed
from verify.stated import stated

UNION = "a union has at most as many elements as its parts together"
NEURONS = Filter(vertices(), lambda v: indegree(v) > 0)


def weights_below(v: Term, number: Term) -> Term:
    """D: the number of weights into that layer on which the vertex depends."""
    return Sum(Filter(with_ancestors(v), lambda u: p(u) == number), lambda u: indegree(u))


def largest_degree(number: Term) -> Term:
    """The largest in-degree of a layer."""
    return Max(layer(number), lambda u: indegree(u))


OWN = Each(NEURONS, lambda v: weights_below(v, p(v)) == indegree(v))
PRODUCT = Each(
    NEURONS,
    lambda v: Each(
        upto(p(v)),
        lambda number: (
            weights_below(v, number) <= Prod(between(number, p(v)), lambda k: largest_degree(k))
        ),
    ),
)


def own_by_layers() -> Argument:
    """Parents lie in earlier layers."""
    earlier = Each(edges(), lambda e: p(head(e)) >= p(tail(e)) + 1)
    return Argument(
        "every parent lies in an earlier layer, so every ancestor but the neuron itself does",
        on_small_graphs(earlier),
        ("the longest path to a parent goes on to the neuron",),
        measure="",
        uses=(),
        section=42,
        goal=OWN,
    )


def product_by_induction() -> Argument:
    """D(v) is at most the sum over the parents of v, whose number is at most the largest one."""
    ring = ring_of(3)
    degree, below, own = ring.generators

    def of_parents(v: Term, number: Term) -> Term:
        return Sum(into(v), lambda e: weights_below(tail(e), number))

    covered = Each(
        NEURONS,
        lambda v: Each(
            upto(p(v) - 1), lambda number: of_parents(v, number) >= weights_below(v, number)
        ),
    )
    return Argument(
        "in its own layer D(v) is in(v); in a layer before, the ancestors of v are those of its "
        "parents, so D(v) is at most in(v) times the largest D of a parent, which by induction is "
        "at most the product up to a layer before that of v; factors left out are at least 1",
        (
            same(
                ring,
                "in D + (M - in) D = M D",
                degree * below + (own - degree) * below,
                own * below,
            ),
            *on_small_graphs(covered),
        ),
        (UNION, "every layer from 1 on has a neuron, with an in-degree of at least 1"),
        measure="",
        uses=(),
        section=42,
        goal=PRODUCT,
    )


PLACE = printed("proof of Proposition I.1, Appendix J")
CLAIMS = (
    stated(
        "zlb22.propI.1.own",
        PLACE,
        "weights of a neuron's own layer",
        r"If $\ell=\ell'$ that number is $m^{(\ell')}_k$.",
        OWN,
        pool=NETWORKS,
        proof=own_by_layers,
    ),
    stated(
        "zlb22.propI.1.product",
        PLACE,
        "at most the product of the largest in-degrees",
        r"Not printed: $\tilde f^{(\ell)}_k$ depends on at most "
        r"$\prod_{p=\ell'}^\ell\overline m_p$ elements of $\mathbf w^{(\ell')}$, the bound that "
        "makes their number polynomial.",
        PRODUCT,
        pool=NETWORKS,
        proof=product_by_induction,
    ),
)
