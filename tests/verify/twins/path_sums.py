"""Twins of the displays of LJ22 that write a derivative or a velocity as a sum over paths: Section
4.3 and Appendix C, (8) to (11), (33) to (51), and (40) to (43) of the earlier version."""

from __future__ import annotations

from collections.abc import Callable

from tests.verify.twins.invariances import LAYERS, squares
from tests.verify.twins.section2 import (
    LEARNABLE,
    each_pair,
    each_vertex,
    mean,
    on_path,
    risk_slope,
    same_pattern,
    the_output,
)
from verify.language.building import (
    Each,
    Filter,
    Prod,
    Rate,
    Sum,
    When,
    card,
    edge,
    edges_on,
    element,
    examples,
    head,
    implies,
    inputs,
    into,
    loss_slope,
    out_of,
    paths,
    paths_to,
    sign,
    slope,
    start,
    tail,
    w,
    x,
    y,
)
from verify.language.terms import Term

Summand = Callable[[Term, Term], Term]
# Of p_1, its end, p_2, its start, and an example.
Coordinate = Callable[[Term, Term, Term, Term, Term], Term]


def slopes(some: Term, j: Term) -> Term:
    """The product of the slopes at the heads of edges."""
    return Prod(some, lambda f: slope(head(f), j))


def product(some: Term) -> Term:
    return Prod(some, lambda f: w(f))


def absolute(some: Term) -> Term:
    return Prod(some, lambda f: abs(w(f)))


def loss_part(j: Term) -> Term:
    """l'(y_j nu(x_j)) y_j."""
    return loss_slope(j) * y(j)


# [mu']_p and [alpha]_p of the tree network of the decomposition h: the slopes along p.
def big_a(j: Term, p: Term) -> Term:
    """A_{j,p}, with absolute values."""
    return loss_part(j) * slopes(edges_on(p), j) * x(start(p), j) * absolute(edges_on(p))


def small_d(j: Term, p: Term) -> Term:
    """d_{j,p} of (35) in the final version, without absolute values."""
    return loss_part(j) * slopes(edges_on(p), j) * x(start(p), j) * product(edges_on(p))


def path_sum(passing: Callable[[Term], Term], summand: Summand) -> Term:
    """Over the paths that pass, of the means over the examples."""
    return Sum(Filter(paths(), passing), lambda p: mean(lambda j: summand(j, p)))


def through_edge(e: Term, summand: Summand) -> Term:
    return path_sum(lambda p: element(e, edges_on(p)), summand)


def through_vertex(v: Term, summand: Summand) -> Term:
    return path_sum(lambda p: on_path(v, p), summand)


def velocity_by_paths(e: Term) -> Term:
    """The right side of (33)."""
    return mean(
        lambda j: (
            loss_part(j)
            * Sum(
                Filter(paths(), lambda p: element(e, edges_on(p))),
                lambda p: (
                    slopes(edges_on(p), j)
                    * x(start(p), j)
                    * product(Filter(edges_on(p), lambda f: f != e))
                ),
            )
        )
    )


def euler(some: Term) -> Term:
    """The sum of w_e dR/dw_e over edges."""
    return Sum(some, lambda e: w(e) * risk_slope(e))


# (46) and (49): walks from an input to a, from b to o ---------------------------------------------
def first_vertex(walk: Term, last: Term) -> Term:
    """Where a walk begins that ends at `last`: without edges it is there already."""
    return When(card(walk) == 0, last, tail(walk[1]))


def walks_from_inputs(a: Term) -> Term:
    return Filter(paths_to(a), lambda walk: element(first_vertex(walk, a), inputs()))


def walks_to_output(b: Term) -> Term:
    return Filter(paths_to(the_output()), lambda walk: first_vertex(walk, the_output()) == b)


def crossings(u: Term, v: Term, j: Term, weights: Callable[[Term, Term, Term, Term], Term]) -> Term:
    """The sum over a, b, p_1, p_2 of Pi_j times what `weights` says of a, b and of the partial
    derivatives at the paths over a, u, b and over a, v, b."""

    def summand(a: Term, b: Term, p: Term, q: Term) -> Term:
        shared = slopes(p, j) * slope(b, j) * slopes(q, j)
        pi = x(first_vertex(p, a), j) * product(p) * product(q)
        return pi * weights(a, b, slope(u, j) * shared, slope(v, j) * shared)

    return Sum(
        into(u),
        lambda e: Sum(
            out_of(u),
            lambda f: Sum(
                walks_from_inputs(tail(e)),
                lambda p: Sum(walks_to_output(head(f)), lambda q: summand(tail(e), head(f), p, q)),
            ),
        ),
    )


def crossed(u: Term, v: Term) -> Term:
    """(46) is (49), but for the common factor."""

    def one(a: Term, b: Term, by_u: Term, by_v: Term) -> Term:
        return w(edge(a, v)) * w(edge(u, b)) * by_u + w(edge(a, u)) * w(edge(v, b)) * by_v

    def other(a: Term, b: Term, by_u: Term, by_v: Term) -> Term:
        return w(edge(a, u)) * w(edge(v, b)) * by_u + w(edge(a, v)) * w(edge(u, b)) * by_v

    return Sum(examples(), lambda j: loss_part(j) * crossings(u, v, j, one)) == Sum(
        examples(), lambda j: loss_part(j) * crossings(u, v, j, other)
    )


# (40) to (43) of the earlier version --------------------------------------------------------------
def signed_in(u: Term, v: Term) -> Term:
    """The left side of (40)."""

    def summand(au: Term, av: Term) -> Term:
        return sign(w(au) * w(av)) * (w(au) * Rate(w(av)) + Rate(w(au)) * w(av))

    return Sum(into(u), lambda e: summand(e, edge(tail(e), v)))


def signed_out(u: Term, v: Term) -> Term:
    """(41)."""

    def summand(ub: Term, vb: Term) -> Term:
        return sign(w(ub) * w(vb)) * (w(ub) * Rate(w(vb)) + Rate(w(ub)) * w(vb))

    return Sum(out_of(u), lambda e: summand(e, edge(v, head(e))))


def jagged_sum(u: Term, v: Term, coordinate: Coordinate) -> Term:
    """The sum over p in A of 1/n sum_j d_{j,p}: p is p_1 from an input to one of u and v, and p_2
    from the other to o. `coordinate` is [alpha]_p."""

    def half(end: Term, begin: Term) -> Term:
        def summand(p: Term, q: Term, j: Term) -> Term:
            value = x(first_vertex(p, end), j) * absolute(p) * absolute(q)
            return loss_part(j) * coordinate(p, end, q, begin, j) * value

        return Sum(
            walks_from_inputs(end),
            lambda p: Sum(walks_to_output(begin), lambda q: mean(lambda j: summand(p, q, j))),
        )

    return half(u, v) + half(v, u)


def over_start(p: Term, end: Term, q: Term, begin: Term, j: Term) -> Term:
    """The last vertex of p_1 gives way to the first of p_2."""
    return slopes(Filter(p, lambda f: head(f) != end), j) * slope(begin, j) * slopes(q, j)


def over_end(p: Term, end: Term, q: Term, begin: Term, j: Term) -> Term:
    """The first vertex of p_2 gives way to the last of p_1."""
    return slopes(p, j) * slopes(q, j)


TWINS: dict[str, Term] = {
    "lj22.eq8-11.10@A": Each(LEARNABLE, lambda e: w(e) * risk_slope(e) == through_edge(e, big_a)),
    "lj22.eq8-11.11in@A": each_vertex(lambda v: euler(into(v)) == through_vertex(v, big_a)),
    "lj22.eq8-11.11out@A": each_vertex(lambda v: through_vertex(v, big_a) == euler(out_of(v))),
    "lj22.eq34.33@A": Each(LEARNABLE, lambda e: Rate(w(e)) == velocity_by_paths(e)),
    "lj22.eq34.34@A": Each(LEARNABLE, lambda e: w(e) * Rate(w(e)) == through_edge(e, small_d)),
    "lj22.eq36-39.a@A": each_vertex(
        lambda v: Rate(squares(into(v))) == 2 * Sum(into(v), lambda e: through_edge(e, small_d))
    ),
    "lj22.eq36-39.c@A": each_vertex(
        lambda v: Rate(squares(out_of(v))) == 2 * through_vertex(v, small_d)
    ),
    "lj22.eq36-39.d@A": each_vertex(
        lambda v: 2 * through_vertex(v, small_d) == Rate(squares(into(v)))
    ),
    # F is the first list.
    "lj22.eq51@AB": (
        Sum(LAYERS[1], lambda e: w(e) * Rate(w(e)))
        == Sum(
            paths(),
            lambda p: mean(lambda j: small_d(j, p) * x(start(p), j) * absolute(edges_on(p))),
        )
    ),
    "lj22.eq46-49.same": each_pair(lambda u, v: implies(same_pattern(u, v), crossed(u, v))),
    "lj22v1.eq40-43.40@A": each_pair(lambda u, v: signed_in(u, v) == jagged_sum(u, v, over_start)),
    "lj22v1.eq40-43.42@B": each_pair(lambda u, v: signed_out(u, v) == jagged_sum(u, v, over_end)),
    "lj22v1.eq40-43.43": each_pair(lambda u, v: signed_out(u, v) == signed_in(u, v)),
}
