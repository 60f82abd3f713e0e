"""Appendix D, Lemma 10: the operator norms of two flattenings of one tensor."""

from __future__ import annotations

from verify.language.building import (
    Max,
    Prod,
    Tensor,
    When,
    Whole,
    card,
    intersection,
    larger,
    list_,
    norm,
    rows,
    smaller,
    unfold,
)
from verify.language.terms import Term
from verify.papers.lj22.block_proofs import by_slices, dimensions_by_size
from verify.papers.lj22.sources import both
from verify.statements.stated import stated

T = Tensor("T", "a", "b", "c")
T1, T2 = unfold(T, 3), unfold(T, 1).T  # of shape c x (ab) and (bc) x a
A, B, C = (rows(unfold(T, mode)) for mode in (1, 2, 3))
a, b, c = Whole("a", 1, 20), Whole("b", 1, 20), Whole("c", 1, 20)
PI_1, PI_2 = list_(list_(3), list_(1, 2)), list_(list_(2, 3), list_(1))  # by modes


def dimension(*sizes: Term) -> Term:
    """dim_T(pi_1, pi_2) for modes of these sizes."""

    def common(one: Term, other: Term) -> Term:
        """D_T(B, B')."""
        modes = intersection(one, other)
        return When(card(modes) == 0, 0, Prod(modes, lambda mode: list_(*sizes)[mode]))

    return Prod(PI_1, lambda one: Max(PI_2, lambda other: common(one, other)))


CLAIMS = (
    stated(
        "lj22.lemma10",
        both("Lemma 10, (68); earlier Lemma 9, (55)"),
        "flattenings of one tensor",
        r"Let $T\in\mathbb R^{a,b,c}$ be an order-3 tensor and $T_1,T_2$ its standard flattenings "
        r"into elements of $\mathbb R^{c\times(a\times b)}$ and $\mathbb R^{(b\times c)\times a}$. "
        r"Then $\frac{1}{\min(a,b)}\lVert T_1\rVert_2^2\le\lVert T_2\rVert_2^2$.",
        norm(T1) ** 2 / smaller(A, B) <= norm(T2) ** 2,
        depends=("lj22.lemma10-69", "lj22.lemma10-70"),
        proof=by_slices,
    ),
    stated(
        "lj22.lemma10-69",
        both("(69); earlier (56)"),
        "the cited inequality between flattenings",
        r"For $\pi_1=\{\{c\},\{a,b\}\}$ and $\pi_2=\{\{b,c\},\{a\}\}$, "
        r"$\frac{\dim_T(\pi_1,\pi_2)}{\dim(T)}\lVert T_1\rVert_2^2\le\lVert T_2\rVert_2^2$ with "
        r"$\dim(T)=abc$ and $\dim_T(\pi_1,\pi_2)=\prod_{B\in\pi_1}\max_{B'\in\pi_2}D_T(B,B')$, "
        r"$D_T(B,B')$ being the product of the sizes of the common modes, $0$ if there is none.",
        dimension(A, B, C) / (A * B * C) * norm(T1) ** 2 <= norm(T2) ** 2,
        depends=("lj22.lemma10-70",),
        proof=by_slices,
    ),
    stated(
        "lj22.lemma10-70",
        both("(70)-(73); earlier (57)-(60)"),
        r"evaluation of the dimension",
        r"$\dim_T(\pi_1,\pi_2)=\max(c,0)\cdot\max(a,b)=c\max(a,b)$, and "
        r"$\frac{c\max(a,b)}{abc}=\frac{1}{\min(a,b)}$.",
        (dimension(a, b, c) == larger(c, 0) * larger(a, b))
        & (larger(c, 0) * larger(a, b) == c * larger(a, b))
        & (c * larger(a, b) / (a * b * c) == 1 / smaller(a, b)),
        proof=dimensions_by_size,
    ),
)
