"""Ten true lemmas on matrices, each with its proof in the docstring of its measure."""

from __future__ import annotations

from benchmarks.planted.false_matrices import (
    CHAIN,
    ONE,
    PRODUCT_ZERO,
    SQUARE,
    SQUARES,
    TWO,
)
from benchmarks.planted.lemma import NONNEGATIVE, lemma, matrix, product, rank, trace, where_false
from verify.claim import Kind
from verify.matrices import MatrixScene
from verify.tensors import Tensors
from verify.vocabulary import Entries


def parallelogram(scene: MatrixScene) -> Entries:
    """Proof: 2 |A|^2 + 2 |B|^2 - |A + B|^2 = |A - B|^2."""
    a, b = scene["A"], scene["B"]
    both = scene.frobenius_squared(a) + scene.frobenius_squared(b)
    return scene.compare(scene.share(both, 2), scene.frobenius_squared(a + b))


def operator_times_frobenius(scene: MatrixScene) -> Entries:
    """Proof: column by column |A b| <= |A|_2 |b|."""
    a, b = scene["A"], scene["B"]
    bound = scene.norm_squared(a) * scene.frobenius_squared(b)
    return scene.compare(bound, scene.frobenius_squared(a @ b))


def frobenius_by_rank(scene: MatrixScene) -> Entries:
    """Proof: there are min(m, n) squared singular values, each at most the largest."""
    a = scene["A"]
    factor = min(scene.lengths["m"], scene.lengths["n"])
    return scene.compare(scene.share(scene.norm_squared(a), factor), scene.frobenius_squared(a))


def stacked(scene: MatrixScene) -> Entries:
    """Proof: |Ax|^2 + |Bx|^2 <= (|A|^2 + |B|^2) |x|^2."""
    a, b = scene["A"], scene["B"]
    return scene.compare(
        scene.norm_squared(a) + scene.norm_squared(b), scene.norm_squared(scene.above(a, b))
    )


def weyl(scene: MatrixScene) -> Entries:
    """Proof: x^T (S + T) x is at least the sum of the least values, for every unit x."""
    s, t = (m + scene.transpose(m) for m in (scene["A"], scene["B"]))
    least = scene.smallest_eigenvalue(s) + scene.smallest_eigenvalue(t)
    return scene.compare(scene.smallest_eigenvalue(s + t), least)


def trace_of_two(scene: MatrixScene) -> Entries:
    """Proof: tr(A^T A B^T B) = |A B^T|_F^2."""
    p, q = scene.gram(scene["A"]), scene.gram(scene["B"])
    return scene.compare(trace(p @ q), scene.constant(0))


def trace_either_way(scene: MatrixScene) -> Entries:
    """Proof: both are the sum of A_ij B_ij over all i and j."""
    a, b = scene["A"], scene["B"]
    return scene.compare(trace(scene.transpose(a) @ b), trace(b @ scene.transpose(a)))


def rank_of_gram(case: Tensors) -> bool:
    """Proof: A^T A x = 0 gives |A x|^2 = 0, so both have the same kernel."""
    a = matrix(case, "A")
    transposed = [list(column) for column in zip(*a, strict=True)]
    return rank(product(transposed, a)) == rank(a)


def square_of_other_product(scene: MatrixScene) -> Entries:
    """Proof: (BA)^2 = B (AB) A."""
    other = scene["B"] @ scene["A"]
    return scene.compare(scene.frobenius_squared(other @ other), scene.constant(0))


def row_sums(scene: MatrixScene) -> Entries:
    """Proof: Gershgorin; every eigenvalue lies within the sum of the other entries of some row."""
    s = scene["A"] + scene.transpose(scene["A"])
    most = s[:, 0].sum(1)
    for i in range(1, scene.lengths["n"]):
        most = scene.arithmetic.maximum(most, s[:, i].sum(1))
    return scene.compare(most, scene.largest_eigenvalue(s))


TRUE_MATRICES = (
    lemma(
        "true.parallelogram",
        Kind.INEQUALITY,
        r"$\lVert A+B\rVert_F^2\le2\lVert A\rVert_F^2+2\lVert B\rVert_F^2$.",
        parallelogram,
        TWO,
    ),
    lemma(
        "true.operator-times-frobenius",
        Kind.INEQUALITY,
        r"$\lVert AB\rVert_F\le\lVert A\rVert_2\lVert B\rVert_F$.",
        operator_times_frobenius,
        CHAIN,
    ),
    lemma(
        "true.frobenius-by-rank",
        Kind.INEQUALITY,
        r"$\lVert A\rVert_F^2\le\min(m,n)\lVert A\rVert_2^2$.",
        frobenius_by_rank,
        ONE,
    ),
    lemma(
        "true.stacked",
        Kind.INEQUALITY,
        r"$\lVert(A;B)\rVert_2^2\le\lVert A\rVert_2^2+\lVert B\rVert_2^2$.",
        stacked,
        TWO,
    ),
    lemma(
        "true.weyl",
        Kind.INEQUALITY,
        r"$\lambda_{\min}(S+T)\ge\lambda_{\min}(S)+\lambda_{\min}(T)$ for symmetric $S$, $T$.",
        weyl,
        SQUARES,
    ),
    lemma(
        "true.trace-of-two",
        Kind.INEQUALITY,
        r"$\mathrm{tr}(PQ)\ge0$ for $P=A^\top A$ and $Q=B^\top B$.",
        trace_of_two,
        SQUARES,
    ),
    lemma(
        "true.trace-either-way",
        Kind.IDENTITY,
        r"$\mathrm{tr}(A^\top B)=\mathrm{tr}(BA^\top)$.",
        trace_either_way,
        TWO,
    ),
    lemma(
        "true.rank-of-gram",
        Kind.IDENTITY,
        r"$\mathrm{rank}(A^\top A)=\mathrm{rank}(A)$.",
        where_false(rank_of_gram),
        ONE,
        exact_only=True,
    ),
    lemma(
        "true.square-of-other-product",
        Kind.IDENTITY,
        r"If $AB=0$ then $(BA)^2=0$, for square $A$, $B$.",
        square_of_other_product,
        SQUARES,
        PRODUCT_ZERO,
    ),
    lemma(
        "true.row-sums",
        Kind.INEQUALITY,
        r"$\lambda_{\max}(S)\le\max_i\sum_jS_{ij}$ for $S=A+A^\top$, $A\ge0$.",
        row_sums,
        SQUARE,
        NONNEGATIVE,
    ),
)
