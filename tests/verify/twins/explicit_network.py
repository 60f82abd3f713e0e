"""Twins of what is called false of the explicit network of Theorem 11 (3), from the print: its
outputs, and limits of the norm. The square roots of kernels enter by their squares alone."""

from __future__ import annotations

from lemmata import (
    Each,
    Fold,
    Matrix,
    Number,
    Whole,
    column,
    dim,
    eye,
    implies,
    inverse,
    larger,
    log,
    pdet2,
    rank,
    rows,
    smaller,
    trace,
    upto,
    vector,
)
from tests.verify.twins.bottleneck_weights import onto
from verify.language.terms import Term

A, SQUARE, X = Matrix("A", "m", "n"), Matrix("A", "n", "n"), Matrix("X", "N", "n")
Oin, Oout = Matrix("Oin", "i", "n"), Matrix("Oout", "o", "m")
L, a = Whole("L", 1, 8), Number("a")
P = onto(A.T)


def sigma(z: Term) -> Term:
    return vector(dim(z), lambda i: larger(z[i], 0) + a * smaller(z[i], 0))


def layer(y: Term, h: Term) -> Term:
    """B^+ sigma(B y), B^T B = p K_in + (1 - p) K_out with p = h/L; K_in is P, K_out A^T A."""
    p = h / L
    carried = p * Oin.T @ sigma(Oin @ y) + (1 - p) * A.T @ Oout.T @ sigma(Oout @ (A @ y))
    kernel = p * P + (1 - p) * A.T @ A
    return inverse(kernel + eye(rows(P)) - P) @ carried


def is_linear(j: Term) -> Term:
    x = column(X.T, j)
    return Fold(upto(L - 1), x, layer) == A @ x


def limits(M: Term) -> tuple[Term, Term]:
    """Of |W_1|^2 - Rank A, W_1 = B_1, and 2 log |A|_+."""
    return trace(M @ M.T) - rank(M.T), log(pdet2(M.T))


first, logarithm = limits(A)
of_square, of_determinant = limits(SQUARE)

TWINS = {
    "j23.thm3.3.construct.b": implies(L > 0, Each(upto(rows(X)), is_linear)),
    "j23.thm3.3.norm.b": first == 0,
    "j23.thm3.3.norm.c": first == logarithm,
    "j23.thm3.3.norm.d": of_square - of_determinant == of_determinant,
}
