"""The blocks of the Hessian of an output that belong to the weights of the last layer, part (iii)
of equations (13) and (14)."""

from __future__ import annotations

from functools import partial

from graphs.arithmetic import Array
from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.dags.scene import DagScene, outer
from verify.papers.zlb22.block_proofs import last_block_argument
from verify.papers.zlb22.block_sums import NETWORK, POOL
from verify.papers.zlb22.layer_numbers import FIRST_LAYER
from verify.papers.zlb22.second_derivatives import POINT, differences
from verify.papers.zlb22.sources import printed

SUPPOSED = (*NETWORK, FIRST_LAYER)


def last_blocks(scene: DagScene) -> Entries:
    """The block (l1, L) of the Hessian of f_k against the derivatives of the incoming neurons of k
    by the weights of layer l1, in the columns of the weights of k; against 0 where l1 = L."""
    run, place = scene.passed(POINT), scene.slot_layer
    first = scene.whole("l1")
    rows = place == first[:, None]
    block = scene.chosen(rows[:, :, None] & (place == scene.depth[:, None])[:, None, :])
    inner = scene.chosen(first < scene.depth).reshape(-1, 1, 1)
    sides = []
    for k in range(scene.vertices):
        printed_block = _by_parents(scene, k) * scene.chosen(rows)[:, :, None] * inner
        sides.append((run.post_hessian[k] * block, printed_block))
    return differences(scene, sides)


def _by_parents(scene: DagScene, k: int) -> Array:
    """(C, P, P): in the column of the weight from u to k the gradient of the value of u."""
    run, size = scene.passed(POINT), len(scene.slots)
    total = scene.arithmetic.zeros((len(scene.cases), size, size))
    for u in range(k):
        total = total + outer(run.post_gradient[u], scene.place(k, u))
    return total


LAST_BLOCK = Claim(
    "zlb22.eq13-14.iii",
    Kind.IDENTITY,
    printed("Sec. 3.1 and Appendix B"),
    "the blocks of the last layer",
    r"$\frac{\partial^2f_k}{\partial\mathbf w^{(L)}\partial\mathbf w^{(L)}}=0$, $f_k$ being linear "
    r"in $\mathbf w^{(L)}$; for $\ell_1<L$ the block $\frac{\partial^2f_k}{\partial"
    r"\mathbf w^{(\ell_1)}\partial\mathbf w^{(L)}}$ is $(m_k^{(L)})^{-1/2}\,\partial f_{S_k^{(L)}}/"
    r"\partial\mathbf w^{(\ell_1)}$ in the columns of $\mathbf w_k^{(L)}$, and 0 in the others.",
    SUPPOSED,
    measure=last_blocks,
    pool=POOL(integers=(("l1", 1, 4),)),
    exact_only=True,
    proof=partial(last_block_argument, last_blocks, SUPPOSED),
)

CLAIMS = (LAST_BLOCK,)
