"""The proof of Proposition 12: the last weights W_L and two tangent spaces, without a network."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import rational
from graphs.matrices import rank
from graphs.rationals import RATIONALS
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealScene, RealTensors
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.core.claim import Claim, Kind
from verify.kinds.deep.networks import Matrix, tensor_of
from verify.kinds.deep.pool import rotation
from verify.papers.j23.identity_network import PROOF, fractions, projection, size
from verify.papers.j23.rows import Row, entries_of, exact, number
from verify.papers.j23.sources import printed


# W_L alone ----------------------------------------------------------------------------------------
def _images(case: Tensors) -> tuple[Matrix, Matrix, Matrix]:
    """W, T, S."""
    weight, one, other = (exact(case, name) for name in "WTS")
    return weight, one, other


def _contains(case: Tensors) -> bool:
    weight, one, other = _images(case)
    return rank(np.concatenate([weight, one, other], axis=1)) == rank(weight)


def _containing(case: Tensors, random: Random) -> Tensors:
    """T and S become images of W, where they are not in it."""
    if _contains(case):
        return case
    along = projection(exact(case, "W"))
    images = {name: fractions(along @ exact(case, name)) for name in "TS"}
    return case.changing(**{name: tensor_of(("d", "k"), rows) for name, rows in images.items()})


def _not_containing(case: Tensors, random: Random) -> Tensors:
    """W has no part along the first coordinate, T has."""
    weight, along = exact(case, "W"), exact(case, "T")
    if len(weight) > 1:
        weight[0] = weight[0] * 0
    along[0, 0] = along[0, 0] + 1
    return case.changing(
        W=tensor_of(("d", "m"), fractions(weight)), T=tensor_of(("d", "k"), fractions(along))
    )


CONTAINS = Hypothesis(
    "image of the last weights",
    r"$\mathrm{Im}\,W_L\supset T_x\Omega+T_y\Omega$ (the images of $T$ and $S$)",
    by_case(_contains),
    _containing,
    _not_containing,
)


def _spans(case: Tensors) -> bool:
    _, one, other = _images(case)
    return rank(np.concatenate([one, other], axis=1)) == case.lengths["d"]


def _narrowed(case: Tensors, random: Random) -> Tensors:
    """T, S and W have no part along the first coordinate."""
    arrays = {}
    for name in "WTS":
        rows = exact(case, name)
        rows[0] = rows[0] * 0
        arrays[name] = tensor_of(case.arrays[name].axes, fractions(rows))
    return case.changing(**arrays)


SPANS = Hypothesis(
    "the whole output space",
    r"$T_x\Omega+T_y\Omega$ is the full output space $\mathbb R^d$",
    by_case(_spans),
    break_=_narrowed,
)
ARRAYS = (("W", ("d", "m")), ("T", ("d", "k")), ("S", ("d", "k")))


def as_plain(case: Tensors, random: Random) -> RealTensors:
    """The same arrays."""
    return RealTensors(case.arrays, case.choice, case.family)


def invertible_residual(scene: RealScene) -> Entries:
    """The rank of W_L W_L^T minus d."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        weight = exact(case, "W")
        rows.append((place, {}, rational(rank(weight @ weight.T) - len(weight))))
    return entries_of(rows)


INVERTIBLE = Claim(
    "j23.prop5.bound.c",
    Kind.IDENTITY,
    printed(f"{PROOF}, displays"),
    "the last weights have full rank",
    r"Without loss of generality the span of $T_x\Omega$ and $T_y\Omega$ is the full output space, "
    r"and therefore $W_LW_L^T$ is invertible.",
    (SPANS, CONTAINS),
    measure=invertible_residual,
    pool=TensorPool(ARRAYS, largest=3, adapt=as_plain),
    exact_only=True,
)


# the scale of W_L ---------------------------------------------------------------------------------
def along_inverse(weight: Matrix, along: Matrix) -> Any:
    """|W^+ P|_+^2 with P the projection to the image of `along`."""
    return reals.pseudo_determinant_squared(reals.pseudo_inverse(weight) @ projection(along))


def scale_slack(scene: RealScene) -> Entries:
    """|c W|^2 - k + 2 log |(c W)^+ P|_+ minus its value at the scale where |c W|^2 = k; for both
    terms of the maximum."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        weight, one, other = _images(case)
        scale = number(case, "s")
        if scale <= 0 or not weight.any():
            continue
        for part, along in (("T", one), ("S", other)):
            k = rank(along)
            if k == 0:
                continue
            ratio = rational(k) / size(weight)  # the square of the scale at the optimum
            exponent = rank(reals.pseudo_inverse(weight) @ projection(along))
            here = reals.log(along_inverse(weight * scale, along))
            there = reals.log(along_inverse(weight, along)) - reals.log(ratio) * exponent
            value = size(weight) * scale * scale - k + here - there
            rows.append((place, {"part": part}, value))
    return entries_of(rows)


def _positive_scale(case: Tensors, random: Random) -> RealTensors:
    value = abs(case.number("s")) or Fraction(random.randint(1, 8), 4)
    return as_plain(case.changing(s=Tensor((), (), (value,))), random)


SCALE = Claim(
    "j23.prop5.scale.a",
    Kind.INEQUALITY,
    printed(f"{PROOF}, last displays"),
    "optimisation over the scale of the last weights",
    r"Optimising over $a$ in $aW_L$, at the optimum we always have $\lVert W_L\rVert_F^2=k$: "
    r"$\lVert W_L\rVert_F^2-k+2\log|W_L^+P|_+$ is not below its value at the multiple of $W_L$ "
    r"with $\lVert W_L\rVert_F^2=k$. ($sW_L$ with $s>0$, for both tangent spaces.)",
    (CONTAINS,),
    measure=scale_slack,
    pool=TensorPool((*ARRAYS, ("s", ())), largest=3, adapt=_positive_scale),
    exact_only=True,
)


def match_residual(scene: RealScene) -> Entries:
    """|W_L W_L^T - P_T|_F^2."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        weight, along, _ = _images(case)
        rows.append((place, {}, size(weight @ weight.T - projection(along))))
    return entries_of(rows)


def _of_norm_k(case: Tensors) -> bool:
    weight, along, _ = _images(case)
    return bool(size(weight) == rank(along))


def _first_term_0(case: Tensors) -> bool:
    weight, along, _ = _images(case)
    return bool(along_inverse(weight, along) == 1)


def _square(case: Tensors, weight: Matrix, along: Matrix | None = None) -> Tensors:
    """Other weights with as many columns as rows, and another T; S is T."""
    along = exact(case, "T") if along is None else along
    arrays = {**case.arrays}
    arrays["W"] = tensor_of(("d", "m"), fractions(weight))
    arrays["T"] = arrays["S"] = tensor_of(("d", "k"), fractions(along))
    return RealTensors(arrays, case.choice, case.family)


def _onto(case: Tensors, random: Random) -> Tensors:
    """W = P_T Q with a rotation Q."""
    along = projection(exact(case, "T"))
    return _square(case, along @ RATIONALS.array(rotation(len(along), random)))


def _identity(case: Tensors, random: Random) -> Tensors:
    """W = I; where T is everything, I with 2 and 1/2 on the diagonal."""
    along = exact(case, "T")
    width = len(along)
    weight = RATIONALS.array([int(i == j) for i in range(width) for j in range(width)])
    weight = weight.reshape(width, width)
    if rank(along) == width > 1:
        weight[0, 0], weight[1, 1] = rational(2), rational(Fraction(1, 2))
    return _square(case, weight)


def _uneven(case: Tensors, random: Random) -> Tensors:
    """T is the first coordinate, W has 3/5 and 4/5 along the first two."""
    along = exact(case, "T") * 0
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
    weight = exact(case, "W")
    if len(weight) > 2:
        fifth = rational(Fraction(1, 25))
        weight = weight * 0
        weight[0, 0], weight[1, 0], weight[2, 1] = 9 * fifth, 12 * fifth, 20 * fifth
    return _square(case, weight, exact(case, "T"))


NORM = Hypothesis(
    "norm k",
    r"$\lVert W_L\rVert_F^2=k$",
    by_case(_of_norm_k),
    break_=_identity,
)
FIRST = Hypothesis(
    "first term 0",
    r"$2\log|W_L^+P_{T_x\Omega}|_+=0$",
    by_case(_first_term_0),
    break_=_uneven,
)


def _onto_or_drawn(case: Tensors, random: Random) -> RealTensors:
    """Mostly W = P_T Q."""
    found = _onto(case, random) if random.random() < 0.75 else case
    return as_plain(found, random)


MATCH = Claim(
    "j23.prop5.scale.c",
    Kind.IDENTITY,
    printed(f"{PROOF}, last sentence"),
    "when the first term vanishes",
    r"The only way to put the first term inside the maximum to $0$ is to have "
    r"$W_LW_L^T=P_{T_x\Omega}$.",
    (NORM, FIRST, replace(CONTAINS, break_=_skew)),
    measure=match_residual,
    pool=TensorPool(ARRAYS, largest=3, adapt=_onto_or_drawn),
    exact_only=True,
)


def explosion_slack(scene: RealScene) -> Entries:
    """|W_L^+ P_S|_+^4 k^(2k) |W_L W_L^T - P_T|_F^2 - |(I - P_T) P_S|_F^4."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        weight, one, other = _images(case)
        k = rank(other)
        first, second = projection(one), projection(other)
        left = along_inverse(weight, other) ** 2 * rational(k) ** (2 * k)
        right = size(second - first @ second) ** 2
        rows.append((place, {}, left * size(weight @ weight.T - first) - right))
    return entries_of(rows)


def _reflected(case: Tensors, random: Random) -> RealTensors:
    """|W|_F^2 is the dimension of S: k entries 1, reflected in the hyperplane off the old W."""
    weight, k = exact(case, "W"), rank(exact(case, "S"))
    if not weight.any() or k > weight.size:
        return as_plain(case, random)
    normal = weight.reshape(-1)
    base = RATIONALS.array([int(place < k) for place in range(normal.size)])
    turned = base - normal * (2 * (base * normal).sum() / (normal * normal).sum())
    rows = fractions(turned.reshape(weight.shape))
    return as_plain(case.changing(W=tensor_of(("d", "m"), rows)), random)


def _doubled(case: Tensors, random: Random) -> Tensors:
    return case.changing(W=tensor_of(("d", "m"), fractions(exact(case, "W") * 2)))


EXPLODES = Claim(
    "j23.prop5.scale.d",
    Kind.INEQUALITY,
    printed(f"{PROOF}, last sentence"),
    "the second term explodes",
    r"This leads to an exploding second term if $P_{T_x\Omega}\ne P_{T_y\Omega}$: as "
    r"$W_LW_L^T\to P_{T_x\Omega}$, $|W_L^+P_{T_y\Omega}|_+\to\infty$, since "
    r"$|W_L^+P_{T_y\Omega}|_+^2\,k^k\,\lVert W_LW_L^T-P_{T_x\Omega}\rVert_F\ge"
    r"\lVert(I-P_{T_x\Omega})P_{T_y\Omega}\rVert_F^2$.",
    (replace(NORM, break_=_doubled), CONTAINS),
    measure=explosion_slack,
    pool=TensorPool(ARRAYS, largest=3, adapt=_reflected),
    exact_only=True,
)

CLAIMS = (INVERTIBLE, SCALE, MATCH, EXPLODES)
