"""Twelve false lemmas on numbers and vectors, and one on curves."""

from __future__ import annotations

from fractions import Fraction

from benchmarks.planted.lemma import (
    IN_UNIT_CUBE,
    NONNEGATIVE,
    Planted,
    arrays,
    at_least,
    dot,
    lemma,
    matrix,
    power,
    rank,
    where_false,
)
from verify.claim import Kind
from verify.hypotheses import Hypothesis, by_case
from verify.language.building import Each, rows, upto
from verify.language.statements import Statement
from verify.matrices import MatrixScene
from verify.papers.lj22.curves import CONVERGES_IN_DIRECTION, CURVES, P, Q, late_sign
from verify.stated import as_hypothesis
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries, Row, constant_entries

VECTOR = TensorPool((("a", ("n",)),), largest=6)
VECTORS = TensorPool((("a", ("n",)), ("b", ("n",))))
NUMBERS = TensorPool((("a", ()), ("b", ())))
NUMBER = TensorPool((("a", ()),))
THREE = TensorPool((("a", ()), ("b", ()), ("c", ())))
FOUR = TensorPool((("a", ()), ("b", ()), ("c", ()), ("d", ())))
LONG = TensorPool((("a", ("n",)),), largest=14)
PAIR = TensorPool(integers=(("x", 1, 1000), ("y", 1, 1000)))
WHOLE = TensorPool(integers=(("n", 2, 1000),))
EXAMPLES = TensorPool((("X", ("example", "coordinate")),), largest=5)
SETTLES = Statement("-", Each(upto(rows(P)), lambda e: late_sign(P, e) == late_sign(Q, e)))


def near_parallel(scene: MatrixScene) -> Entries:
    """Parallel vectors give equality with the factor 1."""
    a, b = scene["a"], scene["b"]
    bound = scene.share(dot(a, a) * dot(b, b), Fraction(99, 100))
    return scene.compare(bound, power(dot(a, b), 2))


def motzkin_above(scene: MatrixScene) -> Entries:
    """The form of Motzkin is 0 where |x| = |y| = 1, here at a = 7/5, b = 4/3, up to signs."""
    x, y = scene.share(scene["a"], Fraction(5, 7)), scene.share(scene["b"], Fraction(3, 4))
    x, y = x * x, y * y
    form = x * x * y + x * y * y + scene.constant(1) - scene.share(x * y, 3)
    return scene.compare(form, scene.constant(Fraction(1, 500)))


def sixteenth_power(scene: MatrixScene) -> Entries:
    """The sharp power of n is 8."""
    a = scene["a"]
    n = scene.lengths["n"]
    right = scene.share(power(dot(a, a), 8), n**7)
    return scene.compare(right, power(a.sum(1), 16))


def weighted_means(scene: MatrixScene) -> Entries:
    """a counts twice: the mean of a, a and b is (2 a + b)/3, not (a + b)/2."""
    a, b = scene["a"], scene["b"]
    return scene.compare(power(a + b, 3), scene.share(a * a * b, 8))


def cyclic_sum(scene: MatrixScene) -> Entries:
    """At (1, 0, 1, 0) the sum is 2."""
    a = scene["a"]
    n = scene.lengths["n"]
    total = scene.constant(0)
    for k in range(n):
        total = total + a[:, k] * (scene.constant(1) - a[:, (k + 1) % n])
    return scene.compare(scene.constant(1), total)


def narrow_cone(scene: MatrixScene) -> Entries:
    """The left side is 0 where a : b = 7 : 11."""
    a, b = scene["a"], scene["b"]
    left = power(scene.share(a, 11) - scene.share(b, 7), 2)
    return scene.compare(left, scene.share(a * b, Fraction(1, 100)))


def hidden_line(scene: MatrixScene) -> Entries:
    """All three squares are 0 on one line, through (135, 175, 504, 315)."""
    d = scene["d"]
    left = scene.constant(0)
    for name, ratio in (("a", Fraction(3, 7)), ("b", Fraction(5, 9)), ("c", Fraction(8, 5))):
        left = left + power(scene[name] - scene.share(d, ratio), 2)
    return scene.compare(left, scene.share(d * d, Fraction(1, 1000)))


def means_with_weights(scene: MatrixScene) -> Entries:
    """2a = 3b = 5c gives equality with the factor 810."""
    a, b, c = scene["a"], scene["b"], scene["c"]
    total = scene.share(a, 2) + scene.share(b, 3) + scene.share(c, 5)
    return scene.compare(power(total, 3), scene.share(a * b * c, Fraction(8181, 10)))


def shapiro(scene: MatrixScene) -> Entries:
    """Shapiro's inequality: true for even n up to 12, false for n = 14."""
    rows: list[Row] = []
    for number, case in enumerate(scene.cases):
        a = case.arrays["a"].entries
        n = len(a)
        pairs = [a[(k + 1) % n] + a[(k + 2) % n] for k in range(n)]
        if all(pairs):
            total = sum((x / y for x, y in zip(a, pairs, strict=True)), Fraction(0))
            rows.append((number, {}, total - Fraction(n, 2)))
    return constant_entries(scene, rows)


def pell(case: Tensors) -> bool:
    """649^2 = 13 * 180^2 + 1."""
    return case.whole("x") ** 2 != 13 * case.whole("y") ** 2 + 1


def fermat(case: Tensors) -> bool:
    """341 = 11 * 31 divides 2^341 - 2."""
    n = case.whole("n")
    prime = all(n % d for d in range(2, n) if d * d <= n)
    return prime or pow(2, n, n) != 2 % n


def independent(case: Tensors) -> bool:
    """Three vectors in a plane."""
    rows = matrix(case, "X")
    return rank(rows) == min(len(rows), len(rows[0]))


def signs_settle(scene: MatrixScene) -> Entries:
    """An entry whose limit is 0 may change its sign forever."""
    return SETTLES.measure(scene)


def _pairwise(case: Tensors) -> bool:
    rows = matrix(case, "X")
    if len(rows[0]) < 2 or not all(map(any, rows)):
        return False
    return all(rank([rows[i], rows[j]]) == 2 for i in range(len(rows)) for j in range(i))


PAIRWISE = Hypothesis(
    "pairwise independent",
    "no example is 0, each two are linearly independent; at least two coordinates",
    by_case(_pairwise),
)


FALSE_NUMBERS = (
    Planted(
        lemma(
            "false.near-parallel",
            Kind.INEQUALITY,
            r"$\langle a,b\rangle^2\le0.99\,\lVert a\rVert^2\lVert b\rVert^2$ in dimension at "
            "least 2.",
            near_parallel,
            VECTORS,
            at_least("n", 2),
        ),
        3,
        "a constant too sharp by 1 %",
        lambda: arrays(VECTORS, a=[1, 1], b=[1, 1]),
    ),
    Planted(
        lemma(
            "false.motzkin-above",
            Kind.INEQUALITY,
            r"$x^4y^2+x^2y^4+1-3x^2y^2\ge\frac1{500}$ for $x=5a/7$, $y=3b/4$.",
            motzkin_above,
            NUMBERS,
        ),
        4,
        "false in small discs about four points",
        lambda: arrays(NUMBERS, a=Fraction(7, 5), b=Fraction(4, 3)),
    ),
    Planted(
        lemma(
            "false.sixteenth-power",
            Kind.INEQUALITY,
            r"$\big(\sum_ia_i\big)^2\le n^{7/8}\sum_ia_i^2$ for $n\ge2$ (to the eighth power).",
            sixteenth_power,
            VECTOR,
            at_least("n", 2),
        ),
        2,
        "an exponent off by an eighth",
        lambda: arrays(VECTOR, a=[1, 1]),
    ),
    Planted(
        lemma(
            "false.weighted-means",
            Kind.INEQUALITY,
            r"$a^2b\le\big(\frac{a+b}2\big)^3$ for $a,b\ge0$.",
            weighted_means,
            NUMBERS,
            NONNEGATIVE,
        ),
        1,
        "exponents 1/2, 1/2 in place of 2/3, 1/3",
        lambda: arrays(NUMBERS, a=2, b=1),
    ),
    Planted(
        lemma(
            "false.cyclic-sum",
            Kind.INEQUALITY,
            r"$\sum_ia_i(1-a_{i+1})\le1$ for $a\in[0,1]^n$, indices modulo $n$.",
            cyclic_sum,
            VECTOR,
            IN_UNIT_CUBE,
        ),
        2,
        "true for n at most 3",
        lambda: arrays(VECTOR, a=[1, 0, 1, 0]),
    ),
    Planted(
        lemma(
            "false.narrow-cone",
            Kind.INEQUALITY,
            r"$(11a-7b)^2\ge\frac{ab}{100}$ for $a,b\ge0$.",
            narrow_cone,
            NUMBERS,
            NONNEGATIVE,
        ),
        3,
        "false in a narrow cone",
        lambda: arrays(NUMBERS, a=7, b=11),
    ),
    Planted(
        lemma(
            "false.hidden-line",
            Kind.INEQUALITY,
            r"$(a-\frac37d)^2+(b-\frac59d)^2+(c-\frac85d)^2\ge\frac{d^2}{1000}$.",
            hidden_line,
            FOUR,
        ),
        4,
        "false near one line in four dimensions",
        lambda: arrays(FOUR, a=135, b=175, c=504, d=315),
    ),
    Planted(
        lemma(
            "false.means-with-weights",
            Kind.INEQUALITY,
            r"$(2a+3b+5c)^3\ge818.1\,abc$ for $a,b,c\ge0$.",
            means_with_weights,
            THREE,
            NONNEGATIVE,
        ),
        3,
        "a constant too sharp by 1 %",
        lambda: arrays(THREE, a=15, b=10, c=6),
    ),
    Planted(
        lemma(
            "false.shapiro",
            Kind.INEQUALITY,
            r"$\sum_i\frac{a_i}{a_{i+1}+a_{i+2}}\ge\frac n2$ for $a\ge0$, indices modulo $n$, no "
            "denominator 0.",
            shapiro,
            LONG,
            NONNEGATIVE,
            exact_only=True,
        ),
        4,
        "true for n at most 13",
        lambda: arrays(LONG, a=[0, 42, 2, 42, 4, 41, 5, 39, 4, 38, 2, 38, 0, 40]),
    ),
    Planted(
        lemma(
            "false.pell",
            Kind.IDENTITY,
            r"$x^2\ne13y^2+1$ for $1\le x,y\le1000$.",
            where_false(pell),
            PAIR,
            exact_only=True,
        ),
        4,
        "one pair of a million",
        lambda: arrays(PAIR, x=649, y=180),
    ),
    Planted(
        lemma(
            "false.fermat",
            Kind.IDENTITY,
            r"If $n$ divides $2^n-2$ then $n$ is prime ($2\le n\le1000$).",
            where_false(fermat),
            WHOLE,
            exact_only=True,
        ),
        4,
        "the converse; three numbers of a thousand",
        lambda: arrays(WHOLE, n=341),
    ),
    Planted(
        lemma(
            "false.independent",
            Kind.IDENTITY,
            r"Examples of which each two are independent are independent: the rank is "
            r"$\min(n,d)$.",
            where_false(independent),
            EXAMPLES,
            PAIRWISE,
            at_least("coordinate", 3),
            exact_only=True,
        ),
        4,
        "true for two examples",
        lambda: arrays(EXAMPLES, X=[[1, 0, 0], [0, 1, 0], [1, 1, 0]]),
    ),
    Planted(
        lemma(
            "false.signs-settle",
            Kind.IDENTITY,
            r"If $w(t)/\lVert w(t)\rVert$ converges then each entry keeps its sign from some "
            "time on.",
            signs_settle,
            CURVES,
            as_hypothesis(CONVERGES_IN_DIRECTION, CURVES),
            exact_only=True,
        ),
        3,
        "a hypothesis is missing: the limit has no entry 0",
        lambda: arrays(CURVES, p=[[0, 1], [1, 0]], q=[[0, 1], [-1, 0]]),
    ),
)
