"""Appendix D, Lemma 11: the two arrangements of the weights of a ResNetFree block.

As a statement about matrices: (U, Y, Z) is arbitrary, and U^T U - Y Y^T stands in place of its
initial value. That is what the lemma says at the start, where every (U, Y, Z) can be, and by the
invariance of Theorem 1 also later. The printed displays (75)-(82) square the largest eigenvalue
where B and A have their squared norms; each display is a claim as printed.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from verify.cases.hypotheses import random_rational
from verify.cases.tensors import Tensors
from verify.language.building import Each, cols, norm, rows, upto
from verify.language.proofs import follows
from verify.language.terms import Term
from verify.papers.lj22 import matrix_proofs as proofs
from verify.papers.lj22.notation import A, B, U, Y, Z, defect, largest
from verify.papers.lj22.sources import both, final
from verify.statements.derivations.spectral_steps import norms, turned
from verify.statements.stated import Given, stated

# what the displays speak of -------------------------------------------------------------------
DEFECT = norm(defect(Y, U))  # D is its square
SUM = largest(U @ U.T + Z @ Z.T)
YY, ZZ, UU, WW = largest(Y.T @ Y), largest(Z.T @ Z), largest(U @ U.T), largest(Z @ Z.T)


def without_zeros(matrix: Term) -> Term:
    """No entry is 0."""
    places = upto(rows(matrix)), upto(cols(matrix))
    return Each(places[0], lambda i: Each(places[1], lambda j: matrix[i, j] != 0))


def _without_zeros(case: Tensors, random: Random) -> Tensors:
    return case.with_entries(
        **{
            name: [entry or random_rational(random) for entry in array.entries]
            for name, array in case.arrays.items()
        }
    )


def _with_a_zero(case: Tensors, random: Random) -> Tensors:
    name = random.choice(sorted(case.arrays))
    return case.with_entries(**{name: (Fraction(0), *case.arrays[name].entries[1:])})


def nonzero(*matrices: Term) -> Given:
    """The signs are constant near the start."""
    holds = without_zeros(matrices[0])
    for matrix in matrices[1:]:
        holds = holds & without_zeros(matrix)
    return Given(
        "stable signs (Assumption 1)",
        holds,
        r"signs of the weights constant near the start: no entry is 0",
        _without_zeros,
        _with_a_zero,
    )


# the claims -----------------------------------------------------------------------------------
BLOCK = (
    r"For a ResNetFree block $r(U,Y,Z)$ with $Y\in\mathbb R^{b\times a}$, "
    r"$U\in\mathbb R^{c\times b}$, $Z\in\mathbb R^{c\times a}$, let $A=[U\ \ Z]$ and "
    r"$B=\begin{bmatrix}Y\\Z\end{bmatrix}$. "
)
LEMMA = (
    r"$\lVert B\rVert_2^2\ge\frac18\lVert A\rVert_2^2-D'$, where $D'\ge0$ is fixed at "
    "initialisation. "
)
INVARIANT = r"U^\top(0)U(0)-Y(0)Y^\top(0)"
AS_LONG = r"(At the start, and as long as $U^\top U-YY^\top$ keeps its initial value.)"
LY, LZ, LU, LW = (
    r"\lambda(Y^\top Y)",
    r"\lambda(Z^\top Z)",
    r"\lambda(UU^\top)",
    r"\lambda(ZZ^\top)",
)
STEPS = tuple(f"lj22.lemma11-{k}" for k in ("74", "77", "78", "79", "80", "81"))
STEPS += ("lj22.lemma11-75.a", "lj22.lemma11-75.b", "lj22.lemma11-82.a", "lj22.lemma11-82.b")


NONZERO = nonzero(U, Y, Z)


CLAIMS = (
    stated(
        "lj22.lemma11@B",
        final("Lemma 11"),
        "shuffling a ResNetFree block, with some constant",
        BLOCK + LEMMA + rf"(Measured with $D'=\frac18\lVert {INVARIANT}\rVert_2$.) " + AS_LONG,
        norm(B) ** 2 >= norm(A) ** 2 / 8 - DEFECT / 8,
        depends=("lj22.thm1-3@A", "lj22.weyl.b", *STEPS),
        reading="B",
        reading_text=r"some $D'\ge0$ that depends on the initial values alone does it",
        through=r"the constant $D'=\frac18\lVert U^\top U-YY^\top\rVert_2$ of the start does it, "
        "as a linear block keeps that matrix (docs/mathematics/lj22.md#lemma-11)",
        proofs=[follows(lambda p: proofs.shuffled(p, Fraction(1, 8)))],
    ),
    stated(
        "lj22.lemma11.half",
        final("Lemma 11"),
        "shuffling a ResNetFree block, with the best factor",
        BLOCK + r"Then $\lVert B\rVert_2^2\ge\frac12\lVert A\rVert_2^2-"
        r"\frac12\lVert U^\top U-YY^\top\rVert_2$: with $\frac12$ in place of the printed "
        r"$\frac18$, which is the largest factor.",
        norm(B) ** 2 >= norm(A) ** 2 / 2 - DEFECT / 2,
        depends=("lj22.weyl.b",),
        proofs=[follows(lambda p: proofs.shuffled(p, Fraction(1, 2)))],
    ),
    stated(
        "lj22.lemma11-74",
        both("(74); earlier (61)"),
        "the norm of Y against that of U",
        rf"$\lVert Y\rVert_2^2\ge\lVert U\rVert_2^2-D$ with $D=\lVert {INVARIANT}\rVert_2^2$ fixed "
        "at initialisation.",
        norm(Y) ** 2 >= norm(U) ** 2 - DEFECT**2,
        [NONZERO],
        depends=("lj22.thm1-3@A",),
        why=r"$D$ is the square of a norm: where $\lVert U^\top U-YY^\top\rVert_2<1$ it is "
        r"smaller than that norm, and the norm is what $\lVert U\rVert_2^2$ and $\lVert "
        r"Y\rVert_2^2$ can differ by",
    ),
    stated(
        "lj22.lemma11-74.fix",
        both("(74); earlier (61)"),
        "the norm of Y against that of U, with the norm in D",
        rf"$\lVert Y\rVert_2^2\ge\lVert U\rVert_2^2-D$ with $D=\lVert {INVARIANT}\rVert_2$.",
        norm(Y) ** 2 >= norm(U) ** 2 - DEFECT,
        depends=("lj22.thm1-3@A", "lj22.weyl.b"),
        repairs="lj22.lemma11-74",
        proofs=[proofs.norm_of_y],
    ),
    stated(
        "lj22.lemma11-75.a",
        both("(75); earlier (62)"),
        "the squared norm as a squared eigenvalue",
        r"$\lVert B\rVert_2^2=(\lambda(B^\top B))^2$, where $\lambda(X)$ is the maximum eigenvalue "
        "of a positive semidefinite matrix.",
        norm(B) ** 2 == largest(B.T @ B) ** 2,
        why=r"$\lVert B\rVert_2^2$ is $\lambda(B^\top B)$, not its square",
    ),
    stated(
        "lj22.lemma11-75.a.fix",
        both("(75); earlier (62)"),
        "the squared norm as an eigenvalue",
        r"$\lVert B\rVert_2^2=\lambda(BB^\top)=\lambda(B^\top B)$.",
        (norm(B) ** 2 == largest(B @ B.T)) & (largest(B @ B.T) == largest(B.T @ B)),
        repairs="lj22.lemma11-75.a",
        proofs=[follows(lambda p: norms(p, B)[1]), follows(lambda p: turned(p, B), -1)],
    ),
    stated(
        "lj22.lemma11-75.b",
        both("(76); earlier (63)"),
        "the Gram matrix of a stack",
        r"$(\lambda(B^\top B))^2=(\lambda(Y^\top Y+Z^\top Z))^2$.",
        largest(B.T @ B) ** 2 == largest(Y.T @ Y + Z.T @ Z) ** 2,
        proofs=[proofs.by_itself],
    ),
    stated(
        "lj22.lemma11-77",
        both("(77); earlier (64)"),
        "the eigenvalue of a sum from below",
        rf"$(\lambda(Y^\top Y+Z^\top Z))^2\ge\frac14({LY}+{LZ})^2$.",
        largest(Y.T @ Y + Z.T @ Z) ** 2 >= (YY + ZZ) ** 2 / 4,
        depends=("lj22.weyl.a",),
        proofs=[proofs.sum_from_below],
    ),
    stated(
        "lj22.lemma11-78",
        both("(78); earlier (65)"),
        "a square of a sum from below",
        rf"$\frac14({LY}+{LZ})^2\ge\frac14({LY})^2+\frac14({LZ})^2$.",
        (YY + ZZ) ** 2 / 4 >= YY**2 / 4 + ZZ**2 / 4,
        proofs=[proofs.square_of_a_sum],
    ),
    stated(
        "lj22.lemma11-79",
        both("(79); earlier (66)"),
        "from Y to U",
        rf"$\frac14({LY})^2+\frac14({LZ})^2\ge\frac14({LU})^2+\frac14({LW})^2-\frac D4$, a "
        rf"consequence of (74), with its $D=\lVert {INVARIANT}\rVert_2^2$.",
        YY**2 / 4 + ZZ**2 / 4 >= UU**2 / 4 + WW**2 / 4 - DEFECT**2 / 4,
        [NONZERO],
        depends=("lj22.lemma11-74",),
        why=r"(74) compares $\lambda(Y^\top Y)$ with $\lambda(UU^\top)$, not their squares, "
        r"whose difference grows with both of them while $D$ does not",
    ),
    stated(
        "lj22.lemma11-79.fix",
        both("(79); earlier (66)"),
        "from Y to U, without squares",
        rf"$\frac14{LY}+\frac14{LZ}\ge\frac14{LU}+\frac14{LW}-\frac D4$ with "
        rf"$D=\lVert {INVARIANT}\rVert_2$.",
        YY / 4 + ZZ / 4 >= UU / 4 + WW / 4 - DEFECT / 4,
        depends=("lj22.lemma11-74.fix",),
        repairs="lj22.lemma11-79",
        proofs=[proofs.from_y_to_u],
    ),
    stated(
        "lj22.lemma11-80",
        both("(80); earlier (67)"),
        "a sum of squares from below",
        rf"$\frac14({LU})^2+\frac14({LW})^2-\frac D4\ge\frac18({LU}+{LW})^2-\frac D4$.",
        UU**2 / 4 + WW**2 / 4 - DEFECT**2 / 4 >= (UU + WW) ** 2 / 8 - DEFECT**2 / 4,
        proofs=[proofs.sum_of_squares],
    ),
    stated(
        "lj22.lemma11-81",
        both("(81); earlier (68)"),
        "the eigenvalue of a sum from above",
        rf"$\frac18({LU}+{LW})^2-\frac D4\ge\frac18(\lambda(UU^\top+ZZ^\top))^2-\frac D4$.",
        SUM**2 / 8 - DEFECT**2 / 4 <= (UU + WW) ** 2 / 8 - DEFECT**2 / 4,
        depends=("lj22.weyl.b",),
        proofs=[proofs.sum_from_above],
    ),
    stated(
        "lj22.lemma11-82.a",
        both("(82); earlier (69)"),
        "the Gram matrix of two blocks side by side",
        r"$\frac18(\lambda(UU^\top+ZZ^\top))^2-\frac D4=\frac18(\lambda(AA^\top))^2-\frac D4$.",
        largest(A @ A.T) ** 2 / 8 - DEFECT**2 / 4 == SUM**2 / 8 - DEFECT**2 / 4,
        proofs=[proofs.by_itself],
    ),
    stated(
        "lj22.lemma11-82.b",
        both("(82); earlier (69)"),
        "a squared eigenvalue as the squared norm",
        r"$\frac18(\lambda(AA^\top))^2-\frac D4=\frac18\lVert A\rVert_2^2-\frac D4$.",
        largest(A @ A.T) ** 2 / 8 - DEFECT**2 / 4 == norm(A) ** 2 / 8 - DEFECT**2 / 4,
        why=r"$\lVert A\rVert_2^2$ is $\lambda(AA^\top)$, not its square",
    ),
    stated(
        "lj22.lemma11-82.b.fix",
        both("(82); earlier (69)"),
        "an eigenvalue as the squared norm",
        r"$\lVert A\rVert_2^2=\lambda(AA^\top)=\lambda(A^\top A)$.",
        (norm(A) ** 2 == largest(A @ A.T)) & (largest(A @ A.T) == largest(A.T @ A)),
        repairs="lj22.lemma11-82.b",
        proofs=[follows(lambda p: norms(p, A)[1]), follows(lambda p: turned(p, A), -1)],
    ),
)
