"""The proof of Proposition 12: the last weights W_L and two tangent spaces, without a network."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from graphs import reals
from graphs.arithmetic import rational
from graphs.matrices import rank as rank_of
from graphs.rationals import RATIONALS
from verify.cases.hypotheses import unchanged
from verify.cases.tensors import Tensors
from verify.kinds.deep.networks import Matrix as Rows
from verify.kinds.deep.pool import rotation
from verify.language.building import (
    Matrix,
    Number,
    beside,
    frob2,
    implies,
    log,
    pdet2,
    rank,
    rows,
    sqrt,
)
from verify.language.terms import Term
from verify.papers.j23.identity_network import PROOF
from verify.papers.j23.matrix_notation import projection, pseudo_inverse
from verify.papers.j23.second_correction import with_matrices
from verify.papers.j23.sources import printed
from verify.statements.quantities import with_value
from verify.statements.stated import Given, pool_with, stated, unless

W = Matrix("W", "d", "m", meaning="the last weights $W_L$")
T = Matrix("T", "d", "k", meaning="its columns span $T_x\\Omega$")
S = Matrix("S", "d", "k", meaning="its columns span $T_y\\Omega$")
s = Number("s", meaning="a scale of $W_L$")


# W_L alone ----------------------------------------------------------------------------------------
def _containing(case: Tensors, random: Random) -> Tensors:
    """T and S become images of W."""
    along = reals.image_projection(case.matrix("W"))
    return with_matrices(case, **{name: along @ case.matrix(name) for name in "TS"})


def _not_containing(case: Tensors, random: Random) -> Tensors:
    """W has no part along the first coordinate, T has."""
    weight, along = case.matrix("W"), case.matrix("T")
    if len(weight) > 1:
        weight[0] = weight[0] * 0
    along[0, 0] = along[0, 0] + 1
    return with_matrices(case, W=weight, T=along)


_CONTAINS = rank(beside(beside(W, T), S)) == rank(W)
CONTAINS = Given(
    "image of the last weights",
    _CONTAINS,
    r"$\mathrm{Im}\,W_L\supset T_x\Omega+T_y\Omega$ (the images of $T$ and $S$)",
    unless(_CONTAINS, _containing),
    _not_containing,
)


def _narrowed(case: Tensors, random: Random) -> Tensors:
    """T, S and W have no part along the first coordinate."""
    arrays = {}
    for name in "WTS":
        lines = case.matrix(name)
        lines[0] = lines[0] * 0
        arrays[name] = lines
    return with_matrices(case, **arrays)


SPANS = Given(
    "the whole output space",
    rank(beside(T, S)) == rows(W),
    r"$T_x\Omega+T_y\Omega$ is the full output space $\mathbb R^d$",
    unchanged,
    _narrowed,
)


INVERTIBLE = stated(
    "j23.prop5.bound.c",
    printed(f"{PROOF}, displays"),
    "the last weights have full rank",
    r"Without loss of generality the span of $T_x\Omega$ and $T_y\Omega$ is the full output space, "
    r"and therefore $W_LW_L^T$ is invertible.",
    rank(W @ W.T) == rows(W),
    (SPANS, CONTAINS),
    pool=pool_with(W, T, S, largest=3),
    exact_only=True,
)


# the scale of W_L ---------------------------------------------------------------------------------
def value(weights: Term, along: Term) -> Term:
    """|W|_F^2 - k + 2 log |W^+ P|_+, P the projection to the image of T, k its dimension."""
    image = pseudo_inverse(weights) @ projection(along)
    return frob2(weights) - rank(along) + log(pdet2(image))


def value_of_norm_k(along: Term) -> Term:
    """The same at the multiple c W with |c W|_F^2 = k, where c^2 = k / |W|_F^2: the matrix
    (c W)^+ P is W^+ P / c."""
    image = pseudo_inverse(W) @ projection(along)
    return log(pdet2(image)) - rank(image) * log(rank(along) / frob2(W))


def _no_less(along: Term) -> Term:
    return implies(
        (s > 0) & (frob2(W) > 0) & (rank(along) > 0), value(s * W, along) >= value_of_norm_k(along)
    )


def _positive_scale(case: Tensors, random: Random) -> Tensors:
    size = abs(case.number("s")) or Fraction(random.randint(1, 8), 4)
    return with_value(case, "s", size)


SCALE = stated(
    "j23.prop5.scale.a",
    printed(f"{PROOF}, last displays"),
    "optimisation over the scale of the last weights",
    r"Optimising over $a$ in $aW_L$, at the optimum we always have $\lVert W_L\rVert_F^2=k$: "
    r"$\lVert W_L\rVert_F^2-k+2\log|W_L^+P|_+$ is not below its value at the multiple of $W_L$ "
    r"with $\lVert W_L\rVert_F^2=k$. ($sW_L$ with $s>0$, for both tangent spaces.)",
    _no_less(T) & _no_less(S),
    (CONTAINS,),
    pool=pool_with(W, T, S, s, largest=3, adapt=_positive_scale),
    exact_only=True,
)


def _square(case: Tensors, weight: Rows, along: Rows | None = None) -> Tensors:
    """Other weights with as many columns as rows, and another T; S is T."""
    along = case.matrix("T") if along is None else along
    return with_matrices(case, W=weight, T=along, S=along)


def _onto(case: Tensors, random: Random) -> Tensors:
    """W = P_T Q with a rotation Q."""
    along = reals.image_projection(case.matrix("T"))
    return _square(case, along @ RATIONALS.array(rotation(len(along), random)))


def _identity(case: Tensors, random: Random) -> Tensors:
    """W = I; where T is everything, I with 2 and 1/2 on the diagonal."""
    along = case.matrix("T")
    width = len(along)
    weight = RATIONALS.array([int(i == j) for i in range(width) for j in range(width)])
    weight = weight.reshape(width, width)
    if rank_of(along) == width > 1:
        weight[0, 0], weight[1, 1] = rational(2), rational(Fraction(1, 2))
    return _square(case, weight)


def _uneven(case: Tensors, random: Random) -> Tensors:
    """T is the first coordinate, W has 3/5 and 4/5 along the first two."""
    along = case.matrix("T") * 0
    width = len(along)
    along[0] = along[0] + 1
    weight = RATIONALS.array([0] * (width * width)).reshape(width, width)
    weight[0, 0] = rational(Fraction(3, 5))
    if width > 1:
        weight[1, 1] = rational(Fraction(4, 5))
    return _square(case, weight, along)


def _skew(case: Tensors, random: Random) -> Tensors:
    """As `_uneven`, with the first column of W turned out of T."""
    case = _uneven(case, random)
    weight = case.matrix("W")
    if len(weight) > 2:
        fifth = rational(Fraction(1, 25))
        weight = weight * 0
        weight[0, 0], weight[1, 0], weight[2, 1] = 9 * fifth, 12 * fifth, 20 * fifth
    return _square(case, weight, case.matrix("T"))


NORM = Given(
    "norm k",
    frob2(W) == rank(T),
    r"$\lVert W_L\rVert_F^2=k$",
    unchanged,
    _identity,
)
FIRST = Given(
    "first term 0",
    pdet2(pseudo_inverse(W) @ projection(T)) == 1,
    r"$2\log|W_L^+P_{T_x\Omega}|_+=0$",
    unchanged,
    _uneven,
)


def _onto_or_drawn(case: Tensors, random: Random) -> Tensors:
    """Mostly W = P_T Q."""
    return _onto(case, random) if random.random() < 0.75 else case


MATCH = stated(
    "j23.prop5.scale.c",
    printed(f"{PROOF}, last sentence"),
    "when the first term vanishes",
    r"The only way to put the first term inside the maximum to $0$ is to have "
    r"$W_LW_L^T=P_{T_x\Omega}$.",
    projection(T) == W @ W.T,
    (NORM, FIRST, replace(CONTAINS, break_=_skew)),
    pool=pool_with(W, T, S, largest=3, adapt=_onto_or_drawn),
    exact_only=True,
)


def _reflected(case: Tensors, random: Random) -> Tensors:
    """|W|_F^2 is the dimension of S: k entries 1, reflected in the hyperplane off the old W."""
    weight, k = case.matrix("W"), rank_of(case.matrix("S"))
    if not weight.any() or k > weight.size:
        return case
    normal = weight.reshape(-1)
    base = RATIONALS.array([int(place < k) for place in range(normal.size)])
    turned = base - normal * (2 * (base * normal).sum() / (normal * normal).sum())
    return with_matrices(case, W=turned.reshape(weight.shape))


def _doubled(case: Tensors, random: Random) -> Tensors:
    return with_matrices(case, W=case.matrix("W") * 2)


DIMENSION = rank(S)  # k
APART = projection(S) - projection(T) @ projection(S)  # (I - P_T) P_S
EXPLODES = stated(
    "j23.prop5.scale.d",
    printed(f"{PROOF}, last sentence"),
    "the second term explodes",
    r"This leads to an exploding second term if $P_{T_x\Omega}\ne P_{T_y\Omega}$: as "
    r"$W_LW_L^T\to P_{T_x\Omega}$, $|W_L^+P_{T_y\Omega}|_+\to\infty$, since "
    r"$|W_L^+P_{T_y\Omega}|_+^2\,k^k\,\lVert W_LW_L^T-P_{T_x\Omega}\rVert_F\ge"
    r"\lVert(I-P_{T_x\Omega})P_{T_y\Omega}\rVert_F^2$.",
    pdet2(pseudo_inverse(W) @ projection(S))
    * DIMENSION**DIMENSION
    * sqrt(frob2(W @ W.T - projection(T)))
    >= frob2(APART),
    (replace(NORM, break_=_doubled), CONTAINS),
    pool=pool_with(W, T, S, largest=3, adapt=_reflected),
    exact_only=True,
)

CLAIMS = (INVERTIBLE, SCALE, MATCH, EXPLODES)
