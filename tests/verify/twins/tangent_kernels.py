"""Twins of what is called false of the tangent kernel, from the print: Theorem 16, Proposition 9,
part 1, and the last display of Theorem 10. Derivatives are pulled back along the edges."""

from __future__ import annotations

from lemmata import (
    Each,
    Fold,
    Let,
    Max,
    Sum,
    When,
    Whole,
    card,
    dot,
    examples,
    floor,
    head,
    into,
    list_,
    matrix,
    norm,
    out_of,
    outputs,
    post,
    slope,
    tail,
    upto,
    vector,
    w,
)
from tests.verify.twins.forms_of_jacobians import L, n, place
from verify.language.terms import Term


def pulled(h: Term | int, o: Term, x: Term | int) -> Term:
    """The derivatives of an output by the pre-activations of layer h."""
    end = vector(card(outputs()), lambda i: When(outputs()[i] == o, 1, 0))

    def passed(b: Term, t: Term) -> Term:
        m = L - t

        def at(j: Term) -> Term:
            total = Sum(out_of(n(m)[j]), lambda e: w(e) * b[place(head(e), n(m + 1))])
            return slope(n(m)[j], x) * total

        return vector(card(n(m)), at)

    return Fold(upto(L - h), end, passed)


def trace(x: Term) -> Term:
    """The squares of the derivatives of all outputs by the weights of all edges, also those from
    the input that is held at 1."""

    def of_layer(o: Term, h: Term) -> Term:
        def of(g: Term) -> Term:
            def of_neuron(i: Term) -> Term:
                return g[i] ** 2 * Sum(into(n(h)[i]), lambda e: post(tail(e), x) ** 2)

            return Sum(upto(card(n(h))), of_neuron)

        return Let(pulled(h, o, x), of)

    return Sum(outputs(), lambda o: Sum(upto(L), lambda h: of_layer(o, h)))


def displayed(x: Term, at: Term | int) -> Term:
    """sum_l |alpha_(l-1)(x)|^2 |J(alpha~_l -> f)(at)|_F^2."""

    def of_layer(h: Term) -> Term:
        size = Sum(n(h - 1), lambda a: post(a, x) ** 2)
        return size * Sum(
            outputs(), lambda o: Sum(upto(card(n(h))), lambda i: pulled(h, o, at)[i] ** 2)
        )

    return Sum(upto(L), of_layer)


def forward(h: Term, q: Term, x: Term) -> Term:
    """The derivatives of the activations of layer h by the coordinate q of x."""
    start = vector(card(n(0)), lambda i: When(i == q, 1, 0))

    def passed(a: Term, m: Term) -> Term:
        def at(i: Term) -> Term:
            total = Sum(upto(card(n(m - 1))), lambda j: joining(n(m - 1)[j], n(m)[i]) * a[j])
            return slope(n(m)[i], x) * total

        return vector(card(n(m)), at)

    return Fold(upto(h), start, passed)


def joining(a: Term, b: Term) -> Term:
    return Sum(into(b), lambda e: When(tail(e) == a, w(e), 0))


def entry(p: Term, a: Term, q: Term, b: Term, x: Term) -> Term:
    """The derivative of Theta_ab(x, y) by x_p and y_q at y = x."""

    def of_layer(h: Term) -> Term:
        above = dot(pulled(h, outputs()[a], x), pulled(h, outputs()[b], x))
        return above * dot(forward(h - 1, p, x), forward(h - 1, q, x))

    return Sum(upto(L), of_layer)


def mixed(x: Term) -> Term:
    """d_xy Theta(x, x), rows (p, a), columns (q, b)."""
    many = card(outputs())

    def first(r: Term) -> Term:
        return floor((r - 1) / many) + 1

    def second(r: Term) -> Term:
        return (r - 1) % many + 1

    size = card(n(0)) * many
    return matrix(size, size, lambda r, c: entry(first(r), second(r), first(c), second(c), x))


def jacobian(x: Term) -> Term:
    return matrix(card(outputs()), card(n(0)), lambda i, q: forward(L, q, x)[i])


def steep(x: Term) -> Term:
    return norm(mixed(x)) >= 2 * L * norm(jacobian(x)) ** (2 - 2 / L)


g = Whole("g", -1, 2)


def flat(x: int) -> Term:
    return Each(
        upto(card(n(0))), lambda q: Each(upto(card(outputs())), lambda i: forward(L, q, x)[i] == 0)
    )


BOUNDED = Max(list_(-1, When(flat(1), -1, -2 * g)), lambda e: e) >= 0
TWINS = {
    "j23.ntklinear@A": BOUNDED,
    "j23.narrow": BOUNDED,
    "j23.ntktrace@BA": Each(examples(), lambda x: trace(x) == displayed(x, x)),
    "j23.prop9.1": Each(examples(), steep),
}
