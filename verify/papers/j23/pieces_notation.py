"""Segments between two points of a network: where it turns on the way, its outputs and Jacobians.

A hidden layer turns where one of its pre-activations passes 0. Between places where no layer turns
all pre-activations are affine, so that one of opposite signs at the ends is 0 at one place, which
these two values tell; and the image of the segment is a path of straight pieces.
"""

from __future__ import annotations

from verify.language.building import (
    Filter,
    Fold,
    Let,
    Map,
    Sorted,
    When,
    between,
    card,
    concat,
    diag,
    distinct,
    eye,
    item,
    slope_left,
    slope_right,
    tuple_,
    upto,
    vector,
)
from verify.language.terms import Term, written
from verify.papers.j23.network_notation import (
    ALL,
    DEPTH,
    Index,
    bias,
    neurons,
    point,
    values,
    weight,
    width,
)


@written(r"x_{{0}\to {1}}({2})")
def on_the_way(p: Index, q: Index, t: Term) -> Term:
    """x_p + t (x_q - x_p)."""
    return point(p) + t * (point(q) - point(p))


@written(r"f({0})")
def network(start: Term) -> Term:
    """f at any point."""
    return values(DEPTH, start)


@written(r"\tilde\alpha_{{0}}({1})")
def preactivations(m: Index, start: Term) -> Term:
    """alpha~_l at any point, l from 1 to L."""
    return weight(m) @ values(m - 1, start) + bias(m)


# where it turns -----------------------------------------------------------------------------------
@written(r"T_{{0}{1}}")
def turning_places(p: Index, q: Index) -> Term:
    """0, 1 and all t between at which a hidden layer turns at x_p + t (x_q - x_p), in order."""

    def of_layer(places: Term, m: Term) -> Term:
        def with_values(pre: Term) -> Term:
            def passing(k: Term) -> Term:
                low, high, before, after = places[k], places[k + 1], pre[k], pre[k + 1]
                return Map(
                    Filter(upto(width(m)), lambda i: before[i] * after[i] < 0),
                    lambda i: low + (high - low) * before[i] / (before[i] - after[i]),
                )

            between_them = upto(card(places) - 1)
            return Fold(between_them, places, lambda so_far, k: concat(so_far, passing(k)))

        values_there = Map(places, lambda t: preactivations(m, on_the_way(p, q, t)))
        return Sorted(distinct(Let(values_there, with_values)))

    ends = Map(between(0, 1), lambda k: k / 1)  # as numbers that need not be whole
    return Fold(upto(DEPTH - 1), ends, of_layer)


@written(r"\mathcal P_{{0}{1}}")
def pieces(p: Index, q: Index) -> Term:
    """The ends t of each piece of the segment from x_p to x_q."""

    def pairs(places: Term) -> Term:
        return Map(upto(card(places) - 1), lambda k: tuple_(places[k], places[k + 1]))

    return Let(turning_places(p, q), pairs)


def middle(piece: Term) -> Term:
    """Of the ends of a piece."""
    return (item(piece, 1) + item(piece, 2)) / 2


# Jacobians ----------------------------------------------------------------------------------------
@written(r"D_{{0}}({1})")
def slopes_at(m: Index, start: Term) -> Term:
    """D_l at any point, l from 1 to L; at a kink the slope to its right."""

    def of(pre: Term) -> Term:
        return vector(
            width(m),
            lambda i: When(pre[i] < 0, slope_left(neurons(m)[i]), slope_right(neurons(m)[i])),
        )

    return diag(Let(preactivations(m, start), of))


@written(r"Jf({0})")
def jacobian_at(start: Term) -> Term:
    """Jf at any point."""
    return Fold(ALL, eye(width(0)), lambda J, m: slopes_at(m, start) @ weight(m) @ J)
