"""Theorem 3, part 3: completely positive kernels, their square roots, and their mixtures."""

from __future__ import annotations

from verify.language.building import Fold, Whole, above, cols, upto, zeros
from verify.language.terms import Term
from verify.papers.j23.kernel_cases import (
    EMBEDDED,
    IN,
    O_IN,
    OUT,
    OUTER,
    A,
    kernel_pool,
    of_points,
    positive,
)
from verify.papers.j23.matrix_notation import pseudo_inverse
from verify.papers.j23.network_notation import coimage, image
from verify.papers.j23.sources import printed
from verify.statements.quantities import with_value
from verify.statements.stated import Given, stated

AFTER = printed("proof of Theorem 11 (3), after the first display")
K_IN, K_OUT = coimage(A), A.T @ A
BACK = OUTER @ pseudo_inverse(A)
"""O_out, found again from B_out."""
ROOTS = (
    (O_IN.T @ O_IN == K_IN)
    & (OUTER.T @ OUTER == K_OUT)
    & (image(A) == BACK.T @ BACK)
    & of_points(lambda x: BACK @ (A @ x) == OUTER @ x)
)

EQUIVALENT = stated(
    "j23.thm3.3.cp.a",
    AFTER,
    "embeddings and completely positive kernels",
    r"That there are $O_{in}$, $O_{out}$ with $O_{in}^TO_{in}=P_{\mathrm{Im}A^T}$, "
    r"$O_{out}^TO_{out}=P_{\mathrm{Im}A}$, $O_{in}\Omega\subset\mathbb R_+^{k_1}$, $O_{out}A\Omega"
    r"\subset\mathbb R_+^{k_2}$ is equivalent to saying that the kernels $K_{in}(x,y)=x^T"
    r"P_{\mathrm{Im}A^T}y$ and $K_{out}(x,y)=x^TA^TAy$ are completely positive over $\Omega$: by "
    r"$B_{in}=O_{in}$, $B_{out}=O_{out}A$, and back by $O_{out}=B_{out}A^+$, with the same values.",
    ROOTS,
    (IN, OUT),
    depends=("j23.thm3.3.convex",),
    pool=kernel_pool(),
    exact_only=True,
)

L, layer = Whole("L", 1, 5), Whole("l", 0, 5)
p = layer / L


def with_copies(B: Term, of: Term, number: Term) -> Term:
    """So many copies of a matrix below another one."""
    return Fold(upto(number), B, lambda above_them, _: above(above_them, of))


STACKED = with_copies(with_copies(zeros(1, cols(A)), O_IN, layer * L), OUTER, (L - layer) * L)
ROOT = STACKED / L
"""Of K_p, for L^2 copies of which l L are O_in; a row of zeros changes nothing."""
INSIDE = Given(
    "p inside [0, 1]",
    layer <= L,
    r"$p\in[0,1]$",
    lambda case, random: with_value(case, "l", min(case.whole("l"), case.whole("L"))),
)

MIXED = stated(
    "j23.thm3.3.cp.b",
    AFTER,
    "mixtures of the two kernels",
    r"By convexity $K_p=pK_{in}+(1-p)K_{out}$ is completely positive for all $p\in[0,1]$: here "
    r"$p=l/L$, $B$ of copies of $O_{in}$ and $O_{out}A$ with rational factors.",
    (p * K_IN + (1 - p) * K_OUT == ROOT.T @ ROOT) & positive(ROOT),
    (*EMBEDDED, INSIDE),
    depends=("j23.thm3.3.cp.a",),
    pool=kernel_pool(L, layer),
    exact_only=True,
)

CLAIMS = (EQUIVALENT, MIXED)
