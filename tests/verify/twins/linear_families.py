"""Twins of what is called false of families of linear networks, from the print: every walk from the
output, and how likely it is that it comes by one neuron."""

from __future__ import annotations

from lemmata import (
    Filter,
    Fold,
    Map,
    Matrix,
    Max,
    Min,
    Some,
    Vector,
    Whole,
    between,
    card,
    concat,
    dim,
    implies,
    item,
    larger,
    list_,
    tuple_,
    upto,
)
from verify.language.terms import Term

E, S, e = Matrix("E", "n", "n"), Matrix("S", "n", "n"), Vector("e", "n")
n, hidden = dim(e), between(2, dim(e) - 1)


def in_degree(g: Term) -> Term:
    return Max(upto(n), lambda h: E[g, h] * e[h])


def walks(skips: bool) -> Term:
    """Each walk from the output: where it is, how likely it is there in all, how likely at one
    neuron (exponents), and how many of its steps have a weight."""

    def on(found: Term, g: Term) -> Term:
        def by_weight(walk: Term) -> Term:
            share = item(walk, 2) - in_degree(item(walk, 1))
            return tuple_(g, share + e[g], share, item(walk, 4) + 1)

        def by_skip(walk: Term) -> Term:
            one = larger(item(walk, 3), item(walk, 2) - e[g])
            return tuple_(g, item(walk, 2), one, item(walk, 4))

        read = Map(Filter(found, lambda walk: E[item(walk, 1), g] == 1), by_weight)
        if not skips:
            return concat(found, read)
        taken = Map(Filter(found, lambda walk: S[item(walk, 1), g] == 1), by_skip)
        return concat(found, concat(read, taken))

    start = list_(tuple_(n, e[n], e[n], n - n))
    return Fold(Map(upto(n - 1), lambda k: n - k), start, on)


def likeliest(steps: int, *, skips: bool = False) -> tuple[Term, Term]:
    """The walks to hidden neurons with so many steps at least, and the likeliest of them."""

    def long(walk: Term) -> Term:
        return (item(walk, 1) > 1) & (item(walk, 4) >= steps)

    found = Filter(walks(skips), long)
    return found, Max(found, lambda walk: item(walk, 3))


later = Filter(upto(n), lambda g: Some(hidden, lambda h: E[g, h] == 1))
"""Behind the first layer: what reads a hidden group."""


def width(groups: Term) -> Term:
    return Min(groups, in_degree)


w = Whole("w", 1, 3)
wide = width(Filter(later, lambda g: in_degree(g) >= w))
deep, variance = likeliest(2)
behind_narrow = Max(Filter(hidden, lambda g: e[g] == 0), lambda g: e[g + 1])

TWINS: dict[str, Term] = {
    "zlb22.thm3.6.width@B": width(Filter(later, lambda g: g < n)) <= -likeliest(1)[1],
    "zlb22.thmD.1@A": width(later) <= -likeliest(1, skips=True)[1],
    "zlb22.appF.c.hidden@A": -likeliest(1)[1] >= 1,
    "zlb22.appF.d.share": Max(later, lambda g: e[g]) <= behind_narrow,
    "zlb22.appF.b.variance@B": implies(card(deep) > 0, wide <= -variance),
}
