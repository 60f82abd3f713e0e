"""The remark on ReLU: Hessians where they exist, and remainders in the ball.

The remainder. One hidden layer, one input x = 1: f = m^(-1/2) sum_i v_i relu(u_i). Move the
neurons with -eps < u_i < 0 and v_i > 1 to u_i + 2 eps, eps = m^(-s): of order m^(1-s) of them,
but for a probability that falls exponentially in m^(1-s). That costs m^((1-3s)/2), at most a small
constant for s >= 1/3; f_lin does not change, since these neurons have slope 0, and f grows by at
least m^(-1/2) m^(1-s) eps, of order m^(1/2-2s). At s = 1/3 that is m^(-1/6). No more is possible
for one hidden layer but for a logarithm: of N neurons that cross their kink the squares of u_i add
up to at least c N^3/m^2, and to at most R^2, so N <= C m^(2/3), and the remainder is at most
m^(-1/2) (max |v_i| N^(1/2) R + R^2).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

from verify.cases.tensors import Tensors
from verify.core.claim import Claim, Kind
from verify.kinds.statistics.exponents import Exponents, Family, Predicted, vanishing
from verify.language.building import Number
from verify.papers.zlb22 import ladders
from verify.papers.zlb22.hessian_rates import HALF, SCOPE, halved
from verify.papers.zlb22.sources import printed
from verify.statements.quantities import with_value
from verify.statements.stated import Given, stated

SIXTH, THIRD = Fraction(-1, 6), Fraction(1, 3)


# across kinks, exactly ----------------------------------------------------------------------------
s = Number("s")
REACHED = Fraction(1, 2) - 2 * s
"""The exponent of the remainder."""


def _among(low: Fraction, high: Fraction, random: Random) -> Fraction:
    """From low to high, both included, in twelfths of the way."""
    return low + (high - low) * Fraction(random.randint(0, 12), 12)


def _inside(case: Tensors, random: Random) -> Tensors:
    """From 1/3 on, and below 1."""
    if THIRD <= case.number("s") < 1:
        return case
    return with_value(case, "s", _among(THIRD, Fraction(11, 12), random))


IN_BALL = Given(
    "the move in the ball",
    s >= THIRD,
    r"$s\ge1/3$: the move has length at most $R$, being of order $m^{(1-3s)/2}$ with a constant "
    r"as small as one likes",
    _inside,
    lambda case, random: with_value(case, "s", _among(Fraction(0), Fraction(1, 4), random)),
)
SOME_NEURONS = Given(
    "neurons near the kink",
    (s > 0) & (s < 1),
    r"$0<s<1$: there are neurons within $\varepsilon=m^{-s}$ of their kink, in a number that grows",
    lambda case, random: case if 0 < case.number("s") < 1 else _inside(case, random),
    lambda case, random: with_value(case, "s", _among(Fraction(1), Fraction(3), random)),
)
PHRASE = (
    r"For a fixed $R$, with probability at least $1-\exp(-\Omega(\log^2m))$, with ReLU at every "
    r"hidden neuron: "
)
FAMILY = (
    r" Here on $f=m^{-1/2}\sum_iv_i\,\mathrm{ReLU}(u_i)$, with the neurons of $v_i>1$ and "
    r"$-m^{-s}<u_i<0$ moved by $2m^{-s}$: $"
)
SUPREMUM = r"$\sup_{\mathbf w\in\mathsf B(\mathbf w_0,R)}|f(\mathbf w)-f_{\rm lin}(\mathbf w)|"


# ladders ------------------------------------------------------------------------------------------
RELU = (
    ("fcn", 2, "relu", ladders.FLAT),
    ("fcn", 3, "relu", ladders.DEEP),
    ("dropped", 3, "relu", ladders.DEAR),
)
MORE_RELU = (*RELU, ("fcn", 4, "relu", ladders.DEEP), ("random", 3, "relu", ladders.DEEP))


def with_relu(scale: int) -> Sequence[Family]:
    """Measured in the ball, with ReLU."""
    return ladders.families_of(ladders.in_the_ball, scale, MORE_RELU if scale == 2 else RELU)


def one_hidden_layer(scale: int) -> Sequence[Family]:
    """With one hidden layer."""
    return ladders.families_of(ladders.in_the_ball, scale, RELU[:1])


THROUGH = (
    "the remainder that a move of the neurons near their kink reaches is of order $m^{1/2-2s}$ "
    "(docs/mathematics/zlb22.md#relu)"
)


A = Claim(
    "zlb22.remReLU@A",
    Kind.RATE,
    printed("after Assumption 3.2"),
    "Theorem 3.6 for ReLU",
    PHRASE + r"$\lVert H_{f_k}(\mathbf w)\rVert=\tilde O(1/\sqrt m)$ in the ball.",
    depends=("zlb22.thm3.6@A",),
    reading="A",
    reading_text="Theorem 3.6 with the Hessian where it exists",
    exponents=Exponents(with_relu, (halved(ladders.BALL),), scope=SCOPE),
)


def _remainder(name: str, title: str, text: str, rate: Fraction, **more: Any) -> Claim:
    """That the remainder has at most this exponent."""
    return stated(
        f"zlb22.remReLU@{name}",
        printed("after Assumption 3.2"),
        title,
        text,
        rate >= REACHED,
        (IN_BALL, SOME_NEURONS),
        depends=("zlb22.eq10@A",),
        reading="B",
        reading_text="equation (10) and Corollary 3.7 on the supremum over the ball, with their "
        "rate",
        exact_only=True,
        trusted=("Chernoff's bound for the number of neurons near their kink",),
        through=THROUGH,
        **more,
    )


B = _remainder(
    "B",
    "the remainder for ReLU, with the printed rate",
    PHRASE + SUPREMUM + r"=\tilde O(1/\sqrt m)$." + FAMILY + r"-1/2\ge1/2-2s$.",
    HALF,
    why=r"In the ball $m^{2/3}$ neurons can be moved across their kink, where $f$ leaves "
    r"$f_{\rm lin}$: with one hidden layer the remainder is of order $m^{-1/6}$.",
)
B_FIX = _remainder(
    "B.fix",
    "the remainder for ReLU with one hidden layer, with the rate that it has",
    r"With one hidden layer of ReLU, "
    + SUPREMUM
    + r"=\tilde O(m^{-1/6})$."
    + FAMILY
    + r"-1/6\ge1/2-2s$.",
    SIXTH,
    repairs="zlb22.remReLU@B",
    exponents=Exponents(
        one_hidden_layer, (Predicted(ladders.REST, SIXTH, above=Fraction(0)),), scope=SCOPE
    ),
)
C = Claim(
    "zlb22.remReLU@C",
    Kind.RATE,
    printed("after Assumption 3.2"),
    "the remainder for ReLU, without a rate",
    PHRASE + SUPREMUM + r"\to0$ as $m\to\infty$.",
    depends=("zlb22.eq10@A",),
    reading="C",
    reading_text="as B, but only that the supremum tends to 0",
    exponents=Exponents(with_relu, (vanishing(ladders.REST),), scope=SCOPE),
)
CLAIMS = (A, B, B_FIX, C)
