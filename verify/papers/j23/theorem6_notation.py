"""What the statements around Theorem 6 are made of, at a point x of a network.

Projections of the proof, with Z = J(alpha_l -> f)^T, Z~ = J(alpha~_l -> f)^T:
N_l = P_(Im Z~_l) W_l P_(Im J alpha_(l-1)) and M_l = P_(Im Z_l) D_l P_(Im J alpha~_l).

Carried along, for the repairs: K is the row space of Jf(x), of dimension k, and J alpha_l K its
image; W_l P_(J alpha_(l-1) K) and D_l P_(J alpha~_l K) have rank k and pseudo-determinants whose
product is |Jf(x)|_+.
"""

from __future__ import annotations

from collections.abc import Callable

from verify.language.building import (
    Count,
    Let,
    Min,
    Number,
    Sum,
    When,
    card,
    frob2,
    log,
    nuclear,
    rank,
    singular,
    upto,
)
from verify.language.terms import Term, written
from verify.papers.j23.network_notation import (
    ALL,
    C1,
    DEPTH,
    LAYERS,
    Index,
    K,
    coimage,
    from_post,
    from_pre,
    image,
    jacobian,
    jacobian_square,
    slopes,
    to_post,
    to_pre,
    weight,
)

Part = Callable[[Index, Index], Term]  # of a layer and a point, a matrix
P = Number("p", meaning="the share of layers that are left out")


# the bound ----------------------------------------------------------------------------------------
def budget(x: Index) -> Term:
    """c_1 - 2 log |Jf(x)|_+."""
    return C1 - log(jacobian_square(x))


def share(x: Index) -> Term:
    """The same over p L."""
    return budget(x) / (P * DEPTH)


def most_layers(near: Callable[[Term], Term]) -> Term:
    """Whether it is true of at least (1 - p) L layers."""
    return Count(ALL, near) >= (1 - P) * DEPTH


# the matrices of the proof ------------------------------------------------------------------------
@written(r"N_{{0}}(x_{{1}})")
def inner_part(m: Index, x: Index) -> Term:
    """N_l = P_(Im J(alpha~_l -> f)^T) W_l P_(Im J alpha_(l-1))."""
    return coimage(from_pre(m, x)) @ weight(m) @ image(to_post(m - 1, x))


@written(r"M_{{0}}(x_{{1}})")
def slope_part(m: Index, x: Index) -> Term:
    """M_l = P_(Im J(alpha_l -> f)^T) D_l P_(Im J alpha~_l)."""
    return coimage(from_post(m, x)) @ slopes(m, x) @ image(to_pre(m, x))


@written(r"\tilde P_{{0}}(x_{{1}})")
def carried_before(m: Index, x: Index) -> Term:
    """The projection to J alpha~_l K, K the row space of Jf(x), l from 1 to L."""
    return image(to_pre(m, x) @ coimage(jacobian(x)))


@written(r"P_{{0}}(x_{{1}})")
def carried(m: Index, x: Index) -> Term:
    """The projection to J alpha_l K, l from 0 to L."""
    return image(to_post(m, x) @ coimage(jacobian(x)))


def inner_part_carried(m: Index, x: Index) -> Term:
    """W_l P_(J alpha_(l-1) K)."""
    return weight(m) @ carried(m - 1, x)


def slope_part_carried(m: Index, x: Index) -> Term:
    """D_l P_(J alpha~_l K)."""
    return slopes(m, x) @ carried_before(m, x)


def missing(m: Index, x: Index, part: Part = slope_part) -> Term:
    """k - |M_l|_F^2."""
    return K - frob2(part(m, x))


# distances to products of semi-orthonormal matrices -----------------------------------------------
def to_svd(m: Index, x: Index, part: Part) -> Term:
    """|W_l - U V^T|_F^2 for the thin SVD U S V^T of the part N of W_l.

    U V^T is 1 on the rows of N and lies in its image, so the trace of W_l^T U V^T is |N|_*: this
    is |W_l|^2 + Rank N - 2 |N|_*.
    """
    return frob2(weight(m)) + Let(part(m, x), lambda N: rank(N) - 2 * nuclear(N))


@written(r"s_{{1}}({0})")
def value(A: Term, i: Term) -> Term:
    """s_i(A), 0 where there is none."""
    return Let(singular(A), lambda s: When(i <= card(s), s[i], 0))


def to_free_pair(m: Index) -> Term:
    """The least |W_l - U V^T|_F^2 over U, V with k orthonormal columns: |W|^2 + k - 2 sum_i s_i."""
    sums = Let(singular(weight(m)), lambda s: Sum(upto(K), lambda i: s[i]))
    return frob2(weight(m)) + K - 2 * sums


def to_carried_family(m: Index, x: Index) -> Term:
    """|W_l - V_l V_(l-1)^T|_F^2 for V_l that span J alpha_l K, each turned so that it fits the one
    before: |W|^2 + k - 2 |P_l W_l P_(l-1)|_*."""
    between = carried(m, x) @ weight(m) @ carried(m - 1, x)
    return frob2(weight(m)) + K - 2 * nuclear(between)


HAS_COLUMNS = Min(LAYERS, card) >= K
"""No width is below k, so that there are k orthonormal columns everywhere."""
