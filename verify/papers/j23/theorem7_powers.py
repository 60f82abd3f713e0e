"""The proof of Theorem 16 (Theorem 7), last lines of the aligned display: powers, exponentials."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from verify.cases.tensors import Tensors
from verify.core.claim import Claim
from verify.language.building import Number, Whole, exp, implies, smaller
from verify.language.terms import Term
from verify.papers.j23.network_notation import (
    C1,
    DEPTH,
    NORM_BOUND,
    Index,
    K,
    jacobian_square,
)
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem7_determinants import carried_square, lower_square
from verify.papers.j23.theorem7_notation import root
from verify.papers.j23.theorem7_steps import CHAIN, PROOF, WITH_C1, by_layer, step_claim
from verify.statements.quantities import with_entries
from verify.statements.stated import Given, pool_with, stated

# powers and exponentials --------------------------------------------------------------------------
BASE = 1 + C1 / DEPTH
MENDED_BASE = 1 + C1 / (K * DEPTH)


def numerator(x: Index) -> Term:
    """k |Jf|_+^(2/k)."""
    return K * root(jacobian_square(x))


def decayed(m: Index, x: Index) -> Term:
    """k |Jf|_+^(2/k) exp(-(l / L) (c_1 / k))."""
    return numerator(x) * exp(-(m / DEPTH) * (C1 / K))


def _power_of_base(m: Term, x: Term) -> Term:
    quotient = numerator(x) / root(lower_square(m, x))
    return implies(C1 > -DEPTH, quotient >= numerator(x) / BASE**m)


def _base_by_exponential(m: Term, x: Term) -> Term:
    return implies(C1 > -DEPTH, numerator(x) / BASE**m >= decayed(m, x))


def _exponential_by_least(m: Term, x: Term) -> Term:
    return decayed(m, x) >= numerator(x) * smaller(1, exp(-C1 / K))


def _power_mended(m: Term, x: Term) -> Term:
    return numerator(x) / root(carried_square(m, x)) >= numerator(x) / MENDED_BASE**m


# in numbers ---------------------------------------------------------------------------------------
C, RANK, LAYER, LAST = Number("c"), Whole("k", 1, 100), Whole("l", 1, 100), Whole("L", 1, 100)
POWER, EXPONENTIAL = (1 + C / (RANK * LAST)) ** -LAYER, exp(-(LAYER / LAST) * (C / RANK))


def _of_all_sizes(case: Tensors, random: Random) -> Tensors:
    """c_1 from far below 0 to far above; often few layers."""
    if random.random() < 0.5:
        size = random.choice((1, 10, case.whole("L")))
        case = with_entries(case, "c", (case.number("c") * size,))
    if random.random() < 0.7:
        for name, most in (("k", 5), ("l", 15), ("L", 15)):
            case = with_entries(case, name, (Fraction(random.randint(1, most)),))
    return case


A_LAYER = Given(
    "a layer",
    LAYER <= LAST,
    r"$\ell\le L$",
    lambda case, random: (
        case
        if case.whole("l") <= case.whole("L")
        else with_entries(case, "l", (Fraction(random.randint(1, case.whole("L"))),))
    ),
)
POSITIVE_BASE = Given(
    "positive base",
    C > -RANK * LAST,
    "$c_1>-kL$",
    lambda case, random: (
        case
        if case.number("c") > -case.whole("k") * case.whole("L")
        else with_entries(case, "c", (abs(case.number("c")),))
    ),
    lambda case, random: with_entries(
        case, "c", (Fraction(-case.whole("k") * case.whole("L") - random.randint(1, 3)),)
    ),
)


# claims -------------------------------------------------------------------------------------------
LINES = "aligned display, last three lines"
JACOBIAN = r"k|Jf_\theta(x)|_+^{2/k}"


def _line(part: str, title: str, text: str, says: Term, **others: Any) -> Claim:
    given = (*CHAIN, NORM_BOUND)
    return step_claim(f"power.{part}", LINES, title, text, says, given, WITH_C1, **others)


CLAIMS = (
    _line(
        "a",
        "the quotient by a power in c_1",
        r"$k\frac{|Jf_\theta(x)|_+^{2/k}}{|J\tilde\alpha_\ell(x)|_+^{2/k}}\ge "
        r"k\frac{|Jf_\theta(x)|_+^{2/k}}{(1+\frac{c_1}L)^\ell}$, where $c_1>-L$.",
        by_layer(_power_of_base),
        why=r"$|J\tilde\alpha_\ell(x)|_+$ has as many factors as its rank, which may be above $k$, "
        r"and so may be larger than $(1+\frac{c_1}L)^{\ell k/2}$",
    ),
    _line(
        "b",
        "the power in c_1 by an exponential",
        r"$k\frac{|Jf_\theta(x)|_+^{2/k}}{(1+\frac{c_1}L)^\ell}\ge "
        + JACOBIAN
        + r"e^{-\frac\ell L\frac{c_1}k}$, where $c_1>-L$.",
        by_layer(_base_by_exponential),
        why=r"$k$ is lost: the display before it gives $1+\frac{c_1}{kL}$, and "
        r"$(1+\frac{c_1}L)^\ell$ is about $e^{\ell c_1/L}$, not $e^{\ell c_1/(kL)}$",
    ),
    _line(
        "c",
        "the exponential by its least value",
        f"${JACOBIAN}e^{{-\\frac\\ell L\\frac{{c_1}}k}}\\ge "
        f"{JACOBIAN}\\min\\{{1,e^{{-c_1/k}}\\}}$.",
        by_layer(_exponential_by_least),
    ),
    _line(
        "a.fix",
        "the quotient by a power in c_1 over k L",
        r"$k\frac{|Jf_\theta(x)|_+^{2/k}}"
        r"{\prod_{i\le k}s_i(J\tilde\alpha_\ell(x))^{2/k}}\ge "
        r"k\frac{|Jf_\theta(x)|_+^{2/k}}{(1+\frac{c_1}{kL})^\ell}$.",
        by_layer(_power_mended),
        repairs="j23.thm7.steps.power.a",
    ),
    stated(
        "j23.thm7.steps.power.b.real.fix",
        printed(PROOF + LINES),
        "the power in c_1 over k L by an exponential, in numbers",
        r"$(1+\frac{c_1}{kL})^{-\ell}\ge e^{-\frac\ell L\frac{c_1}k}$ for real "
        r"$c_1>-kL$ and integers $k\ge1$, $1\le\ell\le L$.",
        POWER >= EXPONENTIAL,
        [A_LAYER, POSITIVE_BASE],
        pool=pool_with(C, RANK, LAYER, LAST, adapt=_of_all_sizes),
        repairs="j23.thm7.steps.power.b",
    ),
)
