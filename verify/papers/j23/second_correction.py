"""Propositions 4 and 14, parts 1 and 2, for linear maps in deep linear networks.

There R^(0)(A) = Rank A, R^(1)(A) = 2 log |A|_+ and R^(2)(A) = |log_+ A^T A|^2 / 2, in the Frobenius
norm, from the closed form L sum_i s_i^(2/L) (`linear`). A case is made of one or two matrices.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import as_fraction
from graphs.matrices import rank as rank_of
from graphs.rationals import RATIONALS
from verify.cases.tensors import Tensors
from verify.core.argument import Argument
from verify.core.claim import Claim
from verify.kinds.deep.networks import Matrix as Rows
from verify.kinds.deep.networks import tensor_of
from verify.language.building import Matrix, pdet2, rank, sqrt
from verify.language.terms import Term
from verify.papers.j23 import second_correction_proofs as proofs
from verify.papers.j23.operator_norm import second_correction
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem10_notation import PROPORTION, p
from verify.statements.stated import Given, pool_with, stated, unless

TURNS = tuple((Fraction(a, c), Fraction(b, c)) for a, b, c in ((3, 4, 5), (4, 3, 5), (5, 12, 13)))
ATTEMPTS = 8
SIZES = tuple(map(Fraction, ("1", "1", "1", "1/2")))
LINEAR = (
    r"Here $f$ and $g$ are linear maps in deep linear networks, where $R^{(0)}(A)=\mathrm{Rank}A$, "
    r"$R^{(1)}(A)=2\log|A|_+$, $R^{(2)}(A)=\frac12\lVert\log_+A^TA\rVert_F^2$."
)

CLOSED = (
    "of linear maps the corrections are those of $L\\sum_is_i^{2/L}$; of other functions nothing "
    "is "
    "computed (docs/mathematics/j23.md#linear-maps)"
)


def with_matrices(case: Tensors, **matrices: Any) -> Tensors:
    """The case with these matrices, of whatever shape, with the axes that it has."""
    return case.changing(
        **{
            name: tensor_of(
                case.arrays[name].axes, np.vectorize(as_fraction, otypes=[object])(entries)
            )
            for name, entries in matrices.items()
        }
    )


def first_corrections_add(one: Term, other: Term, whole: Term) -> Term:
    """R^(1)(C) = R^(1)(A) + R^(1)(B): |C|_+ = |A|_+ |B|_+, by their squares."""
    return pdet2(whole) == pdet2(one) * pdet2(other)


# compositions -------------------------------------------------------------------------------------
A, B = Matrix("A", "m", "n"), Matrix("B", "n", "d")
PAIRS = pool_with(A, B, largest=3)
SHARED = pool_with(A, B, p, largest=3)


def _of_one_rank(case: Tensors) -> bool:
    outer, inner = case.matrix("A"), case.matrix("B")
    return len({rank_of(matrix) for matrix in (outer, inner, outer @ inner)}) == 1


def _aligned(case: Tensors, random: Random) -> Tensors:
    """B becomes A^T M, or A becomes M B^T where B is too narrow: Im B = Im A^T."""
    outer, inner = case.matrix("A"), case.matrix("B")
    rows, columns = len(outer), inner.shape[1]
    narrow = rank_of(outer) > columns
    for _ in range(ATTEMPTS):
        mixing: Rows = RATIONALS.array(
            [[random.randint(-1, 2) for _ in range(columns)] for _ in range(rows)]
        )
        if narrow:
            found = with_matrices(case, A=mixing @ inner.T)
        else:
            found = with_matrices(case, B=outer.T @ mixing)
        if _of_one_rank(found):
            break
    return found


def _unused_direction(case: Tensors, random: Random) -> Tensors:
    """A scales a direction that B does not use by the cosine that B loses."""
    cos, sin = random.choice(TURNS)
    size = random.choice(SIZES)
    return with_matrices(
        case, A=[[cos, 0, 0], [0, cos, 0]], B=[[cos * size], [Fraction(0)], [sin * size]]
    )


def _turned_away(case: Tensors, random: Random) -> Tensors:
    """Of rank 1: the row A is not along the column B."""
    cos, sin = random.choice(TURNS)
    return with_matrices(case, A=[[cos, sin]], B=[[random.choice(SIZES)], [Fraction(0)]])


_EQUAL_RANKS = (rank(A @ B) == rank(A)) & (rank(A) == rank(B))
EQUAL_RANKS = Given(
    "equal ranks of the matrices",
    _EQUAL_RANKS,
    r"$R^{(0)}(f\circ g)=R^{(0)}(f)=R^{(0)}(g)$",
    unless(_EQUAL_RANKS, _aligned),
    _unused_direction,
    thin=True,
)
_LOGS_ADD = first_corrections_add(A, B, A @ B)
LOGS_ADD = Given(
    "first corrections of the factors add",
    _LOGS_ADD,
    r"$R^{(1)}(f\circ g)=R^{(1)}(f)+R^{(1)}(g)$",
    unless(_LOGS_ADD, _aligned),
    _turned_away,
    thin=True,
)
ROOTS = sqrt(second_correction(A @ B)) <= sqrt(second_correction(A)) + sqrt(second_correction(B))
SHARES = second_correction(A @ B) <= (1 / (1 - p)) * second_correction(A) + (
    1 / p
) * second_correction(B)
BELOW_AND_ABOVE = (1 / p) * second_correction(B) + (1 / (1 - p)) * second_correction(
    A
) >= second_correction(A @ B)


def _linear(
    name: str,
    place: str,
    title: str,
    text: str,
    says: Term,
    given: tuple[Given, ...],
    pool: Any,
    proof: Callable[[], Argument],
) -> Claim:
    return stated(
        f"j23.{name}",
        printed(place),
        title,
        text,
        says,
        given,
        depends=("j23.linexp.b",),
        pool=pool,
        exact_only=True,
        proof=proof,
        through=CLOSED,
    )


COMPOSITION = _linear(
    "prop4.1.linear",
    "Proposition 4 (Proposition 14), part 1",
    "second correction of a composition, linear maps",
    r"If $R^{(0)}(f\circ g)=R^{(0)}(f)=R^{(0)}(g)$ and $R^{(1)}(f\circ g)=R^{(1)}(f)+R^{(1)}(g)$, "
    r"then $\sqrt{R^{(2)}(f\circ g)}\le\sqrt{R^{(2)}(f)}+\sqrt{R^{(2)}(g)}$. " + LINEAR,
    ROOTS,
    (EQUAL_RANKS, LOGS_ADD),
    PAIRS,
    proofs.roots_of_compositions,
)
INEQUALITY_1 = _linear(
    "prop4.eq1.linear",
    "proof of Proposition 14, eq. (1)",
    "inequality (1) at every ratio, linear maps",
    r"$R^{(2)}(f\circ g)\le\frac1{1-p}R^{(2)}(f)+\frac1pR^{(2)}(g)$ for every $p\in(0,1)$. "
    + LINEAR,
    SHARES,
    (EQUAL_RANKS, LOGS_ADD, PROPORTION),
    SHARED,
    proofs.shares_of_compositions,
)
TAIL = _linear(
    "prop4.tail.second",
    "end of the proof of Proposition 14, second display",
    "second corrections below and above a representation, linear maps",
    r"$\frac1pR^{(2)}(\alpha)+\frac1{1-p}R^{(2)}(\alpha\to f)\ge R^{(2)}(f)$ for an intermediate "
    r"representation $\alpha$ of $f$, as in (1), and $p\in(0,1)$. "
    + LINEAR
    + r" Here $\alpha(x)=Bx$ and $f(x)=ABx$.",
    BELOW_AND_ABOVE,
    (EQUAL_RANKS, LOGS_ADD, PROPORTION),
    SHARED,
    proofs.shares_of_compositions,
)

# sums ---------------------------------------------------------------------------------------------
C = Matrix("B", "m", "n")
SUMMANDS = pool_with(A, C, largest=3)


def _apart(case: Tensors, random: Random) -> Tensors:
    """B becomes the part of B that maps the complement of Im A^T to that of Im A."""
    one, other = case.matrix("A"), case.matrix("B")
    left = other - reals.image_projection(one) @ other
    return with_matrices(case, B=left - left @ reals.image_projection(one.T))


def _product_is_sum(case: Tensors, random: Random) -> Tensors:
    """Two numbers a, b with a + b = a b."""
    a = random.choice((Fraction(2), Fraction(3), Fraction(3, 2)))
    return with_matrices(case, A=[[a]], B=[[a / (a - 1)]])


def _leaning(case: Tensors, random: Random) -> Tensors:
    """Two matrices of rank 1 whose images are not orthogonal."""
    cos, sin = random.choice(TURNS)
    return with_matrices(case, A=[[1, 0], [0, 0]], B=[[0, cos], [0, sin]])


_RANKS_ADD = rank(A + C) == rank(A) + rank(C)
RANKS_ADD = Given(
    "ranks of the summands add",
    _RANKS_ADD,
    r"$R^{(0)}(f+g)=R^{(0)}(f)+R^{(0)}(g)$",
    unless(_RANKS_ADD, _apart),
    _product_is_sum,
    thin=True,
)
_SUM_LOGS_ADD = first_corrections_add(A, C, A + C)
SUM_LOGS_ADD = Given(
    "first corrections of the summands add",
    _SUM_LOGS_ADD,
    r"$R^{(1)}(f+g)=R^{(1)}(f)+R^{(1)}(g)$",
    unless(_SUM_LOGS_ADD, _apart),
    _leaning,
    thin=True,
)
ADDED = second_correction(A + C) <= second_correction(A) + second_correction(C)

SUM = _linear(
    "prop4.2.linear",
    "Proposition 4 (Proposition 14), part 2",
    "second correction of a sum, linear maps",
    r"If $R^{(0)}(f+g)=R^{(0)}(f)+R^{(0)}(g)$ and $R^{(1)}(f+g)=R^{(1)}(f)+R^{(1)}(g)$, then "
    r"$R^{(2)}(f+g)\le R^{(2)}(f)+R^{(2)}(g)$. " + LINEAR,
    ADDED,
    (RANKS_ADD, SUM_LOGS_ADD),
    SUMMANDS,
    proofs.sums,
)


CLAIMS = (
    INEQUALITY_1,
    COMPOSITION,
    SUM,
    TAIL,
)
