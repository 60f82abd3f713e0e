"""Twins of what is called false of bilinear forms of Jacobians and of masks, from the print: the
proofs of Proposition 18, part 1, and of Proposition 13. Vectors are pushed along the edges."""

from __future__ import annotations

from lemmata import (
    Chosen,
    Each,
    Filter,
    Fold,
    Sum,
    The,
    Vector,
    card,
    dot,
    examples,
    head,
    held,
    into,
    out_of,
    slope,
    tail,
    upto,
    vector,
    w,
)
from verify.language.terms import Term

layer = Chosen("layer", "seq[seq[vertex]]")
L = card(layer) - 1
u, v = Vector("u", "n0"), Vector("v", "nL")


def n(h: Term) -> Term:
    return layer[h + 1]


def place(vertex: Term, some: Term) -> Term:
    return The(upto(card(some)), lambda q: some[q] == vertex)


def forth(h: Term, x: Term) -> Term:
    """D_h W_h ... D_1 W_1 u."""

    def passed(a: Term, m: Term) -> Term:
        def at(i: Term) -> Term:
            edges = Filter(into(n(m)[i]), lambda e: ~held(tail(e)))
            total = Sum(edges, lambda e: w(e) * a[place(tail(e), n(m - 1))])
            return slope(n(m)[i], x) * total

        return vector(card(n(m)), at)

    return Fold(upto(h), u, passed)


def back(h: Term, x: Term | int, end: Term = v) -> Term:
    """D_h W_(h+1)^T ... D_(L-1) W_L^T v, or of another vector at the end."""

    def passed(b: Term, t: Term) -> Term:
        m = L - t

        def at(j: Term) -> Term:
            total = Sum(out_of(n(m)[j]), lambda e: w(e) * b[place(head(e), n(m + 1))])
            return slope(n(m)[j], x) * total

        return vector(card(n(m)), at)

    return Fold(upto(L - h), end, passed)


def square(a: Term) -> Term:
    return dot(a, a)


def form(x: Term) -> Term:
    return dot(v, forth(L, x))


def derivative(x: Term) -> Term:
    return Sum(upto(L), lambda h: square(forth(h - 1, x)) * square(back(h, x)))


def ratios(x: Term) -> Term:
    return Sum(upto(L), lambda h: square(forth(h - 1, x)) / square(forth(h, x)))


def bounded(h: Term, x: Term) -> Term:
    return form(x) ** 2 <= square(forth(h, x)) * square(back(h, x))


def idempotent(h: Term, x: Term) -> Term:
    return Each(n(h), lambda a: slope(a, x) * slope(a, x) == slope(a, x))


def difference_is_idempotent(h: Term, x: Term, y: Term) -> Term:
    return Each(n(h), lambda a: (slope(a, x) - slope(a, y)) ** 2 == slope(a, x) - slope(a, y))


TWINS = {
    "j23.prop9.prod@B": Each(examples(), lambda x: Each(upto(L), lambda h: bounded(h, x))),
    "j23.prop9.prod.masks": Each(examples(), lambda x: Each(upto(L), lambda h: idempotent(h, x))),
    "j23.prop9.chain.1@B": Each(examples(), lambda x: derivative(x) >= form(x) ** 2 * ratios(x)),
    "j23.prop13.nuclear.masks": Each(
        examples(),
        lambda x: Each(
            examples(),
            lambda y: Each(upto(L), lambda h: difference_is_idempotent(h, x, y)),
        ),
    ),
}
