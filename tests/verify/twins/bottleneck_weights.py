"""Twins of what is called false of the weight matrices in the bottleneck, from the print: Theorem 6
and the proof of Theorem 15, at the one point of a case.

Matrices are made vertex by vertex, along the edges; projections from independent columns."""

from __future__ import annotations

from lemmata import (
    Chosen,
    Count,
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
    The,
    When,
    Whole,
    above,
    card,
    ceil,
    cols,
    edges,
    element,
    eye,
    frob2,
    head,
    held,
    implies,
    into,
    inverse,
    larger,
    log,
    matrix,
    nuclear,
    out_of,
    pdet2,
    rank,
    rows,
    singular,
    slope,
    sqrt,
    subsets,
    tail,
    upto,
    w,
    zeros,
)
from verify.language.terms import Term

layer = Chosen("layer", "seq[seq[vertex]]")
k, gap, p = Whole("k", 0, 100), Number("gap"), Number("p")
L = card(layer) - 1
x = 1


# matrices of the network --------------------------------------------------------------------------
def n(h: Term) -> Term:
    return layer[h + 1]


def place(vertex: Term, some: Term) -> Term:
    return The(upto(card(some)), lambda q: some[q] == vertex)


def free(v: Term) -> Term:
    return Filter(into(v), lambda e: ~held(tail(e)))


def weight(h: Term) -> Term:
    def entry(i: Term, j: Term) -> Term:
        return Sum(free(n(h)[i]), lambda e: When(tail(e) == n(h - 1)[j], w(e), 0))

    return matrix(card(n(h)), card(n(h - 1)), entry)


def slopes(h: Term) -> Term:
    size = card(n(h))
    return matrix(size, size, lambda i, j: When(i == j, slope(n(h)[i], x), 0))


def sums(h: Term, M: Term) -> Term:
    """W_l M."""

    def entry(i: Term, j: Term) -> Term:
        return Sum(free(n(h)[i]), lambda e: w(e) * M[place(tail(e), n(h - 1)), j])

    return matrix(card(n(h)), cols(M), entry)


def alpha(h: Term) -> Term:
    """J alpha_l."""
    return Fold(upto(h), eye(card(n(0))), lambda M, m: slopes(m) @ sums(m, M))


def alpha_tilde(h: Term) -> Term:
    """J alpha~_l."""
    return Let(alpha(h - 1), lambda M: sums(h, M))


def to_f(h: Term) -> Term:
    """J(alpha_l -> f), from the outputs down."""

    def lower(M: Term, t: Term) -> Term:
        m = L - t

        def entry(i: Term, j: Term) -> Term:
            leaving = out_of(n(m)[j])
            return Sum(leaving, lambda e: M[i, place(head(e), n(m + 1))] * slope(head(e), x) * w(e))

        return matrix(rows(M), card(n(m)), entry)

    return Fold(upto(L - h), eye(card(n(L))), lower)


Jf = alpha(L)


def onto(A: Term) -> Term:
    """The projection to the image: C (C^T C)^-1 C^T, C the columns that depend on none before."""

    def first(M: Term, j: Term) -> Term:
        return rank(matrix(rows(M), j, lambda r, c: M[r, c]))

    def of(M: Term) -> Term:
        own = Filter(
            upto(cols(M)),
            lambda j: When(j == 1, first(M, 1) == 1, first(M, j) > first(M, larger_of(j - 1))),
        )

        def projected(some: Term) -> Term:
            C = matrix(rows(M), card(some), lambda r, c: M[r, some[c]])
            return When(card(some) == 0, zeros(rows(M), rows(M)), C @ inverse(C.T @ C) @ C.T)

        return Let(own, projected)

    return Let(A, of)


def larger_of(j: Term) -> Term:
    """At least 1, so that there is such a matrix."""
    return When(j < 1, 1, j)


def inner(h: Term) -> Term:
    return onto((to_f(h) @ slopes(h)).T) @ weight(h) @ onto(alpha(h - 1))


def masked(h: Term) -> Term:
    return onto(to_f(h).T) @ slopes(h) @ onto(alpha_tilde(h))


# what is said -------------------------------------------------------------------------------------
theta2 = Sum(edges(), lambda e: w(e) ** 2)
c1 = theta2 - k * L + gap
bound = c1 - log(pdet2(Jf))
layers = upto(L)


def to_svd(h: Term) -> Term:
    return frob2(weight(h)) + rank(inner(h)) - 2 * nuclear(inner(h))


def near(h: Term) -> Term:
    room = bound / (p * L)
    return (to_svd(h) <= room) & (k - frob2(masked(h)) <= room)


product = pdet2(inner(L)) * Prod(upto(L - 1), lambda h: pdet2(masked(h)) * pdet2(inner(h)))
summed = Sum(layers, lambda h: frob2(weight(h))) - log(product * pdet2(masked(L)) / pdet2(Jf))


# Theorem 6: V_l with k orthonormal columns, for every h from 0 to L -------------------------------
def alone(h: Term) -> Term:
    """The least that a layer costs, by its k largest singular values."""
    near = Let(singular(weight(h)), lambda s: Sum(upto(k), lambda i: s[i]))
    return frob2(weight(h)) - 2 * near + k


def together(h: Term) -> Term:
    """The same of a layer and the next one, which share V_l."""
    squares = Let(
        singular(above(weight(h).T, weight(h + 1))), lambda s: Sum(upto(k), lambda i: s[i] * s[i])
    )
    return frob2(weight(h)) + frob2(weight(h + 1)) + 2 * k - 2 * sqrt(2 * k * squares)


def paired(first: Term) -> Term:
    """The sum where each of these layers is paired with the next one."""

    def of(h: Term) -> Term:
        second = element(h - 1, first)
        return When(second, 0, When(element(h, first), together(h), alone(h)))

    return Sum(layers, of)


pairings = Filter(subsets(upto(L - 1)), lambda some: Each(some, lambda h: ~element(h + 1, some)))
least_sum = Max(pairings, paired)


def dearest(some: Term) -> Term:
    """The dearest of some layers, or half of two neighbours."""

    def of(h: Term) -> Term:
        return larger(alone(h), When(element(h + 1, some), together(h) / 2, 0))

    return Max(some, of)


enough = Filter(subsets(layers), lambda some: card(some) >= (1 - p) * L)
least_needed = p * L * Min(enough, dearest)
row_space = onto(Jf.T)


def carried(h: Term) -> Term:
    return onto(alpha(h) @ row_space)


def known(h: Term) -> Term:
    """What V_l costs that span the images of the row space of Jf."""
    return frob2(weight(h)) + k - 2 * nuclear(carried(h) @ weight(h) @ carried(h - 1))


known_sum = Sum(layers, known)
known_needed = p * L * Sorted(Map(layers, known))[ceil((1 - p) * L)]


def for_one(least: Term, found: Term) -> Term:
    wide = Each(layer, lambda some: card(some) >= k)
    fails = least > bound
    return implies(wide, implies(fails | (found <= bound), When(fails, least, found) <= bound))


TWINS = {
    "j23.thm6.product@B": pdet2(Jf) == product,
    "j23.thm6.sum.a": summed == theta2,
    "j23.thm6.total@B": Sum(layers, lambda h: to_svd(h) + k - frob2(masked(h))) <= bound,
    "j23.thm6.layers@B": Count(layers, near) <= p * L,
    "j23.thm6.a": for_one(least_sum, known_sum),
    "j23.thm6.b": for_one(least_needed, known_needed),
}
