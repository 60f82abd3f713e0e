"""What Section 2, Definition 7 and Lemma 8 of LJ22 define, written from the print for the twins.

I, o: inputs and output. IN_v, OUT_v: `into(v)`, `out_of(v)`. p in P: `paths()`, with edges
`edges_on(p)`. x_p: the coordinate of x used in p.
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
    edges,
    edges_on,
    examples,
    grad,
    head,
    hidden,
    implies,
    into,
    learnable,
    loss_slope,
    minus,
    out_of,
    outputs,
    slope_left,
    slope_right,
    tail,
    users,
    y,
    z,
)
from verify.language.terms import Term

LEARNABLE = Filter(edges(), lambda e: learnable(e))


def the_output() -> Term:
    """o."""
    return outputs()[1]


def mean(term: Callable[[Term], Term]) -> Term:
    """1/n times the sum over the examples."""
    return Sum(examples(), term) / card(examples())


def risk_slope(e: Term) -> Term:
    """dR/dw_e, by the chain rule: the weight of e may stand at other edges too."""
    return mean(lambda j: Sum(users(e), lambda f: loss_slope(j) * y(j) * grad(f, j)))


def on_path(v: Term, p: Term) -> Term:
    """v in p: there is a vertex u with uv in p or vu in p."""
    return Some(edges_on(p), lambda e: (tail(e) == v) | (head(e) == v))


def is_relu(v: Term) -> Term:
    return (slope_left(v) == 0) & (slope_right(v) == 1)


def is_linear(v: Term) -> Term:
    return (slope_left(v) == 1) & (slope_right(v) == 1)


def is_active(v: Term, j: Term) -> Term:
    """Of a ReLU or linear neuron: linear, or of nonnegative preactivation."""
    return is_linear(v) | (z(v, j) >= 0)


def same_set(one: Term, other: Term) -> Term:
    """Whether two lists have the same elements."""
    return (card(minus(one, other)) == 0) & (card(minus(other, one)) == 0)


def tails(v: Term) -> Term:
    """IN_v."""
    return Map(into(v), lambda e: tail(e))


def heads(v: Term) -> Term:
    """OUT_v."""
    return Map(out_of(v), lambda e: head(e))


def equal_neighbourhoods(u: Term, v: Term) -> Term:
    """IN_u = IN_v and OUT_u = OUT_v."""
    return same_set(tails(u), tails(v)) & same_set(heads(u), heads(v))


def own_weight(e: Term) -> Term:
    """Learnable: w has a coordinate for e, and (weight sharing being Lemma 9) for e alone."""
    return card(users(e)) == 1


def incident_learnable(v: Term) -> Term:
    """All edges incident to v have learnable weights."""
    return Each(into(v), own_weight) & Each(out_of(v), own_weight)


def each_vertex(says: Callable[[Term], Term]) -> Term:
    """For all v off I and O such that all edges incident to v have learnable weights."""
    return Each(Filter(hidden(), incident_learnable), says)


def each_pair(says: Callable[[Term, Term], Term]) -> Term:
    """For all such vertices u and v, two of them, with equal neighbourhoods."""
    return each_vertex(
        lambda u: each_vertex(lambda v: implies((u != v) & equal_neighbourhoods(u, v), says(u, v)))
    )


def same_pattern(u: Term, v: Term) -> Term:
    """Of ReLU and linear neurons: on each example both are active, or neither is."""
    return (
        (is_relu(u) | is_linear(u))
        & (is_relu(v) | is_linear(v))
        & Each(examples(), lambda j: is_active(u, j) == is_active(v, j))
    )
