"""Theorem 3, first claim: R^(1) against the pseudo-determinant of the Jacobian.

The cost knows f on Omega alone, so the Jacobian that bounds it is the one along Omega. On the
segment from 0 to (1, 1) the function x_1, with |Jf|_+ = 1, is (x_1 + x_2) / 2 as well: R =
L 2^(-1/L), R^(1) = -log 2 < 0.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np

from graphs.rationals import RATIONALS
from graphs.rings import ring_of
from verify.cases.tensors import Tensors
from verify.core.argument import Argument, Step
from verify.kinds.deep.layered import layered_pool
from verify.kinds.deep.networks import Deep
from verify.kinds.deep.pool import gaussian, pool
from verify.language.building import (
    Each,
    Matrix,
    Number,
    Vector,
    Whole,
    examples,
    log,
    pdet2,
    rank,
    schatten,
)
from verify.language.terms import Term
from verify.papers.j23.affine_cases import HULL, affine_pool
from verify.papers.j23.affine_costs import Affine
from verify.papers.j23.matrix_notation import KEPT_SLOPE
from verify.papers.j23.network_notation import (
    DEPTH,
    FULLY_CONNECTED,
    PARAMETER_SQUARE,
    SLOPE,
    SMOOTH,
    image,
    jacobian,
)
from verify.papers.j23.sources import printed
from verify.statements.quantities import with_value
from verify.statements.stated import Given, pool_with, stated

AFFINE = rf"affine $f(x)=Fx+d$, {HULL}"
F, d = Matrix("F", "q", "n"), Vector("d", "q")
f = Affine(F, d)


# the bound ----------------------------------------------------------------------------------------
RANK_EQUAL = Given(
    "rank equality",
    rank(F) == f.order,
    r"$\mathrm{Rank}\,Jf(x)=R^{(0)}(f;\Omega)$",
)
DEPENDS = ("j23.schatten@A", "j23.expansion")
THROUGH = (
    "the costs of affine maps on hulls of points lie between bounds that hold at every depth "
    "(docs/mathematics/j23.md#bounds-on-an-infimum)"
)


BOUND = stated(
    "j23.thm3.lb@B",
    printed("Theorem 3 (Theorem 11)"),
    "lower bound on the first correction",
    r"For all $x$ where $\mathrm{Rank}\,Jf(x)=R^{(0)}(f;\Omega)$, "
    r"$R^{(1)}(f;\Omega)\ge2\log|Jf(x)|_+$.",
    f.correction_at_most() >= log(pdet2(F)),
    (KEPT_SLOPE, RANK_EQUAL),
    depends=DEPENDS,
    pool=affine_pool(F, d),
    reading="B",
    reading_text=rf"{AFFINE}; $Jf$ is the whole Jacobian",
    exact_only=True,
    through=THROUGH,
    why=r"The cost knows $f$ on $\Omega$ alone: on the segment from $0$ to $(0,1)$ the function "
    r"$x_1+x_2$ is $x_2$ as well, so $R^{(1)}(f;\Omega)=0$, while $2\log|Jf|_+=\log2$.",
)


# repaired: along the domain -----------------------------------------------------------------------
T = Matrix("T", "n0", "t", meaning="its columns span $T_x\\Omega$")


def _restricted(x: Term) -> Term:
    """Jf(x) along the domain."""
    return jacobian(x) @ image(T)


ALONG_TANGENTS = Each(
    examples(),
    lambda p: PARAMETER_SQUARE - DEPTH * rank(_restricted(p)) >= log(pdet2(_restricted(p))),
)


def _also_planes(case: Deep, random: Random) -> Deep:
    """In two of three cases another column for T where it is one alone and there is room: along a
    line the pseudo-determinant is but a norm."""
    tangent = case.matrix("T")
    if tangent.shape[1] > 1 or len(tangent) == 1 or random.random() < 1 / 3:
        return case
    more = RATIONALS.array([gaussian(random) for _ in tangent]).reshape(-1, 1)
    return case.with_array("T", np.concatenate([tangent, more], axis=1))


REPAIRED = stated(
    "j23.thm3.lb@B.fix",
    printed("Theorem 11"),
    "lower bound on the first correction, repaired",
    r"For all $x$ where $k=\mathrm{Rank}\,Jf(x)_{|T_x\Omega}=R^{(0)}(f;\Omega)$, $R^{(1)}(f;\Omega)"
    r"\ge2\log|Jf(x)_{|T_x\Omega}|_+$: every network of depth $L$ that is $f$ on $\Omega$ has "
    r"$\lVert\theta\rVert^2-Lk\ge2\log|Jf(x)_{|T_x\Omega}|_+$. "
    r"(The columns of $T$ span $T_x\Omega$.)",
    ALONG_TANGENTS,
    (FULLY_CONNECTED, SLOPE, SMOOTH),
    depends=DEPENDS,
    pool=layered_pool(
        pool(widest=4, points=(2, 3), extras=(("T", ("n0", "t")),), last=_also_planes)
    ),
    reading="B",
    reading_text=r"Theorem 11",
    repairs="j23.thm3.lb@B",
    exact_only=True,
    through="a bound on every network of each depth that is $f$ on $\\Omega$ is one on the "
    "limit (docs/mathematics/j23.md#bounds-on-an-infimum)",
)


# the displayed steps ------------------------------------------------------------------------------
s, J, L = Number("s"), Matrix("J", "m", "n"), Whole("L", 1, 100)
POWER = s ** (2 / L) - 1 >= 2 / L * log(s)
POWERS = L * (schatten(J, 2 / L) - rank(J)) >= log(pdet2(J))


def _argument(steps: tuple[Step, ...], rests: tuple[str, ...]) -> Argument:
    """t - 1 - log t at t = s^(2/L): it falls before 1, rises behind it, and is 0 there."""
    ring = ring_of(2)
    t, inverse = ring.generators
    unit = t * inverse - 1  # 0
    derivative = Step(
        "the derivative 1 - 1/t of t - 1 - log t is (t - 1)/t, below 0 before 1, above 0 after",
        ring.is_zero(t * (1 - inverse) - (t - 1) + unit),
    )
    return Argument(
        "a slack of t - 1 - log t at t = s^(2/L), whose minimum over t > 0 is 0, at t = 1",
        (derivative, *steps),
        ("log is differentiable on t > 0 with the derivative 1/t, and log 1 = 0", *rests),
        (),
        section="docs/mathematics/j23.md#powers-and-logarithms",
    )


def power_argument() -> Argument:
    """One power."""
    return _argument(
        (),
        ("log s^(2/L) = 2/L log s",),
    )


def sum_argument() -> Argument:
    """Times L, for each singular value."""
    ring = ring_of(3)
    t, x, depth = ring.generators  # x = log t
    same = ring.is_zero(depth * (t - 1) - depth * x - depth * (t - 1 - x))
    steps = (Step("L (t - 1) - L log t = L (t - 1 - log t)", same),)
    rests = ("L log s^(2/L) = 2 log s", "2 log |J|_+ is the sum of 2 log s_i(J)")
    return _argument(steps, rests)


def _positive(case: Tensors, random: Random) -> Tensors:
    """s above 0."""
    value = abs(case.number("s")) or Fraction(random.randint(1, 40), random.randint(1, 40))
    return with_value(case, "s", value)


WHERE = "proof of Theorem 11, first displays"

STEP = stated(
    "j23.thm3.lb.a",
    printed(WHERE),
    "a power against a logarithm",
    r"$s^{2/L}-1=e^{\frac2L\log s}-1\ge\frac2L\log s$.",
    POWER,
    pool=pool_with(s, L, adapt=_positive),
    exact_only=True,
    proof=power_argument,
)

SUM = stated(
    "j23.thm3.lb.b",
    printed(WHERE),
    "powers of singular values against the pseudo-determinant",
    r"$L\sum_{i=1}^{\mathrm{Rank}\,Jf(x)}\big(s_i(Jf(x))^{2/L}-1\big)\ge"
    r"\sum_{i=1}^{\mathrm{Rank}\,Jf(x)}2\log s_i(Jf(x))$. (The sum governs the $-1$.)",
    POWERS,
    depends=("j23.thm3.lb.a",),
    pool=pool_with(J, L, largest=3),
    exact_only=True,
    proof=sum_argument,
)

CLAIMS = (BOUND, REPAIRED, STEP, SUM)
