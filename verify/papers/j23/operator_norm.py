"""What the second correction bounds, and rank and pseudo-determinant do not: the operator norm."""

from __future__ import annotations

from random import Random

from verify.cases.tensors import Tensors
from verify.core.claim import Claim
from verify.kinds.deep.changes import GAPS
from verify.language.building import (
    Matrix,
    Number,
    Sum,
    When,
    Whole,
    diag,
    exp,
    log,
    norm,
    pdet2,
    rank,
    singular,
    sqrt,
    upto,
    vector,
)
from verify.language.terms import Term
from verify.papers.j23 import second_correction_proofs as arguments
from verify.papers.j23.sources import printed
from verify.statements.quantities import with_value
from verify.statements.stated import Given, pool_with, stated

WHERE = printed("Section 3.2, last paragraph")
A, gap = Matrix("A", "m", "n"), Number("gap")
M, D, k = Number("M"), Number("D"), Whole("k", 1, 4)


def second_correction(of: Term) -> Term:
    """R^(2)(A) = |log_+ A^T A|_F^2 / 2."""
    return Sum(upto(rank(of)), lambda i: log(singular(of)[i] ** 2) ** 2) / 2


def _with_gap(case: Tensors, random: Random) -> Tensors:
    return with_value(case, "gap", random.choice(GAPS))


AT_MOST_T = Given(
    "second correction at most t",
    gap >= 0,
    r"$R^{(2)}(A)\le t$: here $t=R^{(2)}(A)+\mathrm{gap}$",
    lambda case, random: case if case.number("gap") >= 0 else _with_gap(case, random),
    lambda case, random: with_value(case, "gap", -random.choice([g for g in GAPS if g])),
)
BOUNDED = norm(A) <= exp(sqrt((second_correction(A) + gap) / 2))
POSITIVE_D = Given(
    "D above 0",
    D > 0,
    r"$R^{(1)}=2\log D$ with $D>0$",
    lambda case, random: with_value(case, "D", abs(case.number("D")) or 1),
)
LARGE = abs(M) + 1
OF_RANK_K = diag(vector(k, lambda i: When(i == 1, LARGE, 1)))
OF_DETERMINANT_D = diag(vector(2, lambda i: When(i == 1, LARGE, D / LARGE)))


def _unbounded(part: str, what: str, over: str, says: Term, *given: Given) -> Claim:
    return stated(
        f"j23.r2.opnorm.{part}",
        WHERE,
        "the operator norm is not bounded by rank and pseudo-determinant",
        rf"The operator norm is not bounded by $R^{{(0)}}$ nor $R^{{(1)}}$: for {over} and every "
        rf"$M$ there is $A$ with {what} and $\lVert A\rVert_{{op}}\ge|M|$, here a diagonal one.",
        says,
        given,
        exact_only=True,
    )


CLAIMS = (
    stated(
        "j23.r2.opnorm.a@A",
        WHERE,
        "the second correction bounds the operator norm",
        r"$R^{(2)}(A)=\frac12\lVert\log_+A^TA\rVert^2$ bounds the operator norm of $A$: "
        r"if $R^{(2)}(A)\le t$, then $\lVert A\rVert_{op}\le e^{\sqrt{t/2}}$.",
        BOUNDED,
        (AT_MOST_T,),
        pool=pool_with(A, gap, largest=3, adapt=_with_gap),
        reading="A",
        reading_text="the norm of the matrix of logarithms is the Frobenius norm",
        exact_only=True,
        proof=arguments.largest_is_among_them,
    ),
    _unbounded(
        "b",
        r"$\mathrm{Rank}A=k$",
        r"each $k\ge1$",
        (rank(OF_RANK_K) == k) & (norm(OF_RANK_K) >= abs(M)),
    ),
    _unbounded(
        "c",
        r"$2\log|A|_+=2\log D$",
        "each $D>0$",
        (pdet2(OF_DETERMINANT_D) == D**2) & (norm(OF_DETERMINANT_D) >= abs(M)),
        POSITIVE_D,
    ),
)
