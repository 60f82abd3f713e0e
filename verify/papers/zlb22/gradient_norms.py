"""Proposition 4.4 where the expectation is known in closed form.

As printed, for homogeneous activations of degree r = 1, sigma(z) = b z for z > 0 and a z for z < 0.
With no hidden layer |grad f| = |x| / sqrt(d_0): no activation enters, C_sigma is an infimum of
nothing, and the print is not about such networks. With n hidden neurons |grad f|^2 = (|x|^2 / d_0)
(1/n) sum_i s_i^2 (g_i^2 + v_i^2), where s_i is the slope at g_i, and |x|, g and v are independent.
Closed where a or b is 0, or a^2 = b^2.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensors
from verify.language.building import (
    Number,
    Prod,
    Sum,
    When,
    Whole,
    implies,
    larger,
    smaller,
    sqrt,
    upto,
)
from verify.language.terms import Term
from verify.papers.zlb22.gaussian_moments import mean_length
from verify.papers.zlb22.sources import printed
from verify.statements.quantities import with_value
from verify.statements.stated import Given, pool_with, stated, unless

PLACE = printed("Proposition 4.4, eq. (18)")
a, b = Number("a", meaning="the slope below 0"), Number("b", meaning="the slope above 0")
d0, n = Whole("d0", 1, 4), Whole("n", 1, 6)


# as printed ---------------------------------------------------------------------------------------
SECOND_MOMENT = (a**2 + b**2) / 2
"""C_sigma = E sigma(z)^2 of a piecewise linear activation."""


def choices(k: Term) -> Term:
    """How many sets of k there are of n."""
    return Prod(upto(k), lambda i: (n - k + i) / i)


ONE_SIDED = Sum(upto(n), lambda k: choices(k) / 2**n * mean_length(2 * k))
"""E (sum_i (g_i^2 + v_i^2))^(1/2) over those with g_i > 0: so many are as many heads of n coins."""
MEAN_NORM = (
    mean_length(d0)
    / sqrt(d0)
    * larger(abs(a), abs(b))
    / sqrt(n)
    * When(a * b == 0, ONE_SIDED, mean_length(2 * n))
)
"""E |grad f| of n hidden neurons, for ab = 0 or |a| = |b|."""
CLOSED_FORM = (a * b == 0) | (a**2 == b**2)
BOUND = sqrt(smaller(1, smaller(SECOND_MOMENT, SECOND_MOMENT**2)))
AS_PRINTED = implies(CLOSED_FORM, MEAN_NORM >= BOUND)


def at_least_1(*sizes: Term) -> Given:
    """That sizes of a network are at least 1."""
    holds = sizes[0] >= 1
    for size in sizes[1:]:
        holds = holds & (size >= 1)
    names = [size.args[0].name for size in sizes]

    def repair(case: Tensors, random: Random) -> Tensors:
        for name in names:
            case = with_value(case, name, max(1, case.whole(name)))
        return case

    text = r"$L$, $d_0$ and the number of hidden neurons are at least $1$"
    return Given("sizes at least 1", holds, text, repair, built_in=True)


def with_hidden_layer(depth: Term) -> Given:
    """That there are activations."""
    return Given(
        "a hidden layer",
        depth >= 2,
        r"$L\ge2$: there are activations",
        lambda case, random: with_value(case, "L", max(2, case.whole("L"))),
        built_in=True,
    )


SIZES = at_least_1(d0, n)
NOT_0 = SECOND_MOMENT > 0
MOMENT = Given(
    "C_sigma above 0",
    NOT_0,
    r"$C_\sigma=\inf\mathbb E_{z\sim\mathcal N(0,1)}[\sigma(z)^2]>0$, for "
    r"$\sigma(z)=bz$ for $z>0$ and $az$ for $z<0$",
    unless(NOT_0, lambda case, random: with_value(case, "b", 1)),
    built_in=True,
)


def _sides(case: Tensors, random: Random) -> Tensors:
    """Slopes for which the expectation is closed: ReLU and the absolute value up to a factor."""
    if random.random() < 0.4:  # near sqrt(2) ReLU, whose second moment is 1
        case = with_value(case, "b", random.choice((Fraction(7, 5), Fraction(3, 2))))
    other = random.choice((Fraction(0), Fraction(0), case.number("b"), -case.number("b")))
    return with_value(case, "a", other)


GIVEN_THE_LAYERS_BELOW = (
    "given the neurons before it, a pre-activation is normal with variance v = mean of their "
    "squares, and independent of the others; so E sigma(z)^2 = E v^r E sigma(g)^2"
)


# claims -------------------------------------------------------------------------------------------
RIGHT = r"\sqrt{\min\Big(1,\min_{1\le j\le L}C_\sigma^{\sum_{\ell'=0}^{j-1}r^{\ell'}}\Big)}"
CLOSED = (
    r"Here for one output, $\sigma(z)=bz$ for $z>0$ and $az$ for $z<0$ ($r=1$), and $L=2$ with $n$ "
    "hidden neurons"
)

CLAIMS = (
    stated(
        "zlb22.prop4.4",
        PLACE,
        "lower bound on the gradient norm",
        rf"$\mathbb E_{{\mathbf x,\mathbf w_0}}[\lVert\nabla_{{\mathbf w}}f_k(\mathbf w_0)\rVert]"
        rf"\ge{RIGHT}$. {CLOSED}.",
        AS_PRINTED,
        (SIZES, MOMENT),
        depends=("zlb22.ass4.1@A", "zlb22.ass4.2@B"),
        pool=pool_with(a, b, d0, n, largest=1, adapt=_sides),
        exact_only=True,
        through=r"$\mathbb E\|\nabla f_k\|$ of one hidden layer has a closed form "
        "(docs/mathematics/zlb22.md#norms-of-the-gradient-as-printed)",
        why=r"The proof bounds $\mathbb E\|\nabla f_k\|^2$, and $\mathbb E\|\nabla f_k\|$ may be "
        r"smaller than its root: with one hidden neuron, $\sigma(z)=\frac32\max(z,0)$, for which "
        r"$C_\sigma=\frac98$, and $d_0=1$ it is $\frac34$, where the print says at least $1$.",
    ),
)
