"""Theorem 2 and Lemma 11 at a point of a ray: the matrices of layers, N_r, V_c, and the bounds.

The layers behind eta are those of a chain (verify.papers.lj22.chains), by their numbers j = 1, ...,
K + M + 1, the last one being Fin.
"""

from __future__ import annotations

from collections.abc import Callable

from verify.language.building import (
    Count,
    Each,
    Filter,
    Prod,
    Some,
    When,
    between,
    card,
    concat,
    edge,
    floor,
    frob2,
    implies,
    larger,
    matrix,
    norm,
    rank,
    smaller,
    upto,
    w,
)
from verify.language.terms import Term, called, written
from verify.papers.lj22.chains import (
    ALL,
    DEPTH,
    ENDS,
    FILTERS,
    FOUND,
    INSIDE,
    READ,
    convolved,
    heads,
    residual,
)
from verify.papers.lj22.layers import block, entry, positions

Weight = Callable[[Term], Term]
"""What is made of an edge: its weight, or the absolute value of that."""


# matrices ----------------------------------------------------------------------------------------
def between_neurons(tails: Term, heads_: Term, weight: Weight = w) -> Term:
    """The matrix of the weights from some neurons to others, a row for each of the latter."""
    return matrix(card(heads_), card(tails), lambda i, k: weight(edge(tails[k], heads_[i])))


@written(r"W_{{0}}")
def flattened(k: Term, weight: Weight = w) -> Term:
    """W; [U Z]."""
    return between_neurons(concat(INSIDE[k], ENDS[k]), heads(k), weight)


@written(r"\bar W_{{0}}")
def stacked(k: Term) -> Term:
    """Y over Z."""
    return between_neurons(ENDS[k], concat(INSIDE[k], heads(k)))


@written(r"b_{{0}}")
def places(k: Term) -> Term:
    """The size of the filter of a convolution."""
    return card(FILTERS[k][1])


@written(r"T_{{0}}")
def by_channel(k: Term, weight: Weight = w) -> Term:
    """T as a x (b x c): a row for each channel in, 0 at places that meet padding alone."""

    def at(r: Term, place: Term, s: Term) -> Term:
        met = card(positions(FILTERS[k], place)) > 0
        return When(met, weight(entry(READ[k][r], FOUND[k][s], FILTERS[k], place)), 0)

    return matrix(
        card(READ[k]),
        places(k) * card(FOUND[k]),
        lambda r, c: at(r, (c - 1) % places(k) + 1, floor((c - 1) / places(k)) + 1),
    )


@written(r"W^{[{0}]}")
def representation(k: Term, weight: Weight = w) -> Term:
    """The matrix of a layer by Definition 8."""
    return When(convolved(k), by_channel(k, weight), flattened(k, weight))


@written(r"\operatorname{maxdim}W^{[{0}]}")
def widest(k: Term) -> Term:
    """max dim: the larger of its numbers of rows and of columns."""
    convolution = larger(card(READ[k]), places(k) * card(FOUND[k]))
    return When(convolved(k), convolution, larger(card(heads(k)), card(INSIDE[k]) + card(ENDS[k])))


# constants ---------------------------------------------------------------------------------------
K = called("K", Count(ALL, lambda k: convolved(k)))
M = called(r"\bar M", DEPTH - 1 - K)
BEFORE_FIN = upto(DEPTH - 1)
"""The layers j in [K + M]."""


@written(r"N_r({0})")
def blocks_behind(j: Term) -> Term:
    """N_r(j): the number of ResNetFree blocks between j and Fin, exclusively."""
    return Count(between(j + 1, DEPTH - 1), lambda k: residual(k))


def narrower(some: Term) -> Term:
    """The product of min(a_k, b_k) over the convolutions among some layers."""
    convolutions = Filter(some, lambda k: convolved(k))
    return Prod(convolutions, lambda k: smaller(card(READ[k]), places(k)))


@written(r"V_c({0})")
def V_c(j: Term) -> Term:  # noqa: N802 - the paper's letter
    """The printed constant: max dim W^[M+1] times min(a_k, b_k) over j < k <= M, if j <= M."""
    return When(j <= M, widest(M + 1) * narrower(between(j + 1, M)), 1)


@written(r"V_c'({0})")
def V_c_repaired(j: Term) -> Term:  # noqa: N802 - the paper's letter
    """The same with K for M, and the factor of layer j itself: max dim W^[K+1] times min(a_k, b_k)
    over j <= k <= K, if j <= K."""
    return When(j <= K, widest(K + 1) * narrower(between(j, K)), 1)


def share(j: Term, constant: Weight = V_c) -> Term:
    """8^N_r V_c."""
    return 8 ** blocks_behind(j) * constant(j)


# what is said ------------------------------------------------------------------------------------
def bound(constant: Weight = V_c, weight: Weight = w) -> Term:
    """(13), at a point of a ray: what is positive there is unbounded along it."""

    def holds(j: Term) -> Term:
        found = representation(j, weight)
        return frob2(found) / share(j, constant) <= norm(found) ** 2

    return Each(BEFORE_FIN, holds)


def ratio(constant: Weight = V_c) -> Term:
    """(14) for k = j, of matrices that are not 0."""

    def holds(j: Term) -> Term:
        found = representation(j)
        quotient = norm(found) ** 2 / frob2(found)
        return (1 / smaller(rank(found), share(j, constant)) <= quotient) & (quotient <= 1)

    return Each(BEFORE_FIN, holds)


def moves(k: Term) -> Term:
    """Whether the matrix of a layer is not 0, and so diverges on a ray."""
    return frob2(representation(k)) > 0


SOME_DIVERGES = Some(BEFORE_FIN, moves)


def among_the_last(j: Term) -> Term:
    """Whether a layer is fully connected, with N_r = 0 and V_c = 1."""
    return ~(convolved(j) | residual(j)) & ((blocks_behind(j) == 0) & (V_c(j) == 1))


def is_rank_one(one: Term) -> Term:
    """(15), first limit, of a matrix that is not 0: the distance of W / ||W||_F from u v^T is 0."""
    return rank(one) == 1


def are_aligned(one: Term, following: Term) -> Term:
    """(15), second limit, of matrices that are not 0: |<v, u>| = 1 for principal singular vectors v
    of the following one and u of the one."""
    return norm(following @ one) ** 2 == norm(following) ** 2 * norm(one) ** 2


RANK_ONE = Each(
    BEFORE_FIN,
    lambda j: implies(among_the_last(j) & moves(j), is_rank_one(flattened(j))),
)
ALIGNED = Each(
    BEFORE_FIN,
    lambda j: implies(
        among_the_last(j) & (moves(j) & moves(j + 1)),
        are_aligned(flattened(j), flattened(j + 1)),
    ),
)

# blocks ------------------------------------------------------------------------------------------
SHUFFLED = Each(
    ALL,
    lambda k: implies(residual(k), norm(flattened(k)) ** 2 / 8 <= norm(stacked(k)) ** 2),
)
"""Lemma 11 at a point of a ray, of every block."""


def is_free_block(k: Term) -> Term:
    """Whether a layer is a ResNetFree block."""
    return residual(k) & block(ENDS[k], INSIDE[k], heads(k))
