"""Example 20 for large depths: the excess of the norm with epsilon = L^-gamma, and R^(1) = 0.

The norms have closed forms, so depths go to 10^76. R^(1)(f) = 0 is looked at from above, by the
excess |theta|^2 - 3 L of networks that are the function (j23.ex20.network.fix, exactly); from below
it is the bound by the Jacobian I_3 (j23.schatten).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from verify.core.claim import Claim, Kind
from verify.kinds.statistics.rate import Claimed, Rate
from verify.papers.j23.example20 import INSIDE, ONE_CONSTANT, PROOF
from verify.papers.j23.sources import printed


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
    "fitted (docs/mathematics/j23.md#the-networks-of-example-20)"
)
SCOPE = "closed forms of the norm at depths from 10^24 on"

LIMIT = Claim(
    "j23.ex20.gamma.limit",
    Kind.RATE,
    printed(f"{PROOF}, last sentences"),
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
    reading_text=ONE_CONSTANT,
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
CLAIMS = (LIMIT, VALUE)
