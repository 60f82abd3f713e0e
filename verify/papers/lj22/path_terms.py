"""Paths in terms of the language: the entries of h, what is along a path, which ones there are.

Of (1): Z_p is 1 where all ReLUs on p are active, that is, have slope 1, and else 0. Where nu is
differentiable, the derivative of the tree networks in an input is known in closed form: of mu it is
Z_p, the product of all slopes along p, of mu' that times the signs of the weights on p
(docs/mathematics/lj22.md#path-sums).
"""

from __future__ import annotations

from collections.abc import Callable

from verify.language.building import (
    Filter,
    Prod,
    Some,
    Sum,
    The,
    When,
    card,
    edges_on,
    element,
    examples,
    grad,
    head,
    loss_slope,
    paths,
    slope,
    slope_left,
    start,
    upto,
    users,
    w,
    x,
    y,
)
from verify.language.terms import Term

Factor = Callable[[Term], Term]


# which paths -------------------------------------------------------------------------------------
def paths_through(v: Term) -> Term:
    """The paths through a vertex that is no input."""
    return Filter(paths(), lambda p: Some(edges_on(p), lambda e: head(e) == v))


def place_on(p: Term, v: Term) -> Term:
    """Which edge of a path ends at a vertex."""
    return The(upto(card(edges_on(p))), lambda k: head(edges_on(p)[k]) == v)


def over_paths_with(e: Term, summand: Factor) -> Term:
    """The sum over the paths that contain an edge."""
    return Sum(Filter(paths(), lambda p: element(e, edges_on(p))), lambda p: summand(p))


def over_paths_through(v: Term, summand: Factor) -> Term:
    """The sum over the paths through a vertex that is no input."""
    return Sum(paths_through(v), lambda p: summand(p))


# along a path ------------------------------------------------------------------------------------
def along(p: Term, factor: Factor) -> Term:
    """The product over the edges of a path."""
    return Prod(edges_on(p), lambda e: factor(e))


def along_others(p: Term, e: Term, factor: Factor) -> Term:
    """The product over the edges of a path but for one."""
    return Prod(Filter(edges_on(p), lambda f: f != e), lambda f: factor(f))


def x_of(p: Term, j: Term) -> Term:
    """x_p: the input at which a path begins, on an example."""
    return x(start(p), j)


def all_active(p: Term, j: Term) -> Term:
    """Z_p: whether all ReLUs on a path are active; of activations ReLU alone has slope 0 left
    of 0."""
    return along(p, lambda e: When(slope_left(head(e)) == 0, slope(head(e), j), 1))


def slopes_along(p: Term, j: Term) -> Term:
    """The derivative of the tree network mu in the input of a path."""
    return along(p, lambda e: slope(head(e), j))


# the risk ----------------------------------------------------------------------------------------
def mean(summand: Factor) -> Term:
    """The mean over the examples."""
    return Sum(examples(), lambda j: summand(j)) / card(examples())


def kappa(j: Term) -> Term:
    """l'(y_j nu(x_j)) y_j."""
    return loss_slope(j) * y(j)


def risk_slope(e: Term) -> Term:
    """dR/dw_e, by the parameter of an edge."""
    return mean(lambda j: kappa(j) * Sum(users(e), lambda f: grad(f, j)))


def size(e: Term) -> Term:
    """|w_e|."""
    return abs(w(e))


DERIVATIVE_OF_TREE = (
    "where no weight is 0 and $\\nu$ is differentiable, the derivative of the tree network in the "
    "input of a path is the product of the slopes along that path "
    "(docs/mathematics/lj22.md#path-sums)"
)
