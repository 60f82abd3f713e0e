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

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from graphs.arithmetic import rational
from verify.claim import Claim, Kind
from verify.exponents import Exponents, Family, Predicted, vanishing
from verify.papers.zlb22 import ladders
from verify.papers.zlb22.hessian_rates import HALF, SCOPE, halved
from verify.papers.zlb22.orders import about, among, exponents_named
from verify.papers.zlb22.sources import printed
from verify.sides import Side, by_numbers
from verify.tensors import Tensors

SIXTH, THIRD = Fraction(-1, 6), Fraction(1, 3)


# across kinks, exactly ----------------------------------------------------------------------------
def _gain(case: Tensors) -> Fraction:
    """The exponent of the remainder."""
    return Fraction(1, 2) - 2 * case.number("s")


def crossing(case: Tensors) -> Iterator[Side]:
    """The claimed exponent -1/2 against the one that is reached."""
    yield {}, rational(HALF), rational(_gain(case))


def crossing_mended(case: Tensors) -> Iterator[Side]:
    """-1/6 against it."""
    yield {}, rational(SIXTH), rational(_gain(case))


IN_BALL = about(
    "the move in the ball",
    r"$s\ge1/3$: the move has length at most $R$, being of order $m^{(1-3s)/2}$ with a constant "
    r"as small as one likes",
    lambda case: case.number("s") >= THIRD,
    lambda case, random: {"s": among(THIRD, Fraction(11, 12), random)},
    lambda case, random: {"s": among(Fraction(0), Fraction(1, 4), random)},
)
SOME_NEURONS = about(
    "neurons near the kink",
    r"$0<s<1$: there are neurons within $\varepsilon=m^{-s}$ of their kink, in a number that grows",
    lambda case: 0 < case.number("s") < 1,
    lambda case, random: {"s": among(THIRD, Fraction(11, 12), random)},
    lambda case, random: {"s": among(Fraction(1), Fraction(3), random)},
)
POOL = exponents_named("s")
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
    "(docs/mathematics.md, 41)"
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
B = Claim(
    "zlb22.remReLU@B",
    Kind.INEQUALITY,
    printed("after Assumption 3.2"),
    "the remainder for ReLU, with the printed rate",
    PHRASE + SUPREMUM + r"=\tilde O(1/\sqrt m)$." + FAMILY + r"-1/2\ge1/2-2s$.",
    (IN_BALL, SOME_NEURONS),
    ("zlb22.eq10@A",),
    by_numbers(crossing),
    POOL,
    reading="B",
    reading_text="equation (10) and Corollary 3.7 on the supremum over the ball, with their rate",
    exact_only=True,
    trusted=("Chernoff's bound for the number of neurons near their kink",),
    through=THROUGH,
    why=r"In the ball $m^{2/3}$ neurons can be moved across their kink, where $f$ leaves "
    r"$f_{\rm lin}$: with one hidden layer the remainder is of order $m^{-1/6}$.",
)
B_FIX = replace(
    B,
    id="zlb22.remReLU@B.fix",
    title="the remainder for ReLU with one hidden layer, with the rate that it has",
    statement=r"With one hidden layer of ReLU, "
    + SUPREMUM
    + r"=\tilde O(m^{-1/6})$."
    + FAMILY
    + r"-1/6\ge1/2-2s$.",
    measure=by_numbers(crossing_mended),
    repairs="zlb22.remReLU@B",
    why="",
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
