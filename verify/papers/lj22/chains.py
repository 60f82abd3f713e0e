"""Layers one behind the other: lists of their neurons, their matrices, and the norms of these.

The lists are those of lists_of_pieces: what the first layer reads and the heads of each; the
neurons inside of each residual block; the numbers of the layers that are written as matrices; of
each convolution what it reads and its heads by channels, and its filter. What they have to be is
asked of the graph.
"""

from __future__ import annotations

from collections.abc import Callable

from verify.cases.lists_of_pieces import MEANINGS
from verify.language.building import (
    Chosen,
    Count,
    Each,
    Filter,
    Rate,
    Some,
    Sum,
    When,
    card,
    concat,
    distinct,
    edges,
    edges_on,
    element,
    head,
    implies,
    into,
    learnable,
    out_of,
    outputs,
    paths,
    tail,
    upto,
    users,
    w,
)
from verify.language.terms import Term
from verify.papers.lj22.graph_terms import is_linear, squares
from verify.papers.lj22.layers import block, convolution, diagonal_block, full, neurons, same

ENDS, INSIDE = (Chosen(name, "seq[seq[vertex]]", MEANINGS[name]) for name in "LM")
WRITTEN = Chosen("W", "seq[int]", MEANINGS["W"])
READ, FOUND = (Chosen(name, "seq[seq[seq[vertex]]]", MEANINGS[name]) for name in "PQ")
FILTERS = Chosen("F", "seq[seq[seq[int]]]", MEANINGS["F"])
DEPTH = card(INSIDE)
ALL = upto(DEPTH)
"""The layers, by their numbers."""


# a layer, by its number ---------------------------------------------------------------------------
def heads(k: Term) -> Term:
    """Its heads."""
    return ENDS[k + 1]


def convolved(k: Term) -> Term:
    """Whether it is a convolution."""
    return card(FILTERS[k]) > 0


def residual(k: Term) -> Term:
    """Whether it is a residual block."""
    return card(INSIDE[k]) > 0


def from_tails(k: Term, v: Term) -> Term:
    """The in-edges of a head that do not begin inside."""
    return Filter(into(v), lambda e: ~element(tail(e), INSIDE[k]))


def identity(k: Term) -> Term:
    """Whether it is a ResNetIdentity block."""

    def constant(e: Term) -> Term:
        return (~learnable(e)) & (w(e) == 1)

    skips = Each(heads(k), lambda v: Each(from_tails(k, v), constant))
    return diagonal_block(ENDS[k], INSIDE[k], heads(k)) & skips


def matrices(k: Term) -> Term:
    """Whether it is a convolution, a ResNetFree or ResNetDiagonal block or fully connected."""
    ends = (ENDS[k], INSIDE[k], heads(k))
    listed = same(neurons(READ[k]), ENDS[k]) & same(neurons(FOUND[k]), heads(k))
    once = distinct(heads(k)) == heads(k)
    filtered = convolution(READ[k], FOUND[k], FILTERS[k]) & listed & once & ~residual(k)
    others = When(residual(k), block(*ends) | diagonal_block(*ends), full(ENDS[k], heads(k)))
    return When(convolved(k), filtered, others)


def leads_into(k: Term, v: Term) -> Term:
    """Whether all that leaves a neuron enters a layer."""
    return Each(out_of(v), lambda e: element(head(e), concat(INSIDE[k], heads(k))))


IS_CHAIN = (
    (DEPTH > 1)
    & ((card(ENDS) == DEPTH + 1) & (card(FILTERS) == DEPTH))
    & Each(ALL, lambda k: When(element(k, WRITTEN), matrices(k), identity(k)))
    & (element(DEPTH, WRITTEN) & Each(WRITTEN, lambda k: element(k, ALL)))
    & same(heads(DEPTH), outputs())
    & Each(upto(DEPTH - 1), lambda k: Each(heads(k), lambda v: leads_into(k + 1, v)))
)
"""One layer immediately behind the other, up to the output; all but ResNetIdentity blocks are
written as matrices, the last one among them."""
ARE_LEARNABLE = Each(
    WRITTEN,
    lambda k: Each(concat(INSIDE[k], heads(k)), lambda v: Each(into(v), lambda e: learnable(e))),
)


def _of_a_convolution(e: Term) -> Term:
    """Whether all edges with its parameter are of one convolution."""

    def holds(k: Term) -> Term:
        return convolved(k) & Each(users(e), lambda f: element(head(f), heads(k)))

    return Some(ALL, holds)


ARE_OWN = Each(
    edges(), lambda e: implies(learnable(e), (card(users(e)) == 1) | _of_a_convolution(e))
)


def _in_its_place(k: Term) -> Term:
    """Whether a layer is written as a matrix, and if it is a convolution, behind no other layer but
    convolutions, if it is a block, a ResNetFree one."""
    in_front = implies(convolved(k) & (k > 1), convolved(k - 1))
    free = implies(residual(k), block(ENDS[k], INSIDE[k], heads(k)))
    return element(k, WRITTEN) & in_front & free


def _of_theorem2(k: Term) -> Term:
    """Whether a layer is such, and linear."""
    return _in_its_place(k) & Each(concat(INSIDE[k], heads(k)), is_linear)


DENSE_LAST = ~(convolved(DEPTH) | residual(DEPTH))
OF_THEOREM2 = Each(ALL, _of_theorem2) & DENSE_LAST
OF_EARLIER_THEOREM2 = Each(ALL, _in_its_place) & DENSE_LAST & Each(heads(DEPTH), is_linear)
"""The same in the earlier version, by which the last layer alone is linear."""


# what is said of them -----------------------------------------------------------------------------
def form_a_layer(chosen: Callable[[Term], Term]) -> Term:
    """Definition 7 of some edges, in reading B: every path from an input to the output has one of
    them, and no path has two."""
    return Each(paths(), lambda p: Count(edges_on(p), lambda e: chosen(e)) == 1)


def flattened(k: Term, e: Term) -> Term:
    """Whether an edge is one of T or of [U Z]."""
    return element(head(e), heads(k))


def stacked(k: Term, e: Term) -> Term:
    """Whether an edge is one of Y over Z."""
    inside = INSIDE[k]
    return element(head(e), inside) | (flattened(k, e) & ~element(tail(e), inside))


ARE_LAYERS = Each(
    WRITTEN,
    lambda k: (
        implies(convolved(k) | residual(k), form_a_layer(lambda e: flattened(k, e)))
        & implies(residual(k), form_a_layer(lambda e: stacked(k, e)))
    ),
)


def first_ones(k: Term, v: Term) -> Term:
    """The in-edges of a neuron that are the first with their parameter in a convolution."""

    def copies(e: Term) -> Term:
        return Filter(users(e), lambda f: element(head(f), heads(k)))

    return Filter(into(v), lambda e: e == copies(e)[1])


def norm_of_convolution(k: Term) -> Term:
    """The squared Frobenius norm of T, each parameter once."""
    return Sum(heads(k), lambda v: squares(first_ones(k, v)))


def norm(neurons_: Term) -> Term:
    """The squared Frobenius norm of W or [U Z], by the heads."""
    return Sum(neurons_, lambda v: squares(into(v)))


def stacked_norm(k: Term) -> Term:
    """The squared Frobenius norm of Y over Z."""
    return norm(INSIDE[k]) + Sum(heads(k), lambda v: squares(from_tails(k, v)))


FIN = norm(outputs())
"""The squared Frobenius norm of the last layer."""
NORMS_CHANGE_ALIKE = Each(
    WRITTEN,
    lambda k: (
        implies((k < DEPTH) & convolved(k), Rate(norm_of_convolution(k)) == Rate(FIN))
        & implies((k < DEPTH) & ~convolved(k), Rate(norm(heads(k))) == Rate(FIN))
        & implies(residual(k), Rate(stacked_norm(k)) == Rate(FIN))
    ),
)
ONE_NORM = Each(WRITTEN, lambda k: implies(residual(k), norm(heads(k)) == stacked_norm(k)))
