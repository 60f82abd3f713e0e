"""Lemma B.1, the block from a layer's own neurons: it is block diagonal, with explicit blocks.

In Gram form, so that everything is rational: the gradients of two neurons of one layer, by the
weights of that layer, have the inner product 0 where the neurons differ and sigma'(z)^2 |f_S|^2 /
in-degree where they are the same. So the spectral norm of the block is the largest |sigma'(z)|
|f_S| / sqrt(in-degree), and its Frobenius norm their root sum of squares. The weight of an edge of
a case is that of the paper over the root of the in-degree. At a kink the slope is one that the case
chooses.
"""

from __future__ import annotations

from typing import Any

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.language.building import (
    Along,
    Each,
    Filter,
    Sum,
    When,
    card,
    edges,
    examples,
    frob2,
    head,
    into,
    post,
    slope,
    tail,
    upto,
    vector,
    vertices,
    w,
)
from verify.language.terms import Term
from verify.papers.zlb22.notation import NETWORKS, indegree, p
from verify.papers.zlb22.sources import printed
from verify.statements.stated import stated

NEURONS = Filter(vertices(), lambda v: indegree(v) > 0)


def derivative(v: Term, a: Term, j: Term) -> Term:
    """The derivative of f_v by the weight of the edge a, on an example."""

    def of_neuron(u: Term, before: Term) -> Term:
        edge = into(u)
        return slope(u, j) * Sum(
            upto(card(edge)),
            lambda k: When(edge[k] == a, post(tail(a), j), 0) + w(edge[k]) * before[k],
        )

    return Along(v, lambda u, path, before: When(indegree(u) == 0, 0, of_neuron(u, before)))


def own_product(v: Term, u: Term, j: Term) -> Term:
    """The inner product of the gradients of two neurons by the weights of the layer of v."""
    own = Filter(edges(), lambda a: p(head(a)) == p(v))
    return Sum(own, lambda a: derivative(v, a, j) * derivative(u, a, j) / indegree(head(a)))


def incoming(v: Term, j: Term) -> Term:
    """f_S of a neuron."""
    return vector(indegree(v), lambda k: post(tail(into(v)[k]), j))


def block(v: Term, u: Term, j: Term) -> Term:
    """That product as the lemma has it."""
    return When(v == u, slope(v, j) ** 2 * frob2(incoming(v, j)) / indegree(v), 0)


OWN_BLOCK = Each(
    NEURONS,
    lambda v: Each(
        Filter(NEURONS, lambda u: p(u) == p(v)),
        lambda u: Each(examples(), lambda j: own_product(v, u, j) == block(v, u, j)),
    ),
)
LARGEST = 4  # parents in the argument


def blocks_by_neuron() -> Argument:
    """d sigma(z) / dw_u = sigma'(z) f_u / sqrt(n)."""
    steps = []
    for count in range(1, LARGEST + 1):
        ring = ring_of(2 * count + 1)
        rate, *rest = ring.generators
        weights, values = rest[:count], rest[count:]
        z = _added([one * f for one, f in zip(weights, values, strict=True)])
        slots = range(1, count + 1)
        squares = _added([(rate * ring.derivative(z, u)) ** 2 for u in slots])
        said = rate * rate * _added([f * f for f in values])
        text = f"sum_u (s dz/dw_u)^2 = s^2 sum_u f_u^2, {count} incoming neurons"
        steps.append(Step(text, ring.is_zero(squares - said)))
    return Argument(
        "a neuron moves with no weight of its own layer but those that enter it, and different "
        "neurons are entered by different weights",
        tuple(steps),
        ("sums over incoming neurons are of the same form for every number of them",),
        uses=(),
        section="docs/mathematics/zlb22.md#elementary-bounds",
        cites=("zlb22.propI.1.own",),
    )


def _added(terms: list[Any]) -> Any:
    return sum(terms[1:], start=terms[0])


CLAIMS = (
    stated(
        "zlb22.lemB.1.own",
        printed("Lemma B.1, Appendix H"),
        "the block of a layer's own neurons",
        r"For neurons of layer $\ell'$, $\partial f^{(\ell')}/\partial\mathbf w^{(\ell')}$ is "
        r"block diagonal with the rows $\sigma'(\tilde f_i)\,f_{S_i}^T/\sqrt{m_i}$: "
        r"$\langle\nabla f_i,\nabla f_j\rangle=\delta_{ij}\,\sigma'(\tilde f_i)^2\lVert f_{S_i}"
        r"\rVert^2/m_i$ over $\mathbf w^{(\ell')}$.",
        OWN_BLOCK,
        pool=NETWORKS,
        proof=blocks_by_neuron,
    ),
)
