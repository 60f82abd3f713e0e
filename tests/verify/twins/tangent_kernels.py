"""Twins of what is called false of the tangent kernel, from the print: Theorem 16, Proposition 9,
part 1, and the last display of Theorem 10. Derivatives are pulled back along the edges."""

from __future__ import annotations

from lemmata import (
    Each,
    Filter,
    Fold,
    Let,
    Max,
    Number,
    Sum,
    When,
    Whole,
    card,
    dot,
    edges,
    examples,
    floor,
    into,
    list_,
    log,
    matrix,
    norm,
    outputs,
    pdet2,
    post,
    slope,
    tail,
    upto,
    vector,
    w,
)
from lemmata import trace as trace_of
from tests.verify.twins.forms_of_jacobians import L, back, n
from verify.language.terms import Term


def pulled(h: Term, o: Term, x: Term | int) -> Term:
    """The derivatives of an output by the pre-activations of layer h."""
    return back(h, x, vector(card(outputs()), lambda i: When(outputs()[i] == o, 1, 0)))


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
k, p = Whole("k", 0, 100), Number("p", meaning="the share of layers that are left out")
many = card(examples())
EDGES = Sum(edges(), lambda e: w(e) ** 2)


def squared_norm(h: Term) -> Term:
    """|W_h|_F^2."""
    return Sum(n(h), lambda b: Sum(n(h - 1), lambda a: joining(a, b) ** 2))


def matrix_of(h: Term) -> Term:
    return matrix(card(n(h)), card(n(h - 1)), lambda i, j: joining(n(h - 1)[j], n(h)[i]))


def near_rank_one(h: Term, x: Term) -> Term:
    """Whether |W_h|^2 - 2 s_1 + 1 is at most (c_1 - 2 log |Jf(x)|_+) / (p L)."""
    c1 = EDGES - L
    distance = squared_norm(h) - 2 * norm(matrix_of(h)) + 1
    return distance * p * L <= c1 - log(pdet2(jacobian(x)))


def enough_near(x: Term) -> Term:
    return card(Filter(upto(L), lambda h: near_rank_one(h, x))) >= p * L


def pairing(o: Term, x: Term, u: Term, z: Term) -> Term:
    """Theta_ou(x, z), over all parameters."""

    def of_layer(h: Term) -> Term:
        below = Sum(n(h - 1), lambda a: post(a, x) * post(a, z)) + 1
        return below * dot(pulled(h, o, x), pulled(h, u, z))

    return Sum(upto(L), of_layer)


def gram() -> Term:
    """Theta(X, X), a row for each output of each point."""
    width = card(outputs())
    size = many * width

    def entry_at(r: Term, c: Term) -> Term:
        x, z = floor((r - 1) / width) + 1, floor((c - 1) / width) + 1
        o, u = outputs()[(r - 1) % width + 1], outputs()[(c - 1) % width + 1]
        return pairing(o, x, u, z)

    return matrix(size, size, entry_at)


FEW_STEEP = Fold(upto(L), 1, lambda so_far, h: so_far * squared_norm(h)) ** k >= many ** (2 * k - 2)
TWINS = {
    "j23.hessian.imp": norm(gram()) / many >= card(outputs()) * trace_of(gram()),
    "j23.thm10.layers.count": Each(examples(), enough_near),
    "j23.thm10.layers.point@A": FEW_STEEP,
    "j23.thm10.final.trace@A": Each(examples(), lambda x: trace(x) == displayed(x, 1)),
    "j23.c1range.lower": 2 * log(many) - 2 * log(many) / k <= EDGES - L,
    "j23.ntklinear@A": BOUNDED,
    "j23.narrow": BOUNDED,
    "j23.ntktrace@BA": Each(examples(), lambda x: trace(x) == displayed(x, x)),
    "j23.prop9.1": Each(examples(), steep),
}
