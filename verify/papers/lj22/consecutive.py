"""Appendix D, (84): operator norms of consecutive layers.

At the start of a flow the arrays are arbitrary, and the displayed inequality is about them: D_l is
made of the same arrays, in the forms that Theorem 1 prescribes for the pair. Layers W_1, W_2, Fin
(K = 0, M = 2); a dense layer W before a block r(U, Y, Z); a convolution S before a convolution T;
the last convolution T before a dense layer V (k = M).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.core.claim import Claim
from verify.language.building import Matrix, Tensor, cols, larger, norm, rows, smaller, unfold
from verify.language.proofs import Proof
from verify.language.terms import Term
from verify.papers.lj22.matrix_proofs import before_block, first_pair, last_pair
from verify.papers.lj22.notation import W1, W2, W3, A, B, U, Y, Z, defect
from verify.papers.lj22.sources import final
from verify.statements.mending import mended
from verify.statements.stated import Given, pool_with, stated

PRINTED = (
    r"For the $K+M$ pairs of adjacent layers, $\lVert W_l(t)\rVert_2^2\ge "
    r"C\,\lVert W_{l+1}(t)\rVert_2^2-D_l$, for $C=1/8$ if the $k+1$ layer is a "
    r"ResNetFree block, $C=1/\min(a_{k+1},b_{k+1})$ if "
    r"it is a convolutional layer, $C=\max\dim W^{[M+1]}$ if $k=M$ and $C=1$ otherwise; for "
    r"$D_l=\lVert W_{l+1}^\top(0)W_{l+1}(0)-W_l(0)W_l^\top(0)\rVert_2^2$. "
)
DEFINED = "matrices of Definition 8; the first case for $C$ that applies"


def widest(matrix: Term) -> Term:
    """max dim: the larger of the numbers of rows and of columns."""
    return larger(rows(matrix), cols(matrix))


def _ending_in_a_row(case: Tensors, random: Random) -> Tensors:
    last = case.arrays["W3"]
    columns = last.shape[1]
    row = replace(last, shape=(1, columns), entries=last.entries[:columns])
    return case.changing(W3=row)


POOL = pool_with(W1, W2, W3, adapt=_ending_in_a_row)


def _with_two_rows(case: Tensors, random: Random) -> Tensors:
    last = case.arrays["W3"]
    return case.changing(
        W3=replace(last, shape=(2, last.shape[1]), entries=(*last.entries, *last.entries))
    )


ONE_OUTPUT = Given(
    "Fin has one output",
    rows(W3) == 1,
    "$Fin$ is a row vector",
    _ending_in_a_row,
    _with_two_rows,
)


# pairs that are not both dense --------------------------------------------------------------------
W = Matrix("W", "a", "n")
S, T = Tensor("S", "p", "q", "a"), Tensor("T", "a", "b", "c")
V = Tensor("V", "d", "l", "c")  # c channels at each of l positions


def arriving(layer: Term) -> Term:
    """T_1 of shape c x (ab), of a convolution."""
    return unfold(layer, 3)


def leaving(layer: Term) -> Term:
    """T_2 of shape (bc) x a, of a convolution: its matrix."""
    return unfold(layer, 1).T


def smallest(layer: Term) -> Term:
    """min(a, b) of a convolution."""
    return smaller(rows(unfold(layer, 1)), rows(unfold(layer, 2)))


DENSE, LEAVING_DENSE = unfold(V, 1), unfold(V, 3).T  # d x (lc), and (dl) x c


@dataclass(frozen=True, eq=False)
class Pair:
    """Layers of two kinds. says, mended: (84), and what is true of them."""

    part: str
    title: str
    pool: TensorPool
    says: Term
    mended: Term
    text: str
    why: str
    proofs: tuple[Callable[[Proof], None], ...] = ()


SQUARE = "$D_l$ has the square of a norm, which is less than the norm where that is below $1$"
BLOCK_DEFECT, CONV_DEFECT = defect(W, B), defect(arriving(S), leaving(T))
LAST_DEFECT = defect(arriving(T), LEAVING_DENSE)
PAIRS = (
    Pair(
        "block",
        "a dense layer before a ResNetFree block",
        pool_with(W, U, Y, Z, largest=3),
        norm(W) ** 2 >= norm(A) ** 2 / 8 - norm(BLOCK_DEFECT) ** 2,
        norm(W) ** 2 >= norm(A) ** 2 / 8 - norm(BLOCK_DEFECT) - norm(defect(Y, U)) / 8,
        r"$\lVert W\rVert_2^2\ge\frac18\lVert[U\ Z]\rVert_2^2-\lVert Y^\top Y+Z^\top Z-WW^\top"
        r"\rVert_2-\frac18\lVert U^\top U-YY^\top\rVert_2$.",
        SQUARE
        + r", and the cost $\frac18\lVert U^\top U-YY^\top\rVert_2$ of the switch is missing",
        (before_block,),
    ),
    Pair(
        "conv",
        "a convolution before a convolution",
        pool_with(S, T, largest=3),
        norm(leaving(S)) ** 2 >= norm(leaving(T)) ** 2 / smallest(T) - norm(CONV_DEFECT) ** 2,
        norm(leaving(S)) ** 2 >= (norm(leaving(T)) ** 2 - norm(CONV_DEFECT)) / smallest(S),
        r"$C=1/\min(a_l,b_l)$ of the layer $l$, and $C$ times the norm is subtracted.",
        SQUARE + r"; and the factor is that of layer $l+1$, while layer $l$ is the one that is "
        "flattened in two ways",
    ),
    Pair(
        "last",
        "the last convolution before a dense layer, k = M",
        pool_with(T, V, largest=3),
        norm(leaving(T)) ** 2 >= widest(DENSE) * norm(DENSE) ** 2 - norm(LAST_DEFECT) ** 2,
        norm(leaving(T)) ** 2
        >= (norm(DENSE) ** 2 / widest(DENSE) - norm(LAST_DEFECT)) / smallest(T),
        r"$C=1/(\min(a_l,b_l)\max\dim W_{l+1})$, and the norm over $\min(a_l,b_l)$ is subtracted.",
        SQUARE + r"; and $C=\max\dim W^{[M+1]}$ is at least $1$ where its inverse is meant",
    ),
)


def _claims(pair: Pair) -> tuple[Claim, Claim]:
    printed = stated(
        f"lj22.thm2-84.{pair.part}@A",
        final("Appendix D, (84)"),
        f"operator norms of consecutive layers, {pair.title}",
        PRINTED + f"Here: {pair.title}.",
        pair.says,
        pool=pair.pool,
        reading="A",
        reading_text=DEFINED,
        why=pair.why,
    )
    repaired = mended(
        printed,
        f"operator norms of {pair.title}, with a norm and not its square",
        f"Matrices of Definition 8, {pair.title}; the norm of the difference and not its square: "
        + pair.text,
        pair.mended,
        proofs=pair.proofs,
    )
    return printed, repaired


CLAIMS = (
    stated(
        "lj22.thm2-84@AA",
        final("Appendix D, (84)"),
        "operator norms of consecutive layers",
        PRINTED + "Here: fully-connected layers.",
        (norm(W1) ** 2 >= norm(W2) ** 2 - norm(defect(W1, W2)) ** 2)
        & (norm(W2) ** 2 >= widest(W3) * norm(W3) ** 2 - norm(defect(W2, W3)) ** 2),
        [ONE_OUTPUT],
        pool=POOL,
        reading="AA",
        reading_text=f"{DEFINED} (of dense layers there is one matrix)",
        why=r"for $k=M$ the constant $C=\max\dim W^{[M+1]}$ is at least $1$ where its inverse is "
        r"meant, and $D_l$ has the square of a norm: where "
        r"$\lVert W_{l+1}^\top W_{l+1}-W_lW_l^\top\rVert_2<1$ that is less than the norm",
    ),
    stated(
        "lj22.thm2-84.fix",
        final("Appendix D, (84)"),
        "operator norms of consecutive dense layers, with the norm and not its square",
        r"For adjacent linear fully-connected layers "
        r"$\lVert W_l\rVert_2^2\ge\lVert W_{l+1}\rVert_2^2-"
        r"\lVert W_{l+1}^\top W_{l+1}-W_lW_l^\top\rVert_2$.",
        (norm(W1) ** 2 >= norm(W2) ** 2 - norm(defect(W1, W2)))
        & (norm(W2) ** 2 >= norm(W3) ** 2 - norm(defect(W2, W3))),
        [ONE_OUTPUT],
        pool=POOL,
        repairs="lj22.thm2-84@AA",
        proofs=[first_pair, last_pair],
    ),
    *(claim for pair in PAIRS for claim in _claims(pair)),
)
