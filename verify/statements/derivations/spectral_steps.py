"""Pieces of proofs about eigenvalues and norms of matrices; each adds its steps to a proof.

Of the lemmas that the checker trusts only Rayleigh's, the unit eigenvector of the largest
eigenvalue, and the definition of the norm are used. That M^T M and M M^T have one largest
eigenvalue, that x.Sx is at most |S|, and Weyl's inequality are derived here.
"""

from __future__ import annotations

from verify.language.building import FUNCTIONS
from verify.language.proof_facts import largest
from verify.language.proofs import Fact, Proof
from verify.language.terms import Term

norm, dot = FUNCTIONS["norm"], FUNCTIONS["dot"]


def root(proof: Proof, square: Fact, positive: Fact) -> Fact:
    """x <= y from x^2 <= y^2 and y >= 0."""
    x, y = square.term.args[0].args[0], positive.term.args[0]

    def otherwise(more: Fact) -> Fact:
        false = proof.algebra(y**2 < y**2, {(more, more): 1, (more, positive): 2, square: 1})
        return proof.absurd(x <= y, false)

    return proof.cases(x <= y, lambda fact: proof.algebra(x <= y, {fact: 1}), otherwise)


def gram_is_symmetric(proof: Proof, matrix: Term) -> Fact:
    """S = S^T, for a matrix whose normal form tells."""
    return proof.algebra(matrix == matrix.T, {})


def top(proof: Proof, matrix: Term, symmetric: Fact) -> tuple[Term, Fact, Fact]:
    """A unit vector at which a symmetric matrix has its largest eigenvalue."""
    unit, vector = proof.lemma("eigenvector", symmetric, S=matrix)
    x = proof.made
    value = proof.algebra(dot(x, matrix @ x) == largest(matrix), {vector: x, unit: largest(matrix)})
    return x, unit, value


def below_top(proof: Proof, matrix: Term, symmetric: Fact, x: Term, unit: Fact) -> Fact:
    """x.Sx <= the largest eigenvalue, for a unit vector x."""
    bound, _ = proof.lemma("rayleigh", symmetric, S=matrix, x=x)
    return proof.algebra(dot(x, matrix @ x) <= largest(matrix), {bound: 1, unit: -largest(matrix)})


def top_from_0(proof: Proof, matrix: Term) -> Fact:
    """The largest eigenvalue of M^T M is at least 0."""
    gram = matrix.T @ matrix
    _, _, value = top(proof, gram, gram_is_symmetric(proof, gram))
    return proof.algebra(largest(gram) >= 0, {value: -1}, [matrix @ proof.made])


def turned_below(proof: Proof, matrix: Term) -> Fact:
    """The largest eigenvalue of M^T M is at most that of M M^T."""
    gram, turned = matrix.T @ matrix, matrix @ matrix.T
    one, other = largest(gram), largest(turned)
    symmetric = gram_is_symmetric(proof, gram)
    unit, vector = proof.lemma("eigenvector", symmetric, S=gram)
    x = proof.made
    bound, _ = proof.lemma("rayleigh", gram_is_symmetric(proof, turned), S=turned, x=matrix @ x)
    # |M^T M x|^2 = one^2, and |M x|^2 = one
    squares = proof.algebra(
        one**2 <= other * one,
        {bound: 1, vector: gram @ x + one * x - other * x, unit: one**2 - other * one},
    )
    positive = top_from_0(proof, matrix.T)

    def otherwise(more: Fact) -> Fact:
        false = proof.algebra(one**2 < one**2, {(more, more): 1, (more, positive): 1, squares: 1})
        return proof.absurd(one <= other, false)

    return proof.cases(one <= other, lambda f: proof.algebra(one <= other, {f: 1}), otherwise)


def turned(proof: Proof, matrix: Term) -> Fact:
    """The largest eigenvalue of M^T M is that of M M^T."""
    name, named = proof.name(matrix)
    one, other = turned_below(proof, name), turned_below(proof, name.T)
    same = proof.both(one, other)
    sides = largest(matrix.T @ matrix) == largest(matrix @ matrix.T)
    return proof.same(sides, [named], same)


def norms(proof: Proof, matrix: Term) -> tuple[Fact, Fact]:
    """|M|^2 is the largest eigenvalue of M^T M, and of M M^T."""
    one, _ = proof.lemma("norm", M=matrix)
    other = turned(proof, matrix)
    outer = proof.algebra(norm(matrix) ** 2 == largest(matrix @ matrix.T), {one: 1, other: 1})
    return one, outer


def below_norm(proof: Proof, matrix: Term, x: Term, unit: Fact) -> Fact:
    """x.Sx <= |S|, for a unit vector x."""
    gram, form = matrix.T @ matrix, dot(x, matrix @ x)
    square, positive = proof.lemma("norm", M=matrix)
    bound, _ = proof.lemma("rayleigh", gram_is_symmetric(proof, gram), S=gram, x=x)
    squares = proof.algebra(
        form**2 <= norm(matrix) ** 2,
        {bound: 1, square: 1, unit: -largest(gram) - form**2},
        [matrix @ x - form * x],
    )
    return root(proof, squares, positive)


def above_sum(proof: Proof, one: Term, other: Term, symmetric: tuple[Fact, Fact]) -> Fact:
    """The largest eigenvalue of a sum is at most the sum of those of both."""
    whole = proof.algebra(one + other == (one + other).T, dict.fromkeys(symmetric, 1))
    x, unit, value = top(proof, one + other, whole)
    first = below_top(proof, one, symmetric[0], x, unit)
    second = below_top(proof, other, symmetric[1], x, unit)
    return proof.algebra(
        largest(one) + largest(other) >= largest(one + other), {first: 1, second: 1, value: 1}
    )


def below_sum(proof: Proof, one: Term, other: Term) -> Fact:
    """The largest eigenvalue of M^T M is at most that of M^T M + N^T N."""
    gram, whole = one.T @ one, one.T @ one + other.T @ other
    x, unit, value = top(proof, gram, gram_is_symmetric(proof, gram))
    bound = below_top(proof, whole, gram_is_symmetric(proof, whole), x, unit)
    return proof.algebra(largest(gram) <= largest(whole), {bound: 1, value: 1}, [other @ x])


def norm_of_first(proof: Proof, one: Term, other: Term) -> Fact:
    """|N|^2 >= |M|^2 - |M^T M - N N^T|, N being the first of two layers."""
    difference, gram = other.T @ other - one @ one.T, other.T @ other
    square, _ = proof.lemma("norm", M=other)
    _, outer = norms(proof, one)
    x, unit, value = top(proof, gram, gram_is_symmetric(proof, gram))
    product = one @ one.T
    bound = below_top(proof, product, gram_is_symmetric(proof, product), x, unit)
    rest = below_norm(proof, difference, x, unit)
    return proof.algebra(
        norm(one) ** 2 >= norm(other) ** 2 - norm(difference),
        {bound: 1, rest: 1, value: 1, square: -1, outer: 1},
    )
