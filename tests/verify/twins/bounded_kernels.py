"""Twins of what is called false of Corollary 8 and of the proof of Theorem 16, from the print.

Matrices are made vertex by vertex, as of the weights in the bottleneck; singular values one by one,
the tangent kernel as a sum over edges."""

from __future__ import annotations

from collections.abc import Callable

from lemmata import (
    Each,
    Filter,
    Fold,
    Let,
    Map,
    Max,
    Min,
    Number,
    Prod,
    Sorted,
    Sum,
    When,
    card,
    column,
    examples,
    exp,
    eye,
    frob2,
    head,
    implies,
    into,
    log,
    matrix,
    out_of,
    post,
    rows,
    singular,
    slope,
    sqrt,
    tail,
    upto,
    w,
    z,
)
from tests.verify.twins.bottleneck_weights import (
    L,
    alone,
    c1,
    free,
    k,
    n,
    onto,
    p,
    place,
    sums,
    weight,
)
from verify.language.terms import Term

gap2 = Number("gap2")
N = card(examples())
layers = upto(L)


# Jacobians at a point -----------------------------------------------------------------------------
def alpha(h: Term, x: Term) -> Term:
    """J alpha_l."""

    def passed(M: Term, m: Term) -> Term:
        return Let(
            sums(m, M),
            lambda S: matrix(rows(S), card(n(0)), lambda i, j: slope(n(m)[i], x) * S[i, j]),
        )

    return Fold(upto(h), eye(card(n(0))), passed)


def alpha_tilde(h: Term, x: Term) -> Term:
    """J alpha~_l."""
    return Let(alpha(h - 1, x), lambda M: sums(h, M))


def tilde_to_f(h: Term, x: Term) -> Term:
    """J(alpha~_l -> f), from the outputs down."""

    def lower(M: Term, t: Term) -> Term:
        m = L - t

        def entry(i: Term, j: Term) -> Term:
            leaving = out_of(n(m)[j])
            through = Sum(leaving, lambda e: M[i, place(head(e), n(m + 1))] * w(e))
            return through * slope(n(m)[j], x)

        return matrix(rows(M), card(n(m)), entry)

    return Fold(upto(L - h), eye(card(n(L))), lower)


def size(A: Term, exponent: Term) -> Term:
    """|A|_+ to a power."""
    return Let(above_0(A), lambda s: Prod(s, lambda t: t**exponent))


def above_0(A: Term) -> Term:
    return Filter(singular(A), lambda t: t > 0)


def schatten(A: Term, q: Term) -> Term:
    return Let(above_0(A), lambda s: Sum(s, lambda t: t**q))


def Jf(x: Term) -> Term:  # noqa: N802 - as in the paper
    return alpha(L, x)


# the proof of Theorem 16 --------------------------------------------------------------------------
def of_layers(says: Callable[[Term, Term], Term]) -> Term:
    return Each(examples(), lambda x: Each(layers, lambda h: says(h, x)))


def share(h: Term, x: Term) -> Term:
    return schatten(alpha_tilde(h, x), 2 / L) / k


def average(h: Term) -> Term:
    """Over the edges, without those of biases."""

    def square(m: Term) -> Term:
        return Sum(n(m), lambda v: Sum(free(v), lambda e: w(e) ** 2))

    return Sum(upto(h), square) / (k * h)


def multiplied(h: Term, x: Term) -> Term:
    kept = tilde_to_f(h, x) @ onto(alpha_tilde(h, x))
    return (size(kept, 1) * size(alpha_tilde(h, x), 1)) ** 2 == size(Jf(x), 1) ** 2


def by_power(h: Term, x: Term) -> Term:
    return k * size(Jf(x), 2 / k) * (1 + c1 / L) ** (-h)


def quotient_by_power(h: Term, x: Term) -> Term:
    quotient = k * size(Jf(x), 2 / k) / size(alpha_tilde(h, x), 2 / k)
    return implies(L + c1 > 0, quotient >= by_power(h, x))


def power_by_exponential(h: Term, x: Term) -> Term:
    right = k * size(Jf(x), 2 / k) * exp(-(h * c1) / (L * k))
    return implies(L + c1 > 0, by_power(h, x) >= right)


# Corollary 8 --------------------------------------------------------------------------------------
def after(h: Term) -> Term:
    """alpha_l(X), a row for each point."""
    return matrix(N, card(n(h)), lambda x, i: post(n(h)[i], x))


def next_value(A: Term) -> Term:
    """s_(k+1)."""
    return Let(singular(A), lambda s: When(card(s) > k, s[k + 1], 0))


def represented(h: Term) -> Term:
    return next_value(matrix(N, card(n(h)), lambda x, i: z(n(h)[i], x))) / sqrt(N)


def product(h: Term) -> Term:
    return next_value(weight(h)) * singular(after(h - 1))[1] / sqrt(N)


def kernel(x: Term) -> Term:
    """By the derivatives in each weight and each bias: over edges, and over outputs."""

    def at(h: Term, i: Term) -> Term:
        behind = frob2(column(tilde_to_f(h, x), i))
        return Sum(into(n(h)[i]), lambda e: post(tail(e), x) ** 2) * behind

    return Sum(layers, lambda h: Sum(upto(card(n(h))), lambda i: at(h, i)))


traced = Sum(examples(), kernel) / N + gap2
sizes = Map(examples(), lambda x: size(Jf(x), 2 / k))
excess = c1 - k * log(Max(upto(N), lambda i: sizes[i]))


def mean(growth: Term) -> Term:
    return Sum(upto(N), lambda i: traced * growth / (k * sizes[i])) / N


def shifted(h: Term) -> Term:
    """How far alpha~ is from W alpha, squared."""

    def at(v: Term, x: Term) -> Term:
        return (z(v, x) - Sum(free(v), lambda e: w(e) * post(tail(e), x))) ** 2

    return Sum(examples(), lambda x: Sum(n(h), lambda v: at(v, x)))


def most(near: Callable[[Term], Term]) -> Term:
    return card(Filter(layers, near)) >= (1 - p) * L


corollary = sqrt(traced * excess * exp(c1 / k) / (k * L * Min(upto(N), lambda i: sizes[i])))
both = sqrt(excess) * sqrt(mean(exp(c1 / k)) / L)
distances = sqrt(Sum(layers, alone)) * sqrt(Sum(layers, lambda h: frob2(after(h - 1))) / N)
grown = Sorted(Map(upto(2), lambda i: When(i == 1, 1, exp(c1 / k))))[2]

TWINS = {
    "j23.thm7.steps.schatten.a": of_layers(
        lambda h, x: size(alpha_tilde(h, x), 2 / (k * h)) <= share(h, x)
    ),
    "j23.thm7.steps.schatten.b": of_layers(lambda h, x: share(h, x) <= average(h)),
    "j23.thm7.steps.quotient.b": of_layers(multiplied),
    "j23.thm7.steps.power.a": of_layers(quotient_by_power),
    "j23.thm7.steps.power.b": of_layers(power_by_exponential),
    "j23.cor8@A": most(lambda h: p * sqrt(L) * represented(h) <= corollary),
    "j23.cor8.steps.sv.a": Each(layers, lambda h: shifted(h) == 0),
    "j23.cor8.steps.sv.b": Each(layers, lambda h: represented(h) <= product(h)),
    "j23.cor8.steps.sum.c": distances <= sqrt(excess) * sqrt(mean(grown)),
    "j23.cor8.steps.layers.a": most(lambda h: p * sqrt(L) * product(h) <= both),
}
