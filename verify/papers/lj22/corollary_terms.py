"""Corollary 1: the layers of a fully-connected network, and what is said of their matrices."""

from __future__ import annotations

from verify.language.building import (
    Each,
    Rate,
    Some,
    card,
    edges,
    element,
    frob2,
    hidden,
    implies,
    inputs,
    norm,
    outputs,
    upto,
    w,
)
from verify.language.terms import Term
from verify.papers.lj22.chains import ENDS, heads
from verify.papers.lj22.chains import norm as squared_norm
from verify.papers.lj22.graph_terms import is_linear, relu
from verify.papers.lj22.layers import full, same
from verify.papers.lj22.low_rank_terms import Weight, are_aligned, between_neurons, is_rank_one
from verify.papers.lj22.solutions import SQUARES
from verify.statements.network_hypotheses import own

DEPTH = card(ENDS) - 1
ALL = upto(DEPTH)
"""The layers, by their numbers."""


# the network -------------------------------------------------------------------------------------
def linear(k: Term) -> Term:
    """Whether a layer is linear."""
    return Each(heads(k), is_linear)


def is_relu(k: Term) -> Term:
    """Whether a layer has ReLU."""
    return Each(heads(k), relu)


FULLY_CONNECTED = (
    same(ENDS[1], inputs())
    & Each(ALL, lambda k: full(ENDS[k], heads(k)))
    & same(heads(DEPTH), outputs())
    & Each(hidden(), lambda v: Some(ENDS, lambda layer: element(v, layer)))
    & Each(edges(), own)
)
RELU_THEN_LINEAR = (
    FULLY_CONNECTED
    & Each(ALL, lambda k: is_relu(k) | linear(k))
    & Each(upto(DEPTH - 1), lambda k: implies(linear(k), linear(k + 1)))
    & linear(DEPTH)
)
RELU_HIDDEN = FULLY_CONNECTED & Each(upto(DEPTH - 1), is_relu)


# what is said ------------------------------------------------------------------------------------
def layer(k: Term, weight: Weight = w) -> Term:
    """The matrix of a layer."""
    return between_neurons(ENDS[k], heads(k), weight)


def rank_one(weight: Weight = w) -> Term:
    """(15), first limit, of every layer, at a point of a ray or of rest; no weight is 0."""
    return Each(ALL, lambda k: is_rank_one(layer(k, weight)))


def limits(weight: Weight = w) -> Term:
    """(15) of every layer."""
    return rank_one(weight) & Each(
        upto(DEPTH - 1), lambda k: are_aligned(layer(k, weight), layer(k + 1, weight))
    )


LIMITS_OF_LINEAR = Each(ALL, lambda k: implies(linear(k), is_rank_one(layer(k)))) & Each(
    upto(DEPTH - 1), lambda k: implies(linear(k), are_aligned(layer(k), layer(k + 1)))
)
"""(15) of the last K layers, which are linear."""

DIVERGES = Rate(SQUARES) > 0
EVERY_LAYER_DIVERGES = Each(ALL, lambda k: Rate(squared_norm(heads(k))) > 0)
"""On a ray all norms grow to infinity, at rest none changes."""


def others_vanish(k: Term) -> Term:
    """The squares of all singular values but the largest have the sum 0: at a point of a ray, along
    which their sum is bounded exactly then."""
    return frob2(layer(k)) == norm(layer(k)) ** 2


OTHERS_BOUNDED = Each(ALL, others_vanish)
OTHERS_OF_LINEAR_BOUNDED = Each(ALL, lambda k: implies(linear(k), others_vanish(k)))
