"""Theorem 3.6, equation (10) and Corollary 3.7 as rates, on the families that the paper names.

The border lies between the printed exponent -1/2 and its neighbour -1/4. In reading A of the ball
phrase the supremum is approached from below, by ascent, so that support says that nothing larger
was found; what would refute these statements are families for which a lower bound of another order
is known exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

from verify.claim import Claim, Kind
from verify.exponents import Contrast, Exponents, Family, Predicted
from verify.papers.zlb22 import ladders
from verify.papers.zlb22.contrasts import OF_THEOREM, contrasts_of, in_the_ball
from verify.papers.zlb22.sources import printed
from verify.papers.zlb22.width_hypotheses import THEOREM as HYPOTHESES

HALF, NEIGHBOUR = Fraction(-1, 2), Fraction(-1, 4)
PHRASE = {
    "A": "one event for the whole ball; the largest value in it as ascent finds it, from below",
    "B": "each displacement fixed before the weights are drawn; the largest over a few of them",
}
SETTING = (
    r"Under Assumptions 3.1, 3.2 (both inequalities) and 3.5 (over all neurons), with the width "
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


def at_moves(scale: int) -> Sequence[Family]:
    """Measured at displacements fixed beforehand."""
    return ladders.families_of(ladders.at_fixed_moves, scale)


FAMILIES = {"A": in_ball, "B": at_moves}


def _rate(
    name: str,
    reading: str,
    place: str,
    title: str,
    statement: str,
    quantities: tuple[str, ...],
    depends: tuple[str, ...] = (),
    contrasts: Callable[[int], Sequence[Contrast]] | None = None,
) -> Claim:
    measured = Exponents(
        FAMILIES[reading],
        tuple(map(halved, quantities)),
        scope=SCOPE[: 2 if reading == "A" else 1],
        contrasts=contrasts,
    )
    return Claim(
        f"zlb22.{name}@{reading}",
        Kind.RATE,
        printed(place),
        title,
        SETTING + statement,
        HYPOTHESES,
        depends,
        reading=reading,
        reading_text=PHRASE[reading],
        exponents=measured,
    )


NORM = {"A": ladders.BALL, "B": ladders.FIXED}
OVER = {"A": ladders.OVER_LOGS, "B": ladders.FIXED_OVER_LOGS}
REST = {"A": ladders.REST, "B": ladders.REST_FIXED}

THEOREM = partial(_rate, "thm3.6", place="Theorem 3.6", title="scaling of the Hessian norm")
FORM_2 = partial(
    _rate, "thm3.6.form2", place="Theorem 3.6, form 2", title="with the powers of the logarithm"
)
REMAINDER = partial(_rate, "eq10", place="equation (10)", title="the remainder in the ball")
TRANSITION = partial(_rate, "cor3.7.rate", place="Corollary 3.7", title="transition to linearity")

CLAIMS = (
    *(
        THEOREM(
            reading,
            statement=r"each output satisfies "
            r"$\lVert H_{f_k}(\mathbf w)\rVert=\tilde O(1/\sqrt m)$.",
            quantities=(NORM[reading],),
            contrasts=partial(contrasts_of, OF_THEOREM, in_the_ball) if reading == "A" else None,
        )
        for reading in "AB"
    ),
    *(
        FORM_2(
            reading,
            statement=r"$\lVert H_{f_k}(\mathbf w)\rVert=O\big((\log m+R)^{L^2}/\sqrt m\big)$. "
            r"(Along the widths measured the logarithmic factor alone bends the slope by more than "
            r"the exponents differ, so the norm without it is told from $m^{-1/4}$ as well.)",
            quantities=(NORM[reading], OVER[reading]),
            depends=(f"zlb22.thm3.6@{reading}",),
        )
        for reading in "AB"
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
    *(
        REMAINDER(
            reading,
            statement=r"$|\mathcal R(\mathbf w)|=|f(\mathbf w)-f_{\rm lin}(\mathbf w)|"
            r"=\tilde O(1/\sqrt m)$.",
            quantities=(REST[reading],),
            depends=(f"zlb22.thm3.6@{reading}",),
        )
        for reading in "AB"
    ),
    *(
        TRANSITION(
            reading,
            statement=r"$|f_k(\mathbf w)-(f_k)_{\rm lin}(\mathbf w)|\le\frac12\sup_{\mathsf B}"
            r"\lVert H_{f_k}\rVert R^2=\tilde O(1/\sqrt m)$: here both ends of it as rates, the "
            r"norm at the places of the reading.",
            quantities=(REST[reading], NORM[reading]),
            depends=(f"zlb22.thm3.6@{reading}", f"zlb22.eq10@{reading}"),
        )
        for reading in "AB"
    ),
)
