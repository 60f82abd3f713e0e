"""Example 9: what the step does on average to a matrix with one large and d - 1 small eigenvalues.

Unit diagonal, rows of one norm and d - 1 equal eigenvalues e say M = D (e I + (1 - e) 1 1^T) D with
signs D, so the spectrum decides; e = s gamma^2, printed is s = 1. The entries of W are i.i.d. For
weights in [-B, B] all means here are power series in gamma, and their first terms decide for small
gamma. With E|M_+|_F^2 - |M|_F^2 = c_3 gamma^3 + c_4 gamma^4 + ... and h_ij = 1 - [M_+]_ij^2:

h = gamma^2 (2 s + gamma h' + gamma^2 h'' + ...), as M without weights has 2 s gamma^2 - s^2
gamma^4. The leading eigenvalue is an analytic function of h at 0, d - sum h/(2d) + a quadratic form
+ ..., and that form is 4 s^2 gamma^4 of one value before and after the step; so E[lambda_+]_1 -
lambda_1 = (c_3 gamma^3 + c_4 gamma^4)/(2d) + ..., and E[lambda_+^2]_1 - lambda_1^2 = c_3 gamma^3 +
c_4 gamma^4 + .... The upper bounds hold without expansions, see `eigenvalue_steps`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, partial
from random import Random
from typing import Any

from graphs.normalised.equal_correlations import (
    GENERATORS,
    at_equal_correlations,
    correlation_ring,
    near_one_facts,
)
from graphs.normalised.index_sums import over_distinct
from graphs.normalised.series import mean_coefficients, remainder_facts
from graphs.rings import Polynomial
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.normalised_pool import with_entries
from verify.normalised_scene import Chained, ChainScene, as_chain
from verify.papers.dkbhl20.example9 import PRINTED_SPECTRUM, WIDTH, value_at
from verify.papers.dkbhl20.increment_moments import EVERY_WIDTH, Pairs
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.symbols import same, symbols
from verify.papers.dkbhl20.taylor_terms import BOUNDS
from verify.papers.dkbhl20.weight_laws import (
    BOUNDED,
    CENTRED,
    DENSITY,
    LAWS,
    SHIFTS,
    SYMMETRIC_WEIGHTS,
    UNIT_VARIANCE,
    weights_of,
    whole,
)
from verify.papers.j23.quantities import both_sides, each_case
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries

InWidth = Mapping[int, Fraction]  # a polynomial in d: coefficient by exponent
LEADING, SQUARES, LEAST = 3, 5, 6
"""Constants c of reading A: of gamma^4 d in (b) and (h), of gamma^4 d^2 in (81) and (80)."""


# the expansion ------------------------------------------------------------------------------------
@cache
def slope(order: int) -> Polynomial:
    """The derivative at c = 1, still with c, of the coefficient of gamma^order of E|M_+|_F^2."""
    sums = over_distinct(mean_coefficients(2)[order])
    ring = correlation_ring()
    return ring.derivative(at_equal_correlations(sums), GENERATORS.index("c"))


def coefficient(order: int, s: Fraction, first: Fraction, second: Fraction) -> InWidth:
    """c_3 or c_4 (order 3 or 4) for weights of these moments: 1 - c = s gamma^2 times the slope of
    the coefficient two orders below; those at c = 1 are 0, as rank one is kept."""
    found: dict[int, Fraction] = {}
    known = {"m1": first, "m2": second}
    for exponents, number in correlation_ring().terms(slope(order - 2)).items():
        term, at = -s * number, dict(zip(GENERATORS, exponents, strict=True))
        for name, value in known.items():
            term *= value ** at[name]
        found[at["d"]] = found.get(at["d"], Fraction(0)) + term
    return {exponent: number for exponent, number in found.items() if number}


def expansion(case: Tensors) -> tuple[InWidth, InWidth]:
    """c_3 and c_4 of an instance."""
    _, first, second, *_ = weights_of(case).moments
    third, fourth = (coefficient(n, case.number("s"), first, second) for n in (3, 4))
    return third, fourth


# measures -----------------------------------------------------------------------------------------
Rule = Callable[[Fraction, Fraction], Fraction]  # of d and c_4


def _by_leading_term(scene: ChainScene, rule: Rule) -> Entries:
    """-c_3 where it is not 0, else the rule."""

    def pairs(case: Tensors) -> Pairs:
        width = case.whole("d")
        third, fourth = (value_at(part, width) for part in expansion(case))
        return [({}, -third if third else rule(Fraction(width), fourth))]

    return each_case(pairs, scene)


def norm_falls(scene: ChainScene) -> Entries:
    """-c_4 - d^2, (a): above 0 exactly where the inequality holds for every small gamma.

    No case that meets the hypotheses has 0."""
    return _by_leading_term(scene, lambda d, fourth: -fourth - d**2)


def leading_falls(scene: ChainScene) -> Entries:
    """-c_4/(2d) - 3d, (b) and the second inequality of (82), reading A."""
    return _by_leading_term(scene, lambda d, fourth: -fourth / (2 * d) - LEADING * d)


def squares_fall(scene: ChainScene) -> Entries:
    """-c_4 - 6 d^2, (80), reading A."""
    return _by_leading_term(scene, lambda d, fourth: -fourth - LEAST * d**2)


def leading_square_falls(scene: ChainScene) -> Entries:
    """-5 d^2 - (c_4 + d), the end of (81), reading A."""
    return _by_leading_term(scene, lambda d, fourth: -SQUARES * d**2 - (fourth + d))


def leading_is_under(scene: ChainScene) -> Entries:
    """d - c_4/(2d), reading B of (82) with C = 1."""
    return _by_leading_term(scene, lambda d, fourth: d - fourth / (2 * d))


def leading_square_is_under(scene: ChainScene) -> Entries:
    """d^2 - c_4, reading B of (81) with C = 1."""
    return _by_leading_term(scene, lambda d, fourth: d**2 - fourth)


def is_of_order(scene: ChainScene, *, power: int, over: int) -> Entries:
    """The power minus the degree in d of c_4 / d^over, reading B: at least 0 exactly where some C
    bounds it by C d^power for every d; and -|c_3|."""

    def sides(case: Tensors) -> list[tuple[dict[str, Any], Fraction, Fraction]]:
        third, fourth = expansion(case)
        degree, lost = max(fourth, default=over) - over, value_at(third, case.whole("d"))
        return [
            ({"part": "order 3"}, Fraction(0), abs(lost)),
            ({"part": "order 4"}, Fraction(power), Fraction(degree)),
        ]

    return both_sides(sides, scene)


def small_ones_grow(scene: ChainScene) -> Entries:
    """-c_4/(2d), by how much the small eigenvalues grow together, as the trace stays: one of them
    grows where it is above 0. Where it is not, nothing is said, but for d = 1: there is none."""

    def pairs(case: Tensors) -> Pairs:
        width = case.whole("d")
        if width == 1:
            return [({}, Fraction(-1))]
        third, fourth = (value_at(part, width) for part in expansion(case))
        grown = -third if third else -fourth / (2 * width)
        return [({}, grown)] if grown > 0 else []

    return each_case(pairs, scene)


# instances ----------------------------------------------------------------------------------------
def _menu(case: Tensors, random: Random) -> Chained:
    made = as_chain(case, random)
    if random.random() < 0.6:
        made = with_entries(made, "s", [Fraction(1)])
    if random.random() < 0.7:
        made = made.changing(shift=whole(0))
    return with_entries(made, "scale", [Fraction(1)]) if random.random() < 0.7 else made


POOL = TensorPool(
    (("s", ()), ("scale", ())),
    (("d", 1, 12), ("law", 0, len(LAWS) - 1), ("shift", min(SHIFTS), max(SHIFTS))),
    1,
    _menu,
)
HYPOTHESES = (
    WIDTH,
    PRINTED_SPECTRUM,
    CENTRED,
    UNIT_VARIANCE,
    SYMMETRIC_WEIGHTS,
    DENSITY,
    BOUNDED,
)
USED = (
    "d at least 2",
    "small eigenvalues gamma^2",
    "centred weights",
    "weights of variance one",
    "bounded weights",
)


# arguments ----------------------------------------------------------------------------------------
def _at_least(text: str, fourth: InWidth, added: InWidth, *, strict: bool = False) -> Step:
    """That minus c_4 plus a polynomial is at least 0 for d >= 2: its coefficients in d - 2 are."""
    shifted: dict[int, Fraction] = {}
    for part, sign in ((fourth, -1), (added, 1)):
        for exponent, number in part.items():
            for k in range(exponent + 1):
                shifted[k] = shifted.get(k, Fraction(0)) + sign * number * _choose(exponent, k)
    low = min(shifted.values(), default=Fraction(0))
    return Step(text, low >= 0 and (not strict or shifted.get(0, Fraction(0)) > 0))


def _choose(exponent: int, k: int) -> int:
    """The coefficient of x^k in (x + 2)^exponent."""
    found = [1]
    for _ in range(exponent):
        found = [2 * a + b for a, b in zip([*found, 0], [0, *found], strict=True)]
    return found[k]


def expansion_steps() -> tuple[InWidth, tuple[Step, ...]]:
    """c_3 = 0 and c_4 = -4 d (d - 1)(2d - 1) for every d, and the remainder."""
    third, fourth = (coefficient(n, Fraction(1), Fraction(0), Fraction(1)) for n in (3, 4))
    known = {3: Fraction(-8), 2: Fraction(12), 1: Fraction(-4)}
    return fourth, (
        Step("c_3 = 0", not third),
        Step("c_4 = -4 d (d - 1)(2 d - 1)", dict(fourth) == known),
        *(Step(*fact) for fact in (*remainder_facts(), *near_one_facts())),
    )


def eigenvalue_steps() -> tuple[Step, ...]:
    """With m = d - [lambda_+]_1, the sum of the small eigenvalues, |M_+|^2 >= f(m) = (d - m)^2 +
    m^2/(d - 1), with equality for M; f is convex with slope -2d or more, so E m - m_0 is at least
    the mean fall of |M|^2 over 2d, and E[lambda_+^2]_1 falls as much as |M|^2 does."""
    ring, (d, m, start, e) = symbols(4)
    one = ring.constant(Fraction(1))

    def f(x: Polynomial) -> Polynomial:  # times d - 1
        return (d - one) * (d - x) * (d - x) + x * x

    tangent = 2 * start - 2 * (d - one) * (d - start)  # f' times d - 1
    square = (m - start) * (m - start)
    small = (d - one) * e
    norm = d + d * (d - one) * (one - e) * (one - e)
    return (
        same(
            ring,
            "(d - 1)(f(m) - f(n) - f'(n)(m - n)) = d (m - n)^2",
            f(m) - f(start) - tangent * (m - start),
            d * square,
        ),
        same(
            ring,
            "f at (d - 1) e is |M|_F^2 = d + d (d - 1)(1 - e)^2",
            f(small),
            (d - one) * norm,
        ),
        same(
            ring,
            "(d - 1)(f'(n) + 2d) = 2 d n",
            tangent + 2 * d * (d - one),
            2 * d * start,
        ),
    )


FACTS = (
    EVERY_WIDTH,
    *BOUNDS,
    "the eigenvalues of a matrix sum to its trace, their squares to its squared Frobenius norm",
    "the mean of squares is at least the square of the mean",
)
BOUND = {
    "norm_falls": ("4 d (d - 1)(2 d - 1) > d^2", {2: Fraction(-1)}),
    "squares_fall": ("4 d (d - 1)(2 d - 1) >= 6 d^2", {2: Fraction(-LEAST)}),
    "leading_falls": ("4 d (d - 1)(2 d - 1) >= 6 d^2", {2: Fraction(-2 * LEADING)}),
    "leading_square_falls": (
        "4 d (d - 1)(2 d - 1) >= 5 d^2 + d",
        {2: Fraction(-SQUARES), 1: Fraction(-1)},
    ),
    "leading_is_under": ("4 d (d - 1)(2 d - 1) >= -2 d^2", {2: Fraction(2)}),
    "leading_square_is_under": ("4 d (d - 1)(2 d - 1) >= -d^2", {2: Fraction(1)}),
    "small_ones_grow": ("4 d (d - 1)(2 d - 1) > 0", {}),
}


def for_every_width(measure: str) -> Argument:
    """What the first terms say, for every d >= 2."""
    fourth, steps = expansion_steps()
    text, added = BOUND[measure]
    strict = measure in ("norm_falls", "small_ones_grow")
    last = _at_least(f"{text} for d >= 2", fourth, added, strict=strict)
    more = () if measure in ("norm_falls", "squares_fall") else eigenvalue_steps()
    return Argument(
        "E|M_+|_F^2 - |M|_F^2 = -4 d (d - 1)(2 d - 1) gamma^4 + O(gamma^5)"
        + ("; what the leading eigenvalue loses the small ones gain" if more else ""),
        (*steps, *more, last),
        FACTS,
        measure,
        USED,
    )


def cubic_in_width() -> Argument:
    """(80), reading B, with d^3."""
    fourth, steps = expansion_steps()
    return Argument(
        "c_4 is a cubic polynomial in d",
        (*steps, Step("its degree is 3", max(fourth) == 3)),
        FACTS,
        "is_of_order(power=3, over=0)",
        USED,
    )


# claims -------------------------------------------------------------------------------------------
AT_MOST, OF_SIZE = (
    r"$O(-x)$: at most $-cx$ for some $c>0$",
    r"$O(-x)$: of absolute value at most $Cx$",
)
SMALL = " (for every small $\\gamma$, by first terms in $\\gamma$; the entries of $W$ i.i.d.)"


def _claim(
    part: str,
    reference: str,
    title: str,
    statement: str,
    measure: Callable[[ChainScene], Entries],
    reading: str | None = None,
) -> Claim:
    mended = part.endswith(".fix")
    base = f"dkbhl20.ex9.{part.removesuffix('.fix')}" + (f"@{reading}" if reading else "")
    depends = ("dkbhl20.lem7",) if part[0] in "af" else ("dkbhl20.ex9.f@A",)
    name = getattr(measure, "__name__", "")
    if measure is CUBIC:
        proof: Callable[[], Argument] | None = cubic_in_width
    else:
        proof = partial(for_every_width, name) if name in BOUND else None
    return Claim(
        base + ".fix" * mended,
        Kind.INEQUALITY,
        printed(reference),
        title + ", repaired" * mended,
        statement + CONSTANTS.get(name, "") + SMALL + ".",
        HYPOTHESES,
        depends,
        measure,
        POOL,
        reading,
        {"A": AT_MOST, "B": OF_SIZE}[reading] if reading else None,
        repairs=base if mended else None,
        exact_only=True,
        proof=proof,
    )


CUBIC = partial(is_of_order, power=3, over=0)
LOSS = (
    r"In expectation the leading eigenvalue of $M_+$ is $O(-\gamma^4d{0})$ smaller than that of $M$"
)
FALL = r"$\sum_{i=1}^d\mathbb E[\lambda_+^2]_i-\lambda_i^2=O(-\gamma^4d^{0})$"
SQUARE = (
    r"$\max_i\mathbb E[\lambda_+^2]_i-\lambda_1^2\le O(-\gamma^4d^2)+\sum_{i=2}^d\lambda_i^2\le "
    r"O(-\gamma^4d^2)+\gamma^4d=O(-\gamma^4d^2)$"
)
ROOT = (
    r"$\mathbb E[[\lambda_+]_j]\le\sqrt{\mathbb E[[\lambda_+]_j^2]}\le\lambda_1-O(\gamma^4d)$, "
    r"$j=\arg\max_i\mathbb E[[\lambda_+]_i^2]$"
)
CONSTANTS = {
    "leading_falls": f", here with $c={LEADING}$",
    "squares_fall": f", here with $c={LEAST}$",
    "leading_square_falls": f", here with $c={SQUARES}$",
    "leading_is_under": ", here with $C=1$",
    "leading_square_is_under": ", here with $C=1$",
}
LARGEST, EIGHTY = "Example 9", "details of Example 9, eq. (80)"
LEADS, TOTAL = "the leading eigenvalue", "the mean change of the squares"

CLAIMS = (
    _claim(
        "a",
        LARGEST,
        "the norm falls",
        r"$\mathbb E_W\lVert M_+\rVert_F^2<\lVert M\rVert_F^2-\gamma^4d^2$",
        norm_falls,
    ),
    _claim("b", LARGEST, LEADS, LOSS.replace("{0}", ""), leading_falls, "A"),
    _claim(
        "b", LARGEST, LEADS, LOSS.replace("{0}", ""), partial(is_of_order, power=1, over=1), "B"
    ),
    _claim(
        "b.fix",
        LARGEST,
        LEADS,
        LOSS.replace("{0}", "^2"),
        partial(is_of_order, power=2, over=1),
        "B",
    ),
    _claim(
        "c",
        LARGEST,
        "small eigenvalues",
        r"In expectation some small eigenvalues of $M_+$ are greater than those of $M$",
        small_ones_grow,
    ),
    _claim("f", EIGHTY, TOTAL, FALL.replace("{0}", "2"), squares_fall, "A"),
    _claim(
        "f", EIGHTY, TOTAL, FALL.replace("{0}", "2"), partial(is_of_order, power=2, over=0), "B"
    ),
    _claim("f.fix", EIGHTY, TOTAL, FALL.replace("{0}", "3"), CUBIC, "B"),
    _claim("g", "details of Example 9, eq. (81)", LEADS, SQUARE, leading_square_falls, "A"),
    _claim("g", "details of Example 9, eq. (81)", LEADS, SQUARE, leading_square_is_under, "B"),
    _claim("h", "details of Example 9, eq. (82)", LEADS, ROOT, leading_falls, "A"),
    _claim("h", "details of Example 9, eq. (82)", LEADS, ROOT, leading_is_under, "B"),
)
