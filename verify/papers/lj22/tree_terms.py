"""Appendix B in terms of the language: forward passes, the unrolled tree, trees of signs.

A vertex of T_G is a path from any vertex to the output o, as the list of its edges; the path
without edges is o itself. Its arcs run from the longer path to the shorter, as in the proof of
Lemma 6.
"""

from __future__ import annotations

from collections.abc import Callable

from verify.language.building import (
    Along,
    Each,
    Filter,
    Fold,
    Map,
    Prod,
    Sum,
    The,
    When,
    activation,
    card,
    concat,
    edges,
    edges_on,
    element,
    into,
    item,
    list_,
    minus,
    outputs,
    paths,
    paths_to,
    sign,
    tail,
    tuple_,
    union,
    upto,
    w,
    x,
)
from verify.language.terms import Term, called, written

Of = Callable[[Term], Term]
OfTwo = Callable[[Term, Term], Term]
OUTPUT = called("o", outputs()[1])
ALL_PATHS = paths_to(OUTPUT)
"""H_G."""
NO_EDGES = Filter(edges(), lambda e: False)
"""The path without edges."""


# values ------------------------------------------------------------------------------------------
def forward(end: Term, weight: Of, data: Of) -> Term:
    """(16) and (17), with any weights and inputs: post-activation of a vertex."""

    def post(u: Term, path: Term, before: Term) -> Term:
        return When(card(into(u)) == 0, data(u), activation(u, weighted(u, weight, before)))

    return Along(end, post)


def weighted(u: Term, weight: Of, before: Term) -> Term:
    """The sum over the edges into a vertex of their weights times the values at their tails."""
    return Sum(upto(card(into(u))), lambda k: weight(into(u)[k]) * before[k])


def along_tree(weight: Of, leaf: OfTwo) -> Term:
    """The value of a network on T_G: the arc from a path has the weight of the first edge of that,
    and a leaf, a vertex with the path from there, the value that is told."""

    def post(u: Term, path: Term, before: Term) -> Term:
        v = first_vertex(path)
        return When(card(into(v)) == 0, leaf(v, path), activation(v, weighted(v, weight, before)))

    return Along(OUTPUT, post)


@written(r"v_{{0}}")
def first_vertex(path: Term) -> Term:
    """v_p: the vertex of a path that is furthest from o."""
    return When(card(path) == 0, OUTPUT, tail(path[1]))


SIGNS = list_(1, -1)


def with_signs(says: Of) -> Term:
    """What is said whichever of them is the sign of 0, which is not printed."""
    return Each(SIGNS, lambda s: says(s))


@written(r"\operatorname{sgn}_{{1}}({0})")
def sgn(value: Term, at_zero: Term) -> Term:
    """1 above 0, -1 below, and at 0 one of these."""
    return sign(value) + at_zero * (1 - sign(value) ** 2)


@written(r"\operatorname{sgn}_{{0}}")
def signs_along(path: Term, at_zero: Term) -> Term:
    """The product of the signs of the weights on a path."""
    return Prod(path, lambda e: sgn(w(e), at_zero))


def is_sign_of_weight(e: Term, at_zero: Term) -> Term:
    """An edge of the tree has a weight of -1 or 1, which the sign of the weight of e tells."""
    weight = sgn(w(e), at_zero)
    return element(weight, SIGNS) & (sgn(weight, at_zero) == weight)


@written(r"\mu(h(x_{{0}};w))")
def decomposed(j: Term, at_zero: Term) -> Term:
    """mu(h(x_j; w)) with the tree of Lemma 1: at each leaf an edge is added, with the product of
    the signs along the path."""
    return along_tree(
        lambda e: sgn(w(e), at_zero),
        lambda v, p: signs_along(p, at_zero) * (x(v, j) * Prod(p, w)),
    )


@written(r"\mu'(h'(x_{{0}};w))")
def decomposed_absolutely(j: Term, at_zero: Term) -> Term:
    """mu'(h'(x_j; w)) with the tree of Lemma 5."""
    return along_tree(
        lambda e: sgn(w(e), at_zero), lambda v, p: x(v, j) * Prod(p, lambda e: abs(w(e)))
    )


# graphs ------------------------------------------------------------------------------------------
def is_tree(points: Term, arcs: Term) -> Term:
    """Whether a graph is a tree: in one piece, with one edge less than vertices."""
    parts = components(points, arcs, lambda arc: item(arc, 1), lambda arc: item(arc, 2))
    return (card(arcs) == card(points) - 1) & (card(parts) == 1)


def components(points: Term, arcs: Term, tail_of: Of, head_of: Of) -> Term:
    """The sets of vertices that are joined by edges, whatever the direction: edge by edge the two
    at its ends become one."""

    def joined(parts: Term, arc: Term) -> Term:
        a, b = tail_of(arc), head_of(arc)
        others = Filter(parts, lambda part: ~element(a, part) & ~element(b, part))
        with_tail = The(parts, lambda part: element(a, part))
        with_head = The(parts, lambda part: element(b, part))
        return concat(others, list_(union(with_tail, with_head)))

    return Fold(arcs, Map(points, lambda v: list_(v)), joined)


def covers(larger: Term, smaller: Term) -> Term:
    """Definition 9: whether a set holds another one, and has one element more."""
    return (card(larger) == card(smaller) + 1) & (card(minus(smaller, larger)) == 0)


def hasse(sets: Term) -> Term:
    """The arcs of the Hasse diagram, with the larger set first: pairs of numbers of sets."""
    numbers = upto(card(sets))

    def from_larger(so_far: Term, k: Term) -> Term:
        larger = Filter(numbers, lambda i: covers(sets[i], sets[k]))
        return concat(so_far, Map(larger, lambda i: tuple_(i, k)))

    none = Map(Filter(numbers, lambda i: False), lambda i: tuple_(i, i))
    return Fold(numbers, none, from_larger)


def edge_of(path: Term) -> Term:
    """e_p: the edge of a path that is furthest from o; o itself has none."""
    return path[1]


def is_complete(path: Term) -> Term:
    """Whether a path is one of P_G, from an input."""
    return element(path, Map(paths(), lambda p: edges_on(p)))
