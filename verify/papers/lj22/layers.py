"""Layers as lists of neurons: what a list must be of the graph to be one, and sums over weights.

A fully-connected layer is two lists of neurons, what it reads and its heads. A residual block has a
third one, of the neurons inside. A convolution has two arrays of neurons, by channel and position,
and its filter: for each position the position of the input that each place of the filter meets, 0
where that is padding. So its parameter from channel r to channel s at place k is the weight of
every edge from r_i to s_j with i = filter_jk; its entry of a flattening is the first of these.
"""

from __future__ import annotations

from collections.abc import Callable

from verify.language.building import (
    Each,
    Filter,
    Map,
    Some,
    Sum,
    card,
    concat,
    distinct,
    edge,
    element,
    head,
    into,
    list_,
    minus,
    out_of,
    tail,
    upto,
    users,
    vertices,
    w,
)
from verify.language.terms import Term


# the graph ---------------------------------------------------------------------------------------
def same(some: Term, others: Term) -> Term:
    """Whether two lists have the same elements."""
    return (card(minus(some, others)) == 0) & (card(minus(others, some)) == 0)


def reads(v: Term, tails: Term) -> Term:
    """Whether a neuron has in-edges exactly from these."""
    return same(Map(into(v), lambda e: tail(e)), tails)


def full(tails: Term, heads: Term) -> Term:
    """Whether these are a fully-connected layer: its heads have no further in-edges."""
    named = (card(tails) > 0) & (card(heads) > 0) & (distinct(tails) == tails)
    named = named & (distinct(heads) == heads)
    return named & Each(heads, lambda v: reads(v, tails))


def leads(tails: Term, heads: Term) -> Term:
    """Whether all out-edges of some neurons end in others, none of which is named twice."""
    return (distinct(heads) == heads) & Each(
        tails, lambda v: Each(out_of(v), lambda e: element(head(e), heads))
    )


def block(tails: Term, inner: Term, heads: Term) -> Term:
    """Whether these are a ResNetFree block."""
    return full(tails, inner) & full(concat(inner, tails), heads) & leads(inner, heads)


def diagonal_skips(tails: Term, inner: Term, heads: Term) -> Term:
    """Whether each head has in-edges exactly from the neurons inside and the tail before it."""
    return Each(upto(card(heads)), lambda k: reads(heads[k], concat(inner, list_(tails[k]))))


def diagonal_block(tails: Term, inner: Term, heads: Term) -> Term:
    """Whether these are a ResNetDiagonal block; with fixed weights 1 it is a ResNetIdentity."""
    square = (card(tails) == card(heads)) & (card(heads) > 0) & (distinct(heads) == heads)
    skips = diagonal_skips(tails, inner, heads)
    return full(tails, inner) & square & skips & leads(inner, heads)


def neurons(array: Term) -> Term:
    """All neurons of an array."""
    return Filter(vertices(), lambda v: Some(array, lambda channel: element(v, channel)))


# convolutions -------------------------------------------------------------------------------------
def positions(filter_: Term, k: Term) -> Term:
    """Those of a filter at which its place k is not in the padding."""
    return Filter(upto(card(filter_)), lambda j: filter_[j][k] != 0)


def places(filter_: Term) -> Term:
    """Those of a filter that meet the input somewhere."""
    return Filter(upto(card(filter_[1])), lambda k: card(positions(filter_, k)) > 0)


def carrier(tails: Term, heads: Term, filter_: Term, k: Term, j: Term) -> Term:
    """The edge with the parameter of place k between two channels, at position j of the filter."""
    return edge(tails[filter_[j][k]], heads[j])


def entry(tails: Term, heads: Term, filter_: Term, k: Term) -> Term:
    """The edge that stands for the parameter of place k between two channels: its first one."""
    return carrier(tails, heads, filter_, k, positions(filter_, k)[1])


def filled(array: Term, length: Term) -> Term:
    """Whether the rows of an array have one length, and no neuron stands in it twice."""
    return Each(array, lambda one: card(one) == length) & (
        card(neurons(array)) == card(array) * length
    )


def met_at(filter_: Term, j: Term) -> Term:
    """The positions of the input that a filter meets at one of its own."""
    return Filter(filter_[j], lambda i: i != 0)


def read_at(array: Term, heads: Term, filter_: Term, j: Term) -> Term:
    """Whether at a position each head has as many in-edges as the filter meets neurons."""
    met = met_at(filter_, j)
    many = card(array) * card(met)
    return (distinct(met) == met) & Each(heads, lambda one: card(into(one[j])) == many)


def shared_at(one: Term, other: Term, heads: Term, filter_: Term, k: Term) -> Term:
    """Whether between two channels exactly the edges of place k have the parameter of its entry."""
    carried = Map(positions(filter_, k), lambda j: carrier(one, other, filter_, k, j))
    of_entry = users(entry(one, other, filter_, k))
    return same(Filter(of_entry, lambda e: element(head(e), neurons(heads))), carried)


def convolution(array: Term, heads: Term, filter_: Term) -> Term:
    """Whether these are a convolution: at each position a head reads what the filter meets there,
    and within the convolution two edges have one parameter where its entry is one."""
    shaped = (
        (card(heads) * card(filter_) > 0)
        & Each(filter_, lambda one: card(one) == card(filter_[1]))
        & filled(heads, card(filter_))
        & filled(array, card(array[1]))
    )
    return (
        shaped
        & Each(upto(card(filter_)), lambda j: read_at(array, heads, filter_, j))
        & Each(
            places(filter_),
            lambda k: Each(
                array, lambda r: Each(heads, lambda s: shared_at(r, s, heads, filter_, k))
            ),
        )
    )


# entries of products of matrices ------------------------------------------------------------------
Times = Callable[[Term, Term], Term]
"""What is made of the weights of two edges."""


def product(e: Term, f: Term) -> Term:
    """Their product."""
    return w(e) * w(f)


def arriving(tails: Term, u: Term, v: Term, times: Times = product) -> Term:
    """The entry of W W^T at two neurons, W the weights from the tails."""
    return Sum(tails, lambda a: times(edge(a, u), edge(a, v)))


def leaving(heads: Term, u: Term, v: Term, times: Times = product) -> Term:
    """The entry of W^T W at two neurons, W the weights to the heads."""
    return Sum(heads, lambda c: times(edge(u, c), edge(v, c)))


def arriving_channels(
    array: Term, filter_: Term, one: Term, other: Term, times: Times = product
) -> Term:
    """The entry of W W^T at two channels, W the flattening of a convolution that ends there."""

    def at(r: Term, k: Term) -> Term:
        return times(entry(r, one, filter_, k), entry(r, other, filter_, k))

    return Sum(array, lambda r: Sum(places(filter_), lambda k: at(r, k)))


def leaving_channels(
    array: Term, filter_: Term, one: Term, other: Term, times: Times = product
) -> Term:
    """The entry of W^T W at two channels, W the flattening of a convolution that begins there."""

    def at(s: Term, k: Term) -> Term:
        return times(entry(one, s, filter_, k), entry(other, s, filter_, k))

    return Sum(array, lambda s: Sum(places(filter_), lambda k: at(s, k)))


def at_pairs(some: Term, says: Times) -> Term:
    """What is said of two elements of a list, which may be one."""
    return Each(some, lambda one: Each(some, lambda other: says(one, other)))
