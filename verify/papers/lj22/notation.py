"""The matrices that Appendix D speaks of, and lambda."""

from __future__ import annotations

from verify.language.building import Matrix, above, beside, eigenvalues, rows
from verify.language.terms import Term

C, D = Matrix("C", "n", "n"), Matrix("D", "n", "n")
U, Y, Z = Matrix("U", "c", "b"), Matrix("Y", "b", "a"), Matrix("Z", "c", "a")
A, B = beside(U, Z), above(Y, Z)  # the two arrangements of the weights of a block
W1, W2, W3 = Matrix("W1", "b", "a"), Matrix("W2", "c", "b"), Matrix("W3", "one", "c")


def largest(symmetric: Term) -> Term:
    """lambda: the largest eigenvalue; of a matrix that is not symmetric nothing."""
    return eigenvalues(symmetric)[1]


def least(symmetric: Term) -> Term:
    """The smallest eigenvalue."""
    return eigenvalues(symmetric)[rows(symmetric)]


def defect(first: Term, second: Term) -> Term:
    """W_2^T W_2 - W_1 W_1^T of two layers, constant along the flow."""
    return second.T @ second - first @ first.T
