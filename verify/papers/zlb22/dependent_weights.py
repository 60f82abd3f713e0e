"""On how many weights of a layer a neuron of a graph depends: the counting behind Proposition I.1.

D(v), for a layer l', is the sum of the in-degrees of those among v and its ancestors that lie in
layer l'. It is held against the product of the largest in-degrees of the layers l' to p(v). Every
vertex leads to an output, so that all weights of a layer are at most as many as that product times
the number of outputs.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod

from graphs.rings import ring_of
from verify.argument import Argument
from verify.claim import Claim, Kind
from verify.papers.dkbhl20.symbols import same
from verify.papers.zlb22.digraphs import (
    ACYCLIC,
    DIGRAPH,
    POOL,
    Labelled,
    Parents,
    distances,
    of_graph,
    steps_on_small_graphs,
)
from verify.papers.zlb22.sources import printed
from verify.vocabulary import Entries

UNION = "a union has at most as many elements as its parts together"


# counting -----------------------------------------------------------------------------------------
def ancestors(parents: Parents, vertex: int) -> set[int]:
    """The vertex, and all from which a path leads to it."""
    found, waiting = {vertex}, [vertex]
    while waiting:
        new = set(parents[waiting.pop()]) - found
        found |= new
        waiting += new
    return found


def weights_below(parents: Parents, vertex: int, layer: int) -> int:
    """D: the number of weights into that layer on which the vertex depends."""
    p = distances(parents)
    return sum(len(parents[u]) for u in ancestors(parents, vertex) if p[u] == layer)


def largest_degrees(parents: Parents) -> list[int]:
    """The largest in-degree of each layer, from 0 on."""
    p = distances(parents)
    return [
        max((len(parents[u]) for u in range(len(parents)) if p[u] == layer), default=0)
        for layer in range(max(p) + 1)
    ]


def product_left(parents: Parents) -> Labelled:
    """The product of the largest in-degrees of the layers l' to p(v), minus D."""
    p, most = distances(parents), largest_degrees(parents)
    return [
        (
            {"entry": v, "layer": layer},
            Fraction(prod(most[layer : p[v] + 1]) - weights_below(parents, v, layer)),
        )
        for v in range(len(parents))
        for layer in range(1, p[v] + 1)
    ]


def product_slack(scene: object) -> Entries:
    """For every neuron and every layer up to its own."""
    return of_graph(product_left, scene)


def own_left(parents: Parents) -> Labelled:
    """D in the layer of the neuron itself, minus its in-degree."""
    p = distances(parents)
    return [
        ({"entry": v}, Fraction(weights_below(parents, v, p[v]) - len(above)))
        for v, above in enumerate(parents)
        if above
    ]


def own_slack(scene: object) -> Entries:
    """For every neuron."""
    return of_graph(own_left, scene)


# arguments ----------------------------------------------------------------------------------------
def earlier_parents(parents: Parents) -> Labelled:
    """For every edge by how much the layer of its head lies above that of its tail, minus 1."""
    p = distances(parents)
    return [({}, Fraction(p[v] - p[u] - 1)) for v, above in enumerate(parents) for u in above]


def own_by_layers() -> Argument:
    """Parents lie in earlier layers."""
    return Argument(
        "every parent lies in an earlier layer, so every ancestor but the neuron itself does",
        steps_on_small_graphs(earlier_parents, slack=True),
        ("the longest path to a parent goes on to the neuron",),
        "own_slack",
        (DIGRAPH.name, ACYCLIC.name),
        section=42,
    )


def covered_by_parents(parents: Parents) -> Labelled:
    """The sum of D over the parents of v minus D(v), for layers before its own."""
    p = distances(parents)
    return [
        (
            {},
            Fraction(
                sum(weights_below(parents, u, layer) for u in above)
                - weights_below(parents, v, layer)
            ),
        )
        for v, above in enumerate(parents)
        for layer in range(1, p[v])
    ]


def product_by_induction() -> Argument:
    """D(v) is at most the sum over the parents of v, whose number is at most the largest one."""
    ring = ring_of(3)
    degree, below, own = ring.generators
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
            *steps_on_small_graphs(covered_by_parents, slack=True),
        ),
        (UNION, "every layer from 1 on has a neuron, with an in-degree of at least 1"),
        "product_slack",
        (DIGRAPH.name, ACYCLIC.name),
        section=42,
    )


# claims -------------------------------------------------------------------------------------------
CLAIMS = (
    Claim(
        "zlb22.propI.1.own",
        Kind.IDENTITY,
        printed("proof of Proposition I.1, Appendix J"),
        "weights of a neuron's own layer",
        r"If $\ell=\ell'$ that number is $m^{(\ell')}_k$.",
        (DIGRAPH, ACYCLIC),
        measure=own_slack,
        pool=POOL,
        exact_only=True,
        proof=own_by_layers,
    ),
    Claim(
        "zlb22.propI.1.product",
        Kind.INEQUALITY,
        printed("proof of Proposition I.1, Appendix J"),
        "at most the product of the largest in-degrees",
        r"Not printed: $\tilde f^{(\ell)}_k$ depends on at most "
        r"$\prod_{p=\ell'}^\ell\overline m_p$ elements of $\mathbf w^{(\ell')}$, the bound that "
        "makes their number polynomial.",
        (DIGRAPH, ACYCLIC),
        measure=product_slack,
        pool=POOL,
        exact_only=True,
        proof=product_by_induction,
    ),
)
