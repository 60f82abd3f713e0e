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
from typing import Any

from graphs import reals
from graphs.arithmetic import rational
from graphs.rings import ring_of
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealScene
from verify.cases.scenes import Entries
from verify.cases.tensors import Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.papers.zlb22.gaussian_forms import CONCENTRATION
from verify.papers.zlb22.gaussian_laws import (
    AT_LEAST_0,
    KNOWN_LAW,
    ONE,
    SIZES_DIFFER,
    STANDARD,
    by_law,
    different_sizes,
    fixed,
    given,
    law_pool,
    own_length,
    pairs_of_sizes,
    row,
    slack_at_level,
    with_number,
)
from verify.papers.zlb22.gaussian_samples import COLUMN_SAMPLES, SHIFTED_SAMPLES
from verify.papers.zlb22.gaussian_tails import normal_tail, shifted_tail
from verify.papers.zlb22.sources import printed
from verify.statements.derivations.symbols import TWO_INDICES, same

NET = (
    "the unit sphere of R^n has a 1/2-net of at most 5^n points, and the largest |M v| on it is at "
    "least |M| / 2 (Vershynin, High-Dimensional Probability, 4.2.13 and 4.4.1)"
)
CONSTANT = 4
REPEATED = 10**6  # equal columns that refute the constant 4


def _root(number: int) -> Any:
    return reals.sqrt(rational(number))


# Lemma K.5 ----------------------------------------------------------------------------------------
def _columns_fail(case: Tensors) -> Any:
    """P(|M| > C (max |A_i| (sqrt n + t) + max |A_i|_F)).

    One column: M = A w with the singular values of `sizes`, each twice. One row: A_i has one entry,
    and each of `sizes` is there twice, so |M| has the same law and n is 2k. `copies` > 1: one
    number w in so many equal columns, A_i = 1. `own`: one column, A = w^T, so that |M| = |w|^2.
    """
    t, sizes = given(case, "t"), row(case, "sizes")
    if case.whole("own"):
        return own_length(case, CONSTANT * (t + 2))
    if (copies := case.whole("copies")) > 1:
        return by_law(case, normal_tail, CONSTANT * (ONE + (t + 1) / _root(copies)))
    if case.whole("row"):
        limit = max(sizes) * (_root(2 * len(sizes)) + t + 1)
    else:
        limit = max(sizes) * (t + 1) + reals.sqrt(sum((s * s * 2 for s in sizes), rational(0)))
    return pairs_of_sizes(case, sizes, limit * CONSTANT)


def column_slack(scene: RealScene) -> Entries:
    """2 exp(-t^2) minus that probability."""
    return slack_at_level(scene, _columns_fail, Fraction(1))


FIXED_MATRICES = fixed("the $A_i$ do not depend on $W$", 1000)


def _one_copy(case: Tensors, random: Random) -> Tensors:
    return with_number(case, "copies", 1)


def _many_copies(case: Tensors, random: Random) -> Tensors:
    return with_number(with_number(case, "copies", REPEATED), "t", random.randint(4, 5))


INDEPENDENT = Hypothesis(
    "independent columns",
    "the columns of $W$ are independent",
    by_case(lambda case: case.number("copies") == 1),
    _one_copy,
    _many_copies,
)


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
        "column_slack",
        (FIXED_MATRICES.name, INDEPENDENT.name, STANDARD.name, AT_LEAST_0.name),
        section="docs/mathematics/zlb22.md#matrices-of-gaussian-columns",
    )


def _factorial(number: int) -> int:
    return 1 if number < 2 else number * _factorial(number - 1)


# Lemma K.6 ----------------------------------------------------------------------------------------
def _shifted_fails(case: Tensors) -> Any:
    """The same for one number w + Delta: n = q = N = 1, A_1 = 1; or `copies` of it."""
    t, radius, shift = (given(case, name) for name in ("t", "R", "D"))
    if radius < 0:
        return None
    if case.whole("own"):
        return own_length(case, CONSTANT * (t + radius + 2))
    copies = _root(max(1, case.whole("copies")))
    limit = CONSTANT * (ONE + (radius + t + 1) / copies)
    if case.number("chance") == 0 or case.number("scale") == 1:
        return shifted_tail(shift, limit)
    chance, scale = given(case, "chance"), given(case, "scale")
    usual, rare = shifted_tail(shift, limit), shifted_tail(shift / scale, limit / scale)
    return usual * (ONE - chance) + rare * chance


def shifted_slack(scene: RealScene) -> Entries:
    """2 exp(-t^2) minus that probability."""
    return slack_at_level(scene, _shifted_fails, Fraction(1))


def _within(case: Tensors) -> bool:
    return abs(case.number("D")) <= case.number("R")


def _to_radius(case: Tensors, random: Random) -> Tensors:
    return case if _within(case) else with_number(case, "R", abs(case.number("D")))


def _far(case: Tensors, random: Random) -> Tensors:
    case = with_number(with_number(case, "R", 1), "t", random.randint(2, 3))
    return with_number(case, "D", random.randint(30, 40))


SHIFT_IN_BALL = Hypothesis(
    "shift in the ball",
    r"$\lVert\Delta W\rVert_F\le R$",
    by_case(_within),
    _to_radius,
    _far,
)


def net_argument_shifted() -> Argument:
    """Lemma K.5, and R max |A_i| for the shift, with a constant of at least 1."""
    argument = net_argument()
    return Argument(
        argument.summary + "; the shift adds at most R max |A_i|, and the constant is at least 1",
        (*argument.steps, Step("the constant is at least 1", CONSTANT >= 1)),
        argument.trusted,
        "shifted_slack",
        (*argument.uses, SHIFT_IN_BALL.name),
        section="docs/mathematics/zlb22.md#matrices-of-gaussian-columns",
        cites=("zlb22.lemK.6.shift",),
    )


# claims -------------------------------------------------------------------------------------------
COPIES = (("copies", 1, 1),)
CLAIMS = (
    Claim(
        "zlb22.lemK.5",
        Kind.INEQUALITY,
        printed("Lemma K.5, eq. (45)"),
        "norm of a structured Gaussian matrix",
        r"$W=[w_1,\dots,w_n]\in\mathbb R^{N\times n}$ has independent $\mathcal N(0,1)$ entries, "
        r"$A_i\in\mathbb R^{q\times N}$ are non-random, $M=[A_1w_1,\dots,A_nw_n]$. For some "
        r"absolute constant $C$ and any $t\ge0$, with probability at least $1-2\exp(-t^2)$, "
        r"$\lVert M\rVert\le C(\max_i\lVert A_i\rVert(\sqrt n+t)+\max_i\lVert A_i\rVert_F)$. "
        r"Here $C=4$; exactly for one column or one row (`row`) of the singular values `sizes`, "
        "each twice.",
        (FIXED_MATRICES, INDEPENDENT, STANDARD, AT_LEAST_0, SIZES_DIFFER),
        (),
        column_slack,
        law_pool((("sizes", ("k",)),), (("row", 0, 1), *COPIES), different_sizes),
        exact_only=True,
        proof=net_argument,
        through=KNOWN_LAW,
        sampled=COLUMN_SAMPLES,
    ),
    Claim(
        "zlb22.lemK.6",
        Kind.INEQUALITY,
        printed("Lemma K.6, eq. (46)"),
        "norm of a shifted structured Gaussian matrix",
        r"As Lemma K.5 with $W=W_0+\Delta W$, $\Delta W$ fixed, $\lVert\Delta W\rVert_F\le R$: for "
        r"some absolute constant $C$ and any $t\ge0$, with probability at least $1-2\exp(-t^2)$, "
        r"$\lVert M\rVert\le C(\max_i\lVert A_i\rVert(\sqrt n+R+t)+\max_i\lVert A_i\rVert_F)$. "
        r"Here $C=4$; exactly for $n=q=N=1$, $A_1=1$ and the shift `D`.",
        (FIXED_MATRICES, INDEPENDENT, STANDARD, AT_LEAST_0, SHIFT_IN_BALL),
        ("zlb22.lemK.5", "zlb22.lemK.6.shift"),
        shifted_slack,
        law_pool((("R", ()), ("D", ())), COPIES),
        exact_only=True,
        proof=net_argument_shifted,
        through=KNOWN_LAW,
        sampled=SHIFTED_SAMPLES,
    ),
)
