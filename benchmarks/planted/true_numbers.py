"""Eleven true lemmas on numbers, vectors and curves; each measure's docstring has the proof."""

from __future__ import annotations

from fractions import Fraction

from benchmarks.planted.false_numbers import (
    EXAMPLES,
    NUMBER,
    NUMBERS,
    PAIRWISE,
    VECTOR,
    VECTORS,
    WHOLE,
    signs_settle,
)
from benchmarks.planted.lemma import (
    IN_UNIT_CUBE,
    NONNEGATIVE,
    dot,
    lemma,
    matrix,
    power,
    rank,
    where_false,
)
from verify.claim import Kind
from verify.hypotheses import Hypothesis, by_case
from verify.matrices import MatrixScene
from verify.papers.lj22.curves import CONVERGES_IN_DIRECTION, CURVES, NO_ZERO_IN_LIMIT
from verify.stated import as_hypothesis
from verify.tensors import Tensors
from verify.vocabulary import Entries


def cauchy_schwarz(scene: MatrixScene) -> Entries:
    """Proof: the difference is half the sum of (a_i b_j - a_j b_i)^2 over all i and j."""
    a, b = scene["a"], scene["b"]
    return scene.compare(dot(a, a) * dot(b, b), power(dot(a, b), 2))


def four_times(scene: MatrixScene) -> Entries:
    """Proof: the difference is (a - b)^2."""
    a, b = scene["a"], scene["b"]
    return scene.compare(power(a + b, 2), scene.share(a * b, 4))


def motzkin(scene: MatrixScene) -> Entries:
    """Proof: the means of x^4 y^2, x^2 y^4 and 1; their product is (x^2 y^2)^3."""
    x, y = scene.share(scene["a"], Fraction(5, 7)), scene.share(scene["b"], Fraction(3, 4))
    x, y = x * x, y * y
    return scene.compare(x * x * y + x * y * y + scene.constant(1), scene.share(x * y, 3))


def parabola(scene: MatrixScene) -> Entries:
    """Proof: the difference is (a - 50)^2."""
    a = scene["a"]
    return scene.compare(a * a + scene.constant(2500), scene.share(a, 100))


def sum_by_squares(scene: MatrixScene) -> Entries:
    """Proof: Cauchy-Schwarz with a vector of ones."""
    a = scene["a"]
    right = scene.share(dot(a, a), scene.lengths["n"])
    return scene.compare(right, power(a.sum(1), 2))


def means_of_three(scene: MatrixScene) -> Entries:
    """Proof: the geometric mean of a, a and b is at most the arithmetic one."""
    a, b = scene["a"], scene["b"]
    return scene.compare(power(a + a + b, 3), scene.share(a * a * b, 27))


def cyclic_half(scene: MatrixScene) -> Entries:
    """Proof: for n = 1 it is a (1 - a) <= 1/4. Else the sum is affine in each number, so largest
    at a corner, where it counts the ones followed by a zero: at most every second place."""
    a = scene["a"]
    n = scene.lengths["n"]
    total = scene.constant(0)
    for k in range(n):
        total = total + a[:, k] * (scene.constant(1) - a[:, (k + 1) % n])
    return scene.compare(scene.constant(Fraction(n, 2)), total)


def hoelder(scene: MatrixScene) -> Entries:
    """Proof: Hoelder with the exponents 3 and 3/2."""
    a, b = scene["a"], scene["b"]
    bound = power(a, 3).sum(1) * power(power(b, 3).sum(1), 2)
    return scene.compare(bound, power(dot(a, b * b), 3))


def little_fermat(case: Tensors) -> bool:
    """Proof: Fermat's little theorem."""
    n = case.whole("n")
    prime = all(n % d for d in range(2, n) if d * d <= n)
    return not prime or pow(2, n, n) == 2 % n


def two_independent(case: Tensors) -> bool:
    """Proof: the hypothesis, for two examples; one that is not 0 has rank 1."""
    rows = matrix(case, "X")
    return rank(rows) == min(len(rows), len(rows[0]))


def settled_signs(scene: MatrixScene) -> Entries:
    """Proof: late enough each entry of w(t)/|w(t)| is near its limit, which is not 0."""
    return signs_settle(scene)


AT_MOST_TWO = Hypothesis(
    "two examples",
    "two examples",
    by_case(lambda case: case.lengths["example"] == 2),
)

TRUE_NUMBERS = (
    lemma(
        "true.cauchy-schwarz",
        Kind.INEQUALITY,
        r"$\langle a,b\rangle^2\le\lVert a\rVert^2\lVert b\rVert^2$.",
        cauchy_schwarz,
        VECTORS,
    ),
    lemma("true.four-times", Kind.INEQUALITY, "$(a+b)^2\\ge4ab$.", four_times, NUMBERS),
    lemma(
        "true.motzkin",
        Kind.INEQUALITY,
        "$x^4y^2+x^2y^4+1-3x^2y^2\\ge0$ for $x=5a/7$, $y=3b/4$.",
        motzkin,
        NUMBERS,
    ),
    lemma("true.parabola", Kind.INEQUALITY, r"$a^2\ge100\,a-2500$.", parabola, NUMBER),
    lemma(
        "true.sum-by-squares",
        Kind.INEQUALITY,
        r"$\big(\sum_ia_i\big)^2\le n\sum_ia_i^2$.",
        sum_by_squares,
        VECTOR,
    ),
    lemma(
        "true.means-of-three",
        Kind.INEQUALITY,
        r"$a^2b\le\big(\frac{2a+b}3\big)^3$ for $a,b\ge0$.",
        means_of_three,
        NUMBERS,
        NONNEGATIVE,
    ),
    lemma(
        "true.cyclic-half",
        Kind.INEQUALITY,
        r"$\sum_ia_i(1-a_{i+1})\le\frac n2$ for $a\in[0,1]^n$, indices modulo $n$.",
        cyclic_half,
        VECTOR,
        IN_UNIT_CUBE,
    ),
    lemma(
        "true.hoelder",
        Kind.INEQUALITY,
        r"$\big(\sum_ia_ib_i^2\big)^3\le\sum_ia_i^3\big(\sum_ib_i^3\big)^2$ for $a,b\ge0$.",
        hoelder,
        VECTORS,
        NONNEGATIVE,
    ),
    lemma(
        "true.little-fermat",
        Kind.IDENTITY,
        r"If $n$ is prime then $n$ divides $2^n-2$ ($2\le n\le1000$).",
        where_false(little_fermat),
        WHOLE,
        exact_only=True,
    ),
    lemma(
        "true.two-independent",
        Kind.IDENTITY,
        "Two independent examples have rank 2.",
        where_false(two_independent),
        EXAMPLES,
        PAIRWISE,
        AT_MOST_TWO,
        exact_only=True,
    ),
    lemma(
        "true.signs-settle",
        Kind.IDENTITY,
        r"If $w(t)/\lVert w(t)\rVert$ converges to a limit without entry 0 then each entry keeps "
        "its sign from some time on.",
        settled_signs,
        CURVES,
        *(as_hypothesis(one, CURVES) for one in (CONVERGES_IN_DIRECTION, NO_ZERO_IN_LIMIT)),
        exact_only=True,
    ),
)
