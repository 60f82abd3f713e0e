"""The batch-normalised chain (Section 2), and the chain without skip connection as its limit.

A layer l >= 1 is BN(H + gamma W H) of the one before it, which may be any matrix: H. Square roots
are squared away: an entry of BN(H) is h_ij/sqrt(M_ii), its square h_ij^2/M_ii, its sign that of
h_ij.
"""

from __future__ import annotations

from graphs.rings import ring_of
from verify.cases.scenes import Entries
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.kinds.normalised.pool import chain_pool
from verify.kinds.normalised.scene import ChainScene
from verify.papers.dkbhl20.conditions import (
    MOVED,
)
from verify.papers.dkbhl20.sources import printed

QUOTIENTS = (
    "a quotient of polynomials of one degree tends to that of the leading coefficients, where the "
    "lower one is not 0; likewise their sums along rows"
)


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


# claims -------------------------------------------------------------------------------------------
def leading_coefficients() -> Argument:
    """Of (h + gamma w)^2 and h + gamma w."""
    ring = ring_of(2)
    h, w = ring.generators
    twice = (h + w) ** 2 - 2 * h**2 + (h - w) ** 2
    return Argument(
        "the coefficient of gamma^2 in each squared entry is the squared entry of W H, so their "
        "quotients tend to those of W H, which has no row 0; and the signs do",
        (
            Step(
                "the second difference of (h + gamma w)^2 is 2 w^2", ring.is_zero(twice - 2 * w**2)
            ),
            Step("the difference of h + gamma w is w", ring.is_zero((h + w) - h - w)),
        ),
        (QUOTIENTS,),
        "limit_residual",
        ("no row of WH is 0",),
        section="docs/mathematics/dkbhl20.md#the-limit-of-large-gamma",
    )


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

CLAIMS = (CHAIN, WITHOUT_SKIP)
