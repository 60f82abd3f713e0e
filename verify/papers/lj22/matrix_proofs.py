"""Statements of Appendix D about matrices, and vertex balance, written as data, with their proofs.

Each proof is a function that makes it; `verify.checker` replays the record. The matrices are those of
`block_shuffling`, `consecutive` and `adjacent`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from verify.language.building import FUNCTIONS, Matrix
from verify.language.proof_facts import largest, least
from verify.language.proofs import Fact, Proof
from verify.language.terms import Term

norm, rank, frob2, above, beside, dot, card, between = (
    FUNCTIONS[name]
    for name in ("norm", "rank", "frob2", "above", "beside", "dot", "card", "between")
)
C, D, M = Matrix("C", "n", "n"), Matrix("D", "n", "n"), Matrix("M", "m", "n")
U, Y, Z = Matrix("U", "c", "b"), Matrix("Y", "b", "a"), Matrix("Z", "c", "a")
W = Matrix("W", "a", "n")
W1, W2 = Matrix("W1", "b", "a"), Matrix("W2", "c", "b")
QUARTER, EIGHTH = Fraction(1, 4), Fraction(1, 8)
SYMMETRIC = {"C is symmetric": C == C.T, "D is symmetric": D == D.T}

Steps = Callable[[Proof], Any]


# pieces of proofs ---------------------------------------------------------------------------------
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


# the proofs ---------------------------------------------------------------------------------------
def weyl_below(proof: Proof) -> None:
    """(C + D) at the unit vector of C."""
    c, d = proof.given.values()
    whole = proof.algebra(C + D == (C + D).T, {c: 1, d: 1})
    x, unit, value = top(proof, C, c)
    bound = below_top(proof, C + D, whole, x, unit)
    _, low = proof.lemma("rayleigh", d, S=D, x=x)
    proof.algebra(proof.goal, {bound: 1, low: 1, value: 1, unit: least(D)})


def weyl_above(proof: Proof) -> None:
    """Both at the unit vector of C + D."""
    c, d = proof.given.values()
    above_sum(proof, C, D, (c, d))


def rank_bound(proof: Proof) -> None:
    """|M|_F^2 is the sum of rank M squares of at most |M|^2."""
    ranks, squares, positive, bounds = proof.lemma("singular", M=M)
    _, norm_positive = proof.lemma("norm", M=M)

    def one(k: Term, member: Fact) -> Fact:
        low, high = proof.at(positive, member), proof.at(bounds, member)
        value = low.term.args[0]
        return proof.algebra(value**2 <= norm(M) ** 2, {(high, high): 1, (high, low): 2})

    many = proof.sum(proof.each(positive.term.args[0], one))
    count = proof.algebra(rank(M) + 1 >= 1, {ranks: 1})
    (length,) = proof.lemma("length", count, a=1, b=rank(M))
    whole = proof.algebra(
        rank(M) * norm(M) ** 2 >= frob2(M), {many: 1, squares: -1, length: -(norm(M) ** 2)}
    )
    quotient = proof.goal.args[1]
    defined = proof.defined(quotient)
    (nonzero,) = proof.lemma("divisor", defined, a=frob2(M), b=rank(M))
    (inverse,) = proof.lemma("reciprocal", nonzero, b=rank(M))
    share = Fraction(1) / rank(M)
    share_positive = proof.algebra(share >= 0, {inverse: -share}, [(1, share, ranks)])
    proof.algebra(proof.goal, {(whole, share_positive): 1, inverse: -(norm(M) ** 2)})
    del norm_positive


def norm_of_y(proof: Proof) -> None:
    """(74), with the norm."""
    norm_of_first(proof, Y, U)


def sum_from_below(proof: Proof) -> None:
    """(77)."""
    y, z = below_sum(proof, Y, Z), below_sum(proof, Z, Y)
    y_positive, z_positive = top_from_0(proof, Y), top_from_0(proof, Z)
    whole = largest(Y.T @ Y + Z.T @ Z)
    half = Fraction(1, 2)
    mean = proof.algebra(whole >= half * (largest(Y.T @ Y) + largest(Z.T @ Z)), {y: half, z: half})
    proof.algebra(proof.goal, {(mean, mean): 1, (mean, y_positive): 1, (mean, z_positive): 1})


def square_of_a_sum(proof: Proof) -> None:
    """(78)."""
    y, z = top_from_0(proof, Y), top_from_0(proof, Z)
    proof.algebra(proof.goal, {(y, z): Fraction(1, 2)})


def from_y_to_u(proof: Proof) -> None:
    """(79), without squares."""
    y, u = norms(proof, Y)[0], norms(proof, U)[1]
    z = turned(proof, Z)
    first = norm_of_first(proof, Y, U)
    proof.algebra(proof.goal, {first: QUARTER, y: -QUARTER, u: QUARTER, z: QUARTER})


def sum_of_squares(proof: Proof) -> None:
    """(80)."""
    proof.algebra(proof.goal, {}, [(EIGHTH, largest(U @ U.T) - largest(Z @ Z.T))])


def sum_from_above(proof: Proof) -> None:
    """(81)."""
    one, other = U @ U.T, Z @ Z.T
    symmetric = gram_is_symmetric(proof, one), gram_is_symmetric(proof, other)
    bound = above_sum(proof, one, other, symmetric)
    whole = one + other
    _, _, value = top(proof, whole, gram_is_symmetric(proof, whole))
    x = proof.made
    positive = proof.algebra(largest(whole) >= 0, {value: -1}, [U.T @ x, Z.T @ x])
    proof.algebra(proof.goal, {(bound, bound): EIGHTH, (bound, positive): QUARTER})


def shuffled(proof: Proof, factor: Fraction) -> Fact:
    """|B|^2 >= factor (|A|^2 - |U^T U - Y Y^T|), for a factor up to 1/2."""
    tall, wide = above(Y, Z), beside(U, Z)
    difference = U.T @ U - Y @ Y.T
    b, _ = proof.lemma("norm", M=tall)
    _, a = norms(proof, wide)
    (y, _), (z, z_turned), (_, u) = norms(proof, Y), norms(proof, Z), norms(proof, U)
    y_below, z_below = below_sum(proof, Y, Z), below_sum(proof, Z, Y)
    first = norm_of_first(proof, Y, U)
    one, other = U @ U.T, Z @ Z.T
    symmetric = gram_is_symmetric(proof, one), gram_is_symmetric(proof, other)
    bound = above_sum(proof, one, other, symmetric)
    rest = 1 - 2 * factor
    uses = {bound: factor, first: factor, a: -factor, u: factor, z_turned: factor}
    uses |= {y_below: factor, y: -factor, z_below: factor, z: -factor, b: 2 * factor}
    return proof.algebra(
        norm(tall) ** 2 >= (norm(wide) ** 2 - norm(difference)) * factor,
        uses,
        [(rest, norm(tall))],
    )
