r"""Lemma K.10 one layer up: the base case of its proof.

For l = l' + 1 the derivatives are w_i / sqrt(m), i = 1 to m, so that the lemma speaks of
Z = m^(-1/2) sum_i w_i U_i, a series as in Lemma K.8 with nu at most max |U_i|^2 and t = log m.
Families whose law is known: the U_i are diagonal, their diagonals the rows of a Hadamard matrix
with 2^h columns, each `copies` times, and |Z| is the largest of 2^h independent |g|; or units of a
row, and |Z| sqrt(m) is the length of a vector.

All 2^m patterns of signs on one diagonal give |Z| = m^(-1/2) sum_i |w_i|, of the order of sqrt(m):
more than any power of log m. The base case says nothing of them, since its probability is below 0.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from graphs.rings import ring_of
from verify.cases.tensors import Tensors
from verify.core.argument import Argument, Step
from verify.language.building import When, Whole, exp, floor, larger, log, sqrt
from verify.language.terms import Term, called
from verify.papers.zlb22.appendix_k import series_as_product
from verify.papers.zlb22.gaussian_forms import TROPP
from verify.papers.zlb22.gaussian_laws import KNOWN_LAW, LAW, STANDARD, fixed, own
from verify.papers.zlb22.gaussian_tails import (
    ROOT_OF_PI,
    by_law,
    chance,
    chi_tail,
    normal_tail,
    scale,
)
from verify.papers.zlb22.sources import printed
from verify.statements.quantities import with_value
from verify.statements.stated import pool_with, stated

SIGNS, ROW, ALL_SIGNS = range(3)  # the shapes of families
MOST_COPIES, MOST_SIGNS, LONGEST_ROW = 100, 3, 24


# one layer up -------------------------------------------------------------------------------------
copies, h = Whole("copies", 1, MOST_COPIES), Whole("h", 0, MOST_SIGNS)
shape = Whole("shape", SIGNS, ALL_SIGNS)
m = called("m", floor(copies * 2**h))


def largest_of_signs(x: Term) -> Term:
    """P(max |g_k| > x) of 2^h independent numbers."""
    return 1 - (1 - normal_tail(x)) ** (2**h)


MEAN, VARIANCE = called(r"\mu", sqrt(2 * m) / ROOT_OF_PI), 1 - 2 / ROOT_OF_PI**2
"""Of m^(-1/2) sum |w_i|."""


def sum_tail(x: Term) -> Term:
    """At most P(m^(-1/2) sum |w_i| > x), by Chebyshev."""
    return When(x < MEAN, larger(0, 1 - VARIANCE / (MEAN - x) ** 2), 0)


OF_FAMILY = When(
    shape == SIGNS,
    by_law(largest_of_signs, log(m)),
    When(shape == ROW, by_law(lambda x: chi_tail(m, sqrt(m) * x), log(m)), 1),
)
TOO_LARGE = When(own == 1, by_law(sum_tail, log(m)), OF_FAMILY)
"""P(|Z| > max |U_i| log m), for all patterns of signs its bound 1; for U_i = sign(w_i), where
|Z| = m^(-1/2) sum |w_i|, a bound from below."""
OF_SHAPE = When(shape == SIGNS, 2 * 2**h, When(shape == ROW, 1 + m, 2 * 2**m))
DIMENSIONS = When(own == 1, 2, OF_SHAPE)
"""u1 + u2."""
ONE_LAYER = DIMENSIONS * exp(-(log(m) ** 2) / 2) >= TOO_LARGE


def _made_of_signs(case: Tensors, random: Random) -> Tensors:
    case = with_value(with_value(case, "own", 1), "h", 0)
    return with_value(case, "copies", random.randint(64, MOST_COPIES))


def _heavy(case: Tensors, random: Random) -> Tensors:
    case = with_value(case, "chance", Fraction(random.randint(1, 3), 4))
    case = with_value(with_value(case, "own", 0), "shape", SIGNS)
    case = with_value(case, "copies", random.randint(32, 64))
    return with_value(case, "scale", random.choice((16, 64, 256)))


FIXED = replace(
    fixed("the $U_i$ do not depend on the weights above layer $\\ell'$", 1), break_=_made_of_signs
)
NORMAL = replace(STANDARD, break_=_heavy)


def _in_range(case: Tensors, random: Random) -> Tensors:
    """A probability, a factor above 0, and rows that are not long."""
    case = with_value(case, "chance", abs(case.number("chance")) % 1)
    case = with_value(case, "scale", abs(case.number("scale")) or 1)
    if case.whole("shape") != ROW:
        return case
    return with_value(case, "copies", min(case.whole("copies"), LONGEST_ROW >> case.whole("h")))


POOL = pool_with(chance, scale, own, copies, h, shape, adapt=_in_range)


def variance_at_most_1() -> Argument:
    """nu of the series, and Lemma K.8 at t = log m."""
    ring = ring_of(4)
    largest, term, total, count = ring.generators
    more = (count + 1) * largest * largest - (total + term * term)
    apart = (count * largest * largest - total) + (largest * largest - term * term)
    shift = series_as_product()
    return Argument(
        "with A_i = U_i / sqrt(m) both |sum A_i A_i^T| and |sum A_i^T A_i| are at most the mean of "
        "the |U_i|^2, so at most max |U_i|^2; Lemma K.8 at t = log m is the bound, in a whole ball",
        (
            Step(
                "(m + 1) M^2 - (s + x^2) = (m M^2 - s) + (M^2 - x^2): each |U_i|^2 is at most M^2",
                ring.is_zero(more - apart),
            ),
            *shift.steps,
        ),
        (TROPP, *shift.trusted, "the triangle inequality, and |U U^T| = |U|^2"),
        uses=(FIXED.name, NORMAL.name),
        section="docs/mathematics/zlb22.md#series-one-layer-up",
        cites=("zlb22.lemK.8",),
    )


# claims -------------------------------------------------------------------------------------------
CLAIMS = (
    stated(
        "zlb22.lemK.10.one@B",
        printed("Lemma K.10"),
        "series through one layer, with the probability of the union bounds",
        r"For $\ell'=\ell-1$ and $m$ incoming neurons, given fixed $U_1,\dots,U_m\in\mathbb "
        r"R^{u_1\times u_2}$, with probability at least $1-(u_1+u_2)\exp(-\log^2m/2)$, "
        r"$\lVert\sum_iU_i\,\partial\tilde f^{(\ell)}_k/\partial f^{(\ell')}_i\rVert\le"
        r"\max_i\lVert U_i\rVert(\log m+R)$. Exactly at the centre of the ball, for $m$ = `copies` "
        r"$2^h$ neurons and diagonals that are $2^h$ orthogonal patterns of signs (`shape` 0), "
        r"units of a row (1), all $2^m$ patterns (2); the shift is zlb22.lemK.8.shift.",
        ONE_LAYER,
        (LAW, FIXED, NORMAL),
        depends=("zlb22.lemK.8", "zlb22.lemK.8.shift"),
        pool=POOL,
        reading="B",
        reading_text=r"probability one minus a sum of terms $(u_1+u_2)\exp(-\log^2m/2)$, here of "
        r"one term; with $2^m$ rows that is below $0$ and nothing is said",
        exact_only=True,
        proof=variance_at_most_1,
        through=KNOWN_LAW,
    ),
)
