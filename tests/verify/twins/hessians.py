"""Twins of what is called false of the blocks of a Hessian, equation (14), from the print: with
matrices over all neurons, powers of the adjacency matrix for layers, and the inverse of I - J for
total derivatives."""

from __future__ import annotations

from collections.abc import Callable

from lemmata import (
    Count,
    Each,
    Filter,
    Fold,
    Matrix,
    Some,
    Sum,
    Vector,
    When,
    Whole,
    eye,
    frob2,
    inverse,
    matrix,
    row,
    rows,
    upto,
)
from verify.language.terms import Term

E, W = Matrix("E", "n", "n"), Matrix("W", "n", "n")
f, s, b = Vector("f", "n"), Vector("s", "n"), Vector("b", "n")
l1, l2, l3 = Whole("l1", 1, 4), Whole("l2", 1, 4), Whole("l3", 1, 4)
NEURONS = upto(rows(E))
w = matrix(rows(E), rows(E), lambda v, u: E[v, u] * W[v, u])
TOTAL = inverse(eye(rows(E)) - matrix(rows(E), rows(E), lambda v, u: s[v] * w[v, u]))
"""d f_k / d f_i at [k, i]: the sum over all paths from i to k."""


def walks(length: Term) -> Term:
    """At [v, u] the number of paths of this length from u to v."""
    return Fold(upto(length), eye(rows(E)), lambda power, step: power @ E)


def p(v: Term) -> Term:
    """The longest path that ends at v."""
    return Count(NEURONS, lambda length: frob2(row(walks(length), v)) > 0)


def in_last(v: Term) -> Term:
    """Whether v lies in layer L."""
    return ~Some(NEURONS, lambda u: p(u) > p(v))


def layer(number: Term) -> Term:
    return Filter(NEURONS, lambda v: p(v) == number)


Weight = tuple[Term, Term]


def d_pre(i: Term, at: Weight) -> Term:
    """The derivative of the pre-activation of i: by the weight itself, and through its parents."""
    head, tail = at
    through = Sum(NEURONS, lambda u: w[i, u] * TOTAL[u, head]) * s[head] * f[tail]
    return When(i == head, f[tail], 0) + through


def d_post(i: Term, at: Weight) -> Term:
    return TOTAL[i, at[0]] * s[at[0]] * f[at[1]]


def second_pre(i: Term, one: Weight, other: Weight) -> Term:
    """At i itself: the weight of one edge into i, and its incoming neuron moved by the other."""
    first = When(one[0] == i, d_post(one[1], other), 0)
    return first + When(other[0] == i, d_post(other[1], one), 0)


def second_post(i: Term, one: Weight, other: Weight) -> Term:
    return b[i] * d_pre(i, one) * d_pre(i, other) + s[i] * second_pre(i, one, other)


def second_sum(k: Term, one: Weight, other: Weight) -> Term:
    """The sum with sigma'', over the neurons of layer l' among those that enter k."""
    return Sum(
        layer(l3),
        lambda i: w[k, i] * b[i] * d_pre(i, one) * d_pre(i, other),
    )


def big_g(k: Term, one: Weight, other: Weight) -> Term:
    return Sum(layer(l3), lambda i: TOTAL[k, i] * second_post(i, one, other))


def of_pre(r: Term, one: Weight, other: Weight) -> Term:
    """G_s^{r,l'}: where s is the output, and its activation the identity."""

    def share(i: Term) -> Term:
        through = Sum(NEURONS, lambda u: w[r, u] * TOTAL[u, i]) * second_post(i, one, other)
        return When(i == r, second_pre(i, one, other), through)

    return Sum(layer(l3), share)


def flat(k: Term, one: Weight, other: Weight) -> Term:
    """The first sum in the middle; by the pre-activation it is s_i times that by the value."""
    return Sum(layer(l3), lambda i: second_pre(i, one, other) * TOTAL[k, i] * s[i])


def recursion(k: Term, one: Weight, other: Weight) -> Term:
    later = Filter(NEURONS, lambda r: (p(r) >= l3) & ~in_last(r))
    return Sum(later, lambda r: w[k, r] * s[r] * of_pre(r, one, other))


def agree(right: Callable[[Term, Weight, Weight], Term]) -> Term:
    """At each output of the last layer, at each weight of the two layers."""

    def entry(k: Term, one: Weight, other: Weight) -> Term:
        sides = big_g(k, one, other), right(k, one, other) + second_sum(k, one, other)
        return sides[0] == sides[1]

    def into(number: Term, said: Callable[[Weight], Term]) -> Term:
        return Each(
            layer(number),
            lambda v: Each(Filter(NEURONS, lambda u: E[v, u] > 0), lambda u: said((v, u))),
        )

    return Each(
        Filter(NEURONS, in_last),
        lambda k: into(l1, lambda one: into(l2, lambda other: entry(k, one, other))),
    )


TWINS: dict[str, Term] = {
    "zlb22.eq13-14.ii.first@C": agree(flat),
    "zlb22.eq13-14.ii.ends@C": agree(recursion),
}
