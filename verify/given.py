"""Hypotheses of claims about networks, as terms of the language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from verify import network_hypotheses, point_hypotheses
from verify.breaks import onto_a_kink, other_labels
from verify.hypotheses import Hypothesis, unchanged
from verify.language.building import (
    Count,
    Each,
    Filter,
    Rate,
    Some,
    Sum,
    When,
    card,
    edges,
    edges_on,
    element,
    examples,
    head,
    held,
    hidden,
    implies,
    inputs,
    into,
    learnable,
    loss_slope,
    matrix,
    nu,
    out_of,
    outputs,
    paths,
    post,
    rank,
    sensitivity,
    slope,
    slope_left,
    slope_right,
    tail,
    upto,
    users,
    vertices,
    w,
    x,
    y,
    z,
)
from verify.language.terms import Term
from verify.stated import Given


def as_term(old: Hypothesis, holds: Term) -> Given:
    """A hypothesis as a term, met and broken as it is elsewhere."""
    return Given(old.name, holds, old.statement, old.repair, old.break_)


def off_inputs(says: Callable[[Term], Term]) -> Term:
    """Whether something is true of every vertex that is no input."""
    return Each(hidden(), lambda v: says(v)) & Each(outputs(), lambda v: says(v))


# the network -------------------------------------------------------------------------------------
FEEDFORWARD = as_term(
    network_hypotheses.FEEDFORWARD,
    (card(outputs()) == 1)
    & Each(outputs(), lambda v: card(out_of(v)) == 0)
    & (Count(vertices(), lambda v: card(out_of(v)) == 0) == 1),
)
HOMOGENEOUS = as_term(  # where it is not, there are no two slopes, and the term has no value
    network_hypotheses.HOMOGENEOUS,
    off_inputs(lambda v: (slope_left(v) == slope_left(v)) & (slope_right(v) == slope_right(v))),
)
RELU_OR_LINEAR = as_term(
    network_hypotheses.RELU_OR_LINEAR,
    off_inputs(
        lambda v: ((slope_left(v) == 0) | (slope_left(v) == 1)) & (slope_right(v) == 1),
    ),
)
BIAS_FREE = as_term(network_hypotheses.BIAS_FREE, Each(inputs(), lambda v: ~held(v)))


def own(e: Term) -> Term:
    """Whether an edge has a parameter of its own."""
    return card(users(e)) == 1


def among(some: Term, others: Term, end: Callable[[Term], Term]) -> Term:
    """Each of some edges ends where one of others does."""
    return Each(some, lambda e: Some(others, lambda f: end(f) == end(e)))


def same_neighbours(u: Term, v: Term) -> Term:
    """Two vertices have the same in-neighbours and the same out-neighbours."""
    arriving = among(into(u), into(v), tail) & among(into(v), into(u), tail)
    return arriving & (among(out_of(u), out_of(v), head) & among(out_of(v), out_of(u), head))


DEPTH = card(edges_on(paths()[1]))
FULLY_CONNECTED = as_term(  # a layer: the in-neighbours of one vertex; all paths go through all
    network_hypotheses.FULLY_CONNECTED,
    Each(
        edges(),
        lambda e: Each(
            edges(),
            lambda f: implies(head(e) == head(f), same_neighbours(tail(e), tail(f))),
        ),
    )
    & Each(paths(), lambda p: card(edges_on(p)) == DEPTH),
)
OWN_PARAMETERS = as_term(
    network_hypotheses.OWN_PARAMETERS, Each(edges(), lambda e: implies(learnable(e), own(e)))
)
ALL_LEARNABLE = as_term(network_hypotheses.ALL_LEARNABLE, Each(edges(), lambda e: learnable(e)))

# the weights and the data ------------------------------------------------------------------------
NONZERO_WEIGHTS = as_term(point_hypotheses.NONZERO_WEIGHTS, Each(edges(), lambda e: w(e) != 0))


def without_kink(v: Term) -> Term:
    """Whether the activation of a vertex has one slope on every example: none is chosen there,
    of a dormant vertex either, since ReLU has two."""
    smooth = slope_left(v) == slope_right(v)
    return Each(examples(), lambda j: implies(z(v, j) == 0, smooth))


DIFFERENTIABLE = as_term(point_hypotheses.DIFFERENTIABLE, off_inputs(without_kink))
ACTIVITIES_CONSTANT = replace(
    DIFFERENTIABLE,
    text=r"$\nu$ and the $Z_p$ are differentiable at $w$: no ReLU has preactivation $0$",
    break_=onto_a_kink,
)

_LABELLED = Each(examples(), lambda j: (y(j) == 1) | (y(j) == -1))
LABELS = Given("labels", _LABELLED, r"$y_i\in\{-1,1\}$", unchanged, other_labels)
DATA = as_term(
    point_hypotheses.DATA,
    Each(
        examples(),
        lambda j: Sum(Filter(inputs(), lambda v: ~held(v)), lambda v: x(v, j) ** 2) <= 1,
    )
    & _LABELLED,
)
DIFFERENTIABLE_LOSS = replace(
    as_term(
        point_hypotheses.DIFFERENTIABLE_LOSS,
        Each(
            examples(),
            lambda i: Each(
                upto(i - 1),
                lambda j: implies(y(i) * nu(i) == y(j) * nu(j), loss_slope(i) == loss_slope(j)),
            ),
        ),
    ),
    break_=None,
    built_in=True,
)
"""Prescribed slopes are those of one loss: else it is no case."""


# the flow at kinks ------------------------------------------------------------------------------
def at_kink(v: Term, j: Term) -> Term:
    """Whether the pre-activation of a vertex is at its kink on an example."""
    return (z(v, j) == 0) & (slope_left(v) != slope_right(v))


def may_switch_off(v: Term) -> Term:
    """Whether some in-weights, however small, make the pre-activation negative on all examples:
    one in-neighbour has one sign on all of them, or the examples are independent at the
    in-neighbours."""

    def entering(i: Term, j: Term) -> Term:
        return post(tail(into(v)[i]), j)

    one = Some(
        into(v),
        lambda e: (
            Each(examples(), lambda j: post(tail(e), j) > 0)
            | Each(examples(), lambda j: post(tail(e), j) < 0)
        ),
    )
    return one | (rank(matrix(card(into(v)), card(examples()), entering)) == card(examples()))


def asleep(v: Term) -> Term:
    """Whether the in-weights of a ReLU are 0 and stay 0, with the slope 0."""
    resting = Each(into(v), lambda e: (w(e) == 0) & own(e))
    silent = Each(examples(), lambda j: slope(v, j) == 0)
    return (slope_left(v) == 0) & (slope_right(v) != 0) & resting & silent & may_switch_off(v)


def slides(v: Term, j: Term) -> Term:
    """Whether the flow slides along the one kink of the case: both branches push towards it, and
    with the slope that is chosen the pre-activation does not move."""

    def kinks(some: Term) -> Term:
        return Sum(some, lambda u: Count(examples(), lambda i: at_kink(u, i)))

    left, right, chosen = slope_left(v), slope_right(v), slope(v, j)
    onward = Sum(out_of(v), lambda e: w(e) * sensitivity(head(e), j))  # dnu / d post-activation
    through = When(element(v, outputs()), 1, onward)
    towards = (right - left) * loss_slope(j) * y(j) * through
    return (
        (kinks(hidden()) + kinks(outputs()) == 1)
        & ((chosen - left) * (right - chosen) > 0)
        & (towards > 0)
        & (Rate(z(v, j)) == 0)
    )


FLOW_SELECTION = replace(
    as_term(
        point_hypotheses.FLOW_SELECTION,
        off_inputs(
            lambda v: Each(examples(), lambda j: implies(at_kink(v, j), asleep(v) | slides(v, j)))
        ),
    ),
    break_=onto_a_kink,  # no other flow can be said
)
STABLE_SIGNS = as_term(
    point_hypotheses.STABLE_SIGNS,
    Each(edges(), lambda e: implies(learnable(e), (w(e) != 0) | asleep(head(e)))),
)


# the vertex at hand ------------------------------------------------------------------------------
def where_learnable(e: Term, says: Term) -> Term:
    """What is said of the parameter of an edge."""
    return implies(learnable(e), says)


def incident_learnable(v: Term) -> Term:
    """Whether every edge at a vertex is learnable, with a parameter of its own."""
    return Each(into(v), lambda e: own(e)) & Each(out_of(v), lambda e: own(e))
