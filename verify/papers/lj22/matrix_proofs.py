"""Statements of Appendix D about matrices, written as data, with their proofs, for all sizes.

Weyl's inequalities, the rank bound of Theorem 2, Lemma 11 with its displays, and (84) as repaired.
The matrices are those of `singular_values`, `block_shuffling` and `consecutive`; each
proof is a function that adds its steps, and `verify.checker` replays the record.
"""

from __future__ import annotations

from fractions import Fraction

from verify.language.building import Matrix, frob2, norm, rank
from verify.language.proofs import Coefficient, Fact, Proof, Use
from verify.language.terms import Term
from verify.papers.lj22.notation import W1, W2, W3, A, B, C, D, U, Y, Z, defect, largest, least
from verify.statements.derivations.spectral_steps import (
    above_sum,
    below_sum,
    below_top,
    gram_is_symmetric,
    norm_of_first,
    norms,
    top,
    top_from_0,
    turned,
)

W, ENTERING = Matrix("W", "m", "n"), Matrix("W", "a", "n")  # any matrix; a layer before a block
HALF, QUARTER, EIGHTH = Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)
OF_U, TURNED_Z = U @ U.T, Z @ Z.T


# the proofs ---------------------------------------------------------------------------------------
def both_symmetric(proof: Proof) -> tuple[Fact, Fact]:
    """C = C^T and D = D^T."""
    (symmetric,) = proof.given.values()
    return proof.part(symmetric, 0), proof.part(symmetric, 1)


def weyl_below(proof: Proof) -> None:
    """(C + D) at the unit vector of C."""
    c, d = both_symmetric(proof)
    whole = proof.algebra(C + D == (C + D).T, {c: 1, d: 1})
    x, unit, value = top(proof, C, c)
    bound = below_top(proof, C + D, whole, x, unit)
    _, low = proof.lemma("rayleigh", d, S=D, x=x)
    proof.algebra(proof.goal, {bound: 1, low: 1, value: 1, unit: least(D)})


def rank_bound(proof: Proof) -> None:
    """|W|_F^2 is the sum of rank W squares of at most |W|^2."""
    ranks, squares, positive, bounds = proof.lemma("singular", M=W)

    def one(k: Term, member: Fact) -> Fact:
        low, high = proof.at(positive, member), proof.at(bounds, member)
        value = low.term.args[0]
        return proof.algebra(value**2 <= norm(W) ** 2, {(high, high): 1, (high, low): 2})

    many = proof.summed(positive.term.args[0], one)
    count = proof.algebra(rank(W) + 1 >= 1, {ranks: 1})
    (length,) = proof.lemma("length", count, a=1, b=rank(W))
    whole = proof.algebra(
        rank(W) * norm(W) ** 2 >= frob2(W), {many: 1, squares: -1, length: -(norm(W) ** 2)}
    )
    quotient = proof.goal.args[0]
    defined = proof.defined(quotient)
    (nonzero,) = proof.lemma("divisor", defined, a=frob2(W), b=rank(W))
    (inverse,) = proof.lemma("reciprocal", nonzero, b=rank(W))
    share = Fraction(1) / rank(W)
    share_positive = proof.algebra(share >= 0, {inverse: -share}, [(1, share, ranks)])
    proof.algebra(proof.goal, {(whole, share_positive): 1, inverse: -(norm(W) ** 2)})


def by_itself(proof: Proof) -> None:
    """Both sides have one normal form."""
    proof.algebra(proof.goal, {})


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
    b, _ = proof.lemma("norm", M=B)
    _, a = norms(proof, A)
    (of_y, _), (of_z, turned_z), (_, of_u) = norms(proof, Y), norms(proof, Z), norms(proof, U)
    uses: dict[Use, Coefficient] = {
        b: 2 * factor,
        below_sum(proof, Y, Z): factor,
        below_sum(proof, Z, Y): factor,
    }
    symmetric = gram_is_symmetric(proof, OF_U), gram_is_symmetric(proof, TURNED_Z)
    uses |= {above_sum(proof, OF_U, TURNED_Z, symmetric): factor}
    uses |= {norm_of_first(proof, Y, U): factor, of_u: factor, turned_z: factor}
    uses |= {a: -factor, of_y: -factor, of_z: -factor}
    bound = norm(B) ** 2 >= (norm(A) ** 2 - norm(defect(Y, U))) * factor
    return proof.algebra(bound, uses, [(1 - 2 * factor, norm(B))])


def first_pair(proof: Proof) -> None:
    """(84) for W1 and W2."""
    norm_of_first(proof, W1, W2)


def last_pair(proof: Proof) -> None:
    """(84) for W2 and Fin."""
    norm_of_first(proof, W2, W3)


def before_block(proof: Proof) -> None:
    """(84) for a dense layer before a block: from W to B, and from B to A."""
    tall, named = proof.name(B)
    outside = norm_of_first(proof, ENTERING, tall)
    bound = norm(ENTERING) ** 2 >= norm(B) ** 2 - norm(defect(ENTERING, B))
    first = proof.same(bound, [named], outside)
    proof.algebra(proof.goal, {first: 1, shuffled(proof, EIGHTH): 1})
