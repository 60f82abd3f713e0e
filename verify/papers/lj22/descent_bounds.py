"""Appendix F of the earlier version: gradient descent, the inequalities (86) to (90).

Judged on fully connected linear networks with polynomial losses, whose risk is a polynomial, so
that a Lipschitz constant of its gradient on a ball can be decided. (The gradient of a ReLU
network's risk jumps in every ball around 0, unless the risk is constant across the kinks there.)
"""

from dataclasses import replace
from functools import partial
from typing import Any

from verify.cases.pool import Pool
from verify.cases.smooth_steps import (
    choose_squares,
    enough,
    longer_steps,
    lowered,
    off_the_loss,
    only_at_the_start,
    smaller_constants,
    with_a_loss,
    with_squares,
    without_squares,
)
from verify.cases.smoothness import resloped, with_its_steps
from verify.core.claim import Claim
from verify.language.terms import Term
from verify.papers.lj22 import smooth_terms as terms
from verify.papers.lj22.descent_proofs import (
    below_by_squares,
    half_of_the_squares,
    products_by_risk,
    risk_by_sign,
    squared_rates,
    step_by_lemma,
    sum_by_lemma,
)
from verify.papers.lj22.preliminaries import LINEAR_EVERYWHERE
from verify.papers.lj22.sources import earlier
from verify.statements import network_hypotheses as given
from verify.statements.network_hypotheses import BIAS_FREE, DATA, FEEDFORWARD, OWN_PARAMETERS
from verify.statements.stated import Given, stated

POOL = Pool(
    families=("fully connected",),
    activations=("linear",),
    examples=(1, 2),
    losses=("prescribed",),
    largest=2,
    adapt=without_squares,
)
FULLY_CONNECTED = replace(given.FULLY_CONNECTED, holds=terms.FULLY_CONNECTED)
POLYNOMIAL_LOSS = Given(
    "polynomial loss",
    terms.POLYNOMIAL,
    r"the loss is a polynomial (so differentiable everywhere, Assumption 3), the same at every "
    "step",
    with_a_loss,
    off_the_loss,
)
STEP_RULE = Given(
    "step size",
    terms.STEP_RULE,
    r"$\beta(\tau)>0$ and $\eta(\tau)=\min\big(1,\frac1{\beta(\tau)}\big)$ for every $\tau$",
    lambda case, random: resloped(with_its_steps(case)),
    longer_steps,
)
SMOOTH_ON_BALL = Given(
    "smooth on the ball",
    terms.smooth(reach=False),
    r"$\nabla\mathcal R$ is $\beta(\tau)$-Lipschitz on the ball of the $w$ whose layers all have "
    r"Frobenius norm at most $R(\tau)$, the largest one of $w(\tau)$",
    partial(enough, reach=False),
    smaller_constants,
)
SMOOTH_ON_STEP = Given(
    "smooth on a ball that holds the step",
    terms.smooth(reach=True),
    r"$\nabla\mathcal R$ is $\beta(\tau)$-Lipschitz on a ball of this kind that holds both "
    r"$w(\tau)$ and $w(\tau+1)$",
    partial(enough, reach=True),
    only_at_the_start,
)
NONNEGATIVE_LOSS = Given(
    "loss at least 0",
    terms.IS_SUM_OF_SQUARES,
    r"$\ell\ge0$ (here: a sum of squares of polynomials)",
    lambda case, random: resloped(choose_squares(case, random)),
    lowered,
)
NETWORK = (FEEDFORWARD, FULLY_CONNECTED, LINEAR_EVERYWHERE, BIAS_FREE, OWN_PARAMETERS, DATA)
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


def _assumed(formula: str) -> str:
    """What is printed of a formula that the assumptions lead to."""
    return f"{ASSUMED}$${formula}$$"


def _claim(
    number: str, title: str, statement: str, says: Term, given: tuple[Given, ...], **more: Any
) -> Claim:
    """A claim, with the squares of a sum in its cases where a hypothesis speaks of them."""
    return stated(
        f"lj22v1.gd-{number}",
        earlier(f"Appendix F, ({number[:2]})"),
        title,
        statement + SPOKEN_OF,
        says,
        given,
        pool=replace(POOL, adapt=with_squares) if NONNEGATIVE_LOSS in given else POOL,
        exact_only=True,
        **more,
    )


def _mended(number: str, title: str, statement: str, words: str, *rest: Any, **more: Any) -> Claim:
    """The repair of a claim. words: what is added to its text."""
    text = statement + SPOKEN_OF + words
    claim = _claim(f"{number}.fix", title, statement, *rest, repairs=f"lj22v1.gd-{number}", **more)
    return replace(claim, title=f"{title}, repaired", statement=text)


DESCENT = (
    "descent in one step",
    _assumed(rf"\mathcal R(w(\tau+1))-\mathcal R(w(\tau))\le{RIGHT}"),
)
ABOVE = (
    "summed descent, left",
    _assumed(r"-\mathcal R(w(0))\le\mathcal R(w(t+1))-\mathcal R(w(0))"),
)
SUMMED = (
    "summed descent, right",
    _assumed(rf"\mathcal R(w(t+1))-\mathcal R(w(0))\le{SUM}"),
)
BY_RISK = (
    "bound on the slack terms by the risk",
    ASSUMED + rf"for edges $e$, $f$, by (88), (89) and (90) $${PRODUCT}\le\mathcal R(w(0))$$",
)
BY_SQUARES = (
    "bound on the slack terms by the squares",
    (
        rf"For edges $e$, $f$ $${SQUARES}\le-{PRODUCT}$$ (no condition relating $e$ and $f$ is "
        "printed)."
    ),
)

CLAIMS = (
    _claim(
        "86",
        *DESCENT,
        terms.DESCENT_STEP,
        PRINTED,
        depends=("lj22v1.gd",),
        why=r"$w(\tau+1)$ may leave the ball on which the gradient is $\beta(\tau)$-Lipschitz, and "
        r"$\beta(\tau)$ says nothing of the risk outside of it",
    ),
    _mended(
        "86",
        *DESCENT,
        ON_STEP,
        terms.DESCENT_STEP,
        REPAIRED,
        depends=("lj22v1.gd",),
        proof=step_by_lemma,
    ),
    _claim(
        "87",
        "value of the right side",
        _assumed(f"{RIGHT}={HALF}"),
        terms.VALUE,
        PRINTED,
        why=r"where $\beta(\tau)<1$ the step size is $1$, not $\frac1{\beta(\tau)}$, and the two "
        "sides differ",
    ),
    _claim(
        "87.fix",
        "bound of the right side",
        _assumed(rf"{RIGHT}\le{HALF}"),
        terms.BOUND,
        PRINTED,
        repairs="lj22v1.gd-87",
        proof=half_of_the_squares,
    ),
    _claim(
        "88.a",
        *ABOVE,
        terms.ABOVE,
        PRINTED,
        depends=("lj22v1.gd",),
        why="a loss that is differentiable may have negative values, and so may the risk",
    ),
    _mended(
        "88.a",
        *ABOVE,
        NOT_NEGATIVE,
        terms.ABOVE,
        (NONNEGATIVE_LOSS, *PRINTED),
        depends=("lj22v1.gd",),
        proof=risk_by_sign,
    ),
    _claim(
        "88.b",
        *SUMMED,
        terms.SUMMED,
        PRINTED,
        depends=("lj22v1.gd-86", "lj22v1.gd-87"),
        why=r"as in (86), $w(\tau+1)$ may leave the ball on which the gradient is "
        r"$\beta(\tau)$-Lipschitz, and the risk may rise",
    ),
    _mended(
        "88.b",
        *SUMMED,
        ON_STEP,
        terms.SUMMED,
        REPAIRED,
        depends=("lj22v1.gd-86.fix", "lj22v1.gd-87.fix"),
        proof=sum_by_lemma,
    ),
    _claim(
        "89",
        "from the step size to its square",
        rf"With $\eta(\tau)=\min\big(1,\frac1{{\beta(\tau)}}\big)$, $${SUM}\le{SQUARES}$$",
        terms.SIZES,
        SIZES,
        proof=squared_rates,
    ),
    _claim(
        "90.a",
        *BY_SQUARES,
        terms.products(distinct=False),
        PRINTED,
        why=r"for $e=f$ the right side has $[d]_e^2$ without the factor $\frac12$ of the left side",
    ),
    _mended(
        "90.a",
        *BY_SQUARES,
        r" Repaired: for two different edges.",
        terms.products(distinct=True),
        SIZES,
        proof=below_by_squares,
    ),
    _claim(
        "90.b",
        *BY_RISK,
        terms.by_risk(distinct=False),
        PRINTED,
        depends=("lj22v1.gd-88.a", "lj22v1.gd-88.b", "lj22v1.gd-89", "lj22v1.gd-90.a"),
        why="(88) and (90) do not hold as they stand: the risk may rise or be negative, and for "
        r"$e=f$ the factor $\frac12$ is lacking",
    ),
    _mended(
        "90.b",
        *BY_RISK,
        ON_STEP + NOT_NEGATIVE.replace(" Repaired: ", " ") + " The edges are different.",
        terms.by_risk(distinct=True),
        (NONNEGATIVE_LOSS, *REPAIRED),
        depends=(
            "lj22v1.gd-88.a.fix",
            "lj22v1.gd-88.b.fix",
            "lj22v1.gd-89",
            "lj22v1.gd-90.a.fix",
        ),
        proof=products_by_risk,
    ),
)
