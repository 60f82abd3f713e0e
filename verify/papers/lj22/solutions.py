"""Solutions of the gradient flow that are known for all times, and what Corollary 1 supposes.

A case starts a ray s(t) w with s to infinity, or is at rest
(docs/mathematics/lj22.md#solutions-that-are-known-for-all-times). What is said
of late times is then said of w: on a ray quotients of norms and singular vectors are those at w, at
rest everything is.
"""

from __future__ import annotations

from functools import cache

from verify.cases.hypotheses import unchanged
from verify.kinds.solutions.rays import RAY, REST
from verify.language.building import (
    Chosen,
    Count,
    Each,
    Filter,
    Map,
    Rate,
    Some,
    Sum,
    card,
    distinct,
    edges,
    edges_on,
    element,
    examples,
    implies,
    inputs,
    learnable,
    loss_slope,
    nu,
    paths,
    upto,
    users,
    w,
    x,
    y,
)
from verify.language.terms import Term
from verify.papers.lj22.graph_terms import squares
from verify.statements import network_hypotheses as given
from verify.statements.stated import Given


def supposed(name: str, holds: Term, text: str) -> Given:
    """A hypothesis that the cases meet as they are drawn."""
    return Given(name, holds, text, unchanged, built_in=True)


# rays --------------------------------------------------------------------------------------------
SQUARES = squares(edges())
PULL = Sum(edges(), lambda e: w(e) * Rate(w(e)))


def margin(j: Term) -> Term:
    """y_j nu(x_j)."""
    return y(j) * nu(j)


def of_one_length(some: Term) -> Term:
    """Whether some paths all have the same number of edges."""
    return card(distinct(Map(some, lambda p: card(edges_on(p))))) <= 1


def with_zeros(count: int) -> Term:
    """The paths along which so many weights are 0."""
    return Filter(paths(), lambda p: Count(edges_on(p), lambda e: w(e) == 0) == count)


def through(some: Term, e: Term) -> Term:
    """Those of some paths that go along an edge with the parameter of e."""
    return Filter(some, lambda p: Some(users(e), lambda f: element(f, edges_on(p))))


GRADED = of_one_length(with_zeros(0)) & Each(
    edges(), lambda e: implies(w(e) == 0, of_one_length(through(with_zeros(1), e)))
)
"""The paths without a weight 0 have one length, and so have, for each parameter that is 0, those on
which it is the only one: on s w outputs and derivatives are powers of s times those on w."""

FALLING = (
    Each(edges(), lambda e: learnable(e))
    & Each(examples(), lambda j: loss_slope(j) < 0)
    & given.DIFFERENTIABLE.holds
)
IS_RAY = (
    FALLING
    & Each(examples(), lambda j: (margin(j) > 0) & (margin(j) == margin(examples()[1])))
    & (PULL > 0)
    & Each(edges(), lambda e: Rate(w(e)) * SQUARES == w(e) * PULL)
    & GRADED
)
"""All margins are equal and positive, and the weights change along themselves, outwards."""
IS_AT_REST = (
    FALLING & Some(examples(), lambda j: margin(j) != 0) & Each(edges(), lambda e: Rate(w(e)) == 0)
)
"""No weight changes, and some margin is not 0."""

KINDS = {
    RAY: ("a ray $s(t)w$ with $s\\to\\infty$", IS_RAY),
    REST: ("a point of rest of the logistic risk", IS_AT_REST),
}


@cache
def solution(*kinds: str) -> Given:
    """The case starts an exact solution of the gradient flow of one of the kinds, on which the
    weights keep their signs (Assumption 1) and the loss is differentiable (Assumption 3)."""
    words, holds = zip(*map(KINDS.__getitem__, kinds), strict=True)
    return supposed(
        "gradient flow, Assumptions 1 and 3",
        holds[0] if len(holds) == 1 else holds[0] | holds[1],
        r"$w(t)$ solves the gradient flow, keeps its signs, and the loss is differentiable; "
        f"decided on {' or '.join(words)}",
    )


# training ----------------------------------------------------------------------------------------
THETA = Chosen("theta", "seq[num]", "what separates the data")
SEPARABLE = supposed(
    "linearly separable data",
    (card(THETA) == card(inputs()))
    & Each(
        examples(),
        lambda j: y(j) * Sum(upto(card(THETA)), lambda k: THETA[k] * x(inputs()[k], j)) > 0,
    ),
    r"some $\theta$ has $y_i\langle\theta,x_i\rangle>0$ for all $i$",
)
NO_ZERO_LIMIT = supposed(
    "limit direction without zeros",
    given.NONZERO_WEIGHTS.holds,
    r"the limiting direction of the weight vector has no entry $0$",
)
RISK_BELOW = supposed(
    "small initial risk",
    (Sum(examples(), lambda j: -loss_slope(j) * margin(j)) >= 0)
    & Some(examples(), lambda j: margin(j) != 0),
    r"logistic loss, $\mathcal R(w(0))<\ell(0)$ with $\mathcal R=\frac1n\sum_i\ell(y_i\nu(x_i))$: "
    r"as $\ell$ is strictly convex, this is so where $\sum_i-\ell'(y_i\nu(x_i))y_i\nu(x_i)\ge0$ "
    "and not all of the margins are 0",
)
SUM_BELOW = supposed(
    "small initial sum of losses",
    Each(examples(), lambda j: margin(j) > 0),
    r"logistic loss, $\sum_i\ell(y_i\nu(x_i;w(0)))<\ell(0)$, so that every margin is positive",
)
NETWORK = (given.FEEDFORWARD, given.HOMOGENEOUS, given.BIAS_FREE, given.DATA)
