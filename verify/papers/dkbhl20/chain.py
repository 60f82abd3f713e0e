"""The batch-normalised chain (Section 2), and the chain without skip connection as its limit.

A layer l >= 1 is BN(H + gamma W H) of the one before it, which may be any matrix: H. Square roots
are squared away: an entry of BN(H) is h_ij/sqrt(M_ii), its square h_ij^2/M_ii, its sign that of
h_ij.
"""

from __future__ import annotations

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.language.building import Each, Sum, cols, frob2, row, rows, upto
from verify.language.terms import Term
from verify.papers.dkbhl20.conditions import MOVED
from verify.papers.dkbhl20.drawing import in_roles
from verify.papers.dkbhl20.notation import H, W
from verify.papers.dkbhl20.sources import printed
from verify.statements.stated import pool_with, stated

QUOTIENTS = (
    "a quotient of polynomials of one degree tends to that of the leading coefficients, where the "
    "lower one is not 0; likewise their sums along rows"
)


# no skip connection -------------------------------------------------------------------------------
PULLED = W @ H
UP, DOWN = H + PULLED, H - PULLED  # at gamma = 1 and -1


def leading(i: Term, j: Term) -> Term:
    """The coefficient of gamma^2 in (H + gamma W H)_ij^2: half of its second difference."""
    return (UP[i, j] ** 2 - 2 * H[i, j] ** 2 + DOWN[i, j] ** 2) / 2


def _tends(i: Term, j: Term) -> Term:
    """The quotient of the leading coefficients of (H + gamma W H)_ij^2 and of the sum of these
    along the row is the square of the entry of BN(WH), but for N; and so is the sign, by the
    coefficient of gamma in (H + gamma W H)_ij."""
    total = Sum(upto(cols(H)), lambda k: leading(i, k))
    square = leading(i, j) / total == PULLED[i, j] ** 2 / frob2(row(PULLED, i))
    return square & (UP[i, j] - H[i, j] == PULLED[i, j])


LIMIT = Each(upto(rows(H)), lambda i: Each(upto(cols(H)), lambda j: _tends(i, j)))


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

WITHOUT_SKIP = stated(
    "dkbhl20.def_chain.b",
    printed("Section 2, after eq. (1)"),
    "a network without skip connection in the limit",
    r"$\lim_{\gamma\to\infty}\mathrm{BN}(H_\ell+\gamma W_\ell H_\ell)=\mathrm{BN}(W_\ell H_\ell)$.",
    LIMIT,
    [MOVED],
    depends=("dkbhl20.def_chain.a",),
    pool=pool_with(H, W, adapt=in_roles("H", "W")),
    proof=leading_coefficients,
)

CLAIMS = (CHAIN, WITHOUT_SKIP)
