"""Appendix F of the earlier version in terms: w(tau), d(w(tau)), and their sums over the steps."""

from __future__ import annotations

from collections.abc import Callable

from verify.language.building import (
    After,
    Each,
    Let,
    Some,
    Sum,
    The,
    card,
    edge,
    edges_on,
    examples,
    head,
    hidden,
    implies,
    into,
    out_of,
    sign,
    step_size,
    steps,
    tail,
    users,
    w,
)
from verify.language.terms import Term
from verify.papers.lj22.graph_terms import active, is_relu_or_linear, over_in, over_out
from verify.papers.lj22.path_terms import (
    Factor,
    along,
    along_others,
    kappa,
    mean,
    over_paths_through,
    over_paths_with,
    risk_slope,
    size,
    slopes_along,
    x_of,
)
from verify.papers.lj22.quotients import by_values
from verify.papers.lj22.sketch import at_each_edge, at_each_vertex
from verify.papers.lj22.tree_terms import OfTwo
from verify.statements.network_hypotheses import incident_learnable


def over_steps(summand: Term, power: int = 1) -> Term:
    """The sum over tau = 0, ..., t of eta(tau)^power times something at w(tau)."""

    def at(tau: Term) -> Term:
        rate = step_size(tau) if power == 1 else step_size(tau) ** power
        return rate * After(tau, summand)

    return Sum(steps(), at)


def at_the_end(what: Term) -> Term:
    """Something at w(t+1)."""
    return After(card(steps()), what)


def product(one: Term, other: Term) -> Term:
    """A product, or a square."""
    return one**2 if one is other else one * other


# one step, and all of them ------------------------------------------------------------------------
def one_step(says: Callable[[Term, Term, Term, Term], Term]) -> Term:
    """In each coordinate, at each step: of w(t), w(t+1), eta(t) and d(w(t))."""

    def at(t: Term, e: Term) -> Term:
        return says(After(t, w(e)), After(t + 1, w(e)), step_size(t), After(t, risk_slope(e)))

    return Each(steps(), lambda t: at_each_edge(lambda e: at(t, e)))


SCHEME = Each(
    steps(),
    lambda t: at_each_edge(
        lambda e: (
            After(t + 1, w(e)) - After(t, w(e))
            == -step_size(t) * After(t, Sum(users(e), by_values))
        )
    ),
)
"""(72), with the derivatives of the risk from its values; that in a parameter is the sum over the
edges that have it."""

ONE_STEP = {
    "73": one_step(lambda old, new, eta, d: new * old - old**2 == -eta * old * d),
    "74": one_step(lambda old, new, eta, d: new**2 + old**2 - 2 * new * old == eta**2 * d**2),
    "75": one_step(lambda old, new, eta, d: new**2 - old**2 - eta**2 * d**2 == -2 * eta * old * d),
}


def change(e: Term, f: Term) -> Term:
    """The change of w_e w_f from w(0) to w(t+1), without the sum of eta^2 d_e d_f."""
    slack = over_steps(product(risk_slope(e), risk_slope(f)), 2)
    weights = product(w(e), w(f))
    return at_the_end(weights) - After(0, weights) - slack


TELESCOPED = at_each_edge(lambda e: change(e, e) == -2 * over_steps(w(e) * risk_slope(e)))


# path sums ----------------------------------------------------------------------------------------
def d_of(p: Term) -> Term:
    """(1/n) sum_j d_{j,p} of (35), with the tree mu' of Lemma 5."""
    signs = along(p, lambda e: sign(w(e)))
    return mean(lambda j: kappa(j) * slopes_along(p, j) * signs * x_of(p, j) * along(p, size))


BY_PATHS = Each(
    steps(),
    lambda s: at_each_edge(
        lambda e: After(s, w(e) * risk_slope(e)) == After(s, over_paths_with(e, d_of))
    ),
)


def changes(some: Term) -> Term:
    """The changes of the squares of some weights."""
    return Sum(some, lambda e: change(e, e))


def through(v: Term) -> Term:
    """-2 sum_tau eta(tau) sum over the paths through v of (1/n) sum_j d_{j,p}."""
    return -2 * over_steps(over_paths_through(v, d_of))


AT_VERTEX = {
    "79": at_each_vertex(lambda v: changes(into(v)) == through(v)),
    "80": at_each_vertex(lambda v: through(v) == changes(out_of(v))),
    "80.b": at_each_vertex(lambda v: changes(into(v)) == changes(out_of(v))),
}


# pairs --------------------------------------------------------------------------------------------
def twins(u: Term, v: Term) -> Term:
    """Whether two vertices have the same in- and out-vertices."""

    def found(some: Term, others: Term, end: Factor) -> Term:
        every = Each(some, lambda e: Some(others, lambda f: end(f) == end(e)))
        return (card(some) == card(others)) & every

    return (u != v) & found(into(u), into(v), tail) & found(out_of(u), out_of(v), head)


def alike(u: Term, v: Term) -> Term:
    """Whether two vertices are ReLU or linear, with the same activation on each example at every
    step."""
    both = Each(examples(), lambda j: active(u, j) == active(v, j))
    return is_relu_or_linear(u) & is_relu_or_linear(v) & Each(steps(), lambda tau: After(tau, both))


def some_pair(which: OfTwo) -> Term:
    """Whether there are two such hidden vertices."""
    return Some(hidden(), lambda u: Some(hidden(), lambda v: which(u, v)))


def at_each_pair(says: OfTwo, which: OfTwo = twins) -> Term:
    """At every two such hidden vertices whose edges have parameters of their own."""

    def asked(u: Term, v: Term) -> Term:
        return which(u, v) & incident_learnable(u) & incident_learnable(v)

    return Each(hidden(), lambda u: Each(hidden(), lambda v: implies(asked(u, v), says(u, v))))


def crossed(e: Term, f: Term) -> Term:
    """w_f d_e + w_e d_f."""
    return w(f) * risk_slope(e) + w(e) * risk_slope(f)


def jagged(u: Term, v: Term, *, entering: bool, factor: Factor) -> Term:
    """The sum over the jagged paths of (1/n) sum_j d_{j,p}: paths through u or v in which the edge
    that enters that vertex (or leaves it) gives way to that of the other one. factor: the weights
    in the products, or their absolute values, with the tree mu or mu'."""

    def of(p: Term, e: Term, f: Term) -> Term:
        others = along_others(p, e, factor) * factor(f)
        if factor is size:
            others = along(p, lambda g: sign(w(g))) * others
        return mean(lambda j: kappa(j) * slopes_along(p, j) * x_of(p, j) * others)

    def through_one(one: Term, other: Term) -> Term:
        def exchanged(p: Term) -> Term:
            if entering:
                own = The(edges_on(p), lambda g: head(g) == one)
                return Let(own, lambda e: of(p, e, edge(tail(e), other)))
            own = The(edges_on(p), lambda g: tail(g) == one)
            return Let(own, lambda e: of(p, e, edge(other, head(e))))

        return over_paths_through(one, exchanged)

    return through_one(u, v) + through_one(v, u)


def first_pair(factor: int) -> Term:
    """(81) = (82), with a factor."""
    return at_each_pair(
        lambda u, v: over_in(u, v, change) == -factor * over_steps(over_in(u, v, crossed))
    )


def last_pair(factor: int) -> Term:
    """(84) = (85), with a factor."""
    return at_each_pair(
        lambda u, v: -factor * over_steps(over_out(u, v, crossed)) == over_out(u, v, change)
    )


def jagged_in(factor: Factor) -> Term:
    """(82) = (83)."""
    return at_each_pair(
        lambda u, v: (
            -2 * over_steps(over_in(u, v, crossed))
            == -2 * over_steps(jagged(u, v, entering=True, factor=factor))
        )
    )


def jagged_out(factor: Factor) -> Term:
    """(83) = (84)."""
    return at_each_pair(
        lambda u, v: (
            -2 * over_steps(jagged(u, v, entering=False, factor=factor))
            == -2 * over_steps(over_out(u, v, crossed))
        )
    )


def twins_alike(u: Term, v: Term) -> Term:
    """Twins with the same activation on each example at every step."""
    return twins(u, v) & alike(u, v)


def crossed_ends(which: OfTwo) -> Term:
    """(82) = (84)."""
    return at_each_pair(
        lambda u, v: (
            -2 * over_steps(over_in(u, v, crossed)) == -2 * over_steps(over_out(u, v, crossed))
        ),
        which,
    )


def changed_ends(which: OfTwo) -> Term:
    """(81) = (85)."""
    return at_each_pair(lambda u, v: over_in(u, v, change) == over_out(u, v, change), which)
