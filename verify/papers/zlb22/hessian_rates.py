"""Theorem 3.6, equation (10) and Corollary 3.7 as rates, on the families that the paper names.

The border lies between the printed exponent -1/2 and its neighbour -1/4. The supremum in the ball
is approached from below, by ascent, so that support says that nothing larger was found; what would
refute these statements are families for which a lower bound of another order is known exactly. No
slope contradicts them: they bound from above, up to logarithms, which bend a slope at any width.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

from verify.core.claim import Claim, Kind
from verify.kinds.statistics.exponents import Contrast, Exponents, Family, Predicted
from verify.papers.zlb22 import ladders
from verify.papers.zlb22.contrasts import OF_THEOREM, contrasts_of, in_the_ball
from verify.papers.zlb22.sources import printed
from verify.papers.zlb22.width_hypotheses import THEOREM as HYPOTHESES

HALF, NEIGHBOUR = Fraction(-1, 2), Fraction(-1, 4)
PHRASE = "one event for the whole ball; the largest value in it as ascent finds it, from below"
SETTING = (
    r"Under Assumptions 3.1, 3.2 (its words) and 3.5 (over all neurons), with the width "
    r"$m=\min\{\mathrm{in}(v):p(v)\ge2\}$ and a fixed $R>0$, with probability at least "
    r"$1-\exp(-\Omega(\log^2m))$ over $\mathbf w_0$, for $\mathbf w\in\mathsf B(\mathbf w_0,R)$: "
)
SCOPE = (
    "one input of 4 entries in [-1, 1], the same at every width; one output",
    "ascent of |H| and of |f - f_lin| in the ball, gradient descent clipped to it",
)


def halved(quantity: str) -> Predicted:
    """That a quantity is of order m^(-1/2) at most, told from m^(-1/4)."""
    return Predicted(quantity, HALF, above=NEIGHBOUR)


def in_ball(scale: int) -> Sequence[Family]:
    """Measured in the ball."""
    return ladders.families_of(ladders.in_the_ball, scale)


def changing(scale: int) -> Sequence[Family]:
    """How far the Hessian moves in the ball."""
    chosen = ladders.FULL if scale == 2 else ladders.PLAIN[:3]
    return ladders.families_of(ladders.changes, scale, chosen)


def _rate(
    name: str,
    place: str,
    title: str,
    statement: str,
    quantities: tuple[str, ...],
    depends: tuple[str, ...] = (),
    contrasts: Callable[[int], Sequence[Contrast]] | None = None,
) -> Claim:
    measured = Exponents(in_ball, tuple(map(halved, quantities)), scope=SCOPE, contrasts=contrasts)
    return Claim(
        f"zlb22.{name}@A",
        Kind.RATE,
        printed(place),
        title,
        SETTING + statement,
        HYPOTHESES,
        depends,
        reading="A",
        reading_text=PHRASE,
        exponents=measured,
    )


CLAIMS = (
    _rate(
        "thm3.6",
        "Theorem 3.6",
        "scaling of the Hessian norm",
        r"each output satisfies $\lVert H_{f_k}(\mathbf w)\rVert=\tilde O(1/\sqrt m)$.",
        (ladders.BALL,),
        contrasts=partial(contrasts_of, OF_THEOREM, in_the_ball),
    ),
    Claim(
        "zlb22.thm3.6.b",
        Kind.RATE,
        printed("after Theorem 3.6"),
        "the change of the Hessian in the ball",
        SETTING
        + r"$\lVert H(\mathbf w)-H(\mathbf w_0)\rVert$ is no larger than the order of "
        + r"$\lVert H(\mathbf w_0)\rVert$, so that $\lVert H(\mathbf w)\rVert$ keeps its order.",
        HYPOTHESES,
        ("zlb22.thm3.6@A",),
        exponents=Exponents(
            changing,
            (Predicted(ladders.CHANGE, Fraction(0), above=Fraction(1, 4)),),
            scope=SCOPE,
        ),
    ),
    _rate(
        "eq10",
        "equation (10)",
        "the remainder in the ball",
        r"$|\mathcal R(\mathbf w)|=|f(\mathbf w)-f_{\rm lin}(\mathbf w)|=\tilde O(1/\sqrt m)$.",
        (ladders.REST,),
        ("zlb22.thm3.6@A",),
    ),
    _rate(
        "cor3.7.rate",
        "Corollary 3.7",
        "transition to linearity",
        r"$|f_k(\mathbf w)-(f_k)_{\rm lin}(\mathbf w)|\le\frac12\sup_{\mathsf B}"
        r"\lVert H_{f_k}\rVert R^2=\tilde O(1/\sqrt m)$: here both ends of it as rates, the "
        r"norm in the ball.",
        (ladders.REST, ladders.BALL),
        ("zlb22.thm3.6@A", "zlb22.eq10@A"),
    ),
)
