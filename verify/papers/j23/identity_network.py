"""The network of the "if" part of Proposition 12: O, projections, O^T."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np

from graphs import reals
from graphs.arithmetic import rational
from graphs.rationals import RATIONALS
from verify.cases.tensors import Tensors
from verify.kinds.deep.pool import rotation
from verify.language.building import Each, Fold, Matrix, Whole, cols, frob2, rank, row, rows, upto
from verify.language.terms import Term
from verify.papers.j23.matrix_notation import SLOPE, a, activated, inside, projection
from verify.papers.j23.second_correction import with_matrices
from verify.papers.j23.sources import printed
from verify.statements.stated import Given, pool_with, stated, unless

PROOF = "proof of Proposition 12"


# the network of the "if" part ---------------------------------------------------------------------
isometry, X, L = Matrix("O", "m", "d"), Matrix("X", "N", "d"), Whole("L", 2, 6)


def network(x: Term) -> Term:
    """f_theta(x): W_1 = O, then projections to Im O, W_L = O^T."""
    middle = Fold(
        upto(L - 2), activated(isometry @ x), lambda here, _: activated(projection(isometry) @ here)
    )
    return isometry.T @ middle


REPRESENTED = Each(
    upto(rows(X)),
    lambda n: Each(upto(cols(X)), lambda j: network(row(X, n))[j] == X[n, j]),
)
NORM = 2 * frob2(isometry) + (L - 2) * frob2(projection(isometry)) == L * rank(X)


def _turned(case: Tensors, random: Random) -> Tensors:
    """X = Y Q with Y >= 0 and Q a rotation; O is Q on the span of X, with zero rows below."""
    _count, width = case.arrays["X"].shape
    turn = RATIONALS.array(rotation(width, random))
    points = abs(case.matrix("X")) @ turn
    extra = max(0, case.arrays["O"].shape[0] - width)
    below = RATIONALS.array([0] * (extra * width)).reshape(extra, width)
    whole = np.concatenate([turn @ reals.image_projection(points.T), below])
    return with_matrices(case, O=whole, X=points)


def _as_network(case: Tensors, random: Random) -> Tensors:
    return _turned(inside(case, random), random)


def _scaled(case: Tensors, random: Random) -> Tensors:
    factor = random.choice((Fraction(2), Fraction(1, 2)))
    return with_matrices(case, O=case.matrix("O") * rational(factor))


def _opposed(case: Tensors, random: Random) -> Tensors:
    """The first point becomes its opposite."""
    points = case.matrix("X")
    points[0] = -points[0]
    return with_matrices(case, X=points)


_IS_ISOMETRY = projection(X.T) == isometry.T @ isometry
ISOMETRY = Given(
    "isometry of the span",
    _IS_ISOMETRY,
    r"$O^TO=P_{\mathrm{span}\,\Omega}$",
    unless(_IS_ISOMETRY, _turned),
    _scaled,
)
_IS_POSITIVE = Each(
    upto(rows(X)), lambda n: Each(upto(rows(isometry)), lambda i: (isometry @ row(X, n))[i] >= 0)
)
POSITIVE = Given(
    "into the orthant",
    _IS_POSITIVE,
    r"$O\Omega\subset\mathbb R_+^m$",
    unless(_IS_POSITIVE, _turned),
    _opposed,
)
IF = stated(
    "j23.prop5.if",
    printed(f"{PROOF}, first paragraph"),
    "network of the identity on planar completely positive domains",
    r"If $O\Omega\subset\mathbb R_+^m$ and $O^TO=P_{\mathrm{span}\,\Omega}$, the identity is "
    r"represented by the network of depth $L\ge2$ with $W_1=O$, $W_\ell=P_{\mathrm{Im}\,O}$, "
    r"$W_L=O^T$, of norm $Lk$ with $k=\dim\mathrm{span}\,\Omega$. ($\Omega$ is spanned, by "
    "non-negative combinations, by the points $X$.)",
    REPRESENTED & NORM,
    (SLOPE, ISOMETRY, POSITIVE),
    pool=pool_with(isometry, X, a, L, largest=3, adapt=_as_network),
    exact_only=True,
)

CLAIMS = (IF,)
