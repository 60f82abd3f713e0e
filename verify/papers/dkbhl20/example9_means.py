"""Example 9: what the step does on average to a matrix with one large and d - 1 small eigenvalues.

Printed is e = s gamma^2 with s = 1. For weights in [-B, B] the first terms of the means in gamma
decide for small gamma: see `example9_expansion`. E|M_+|_F^2 - |M|_F^2 = c_3 gamma^3 + c_4 gamma^4 +
...: up to signs M = e I + (1 - e) 1 1^T, and with x = e_i + gamma a, a the i-th row of W, and
sigma(x) the sum of its entries 1 - [M_+]_ij^2 = e |x/sigma(x) - y/sigma(y)|^2 + O(e^2). At gamma =
0 this is 1 - M_ij^2 = 2 e + O(e^2).
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

from verify.core.claim import Claim
from verify.language.building import Sum, The, When, dot, list_, upto, vector
from verify.language.terms import Term
from verify.papers.dkbhl20.example9 import PRINTED_SPECTRUM, SMALL_ONES, WIDTH, D
from verify.papers.dkbhl20.example9_means_proofs import LEADING, LEAST, SQUARES, for_every_width
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.weight_laws import (
    BOUNDED,
    CENTRED,
    DENSITY,
    LAW,
    MEAN,
    SCALE,
    SHIFT,
    SYMMETRIC_WEIGHTS,
    UNIT_VARIANCE,
    VARIANCE,
    mostly_standard,
)
from verify.statements.quantities import with_entries
from verify.statements.stated import pool_with, stated


# the first terms ----------------------------------------------------------------------------------
def constant(value: int) -> Term:
    """A row of equal entries."""
    return vector(D, lambda k: value)


def basis(i: Any) -> Term:
    """e_i."""
    return vector(D, lambda k: When(k == i, 1, 0))


def distances(a: Term, b: Term) -> tuple[Term, Term]:
    """The coefficients of gamma and gamma^2 of |x/sigma(x) - y/sigma(y)|^2, for two rows of W."""
    sums = dot(a, constant(1)), dot(b, constant(1))
    one, other = a - sums[0] * basis(1), b - sums[1] * basis(2)
    zeroth, first, second = basis(1) - basis(2), one - other, sums[1] * other - sums[0] * one
    return 2 * dot(zeroth, first), dot(first, first) + 2 * dot(zeroth, second)


def _of_one_weight(q: Term) -> Term:
    """The second one, where a weight of the rows is one and the others are 0."""
    return distances(basis(q), constant(0))[1] + distances(constant(0), basis(q))[1]


OF_ONES = distances(constant(1), constant(1))
FIRST_MEAN = MEAN * OF_ONES[0]
SECOND_MEAN = MEAN**2 * OF_ONES[1] + VARIANCE * Sum(upto(D), _of_one_weight)
THIRD, FOURTH = (-SMALL_ONES * D * (D - 1) * mean for mean in (FIRST_MEAN, SECOND_MEAN))
"""c_3 and c_4: all pairs of rows are alike."""


def fall() -> Term:
    """The first of them that is not 0, which decides for every small gamma."""
    return When(THIRD == 0, FOURTH, THIRD)


def at_most(bound: Any) -> Term:
    """What c_4 has to be compared with, where it decides; c_3 with 0."""
    return When(THIRD == 0, bound, 0)


# what is said -------------------------------------------------------------------------------------
NORM_FALLS = fall() < at_most(-(D**2))
SQUARES_FALL = fall() <= at_most(-LEAST * D**2)
LEADING_FALLS = fall() / (2 * D) <= at_most(-LEADING * D)
"""In [lambda_+]_1 - lambda_1 c_3 and c_4 are divided by 2d."""
LEADING_SQUARE_FALLS = fall() <= at_most(-SQUARES * D**2 - D)
GAIN_OF_SMALL_ONES = -fall() / (2 * D)
TOGETHER = The(list_(GAIN_OF_SMALL_ONES), lambda grown: grown > 0)
"""By how much the small eigenvalues grow together, as the trace stays: then one of them grows.
Where they do not, nothing is said."""
SMALL_ONES_GROW = When(D == 1, 0, When(D == 2, GAIN_OF_SMALL_ONES, TOGETHER)) > 0
"""For d = 1 there is none, for d = 2 a single one."""


# cases --------------------------------------------------------------------------------------------
def _menu(case: Any, random: Random) -> Any:
    case = mostly_standard(case, random)
    return with_entries(case, "s", [Fraction(1)]) if random.random() < 0.6 else case


POOL = pool_with(SMALL_ONES, SCALE, D, LAW, SHIFT, largest=1, adapt=_menu)
SUPPOSED = (
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
    text: str,
    says: Term,
    constant: int | None = None,
    reading: str | None = None,
) -> Claim:
    depends = ("dkbhl20.lem7",) if part in "af" else ("dkbhl20.ex9.f@A",)
    return stated(
        f"dkbhl20.ex9.{part}" + (f"@{reading}" if reading else ""),
        printed(reference),
        title,
        text + (f", here with $c={constant}$" if constant else "") + SMALL + ".",
        says,
        SUPPOSED,
        depends=depends,
        pool=POOL,
        reading=reading,
        reading_text=AT_MOST if reading else None,
        proof=partial(for_every_width, part),
    )


LOSS = r"In expectation the leading eigenvalue of $M_+$ is $O(-\gamma^4d)$ smaller than that of $M$"
GAIN = r"In expectation some small eigenvalues of $M_+$ are greater than those of $M$"
NORM = r"$\mathbb E_W\lVert M_+\rVert_F^2<\lVert M\rVert_F^2-\gamma^4d^2$"
TOTAL = r"$\sum_{i=1}^d\mathbb E[\lambda_+^2]_i-\lambda_i^2=O(-\gamma^4d^2)$"
SQUARE = (
    r"$\max_i\mathbb E[\lambda_+^2]_i-\lambda_1^2\le O(-\gamma^4d^2)+\sum_{i=2}^d\lambda_i^2\le "
    r"O(-\gamma^4d^2)+\gamma^4d=O(-\gamma^4d^2)$"
)
ROOT = (
    r"$\mathbb E[[\lambda_+]_j]\le\sqrt{\mathbb E[[\lambda_+]_j^2]}\le\lambda_1-O(\gamma^4d)$, "
    r"$j=\arg\max_i\mathbb E[[\lambda_+]_i^2]$"
)
EXAMPLE, LEADS = "Example 9", "the leading eigenvalue"
EIGHTY, EIGHTY_ONE, EIGHTY_TWO = (f"details of Example 9, eq. ({n})" for n in (80, 81, 82))

CLAIMS = (
    _claim("a", EXAMPLE, "the norm falls", NORM, NORM_FALLS),
    _claim("b", EXAMPLE, LEADS, LOSS, LEADING_FALLS, LEADING, "A"),
    _claim("c", EXAMPLE, "small eigenvalues", GAIN, SMALL_ONES_GROW),
    _claim("f", EIGHTY, "the mean change of the squares", TOTAL, SQUARES_FALL, LEAST, "A"),
    _claim("g", EIGHTY_ONE, LEADS, SQUARE, LEADING_SQUARE_FALLS, SQUARES, "A"),
    _claim("h", EIGHTY_TWO, LEADS, ROOT, LEADING_FALLS, LEADING, "A"),
)
