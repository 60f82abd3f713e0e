"""Theorem 3, part 3: the explicit network of completely positive kernels, and its norm.

As printed K_p = p K_in + (1 - p) K_out at p = l/L begins near A^T A and ends near P, while W_1 =
B_1 and W_L = I B_(L-1)^+ take the ends the other way round: the outputs are P x, and the norm is
L k + |A|_F^2 - k - 2 log |A|_+ + O(1/L). With K_in and K_out exchanged and B_L = A it is as
claimed.

Parts b to e speak of A alone: every A has domains for which all hypotheses hold, since a thin cone
around some x with P x not 0 is completely positive, and so is its image.

B_l holds roots of p O_in and of q O_out A, one above the other, and activations are positively
homogeneous: so with y_l = B_l^+ alpha_l each layer is said with O_in, O_out A, and p and q alone,
whatever the roots.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.core.claim import Claim
from verify.language.building import (
    Each,
    Fold,
    Let,
    Matrix,
    Sum,
    When,
    Whole,
    cols,
    eye,
    frob2,
    implies,
    log,
    pdet2,
    rank,
    rows,
    singular,
    smaller,
    trace,
    upto,
)
from verify.language.terms import Term
from verify.papers.j23.kernel_cases import (
    EMBEDDED,
    IN,
    O_IN,
    O_OUT,
    OUT,
    OUTER,
    A,
    embedded,
    kernel_pool,
    of_points,
)
from verify.papers.j23.matrix_notation import SLOPE, a, activated, pseudo_inverse
from verify.papers.j23.network_notation import coimage
from verify.papers.j23.sources import printed
from verify.statements.stated import pool_with, stated, unless

WHERE = "proof of Theorem 11 (3)"
SQUARE = Matrix("A", "n", "n")
L = Whole("L", 1, 8)


# hypotheses ---------------------------------------------------------------------------------------
def without_points(case: Tensors, random: Random) -> Tensors:
    """A matrix with embeddings, where a case holds nothing else."""
    point = Tensor(("N", "n"), (1, case.lengths["n"]), (Fraction(0),) * case.lengths["n"])
    made = embedded(case.changing(X=point), random)
    kept = {name: made.arrays[name] for name in case.arrays}
    return Tensors(kept, made.choice, made.family)


ISOMETRIES = tuple(replace(one, repair=unless(one.holds, without_points)) for one in (IN, OUT))


# the network --------------------------------------------------------------------------------------
def inner_share(m: Term, *, exchanged: bool) -> Term:
    """p, the factor of K_in."""
    return 1 - m / L if exchanged else m / L


def mixed(m: Term, one: Term, other: Term, *, exchanged: bool) -> Term:
    """p times what belongs to K_in, 1 - p times what belongs to K_out."""
    share = inner_share(m, exchanged=exchanged)
    return share * one + (1 - share) * other


def gram(m: Term, *, exchanged: bool) -> Term:
    """B_l^T B_l, 0 < l < L."""
    return mixed(m, O_IN.T @ O_IN, OUTER.T @ OUTER, exchanged=exchanged)


def behind(last: Term, x: Term, *, exchanged: bool) -> Term:
    """B_l^+ alpha_l of the last of these layers, x where there is none."""

    def next_layer(y: Term, m: Term) -> Term:
        inner, outer = activated(O_IN @ y), activated(OUTER @ y)
        back = mixed(m, O_IN.T @ inner, OUTER.T @ outer, exchanged=exchanged)
        return pseudo_inverse(gram(m, exchanged=exchanged)) @ back

    return Fold(upto(last), x, next_layer)


def from_activation(m: Term, x: Term) -> Term:
    """|alpha_l(x) - B_l x|^2."""

    def of(y: Term) -> Term:
        inner, outer = activated(O_IN @ y) - O_IN @ x, activated(OUTER @ y) - OUTER @ x
        return mixed(m, frob2(inner), frob2(outer), exchanged=False)

    return Let(behind(m - 1, x, exchanged=False), of)


def output(x: Term, *, exchanged: bool) -> Term:
    """p^(L)(x): the last matrix is I, exchanged A."""
    before = behind(L - 1, x, exchanged=exchanged)
    return A @ before if exchanged else before


def represented(*, exchanged: bool) -> Term:
    """p^(L)(x) = A x at the points; a network has a layer."""
    return implies(L >= 1, of_points(lambda x: output(x, exchanged=exchanged) == A @ x))


CHOICE = (
    r"For all $L$ and $\ell=1,\dots,L-1$ choose $B_{L,\ell}$ with $K_{p=\frac\ell L}(x,y)="
    r"x^TB_{L,\ell}^TB_{L,\ell}y$, $W_\ell=B_{L,\ell}B_{L,\ell-1}^+$, "
)
PRINTED = (
    CHOICE + r"$K_p=pK_{in}+(1-p)K_{out}$, $B_{L,0}=I_{d_{in}}$, $B_{L,L}=I_{out}$, no biases. "
)
EXCHANGED = CHOICE + r"$K_p=(1-p)K_{in}+pK_{out}$, $B_{L,0}=I_{d_{in}}$, $B_{L,L}=A$, no biases. "
DEPTHS = Whole("L", 1, 4)
DEPENDS = ("j23.thm3.3.cp.b",)
HIDDEN = stated(
    "j23.thm3.3.construct.a",
    printed(WHERE),
    "the explicit network: hidden activations",
    PRINTED
    + r"For any $x\in\Omega$ the activation of the $\ell$-th hidden layer is $B_{L,\ell}x$. "
    r"($B_{L,\ell}$: roots of $p$ and $1-p$ times $O_{in}$ and $O_{out}A$.)",
    Each(upto(L - 1), lambda m: of_points(lambda x: from_activation(m, x) == 0)),
    (SLOPE, *EMBEDDED),
    depends=DEPENDS,
    pool=kernel_pool(a, DEPTHS),
    exact_only=True,
)


def _output(*, exchanged: bool) -> Claim:
    return stated(
        "j23.thm3.3.construct.b" + (".fix" if exchanged else ""),
        printed(WHERE),
        "the explicit network: outputs" + (", roles exchanged" if exchanged else ""),
        (EXCHANGED if exchanged else PRINTED) + r"In the end $p^{(L)}(x)=Ax$ for any $x\in\Omega$.",
        represented(exchanged=exchanged),
        (SLOPE, *EMBEDDED),
        depends=DEPENDS,
        pool=kernel_pool(a, DEPTHS),
        repairs="j23.thm3.3.construct.b" if exchanged else None,
        exact_only=True,
        why=""
        if exchanged
        else r"$K_{\ell/L}$ begins near $K_{out}$ and ends near $K_{in}$, and $B_{L,L}$ is an "
        r"identity: nothing applies $A$, and the outputs are $P_{\mathrm{Im}A^T}x$.",
    )


# its norm -----------------------------------------------------------------------------------------
def displayed(M: Term, m: Term, *, exchanged: bool) -> Term:
    """p P + (1 - p) M^T M with P the projection to Im M^T; all l from 0 to L."""
    return mixed(m, coimage(M), M.T @ M, exchanged=exchanged)


def ratio(one: Term, other: Term) -> Term:
    """Tr G G'^+ of two Gram matrices."""
    return trace(one @ pseudo_inverse(other))


def with_ends(m: Term, inside: Term, last: Term) -> Term:
    """B_l^T B_l with that of I_(d_in) at l = 0, and another one at l = L."""
    return When(m == 0, eye(cols(A)), When(m == L, last, inside))


def _square_after(m: Term, back: Term, last: Term, *, exchanged: bool) -> Term:
    """|B_l N|_F^2 of a matrix N, with another matrix for B_L."""
    inside = mixed(m, frob2(O_IN @ back), frob2(OUTER @ back), exchanged=exchanged)
    return When(m == 0, frob2(back), When(m == L, frob2(last @ back), inside))


def square_of_layer(m: Term, last: Term, *, exchanged: bool) -> Term:
    """|W_l|_F^2, W_l = B_l B_(l-1)^+ with B_(l-1)^+ = (B_(l-1)^T B_(l-1))^+ B_(l-1)^T."""

    def of(inverse: Term) -> Term:
        parts = [
            _square_after(m, inverse @ block.T, last, exchanged=exchanged)
            for block in (O_IN, OUTER)
        ]
        before = mixed(m - 1, *parts, exchanged=exchanged)
        return When(m == 1, _square_after(m, inverse, last, exchanged=exchanged), before)

    below = When(m == 1, eye(cols(A)), gram(m - 1, exchanged=exchanged))
    return Let(pseudo_inverse(below), of)


def _as_trace(m: Term) -> Term:
    last = eye(rows(A))
    grams = [with_ends(k, displayed(A, k, exchanged=False), last) for k in (m, m - 1)]
    return square_of_layer(m, last, exchanged=False) == ratio(*grams)


FITTING = When(rows(A) == cols(A), L, L - 1)
"""The layers of the printed network as far as shapes fit: I_out asks that d_in = d_out."""


def logarithm(M: Term) -> Term:
    """2 log |M|_+."""
    return log(pdet2(M))


def first_layer(M: Term) -> Term:
    """The limit of |W_1|_F^2 - Rank M: |W_1|_F^2 = Tr[1/L P + (1 - 1/L) M^T M]."""
    return frob2(M) - rank(M)


def total_limit(M: Term) -> Term:
    """The limit of sum_l |W_l|_F^2 - L Rank M for the network as printed, M square.

    The first layer gives |M|_F^2 - k, the last one 0, and the others, in a basis of eigenvectors,
    sums of (1 - t)/(L t + (l - 1)(1 - t)), in the limit -log t.
    """
    return first_layer(M) - logarithm(M)


def below_limit(M: Term) -> Term:
    """How far sum_l |W_l|_F^2 - L k is below its limit, for the network as printed.

    For each eigenvalue it is the integral of (1 - t)/(t + (1 - t) x), which falls, over [0, 1]
    minus the sum of its values at l/L, l = 1, ..., L, over L.
    """

    def G(m: Any) -> Term:  # noqa: N802 - a matrix
        return displayed(M, m, exchanged=False)

    middle = Sum(upto(L - 2), lambda m: ratio(G(m + 1), G(m)))
    total = trace(G(1)) + middle + trace(pseudo_inverse(G(L - 1)))
    return total_limit(M) - (total - L * rank(M))


def room(M: Term) -> Term:
    """(|M|_F^2 + |M^+|_F^2 - 2 k)/L, the sum of the (t - 1)^2 / (t L)."""
    return (frob2(M) + frob2(pseudo_inverse(M)) - 2 * rank(M)) / L


def layer_constant(M: Term) -> Term:
    """The sum of (t - 1)^2 / (2 min(1, t)^2) over the eigenvalues of M^T M that are not 0."""

    def of(i: Term) -> Term:
        return Let(singular(M)[i] ** 2, lambda t: (t - 1) ** 2 / (2 * smaller(t, 1) ** 2))

    return Sum(upto(rank(M)), of)


def from_logarithms(M: Term, m: Term) -> Term:
    """| |W_l|_F^2 - k - log |G_l|_+ + log |G_(l-1)|_+ | of the exchanged network."""
    here, before = (displayed(M, k, exchanged=True) for k in (m, m - 1))
    return abs(ratio(here, before) - rank(M) - (logarithm(here) - logarithm(before)) / 2)


def above_bound(M: Term) -> Term:
    """sum_l |W_l|_F^2 - L k - 2 log |M|_+ of the exchanged network."""

    def of(m: Term) -> Term:
        return ratio(displayed(M, m, exchanged=True), displayed(M, m - 1, exchanged=True))

    return Sum(upto(L), of) - L * rank(M) - logarithm(M)


def between_bounds(number: Term, most: Term) -> Term:
    """From 0 to most."""
    return (number >= 0) & (number <= most)


SIZE = Sum(upto(L), lambda m: square_of_layer(m, A, exchanged=True))
"""|theta|^2 of the exchanged network."""


NORM = r"For the network of the construction: "
LIMITS = (
    "each eigenvalue of $A^TA$ has a chain of its own, whose norm and its limit are known "
    "(docs/mathematics/j23.md#its-norm)"
)
WHY = r"As printed $K_{\ell/L}$ begins near $K_{out}$ and ends near $K_{in}$, "
MATRICES = TensorPool((("A", ("m", "n")),), (("L", 1, 4),), largest=2)
MAPS = pool_with(A, O_IN, O_OUT, DEPTHS, largest=3, adapt=without_points)
ALONE = TensorPool((("A", ("m", "n")),), largest=3)
SQUARES = TensorPool((("A", ("n", "n")),), largest=3)
SQUARE_DEPTHS = TensorPool((("A", ("n", "n")),), (("L", 1, 8),), largest=3)
LAYER = (
    r"$\lVert W_\ell\rVert_F^2-\mathrm{Rank}A=\sum_{i=1}^{\mathrm{Rank}A}2\log s_i(W_\ell)+"
    r"O(L^{-2})=\log|B_{L,\ell}^TB_{L,\ell}|_+-\log|B_{L,\ell-1}^TB_{L,\ell-1}|_++O(L^{-2})$"
)
TOTAL = (
    r"$\sum_{\ell=1}^L\lVert W_\ell\rVert_F^2-L\,\mathrm{Rank}A=2\log|A|_+-"
    r"2\log|I_{\mathrm{Im}A^T}|_++O(L^{-1})$"
)


def _norm(part: str, title: str, words: str, says: Term, **more: Any) -> Claim:
    return stated(
        f"j23.thm3.3.norm.{part}",
        printed(WHERE + ", last displays"),
        "norm of the explicit network: " + title,
        words,
        says,
        depends=more.pop("depends", ("j23.thm3.3.construct.a",)),
        exact_only=True,
        **more,
    )


NORMS = (
    _norm(
        "a",
        "layers as traces",
        PRINTED + r"$\lVert W_\ell\rVert_F^2=\mathrm{Tr}\big[B_{L,\ell}^TB_{L,\ell}(B_{L,\ell-1}^T"
        r"B_{L,\ell-1})^+\big]$, with $B_{L,\ell}^TB_{L,\ell}=\frac\ell LP_{\mathrm{Im}A^T}+"
        r"(1-\frac\ell L)A^TA$. (The conventions hold at $\ell=0$ and $L$.)",
        Each(upto(FITTING), _as_trace),
        given=ISOMETRIES,
        pool=MAPS,
    ),
    _norm(
        "b",
        "limit of a layer",
        NORM + r"$\lVert W_\ell\rVert_F^2\to\mathrm{Rank}A$. (The entry is the limit of the "
        r"difference at $\ell=1$, where $W_1=B_{L,1}$.)",
        first_layer(A) == 0,
        pool=ALONE,
        through=LIMITS,
        why=WHY + r"so $\lVert W_1\rVert_F^2=\mathrm{Tr}B_{L,1}^TB_{L,1}\to\lVert A\rVert_F^2$.",
    ),
    _norm(
        "b.sum",
        "the sum converges",
        NORM + r"$\sum_\ell\lVert W_\ell\rVert_F^2-L\,\mathrm{Rank}A$ converges to a finite value. "
        r"(For $A$ of equal shapes: from below, the distance to the limit is at most "
        r"$\big(\lVert A\rVert_F^2+\lVert A^+\rVert_F^2-2\mathrm{Rank}A\big)/L$.)",
        implies(L >= 2, between_bounds(below_limit(SQUARE), room(SQUARE))),
        pool=SQUARE_DEPTHS,
        through=LIMITS,
    ),
    _norm(
        "c",
        "a layer by logarithms",
        NORM + LAYER + r". (The entry is the limit of the first difference at $\ell=1$. Printed: "
        r"$s_i(W_i)$.)",
        first_layer(A) == logarithm(A),
        pool=ALONE,
        through=LIMITS,
        why=WHY
        + r"so at $\ell=1$ the left side tends to $\lVert A\rVert_F^2-\mathrm{Rank}A$ and the "
        r"logarithms to $2\log|A|_+$.",
    ),
    _norm(
        "c.fix",
        "a layer by logarithms, roles exchanged",
        EXCHANGED
        + LAYER
        + r", the constant being $\sum_i(t_i-1)^2/(2\min(1,t_i)^2)$, $t_i=s_i(A)^2$.",
        Each(upto(L), lambda m: from_logarithms(A, m) <= layer_constant(A) / L**2),
        pool=MATRICES,
        through=LIMITS,
        repairs="j23.thm3.3.norm.c",
    ),
    _norm(
        "d",
        "the total",
        NORM + TOTAL + r". (The entry is the limit of the difference, of $A$ of equal shapes.)",
        total_limit(SQUARE) == logarithm(SQUARE),
        depends=("j23.thm3.3.norm.c",),
        pool=SQUARES,
        through=LIMITS,
        why=WHY + r"so the first layer costs more than the sum of the logarithms tells: the left "
        r"side tends to $\lVert A\rVert_F^2-\mathrm{Rank}A-2\log|A|_+$.",
    ),
    _norm(
        "d.fix",
        "the total, roles exchanged",
        EXCHANGED + TOTAL + r", and the rest is between $0$ and $\big(\lVert A\rVert_F^2+"
        r"\lVert A^+\rVert_F^2-2\mathrm{Rank}A\big)/L$.",
        between_bounds(above_bound(A), room(A)),
        depends=("j23.thm3.3.norm.c.fix",),
        pool=MATRICES,
        through=LIMITS,
        repairs="j23.thm3.3.norm.d",
    ),
    _norm(
        "e",
        "parameters of this norm",
        r"There are parameters with $\lVert\theta\rVert^2=L\,\mathrm{Rank}A+2\log|A|_++O(L^{-1})$ "
        r"that represent $x\mapsto Ax$ on $\Omega$. (Those with the roles exchanged; the constant "
        r"as there.)",
        represented(exchanged=True) & (L * rank(A) + logarithm(A) + room(A) >= SIZE),
        depends=("j23.thm3.3.construct.b.fix", "j23.thm3.3.norm.d.fix"),
        given=(SLOPE, *EMBEDDED),
        pool=kernel_pool(a, DEPTHS),
        through=LIMITS,
    ),
)

CLAIMS = (HIDDEN, _output(exchanged=False), _output(exchanged=True), *NORMS)
