"""The best ratio of depths in the proof of Proposition 14, and the sign of the second correction.

u and v stand for second corrections below and above a representation, p for its ratio.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from graphs import reals
from graphs.arithmetic import rational
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.papers.j23 import second_correction_proofs as proofs
from verify.papers.j23.free_expansions import PROOF, number_pool, value
from verify.papers.j23.rows import exact
from verify.papers.j23.sources import printed
from verify.quantities import PROPORTION, relation, with_value
from verify.real_arrays import as_real
from verify.sides import Side, by_numbers
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors


def split(u: Any, v: Any, p: Any) -> Any:
    """u / p + v / (1 - p)."""
    return u / p + v / (1 - p)


def _signs(test: Any, title: str, statement: str, *changes: Any) -> Hypothesis:
    return Hypothesis(
        title, statement, by_case(lambda c: test(c.number("u"), c.number("v"))), *changes
    )


def _absolute(case: Tensors, random: Random) -> Tensors:
    return with_value(with_value(case, "u", abs(case.number("u"))), "v", abs(case.number("v")))


def _one_below(case: Tensors, random: Random) -> Tensors:
    name = random.choice("uv")
    return with_value(case, name, -abs(case.number(name)) or Fraction(-1))


def _one_zero(case: Tensors, random: Random) -> Tensors:
    case = _both_above(case, random)
    return with_value(case, random.choice("uv"), 0)


def _both_above(case: Tensors, random: Random) -> Tensors:
    for name in "uv":
        case = with_value(case, name, abs(case.number(name)) or Fraction(1))
    return case


NONNEGATIVE = _signs(
    lambda u, v: u >= 0 and v >= 0,
    "both at least 0",
    r"$u=R^{(2)}(K_p)\ge0$, $v=R^{(2)}(K_p\to f)\ge0$",
    _absolute,
    _one_below,
)
SAME_ZEROS = _signs(
    lambda u, v: (u > 0 and v > 0) or u == v == 0,
    "both above 0 or both 0",
    r"$u,v>0$ or $u=v=0$",
    _both_above,
    _one_zero,
)
ONE_NEGATIVE = _signs(
    lambda u, v: u < 0 or v < 0,
    "one or both negative",
    r"$u=R^{(2)}(K_p)<0$ or $v=R^{(2)}(K_p\to f)<0$",
    _one_below,
    _absolute,
)


def attained(case: Tensors) -> Iterator[Side]:
    """0 where the minimum over (0, 1) is attained, else 1: for u, v >= 0 the function is convex
    there, and its derivative has the sign of v p^2 - u (1 - p)^2, which is -u at 0 and v at 1."""
    start, end = -value(case, "u"), value(case, "v")
    vanishes = start == 0 and end == 0
    yield {}, rational(int(not (vanishes or (start < 0 < end)))), rational(0)


def split_slack(case: Tensors) -> Iterator[Side]:
    """u / p + v / (1 - p)."""
    p = value(case, "p")
    if p not in (0, 1):
        yield {}, split(value(case, "u"), value(case, "v"), p), rational(0)


def below_every_bound(case: Tensors) -> Iterator[Side]:
    """-|M| - (u / p + v / (1 - p)) at a p near the end where the negative one is divided by 0."""
    u, v, size = value(case, "u"), value(case, "v"), abs(value(case, "M"))
    negative, other = (u, v) if u < 0 else (v, u)
    near = min(rational(Fraction(1, 2)), abs(negative) / (size + 2 * abs(other) + 1))
    if near > 0:
        p = near if u < 0 else 1 - near
        yield {}, -size, split(u, v, p)


def _minimises(case: Tensors) -> bool:
    """u / q + v / (1 - q) less its value at p is, times p q (1 - p)(1 - q), (q - p) times
    q (u (1 - p) + v p) - u (1 - p); that is at least 0 for all q if the second factor is 0 at p
    and does not fall."""
    u, v, p = (case.number(name) for name in "uvp")
    return 0 < p < 1 and v * p**2 == u * (1 - p) ** 2 and u * (1 - p) + v * p >= 0


def _to_minimum(case: Tensors, random: Random) -> Tensors:
    p = case.number("p")
    if not 0 < p < 1:
        case = PROPORTION.repair(case, random)
        p = case.number("p")
    u = abs(case.number("u"))
    return with_value(with_value(case, "u", u), "v", u * (1 - p) ** 2 / p**2)


MINIMISES = relation(
    "the ratio is the best one",
    r"$p$ minimises $\frac uq+\frac v{1-q}$ over $q\in(0,1)$",
    _minimises,
    _to_minimum,
    lambda case, random: _one_below(case, random),
)
SPLIT = (
    r"With $u=R^{(2)}(K_p;\Omega)$, $v=R^{(2)}(K_p\to f;\Omega)$ and $R^{(2)}(f;\Omega)="
    r"\frac up+\frac v{1-p}$, $p\in(0,1)$ the ratio of the limiting representation, which must "
    r"minimise the right side: "
)
RATIO = printed(f"{PROOF}, after (1)")

ATTAINED = Claim(
    "j23.prop4.ratio.attained",
    Kind.IDENTITY,
    RATIO,
    "the best ratio lies inside",
    r"If $u$ and $v$ are non-negative, the minimum of $\frac up+\frac v{1-p}$ is attained at some "
    r"$p\in(0,1)$.",
    (NONNEGATIVE,),
    measure=by_numbers(attained),
    pool=number_pool("u", "v"),
    exact_only=True,
    why=r"Where one of $R^{(2)}(K_p)$ and $R^{(2)}(K_p\to f)$ is $0$ and the other is not, the "
    r"right side has no minimum inside: it falls towards one end.",
)
RATIOS = (
    ATTAINED,
    replace(
        ATTAINED,
        id="j23.prop4.ratio.attained.fix",
        title="the best ratio lies inside, repaired",
        statement=r"If $u,v>0$ or $u=v=0$, the minimum of $\frac up+\frac v{1-p}$ is attained at "
        r"some $p\in(0,1)$.",
        hypotheses=(NONNEGATIVE, SAME_ZEROS),
        repairs=ATTAINED.id,
        why="",
        proof=proofs.attained,
    ),
    Claim(
        "j23.prop4.ratio.value",
        Kind.INEQUALITY,
        RATIO,
        "two summands that are not negative",
        SPLIT + r"if $u,v\ge0$, then $R^{(2)}(f;\Omega)\ge0$.",
        (NONNEGATIVE, PROPORTION),
        measure=by_numbers(split_slack),
        pool=number_pool("u", "v", "p"),
        exact_only=True,
        proof=proofs.sum_at_least_0,
    ),
    Claim(
        "j23.prop4.ratio.negative",
        Kind.INEQUALITY,
        RATIO,
        "one negative summand: no ratio inside is best",
        r"If $u$ or $v$ is negative, the right side is minimised at $p\in\{0,1\}$: near one of "
        r"these it lies below $-|M|$ for every $M$.",
        (ONE_NEGATIVE,),
        measure=by_numbers(below_every_bound),
        pool=number_pool("u", "v", "M"),
        exact_only=True,
        proof=proofs.below_every_bound,
    ),
)


def linear_split(case: Tensors) -> Iterator[Side]:
    """For singular values e^x: R^(2)(K_p) = sum (2 p x)^2 / 2 and so on, in the display, and the
    numerator of the derivative at p."""
    p = value(case, "p")
    if p in (0, 1):
        return
    logs = 2 * exact(case, "x")
    half = rational(Fraction(1, 2))
    u, v, whole = (((share * logs) ** 2).sum() * half for share in (p, 1 - p, rational(1)))
    yield {"part": "display"}, split(u, v, p), whole
    yield {"part": "derivative"}, v * p**2, u * (1 - p) ** 2


LINEAR_SPLIT = Claim(
    "j23.prop4.ratio.linear",
    Kind.IDENTITY,
    RATIO,
    "the second correction split at a ratio, linear maps",
    r"For $f(x)=US V^Tx$ with $K_p(x,y)=x^TVS^{2p}V^Ty$: $R^{(2)}(f)=\frac1pR^{(2)}(K_p)+"
    r"\frac1{1-p}R^{(2)}(K_p\to f)$, where $R^{(2)}=\frac12\lVert\log_+\cdot\rVert_F^2$, and the "
    r"derivative of the right side in its ratio vanishes at $p$. ($S=\mathrm{diag}(e^{x_i})$.)",
    (PROPORTION,),
    ("j23.linexp.b",),
    measure=by_numbers(linear_split),
    pool=TensorPool((("x", ("k",)), ("p", ())), largest=4, adapt=as_real),
    exact_only=True,
    proof=proofs.linear_split,
    through="of linear maps the second corrections are those of the closed form of the cost "
    "(docs/mathematics.md, 29)",
)


# composing roots ----------------------------------------------------------------------------------
def best_ratio(case: Tensors) -> Iterator[Side]:
    """s^2 / (1 - p) + t^2 / p - (s + t)^2, and (s + t)^2 + e minus its value at some p."""
    s, t, p, gap = (value(case, name) for name in "stpe")
    if p in (0, 1) or min(s, t) < 0 or gap <= 0:
        return
    least = (s + t) ** 2
    yield {"part": "below"}, split(t * t, s * s, p), least
    small = gap / (2 * (s + t) + 1)
    near = (t + small) / (s + t + 2 * small)
    yield {"part": "reached"}, least + gap, split(t * t, s * s, near)


BEST = Claim(
    "j23.prop4.1.best",
    Kind.INEQUALITY,
    printed(f"{PROOF}, (1)"),
    "the right side of (1) at its best ratio",
    r"For $R^{(2)}(f)=s^2$, $R^{(2)}(g)=t^2$ with $s,t\ge0$: the infimum over $p\in(0,1)$ of "
    r"$\frac{s^2}{1-p}+\frac{t^2}p$ is $(s+t)^2$: no value is below, and for every $e>0$ one is at "
    r"most $(s+t)^2+e$.",
    (
        Hypothesis(
            "s, t at least 0",
            r"$R^{(2)}(f),R^{(2)}(g)\ge0$: squares of $s,t\ge0$",
            by_case(lambda case: min(case.number("s"), case.number("t")) >= 0),
            lambda case, random: with_value(
                with_value(case, "s", abs(case.number("s"))), "t", abs(case.number("t"))
            ),
        ),
        Hypothesis(
            "e above 0",
            "$e>0$",
            by_case(lambda case: case.number("e") > 0),
            lambda case, random: with_value(case, "e", abs(case.number("e")) or 1),
        ),
        PROPORTION,
    ),
    measure=by_numbers(best_ratio),
    pool=number_pool("s", "t", "p", "e"),
    exact_only=True,
    proof=proofs.best_ratio,
)


# the sign -----------------------------------------------------------------------------------------
def sign_of_second(case: Tensors) -> Iterator[Side]:
    """L (L sum_i s_i^(2/L) - L k - 2 sum_i log s_i), whose limit is R^(2)."""
    depth, values = case.whole("L"), exact(case, "s")
    if depth < 1 or min(values) <= 0:
        return
    powers = sum((reals.power(s * s, Fraction(1, depth)) for s in values), rational(0))
    product = rational(1)
    for s in values:
        product = product * s * s
    yield {}, powers * depth, reals.log(product) + len(values) * depth


SIZES = Hypothesis(
    "sizes above 0",
    "$s_i>0$",
    by_case(lambda case: all(entry > 0 for entry in case.arrays["s"].entries)),
    lambda case, random: case.changing(
        s=replace(
            case.arrays["s"],
            entries=tuple(abs(entry) or Fraction(1) for entry in case.arrays["s"].entries),
        )
    ),
)
SIGNS = (
    Claim(
        "j23.prop4.0.deduced@B",
        Kind.INEQUALITY,
        printed("proof of Proposition 14, after (1)"),
        "sign of the second correction, from the best ratio",
        SPLIT + r"then $R^{(2)}(f;\Omega)\ge0$.",
        (PROPORTION, MINIMISES),
        ("j23.prop4.ratio.value",),
        measure=by_numbers(split_slack),
        pool=number_pool("u", "v", "p"),
        reading="B",
        reading_text="the limit is $K_p$ at a ratio $p$",
        exact_only=True,
        proof=proofs.sign_at_the_best_ratio,
    ),
    Claim(
        "j23.prop4.0.explicit@B",
        Kind.INEQUALITY,
        printed("Proposition 4 (Proposition 14), first sentence"),
        "sign of the second correction, where the cost is known",
        r"If the limiting representation exists, $R^{(2)}(f)\ge0$: where $R(f;\Omega,L)="
        r"L\sum_{i\le k}s_i^{2/L}$ (linear maps on domains as in part 3 and their singular values; "
        r"$x\mapsto(c_i\sigma(x_i))_i$ on boxes $[-1,1]^d$ with the ReLU, $s_i=|c_i|$), "
        r"$R(f;\Omega,L)-LR^{(0)}(f)-R^{(1)}(f)\ge0$ at every $L$, so the limit of $L$ times this "
        r"is at least $0$.",
        (SIZES,),
        measure=by_numbers(sign_of_second),
        pool=TensorPool((("s", ("k",)),), integers=(("L", 1, 8),), largest=3, adapt=as_real),
        reading="B",
        reading_text="the limit is $K_p$ at a ratio $p$",
        exact_only=True,
        through="a sign at every depth passes to the limit, of the functions whose cost is known "
        "at every depth (docs/mathematics.md, 29)",
    ),
)

CLAIMS = (*SIGNS, *RATIOS, LINEAR_SPLIT, BEST)
