"""The batch-normalised chain and its step on the second moment matrix (Section 2, Appendix A), and
that it does not increase the rank (Section 3.1).

A layer l >= 1 is BN(H + gamma W H) of the one before it, which may be any matrix: H. Square roots
are squared away: an entry of BN(H) is h_ij/sqrt(M_ii), its square h_ij^2/M_ii, its sign that of
h_ij; two matrices A have the same diag(A)^(-1/2) A diag(A)^(-1/2) if they are equal.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from graphs.arithmetic import Array
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.normalised_pool import chain_pool
from verify.normalised_scene import ChainScene
from verify.papers.dkbhl20.conditions import (
    DEFINED,
    LATER,
    LINEAR,
    MOVED,
    NO_SCALE,
    NO_SHIFT,
)
from verify.papers.dkbhl20.layer_proofs import (
    leading_coefficients,
    normalised_rows_have_norm,
    products_lose_rank,
)
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.words import EVERY_SIZE, IDENTITY, Words, matrix, number
from verify.vocabulary import Entries

STEP = chain_pool("H", "W", "gamma")


# no skip connection -------------------------------------------------------------------------------
def limit_residual(scene: ChainScene) -> Entries:
    """For every entry: p |(WH)_i|^2 - q (WH)_ij^2, where p and q are the coefficients of gamma^2 in
    (H + gamma W H)_ij^2 and in the sum of these along the row; and the coefficient of gamma in
    (H + gamma W H)_ij less (WH)_ij. A quotient of polynomials tends to that of the leading
    coefficients, where the lower one is not 0."""
    hidden, weights = scene["H"], scene["W"]
    up, middle, down = (
        scene.before_norm(hidden, weights, scene.constant(step)) for step in (1, 0, -1)
    )
    leading = up * up - middle * middle - middle * middle + down * down  # twice p
    moved = weights @ hidden
    total, length = leading.sum(2), (moved * moved).sum(2)
    parts = []
    for i in range(scene.width):
        for j in range(scene.samples):
            square = moved[:, i, j] * moved[:, i, j]
            label = {"part": "square", "entry": [i, j]}
            parts.append((label, leading[:, i, j] * length[:, i], total[:, i] * square))
            slope = up[:, i, j] - middle[:, i, j]
            parts.append(({"part": "sign", "entry": [i, j]}, slope, moved[:, i, j]))
    return scene.parts(parts)


# rows of norm sqrt(N) -----------------------------------------------------------------------------
def kept_from_zero(scene: ChainScene, values: Array) -> Array:
    """The numbers with 1 in place of 0, where a hypothesis leaves the instance out."""
    ones = scene.arithmetic.array([1] * values.size).reshape(*values.shape)
    return np.where(
        scene.arithmetic.may_be_zero(values.reshape(-1)).reshape(values.shape), ones, values
    )


def row_residual(scene: ChainScene) -> Entries:
    """|H_l,i|^2 - N for every row i of the layer of number l: H for l = 0, else BN_(alpha, beta) of
    H + gamma W H. There it is beta^2 sum_j h_ij^2/M_ii + 2 alpha beta sum_j h_ij/sqrt(M_ii) +
    N alpha^2 of h = H + gamma W H."""
    count = scene.constant(scene.samples)
    hidden = scene["H"]
    before = scene.before_norm(hidden, scene["W"], scene["gamma"])
    first, is_first = (hidden * hidden).sum(2), scene.whole("l") == 0
    squares = (before * before).sum(2)
    moments = kept_from_zero(scene, scene.share_all(squares, Fraction(1, scene.samples)))
    alpha, beta = scene["alpha"], scene["beta"]
    parts = []
    for i in range(scene.width):
        a, b, moment = alpha[:, i], beta[:, i], moments[:, i]
        crossed = scene.share(a * b * before[:, i].sum(1), 2)
        shifted = crossed / scene.sqrt(np.where(crossed == 0, scene.constant(1), moment))
        later = b * b * squares[:, i] / moment + shifted + a * a * count
        parts.append(({"row": i}, np.where(is_first, first[:, i], later), count))
    return scene.parts(parts)


# the step on M ------------------------------------------------------------------------------------
def step_residual(scene: ChainScene) -> Entries:
    """For i <= j, with A = M(H + gamma W H), which BN normalises, and B = M + Delta M: A_ij - B_ij,
    and A_ij^2 B_ii B_jj - B_ij^2 A_ii A_jj, whose signs are those of A_ij and B_ij."""
    hidden, weights, strength = scene["H"], scene["W"], scene["gamma"]
    before = scene.second_moment(scene.before_norm(hidden, weights, strength))
    moments = scene.second_moment(hidden)
    stepped = moments + scene.increment(moments, weights, strength)
    parts = []
    for i in range(scene.width):
        for j in range(i, scene.width):
            a, b = before[:, i, j], stepped[:, i, j]
            parts.append(({"part": "before", "entry": [i, j]}, a, b))
            parts.append(
                (
                    {"part": "after", "entry": [i, j]},
                    a * a * stepped[:, i, i] * stepped[:, j, j],
                    b * b * before[:, i, i] * before[:, j, j],
                )
            )
    return scene.parts(parts)


def step_in_words() -> tuple[Words, Words]:
    """M(H + gamma W H) with M in place of H H^T / N, and M + Delta M of (37)."""
    hidden, weights, gamma = matrix("H"), matrix("W"), number("gamma")
    before = (IDENTITY + gamma @ weights) @ hidden
    moment = (before @ before.transposed).replaced(("H", "H'"), ("M",), ("N",))
    m = matrix("M", symmetric=True)
    once = gamma @ weights @ m
    increment = once + once.transposed + gamma @ gamma @ weights @ m @ weights.transposed
    return moment, number("N") @ (m + increment)


def the_step_expands() -> Argument:
    """(I + gamma W) H H^T (I + gamma W)^T / N = M + Delta M."""
    one, other = step_in_words()
    return Argument(
        "M(H + gamma W H), expanded in words, is M + Delta M; both sides normalise that matrix",
        (
            Step("N M(H + gamma W H) = N (M + Delta M), where N M = H H^T", (one - other).is_zero),
            Step("it is no sum of 0 terms", not one.is_zero),
        ),
        (EVERY_SIZE,),
        "step_residual",
        (),
        section=31,
    )


# ranks --------------------------------------------------------------------------------------------
def rank_slack(scene: ChainScene) -> Entries:
    """rank H_l - rank H_(l+1), where the activation of slope s left of 0 follows on the layer. BN
    multiplies rows by positive numbers, which the activation lets through, so the rank is that of
    the activation of H + gamma W H."""
    before = scene.before_norm(scene["H"], scene["W"], scene["gamma"])
    zero = before - before
    positive = scene.arithmetic.maximum(before, zero)
    negative = scene.arithmetic.maximum(-before, zero)
    after = positive - scene.scaled(negative, scene["s"])
    ranks = [scene.numbers(scene.rank_of(rows)) for rows in (scene["H"], after)]
    return scene.compare(*ranks)


CHAIN = Claim(
    "dkbhl20.def_chain.a",
    Kind.DEFINITION,
    printed("eqs. (1), (2), (7)"),
    "the batch-normalised chain",
    r"$H_{\ell+1}=\mathrm{BN}_{0,\mathbf 1_d}(H_\ell+\gamma W_\ell H_\ell)$, $H_0=X\in\mathbb "
    r"R^{d\times N}$, $W_\ell\in\mathbb R^{d\times d}$, where $\mathrm{BN}_{\alpha,\beta}(H)="
    r"\beta\circ(\mathrm{diag}(M(H)))^{-1/2}H+\alpha\mathbf 1_N^\top$ and "
    r"$M(H)=\frac1NHH^\top$.",
)

WITHOUT_SKIP = Claim(
    "dkbhl20.def_chain.b",
    Kind.IDENTITY,
    printed("Section 2, after eq. (1)"),
    "a network without skip connection in the limit",
    r"$\lim_{\gamma\to\infty}\mathrm{BN}(H_\ell+\gamma W_\ell H_\ell)=\mathrm{BN}(W_\ell H_\ell)$.",
    (MOVED,),
    ("dkbhl20.def_chain.a",),
    limit_residual,
    chain_pool("H", "W"),
    proof=leading_coefficients,
)

ROWS = Claim(
    "dkbhl20.def_chain.c",
    Kind.IDENTITY,
    printed("Section 2, after eq. (2); Appendix A"),
    "rows have norm sqrt(N)",
    r"All rows of $H_\ell$ have the same norm $\sqrt N$ for $\ell>0$.",
    (LATER, DEFINED, NO_SHIFT, NO_SCALE),
    ("dkbhl20.def_chain.a",),
    row_residual,
    chain_pool(
        "H",
        "W",
        "gamma",
        extras=(("alpha", ("d",)), ("beta", ("d",))),
        integers=(("l", 0, 1),),
    ),
    exact_only=True,
    proof=normalised_rows_have_norm,
)

ON_MOMENTS = Claim(
    "dkbhl20.def_chain.d",
    Kind.IDENTITY,
    printed("eqs. (36), (37), (42), (63), (64)"),
    "the step on the second moment matrix",
    r"$M_{\ell+1}=\mathrm{diag}(M_{\ell+\frac12})^{-1/2}M_{\ell+\frac12}\,\mathrm{diag}"
    r"(M_{\ell+\frac12})^{-1/2}$ with $M_{\ell+\frac12}=M_\ell+\Delta M_\ell$ and $\Delta M_\ell="
    r"\gamma W_\ell M_\ell+\gamma M_\ell W_\ell^\top+\gamma^2W_\ell M_\ell W_\ell^\top$.",
    (DEFINED,),
    ("dkbhl20.def_chain.a",),
    step_residual,
    STEP,
    proof=the_step_expands,
)

RANK = Claim(
    "dkbhl20.rank_noninc",
    Kind.INEQUALITY,
    printed("Section 3.1, Necessary assumptions; footnotes 9, 15"),
    "the rank does not increase",
    r"$\mathrm{rank}(H_{\ell+1})\le\mathrm{rank}(H_\ell)$.",
    (LINEAR, DEFINED),
    ("dkbhl20.def_chain.a",),
    rank_slack,
    chain_pool("H", "W", "gamma", extras=(("s", ()),)),
    exact_only=True,
    floats=True,
    proof=products_lose_rank,
)

CLAIMS = (CHAIN, WITHOUT_SKIP, ROWS, ON_MOMENTS, RANK)
