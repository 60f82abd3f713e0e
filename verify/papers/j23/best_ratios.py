"""The best ratio of depths in the proof of Proposition 14, and the sign of the second correction.

u and v stand for second corrections below and above a representation, p for its ratio.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

from verify.cases.tensors import Tensors
from verify.language.building import (
    Each,
    Number,
    Sum,
    Vector,
    When,
    Whole,
    dim,
    frob2,
    log,
    smaller,
    sqrt,
    upto,
)
from verify.language.proofs import Fact, Proof
from verify.language.terms import Term
from verify.papers.j23 import second_correction_proofs as arguments
from verify.papers.j23.free_expansions import PROOF
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem10_notation import PROPORTION, p
from verify.statements.quantities import with_entries, with_value
from verify.statements.stated import Given, pool_with, stated

u, v, M = Number("u"), Number("v"), Number("M")
s, t, e = Number("s"), Number("t"), Number("e")
x, values, L = Vector("x", "k"), Vector("s", "k"), Whole("L", 1, 8)


def split(one: Term, other: Term, ratio: Term) -> Term:
    """u / p + v / (1 - p)."""
    return one / ratio + other / (1 - ratio)


# hypotheses ---------------------------------------------------------------------------------------
def _absolute(case: Tensors, random: Random, names: str = "uv") -> Tensors:
    for name in names:
        case = with_value(case, name, abs(case.number(name)))
    return case


def _one_below(case: Tensors, random: Random) -> Tensors:
    name = random.choice("uv")
    return with_value(case, name, -abs(case.number(name)) or Fraction(-1))


def _both_above(case: Tensors, random: Random) -> Tensors:
    for name in "uv":
        case = with_value(case, name, abs(case.number(name)) or Fraction(1))
    return case


def _one_zero(case: Tensors, random: Random) -> Tensors:
    return with_value(_both_above(case, random), random.choice("uv"), 0)


NONNEGATIVE = Given(
    "both at least 0",
    (u >= 0) & (v >= 0),
    r"$u=R^{(2)}(K_p)\ge0$, $v=R^{(2)}(K_p\to f)\ge0$",
    _absolute,
    _one_below,
)
SAME_ZEROS = Given(
    "both above 0 or both 0",
    ((u > 0) & (v > 0)) | ((u == 0) & (v == 0)),
    r"$u,v>0$ or $u=v=0$",
    _both_above,
    _one_zero,
)
ONE_NEGATIVE = Given(
    "one or both negative",
    (u < 0) | (v < 0),
    r"$u=R^{(2)}(K_p)<0$ or $v=R^{(2)}(K_p\to f)<0$",
    _one_below,
    _absolute,
)


def _to_minimum(case: Tensors, random: Random) -> Tensors:
    if not 0 < case.number("p") < 1:
        case = with_value(case, "p", Fraction(random.randint(1, 19), 20))
    p, size = case.number("p"), abs(case.number("u"))
    return with_value(with_value(case, "u", size), "v", size * (1 - p) ** 2 / p**2)


MINIMISES = Given(
    "the ratio is the best one",
    (v * p**2 == u * (1 - p) ** 2) & (u * (1 - p) + v * p >= 0),
    r"$p$ minimises $\frac uq+\frac v{1-q}$ over $q\in(0,1)$",
    _to_minimum,
    _one_below,
)
"""Of p inside (0, 1): u / q + v / (1 - q) less its value at p is, times p q (1 - p)(1 - q), (q - p)
times q (u (1 - p) + v p) - u (1 - p); that is at least 0 for all q if the second factor is 0 at p
and does not fall."""
ROOTS = Given(
    "s, t at least 0",
    (s >= 0) & (t >= 0),
    r"$R^{(2)}(f),R^{(2)}(g)\ge0$: squares of $s,t\ge0$",
    partial(_absolute, names="st"),
)
GAP = Given(
    "e above 0",
    e > 0,
    "$e>0$",
    lambda case, random: with_value(case, "e", abs(case.number("e")) or 1),
)
SIZES = Given(
    "sizes above 0",
    Each(upto(dim(values)), lambda i: values[i] > 0),
    "$s_i>0$",
    lambda case, random: with_entries(
        case, "s", [abs(entry) or Fraction(1) for entry in case.arrays["s"].entries]
    ),
)


# what is said -------------------------------------------------------------------------------------
BEST_AT = When((u == 0) & (v == 0), Fraction(1, 2), sqrt(u) / (sqrt(u) + sqrt(v)))
INSIDE = (BEST_AT > 0) & (BEST_AT < 1)
ONLY_THERE = (
    r"for $u,v\ge0$ the sum is convex in $p$, and least at $\sqrt u/(\sqrt u+\sqrt v)$ alone, or, "
    "where both are 0, everywhere (docs/mathematics/j23.md#the-best-ratio)"
)


def near() -> Term:
    """A ratio near the end where a negative number is divided by 0."""

    def from_end(negative: Term, other: Term) -> Term:
        return smaller(Fraction(1, 2), abs(negative) / (abs(M) + 2 * abs(other) + 1))

    return When(u < 0, from_end(u, v), 1 - from_end(v, u))


def correction(share: Any) -> Term:
    """R^(2) of the linear map with singular values e^(share x): sum (2 share x)^2 / 2."""
    return frob2(2 * (share * x)) / 2


WHOLE = correction(1)
LINEAR = (split(correction(p), correction(1 - p), p) == WHOLE) & (
    correction(1 - p) * p**2 == correction(p) * (1 - p) ** 2
)
LEAST, SMALL = (s + t) ** 2, e / (2 * (s + t) + 1)
BEST = (split(t**2, s**2, p) >= LEAST) & (
    split(t**2, s**2, (t + SMALL) / (s + t + 2 * SMALL)) <= LEAST + e
)
AT_EVERY_DEPTH = (
    L * Sum(upto(dim(values)), lambda i: values[i] ** (2 / L))
    - L * dim(values)
    - 2 * Sum(upto(dim(values)), lambda i: log(values[i]))
    >= 0
)


# proofs -------------------------------------------------------------------------------------------
def inverses(proof: Proof) -> list[Fact]:
    """p > 0, p (1/p) = 1, and likewise of 1 - p."""
    inside = proof.given["proportion"]
    divided = [term for term in proof.goal.args[0].args if term.op == "div"]
    found: list[Fact] = []
    for at, term in enumerate(divided):
        above, number = proof.part(inside, at), term.args[1]
        positive = proof.algebra(number > 0, {above: 1})
        (nonzero,) = proof.lemma("divisor", proof.defined(term), a=term.args[0], b=number)
        found += [positive, *proof.lemma("reciprocal", nonzero, b=number)]
    return found


P, Q = 1 / p, 1 / (1 - p)


def sum_at_least_0(proof: Proof) -> None:
    """Both summands are products of numbers at least 0."""
    above, one, below, other = inverses(proof)
    first, second = (proof.part(proof.given["both at least 0"], k) for k in (0, 1))
    squares = [(1, P, first, above), (1, Q, second, below)]
    proof.algebra(proof.goal, {one: -u * P, other: -v * Q}, squares)


def sign_at_the_best_ratio(proof: Proof) -> None:
    """u / p + v / (1 - p) is (u (1 - p) + v p) / (p (1 - p))."""
    above, one, below, other = inverses(proof)
    least = proof.part(proof.given[MINIMISES.name], 1)
    a, b = p * P, (1 - p) * Q
    proof.algebra(
        proof.goal,
        {one: -u * P - v * Q * b * (1 + a), other: -v * Q - u * P * a * (1 + b)},
        [(1, P * Q, least, above, below)],
    )


def split_of_linear_maps(proof: Proof) -> None:
    """p^2 / p + (1 - p)^2 / (1 - p) = 1."""
    _, one, _, other = inverses(proof)
    proof.algebra(proof.goal, {one: 2 * p * frob2(x), other: 2 * (1 - p) * frob2(x)})


# claims -------------------------------------------------------------------------------------------
SPLIT = (
    r"With $u=R^{(2)}(K_p;\Omega)$, $v=R^{(2)}(K_p\to f;\Omega)$ and $R^{(2)}(f;\Omega)="
    r"\frac up+\frac v{1-p}$, $p\in(0,1)$ the ratio of the limiting representation, which must "
    r"minimise the right side: "
)
RATIO = printed(f"{PROOF}, after (1)")
AT_RATIO = "the limit is $K_p$ at a ratio $p$"


RATIOS = (
    stated(
        "j23.prop4.ratio.attained",
        RATIO,
        "the best ratio lies inside",
        r"If $u$ and $v$ are non-negative, the minimum of $\frac up+\frac v{1-p}$ is attained at "
        r"some $p\in(0,1)$.",
        INSIDE,
        (NONNEGATIVE,),
        through=ONLY_THERE,
        why=r"Where one of $R^{(2)}(K_p)$ and $R^{(2)}(K_p\to f)$ is $0$ and the other is not, the "
        r"right side has no minimum inside: it falls towards one end.",
        exact_only=True,
    ),
    stated(
        "j23.prop4.ratio.attained.fix",
        RATIO,
        "the best ratio lies inside, repaired",
        r"If $u,v>0$ or $u=v=0$, the minimum of $\frac up+\frac v{1-p}$ is attained at "
        r"some $p\in(0,1)$.",
        INSIDE,
        (NONNEGATIVE, SAME_ZEROS),
        through=ONLY_THERE,
        repairs="j23.prop4.ratio.attained",
        proof=arguments.attained,
        exact_only=True,
    ),
    stated(
        "j23.prop4.ratio.value",
        RATIO,
        "two summands that are not negative",
        SPLIT + r"if $u,v\ge0$, then $R^{(2)}(f;\Omega)\ge0$.",
        split(u, v, p) >= 0,
        (NONNEGATIVE, PROPORTION),
        proofs=[sum_at_least_0],
        exact_only=True,
    ),
    stated(
        "j23.prop4.ratio.negative",
        RATIO,
        "one negative summand: no ratio inside is best",
        r"If $u$ or $v$ is negative, the right side is minimised at $p\in\{0,1\}$: near one of "
        r"these it lies below $-|M|$ for every $M$.",
        split(u, v, near()) <= -abs(M),
        (ONE_NEGATIVE,),
        proof=arguments.below_every_bound,
        exact_only=True,
    ),
    stated(
        "j23.prop4.ratio.linear",
        RATIO,
        "the second correction split at a ratio, linear maps",
        r"For $f(x)=US V^Tx$ with $K_p(x,y)=x^TVS^{2p}V^Ty$: $R^{(2)}(f)=\frac1pR^{(2)}(K_p)+"
        r"\frac1{1-p}R^{(2)}(K_p\to f)$, where $R^{(2)}=\frac12\lVert\log_+\cdot\rVert_F^2$, and "
        r"the derivative of the right side in its ratio vanishes at $p$. "
        r"($S=\mathrm{diag}(e^{x_i})$.)",
        LINEAR,
        (PROPORTION,),
        depends=("j23.linexp.b",),
        proofs=[split_of_linear_maps, lambda proof: proof.algebra(proof.goal, {})],
        through="of linear maps the second corrections are those of the closed form of the cost "
        "(docs/mathematics/j23.md#linear-maps)",
        exact_only=True,
    ),
    stated(
        "j23.prop4.1.best",
        printed(f"{PROOF}, (1)"),
        "the right side of (1) at its best ratio",
        r"For $R^{(2)}(f)=s^2$, $R^{(2)}(g)=t^2$ with $s,t\ge0$: the infimum over $p\in(0,1)$ of "
        r"$\frac{s^2}{1-p}+\frac{t^2}p$ is $(s+t)^2$: no value is below, and for every $e>0$ one "
        r"is at most $(s+t)^2+e$.",
        BEST,
        (ROOTS, GAP, PROPORTION),
        proof=arguments.best_ratio,
        exact_only=True,
    ),
)
SIGNS = (
    stated(
        "j23.prop4.0.deduced@B",
        printed("proof of Proposition 14, after (1)"),
        "sign of the second correction, from the best ratio",
        SPLIT + r"then $R^{(2)}(f;\Omega)\ge0$.",
        split(u, v, p) >= 0,
        (PROPORTION, MINIMISES),
        depends=("j23.prop4.ratio.value",),
        reading="B",
        reading_text=AT_RATIO,
        proofs=[sign_at_the_best_ratio],
        exact_only=True,
    ),
    stated(
        "j23.prop4.0.explicit@B",
        printed("Proposition 4 (Proposition 14), first sentence"),
        "sign of the second correction, where the cost is known",
        r"If the limiting representation exists, $R^{(2)}(f)\ge0$: where $R(f;\Omega,L)="
        r"L\sum_{i\le k}s_i^{2/L}$ (linear maps on domains as in part 3 and their singular values; "
        r"$x\mapsto(c_i\sigma(x_i))_i$ on boxes $[-1,1]^d$ with the ReLU, $s_i=|c_i|$), "
        r"$R(f;\Omega,L)-LR^{(0)}(f)-R^{(1)}(f)\ge0$ at every $L$, so the limit of $L$ times this "
        r"is at least $0$.",
        AT_EVERY_DEPTH,
        (SIZES,),
        pool=pool_with(values, L, largest=3),
        reading="B",
        reading_text=AT_RATIO,
        through="a sign at every depth passes to the limit, of the functions whose cost is known "
        "at every depth (docs/mathematics/j23.md#the-operations)",
        exact_only=True,
    ),
)

CLAIMS = (*SIGNS, *RATIOS)
