"""Appendix D, (84): operator norms of consecutive layers.

At the start of a flow the matrices W_1, W_2, Fin of linear fully-connected layers (K = 0, M = 2)
are arbitrary, and the displayed inequality is about them: D_l is made of the same matrices.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from verify.cases.tensors import Tensors
from verify.language.building import cols, larger, norm, rows
from verify.language.terms import Term
from verify.papers.lj22 import matrix_proofs as proofs
from verify.papers.lj22.notation import W1, W2, W3, defect
from verify.papers.lj22.sources import final
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
        proofs=[proofs.first_pair, proofs.last_pair],
    ),
)
