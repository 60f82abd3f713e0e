"""Hypotheses of claims about networks, as terms of the language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from graphs.activations import LINEAR, RELU
from verify.cases.breaks import (
    add_bias,
    far_data,
    one_leaky,
    one_smooth,
    onto_a_kink,
    other_labels,
    second_sink,
    skip_a_layer,
    zero_weight,
)
from verify.cases.hypotheses import unchanged
from verify.cases.sliding import into_a_slide
from verify.cases.transformations import (
    freeze_edge,
    into_the_ball,
    map_inner_activations,
    nonzero_weights,
    tie_edges,
    with_one_loss,
)
from verify.core.claim import Claim, Kind
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
from verify.statements.stated import Given


def off_inputs(says: Callable[[Term], Term]) -> Term:
    """Whether something is true of every vertex that is no input."""
    return Each(hidden(), lambda v: says(v)) & Each(outputs(), lambda v: says(v))


# the network -------------------------------------------------------------------------------------
FEEDFORWARD = Given(
    "feedforward, one output",
    (card(outputs()) == 1)
    & Each(outputs(), lambda v: card(out_of(v)) == 0)
    & (Count(vertices(), lambda v: card(out_of(v)) == 0) == 1),
    r"$G$ is a directed acyclic graph with exactly one sink, the output $o$",
    unchanged,
    second_sink,
)
HOMOGENEOUS = Given(  # where it is not, there are no two slopes, and the term has no value
    "positively homogeneous activations",
    off_inputs(lambda v: (slope_left(v) == slope_left(v)) & (slope_right(v) == slope_right(v))),
    r"$\sigma_v(\lambda z)=\lambda\sigma_v(z)$ for every $\lambda>0$ and every vertex $v$",
    lambda case, random: map_inner_activations(
        case, lambda kind: kind if kind.homogeneous else RELU, outputs=True
    ),
    one_smooth,
)
RELU_OR_LINEAR = Given(
    "ReLU or linear",
    off_inputs(
        lambda v: ((slope_left(v) == 0) | (slope_left(v) == 1)) & (slope_right(v) == 1),
    ),
    "every activation is ReLU or linear",
    lambda case, random: map_inner_activations(
        case, lambda kind: kind if kind in (RELU, LINEAR) else RELU, outputs=True
    ),
    one_leaky,
)
BIAS_FREE = Given(
    "bias-free",
    Each(inputs(), lambda v: ~held(v)),
    "no additive constants",
    unchanged,
    add_bias,
)


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
FULLY_CONNECTED = Given(  # a layer: the in-neighbours of one vertex; all paths go through all
    "fully connected",
    Each(
        edges(),
        lambda e: Each(
            edges(),
            lambda f: implies(head(e) == head(f), same_neighbours(tail(e), tail(f))),
        ),
    )
    & Each(paths(), lambda p: card(edges_on(p)) == DEPTH),
    r"$uv\in E$ iff $u\in V_i$ and $v\in V_{i+1}$ for some $i$",
    unchanged,
    skip_a_layer,
)
OWN_PARAMETERS = Given(
    "own parameters",
    Each(edges(), lambda e: implies(learnable(e), own(e))),
    "each learnable edge has a parameter of its own",
    unchanged,
    tie_edges,
)
ALL_LEARNABLE = Given(
    "all weights learnable",
    Each(edges(), lambda e: learnable(e)),
    r"every weight of the network is learnable: $\bar E=E$",
    unchanged,
    freeze_edge,
)

# the weights and the data ------------------------------------------------------------------------
NONZERO_WEIGHTS = Given(
    "no zero weight",
    Each(edges(), lambda e: w(e) != 0),
    r"signs of the weights constant near $w$: no weight is 0",
    nonzero_weights,
    zero_weight,
)


def without_kink(v: Term) -> Term:
    """Whether the activation of a vertex has one slope on every example: none is chosen there,
    of a dormant vertex either, since ReLU has two."""
    smooth = slope_left(v) == slope_right(v)
    return Each(examples(), lambda j: implies(z(v, j) == 0, smooth))


DIFFERENTIABLE = Given(
    "differentiable",
    off_inputs(without_kink),
    r"$\nu$ is differentiable at $w$ on every example: no pre-activation is at a kink",
    unchanged,
    onto_a_kink,
)
ACTIVITIES_CONSTANT = replace(
    DIFFERENTIABLE,
    text=r"$\nu$ and the $Z_p$ are differentiable at $w$: no ReLU has preactivation $0$",
)

_LABELLED = Each(examples(), lambda j: (y(j) == 1) | (y(j) == -1))
LABELS = Given("labels", _LABELLED, r"$y_i\in\{-1,1\}$", unchanged, other_labels)
DATA = Given(
    "data",
    Each(
        examples(),
        lambda j: Sum(Filter(inputs(), lambda v: ~held(v)), lambda v: x(v, j) ** 2) <= 1,
    )
    & _LABELLED,
    r"$\lVert x_i\rVert\le 1$ and $y_i\in\{-1,1\}$",
    into_the_ball,
    far_data,
)
DIFFERENTIABLE_LOSS = Given(
    "differentiable loss (Assumption 3)",
    Each(
        examples(),
        lambda i: Each(
            upto(i - 1),
            lambda j: implies(y(i) * nu(i) == y(j) * nu(j), loss_slope(i) == loss_slope(j)),
        ),
    ),
    r"the loss $\ell$ is differentiable everywhere",
    lambda case, random: with_one_loss(case),
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


FLOW_SELECTION = Given(
    "gradient flow",
    off_inputs(
        lambda v: Each(examples(), lambda j: implies(at_kink(v, j), asleep(v) | slides(v, j)))
    ),
    r"$\dot w\in-\partial\mathcal R(w)$, with the Clarke element that the flow selects: where no "
    r"pre-activation is at a kink the gradient; at a ReLU vertex whose in-weights are all 0 also "
    r"the element with slope 0 there, since its in-weights then stay 0 for all time; where a "
    r"single preactivation is 0 on one example and both branches push towards it, the element "
    r"under which it stays 0: there the flow slides",
    into_a_slide,
    onto_a_kink,  # no other flow can be said
)
STABLE_SIGNS = Given(
    "stable signs (Assumption 1)",
    Each(edges(), lambda e: implies(learnable(e), (w(e) != 0) | asleep(head(e)))),
    r"$\mathrm{sgn}(w(t))$ is constant on the time interval considered",
    nonzero_weights,
    zero_weight,
)


def speaks_of_kinks(claim: Claim) -> bool:
    """Whether the claim is a law that is not restricted to points of differentiability."""
    names = [hypothesis.name for hypothesis in claim.hypotheses]
    return claim.kind is Kind.LAW and DIFFERENTIABLE.name not in names


# the vertex at hand ------------------------------------------------------------------------------
def where_learnable(e: Term, says: Term) -> Term:
    """What is said of the parameter of an edge."""
    return implies(learnable(e), says)


def incident_learnable(v: Term) -> Term:
    """Whether every edge at a vertex is learnable, with a parameter of its own."""
    return Each(into(v), lambda e: own(e)) & Each(out_of(v), lambda e: own(e))
