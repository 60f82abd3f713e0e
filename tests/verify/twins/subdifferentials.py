"""Twin of Lemma 8 of LJ22: what is in the partial Clarke subdifferential of the tree network.

mu of Lemma 1 has a coordinate for each path p and a vertex for each vertex v of G with a path from
v to o; its arcs weigh the sign of what they weigh in G, and the coordinate p is multiplied by the
signs of the weights on p. So at h(x; w) the preactivation of a copy of v is z_v(x) times a positive
number, and where mu has a gradient, [gradient]_p is the product of the slopes of the neurons on p
(every sign stands there twice): 0 or 1. As these are the only limits, the projection of their hull
is known by which of the two are limits. Near h(x; w) the subtrees of different arcs into a vertex
move apart from each other.

A neuron can be raised (lowered) if near h(x; w) its preactivation in mu takes larger (smaller)
values. Something below has to move it: an input, along a walk through neurons that pass the motion
on, as a ReLU at 0 passes a raise alone, and one below 0 nothing.

0 is a limit if and only if a ReLU on p is below 0, or at 0 and can be lowered. (If no ReLU on p is
below 0 anywhere near, then the lowest one on p that is 0 on an open set would have a partial
derivative of 1 or -1 there, so there is none.)

1 is a limit if and only if every ReLU on p is above 0, or at 0 and can be raised. (From the input
on: let all before v on p be above 0 at points as near as one likes. What raises v is an arc beside
p, moved by much more than what is on p, or the arc on p, whose walk passes through neurons that are
then above 0, up to where it leaves p: again beside p.)
"""

from __future__ import annotations

from tests.verify.twins.section2 import is_linear, is_relu, same_pattern
from verify.language.building import (
    Each,
    Filter,
    Let,
    Map,
    Prod,
    Some,
    between,
    card,
    edges_on,
    element,
    examples,
    head,
    implies,
    inputs,
    paths,
    paths_to,
    sign,
    tail,
    tuple_,
    upto,
    w,
    z,
)
from verify.language.terms import Term


def walks(v: Term) -> Term:
    """From an input to v."""
    return Filter(paths_to(v), lambda walk: (card(walk) > 0) & element(tail(walk[1]), inputs()))


def can_move(v: Term, j: Term, way: int) -> Term:
    """Raised (way 1) or lowered (way -1)."""

    def passes(walk: Term, k: Term) -> Term:
        """The neuron in front of the k-th edge passes on what moves v that way."""
        own_way = way * Prod(between(k, card(walk)), lambda i: sign(w(walk[i])))
        u = tail(walk[k])
        return is_linear(u) | (z(u, j) > 0) | ((z(u, j) == 0) & (own_way > 0))

    return Some(walks(v), lambda walk: Each(between(2, card(walk)), lambda k: passes(walk, k)))


def zero_is_limit(p: Term, j: Term) -> Term:
    def says(v: Term) -> Term:
        return (z(v, j) < 0) | ((z(v, j) == 0) & can_move(v, j, -1))

    return Some(edges_on(p), lambda e: is_relu(head(e)) & says(head(e)))


def one_is_limit(p: Term, j: Term) -> Term:
    def says(v: Term) -> Term:
        return (z(v, j) > 0) | ((z(v, j) == 0) & can_move(v, j, 1))

    return Each(edges_on(p), lambda e: is_linear(head(e)) | says(head(e)))


def partial(p: Term) -> Term:
    """The projections to p of the subdifferentials at h(x_j; w), for each j."""
    return Map(examples(), lambda j: tuple_(zero_is_limit(p, j), one_is_limit(p, j)))


def same_patterns(p: Term, q: Term) -> Term:
    """Of equal length, neuron for neuron."""
    return (card(edges_on(p)) == card(edges_on(q))) & Each(
        upto(card(edges_on(p))),
        lambda k: same_pattern(head(edges_on(p)[k]), head(edges_on(q)[k])),
    )


TWINS: dict[str, Term] = {
    "lj22.lemma8@A1B1": Let(
        Map(paths(), partial),
        lambda found: Each(
            upto(card(paths())),
            lambda a: Each(
                upto(card(paths())),
                lambda b: implies(
                    (a < b) & same_patterns(paths()[a], paths()[b]), found[a] == found[b]
                ),
            ),
        ),
    ),
}
