"""Example 9: what the step does on average to a matrix with one large and d - 1 small eigenvalues.

Printed is e = s gamma^2 with s = 1. For weights in [-B, B] the first terms of the means in gamma
decide for small gamma: see `example9_expansion`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from random import Random

from verify.cases.hypotheses import Hypothesis, by_case, unchanged
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.core.claim import Claim, Kind
from verify.kinds.normalised.scene import Chained, ChainScene, as_chain
from verify.papers.dkbhl20.example9 import PRINTED_SPECTRUM as SPECTRUM_AS_PRINTED
from verify.papers.dkbhl20.example9 import WIDTH as TWO_OR_MORE
from verify.papers.dkbhl20.example9 import value_at
from verify.papers.dkbhl20.example9_expansion import expansion
from verify.papers.dkbhl20.example9_means_proofs import (
    LEADING,
    LEAST,
    SQUARES,
    for_every_width,
)
from verify.papers.dkbhl20.increment_moments import Pairs
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.weight_laws import (
    BOUNDED,
    CENTRED,
    DENSITY,
    LAWS,
    SHIFTS,
    SYMMETRIC_WEIGHTS,
    UNIT_VARIANCE,
    whole,
)
from verify.statements.quantities import each_case, with_entries

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
    """-c_4/(2d) - 3d, (b) and the second inequality of (82)."""
    return _by_leading_term(scene, lambda d, fourth: -fourth / (2 * d) - LEADING * d)


def squares_fall(scene: ChainScene) -> Entries:
    """-c_4 - 6 d^2, (80)."""
    return _by_leading_term(scene, lambda d, fourth: -fourth - LEAST * d**2)


def leading_square_falls(scene: ChainScene) -> Entries:
    """-5 d^2 - (c_4 + d), the end of (81)."""
    return _by_leading_term(scene, lambda d, fourth: -SQUARES * d**2 - (fourth + d))


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


WIDTH = Hypothesis(
    TWO_OR_MORE.name,
    TWO_OR_MORE.text,
    by_case(lambda case: case.whole("d") >= 2),
    TWO_OR_MORE.repair or unchanged,
    TWO_OR_MORE.break_,
)
PRINTED_SPECTRUM = Hypothesis(
    SPECTRUM_AS_PRINTED.name,
    SPECTRUM_AS_PRINTED.text,
    by_case(lambda case: case.number("s") == 1),
    SPECTRUM_AS_PRINTED.repair or unchanged,
    SPECTRUM_AS_PRINTED.break_,
    thin=True,
)
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


# claims -------------------------------------------------------------------------------------------
AT_MOST = r"$O(-x)$: at most $-cx$ for some $c>0$"
SMALL = " (for every small $\\gamma$, by first terms in $\\gamma$; the entries of $W$ i.i.d.)"


def _claim(
    part: str,
    reference: str,
    title: str,
    statement: str,
    measure: Callable[[ChainScene], Entries],
    reading: str | None = None,
) -> Claim:
    depends = ("dkbhl20.lem7",) if part[0] in "af" else ("dkbhl20.ex9.f@A",)
    name = measure.__name__
    return Claim(
        f"dkbhl20.ex9.{part}" + (f"@{reading}" if reading else ""),
        Kind.INEQUALITY,
        printed(reference),
        title,
        statement + CONSTANTS.get(name, "") + SMALL + ".",
        HYPOTHESES,
        depends,
        measure,
        POOL,
        reading,
        AT_MOST if reading else None,
        exact_only=True,
        proof=partial(for_every_width, name),
    )


LOSS = r"In expectation the leading eigenvalue of $M_+$ is $O(-\gamma^4d)$ smaller than that of $M$"
FALL = r"$\sum_{i=1}^d\mathbb E[\lambda_+^2]_i-\lambda_i^2=O(-\gamma^4d^2)$"
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
    _claim("b", LARGEST, LEADS, LOSS, leading_falls, "A"),
    _claim(
        "c",
        LARGEST,
        "small eigenvalues",
        r"In expectation some small eigenvalues of $M_+$ are greater than those of $M$",
        small_ones_grow,
    ),
    _claim("f", EIGHTY, TOTAL, FALL, squares_fall, "A"),
    _claim("g", "details of Example 9, eq. (81)", LEADS, SQUARE, leading_square_falls, "A"),
    _claim("h", "details of Example 9, eq. (82)", LEADS, ROOT, leading_falls, "A"),
)
