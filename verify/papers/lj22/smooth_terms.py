"""Appendix F of the earlier version in terms: descents whose step sizes come from smoothness
constants of the risk, with a polynomial loss, on fully connected linear networks.

The case holds the constants beta(0), ..., beta(t), the coefficients of the loss, constant first,
and polynomials of which the loss is the sum of the squares.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from verify.language.building import (
    After,
    Chosen,
    Each,
    Filter,
    Let,
    Max,
    Some,
    Sum,
    When,
    between,
    card,
    edges,
    edges_on,
    examples,
    head,
    implies,
    inputs,
    into,
    larger,
    learnable,
    loss_slope,
    nu,
    out_of,
    paths,
    smaller,
    start,
    step_size,
    steps,
    tail,
    upto,
    w,
    x,
    y,
)
from verify.language.terms import Term
from verify.papers.lj22.path_terms import mean, over_paths_with, risk_slope

BETA = Chosen("beta", "seq[num]", "the constants, one for each step")
LOSS = Chosen("loss", "seq[num]", "the coefficients of the loss, the constant first")
SQUARES = Chosen("squares", "seq[seq[num]]", "polynomials of whose squares the loss is the sum")
HALF = Fraction(1, 2)


def beta(tau: Term) -> Term:
    """The constant of a step."""
    return BETA[tau + 1]


# the loss and the risk ----------------------------------------------------------------------------
def loss(z: Term) -> Term:
    """l(z)."""
    return Sum(upto(card(LOSS)), lambda k: LOSS[k] * z ** (k - 1))


def slope_of_loss(z: Term) -> Term:
    """l'(z)."""
    return Sum(upto(card(LOSS) - 1), lambda k: k * LOSS[k + 1] * z ** (k - 1))


POLYNOMIAL = (card(LOSS) >= 1) & Each(
    steps(),
    lambda tau: After(
        tau, Each(examples(), lambda j: loss_slope(j) == slope_of_loss(y(j) * nu(j)))
    ),
)
"""The slopes are those of the loss, at every step."""


def risk() -> Term:
    """R(w)."""
    return mean(lambda j: loss(y(j) * nu(j)))


def square() -> Term:
    """||d(w)||^2."""
    return Sum(Filter(edges(), lambda e: learnable(e)), lambda e: risk_slope(e) ** 2)


IS_SUM_OF_SQUARES = Each(
    upto(card(LOSS)),
    lambda k: (
        LOSS[k]
        == Sum(
            SQUARES,
            lambda q: Sum(
                upto(card(q)),
                lambda i: When((i <= k) & (k - i < card(q)), q[i] * q[k - i + 1], 0),
            ),
        )
    ),
) & Each(SQUARES, lambda q: 2 * card(q) - 1 <= card(LOSS))


# how fast the gradient changes --------------------------------------------------------------------
def leads_alike(u: Term, v: Term) -> Term:
    """Whether two vertices have the same out-vertices."""
    every = Each(out_of(u), lambda e: Some(out_of(v), lambda f: head(f) == head(e)))
    return (card(out_of(u)) == card(out_of(v))) & every


FULLY_CONNECTED = (
    Each(inputs(), lambda u: Each(inputs(), lambda v: leads_alike(u, v)))
    & Each(edges(), lambda e: Each(into(head(e)), lambda f: leads_alike(tail(e), tail(f))))
    & Each(edges(), lambda e: Each(out_of(tail(e)), lambda f: leads_alike(head(e), head(f))))
)
"""All inputs have the same out-vertices, and so have all in-vertices of a vertex, and all
out-vertices of one: a graph without cycles is then fully connected, layer by layer."""


STEP_RULE = (
    (card(BETA) == card(steps()))
    & (card(steps()) >= 1)
    & Each(
        steps(),
        lambda tau: (beta(tau) > 0) & (step_size(tau) == smaller(1, 1 / beta(tau))),
    )
)


def radius_square() -> Term:
    """R^2, the largest squared Frobenius norm of a layer; that of an edge has the edges into the
    vertices to which its tail leads."""

    def of_layer(e: Term) -> Term:
        return Sum(out_of(tail(e)), lambda g: Sum(into(head(g)), lambda f: w(f) ** 2))

    return Max(edges(), of_layer)


def curvature_holds(e: Term, q: Term, largest: Term) -> Term:
    """Whether a row of the Hessian of the risk, where no weight is larger than the root r of q, has
    entries of which the sizes add up to no more than `largest`.

    With N(r) = sum_p |x_p| r^|p| and its derivatives N_e, N_ef (the terms of the paths through
    these edges, one factor r less for each) and |l'|, |l''| the derivatives of the loss with
    absolute values of its coefficients: |d2 R/dw_e dw_f| is at most the mean over the examples of
    |l''|(N) N_e N_f + |l'|(N) N_ef. The largest row sum bounds the norm of a symmetric matrix.
    """

    def power(k: Term) -> Term:
        return q ** (k / 2)  # of r; rational for even k

    def length(p: Term) -> Term:
        return card(edges_on(p))

    def of(j: Term) -> Term:
        def size(p: Term) -> Term:
            return abs(x(start(p), j))

        whole = Sum(paths(), lambda p: size(p) * power(length(p)))
        through = over_paths_with(e, lambda p: size(p) * power(length(p) - 1))
        every = Sum(paths(), lambda p: length(p) * size(p) * power(length(p) - 1))
        twice = over_paths_with(
            e,
            lambda p: When(length(p) > 1, (length(p) - 1) * size(p) * power(length(p) - 2), 0),
        )
        return Let(whole, lambda n: bend(n) * through * every + steep(n) * twice)

    return mean(of) <= largest


def steep(n: Term) -> Term:
    """|l'|(n)."""
    return Sum(upto(card(LOSS) - 1), lambda k: k * abs(LOSS[k + 1]) * n ** (k - 1))


def bend(n: Term) -> Term:
    """|l''|(n)."""
    return Sum(between(2, card(LOSS) - 1), lambda k: k * (k - 1) * abs(LOSS[k + 1]) * n ** (k - 2))


def smooth(*, reach: bool) -> Term:
    """Whether beta(tau) bounds the Hessian on the ball of w(tau); reach: on one that holds also
    w(tau+1)."""

    def largest(tau: Term) -> Term:
        here = After(tau, radius_square())
        return larger(here, After(tau + 1, radius_square())) if reach else here

    at_each_step = Each(
        steps(),
        lambda tau: Let(
            largest(tau),
            lambda q: Each(edges(), lambda e: curvature_holds(e, q, beta(tau))),
        ),
    )
    return (card(BETA) == card(steps())) & at_each_step


# (86) to (90) -------------------------------------------------------------------------------------
def right_side(tau: Term) -> Term:
    """<d, -eta d> + beta eta^2/2 ||d||^2."""
    rate, d2 = step_size(tau), After(tau, square())
    return -rate * d2 + beta(tau) * rate**2 / 2 * d2


def half(tau: Term) -> Term:
    """-eta/2 ||d||^2."""
    return -step_size(tau) / 2 * After(tau, square())


def fall(tau: Term, since: Term | int) -> Term:
    """R(w(tau+1)) less R at an earlier step."""
    return After(tau + 1, risk()) - After(since, risk())


def weighed(t: Term, power: int) -> Term:
    """-1/2 times the sum over tau = 0, ..., t of eta(tau)^power ||d(w(tau))||^2."""

    def rate(tau: Term) -> Term:
        return step_size(tau) if power == 1 else step_size(tau) ** power

    return -HALF * Sum(between(0, t), lambda tau: rate(tau) * After(tau, square()))


def product(e: Term, f: Term) -> Term:
    """|sum over tau of eta(tau)^2 [d]_e [d]_f|."""
    return abs(
        Sum(
            steps(),
            lambda tau: step_size(tau) ** 2 * After(tau, risk_slope(e) * risk_slope(f)),
        )
    )


def at_each_two(says: Callable[[Term, Term], Term], *, distinct: bool) -> Term:
    """For edges e, f."""

    def at(e: Term, f: Term) -> Term:
        both = learnable(e) & learnable(f)
        return implies(both & (e != f) if distinct else both, says(e, f))

    return Each(edges(), lambda e: Each(edges(), lambda f: at(e, f)))


DESCENT_STEP = Each(steps(), lambda tau: fall(tau, tau) <= right_side(tau))
VALUE = Each(steps(), lambda tau: right_side(tau) == half(tau))
BOUND = Each(steps(), lambda tau: right_side(tau) <= half(tau))
ABOVE = Each(steps(), lambda t: -After(0, risk()) <= fall(t, 0))
SUMMED = Each(steps(), lambda t: fall(t, 0) <= weighed(t, 1))
SIZES = Each(steps(), lambda t: weighed(t, 1) <= weighed(t, 2))


def products(*, distinct: bool) -> Term:
    """(90)."""
    return at_each_two(
        lambda e, f: weighed(card(steps()) - 1, 2) <= -product(e, f), distinct=distinct
    )


def by_risk(*, distinct: bool) -> Term:
    """(88), (89) and (90) together."""
    return at_each_two(lambda e, f: product(e, f) <= After(0, risk()), distinct=distinct)
