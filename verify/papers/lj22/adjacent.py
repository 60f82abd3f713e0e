"""Appendix D, (84), for pairs of adjacent layers that are not both dense.

A dense layer W before a block r(U, Y, Z); a convolution S before a convolution T; the last
convolution T before a dense layer V (k = M). At the start of a flow the arrays are arbitrary, and
D_l is made of the forms that Theorem 1 prescribes for the pair.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from verify.cases.tensor_pool import TensorPool
from verify.core.claim import Claim
from verify.language.building import Matrix, Tensor, norm, rows, smaller, unfold
from verify.language.proofs import Proof
from verify.language.terms import Term
from verify.papers.lj22.consecutive import DEFINED, PRINTED, widest
from verify.papers.lj22.matrix_proofs import before_block
from verify.papers.lj22.notation import A, B, U, Y, Z, defect
from verify.papers.lj22.sources import final
from verify.statements.stated import pool_with, stated

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


NORM = "; the norm of the difference and not its square: "
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


def _claims() -> tuple[Claim, ...]:
    found = []
    for pair in PAIRS:
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
        mended = stated(
            f"lj22.thm2-84.{pair.part}@A.fix",
            final("Appendix D, (84)"),
            f"operator norms of {pair.title}, with a norm and not its square",
            f"Matrices of Definition 8, {pair.title}" + NORM + pair.text,
            pair.mended,
            pool=pair.pool,
            repairs=f"lj22.thm2-84.{pair.part}@A",
            reading="A",
            reading_text=DEFINED,
            proofs=pair.proofs,
        )
        found += [printed, mended]
    return tuple(found)


CLAIMS = _claims()
