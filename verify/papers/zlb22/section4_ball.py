"""The smallest eigenvalue of the tangent kernel in a ball, parts (a) to (c).

In (a) and (b) a case holds the Jacobians `J` (n, P) at w_0 and J + `D` at a point w with
|w - w_0| <= R, and a bound `h` on the Hessian norms of f(.; x_i) on the ball: the mean-value bound
says that each row of D has length at most R h. With K = (J + D)(J + D)^T and K_0 = J J^T,
K - K_0 = D (J + D)^T + J D^T. The constant of the printed O is sqrt(n) R (|J| + |J + D|); no width
enters it but through the norm of J, which has a mean square that does not grow with the width.

(c) is about numbers. With mu = lambda_0/2, R = c/mu and |H_f| <= eta/sqrt(m) on the ball, the bound
of (b) is at least mu from a width on.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import isqrt
from random import Random

from graphs import reals
from graphs.rationals import RATIONALS
from verify.cases.tensors import Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Claim
from verify.kinds.statistics.exponents import Exponents, Family, Predicted
from verify.language.building import (
    Each,
    Matrix,
    Number,
    Whole,
    eigenvalues,
    frob2,
    norm,
    row,
    rows,
    smaller,
    sqrt,
    upto,
)
from verify.language.terms import Term
from verify.papers.zlb22.sources import printed
from verify.papers.zlb22.training_runs import EIGENVALUE, eigenvalue_change
from verify.statements.derivations.matrix_words import EVERY_SIZE, matrix
from verify.statements.derivations.symbols import same, symbols
from verify.statements.quantities import listed, rows_of, square, with_entries, with_value
from verify.statements.stated import Given, pool_with, stated, true_of

PLACE = printed("Section 4, Extending PL* condition to B(w_0, R)")


# parts (a) and (b) --------------------------------------------------------------------------------
J, D, R, h = Matrix("J", "n", "P"), Matrix("D", "n", "P"), Number("R"), Number("h")
REACH = sqrt(rows(J)) * R * h


def least(jacobian: Term) -> Term:
    """lambda_min of the kernel."""
    return eigenvalues(jacobian @ jacobian.T)[rows(jacobian)]


CHANGE = abs(least(J + D) - least(J)) <= REACH * (norm(J) + norm(J + D))
DEFINITE = least(J + D) > 0


# hypotheses ---------------------------------------------------------------------------------------
def _moves(case: Tensors) -> list[Fraction]:
    return [square(row) for row in rows_of(case, "D")]


WITHIN = (R >= 0) & (h >= 0) & Each(upto(rows(D)), lambda i: frob2(row(D, i)) <= (R * h) ** 2)
within = true_of(WITHIN)


def _bounded(case: Tensors, random: Random) -> Tensors:
    """h raised to what the rows need; a radius that is positive."""
    case = with_value(case, "R", abs(case.number("R")) or 1)
    case = with_value(case, "h", abs(case.number("h")))
    if within(case):
        return case
    longest = max(_moves(case)) / case.number("R") ** 2
    above = Fraction(isqrt(int(longest * 4096**2)) + 1, 4096)
    return with_value(case, "h", above)


def _to_zero(case: Tensors, random: Random) -> Tensors:
    """Some moves to a Jacobian that is 0."""
    if random.random() < 0.5:
        return case
    return with_entries(case, "D", [-entry for entry in listed(case, "J")])


MEAN_VALUE = Given(
    "mean-value bound",
    WITHIN,
    r"$\lVert H_f\rVert\le h$ on the ball, so that $\lVert\nabla f(\mathbf w;x_i)-\nabla f"
    r"(\mathbf w_0;x_i)\rVert\le Rh$ for each $i$",
    _bounded,
    lambda case, random: with_value(_to_zero(case, random), "h", case.number("h") / 64),
)


NEAR = (R >= 0) & (h >= 0) & (REACH * (2 * norm(J) + REACH) < least(J))
is_small = true_of(NEAR)


def _to_small(case: Tensors, random: Random) -> Tensors:
    """Data points are left out until the others are independent; then a shorter way."""
    while len(reals.squared_singular_values(RATIONALS.array(rows_of(case, "J")))) < (
        count := case.lengths["n"]
    ):
        if count == 1:
            case = with_entries(case, "J", [Fraction(1)] * len(listed(case, "J")))
            break
        case = case.changing(**{k: case.arrays[k].without("n", count - 1) for k in ("J", "D")})
    for _ in range(40):
        if is_small(case):
            break
        case = with_entries(case, "D", [entry / 2 for entry in listed(case, "D")])
        case = with_value(case, "h", abs(case.number("h")) / 2)
    return case


SMALL = Given(
    "small Hessians",
    NEAR,
    r"$\sqrt n\,Rh(2\lVert J(\mathbf w_0)\rVert+\sqrt n\,Rh)<\lambda_{\min}(K(\mathbf w_0))$: "
    r"$\lambda_{\min}(K(\mathbf w_0))$ is bounded away from $0$, and the Hessians are small",
    _to_small,
    lambda case, random: _bounded(
        with_entries(case, "D", [-entry for entry in listed(case, "J")]), random
    ),
)


# instances ----------------------------------------------------------------------------------------
def _pair(case: Tensors, random: Random) -> Tensors:
    """Small moves beside large ones."""
    share = random.choice((Fraction(1), Fraction(1, 8), Fraction(1, 64)))
    case = with_entries(case, "D", [entry * share for entry in listed(case, "D")])
    return _bounded(with_value(case, "h", 0), random)


PAIRS = pool_with(J, D, R, h, largest=3, adapt=_pair)


# arguments ----------------------------------------------------------------------------------------
def _kernel_change() -> Step:
    start, move = matrix("J"), matrix("D")
    moved = start + move
    change = moved @ moved.transposed - start @ start.transposed
    parts = move @ moved.transposed + start @ move.transposed
    return Step("K - K_0 = D (J + D)^T + J D^T", (change - parts).is_zero)


FACTS = (
    EVERY_SIZE,
    "Weyl's inequality: eigenvalues of symmetric matrices move by at most the norm of the change",
    "|A B| <= |A| |B|, and |D|^2 is at most the sum of the squared lengths of its n rows",
    "the mean-value inequality, by which each row of D is at most R times the largest Hessian norm",
)


def by_weyl() -> Argument:
    """|K - K_0| <= |D| (|J + D| + |J|), |D| <= sqrt(n) R h."""
    return Argument(
        "|K - K_0| is at most |D| (|J + D| + |J|), and |D| at most sqrt(n) R h",
        (_kernel_change(),),
        FACTS,
        uses=(MEAN_VALUE.name,),
        section="docs/mathematics/zlb22.md#the-kernel-in-the-ball",
    )


def stays_definite() -> Argument:
    """lambda_min(K) >= lambda_min(K_0) - s (2 |J| + s) > 0."""
    ring, (size, s) = symbols(2)
    text = "s (|J| + (|J| + s)) = s (2 |J| + s)"
    return Argument(
        "|J + D| is at most |J| + s with s = sqrt(n) R h, so lambda_min moves by at most "
        "s (2 |J| + s), which is below lambda_min(K_0)",
        (_kernel_change(), same(ring, text, s * (size + (size + s)), s * (2 * size + s))),
        FACTS,
        uses=(MEAN_VALUE.name, SMALL.name),
        section="docs/mathematics/zlb22.md#the-kernel-in-the-ball",
    )


def along_descent() -> Exponents:
    """The change of lambda_min(K) in training, over the Hessian norms: it does not grow."""
    families = [
        Family(
            f"fully connected, one hidden layer, {activation}",
            LADDERS,
            partial(eigenvalue_change, "fcn", activation),
        )
        for activation in ("tanh", "quadratic")
    ]
    return Exponents(
        lambda scale: families,
        (Predicted(EIGENVALUE, Fraction(0), above=Fraction(1, 2)),),
        scope=("gradient descent to four made points",),
    )


LADDERS = ((16, 32, 64), (16, 32, 64, 128), (16, 32, 64, 128, 256, 512))

# part (c) -----------------------------------------------------------------------------------------
lam, c, j, eta = (Number(name) for name in ("lam", "c", "j", "eta"))
n, m = Whole("n", 1, 4), Whole("m", 1, 4096)
RADIUS = c / (lam / 2)
SHRUNK = sqrt(n / m) * RADIUS * eta
AT_LEAST_MU = lam - SHRUNK * (2 * j + SHRUNK) >= lam / 2
LEAST_WIDTH = n * RADIUS**2 * eta**2 / smaller(1, lam / (4 * j + 2)) ** 2
POSITIVE = (c >= 0) & (j >= 0) & (eta >= 0) & (lam > 0)
positive = true_of(POSITIVE)


def _made_positive(case: Tensors, random: Random) -> Tensors:
    for name in ("c", "j", "eta", "lam"):
        case = with_value(case, name, abs(case.number(name)) or 1)
    return case


SIGNS = Given(
    "kernel above 0 at the start",
    POSITIVE,
    r"$\lambda_{\min}(K(\mathbf w_0))=\lambda_0>0$; $c$, $\eta$ and "
    r"$j=\lVert J(\mathbf w_0)\rVert$ are at least $0$",
    lambda case, random: case if positive(case) else _made_positive(case, random),
)


def _widened(case: Tensors, random: Random) -> Tensors:
    case = _made_positive(case, random)
    numbers = {name: case.number(name) for name in ("lam", "c", "j", "eta")}
    share = min(Fraction(1), numbers["lam"] / (4 * numbers["j"] + 2))
    moved = numbers["c"] / (numbers["lam"] / 2) * numbers["eta"]
    least_width = case.whole("n") * moved**2 / share**2
    return with_value(case, "m", max(case.whole("m"), -(-least_width // 1)))


WIDE = Given(
    "wide enough",
    m >= LEAST_WIDTH,
    r"$m\ge nR^2\eta^2/\min(1,\frac{\lambda_0}{4j+2})^2$: a sufficiently large width, where "
    r"$\lVert H_f\rVert\le\eta/\sqrt m$ on $\mathsf B(\mathbf w_0,R)$",
    _widened,
    lambda case, random: with_value(case, "m", 1),
)


def wide_for_any_radius() -> Argument:
    """s <= min(1, lambda_0 / (4 j + 2)) gives s (2 j + s) <= lambda_0 / 2."""
    ring, (s, size) = symbols(2)
    return Argument(
        "s is at most 1 and at most lambda_0 / (4 j + 2); so s (2 j + s) <= s (2 j + 1), which is "
        "at most lambda_0 / 2",
        (
            same(
                ring,
                "s (2 j + 1) - s (2 j + s) = s (1 - s)",
                s * (2 * size + 1) - s * (2 * size + s),
                s * (1 - s),
            ),
            same(ring, "2 (2 j + 1) = 4 j + 2", 2 * (2 * size + 1), 4 * size + 2),
        ),
        (
            "of numbers that are not negative, s^2 <= b^2 gives s <= b",
            "the smallest eigenvalue in the ball is at least lambda_0 - s (2 j + s), part (b)",
        ),
        uses=(SIGNS.name, WIDE.name),
        section="docs/mathematics/zlb22.md#the-kernel-in-the-ball",
        cites=("zlb22.pl.ball.b",),
    )


THROUGH = (
    r"the $O$ has the constant of the mean-value bound "
    "(docs/mathematics/zlb22.md#the-kernel-in-the-ball)"
)

CLAIMS: tuple[Claim, ...] = (
    stated(
        "zlb22.pl.ball.a",
        PLACE,
        "the smallest eigenvalue moves as the Hessians are large",
        r"For any $\mathbf w\in\mathsf B(\mathbf w_0,R)$, $|\lambda_{\min}(K(\mathbf w))-"
        r"\lambda_{\min}(K(\mathbf w_0))|\le O\big(\sup_{\mathsf B(\mathbf w_0,R)}\lVert H_f\rVert"
        r"\big)$; here with the constant $\sqrt n\,R(\lVert J(\mathbf w)\rVert+"
        r"\lVert J(\mathbf w_0)\rVert)$.",
        CHANGE,
        (MEAN_VALUE,),
        depends=("zlb22.eq16",),
        pool=PAIRS,
        exact_only=True,
        proof=by_weyl,
        through=THROUGH,
        exponents=along_descent(),
    ),
    stated(
        "zlb22.pl.ball.b",
        PLACE,
        "the kernel stays definite in the ball",
        r"Since $\lambda_{\min}(K(\mathbf w_0))$ is bounded away from $0$ and $\lVert H_f\rVert$ "
        r"is small, there is $\mu>0$ with $\inf_{\mathbf w\in\mathsf B(\mathbf w_0,R)}"
        r"\lambda_{\min}(K(\mathbf w))\ge\mu$.",
        DEFINITE,
        (MEAN_VALUE, SMALL),
        depends=("zlb22.pl.ball.a",),
        pool=PAIRS,
        exact_only=True,
        proof=stays_definite,
        through=THROUGH,
    ),
    stated(
        "zlb22.pl.ball.c",
        PLACE,
        "a radius of order 1/mu",
        r"$R$ can be set to $O(1/\mu)$ while (b) still holds: with $\mu=\lambda_0/2$ and $R=c/\mu$ "
        r"the bound of (b) is at least $\mu$ for all sufficiently large $m$.",
        AT_LEAST_MU,
        (SIGNS, WIDE),
        depends=("zlb22.pl.ball.b",),
        pool=pool_with(lam, c, j, eta, n, m, largest=1),
        exact_only=True,
        proof=wide_for_any_radius,
        through=THROUGH,
    ),
)
