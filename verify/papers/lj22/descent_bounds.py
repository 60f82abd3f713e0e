"""Appendix F of the earlier version: gradient descent, the inequalities (86) to (90).

Judged on fully connected linear networks with polynomial losses, whose risk is a polynomial, so
that a Lipschitz constant of its gradient on a ball can be decided. (The gradient of a ReLU
network's risk jumps in every ball around 0, unless the risk is constant across the kinks there.)
"""

from dataclasses import replace
from typing import Any

from verify.claim import Claim, Kind
from verify.network_hypotheses import BIAS_FREE, FEEDFORWARD, FULLY_CONNECTED, OWN_PARAMETERS
from verify.papers.lj22 import descent_courses as courses
from verify.papers.lj22.descent_lemma import (
    products_by_risk,
    risk_by_sign,
    step_by_lemma,
    sum_by_lemma,
)
from verify.papers.lj22.descent_proofs import (
    below_by_squares,
    half_of_the_squares,
    squared_rates,
)
from verify.papers.lj22.preliminaries import ALL_LINEAR
from verify.papers.lj22.sources import earlier
from verify.point_hypotheses import DATA
from verify.pool import Pool
from verify.smooth_steps import (
    DISTINCT_EDGES,
    NONNEGATIVE_LOSS,
    POLYNOMIAL_LOSS,
    SMOOTH_ON_BALL,
    SMOOTH_ON_STEP,
    STEP_RULE,
    choose_smooth,
)

POOL = Pool(
    families=("fully connected",),
    activations=("linear",),
    examples=(1, 2),
    losses=("prescribed",),
    largest=2,
    adapt=choose_smooth,
)
NETWORK = (FEEDFORWARD, FULLY_CONNECTED, ALL_LINEAR, BIAS_FREE, OWN_PARAMETERS, DATA)
SIZES = (*NETWORK, POLYNOMIAL_LOSS, STEP_RULE)
PRINTED = (*NETWORK, POLYNOMIAL_LOSS, SMOOTH_ON_BALL, STEP_RULE)
REPAIRED = (*NETWORK, POLYNOMIAL_LOSS, SMOOTH_ON_STEP, STEP_RULE)


# the claims ---------------------------------------------------------------------------------------
ASSUMED = (
    r"Assume that at time step $t$ the maximum Frobenius norm of any layer is $R(t)$ and that the "
    r"risk $\mathcal R$ has $\beta(t)$-Lipschitz gradient in this Frobenius norm ball. Then, "
    r"setting $\eta(\tau)=\min\big(1,\frac1{\beta(\tau)}\big)$ for any $\tau\in\mathbb N$, "
)
RIGHT = (
    r"\langle d(w(\tau)),-\eta(\tau)d(w(\tau))\rangle+\frac{\beta(\tau)\eta(\tau)^2}2"
    r"\|d(w(\tau))\|_2^2"
)
HALF = r"-\frac{\eta(\tau)}2\|d(w(\tau))\|_2^2"
SUM = r"-\frac12\sum_{\tau=0}^t\eta(\tau)\|d(w(\tau))\|_2^2"
SQUARES = r"-\frac12\sum_{\tau=0}^t\eta(\tau)^2\|d(w(\tau))\|_2^2"
PRODUCT = r"\Big|\sum_{\tau=0}^t\eta(\tau)^2[d(w(\tau))]_e[d(w(\tau))]_f\Big|"
ON_STEP = (
    r" Repaired: the gradient is $\beta(\tau)$-Lipschitz on a ball that holds $w(\tau+1)$, too."
)
SPOKEN_OF = " (Here: for fully-connected linear networks and polynomial losses.)"
NOT_NEGATIVE = r" Repaired: the loss is at least $0$."


def _claim(number: str, kind: Kind, title: str, statement: str, **more: Any) -> Claim:
    return Claim(
        f"lj22v1.gd-{number}",
        kind,
        earlier(f"Appendix F, ({number[:2]})"),
        title,
        statement + SPOKEN_OF,
        pool=POOL,
        exact_only=True,
        **more,
    )


DESCENT_STEP = _claim(
    "86",
    Kind.INEQUALITY,
    "descent in one step",
    ASSUMED + rf"$$\mathcal R(w(\tau+1))-\mathcal R(w(\tau))\le{RIGHT}$$",
    hypotheses=PRINTED,
    depends=("lj22v1.gd",),
    measure=courses.descent_step,
    why=r"$w(\tau+1)$ may leave the ball on which the gradient is $\beta(\tau)$-Lipschitz, and "
    r"$\beta(\tau)$ says nothing of the risk outside of it",
)
RIGHT_SIDE = _claim(
    "87",
    Kind.IDENTITY,
    "value of the right side",
    ASSUMED + rf"$${RIGHT}={HALF}$$",
    hypotheses=PRINTED,
    measure=courses.value_of_right_side,
    why=r"where $\beta(\tau)<1$ the step size is $1$, not $\frac1{\beta(\tau)}$, and the two sides "
    "differ",
)
ABOVE = _claim(
    "88.a",
    Kind.INEQUALITY,
    "summed descent, left",
    ASSUMED + r"$$-\mathcal R(w(0))\le\mathcal R(w(t+1))-\mathcal R(w(0))$$",
    hypotheses=PRINTED,
    depends=("lj22v1.gd",),
    measure=courses.risk_above,
    why="a loss that is differentiable may have negative values, and so may the risk",
)
SUMMED = _claim(
    "88.b",
    Kind.INEQUALITY,
    "summed descent, right",
    ASSUMED + rf"$$\mathcal R(w(t+1))-\mathcal R(w(0))\le{SUM}$$",
    hypotheses=PRINTED,
    depends=("lj22v1.gd-86", "lj22v1.gd-87"),
    measure=courses.summed_descent,
    why=r"as in (86), $w(\tau+1)$ may leave the ball on which the gradient is "
    r"$\beta(\tau)$-Lipschitz, and the risk may rise",
)
PRODUCTS = _claim(
    "90.a",
    Kind.INEQUALITY,
    "bound on the slack terms by the squares",
    rf"For edges $e$, $f$ $${SQUARES}\le-{PRODUCT}$$ (no condition relating $e$ and $f$ is "
    "printed).",
    hypotheses=PRINTED,
    measure=courses.slack_terms,
    why=r"for $e=f$ the right side has $[d]_e^2$ without the factor $\frac12$ of the left side",
)
BY_RISK = _claim(
    "90.b",
    Kind.INEQUALITY,
    "bound on the slack terms by the risk",
    ASSUMED + rf"for edges $e$, $f$, by (88), (89) and (90) $${PRODUCT}\le\mathcal R(w(0))$$",
    hypotheses=PRINTED,
    depends=("lj22v1.gd-88.a", "lj22v1.gd-88.b", "lj22v1.gd-89", "lj22v1.gd-90.a"),
    measure=courses.slack_terms_by_risk,
    why="(88) and (90) do not hold as they stand: the risk may rise or be negative, and for $e=f$ "
    r"the factor $\frac12$ is lacking",
)


def _repaired(claim: Claim, words: str, **changes: Any) -> Claim:
    return replace(
        claim,
        id=f"{claim.id}.fix",
        title=f"{claim.title}, repaired",
        statement=claim.statement + words,
        repairs=claim.id,
        why="",
        **changes,
    )


CLAIMS = (
    DESCENT_STEP,
    _repaired(DESCENT_STEP, ON_STEP, hypotheses=REPAIRED, proof=step_by_lemma),
    RIGHT_SIDE,
    replace(
        RIGHT_SIDE,
        id="lj22v1.gd-87.fix",
        kind=Kind.INEQUALITY,
        title="bound of the right side",
        statement=RIGHT_SIDE.statement.replace(f"{RIGHT}={HALF}", rf"{RIGHT}\le{HALF}"),
        measure=courses.bound_of_right_side,
        repairs="lj22v1.gd-87",
        proof=half_of_the_squares,
        why="",
    ),
    ABOVE,
    _repaired(ABOVE, NOT_NEGATIVE, hypotheses=(NONNEGATIVE_LOSS, *PRINTED), proof=risk_by_sign),
    SUMMED,
    _repaired(
        SUMMED,
        ON_STEP,
        hypotheses=REPAIRED,
        depends=("lj22v1.gd-86.fix", "lj22v1.gd-87.fix"),
        proof=sum_by_lemma,
    ),
    _claim(
        "89",
        Kind.INEQUALITY,
        "from the step size to its square",
        rf"With $\eta(\tau)=\min\big(1,\frac1{{\beta(\tau)}}\big)$, $${SUM}\le{SQUARES}$$",
        hypotheses=SIZES,
        measure=courses.squared_sizes,
        proof=squared_rates,
    ),
    PRODUCTS,
    _repaired(
        PRODUCTS,
        r" Repaired: for two different edges.",
        hypotheses=(*SIZES, DISTINCT_EDGES),
        proof=below_by_squares,
    ),
    BY_RISK,
    _repaired(
        BY_RISK,
        ON_STEP + NOT_NEGATIVE.replace(" Repaired: ", " ") + " The edges are different.",
        hypotheses=(NONNEGATIVE_LOSS, *REPAIRED, DISTINCT_EDGES),
        depends=(
            "lj22v1.gd-88.a.fix",
            "lj22v1.gd-88.b.fix",
            "lj22v1.gd-89",
            "lj22v1.gd-90.a.fix",
        ),
        proof=products_by_risk,
    ),
)
