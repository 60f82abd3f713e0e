"""Hypotheses about the steps of gradient descent."""

from __future__ import annotations

from random import Random

from verify.cases.breaks import onto_a_kink, zero_weight
from verify.cases.case import Case
from verify.cases.descent import rates_of
from verify.cases.step_choices import SIZES, one_step
from verify.cases.transformations import nonzero_weights, with_one_loss
from verify.language.building import (
    After,
    Each,
    card,
    edges,
    examples,
    implies,
    learnable,
    loss_slope,
    nu,
    step_size,
    steps,
    w,
    y,
)
from verify.language.terms import Term
from verify.statements import network_hypotheses as given
from verify.statements.stated import Given


def _uphill(case: Case, random: Random) -> Case:
    """One of the steps goes the other way."""
    sizes = [str(rate) for rate in rates_of(case)] or ["1"]
    sizes[random.randrange(len(sizes))] = str(-random.choice(SIZES))
    return case.choosing(eta=sizes)


def at_every_step(says: Term) -> Term:
    """What is said, at w(0), ..., w(t)."""
    return Each(steps(), lambda tau: After(tau, says))


STEPS = Given(
    "gradient descent",
    (card(steps()) >= 1) & Each(steps(), lambda tau: step_size(tau) >= 0),
    r"$w(\tau+1)-w(\tau)=-\eta(\tau)\,d(w(\tau))$ with $\eta(\tau)\ge0$ and $d(w(\tau))\in"
    r"\partial\mathcal R(w(\tau))$ for $\tau=0,\dots,t$",
    one_step,
    _uphill,
)
SMOOTH_STEPS = Given(
    "differentiable at every step",
    at_every_step(given.DIFFERENTIABLE.holds),
    r"$\nu$ is differentiable at $w(\tau)$ on every example, $\tau=0,\dots,t$",
    break_=lambda case, random: onto_a_kink(case, random, ("boundary", "zero")),
)
NONZERO_STEPS = Given(
    "no zero weight at any step",
    at_every_step(Each(edges(), lambda e: implies(learnable(e), w(e) != 0))),
    r"no weight of $w(\tau)$ is $0$, $\tau=0,\dots,t$",
    nonzero_weights,
    zero_weight,
)


def _alike(one: tuple[Term, Term], other: tuple[Term, Term]) -> Term:
    """Whether equal margins, each at a step and on an example, have equal slopes."""
    margins = [After(tau, y(j) * nu(j)) for tau, j in (one, other)]
    slopes = [After(tau, loss_slope(j)) for tau, j in (one, other)]
    return implies(margins[0] == margins[1], slopes[0] == slopes[1])


ONE_LOSS = Given(
    "differentiable loss (Assumption 3), one for all steps",
    Each(
        steps(),
        lambda tau: Each(
            examples(),
            lambda i: Each(
                steps(),
                lambda sigma: Each(examples(), lambda j: _alike((tau, i), (sigma, j))),
            ),
        ),
    ),
    r"the loss $\ell$ is differentiable everywhere, and the same at every step",
    lambda case, random: with_one_loss(case),
    built_in=True,
)
"""Prescribed slopes are those of one loss: else it is no case."""
