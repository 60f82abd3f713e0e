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
from typing import Any

from graphs import reals
from graphs.arithmetic import rational
from graphs.rings import ring_of
from verify.cases.hypotheses import Hypothesis
from verify.cases.real_arrays import RealScene, RealTensors, as_real
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.papers.zlb22.appendix_k import series_as_product
from verify.papers.zlb22.gaussian_forms import TROPP
from verify.papers.zlb22.gaussian_laws import (
    KNOWN_LAW,
    ONE,
    STANDARD,
    by_law,
    failure_slack,
    fixed,
    with_number,
)
from verify.papers.zlb22.gaussian_tails import chi_tail, normal_tail, root_of_pi
from verify.papers.zlb22.sources import printed

SIGNS, ROW, ALL_SIGNS = range(3)  # the shapes of families
MOST_COPIES, MOST_SIGNS, LONGEST_ROW = 100, 3, 24


# one layer up -------------------------------------------------------------------------------------
def _neurons(case: Tensors) -> int:
    """m."""
    return int(case.whole("copies") * 2 ** case.whole("h"))


def _known(case: Tensors) -> bool:
    """Whether the integers describe one of the families, with log m above 0."""
    copies, signs, shape = (case.whole(name) for name in ("copies", "h", "shape"))
    inside = 1 <= copies <= MOST_COPIES and 0 <= signs <= MOST_SIGNS and 0 <= shape <= ALL_SIGNS
    return inside and _neurons(case) >= 2 and (shape != ROW or _neurons(case) <= LONGEST_ROW)


def _too_large(case: Tensors) -> Any:
    """P(|Z| > max |U_i| log m), for all patterns of signs its bound 1; for U_i = sign(w_i), where
    |Z| = m^(-1/2) sum |w_i|, a bound from below."""
    if not _known(case):
        return None
    count = _neurons(case)
    level = reals.log(rational(count))
    if case.whole("own"):
        return by_law(case, lambda x: _sum_tail(count, x), level)
    if case.whole("shape") == ALL_SIGNS:
        return ONE
    if case.whole("shape") == ROW:
        root = reals.sqrt(rational(count))
        return by_law(case, lambda x: chi_tail(count, x * root), level)

    def largest(x: Any) -> Any:
        within = ONE
        for _ in range(2 ** case.whole("h")):
            within = within * (ONE - normal_tail(x))
        return ONE - within

    return by_law(case, largest, level)


def _sum_tail(count: int, x: Any) -> Any:
    """At most P(m^(-1/2) sum |w_i| > x), by Chebyshev: the mean is (2 m / pi)^(1/2), the variance
    1 - 2/pi."""
    mean = reals.sqrt(rational(2 * count)) / root_of_pi()
    if not x < mean:
        return rational(0)
    variance = ONE - rational(2) / (root_of_pi() * root_of_pi())
    return reals.larger(rational(0), ONE - variance / ((mean - x) * (mean - x)))


def _printed(case: Tensors) -> Any:
    """(u1 + u2) exp(-log^2 m / 2)."""
    level = reals.log(rational(_neurons(case)))
    return reals.exp(-(level * level * rational(Fraction(1, 2)))) * rational(_dimensions(case))


def _dimensions(case: Tensors) -> int:
    """u1 + u2."""
    if case.whole("own"):
        return 2
    if case.whole("shape") == ROW:
        return 1 + _neurons(case)
    return int(2 * 2 ** (_neurons(case) if case.whole("shape") == ALL_SIGNS else case.whole("h")))


def one_layer_slack(scene: RealScene) -> Entries:
    """(u1 + u2) exp(-log^2 m / 2) minus that probability."""
    return failure_slack(scene, _too_large, _printed)


def _made_of_signs(case: Tensors, random: Random) -> Tensors:
    case = with_number(with_number(case, "own", 1), "h", 0)
    return with_number(case, "copies", random.randint(64, MOST_COPIES))


def _heavy(case: Tensors, random: Random) -> Tensors:
    case = with_number(case, "chance", Fraction(random.randint(1, 3), 4))
    case = with_number(with_number(case, "own", 0), "shape", SIGNS)
    case = with_number(case, "copies", random.randint(32, 64))
    return with_number(case, "scale", random.choice((16, 64, 256)))


FIXED = replace(
    fixed("the $U_i$ do not depend on the weights above layer $\\ell'$", 1), break_=_made_of_signs
)
NORMAL: Hypothesis = replace(STANDARD, break_=_heavy)


def _in_range(case: Tensors, random: Random) -> RealTensors:
    case = with_number(case, "chance", abs(case.number("chance")) % 1)
    return as_real(with_number(case, "scale", abs(case.number("scale")) or 1), random)


POOL = TensorPool(
    (("chance", ()), ("scale", ())),
    (
        ("own", 0, 1),
        ("copies", 1, MOST_COPIES),
        ("h", 0, MOST_SIGNS),
        ("shape", SIGNS, ALL_SIGNS),
    ),
    adapt=_in_range,
)


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
        "one_layer_slack",
        (FIXED.name, NORMAL.name),
        section="docs/mathematics/zlb22.md#series-one-layer-up",
        cites=("zlb22.lemK.8",),
    )


# claims -------------------------------------------------------------------------------------------
CLAIMS = (
    Claim(
        "zlb22.lemK.10.one@B",
        Kind.INEQUALITY,
        printed("Lemma K.10"),
        "series through one layer, with the probability of the union bounds",
        r"For $\ell'=\ell-1$ and $m$ incoming neurons, given fixed $U_1,\dots,U_m\in\mathbb "
        r"R^{u_1\times u_2}$, with probability at least $1-(u_1+u_2)\exp(-\log^2m/2)$, "
        r"$\lVert\sum_iU_i\,\partial\tilde f^{(\ell)}_k/\partial f^{(\ell')}_i\rVert\le"
        r"\max_i\lVert U_i\rVert(\log m+R)$. Exactly at the centre of the ball, for $m$ = `copies` "
        r"$2^h$ neurons and diagonals that are $2^h$ orthogonal patterns of signs (`shape` 0), "
        r"units of a row (1), all $2^m$ patterns (2); the shift is zlb22.lemK.8.shift.",
        (FIXED, NORMAL),
        ("zlb22.lemK.8", "zlb22.lemK.8.shift"),
        one_layer_slack,
        POOL,
        reading="B",
        reading_text=r"probability one minus a sum of terms $(u_1+u_2)\exp(-\log^2m/2)$, here of "
        r"one term; with $2^m$ rows that is below $0$ and nothing is said",
        exact_only=True,
        proof=variance_at_most_1,
        through=KNOWN_LAW,
    ),
)
