"""What the proof of Theorem 15 takes from matrices: pseudo-determinants of products, and the
inequality for a general matrix.

All pseudo-determinants are above 0, so equations between them are said of their squares. The
general matrix is A = U S V^T with its thin SVD: U and V have as many columns as A has rank.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from graphs.rings import ring_of
from verify.cases.tensors import Tensor, Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Claim
from verify.kinds.deep.pool import gaussian, rotation
from verify.language.building import (
    Each,
    Matrix,
    Sum,
    Vector,
    beside,
    diag,
    dim,
    eye,
    frob2,
    log,
    pdet2,
    rank,
    upto,
)
from verify.language.terms import Term
from verify.papers.j23.sources import printed
from verify.statements.stated import Given, pool_with, stated

PROOF = "proof of Theorem 15"


def _matrix(case: Tensors, name: str) -> np.ndarray:
    array = case.arrays[name]
    entries: np.ndarray = RATIONALS.array(list(array.entries)).reshape(array.shape)
    return entries


def _changed(case: Tensors, **matrices: Any) -> Tensors:
    """Other entries, of the same axes; their lengths may differ."""
    arrays = {}
    for name, rows in matrices.items():
        flat = np.asarray(rows, dtype=object)
        entries = tuple(as_fraction(entry) for entry in flat.reshape(-1))
        arrays[name] = Tensor(case.arrays[name].axes, flat.shape, entries)
    return case.changing(**arrays)


def _random_matrix(rows: int, columns: int, random: Random) -> np.ndarray:
    flat = [gaussian(random) for _ in range(rows * columns)]
    entries: np.ndarray = RATIONALS.array(flat).reshape(rows, columns)
    return entries


# pseudo-determinants of products ------------------------------------------------------------------
A, B = Matrix("A", "m", "n"), Matrix("B", "n", "r")


def _to_same_space(case: Tensors, random: Random) -> Tensors:
    """B becomes A^T C, or A becomes C B^T, with a random C."""
    a, b = _matrix(case, "A"), _matrix(case, "B")
    c = _random_matrix(a.shape[0], b.shape[1], random)
    if b.shape[1] >= a.shape[0]:
        return _changed(case, B=a.T @ c)
    return _changed(case, A=c @ b.T)


ROW_SPACE = Given(
    "Im A^T = Im B",
    (rank(A) == rank(B)) & (rank(beside(A.T, B)) == rank(B)),
    r"the preimage of $A$ matches the image of $B$: $\mathrm{Im}A^T=\mathrm{Im}B$",
    _to_same_space,
)


# the inequality for a general matrix --------------------------------------------------------------
U, V = Matrix("U", "m", "r"), Matrix("V", "n", "r")
S = Vector("S", "r", meaning="the singular values $s_i(A)$")
GENERAL = U @ diag(S) @ V.T
IDENTITY = eye(dim(S))


def _value(random: Random) -> Fraction:
    """A singular value between 10^-6 and 10^6, often near 1."""
    if random.random() < 0.5:
        return 1 + Fraction(random.randint(-8, 8), 32)
    share = Fraction(random.randint(1, 40), random.randint(1, 40))
    return share * Fraction(10) ** random.randint(-4, 4)


def _columns(size: int, count: int, random: Random) -> np.ndarray:
    turned = RATIONALS.array(rotation(size, random)) @ RATIONALS.array(rotation(size, random))
    columns: np.ndarray = turned[:, :count]
    return columns


def _to_svd(case: Tensors, random: Random) -> Tensors:
    lengths = case.lengths
    count = min(lengths["m"], lengths["n"], lengths["r"])
    return _changed(
        case,
        U=_columns(lengths["m"], count, random),
        V=_columns(lengths["n"], count, random),
        S=RATIONALS.array([_value(random) for _ in range(count)]),
    )


THIN = Given(
    "thin SVD",
    (U.T @ U == IDENTITY) & (V.T @ V == IDENTITY) & Each(upto(dim(S)), lambda i: S[i] > 0),
    r"$A=USV^T$ is a thin SVD of $A$",
    _to_svd,
)


def over_values(summand: Callable[[Term], Term]) -> Term:
    """The sum over i up to Rank A of what is made of s_i(A)."""
    return Sum(upto(rank(GENERAL)), lambda i: summand(S[i]))


FIRST = frob2(GENERAL) - rank(GENERAL) - log(pdet2(GENERAL))  # 2 log|A|_+ is the log of its square
SECOND = over_values(lambda s: s**2 - 1 - 2 * log(s))
THIRD = over_values(lambda s: s**2 - 1 - 2 * (s - 1))
FOURTH = over_values(lambda s: (s - 1) ** 2)
FIFTH = frob2(GENERAL - U @ V.T)
BY_TANGENT = SECOND >= THIRD


def logarithm_argument() -> Argument:
    """s - 1 - log s falls before 1, rises behind it, and is 0 there."""
    ring = ring_of(3)
    s, log_s, inverse = ring.generators
    left = s * s - 1 - 2 * log_s - (s * s - 1 - 2 * (s - 1))
    unit = s * inverse - 1  # 0
    steps = (
        Step("a summand's slack is 2 (s - 1 - log s)", ring.is_zero(left - 2 * (s - 1 - log_s))),
        Step(
            "the derivative 1 - 1/s of s - 1 - log s is (s - 1)/s, below 0 before 1, above 0 after",
            ring.is_zero(s * (1 - inverse) - (s - 1) + unit),
        ),
    )
    return Argument(
        "each summand has a slack of 2 (s - 1 - log s), whose minimum over s > 0 is 0, at s = 1",
        steps,
        ("log is differentiable on s > 0 with the derivative 1/s, and log 1 = 0",),
        uses=(THIN.name,),
        section="docs/mathematics/j23.md#one-family-or-two",
    )


# claims -------------------------------------------------------------------------------------------
SVDS = pool_with(U, V, S)
BEGINNING = r"For a general matrix $A$ with SVD $A=USV^T$: "
PRINTED = (
    r"\lVert A\rVert_F^2-\mathrm{Rank}A-2\log|A|_+",
    r"\sum_{i=1}^{\mathrm{Rank}A}s_i(A)^2-1-2\log s_i(A)",
    r"\sum_{i=1}^{\mathrm{Rank}A}s_i(A)^2-1-2(s_i(A)-1)",
    r"\sum_{i=1}^{\mathrm{Rank}A}(s_i(A)-1)^2",
    r"\lVert A-UV^T\rVert_F^2",
)


def _scalar(part: str, says: Term, **others: Any) -> Claim:
    """A sign of the sixth display, between two of its members."""
    place = "abcd".index(part[0])
    sign = r"\ge" if part == "b" else "="
    return stated(
        f"j23.thm6.scalar.{part}",
        printed(f"{PROOF}, sixth display"),
        "inequality for a general matrix",
        f"{BEGINNING}${PRINTED[place]}{sign}{PRINTED[place + 1]}$.",
        says,
        [THIN],
        pool=SVDS,
        **others,
    )


CLAIMS = (
    stated(
        "j23.thm6.pdet@A",
        printed(f"{PROOF}, before the second display"),
        "pseudo-determinant of a product",
        r"If the preimage of $A$ matches the image of $B$ then $|AB|_+=|A|_+|B|_+$.",
        pdet2(A @ B) == pdet2(A) * pdet2(B),
        [ROW_SPACE],
        pool=pool_with(A, B),
        reading="A",
        reading_text=r"the preimage of $A$ is $\mathrm{Im}A^T$",
    ),
    _scalar("a", FIRST == SECOND),
    _scalar("b", BY_TANGENT, proof=logarithm_argument),
    _scalar("c", THIRD == FOURTH, proofs=[lambda proof: proof.algebra(proof.goal, {})]),
    _scalar(
        "d@A",
        FOURTH == FIFTH,
        reading="A",
        reading_text=r"the thin SVD, with $\mathrm{Rank}A$ columns",
    ),
)
