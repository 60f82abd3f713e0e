"""Clarke subdifferentials of the tree networks and of the network, in terms of the language.

The subdifferential of a piecewise-linear function is the hull of the limits of its gradients. In a
tree a gradient is told by the slopes of the copies of vertices; which slopes copies at a kink can
have together is asked from the leaves to the root, for below different children lie different
inputs. Where no weight is 0, a pre-activation of the tree has the sign of that of the same vertex
in the network (docs/mathematics/lj22.md#subderivatives-of-a-tree).
"""

from __future__ import annotations

from collections.abc import Callable

from verify.language.building import (
    Along,
    Filter,
    Fold,
    Let,
    Map,
    Max,
    Prod,
    Some,
    Sum,
    The,
    When,
    card,
    concat,
    edges,
    edges_on,
    element,
    head,
    into,
    learnable,
    list_,
    paths,
    post,
    sign,
    slope,
    slope_left,
    slope_right,
    tail,
    upto,
    users,
    w,
    x,
)
from verify.language.terms import Term, written
from verify.papers.lj22.path_terms import along
from verify.papers.lj22.tree_terms import ALL_PATHS, OUTPUT, first_vertex, weighted
from verify.statements.network_hypotheses import at_kink

Slopes = Callable[[Term, Term], tuple[Term, Term]]
Of = Callable[[Term], Term]


# what copies of vertices can do ------------------------------------------------------------------
def ways(end: Term, slopes: Slopes) -> Term:
    """Which way the activation of a copy of a vertex moves for some change of the inputs: 1 up, -1
    down, 2 either way, 0 not at all.

    slopes: of a vertex and the path from there to the end, those left and right of its
    pre-activation; 0 where it is not to move to that side.
    """

    def way(u: Term, path: Term, before: Term) -> Term:
        def possible(s: int) -> Term:
            return Some(upto(card(into(u))), lambda k: leads(s, into(u)[k], before[k]))

        left, right = slopes(u, path)
        up, down = When(possible(1), sign(right), 0), When(possible(-1), -sign(left), 0)
        either = Let(up, lambda a: Let(down, lambda b: When(a * b < 0, 2, sign(a + b))))
        return When(card(into(u)) == 0, 2, either)

    return Along(end, way)


def leads(s: int, e: Term, way: Term) -> Term:
    """Whether what moves its tail a way may move the head of an edge up (1) or down (-1)."""
    return (way == 2) | (s * sign(w(e)) * way > 0)


def least_slope(v: Term, j: Term) -> Term:
    """The least slope that a copy of a ReLU or linear vertex can have."""
    return When(at_kink(v, j), 0, slope(v, j))


def greatest_slope(v: Term, j: Term) -> Term:
    """The greatest one: at a kink 1 if its pre-activation may move up."""

    def slopes(u: Term, path: Term) -> tuple[Term, Term]:
        left, right = (When(at_kink(u, j), s(u), slope(u, j)) for s in (slope_left, slope_right))
        return left, right

    rises = Some(into(v), lambda e: leads(1, e, ways(tail(e), slopes)))
    return When(at_kink(v, j), When(rises, 1, 0), slope(v, j))


# all limits of gradients of the tree -------------------------------------------------------------
@written(r"\mathcal K(x_{{0}})")
def kinked_copies(j: Term) -> Term:
    """The copies of vertices, as paths to the output, that are at a kink at h(x_j; w); those behind
    others come later."""

    def kinked(path: Term) -> Term:
        return (card(into(first_vertex(path))) > 0) & at_kink(first_vertex(path), j)

    def backwards(copies: Term) -> Term:
        return Map(upto(card(copies)), lambda k: copies[card(copies) + 1 - k])

    return Let(Filter(ALL_PATHS, kinked), backwards)


def side_slope(u: Term, copy: Term, j: Term, rising: Term) -> Term:
    """The slope of a copy: at a kink the right one for those that rise, else the left one."""
    side = When(element(copy, rising), slope_right(u), slope_left(u))
    return When(at_kink(u, j), side, slope(u, j))


@written(r"\mathcal C(x_{{0}})")
def cones(j: Term) -> Term:
    """For each cone of inputs on which mu is linear the copies at a kink that rise there: of those
    one after the other rises or falls as it may, or stays."""

    def way(copy: Term, rising: Term) -> Term:
        def slopes(u: Term, path: Term) -> tuple[Term, Term]:
            whole = concat(path, copy)
            kink, on = at_kink(u, j), element(whole, rising)
            taken = side_slope(u, whole, j, rising)
            sides = When(kink & on, 0, taken), When(kink & ~on, 0, taken)
            left, right = (When(card(path) == 0, 1, side) for side in sides)
            return left, right

        return ways(first_vertex(copy), slopes)

    def split(so_far: Term, copy: Term) -> Term:
        def of(found: Term, rising: Term) -> Term:
            up = concat(rising, list_(copy))

            def parts(m: Term) -> Term:
                return When(m == 2, list_(rising, up), list_(When(m == 1, up, rising)))

            return concat(found, Let(way(copy, rising), parts))

        return Fold(so_far, Filter(so_far, lambda rising: False), of)

    nothing = Filter(ALL_PATHS, lambda copy: False)
    return Fold(kinked_copies(j), list_(nothing), split)


def steepest(j: Term, inputs: Of) -> Term:
    """The maximum of <alpha, v> over the subdifferential of mu at h(x_j; w), v by the path: over
    all cones what the linear function is at v that mu is on the cone."""

    def piece(rising: Term) -> Term:
        def value(u: Term, path: Term, before: Term) -> Term:
            inner = weighted(u, lambda e: sign(w(e)), before)
            leaf = Prod(path, lambda e: sign(w(e))) * inputs(path)
            return When(card(into(u)) == 0, leaf, side_slope(u, path, j, rising) * inner)

        return Along(OUTPUT, value)

    return Max(cones(j), piece)


# beside a point of weights -----------------------------------------------------------------------
@written(r"{0}_{{1}}")
def of_edge(direction: Term, e: Term) -> Term:
    """The coordinate of a direction for the parameter of an edge; 0 for a fixed weight."""
    place = The(upto(card(edges())), lambda k: edges()[k] == users(e)[1])
    return When(learnable(e), direction[place], 0)


def rate(v: Term, j: Term, *directions: Term) -> Term:
    """How fast the pre-activation of a vertex moves along the last direction, at points beside w
    that are reached along the others, the first one first."""
    *firsts, last = directions

    def moved(e: Term, before: Term) -> Term:
        return of_edge(last, e) * post(tail(e), j) + w(e) * before

    def post_rate(u: Term, path: Term, before: Term) -> Term:
        def bent_by(pre: Term) -> Term:  # where no rate tells a side, pre is 0
            earlier = [rate(u, j, *firsts[: k + 1]) for k in range(len(firsts))]
            return bent(u, j, first_of(*earlier, pre, 1)) * pre

        pre = Sum(upto(card(into(u))), lambda k: moved(into(u)[k], before[k]))
        return When(card(into(u)) == 0, 0, Let(pre, bent_by))

    return Sum(into(v), lambda e: moved(e, Along(tail(e), post_rate)))


def first_of(*numbers: Term | int) -> Term:
    """The first number that is not 0."""
    return Filter(list_(*numbers), lambda r: r != 0)[1]


def bent(u: Term, j: Term, side: Term) -> Term:
    """The slope of a vertex, at a kink on the side that a number tells."""
    return When(at_kink(u, j), When(side > 0, slope_right(u), slope_left(u)), slope(u, j))


def slope_beside(u: Term, j: Term, *directions: Term) -> Term:
    """The slope of a vertex at points beside w that directions lead to, the first one first;
    without a value where they leave it on a kink."""
    rates = (rate(u, j, *directions[: k + 1]) for k in range(len(directions)))
    return bent(u, j, first_of(*rates))


@written(r"\nu'(x_{{0}};{1})")
def one_sided(j: Term, direction: Term) -> Term:
    """The one-sided derivative of nu(x_j; .) at w along a direction."""
    return Let(rate(OUTPUT, j, direction), lambda r: bent(OUTPUT, j, r) * r)


@written(r"h'_{{0}}(x_{{1}};{2})")
def rate_of_entry(path: Term, j: Term, direction: Term) -> Term:
    """The derivative of an entry of h along a direction, where no edge is on the path twice."""

    def others(e: Term) -> Term:
        return Prod(Filter(path, lambda f: f != e), w)

    return x(tail(path[1]), j) * Sum(path, lambda e: of_edge(direction, e) * others(e))


def limit_gradient(j: Term, towards: tuple[Term, ...], direction: Term) -> Term:
    """<g, u> with u a direction and g the limit of the gradients of nu(x_j; .) at the points beside
    w that others lead to: a sum over paths. It has a value where they lead off
    every kink."""

    def slopes(p: Term) -> Term:
        return along(p, lambda e: slope_beside(head(e), j, *towards))

    return Sum(paths(), lambda p: slopes(p) * rate_of_entry(edges_on(p), j, direction))
