"""Theorem 3, first claim: R^(1) against the pseudo-determinant of the Jacobian.

The cost knows f on Omega alone, so the Jacobian that bounds it is the one along Omega. On the
segment from 0 to (1, 1) the function x_1, with |Jf|_+ = 1, is (x_1 + x_2) / 2 as well: R =
L 2^(-1/L), R^(1) = -log 2 < 0.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import rational
from graphs.matrices import rank
from graphs.rationals import RATIONALS
from graphs.rings import ring_of
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealScene, RealTensors, as_real
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.kinds.costs.affine import Bounds
from verify.kinds.costs.corrections import corrections
from verify.kinds.deep.hypotheses import SLOPE as BREAKABLE_SLOPE
from verify.kinds.deep.hypotheses import SMOOTH
from verify.kinds.deep.networks import Deep
from verify.kinds.deep.pool import gaussian, pool
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.affine_cases import HULL, SLOPE, affine, affine_pool
from verify.papers.j23.rows import certain_slack, entries_of, exact, number
from verify.papers.j23.sources import printed

AFFINE = rf"affine $f(x)=Fx+d$, {HULL}"


# the bound ----------------------------------------------------------------------------------------
def jacobian_slack(scene: RealScene) -> Entries:
    """R^(1)(f; Omega) - 2 log |Jf|_+, where bounds decide."""
    rows: list[Any] = []
    for place, case in enumerate(scene.cases):
        found = corrections(affine(case, "F", "d"))
        if found is not None:
            target = reals.log(reals.pseudo_determinant_squared(exact(case, "F")))
            value = Bounds(found.lower, found.upper)
            rows += [(place, {}, v) for v in certain_slack(value, Bounds(target, target))]
    return entries_of(rows)


def _rank_is_first_order(case: Tensors) -> bool:
    found = corrections(affine(case, "F", "d"))
    return found is not None and found.rank == rank(exact(case, "F"))


RANK_EQUAL = Hypothesis(
    "rank equality",
    r"$\mathrm{Rank}\,Jf(x)=R^{(0)}(f;\Omega)$",
    by_case(_rank_is_first_order),
)
DEPENDS = ("j23.schatten@A", "j23.expansion")
THROUGH = (
    "the costs of affine maps on hulls of points lie between bounds that hold at every depth "
    "(docs/mathematics/j23.md#bounds-on-an-infimum)"
)


BOUND = Claim(
    "j23.thm3.lb@B",
    Kind.INEQUALITY,
    printed("Theorem 3 (Theorem 11)"),
    "lower bound on the first correction",
    r"For all $x$ where $\mathrm{Rank}\,Jf(x)=R^{(0)}(f;\Omega)$, "
    r"$R^{(1)}(f;\Omega)\ge2\log|Jf(x)|_+$.",
    (SLOPE, RANK_EQUAL),
    DEPENDS,
    measure=jacobian_slack,
    pool=affine_pool((("F", ("q", "n")), ("d", ("q",)))),
    reading="B",
    reading_text=rf"{AFFINE}; $Jf$ is the whole Jacobian",
    exact_only=True,
    through=THROUGH,
    why=r"The cost knows $f$ on $\Omega$ alone: on the segment from $0$ to $(0,1)$ the function "
    r"$x_1+x_2$ is $x_2$ as well, so $R^{(1)}(f;\Omega)=0$, while $2\log|Jf|_+=\log2$.",
)


# repaired: along the domain -----------------------------------------------------------------------
def tangent_slack(scene: DeepScene) -> Entries:
    """|theta|^2 - L k - 2 log |Jf(x) P_T|_+ with k the rank, at each point."""
    rows: list[Any] = []
    for place, case in enumerate(scene.cases):
        alone = case.exact
        tangent = reals.image_projection(case.matrix("T"))
        for at in range(alone.count):
            along = alone.jacobian(at)[0] @ tangent
            left = alone.parameter_square[0] - case.depth * rank(along)
            log = reals.log(reals.pseudo_determinant_squared(along))
            rows.append((place, {"point": at}, left - log))
    return entries_of(rows)


def _also_planes(case: Deep, random: Random) -> Deep:
    """In two of three cases another column for T where it is one alone and there is room: along a
    line the pseudo-determinant is but a norm."""
    tangent = case.matrix("T")
    if tangent.shape[1] > 1 or len(tangent) == 1 or random.random() < 1 / 3:
        return case
    more = RATIONALS.array([gaussian(random) for _ in tangent]).reshape(-1, 1)
    return case.with_array("T", np.concatenate([tangent, more], axis=1))


REPAIRED = Claim(
    "j23.thm3.lb@B.fix",
    Kind.INEQUALITY,
    printed("Theorem 11"),
    "lower bound on the first correction, repaired",
    r"For all $x$ where $k=\mathrm{Rank}\,Jf(x)_{|T_x\Omega}=R^{(0)}(f;\Omega)$, $R^{(1)}(f;\Omega)"
    r"\ge2\log|Jf(x)_{|T_x\Omega}|_+$: every network of depth $L$ that is $f$ on $\Omega$ has "
    r"$\lVert\theta\rVert^2-Lk\ge2\log|Jf(x)_{|T_x\Omega}|_+$. "
    r"(The columns of $T$ span $T_x\Omega$.)",
    (BREAKABLE_SLOPE, SMOOTH),
    DEPENDS,
    measure=tangent_slack,
    pool=pool(widest=4, points=(2, 3), extras=(("T", ("n0", "t")),), last=_also_planes),
    reading="B",
    reading_text=r"Theorem 11",
    repairs="j23.thm3.lb@B",
    exact_only=True,
    through="a bound on every network of each depth that is $f$ on $\\Omega$ is one on the "
    "limit (docs/mathematics/j23.md#bounds-on-an-infimum)",
)


# the displayed steps ------------------------------------------------------------------------------
def power_slack(scene: RealScene) -> Entries:
    """s^(2/L) - 1 - 2/L log s."""
    rows: list[Any] = []
    for place, case in enumerate(scene.cases):
        s, depth = number(case, "s"), case.whole("L")
        if s > 0 and depth > 0:
            log = reals.log(s) * rational(Fraction(2, depth))
            rows.append((place, {}, reals.power(s, Fraction(2, depth)) - 1 - log))
    return entries_of(rows)


def sum_slack(scene: RealScene) -> Entries:
    """L sum_i (s_i(J)^(2/L) - 1) - sum_i 2 log s_i(J)."""
    rows: list[Any] = []
    for place, case in enumerate(scene.cases):
        matrix, depth = exact(case, "J"), case.whole("L")
        if depth > 0:
            squares = reals.squared_singular_values(matrix)
            powers: Any = rational(0)
            for square in squares:
                powers = powers + reals.power(square, Fraction(1, depth)) - 1
            log = reals.log(reals.pseudo_determinant_squared(matrix))
            rows.append((place, {}, powers * depth - log))
    return entries_of(rows)


def _argument(measure: str, steps: tuple[Step, ...], rests: tuple[str, ...]) -> Argument:
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
        measure=measure,
        uses=(),
        section="docs/mathematics/j23.md#powers-and-logarithms",
    )


def power_argument() -> Argument:
    """One power."""
    return _argument("power_slack", (), ("log s^(2/L) = 2/L log s",))


def sum_argument() -> Argument:
    """Times L, for each singular value."""
    ring = ring_of(3)
    t, x, depth = ring.generators  # x = log t
    same = ring.is_zero(depth * (t - 1) - depth * x - depth * (t - 1 - x))
    steps = (Step("L (t - 1) - L log t = L (t - 1 - log t)", same),)
    rests = ("L log s^(2/L) = 2 log s", "2 log |J|_+ is the sum of 2 log s_i(J)")
    return _argument("sum_slack", steps, rests)


def _positive(case: Tensors, random: Random) -> RealTensors:
    """s above 0."""
    array = case.arrays["s"]
    value = abs(array.entries[0]) or Fraction(random.randint(1, 40), random.randint(1, 40))
    return as_real(case.changing(s=replace(array, entries=(value,))), random)


DEPTHS = (("L", 1, 100),)
WHERE = "proof of Theorem 11, first displays"

STEP = Claim(
    "j23.thm3.lb.a",
    Kind.INEQUALITY,
    printed(WHERE),
    "a power against a logarithm",
    r"$s^{2/L}-1=e^{\frac2L\log s}-1\ge\frac2L\log s$.",
    measure=power_slack,
    pool=TensorPool((("s", ()),), DEPTHS, adapt=_positive),
    exact_only=True,
    proof=power_argument,
)

SUM = Claim(
    "j23.thm3.lb.b",
    Kind.INEQUALITY,
    printed(WHERE),
    "powers of singular values against the pseudo-determinant",
    r"$L\sum_{i=1}^{\mathrm{Rank}\,Jf(x)}\big(s_i(Jf(x))^{2/L}-1\big)\ge"
    r"\sum_{i=1}^{\mathrm{Rank}\,Jf(x)}2\log s_i(Jf(x))$. (The sum governs the $-1$.)",
    depends=("j23.thm3.lb.a",),
    measure=sum_slack,
    pool=TensorPool((("J", ("m", "n")),), DEPTHS, largest=3, adapt=as_real),
    exact_only=True,
    proof=sum_argument,
)

CLAIMS = (BOUND, REPAIRED, STEP, SUM)
