"""Neurons of a convolution as an array (Definition 12), and pairs of weights at it (Lemma 9)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from verify.language.building import (
    Each,
    Filter,
    Fold,
    Map,
    Prod,
    Rate,
    Some,
    Sum,
    between,
    card,
    distinct,
    edge,
    edges_on,
    element,
    floor,
    head,
    intersection,
    into,
    item,
    orders,
    out_of,
    sign,
    tail,
    tuple_,
    union,
    upto,
    users,
    w,
    x,
)
from verify.language.terms import Term, number
from verify.papers.lj22.layers import at_pairs, entry, neurons, places, same
from verify.papers.lj22.path_terms import kappa, mean, paths_through, place_on
from verify.papers.lj22.suppositions import C, N, S, T, V, X

ONE, TWO = V[1], V[2]
Factor = Callable[[Term], Term]


# Definition 12 -----------------------------------------------------------------------------------
def same_parameters(u: Term, v: Term) -> Term:
    """(52): whether two neurons share all their input weights."""
    many = card(into(u)) == card(into(v))
    return many & Each(into(u), lambda e: Some(into(v), lambda f: element(f, users(e))))


def same_neighbours(u: Term, v: Term) -> Term:
    """(53): whether two neurons have the same in-vertices and the same out-vertices."""
    tails = [Map(into(one), lambda e: tail(e)) for one in (u, v)]
    heads = [Map(out_of(one), lambda e: head(e)) for one in (u, v)]
    return same(*tails) & same(*heads)


def organised(columns: Term, length: Term, at: Callable[[Term, Term], Term]) -> Term:
    """(52) and (53) for an array: at row j and column k, v_jk."""
    rows = upto(length)
    shared = at_pairs(
        rows, lambda j, i: Each(columns, lambda k: same_parameters(at(j, k), at(i, k)))
    )
    alike = at_pairs(
        columns, lambda k, m: Each(rows, lambda j: same_neighbours(at(j, k), at(j, m)))
    )
    return shared & alike


ORGANISED = organised(upto(card(V)), card(S), lambda j, k: V[k][j])


def can_be_organised() -> Term:
    """Some order of the neurons, row by row, meets them with a column for each channel."""
    channels = card(V)

    def meets(order: Term) -> Term:
        length = floor(card(order) / channels)
        return organised(upto(channels), length, lambda j, k: order[(j - 1) * channels + k])

    return Some(orders(neurons(V)), meets)


# pairs of parameters ------------------------------------------------------------------------------
def parameter(e: Term) -> Term:
    """The first edge with the same parameter, which stands for it."""
    return users(e)[1]


def pair(e: Term, f: Term) -> Term:
    """Two parameters."""
    return tuple_(parameter(e), parameter(f))


def pairs_in(j: Term) -> Term:
    """The parameters of edges from one neuron to v_j1 and v_j2."""
    both = Filter(into(ONE[j]), lambda e: Some(into(TWO[j]), lambda f: tail(f) == tail(e)))
    return Map(both, lambda e: pair(e, edge(tail(e), TWO[j])))


def pairs_out(j: Term) -> Term:
    """The parameters of edges from v_j1 and v_j2 to one neuron."""
    both = Filter(out_of(ONE[j]), lambda e: Some(out_of(TWO[j]), lambda f: head(f) == head(e)))
    return Map(both, lambda e: pair(e, edge(TWO[j], head(e))))


Pairs = Callable[[Any], Term]
"""By a position."""


def at_every(pairs: Pairs) -> Term:
    """Those at all positions, as in the two sets as printed."""
    return Fold(upto(card(ONE)), pairs(number(1)), lambda so_far, j: intersection(so_far, pairs(j)))


def at_some(pairs: Pairs) -> Term:
    """Those at some position."""
    return Fold(upto(card(ONE)), pairs(number(1)), lambda so_far, j: union(so_far, pairs(j)))


def product_sum(pairs: Term) -> Term:
    """The sum of the products."""
    return Sum(pairs, lambda p: w(item(p, 1)) * w(item(p, 2)))


def rate_sum(pairs: Term) -> Term:
    """d/dt of it."""
    return Rate(product_sum(pairs))


def absolute_rate_sum(pairs: Term) -> Term:
    """d/dt of the sum of |w w'|, where no weight is 0."""

    def moved(p: Term) -> Term:
        e, f = item(p, 1), item(p, 2)
        return sign(w(e)) * sign(w(f)) * Rate(w(e) * w(f))

    return Sum(pairs, moved)


# what the matrices list ---------------------------------------------------------------------------
def same_pairs(
    pairs: Term, rows: Term, columns: Callable[[Term], Term], at: Callable[[Term, Term], Term]
) -> Term:
    """Whether a set of pairs holds exactly those at the places of a matrix."""
    listed = Each(pairs, lambda p: Some(rows, lambda r: Some(columns(r), lambda k: p == at(r, k))))
    return listed & Each(rows, lambda r: Each(columns(r), lambda k: element(at(r, k), pairs)))


def listed_by(which: str, pairs: Term) -> Term:
    """(55), (56) or (57) for a set of pairs."""
    if which == "55":
        return same_pairs(
            pairs,
            X,
            lambda r: places(S),
            lambda r, k: pair(entry(r, ONE, S, k), entry(r, TWO, S, k)),
        )
    if which == "56":
        return same_pairs(
            pairs,
            N,
            lambda s: places(T),
            lambda s, k: pair(entry(ONE, s, T, k), entry(TWO, s, T, k)),
        )
    return same_pairs(
        pairs,
        C,
        lambda c: upto(card(ONE)),
        lambda c, j: pair(edge(ONE[j], c), edge(TWO[j], c)),
    )


# the set of jagged paths --------------------------------------------------------------------------
def paths_to(v: Term) -> Term:
    """Those from an input to a vertex, as lists of edges."""
    some = Map(paths_through(v), lambda p: Map(upto(place_on(p, v)), lambda k: edges_on(p)[k]))
    return distinct(some)


def paths_from(v: Term) -> Term:
    """Those from a vertex to the output."""
    some = Map(
        paths_through(v),
        lambda p: Map(between(place_on(p, v) + 1, card(edges_on(p))), lambda k: edges_on(p)[k]),
    )
    return distinct(some)


def jagged_sum(factor: Factor = w) -> Term:
    """The sum over A of 1/n sum_i d_{i,p}, every factor of a slope 1: each path to v_j1 joined to
    each from v_j2, and the other way round. factor: of the product along a path."""

    def joined(u: Term, v: Term, i: Term) -> Term:
        before = Sum(paths_to(u), lambda a: x(tail(a[1]), i) * Prod(a, lambda e: factor(e)))
        return before * Sum(paths_from(v), lambda b: Prod(b, lambda e: factor(e)))

    def at(j: Term, i: Term) -> Term:
        return joined(ONE[j], TWO[j], i) + joined(TWO[j], ONE[j], i)

    return mean(lambda i: kappa(i) * Sum(upto(card(ONE)), lambda j: at(j, i)))
