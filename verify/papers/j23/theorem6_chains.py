"""One family of semi-orthonormal matrices for all layers: how near its products can come.

The sum of |W_l - V_l V_(l-1)^T|^2 over the layers is least where the sum of tr V_l^T W_l V_(l-1) is
largest, a chain in which each V_l occurs twice. No minimum over products of Stiefel manifolds is
computed. From below it is bounded by pairs of neighbours: with G = [A^T; B] stacked,
tr V^T A V' + tr V^T B^T V'' <= |A^T V|_* + |B V|_* <= (2 k sum_(i<=k) s_i(G)^2)^(1/2),
which is attained for k = 1 between layers of width 1 and neighbours of the same norm. From above it
is bounded by a family that is known.
"""

from __future__ import annotations

from fractions import Fraction

from verify.language.building import (
    Filter,
    Fold,
    Let,
    Max,
    Min,
    Sum,
    When,
    above,
    between,
    card,
    ceil,
    element,
    frob2,
    implies,
    item,
    larger,
    singular,
    sqrt,
    subsets,
    tuple_,
    upto,
)
from verify.language.terms import Term
from verify.papers.j23.network_notation import ALL, DEPTH, K, weight
from verify.papers.j23.theorem6_notation import HAS_COLUMNS, P, to_free_pair


def pair_bound(before: Term, behind: Term) -> Term:
    """No V, V', V'' have tr V^T A V' + tr V^T B^T V'' above it."""
    squares = Let(singular(above(before.T, behind)), lambda s: Sum(upto(K), lambda i: s[i] ** 2))
    return sqrt(2 * K * squares)


def pair_cost(m: Term) -> Term:
    """At least so large are the terms of the layers l and l + 1 together."""
    one, two = weight(m), weight(m + 1)
    return frob2(one) + frob2(two) + 2 * K - 2 * pair_bound(one, two)


def _least_sum() -> Term:
    """Layer by layer the larger of: what there is below and the layer alone; what there is below
    the last two and these together."""

    def further(so_far: Term, m: Term) -> Term:
        before, last = item(so_far, 1), item(so_far, 2)
        alone, together = last + to_free_pair(m), before + pair_cost(m - 1)
        return tuple_(last, larger(alone, together))

    return item(Fold(between(2, DEPTH), tuple_(Fraction(0), to_free_pair(1)), further), 2)


LEAST_SUM = _least_sum()
"""At least so large is the sum over the layers, for any family."""


def worst(layers: Term) -> Term:
    """At least so large is the largest term of these layers: that of one alone, and half of what
    two neighbours have together."""

    def of(m: Term) -> Term:
        pair = When(element(m + 1, layers), pair_cost(m) / 2, 0)
        return larger(to_free_pair(m), pair)

    return Max(layers, of)


NEEDED = ceil((1 - P) * DEPTH)
"""The least number of layers that is at least (1 - p) L."""
LEAST_NEEDED = Min(Filter(subsets(ALL), lambda some: card(some) == NEEDED), worst)
"""For any family, some of so many layers has a term at least so large."""


def for_some_family(bound: Term, least: Term, known: Term) -> Term:
    """Whether a bound is one for some family, in cases where that is told: it is below what there
    is for all of them, or it is not below what there is for one that is known."""
    fails = bound < least
    told = fails | (bound >= known)
    return implies(HAS_COLUMNS & told, bound >= When(fails, least, known))
