"""Example 20, proof (1): a function without convergent optimal representations, by its networks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from graphs.arithmetic import rational
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.papers.j23.example20_cases import (
    EPSILON,
    EVEN,
    ORTHANT,
    POOL,
    RELU,
    SLOPE,
    Numbers,
    changed,
)
from verify.papers.j23.example20_networks import Example, standing
from verify.papers.j23.sources import printed
from verify.sides import Side, by_numbers


# the weights -------------------------------------------------------------------------------------
def activations(case: Numbers, which: str) -> Iterator[Side]:
    """A displayed activation, or the output, minus that of the network."""
    if not standing(case):
        return
    network, x = Example.of(case), case.point
    m, half, up = network.m, case.whole("L") // 2, network.t**network.m
    bend = network.activated(x[:1] - x[1:2])[0]
    shown = {
        "alpha1": (half - 1, [up * x[0], up * x[1], x[2] / up**2]),
        "alpha2": (half, [up * x[0], up * x[1], x[2] / up**2, bend]),
        "alpha3": (half + 1, [up * x[0], up * x[1], (x[2] + bend) / up**2]),
        "f": (case.whole("L"), [x[0], x[1], x[2] + bend]),
    }
    layer, values = shown[which]
    if which == "alpha3" and m == 0:  # the output, which is no activation
        return
    for i, (one, other) in enumerate(zip(network.forward(x)[layer], values, strict=True)):
        yield {"coordinate": i}, one, other


def represents(case: Numbers) -> Iterator[Side]:
    """The mended network minus the function, at the point."""
    if not standing(case):
        return
    network, x, c = Example.of(case), case.point, case.value("c")
    if network.slope**2 == 1:
        return
    third = x[2] if x[0] <= x[1] else x[2] + c * (x[0] - x[1])
    outputs = network.forward(x, network.mended(c))[-1]
    for i, (one, other) in enumerate(zip(outputs, (x[0], x[1], third), strict=True)):
        yield {"coordinate": i}, one, other


# the norm ----------------------------------------------------------------------------------------
def line(case: Numbers, number: int) -> Any:
    """Line 1 or 2 of the display of the norm; 3 is line 2 with the factors (L - 2)/2."""
    depth, t = case.whole("L"), case.value("t")
    small = t ** (2 - depth)  # e^(-(L - 2) epsilon)
    half = rational(Fraction(depth - 2, 2))
    if number == 1:
        first, last = 2 * t**2 + t**-4, 2 * t**-2 + t**4
        return half * first + (3 + 2 * small) + (3 + small**2) + half * last
    rise = 2 * (t**2 - 1) + (t**-4 - 1)
    fall = 2 * (t**-2 - 1) + (t**4 - 1)
    share = half if number == 3 else rational(1)
    return 3 * depth + share * rise + 2 * small + small**2 + share * fall


def first_line(case: Numbers) -> Iterator[Side]:
    """|theta|^2 minus line 1."""
    if standing(case):
        yield {}, Example.of(case).square, line(case, 1)


def second_line(case: Numbers, number: int) -> Iterator[Side]:
    """Line 1 minus line 2."""
    if standing(case):
        yield {}, line(case, 1), line(case, number)


# claims ------------------------------------------------------------------------------------------
PROOF = "Example 20, proof (1)"
DISPLAYS = {
    "alpha1": r"$\alpha_{L/2-1}(x)=(e^{\frac{L-2}2\epsilon}x_1,e^{\frac{L-2}2\epsilon}x_2,"
    r"e^{-(L-2)\epsilon}x_3)^\top$",
    "alpha2": r"$\alpha_{L/2}(x)=(e^{\frac{L-2}2\epsilon}x_1,e^{\frac{L-2}2\epsilon}x_2,"
    r"e^{-(L-2)\epsilon}x_3,\sigma(x_1-x_2))^\top$",
    "alpha3": r"$\alpha_{L/2+1}(x)=(e^{\frac{L-2}2\epsilon}x_1,e^{\frac{L-2}2\epsilon}x_2,"
    r"e^{-(L-2)\epsilon}(x_3+\sigma(x_1-x_2)))^\top$",
    "f": r"$f_\theta(x)=(x_1,x_2,x_3+\sigma(x_1-x_2))^\top$",
}
IN_ORDER = "the four matrices fill the layers in the order printed"
BENT_AGAIN = (
    r"for a slope $a>0$ the coordinate $x_3+\sigma(x_1-x_2)$ may be negative, and the layers "
    "behind it bend it again"
)


def _weights() -> Iterator[Claim]:
    for which, text in DISPLAYS.items():
        claim = Claim(
            f"j23.ex20.weights.{which}@B",
            Kind.IDENTITY,
            printed(PROOF),
            "displayed activations",
            f"For all $x\\in\\mathbb R_+^3$: {text}.",
            (EVEN, EPSILON, SLOPE, ORTHANT),
            measure=by_numbers(partial(activations, which=which)),
            pool=POOL,
            reading="B",
            reading_text=IN_ORDER,
            exact_only=True,
            why=BENT_AGAIN if which in ("alpha3", "f") else "",
        )
        yield claim
        if which in ("alpha3", "f"):
            yield replace(
                claim,
                why="",
                id=f"{claim.id}.fix",
                title="displayed activations, for the ReLU",
                hypotheses=(EVEN, EPSILON, RELU, ORTHANT),
                repairs=claim.id,
            )


LINE_2 = (
    r"$3L+{0}[2(e^{{2\epsilon}}-1)+(e^{{-4\epsilon}}-1)]+2e^{{-(L-2)\epsilon}}+"
    r"e^{{-2(L-2)\epsilon}}+{0}[2(e^{{-2\epsilon}}-1)+(e^{{4\epsilon}}-1)]$"
)
NORM = (
    Claim(
        "j23.ex20.norm.line1",
        Kind.IDENTITY,
        printed(f"{PROOF}, display of the norm, line 1"),
        "norm of the parameters",
        r"$\lVert\theta\rVert^2=\frac{L-2}2(2e^{2\epsilon}+e^{-4\epsilon})+(3+2e^{-(L-2)\epsilon})+"
        r"(3+e^{-2(L-2)\epsilon})+\frac{L-2}2(2e^{-2\epsilon}+e^{4\epsilon})$.",
        (EVEN, EPSILON),
        measure=by_numbers(first_line),
        pool=POOL,
        exact_only=True,
    ),
    Claim(
        "j23.ex20.norm.line2",
        Kind.IDENTITY,
        printed(f"{PROOF}, display of the norm, line 2"),
        "norm of the parameters, second line",
        f"Line 1 equals {LINE_2.format('')} (without the square brackets).",
        (EVEN, EPSILON),
        measure=by_numbers(partial(second_line, number=2)),
        pool=POOL,
        exact_only=True,
        why=r"the factor $\frac{L-2}2$ of line 1 is lost before both brackets",
    ),
    Claim(
        "j23.ex20.norm.line2.fix",
        Kind.IDENTITY,
        printed(f"{PROOF}, display of the norm, line 2"),
        "norm of the parameters, second line repaired",
        "Line 1 equals " + LINE_2.format(r"\frac{L-2}2") + ".",
        (EVEN, EPSILON),
        measure=by_numbers(partial(second_line, number=3)),
        pool=POOL,
        repairs="j23.ex20.norm.line2",
        exact_only=True,
    ),
)


AT_LEAST_0 = Hypothesis(
    "constant at least 0",
    r"the constant of the function is $c\ge0$",
    by_case(lambda case: case.number("c") >= 0),
    lambda case, random: changed(case, c=abs(case.number("c"))),
    lambda case, random: changed(case, c=-abs(case.number("c")) - 1),
)
MENDED = Claim(
    "j23.ex20.network.fix",
    Kind.IDENTITY,
    printed("Example 20, statement"),
    "networks for every slope and every constant of at least 0",
    r"With two neurons $\sigma(u)+a\sigma(-u)=(1-a^2)\max(u,0)$ in the middle the networks are the "
    r"function with the constant $c\ge0$ on $\mathbb R_+^3$, for every slope, $L$ and $\epsilon$.",
    (EVEN, EPSILON, SLOPE, AT_LEAST_0, ORTHANT),
    measure=by_numbers(represents),
    pool=POOL,
    repairs="j23.ex20.weights.f@B",
    exact_only=True,
)
CLAIMS = (*_weights(), *NORM, MENDED)
