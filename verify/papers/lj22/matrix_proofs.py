"""Statements of Appendix D about matrices, written as data, with their proofs, for all sizes.

Weyl's inequalities, the rank bound of Theorem 2, Lemma 11 with its displays, and (84) as repaired.
The matrices are those of `singular_values`, `block_shuffling`, `consecutive` and `adjacent`; each
proof is a function that adds its steps, and `verify.checker` replays the record.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from verify.language.building import FUNCTIONS, Matrix
from verify.language.proof_facts import largest, least
from verify.language.proofs import Coefficient, Fact, Proof, Use, certificate
from verify.language.statements import Statement
from verify.language.terms import Term
from verify.papers.lj22.balance_proofs import (
    BALANCE_OF_ALL,
    VERTEX_BALANCE,
    balance_of_all,
    vertex_balance,
)
from verify.papers.lj22.spectral_steps import (
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

norm, rank, frob2, rows, above, beside = (
    FUNCTIONS[name] for name in ("norm", "rank", "frob2", "rows", "above", "beside")
)
C, D, M = Matrix("C", "n", "n"), Matrix("D", "n", "n"), Matrix("M", "m", "n")
U, Y, Z = Matrix("U", "c", "b"), Matrix("Y", "b", "a"), Matrix("Z", "c", "a")
W = Matrix("W", "a", "n")
W1, W2, W3 = Matrix("W1", "b", "a"), Matrix("W2", "c", "b"), Matrix("W3", "one", "c")
HALF, QUARTER, EIGHTH = Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)
SYMMETRIC = {"C is symmetric": C == C.T, "D is symmetric": D == D.T}
ONE_OUTPUT = {"Fin has one output": rows(W3) == 1}
TALL, WIDE, INSIDE = above(Y, Z), beside(U, Z), U.T @ U - Y @ Y.T
OUTSIDE = TALL.T @ TALL - W @ W.T
OF_Y, OF_Z, SUM_YZ = Y.T @ Y, Z.T @ Z, Y.T @ Y + Z.T @ Z
OF_U, TURNED_Z, SUM_UZ = U @ U.T, Z @ Z.T, U @ U.T + Z @ Z.T
y, z, u, t = map(largest, (OF_Y, OF_Z, OF_U, TURNED_Z))


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


def by_itself(proof: Proof) -> None:
    """Both sides have one normal form."""
    proof.algebra(proof.goal, {})


def turned_tall(proof: Proof) -> None:
    """B and its transpose."""
    proof.algebra(proof.goal, {turned(proof, TALL): -1})


def turned_wide(proof: Proof) -> None:
    """A and its transpose."""
    proof.algebra(proof.goal, {turned(proof, WIDE): -1})


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
    b, _ = proof.lemma("norm", M=TALL)
    _, a = norms(proof, WIDE)
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
    bound = norm(TALL) ** 2 >= (norm(WIDE) ** 2 - norm(INSIDE)) * factor
    return proof.algebra(bound, uses, [(1 - 2 * factor, norm(TALL))])


def shuffling(proof: Proof) -> None:
    """With the constant that the statement has."""
    proof.algebra(proof.goal, {shuffled(proof, EIGHTH): 1})


def shuffling_sharp(proof: Proof) -> None:
    """With the factor 1/2."""
    proof.algebra(proof.goal, {shuffled(proof, HALF): 1})


def first_pair(proof: Proof) -> None:
    """(84) for W1 and W2."""
    norm_of_first(proof, W1, W2)


def last_pair(proof: Proof) -> None:
    """(84) for W2 and Fin."""
    norm_of_first(proof, W2, W3)


def before_block(proof: Proof) -> None:
    """(84) for a dense layer before a block: from W to B, and from B to A."""
    tall, named = proof.name(TALL)
    outside = norm_of_first(proof, W, tall)
    bound = norm(W) ** 2 >= norm(TALL) ** 2 - norm(OUTSIDE)
    first = proof.same(bound, [named], outside)
    proof.algebra(proof.goal, {first: 1, shuffled(proof, EIGHTH): 1})


# the statements -----------------------------------------------------------------------------------
class Proved(NamedTuple):
    """A statement, and what adds the steps of the proof of each of its leaves."""

    statement: Statement
    steps: tuple[Callable[[Proof], Any], ...]

    def certificate(self) -> dict[str, Any]:
        """The record that the checker replays."""
        proofs = []
        for leaf, steps in enumerate(self.steps):
            proof = Proof(self.statement, leaf)
            steps(proof)
            proofs.append(proof)
        return certificate(self.statement, *proofs)


def _proved(
    name: str,
    says: Term,
    *steps: Callable[[Proof], Any],
    given: dict[str, Term] | None = None,
) -> Proved:
    return Proved(Statement(name, says, given or {}), steps)


def _next(one: Term, other: Term) -> Term:
    """|N|^2 >= |M|^2 - |M^T M - N N^T|."""
    return norm(one) ** 2 >= norm(other) ** 2 - norm(other.T @ other - one @ one.T)


PROVED = (
    _proved("lj22.weyl.a", largest(C + D) >= largest(C) + least(D), weyl_below, given=SYMMETRIC),
    _proved("lj22.weyl.b", largest(C) + largest(D) >= largest(C + D), weyl_above, given=SYMMETRIC),
    _proved("lj22.thm2-rank", norm(M) ** 2 >= frob2(M) / rank(M), rank_bound),
    _proved("lj22.lemma11@B", norm(TALL) ** 2 >= (norm(WIDE) ** 2 - norm(INSIDE)) / 8, shuffling),
    _proved(
        "lj22.lemma11 with 1/2",
        norm(TALL) ** 2 >= (norm(WIDE) ** 2 - norm(INSIDE)) / 2,
        shuffling_sharp,
    ),
    _proved("lj22.lemma11-74.fix", norm(Y) ** 2 >= norm(U) ** 2 - norm(INSIDE), norm_of_y),
    _proved("lj22.lemma11-75.a.fix", largest(TALL @ TALL.T) == largest(TALL.T @ TALL), turned_tall),
    _proved("lj22.lemma11-75.b", largest(TALL.T @ TALL) ** 2 == largest(SUM_YZ) ** 2, by_itself),
    _proved("lj22.lemma11-77", largest(SUM_YZ) ** 2 >= (y + z) ** 2 / 4, sum_from_below),
    _proved("lj22.lemma11-78", (y + z) ** 2 / 4 >= y**2 / 4 + z**2 / 4, square_of_a_sum),
    _proved("lj22.lemma11-79.fix", y / 4 + z / 4 >= u / 4 + t / 4 - norm(INSIDE) / 4, from_y_to_u),
    _proved("lj22.lemma11-80", u**2 / 4 + t**2 / 4 >= (u + t) ** 2 / 8, sum_of_squares),
    _proved("lj22.lemma11-81", (u + t) ** 2 / 8 >= largest(SUM_UZ) ** 2 / 8, sum_from_above),
    _proved(
        "lj22.lemma11-82.a", largest(SUM_UZ) ** 2 / 8 == largest(WIDE @ WIDE.T) ** 2 / 8, by_itself
    ),
    _proved("lj22.lemma11-82.b.fix", largest(WIDE @ WIDE.T) == largest(WIDE.T @ WIDE), turned_wide),
    _proved(
        "lj22.thm2-84.fix",
        _next(W1, W2) & _next(W2, W3),
        first_pair,
        last_pair,
        given=ONE_OUTPUT,
    ),
    _proved(
        "lj22.thm2-84.block@A.fix",
        norm(W) ** 2 >= (norm(WIDE) ** 2 - norm(INSIDE)) / 8 - norm(OUTSIDE),
        before_block,
    ),
    Proved(VERTEX_BALANCE, (vertex_balance,)),
    Proved(BALANCE_OF_ALL, (balance_of_all,)),
)
"""By the id of the claim, where there is one."""
