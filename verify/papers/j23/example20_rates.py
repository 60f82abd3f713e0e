"""Example 20 for large depths: the terms of the norm with epsilon = L^-gamma, and R^(1) = 0.

The norms have closed forms, so depths go to 10^76. R^(1)(f) = 0 is looked at from above, by the
excess |theta|^2 - 3 L of networks that are the function (j23.ex20.network.fix, exactly); from below
it is the bound by the Jacobian I_3 (j23.schatten).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import rational
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.papers.j23.example20_cases import ONE
from verify.papers.j23.sources import printed
from verify.rate import Claimed, Rate
from verify.real_arrays import RealTensors
from verify.sides import Side, by_numbers
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors

PROOF = "Example 20, proof (1), last sentences"
GAMMAS = tuple(map(Fraction, ("1/4", "1/2", "3/5", "3/4", "9/10", "1", "5/4")))
INSIDE = tuple(map(Fraction, ("51/100", "3/5", "3/4", "9/10")))


class Exponents(RealTensors):
    """A depth and gamma."""


def of_exponents(case: Tensors, random: Random) -> Exponents:
    """gamma from the ladder where it was no number between 0 and 2."""
    gamma = case.number("gamma")
    chosen = gamma if 0 < gamma < 2 else random.choice(GAMMAS)
    arrays = {**case.arrays, "gamma": replace(case.arrays["gamma"], entries=(chosen,))}
    return Exponents(arrays, case.choice, case.family)


POOL = TensorPool((("gamma", ()),), integers=(("L", 2, 10**4),), adapt=of_exponents)


def _between(case: Exponents) -> bool:
    return Fraction(1, 2) < case.number("gamma") < 1


def _set(case: Exponents, gamma: Fraction) -> Exponents:
    return case.changing(gamma=replace(case.arrays["gamma"], entries=(gamma,)))


GAMMA = Hypothesis(
    "gamma between 1/2 and 1",
    r"$\gamma\in(\frac12,1)$",
    by_case(_between),
    lambda case, random: case if _between(case) else _set(case, random.choice(INSIDE)),
    lambda case, random: _set(case, random.choice([g for g in GAMMAS if g not in INSIDE])),
)
EVEN = Hypothesis(
    "even depth",
    r"$L\ge2$ is even",
    by_case(lambda case: case.whole("L") >= 2 and case.whole("L") % 2 == 0),
    lambda case, random: case.changing(
        L=replace(
            case.arrays["L"], entries=(max(Fraction(2), case.number("L") // 2 * Fraction(2)),)
        )
    ),
)


# the named terms ---------------------------------------------------------------------------------
def orders(case: Exponents) -> Iterator[Side]:
    """The two sums between 6 and 12 times, and 12 and 60 times, L^(-2 gamma)."""
    depth, gamma = case.whole("L"), case.number("gamma")
    if depth < 2 or gamma <= 0:
        return
    epsilon = reals.power(Fraction(depth), -gamma)
    square = reals.power(Fraction(depth), -2 * gamma)
    sums = {sign: _sum(epsilon * sign) for sign in (1, -1)}
    for sign, name, low, high in ((1, "first", 6, 12), (-1, "second", 12, 60)):
        yield {"part": f"{name} from below"}, sums[sign], square * low
        yield {"part": f"{name} from above"}, square * high, sums[sign]


def _sum(epsilon: Any) -> Any:
    """2 (e^(2 epsilon) - 1) + (e^(-4 epsilon) - 1)."""
    return 2 * (reals.exp(epsilon * 2) - 1) + (reals.exp(epsilon * -4) - 1)


def decays(case: Exponents) -> Iterator[Side]:
    """The two exponentials between 1 and e^2 times e^(-L^(1 - gamma)), and its square."""
    depth, gamma = case.whole("L"), case.number("gamma")
    if depth < 2 or gamma <= 0:
        return
    shift = reals.power(Fraction(depth), -gamma)
    rate = reals.exp(reals.real(reals.power(Fraction(depth), 1 - gamma)) * -1)
    term = reals.exp(reals.real(shift) * (2 - depth))
    constant = reals.exp(rational(2))
    for name, value, bound, factor in (
        ("first", term, rate, constant),
        ("second", term * term, rate * rate, constant * constant),
    ):
        yield {"part": f"{name} from below"}, value, bound
        yield {"part": f"{name} from above"}, bound * factor, value


CONSTANTS = "the constants of the orders are worked out (docs/mathematics.md, 30)"
ORDERS = Claim(
    "j23.ex20.gamma.orders",
    Kind.INEQUALITY,
    printed(PROOF),
    "orders of the sums of exponentials",
    r"With $\epsilon=L^{-\gamma}$ the terms $2(e^{2\epsilon}-1)+(e^{-4\epsilon}-1)$ and "
    r"$2(e^{-2\epsilon}-1)+(e^{4\epsilon}-1)$ are of order $L^{-2\gamma}$: between $6$ and $12$ "
    r"times, and between $12$ and $60$ times $L^{-2\gamma}$.",
    (GAMMA, EVEN),
    measure=by_numbers(orders),
    pool=POOL,
    through=CONSTANTS,
    exact_only=True,
)
DECAYS = Claim(
    "j23.ex20.gamma.decay",
    Kind.INEQUALITY,
    printed(PROOF),
    "exponential decay",
    r"The terms $2e^{-(L-2)\epsilon}$ and $e^{-2(L-2)\epsilon}$ decay exponentially at a rate of "
    r"$e^{L^{1-\gamma}}$: $e^{-(L-2)\epsilon}$ is between $1$ and $e^2$ times $e^{-L^{1-\gamma}}$.",
    (GAMMA, EVEN),
    measure=by_numbers(decays),
    pool=POOL,
    through=CONSTANTS,
    exact_only=True,
)


# the excess --------------------------------------------------------------------------------------
def excess(depth: int, gamma: float, scale: float, reads: float) -> float:
    """|theta|^2 - 3 L: scale times e^(-(L - 2) epsilon) and reads times its square from the middle
    (2 and 1 for the network of the example)."""
    size = float(depth)
    epsilon = size**-gamma
    small = float(np.exp(-(size - 2) * epsilon))
    # 2 (e^2x - 1) + (e^-4x - 1) + 2 (e^-2x - 1) + (e^4x - 1) = 8 sinh(x)^2 + 4 sinh(2x)^2
    both = 8 * np.sinh(epsilon) ** 2 + 4 * np.sinh(2 * epsilon) ** 2
    return float((size - 2) / 2 * both + scale * small + reads * small**2)


def of_gammas(depth: int, seeds: int, generator: np.random.Generator) -> dict[str, np.ndarray]:
    """The excess of the example's network for each gamma."""
    return {
        f"gamma = {gamma}": np.full(seeds, excess(depth, float(gamma), 2.0, 1.0))
        for gamma in INSIDE
    }


def excess_of(depth: int, slope: float) -> float:
    """The excess with gamma = 3/4 of the network for this slope."""
    return excess(depth, 0.75, 4.0, (1 + slope**2) / (1 - slope**2) ** 2)


def of_functions(size: int, seeds: int, generator: np.random.Generator) -> dict[str, np.ndarray]:
    """The excess of the networks for every slope, every other one negative."""
    slopes = generator.uniform(0.1, 0.9, seeds) * np.where(np.arange(seeds) % 2, -1.0, 1.0)
    return {"excess": np.array([excess_of(size, float(slope)) for slope in slopes])}


LADDERS = (
    tuple(10**k for k in (24, 32, 40, 48)),
    tuple(10**k for k in (24, 30, 36, 42, 48)),
    tuple(10**k for k in range(24, 80, 4)),
)
CLOSED_FORMS = (
    r"of explicit networks $\lVert\theta\rVert^2-3L$ is known at every depth, and its exponent is "
    "fitted (docs/mathematics.md, 30)"
)
SCOPE = "closed forms of the norm at depths from 10^24 on"

LIMIT = Claim(
    "j23.ex20.gamma.limit",
    Kind.RATE,
    printed(PROOF),
    "the excess of the networks tends to 0",
    r"With $\epsilon=L^{-\gamma}$, $\gamma\in(\frac12,1)$, the norm is $3L+o(1)$: "
    r"$\lVert\theta\rVert^2-3L$ falls like $L^{1-2\gamma}$.",
    measure=None,
    through=CLOSED_FORMS,
    rate=Rate(
        "depth L",
        LADDERS,
        (2, 2, 2),
        of_gammas,
        tuple(
            Claimed(f"gamma = {gamma}", 1 - 2 * gamma, 1 - 2 * gamma, Fraction(1, 100))
            for gamma in INSIDE
        ),
        (SCOPE, "gamma " + ", ".join(map(str, INSIDE))),
    ),
)


ABOVE = (
    r"$R^{(0)}(f;\Omega)=3$ and $R^{(1)}(f;\Omega)=0$: from below $R(f;\Omega,L)\ge3L$ by the "
    r"Jacobian $I_3$, from above networks with $\lVert\theta\rVert^2-3L\to0$."
)
VALUE = Claim(
    "j23.ex20@B",
    Kind.RATE,
    printed("Example 20"),
    "the first correction of the example is 0",
    ABOVE,
    depends=("j23.schatten@A", "j23.ex20.network.fix", "j23.ex20.jac@B"),
    reading="B",
    reading_text=ONE,
    through=CLOSED_FORMS,
    rate=Rate(
        "depth L",
        LADDERS,
        (4, 6, 12),
        of_functions,
        (Claimed("excess", Fraction(-1, 2), Fraction(-1, 2), Fraction(1, 100)),),
        (SCOPE, "slopes of either sign, up to 9/10", "the constant 1", "gamma = 3/4"),
    ),
)
CLAIMS = (ORDERS, DECAYS, LIMIT, VALUE)
