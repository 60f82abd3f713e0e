"""Lemmas K.5 and K.6: the norm of a matrix with the columns A_i w_i, for independent Gaussian w_i.

The absolute constant is 4: for a fixed unit vector v the vector M v is Gaussian with the covariance
sum v_i^2 A_i A_i^T, so |M v| exceeds max |A_i|_F + s max |A_i| with probability at most
exp(-s^2/2); a net of 5^n unit vectors gives |M| up to a factor 2, and s^2 = 2 n log 5 + 2 t^2.
Exactly looked at are one column (n = 1) and one row (q = 1), where the law is elementary, and equal
columns, where the lemma fails for every constant.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from graphs.rings import ring_of
from verify.cases.tensors import Tensors
from verify.core.argument import Argument, Step
from verify.language.building import Number, When, Whole, dim, exp, sqrt
from verify.papers.zlb22.gaussian_forms import CONCENTRATION, FROBENIUS
from verify.papers.zlb22.gaussian_laws import (
    AT_LEAST_0,
    KNOWN_LAW,
    LAW,
    SIZES_DIFFER,
    STANDARD,
    different_sizes,
    fixed,
    largest,
    law_pool,
    made_of_weights,
    sizes,
    t,
    under_sizes,
)
from verify.papers.zlb22.gaussian_samples import COLUMN_SAMPLES, SHIFTED_SAMPLES
from verify.papers.zlb22.gaussian_tails import by_law, chance, normal_tail, scale, shifted_tail
from verify.papers.zlb22.sources import printed
from verify.statements.derivations.symbols import TWO_INDICES, same
from verify.statements.quantities import with_value
from verify.statements.stated import Given, stated, unless

NET = (
    "the unit sphere of R^n has a 1/2-net of at most 5^n points, and the largest |M v| on it is at "
    "least |M| / 2 (Vershynin, High-Dimensional Probability, 4.2.13 and 4.4.1)"
)
CONSTANT = 4
REPEATED = 10**6  # equal columns that refute the constant 4


# Lemma K.5 ----------------------------------------------------------------------------------------
row, copies = Whole("row", 0, 1), Whole("copies", 1, REPEATED)
ROOT_OF_N = When(row == 1, sqrt(2 * dim(sizes)), 1)
FROBENIUS_OF_ONE = When(row == 1, largest(sizes), FROBENIUS)
"""One column is A = A_1. In a row A_i has one entry, each of `sizes` twice, so that |M| has the
same law and n is 2k."""
COLUMNS = under_sizes(CONSTANT * (largest(sizes) * (ROOT_OF_N + t) + FROBENIUS_OF_ONE))
EQUAL_COLUMNS = by_law(normal_tail, CONSTANT * (sqrt(copies) + t + 1) / sqrt(copies))
"""One number w in so many columns, A_i = 1: |M| is sqrt(n) |w|."""
COLUMNS_FAIL = made_of_weights(CONSTANT * (t + 2), When(copies > 1, EQUAL_COLUMNS, COLUMNS))
"""P(|M| > C (max |A_i| (sqrt n + t) + max |A_i|_F)). For one column, A = w^T, |M| is |w|^2."""
NORM_OF_COLUMNS = 2 * exp(-(t**2)) >= COLUMNS_FAIL


FIXED_MATRICES = fixed("the $A_i$ do not depend on $W$", 400)


def _many_copies(case: Tensors, random: Random) -> Tensors:
    return with_value(with_value(case, "copies", REPEATED), "t", random.randint(4, 5))


INDEPENDENT = Given(
    "independent columns",
    copies == 1,
    "the columns of $W$ are independent",
    lambda case, random: with_value(case, "copies", 1),
    _many_copies,
)


OF_COLUMNS = (FIXED_MATRICES, INDEPENDENT, STANDARD, AT_LEAST_0)


def net_argument() -> Argument:
    """The numbers of the argument in the module's docstring."""
    ring = ring_of(6)
    a, b, c, d, v, w = ring.generators
    # the columns (a, b) w_1 and (c, d) w_2, and the unit vector replaced by any (v, w)
    first, second = a * v * a * v + b * v * b * v, c * w * c * w + d * w * d * w
    weighted = v * v * (a * a + b * b) + w * w * (c * c + d * d)
    exponential = sum((Fraction(2**k, _factorial(k)) for k in range(4)), Fraction(0))
    root, t = ring.generators[:2]
    below = (2 * (root + t)) ** 2 - (4 * root * root + 2 * t * t)
    return Argument(
        "for a unit vector v of a net |M v| is at most max |A_i|_F + s max |A_i| but for a "
        "probability exp(-s^2/2); for all of at most 5^n together that is exp(-t^2) with s^2 = "
        "2 n log 5 + 2 t^2; s is at most 2 (sqrt n + t), and |M| at most twice the largest |M v|",
        (
            same(
                ring, "the trace of the covariance is sum v_i^2 |A_i|_F^2", first + second, weighted
            ),
            Step("log 5 < 2, since the first terms of exp(2) exceed 5", exponential > 5),
            Step(
                "(2 (sqrt n + t))^2 - (4 n + 2 t^2) = 8 sqrt n t + 2 t^2",
                ring.is_zero(below - 8 * root * t - 2 * t * t),
            ),
            Step("2 max |A_i|_F and 2 s fit the constant", max(2, 2 * 2) <= CONSTANT),
        ),
        (
            NET,
            CONCENTRATION,
            "Jensen's inequality: E |M v| is at most the root of the trace of the covariance",
            TWO_INDICES,
        ),
        uses=tuple(one.name for one in (*OF_COLUMNS, SIZES_DIFFER)),
        section="docs/mathematics/zlb22.md#matrices-of-gaussian-columns",
    )


def _factorial(number: int) -> int:
    return 1 if number < 2 else number * _factorial(number - 1)


# Lemma K.6 ----------------------------------------------------------------------------------------
R, D = Number("R", meaning="the radius"), Number("D", meaning="the shift")
LIMIT = CONSTANT * (sqrt(copies) + R + t + 1) / sqrt(copies)
SHIFTED = (1 - chance) * shifted_tail(D, LIMIT) + chance * shifted_tail(D / scale, LIMIT / scale)
SHIFTED_FAILS = made_of_weights(CONSTANT * (t + R + 2), SHIFTED)
"""The same for one number w + D: n = q = N = 1, A_1 = 1; or `copies` of it."""
NORM_OF_SHIFTED = 2 * exp(-(t**2)) >= SHIFTED_FAILS


def _far(case: Tensors, random: Random) -> Tensors:
    case = with_value(with_value(case, "R", 1), "t", random.randint(2, 3))
    return with_value(case, "D", random.randint(30, 40))


WITHIN = abs(D) <= R
SHIFT_IN_BALL = Given(
    "shift in the ball",
    WITHIN,
    r"$\lVert\Delta W\rVert_F\le R$",
    unless(WITHIN, lambda case, random: with_value(case, "R", abs(case.number("D")))),
    _far,
)


def net_argument_shifted() -> Argument:
    """Lemma K.5, and R max |A_i| for the shift, with a constant of at least 1."""
    argument = net_argument()
    return Argument(
        argument.summary + "; the shift adds at most R max |A_i|, and the constant is at least 1",
        (*argument.steps, Step("the constant is at least 1", CONSTANT >= 1)),
        argument.trusted,
        uses=tuple(one.name for one in (*OF_COLUMNS, SHIFT_IN_BALL)),
        section="docs/mathematics/zlb22.md#matrices-of-gaussian-columns",
        cites=("zlb22.lemK.6.shift",),
    )


# claims -------------------------------------------------------------------------------------------
ONE_COPY = Whole("copies", 1, 1)  # as cases are drawn
CLAIMS = (
    stated(
        "zlb22.lemK.5",
        printed("Lemma K.5, eq. (45)"),
        "norm of a structured Gaussian matrix",
        r"$W=[w_1,\dots,w_n]\in\mathbb R^{N\times n}$ has independent $\mathcal N(0,1)$ entries, "
        r"$A_i\in\mathbb R^{q\times N}$ are non-random, $M=[A_1w_1,\dots,A_nw_n]$. For some "
        r"absolute constant $C$ and any $t\ge0$, with probability at least $1-2\exp(-t^2)$, "
        r"$\lVert M\rVert\le C(\max_i\lVert A_i\rVert(\sqrt n+t)+\max_i\lVert A_i\rVert_F)$. "
        r"Here $C=4$; exactly for one column or one row (`row`) of the singular values `sizes`, "
        "each twice.",
        NORM_OF_COLUMNS,
        (LAW, *OF_COLUMNS, SIZES_DIFFER),
        pool=law_pool(sizes, row, ONE_COPY, adapt=different_sizes),
        exact_only=True,
        proof=net_argument,
        through=KNOWN_LAW,
        sampled=COLUMN_SAMPLES,
    ),
    stated(
        "zlb22.lemK.6",
        printed("Lemma K.6, eq. (46)"),
        "norm of a shifted structured Gaussian matrix",
        r"As Lemma K.5 with $W=W_0+\Delta W$, $\Delta W$ fixed, $\lVert\Delta W\rVert_F\le R$: for "
        r"some absolute constant $C$ and any $t\ge0$, with probability at least $1-2\exp(-t^2)$, "
        r"$\lVert M\rVert\le C(\max_i\lVert A_i\rVert(\sqrt n+R+t)+\max_i\lVert A_i\rVert_F)$. "
        r"Here $C=4$; exactly for $n=q=N=1$, $A_1=1$ and the shift `D`.",
        NORM_OF_SHIFTED,
        (LAW, *OF_COLUMNS, SHIFT_IN_BALL),
        depends=("zlb22.lemK.5", "zlb22.lemK.6.shift"),
        pool=law_pool(R, D, ONE_COPY),
        exact_only=True,
        proof=net_argument_shifted,
        through=KNOWN_LAW,
        sampled=SHIFTED_SAMPLES,
    ),
)
