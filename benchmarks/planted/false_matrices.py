"""Eight false lemmas on matrices."""

from __future__ import annotations

from fractions import Fraction

from benchmarks.planted.lemma import (
    NONNEGATIVE,
    Planted,
    arrays,
    at_least,
    lemma,
    matrix,
    product,
    rank,
    where_false,
)
from verify.claim import Kind
from verify.hypotheses import Hypothesis, by_case
from verify.matrices import MatrixScene
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries

TWO = TensorPool((("A", ("m", "n")), ("B", ("m", "n"))))
CHAIN = TensorPool((("A", ("m", "k")), ("B", ("k", "n"))))
ONE = TensorPool((("A", ("m", "n")),))
SQUARE = TensorPool((("A", ("n", "n")),))
SQUARES = TensorPool((("A", ("n", "n")), ("B", ("n", "n"))))


def norms_of_a_product(scene: MatrixScene) -> Entries:
    """The factor on one side may have its operator norm, not both."""
    a, b = scene["A"], scene["B"]
    bound = scene.norm_squared(a) * scene.norm_squared(b)
    return scene.compare(bound, scene.frobenius_squared(a @ b))


def rank_less_one(scene: MatrixScene) -> Entries:
    """The factor is the rank, which min(m, n) - 1 is not where all singular values are alike."""
    a = scene["A"]
    factor = min(scene.lengths["m"], scene.lengths["n"]) - 1
    return scene.compare(scene.share(scene.norm_squared(a), factor), scene.frobenius_squared(a))


def gram_either_way(scene: MatrixScene) -> Entries:
    """The larger of the two products has eigenvalues 0 besides."""
    a = scene["A"]
    other = scene.smallest_eigenvalue(scene.gram(scene.transpose(a)))
    return scene.compare(scene.smallest_eigenvalue(scene.gram(a)), other)


def largest_of_each(scene: MatrixScene) -> Entries:
    """A row has n - 1 entries beside the diagonal, not one."""
    s = scene["A"] + scene.transpose(scene["A"])
    n = scene.lengths["n"]
    diagonal, beside = s[:, 0, 0], scene.constant(0)
    for i in range(n):
        diagonal = scene.arithmetic.maximum(diagonal, s[:, i, i])
        for j in range(i):
            beside = scene.arithmetic.maximum(beside, s[:, i, j])
    return scene.compare(diagonal + beside, scene.largest_eigenvalue(s))


def rank_of_squares(case: Tensors) -> bool:
    """Squares forget signs: of (1, 1; 1, -1) they are all 1."""
    a = matrix(case, "A")
    return rank([[value * value for value in row] for row in a]) >= rank(a)


def leading_minors(scene: MatrixScene) -> Entries:
    """Minors that are 0 say nothing: with all of them positive it is true."""
    s = scene["A"] + scene.transpose(scene["A"])
    return scene.compare(scene.smallest_eigenvalue(s), scene.constant(0))


def other_product(scene: MatrixScene) -> Entries:
    """AB = 0 says nothing of BA."""
    return scene.compare(scene.frobenius_squared(scene["B"] @ scene["A"]), scene.constant(0))


def rank_of_product(case: Tensors) -> bool:
    """Not where the kernel of A meets the image of B."""
    a, b = matrix(case, "A"), matrix(case, "B")
    return rank(product(a, b)) == min(rank(a), rank(b))


def _is_zero(rows: list[list[Fraction]]) -> bool:
    return not any(value for row in rows for value in row)


def _full(rows: list[list[Fraction]]) -> bool:
    return rank(rows) == min(len(rows), len(rows[0]))


def _determinant(rows: list[list[Fraction]]) -> Fraction:
    if not rows:
        return Fraction(1)
    total = Fraction(0)
    for k, value in enumerate(rows[0]):
        rest = [[*row[:k], *row[k + 1 :]] for row in rows[1:]]
        total += (-1) ** k * value * _determinant(rest)
    return total


def _minors(case: Tensors) -> bool:
    a = matrix(case, "A")
    n = len(a)
    s = [[a[i][j] + a[j][i] for j in range(n)] for i in range(n)]
    return all(_determinant([row[:k] for row in s[:k]]) >= 0 for k in range(1, n + 1))


MINORS = Hypothesis("minors", "all leading minors of $S$ are at least 0", by_case(_minors))
PRODUCT_ZERO = Hypothesis(
    "product 0",
    "$AB=0$",
    by_case(lambda case: _is_zero(product(matrix(case, "A"), matrix(case, "B")))),
)
FULL_RANK = Hypothesis(
    "full rank",
    "$A$ and $B$ have full rank",
    by_case(lambda case: _full(matrix(case, "A")) and _full(matrix(case, "B"))),
)
EYE3 = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
NILPOTENT = [[0, 1], [0, 0]]

FALSE_MATRICES = (
    Planted(
        lemma(
            "false.norms-of-a-product",
            Kind.INEQUALITY,
            r"$\lVert AB\rVert_F\le\lVert A\rVert_2\lVert B\rVert_2$.",
            norms_of_a_product,
            CHAIN,
        ),
        1,
        "operator norm in place of the Frobenius norm",
        lambda: arrays(CHAIN, A=[[1, 0], [0, 1]], B=[[1, 0], [0, 1]]),
    ),
    Planted(
        lemma(
            "false.rank-less-one",
            Kind.INEQUALITY,
            r"$\lVert A\rVert_F^2\le(\min(m,n)-1)\lVert A\rVert_2^2$ for $m,n\ge3$.",
            rank_less_one,
            ONE,
            at_least("m", 3),
            at_least("n", 3),
        ),
        2,
        "an index off by one",
        lambda: arrays(ONE, A=EYE3),
    ),
    Planted(
        lemma(
            "false.gram-either-way",
            Kind.IDENTITY,
            r"$\lambda_{\min}(A^\top A)=\lambda_{\min}(AA^\top)$.",
            gram_either_way,
            ONE,
        ),
        1,
        "true of square matrices only",
        lambda: arrays(ONE, A=[[1], [1]]),
    ),
    Planted(
        lemma(
            "false.largest-of-each",
            Kind.INEQUALITY,
            r"$\lambda_{\max}(S)\le\max_iS_{ii}+\max_{i\ne j}S_{ij}$ for $S=A+A^\top$, $A\ge0$.",
            largest_of_each,
            SQUARE,
            NONNEGATIVE,
        ),
        2,
        "true for n at most 2",
        lambda: arrays(SQUARE, A=[[1, 1, 1], [1, 1, 1], [1, 1, 1]]),
    ),
    Planted(
        lemma(
            "false.rank-of-squares",
            Kind.IDENTITY,
            r"$\mathrm{rank}(A\circ A)\ge\mathrm{rank}(A)$, entry by entry.",
            where_false(rank_of_squares),
            ONE,
            exact_only=True,
        ),
        3,
        "true generically; signs are lost",
        lambda: arrays(ONE, A=[[1, 1], [1, -1]]),
    ),
    Planted(
        lemma(
            "false.leading-minors",
            Kind.INEQUALITY,
            r"If all leading minors of $S=A+A^\top$ are at least $0$ then $S\succeq0$.",
            leading_minors,
            SQUARE,
            MINORS,
        ),
        3,
        "strictness: true of positive minors",
        lambda: arrays(SQUARE, A=[[0, 0], [0, -1]]),
    ),
    Planted(
        lemma(
            "false.other-product",
            Kind.IDENTITY,
            r"If $AB=0$ then $BA=0$, for square $A$, $B$.",
            other_product,
            SQUARES,
            PRODUCT_ZERO,
        ),
        3,
        "operands swapped, under a hypothesis that few cases meet",
        lambda: arrays(SQUARES, A=NILPOTENT, B=[[1, 0], [0, 0]]),
    ),
    Planted(
        lemma(
            "false.rank-of-product",
            Kind.IDENTITY,
            r"If $A$ and $B$ have full rank then $\mathrm{rank}(AB)=\min(\mathrm{rank}A,"
            r"\mathrm{rank}B)$.",
            where_false(rank_of_product),
            CHAIN,
            FULL_RANK,
            exact_only=True,
        ),
        3,
        "true generically; a rank drops in the product",
        lambda: arrays(CHAIN, A=[[1, 1]], B=[[1], [-1]]),
    ),
)
