"""Twins of the statements of appendix D on matrices at one time, from the print: Lemma 11, (84)."""

from __future__ import annotations

from fractions import Fraction

from lemmata import (
    Matrix,
    Tensor,
    above,
    beside,
    cols,
    eigenvalues,
    larger,
    norm,
    rows,
    smaller,
    unfold,
)
from verify.language.terms import Term

# A block r(x; U, Y, Z) = s(U s(Y x) + Z x) with its two arrangements.
Y, U, Z = Matrix("Y", "b", "a"), Matrix("U", "c", "b"), Matrix("Z", "c", "a")
A, B = beside(U, Z), above(Y, Z)
# W leads to a block. Dense layers W1, W2 and Fin = W3. Two convolutions, S before T: (input
# channels, filter, output channels). T before a dense layer V: (neurons, positions, channels of T).
W = Matrix("W", "a", "n")
W1, W2, W3 = Matrix("W1", "b", "a"), Matrix("W2", "c", "b"), Matrix("W3", "one", "c")
S, T, V = Tensor("S", "p", "q", "a"), Tensor("T", "a", "b", "c"), Tensor("V", "d", "l", "c")

# D is fixed at initialisation since U^T U - Y Y^T is constant: it is what it is now.
D = norm(U.T @ U - Y @ Y.T) ** 2


def largest(matrix: Term) -> Term:
    """Its largest eigenvalue."""
    return eigenvalues(matrix)[1]


def operator_norms(layer: Term, following: Term, c: object, arranged: tuple[Term, Term]) -> Term:
    """(84). arranged: the two matrices in the forms of Theorem 1."""
    first, second = arranged
    return (
        norm(layer) ** 2
        >= c * norm(following) ** 2 - norm(second.T @ second - first @ first.T) ** 2
    )


def larger_dimension(matrix: Term) -> Term:
    return larger(rows(matrix), cols(matrix))


# k = M for the last two of K + M = 2 layers before Fin.
dense = operator_norms(W1, W2, 1, (W1, W2)) & operator_norms(W2, W3, larger_dimension(W3), (W2, W3))
convolutions = operator_norms(
    unfold(S, 1),
    unfold(T, 1),
    1 / smaller(rows(unfold(T, 1)), rows(unfold(T, 2))),
    (unfold(S, 3), unfold(T, 1).T),
)
last_convolution = operator_norms(
    unfold(T, 1),
    unfold(V, 1),
    larger_dimension(unfold(V, 1)),
    (unfold(T, 3), unfold(V, 3).T),
)

TWINS: dict[str, Term] = {
    "lj22.lemma11-74": norm(Y) ** 2 >= norm(U) ** 2 - D,
    "lj22.lemma11-75.a": norm(B) ** 2 == largest(B.T @ B) ** 2,
    "lj22.lemma11-79": largest(Y.T @ Y) ** 2 / 4 + largest(Z.T @ Z) ** 2 / 4
    >= largest(U @ U.T) ** 2 / 4 + largest(Z @ Z.T) ** 2 / 4 - D / 4,
    "lj22.lemma11-82.b": largest(A @ A.T) ** 2 / 8 - D / 4 == norm(A) ** 2 / 8 - D / 4,
    "lj22.thm2-84@AA": dense,
    "lj22.thm2-84.block@A": operator_norms(W, A, Fraction(1, 8), (W, B)),
    "lj22.thm2-84.conv@A": convolutions,
    "lj22.thm2-84.last@A": last_convolution,
}
