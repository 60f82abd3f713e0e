"""The blocks of the Hessian of an output that belong to the weights of the last layer, part (iii)
of equations (13) and (14)."""

from __future__ import annotations

from functools import partial

from verify.language.building import When
from verify.language.terms import Term
from verify.papers.zlb22.block_proofs import last_block_argument
from verify.papers.zlb22.block_sums import NETWORK, POOL
from verify.papers.zlb22.dag_notation import DEPTH
from verify.papers.zlb22.layer_numbers import FIRST_LAYER, L1
from verify.papers.zlb22.second_derivatives import Edge, each_entry, moved_by, with_pair
from verify.papers.zlb22.sources import printed
from verify.statements.stated import stated

SUPPOSED = (*NETWORK, FIRST_LAYER)


def printed_entry(k: Term, a: Edge, b: Edge) -> Term:
    """In the columns of the weights of k the derivatives of its incoming neurons, where l1 < L."""
    return When((L1 < DEPTH) & (b[0] == k), moved_by(a)[b[1]], 0)


LAST_BLOCKS = each_entry(
    L1,
    DEPTH,
    lambda k, a, b: with_pair(a, b, lambda pair: pair.hessian[k]) == printed_entry(k, a, b),
)
LAST_BLOCK = stated(
    "zlb22.eq13-14.iii",
    printed("Sec. 3.1 and Appendix B"),
    "the blocks of the last layer",
    r"$\frac{\partial^2f_k}{\partial\mathbf w^{(L)}\partial\mathbf w^{(L)}}=0$, $f_k$ being linear "
    r"in $\mathbf w^{(L)}$; for $\ell_1<L$ the block $\frac{\partial^2f_k}{\partial"
    r"\mathbf w^{(\ell_1)}\partial\mathbf w^{(L)}}$ is $(m_k^{(L)})^{-1/2}\,\partial f_{S_k^{(L)}}/"
    r"\partial\mathbf w^{(\ell_1)}$ in the columns of $\mathbf w_k^{(L)}$, and 0 in the others.",
    LAST_BLOCKS,
    SUPPOSED,
    pool=POOL(integers=(("l1", 1, 4),)),
    exact_only=True,
    proof=partial(last_block_argument, LAST_BLOCKS, SUPPOSED),
)

CLAIMS = (LAST_BLOCK,)
