"""What Section 4.1 draws from Theorem 10: the range of c_1, and depth against number of data."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from graphs.rings import ring_of
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.hypotheses import random_rational
from verify.papers.j23.last_display import DIMENSION
from verify.papers.j23.sources import printed
from verify.quantities import (
    each_case,
    nonnegative,
    number,
    pool,
    relation,
    with_value,
)
from verify.tensors import Tensors
from verify.vocabulary import Entries

Labelled = list[tuple[dict[str, Any], Any]]
PROOF = "proof of Theorem 19, "


# the range of c_1 ---------------------------------------------------------------------------------
def no_blow_up(scene: Any) -> Entries:
    """1 where alpha = 4 - 4/k - gamma, which is log(e^(-c_1) N^(4 - 4/k)) / log N for c_1 =
    gamma log N, is not above 0; else 0."""

    def of_case(case: Tensors) -> Labelled:
        alpha = 4 - Fraction(4, case.whole("k")) - case.number("gamma")
        return [({}, Fraction(alpha <= 0))]

    return each_case(of_case, scene)


def _bound(case: Tensors) -> Fraction:
    return 4 - Fraction(4, case.whole("k"))


MULTIPLE = relation(
    "a multiple below",
    r"$c_1=\gamma\log N$ with $\gamma<4(1-\frac1{k^*})$",
    lambda case: case.number("gamma") < _bound(case),
    lambda case, random: with_value(
        case, "gamma", _bound(case) - random.choice((Fraction(1, 100), Fraction(1), Fraction(5)))
    ),
    lambda case, random: with_value(
        case, "gamma", _bound(case) + random.choice((Fraction(0), Fraction(1)))
    ),
)
BLOW_UP = (
    r"If $c_1$ is within a factor of 2 of this lower bound, $c_1<4(1-\frac1{k^*})\log N$, then the "
    r"above shows that the NTK will blow up at a rate $N^\alpha L$ for a positive $\alpha$."
)


C1_RANGE = Claim(
    "j23.c1range@A",
    Kind.IDENTITY,
    printed("Section 4.1, after Theorem 10"),
    "range of c_1",
    BLOW_UP,
    (DIMENSION, MULTIPLE),
    ("j23.thm10.data@A", "j23.thm10.deep@A"),
    no_blow_up,
    pool(number("gamma"), integers=(("k", 1, 6),)),
    reading="A",
    reading_text=r"$c_1$ is a fixed multiple of $\log N$",
    exact_only=True,
    through="the bound of Theorem 10 is taken, and its exponent in $N$ is measured "
    "(docs/mathematics.md, 26)",
)


# depth against the number of data -----------------------------------------------------------------
def lower_norm(scene: Any) -> Entries:
    """L + 2 (1 - 1/k) log N - k L - R."""

    def of_case(case: Tensors) -> Labelled:
        k, depth = case.whole("k"), case.whole("L")
        under = depth + 2 * (1 - Fraction(1, k)) * case.number("log")
        return [({}, under - k * depth - case.number("R"))]

    return each_case(of_case, scene)


def exponents_suffice() -> Argument:
    """k = 2 + j, log N = kappa L + r, and R = L (2 kappa (k - 1)/k - (k - 1)) - e: k times the
    slack is a sum of products of numbers that are not negative."""
    ring = ring_of(5)
    j, kappa, r, depth, e = ring.generators
    one, two = (ring.constant(Fraction(c)) for c in (1, 2))
    k = two + j
    more = k - one
    scaled_r = depth * (two * kappa * more - k * more) - k * e  # k R
    slack = k * depth + two * more * (kappa * depth + r) - k * k * depth - scaled_r
    return Argument(
        "k times the slack is 2 (k - 1) r + k e",
        (
            Step("so it is", ring.is_zero(slack - two * more * r - k * e)),
            nonnegative(ring, "it has no negative coefficient", slack),
        ),
        (
            "the norm of a rank-recovering function is k* L + R^(1)(f*), up to what tends to 0",
            "that of a function of BN-rank 1 is at least L + 2 (1 - 1/k*) log N, up to a constant",
        ),
        "lower_norm",
        ("dimension", "exponentially larger", "deep"),
        section=26,
        cites=("j23.expansion", "j23.r1rank1"),
    )


EXPONENTIALLY = relation(
    "exponentially larger",
    r"$N\ge e^{\kappa L}$ with $\kappa>0$",
    lambda case: (
        case.number("kappa") > 0 and case.number("log") >= case.number("kappa") * case.whole("L")
    ),
    lambda case, random: (
        with_value(
            with_value(case, "kappa", kappa),
            "log",
            kappa * case.whole("L") + random.choice((0, 0, 1, 10)),
        )
        if (kappa := abs(case.number("kappa")) or Fraction(1))
        else case
    ),
    lambda case, random: with_value(case, "log", abs(random_rational(random)) / 10),
)


def _room(case: Tensors) -> Fraction:
    k, depth = case.whole("k"), case.whole("L")
    return depth * (2 * case.number("kappa") * (1 - Fraction(1, k)) - (k - 1))


DEEP = relation(
    "deep",
    r"$R^{(1)}(f^*)\le L\,(2\kappa(1-\frac1{k^*})-(k^*-1))$",
    lambda case: case.number("R") <= _room(case),
    lambda case, random: with_value(case, "R", _room(case) - random.choice((0, 0, 1, 5))),
    lambda case, random: with_value(case, "R", abs(_room(case)) * 2 + 100),
)
TRADE = pool(number("log"), number("R"), number("kappa"), integers=(("L", 1, 60), ("k", 1, 6)))
LOWER_NORM = (
    r"there is a rank-recovering function with a lower parameter norm than any "
    r"rank-underestimating functions: here, by the expansion of the cost to order one, "
    r"$k^*L+R^{(1)}(f^*)\le L+2(1-\frac1{k^*})\log N$"
)
TRADEOFF = Claim(
    "j23.tradeoff",
    Kind.INEQUALITY,
    printed("Section 4.1, second paragraph after Theorem 10"),
    "depth against number of data",
    r"When $N$ is much larger than the depth $L$ (exponentially larger: $N\ge e^{\kappa L}$, with "
    r"$\kappa>\frac{k^*}2$ and $L$ so large that "
    rf"$R^{{(1)}}(f^*)\le L(2\kappa(1-\frac1{{k^*}})-(k^*-1))$), {LOWER_NORM}.",
    (DIMENSION, EXPONENTIALLY, DEEP),
    ("j23.expansion", "j23.r1rank1"),
    lower_norm,
    TRADE,
    exact_only=True,
    proof=exponents_suffice,
    through="the norms are replaced by the first two terms of their expansions, and the norm of "
    "rank-underestimating functions by its lower bound (docs/mathematics.md, 26)",
)

CLAIMS = (C1_RANGE, TRADEOFF)
