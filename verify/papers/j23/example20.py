"""Example 20: its networks, their norms, the choice of epsilon, the two values of the Jacobian.

t is e^epsilon. The four matrices fill the layers in the order printed: the first and the last
L/2 - 1 times, the others once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from verify.cases.tensors import Tensors
from verify.core.claim import Claim, Kind
from verify.language.building import (
    Fold,
    Max,
    Number,
    Rate,
    Sum,
    When,
    Whole,
    between,
    dim,
    exp,
    eye,
    floor,
    frob2,
    implies,
    larger,
    list_,
    log,
    matrix,
    norm,
    nuclear,
    pdet2,
    smaller,
    upto,
    vector,
)
from verify.language.terms import Term
from verify.papers.j23.sources import printed
from verify.statements.quantities import with_value
from verify.statements.stated import Given, pool_with, stated

L = Whole("L", 2, 10)
HALF = floor(L / 2)
t, a, c, C = Number("t"), Number("a"), Number("c"), Number("C")
POINT = x1, x2, x3 = Number("x1"), Number("x2"), Number("x3")
ALONG = u1, u2, u3 = Number("u1"), Number("u2"), Number("u3")


# the networks -------------------------------------------------------------------------------------
def column(*entries: Any) -> Term:
    """The vector of these entries."""
    return vector(len(entries), lambda i: list_(*entries)[i])


def lines(*rows: Sequence[Any]) -> Term:
    """The matrix of these rows."""
    every = list_(*(list_(*row) for row in rows))
    return matrix(len(rows), len(rows[0]), lambda i, j: every[i][j])


ONE = ([1, 0, 0], [0, 1, 0], [0, 0, 1])
IDENTITY, SHEAR = eye(3), lines([1, 0, 0], [0, 1, 0], [1, -1, 1])
UP, DOWN = t ** (HALF - 1), t ** (2 - L)  # e^((L - 2)/2 epsilon), e^(-(L - 2) epsilon)


def layers(into: Term, out: Term) -> Callable[[Any], Term]:
    """W_l, with these weights into and out of the neurons of layer L/2."""
    first, last = ([[s, 0, 0], [0, s, 0], [0, 0, s**-2]] for s in (t, 1 / t))

    def weight(layer: Any) -> Term:
        behind = When(layer == HALF + 1, out, lines(*last))
        return When(layer < HALF, lines(*first), When(layer == HALF, into, behind))

    return weight


PRINTED = layers(
    lines(*ONE, [1 / UP, -1 / UP, 0]),
    lines([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, DOWN]),
)
SHARE = c * DOWN / (1 - a**2)
MENDED = layers(
    lines(*ONE, [1 / UP, -1 / UP, 0], [-1 / UP, 1 / UP, 0]),
    lines([1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, SHARE, a * SHARE]),
)
"""Two neurons make sigma(u) + a sigma(-u) = (1 - a^2) max(u, 0)."""


def sigma(u: Any) -> Term:
    """The leaky ReLU of a number."""
    return larger(u, 0) + a * smaller(u, 0)


def alpha(layer: Any, weight: Callable[[Any], Term] = PRINTED) -> Term:
    """alpha_l(x)."""

    def above(below: Term, k: Term) -> Term:
        z = weight(k) @ below
        return vector(dim(z), lambda i: sigma(z[i]))

    return Fold(upto(layer), column(*POINT), above)


def output(weight: Callable[[Any], Term] = PRINTED) -> Term:
    """f_theta(x)."""
    return weight(L) @ alpha(L - 1, weight)


theta = Sum(upto(L), lambda k: frob2(PRINTED(k)))
"""|theta|^2."""


def printed_lines(share: Any) -> tuple[Term, Term]:
    """Line 1 of the display of the norm; line 2 with a factor before its brackets."""
    small, rise, fall = 2 * DOWN, 2 * t**2 + t**-4, 2 * t**-2 + t**4
    square = t ** (-2 * (L - 2))
    one = (L - 2) / 2 * rise + (3 + small) + (3 + square) + (L - 2) / 2 * fall
    up, down = 2 * (t**2 - 1) + (t**-4 - 1), 2 * (t**-2 - 1) + (t**4 - 1)
    return one, 3 * L + share * up + small + square + share * down


# hypotheses ---------------------------------------------------------------------------------------
def _set(**values: Fraction | int) -> Callable[[Tensors, Random], Tensors]:
    def change(case: Tensors, random: Random) -> Tensors:
        for name, value in values.items():
            case = with_value(case, name, value)
        return case

    return change


def even(depth: Term) -> Given:
    """The depth is even."""
    return Given(
        "even depth",
        (depth >= 2) & (depth % 2 == 0),
        r"$L\ge2$ is even",
        lambda case, random: with_value(case, "L", max(2, case.whole("L") // 2 * 2)),
    )


def _positive_t(case: Tensors, random: Random) -> Tensors:
    size = abs(case.number("t")) or Fraction(random.choice((2, 3)), 2)
    return with_value(case, "t", size)


def _inside(case: Tensors, random: Random) -> Tensors:
    if abs(case.number("a")) < 1:
        return case
    return with_value(case, "a", Fraction(random.choice((0, 1, -1)), 2))


def _folded(case: Tensors, random: Random) -> Tensors:
    for name in ("x1", "x2", "x3"):
        case = with_value(case, name, abs(case.number(name)))
    return case


def _negative(case: Tensors, random: Random) -> Tensors:
    name = random.choice(("x1", "x2", "x3"))
    return with_value(case, name, -abs(case.number(name)) - Fraction(random.randint(1, 4), 2))


EVEN = even(L)
EPSILON = Given("t above 0", t > 0, r"$t=e^\epsilon$ with $\epsilon$ real", _positive_t)
SLOPE = Given(
    "slope inside (-1, 1)",
    (a > -1) & (a < 1),
    r"$\sigma_a$ with $a\in(-1,1)$",
    _inside,
    lambda case, random: with_value(case, "a", random.choice((1, -1, 2, -2))),
)
RELU = Given(
    "ReLU",
    a == 0,
    "$a=0$",
    _set(a=0),
    lambda case, random: with_value(case, "a", Fraction(random.choice((1, -1)), 2)),
)
ORTHANT = Given(
    "in the orthant",
    (x1 >= 0) & (x2 >= 0) & (x3 >= 0),
    r"$x\in\mathbb R_+^3$",
    _folded,
    _negative,
)
ONE_CONSTANT = "the constant of the function is $1$"
CONSTANT_1 = Given(
    "constant 1",
    c == 1,
    ONE_CONSTANT,
    _set(c=1),
    lambda case, random: with_value(case, "c", random.choice((0, 2, -1))),
)
AT_LEAST_0 = Given(
    "constant at least 0",
    c >= 0,
    r"the constant of the function is $c\ge0$",
    lambda case, random: with_value(case, "c", abs(case.number("c"))),
    lambda case, random: with_value(case, "c", -abs(case.number("c")) - 1),
)


# the weights --------------------------------------------------------------------------------------
PROOF = "Example 20, proof (1)"
BENT = x3 + sigma(x1 - x2)
DISPLAYS = {
    "alpha1": r"$\alpha_{L/2-1}(x)=(e^{\frac{L-2}2\epsilon}x_1,e^{\frac{L-2}2\epsilon}x_2,"
    r"e^{-(L-2)\epsilon}x_3)^\top$",
    "alpha2": r"$\alpha_{L/2}(x)=(e^{\frac{L-2}2\epsilon}x_1,e^{\frac{L-2}2\epsilon}x_2,"
    r"e^{-(L-2)\epsilon}x_3,\sigma(x_1-x_2))^\top$",
    "alpha3": r"$\alpha_{L/2+1}(x)=(e^{\frac{L-2}2\epsilon}x_1,e^{\frac{L-2}2\epsilon}x_2,"
    r"e^{-(L-2)\epsilon}(x_3+\sigma(x_1-x_2)))^\top$",
    "f": r"$f_\theta(x)=(x_1,x_2,x_3+\sigma(x_1-x_2))^\top$",
}
SAYS = {
    "alpha1": alpha(HALF - 1) == column(UP * x1, UP * x2, DOWN * x3),
    "alpha2": alpha(HALF) == column(UP * x1, UP * x2, DOWN * x3, sigma(x1 - x2)),
    "alpha3": implies(HALF + 1 < L, alpha(HALF + 1) == column(UP * x1, UP * x2, DOWN * BENT)),
    "f": output() == column(x1, x2, BENT),
}
BENT_AGAIN = (
    r"for a slope $a>0$ the coordinate $x_3+\sigma(x_1-x_2)$ may be negative, and the layers "
    "behind it bend it again"
)


def _weights(which: str, *, mended: bool = False) -> Claim:
    name = f"j23.ex20.weights.{which}@B"
    wrong = which in ("alpha3", "f") and not mended
    return stated(
        f"{name}.fix" if mended else name,
        printed(PROOF),
        "displayed activations, for the ReLU" if mended else "displayed activations",
        f"For all $x\\in\\mathbb R_+^3$: {DISPLAYS[which]}.",
        SAYS[which],
        (EVEN, EPSILON, RELU if mended else SLOPE, ORTHANT),
        reading="B",
        reading_text="the four matrices fill the layers in the order printed",
        why=BENT_AGAIN if wrong else "",
        repairs=name if mended else None,
    )


# the norm -----------------------------------------------------------------------------------------
LINE_2 = (
    r"$3L+{0}[2(e^{{2\epsilon}}-1)+(e^{{-4\epsilon}}-1)]+2e^{{-(L-2)\epsilon}}+"
    r"e^{{-2(L-2)\epsilon}}+{0}[2(e^{{-2\epsilon}}-1)+(e^{{4\epsilon}}-1)]$"
)
line_1, line_2 = printed_lines(1)


def _norm(line: str, title: str, text: str, says: Term, **others: Any) -> Claim:
    where = printed(f"{PROOF}, display of the norm, line {line[4]}")
    return stated(f"j23.ex20.norm.{line}", where, title, text, says, (EVEN, EPSILON), **others)


NORM = (
    _norm(
        "line1",
        "norm of the parameters",
        r"$\lVert\theta\rVert^2=\frac{L-2}2(2e^{2\epsilon}+e^{-4\epsilon})+(3+2e^{-(L-2)\epsilon})+"
        r"(3+e^{-2(L-2)\epsilon})+\frac{L-2}2(2e^{-2\epsilon}+e^{4\epsilon})$.",
        theta == line_1,
    ),
    _norm(
        "line2",
        "norm of the parameters, second line",
        f"Line 1 equals {LINE_2.format('')} (without the square brackets).",
        line_1 == line_2,
        why=r"the factor $\frac{L-2}2$ of line 1 is lost before both brackets",
    ),
    _norm(
        "line2.fix",
        "norm of the parameters, second line repaired",
        "Line 1 equals " + LINE_2.format(r"\frac{L-2}2") + ".",
        line_1 == printed_lines((L - 2) / 2)[1],
        repairs="j23.ex20.norm.line2",
    ),
)


# the function -------------------------------------------------------------------------------------
F = x1, x2, When(x1 <= x2, x3, x3 + c * (x1 - x2))
JACOBIAN = When(x1 < x2, IDENTITY, SHEAR)
BETWEEN = nuclear(IDENTITY - SHEAR)
LOGS = (log(pdet2(IDENTITY)) + log(pdet2(SHEAR))) / 2


def lipschitz() -> Term:
    """The largest operator norm of W_l ... W_1 and of W_L ... W_(l+1): at x in the orthant with
    x1 > x2 every neuron of a network with the ReLU is active."""

    def product(first: Any, last: Any) -> Term:
        return Fold(between(first + 1, last), PRINTED(first), lambda below, k: PRINTED(k) @ below)

    return Max(upto(L), lambda k: larger(norm(product(1, k)), norm(product(k, L))))


FUNCTION = (
    stated(
        "j23.ex20.network.fix",
        printed("Example 20, statement"),
        "networks for every slope and every constant of at least 0",
        r"With two neurons $\sigma(u)+a\sigma(-u)=(1-a^2)\max(u,0)$ in the middle the networks are "
        r"the function with the constant $c\ge0$ on $\mathbb R_+^3$, for every slope, $L$ and "
        r"$\epsilon$.",
        output(MENDED) == column(*F),
        (EVEN, EPSILON, SLOPE, AT_LEAST_0, ORTHANT),
        repairs="j23.ex20.weights.f@B",
    ),
    stated(
        "j23.ex20.jac@B",
        printed(f"{PROOF}, first sentence"),
        "two values of the Jacobian",
        r"Inside $\mathbb R_+^3$ the Jacobian is $I_3$ or "
        r"$\left(\begin{matrix}1&0&0\\0&1&0\\1&-1&1\end{matrix}\right)$, with "
        r"$2\log|I_3|_+=0$.",
        implies(x1 != x2, column(*map(Rate, F)) == JACOBIAN @ column(*ALONG))
        & (log(pdet2(IDENTITY)) == 0),
        (CONSTANT_1, ORTHANT),
        flow={"x1": u1, "x2": u2, "x3": u3},
        reading="B",
        reading_text=ONE_CONSTANT,
    ),
    stated(
        "j23.ex20.lip.networks",
        printed("Example 20, proof (2)"),
        "the networks of the example against the bound for Lipschitz representations",
        r"Not printed: with the ReLU, and $C_L$ the largest Lipschitz constant of the "
        r"representations of the network at a point with $x>y$, "
        r"$\lVert\theta\rVert^2-3L\ge C_L^{-2}\lVert I_3-J\rVert_*$, "
        r"$J$ the other value of the Jacobian. So $C_L\to\infty$ where "
        r"$\lVert\theta\rVert^2-3L\to0$.",
        theta - 3 * L >= BETWEEN / lipschitz() ** 2,
        (EVEN, EPSILON, RELU),
        pool=replace(pool_with(t, a, L), integers=(("L", 2, 6),)),
    ),
    stated(
        "j23.ex20.lip",
        printed("Example 20, proof (2), display"),
        "the bound of Proposition 13 for the example",
        r"$\log|I_3|_++\log\left|\left(\begin{matrix}1&0&0\\0&1&0\\1&-1&1\end{matrix}\right)"
        r"\right|_+=0$ and the nuclear norm of the difference of the two matrices is $\sqrt2$; so "
        r"the right side is $\sqrt2\,C^{-2}>0$ for every $C$.",
        (LOGS == 0) & (BETWEEN**2 == 2) & (LOGS + C**-2 * BETWEEN > 0),
        kind=Kind.IDENTITY,
        through="Proposition 13 is taken as it is printed, and that its right side is above $0$ is "
        "measured (docs/mathematics/j23.md#its-first-correction)",
    ),
)


# the choice of epsilon ----------------------------------------------------------------------------
GAMMAS = tuple(map(Fraction, ("1/4", "1/2", "1", "5/4")))
INSIDE = tuple(map(Fraction, ("51/100", "3/5", "3/4", "9/10")))
DEPTH, gamma = Whole("L", 2, 10**4), Number("gamma")


def _to_inside(case: Tensors, random: Random) -> Tensors:
    inside = Fraction(1, 2) < case.number("gamma") < 1
    return case if inside else with_value(case, "gamma", random.choice(INSIDE))


GAMMA = Given(
    "gamma between 1/2 and 1",
    (gamma > Fraction(1, 2)) & (gamma < 1),
    r"$\gamma\in(\frac12,1)$",
    _to_inside,
    lambda case, random: with_value(case, "gamma", random.choice(GAMMAS)),
)


def within(low: Term, number: Term, high: Term) -> Term:
    """low <= number <= high."""
    return (low <= number) & (number <= high)


def orders() -> Term:
    """The two sums between 6 and 12 times, and 12 and 60 times, L^(-2 gamma)."""
    epsilon, square = DEPTH**-gamma, DEPTH ** (-2 * gamma)
    rise = 2 * (exp(2 * epsilon) - 1) + (exp(-4 * epsilon) - 1)
    fall = 2 * (exp(-2 * epsilon) - 1) + (exp(4 * epsilon) - 1)
    return within(6 * square, rise, 12 * square) & within(12 * square, fall, 60 * square)


def decays() -> Term:
    """The two exponentials between 1 and e^2 times e^(-L^(1 - gamma)), and its square."""
    term, bound = (DEPTH - 2) * DEPTH**-gamma, DEPTH ** (1 - gamma)
    one, other = (
        within(exp(-k * bound), exp(-k * term), exp(2 * k) * exp(-k * bound)) for k in (1, 2)
    )
    return one & other


CONSTANTS = (
    "the constants of the orders are worked out "
    "(docs/mathematics/j23.md#the-networks-of-example-20)"
)


def _choice(name: str, title: str, text: str, says: Term) -> Claim:
    return stated(
        f"j23.ex20.gamma.{name}",
        printed(f"{PROOF}, last sentences"),
        title,
        text,
        says,
        (GAMMA, even(DEPTH)),
        through=CONSTANTS,
    )


CHOICE = (
    _choice(
        "orders",
        "orders of the sums of exponentials",
        r"With $\epsilon=L^{-\gamma}$ the terms $2(e^{2\epsilon}-1)+(e^{-4\epsilon}-1)$ and "
        r"$2(e^{-2\epsilon}-1)+(e^{4\epsilon}-1)$ are of order $L^{-2\gamma}$: between $6$ and "
        r"$12$ times, and between $12$ and $60$ times $L^{-2\gamma}$.",
        orders(),
    ),
    _choice(
        "decay",
        "exponential decay",
        r"The terms $2e^{-(L-2)\epsilon}$ and $e^{-2(L-2)\epsilon}$ decay exponentially at a rate "
        r"of $e^{L^{1-\gamma}}$: $e^{-(L-2)\epsilon}$ is between $1$ and $e^2$ times "
        r"$e^{-L^{1-\gamma}}$.",
        decays(),
    ),
)

CLAIMS = (
    _weights("alpha1"),
    _weights("alpha2"),
    *(_weights(which, mended=mended) for which in ("alpha3", "f") for mended in (False, True)),
    *NORM,
    *FUNCTION,
    *CHOICE,
)
