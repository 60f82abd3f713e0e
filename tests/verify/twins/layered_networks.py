"""Twins of what is called false of fully connected networks, from the print: Propositions 9 and 13
and their proofs, the proof of Proposition 12. Matrices are made as for Theorem 6, along the edges.
"""

from __future__ import annotations

from collections.abc import Callable

from lemmata import (
    Each,
    Fold,
    Matrix,
    Number,
    Sum,
    When,
    Whole,
    beside,
    card,
    diag,
    dot,
    edges,
    examples,
    eye,
    frob2,
    into,
    larger,
    log,
    matrix,
    norm,
    nuclear,
    pdet2,
    post,
    rank,
    schatten,
    slope,
    tail,
    upto,
    vector,
    w,
)
from tests.verify.twins.bottleneck_weights import L, alpha, n, sums, weight
from verify.language.terms import Term, lifted

T, C, k = Matrix("T", "n0", "t"), Number("C"), Whole("k", 0, 100)

# A = W_L^+ P, on the tangent space: what solves W^T W G = W^T T in the row space of W
W, G = weight(L), alpha(L - 1) @ T
INVERTED = (W.T @ W @ G == W.T @ T) & (rank(beside(W.T, G)) == rank(W))


# Proposition 13 -----------------------------------------------------------------------------------
def mask(h: Term, p: Term) -> Term:
    """D_l, square."""
    size = card(n(h))
    return matrix(size, size, lambda i, j: When(i == j, slope(n(h)[j], p), 0))


def below(h: Term, p: Term) -> Term:
    """D_l W_l ... D_1 W_1."""
    return Fold(upto(h), eye(card(n(0))), lambda M, m: mask(m, p) @ sums(m, M))


def above(h: Term, p: Term) -> Term:
    """W_L D_(L-1) ... W_(l+2) D_(l+1)."""
    steps = upto(L - 1 - h)
    return Fold(steps, eye(card(n(L))), lambda M, t: M @ weight(L + 1 - t) @ mask(L - t, p))


def jacobian(p: Term) -> Term:
    return sums(L, below(L - 1, p))


def difference(h: Term, x: Term, y: Term) -> Term:
    return mask(h, x) - mask(h, y)


def two(says: Callable[[Term, Term], Term]) -> Term:
    return Each(examples(), lambda x: Each(examples(), lambda y: says(x, y)))


def second_display(x: Term, y: Term) -> Term:
    def left(h: Term) -> Term:
        inner = weight(h + 1) @ difference(h, x, y) @ weight(h)
        return nuclear(inner) * norm(above(h, y)) * norm(below(h - 1, x))

    def right(h: Term) -> Term:
        D = difference(h, x, y)
        return (frob2(weight(h + 1) @ D) + frob2(D @ weight(h))) / 2

    return C * C * Sum(upto(L - 1), right) >= Sum(upto(L - 1), left)


theta2 = Sum(edges(), lambda e: w(e) ** 2)


def distance(x: Term, y: Term) -> Term:
    return C ** (-2) * nuclear(jacobian(x) - jacobian(y))


def fifth_display(x: Term, y: Term) -> Term:
    def size(p: Term) -> Term:
        return L * schatten(jacobian(p), 2 / L)

    return theta2 >= (size(x) + size(y)) / 2 + distance(x, y)


def of_sequences(x: Term, y: Term) -> Term:
    return theta2 - k * L >= log(pdet2(jacobian(x)) * pdet2(jacobian(y))) / 2 + distance(x, y)


# Proposition 9, part 2, and its proof: everything times |w|^2, w = Jf(x) (y - x) ------------------
def inputs_of(p: int) -> Term:
    return vector(card(n(0)), lambda i: post(n(0)[i], p))


d = inputs_of(2) - inputs_of(1)
moved = jacobian(lifted(1)) @ d


def fed(h: Term, p: int) -> Term:
    """By neuron the sum of the squares of what its parameters are multiplied with."""

    def squares(i: Term) -> Term:
        return Sum(into(n(h)[i]), lambda e: post(tail(e), p) ** 2)

    return vector(card(n(h)), squares)


def theta(p: int) -> Term:
    def of(h: Term) -> Term:
        behind = above(h - 1, lifted(p))
        return behind @ diag(fed(h, p)) @ behind.T

    return Sum(upto(L), of)


def by_t_twice() -> Term:
    """The activations are affine along the segment."""

    def of(h: Term) -> Term:
        changes = vector(card(n(h - 1)), lambda i: post(n(h - 1)[i], 2) - post(n(h - 1)[i], 1))
        return 2 * dot(changes, changes) * frob2(above(h - 1, lifted(1)).T @ moved)

    return Sum(upto(L), of)


def bound(factor: Term) -> Term:
    return dot(d, d) * dot(moved, moved) ** (2 * L - 1) * (factor * L) ** L


quarter = lifted(1) / 4
ENDS = larger(*(dot(moved, theta(p) @ moved) for p in (1, 2)))
NORMS = larger(norm(theta(1)), norm(theta(2))) ** L * dot(d, d) ** (L - 1)
NORM_BOUND = (quarter * L) ** L * dot(d, d) ** L * dot(moved, moved) ** (L - 1)

TWINS = {
    "j23.prop9.2.steps.b.bound@B": by_t_twice() ** L >= bound(lifted(2)),
    "j23.prop9.2.steps.c@B": bound(quarter) <= ENDS**L,
    "j23.prop9.2@B": NORMS >= NORM_BOUND,
    "j23.prop5.bound.b": INVERTED,
    "j23.prop13.nuclear.b@Bii": two(second_display),
    "j23.prop13.finite@Bii": two(fifth_display),
    "j23.prop13@B": two(of_sequences),
}
