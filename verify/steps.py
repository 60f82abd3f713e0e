"""Hypotheses about the steps of gradient descent, and how steps are chosen at random."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from verify import given
from verify.breaks import onto_a_kink
from verify.case import PRESCRIBED, Case
from verify.descent import rates_of
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
from verify.point_hypotheses import NONZERO_WEIGHTS
from verify.stated import Given
from verify.transformations import nonzero_weights, random_rational, with_one_loss

SIZES = (Fraction(1), Fraction(1, 2), Fraction(1, 4), Fraction(3, 4), Fraction(1, 8), Fraction(1))


def choose_steps(case: Case, random: Random) -> Case:
    """Choose one to three step sizes in [0, 1]: constant, decaying, or random; and where slopes
    are prescribed those of the later steps: in half of the cases one slope throughout, as of a
    linear loss."""
    count = random.choice((1, 2, 2, 3))
    first = random.choice(SIZES)
    manner = random.choice(("constant", "decaying", "random"))
    sizes = {
        "constant": [first] * count,
        "decaying": [first / (k + 1) for k in range(count)],
        "random": [random.choice((*SIZES, Fraction(0))) for _ in range(count)],
    }[manner]
    case = case.choosing(eta=[str(size) for size in sizes])
    if case.loss != PRESCRIBED:
        return case
    rows = [[random_rational(random) for _ in case.labels] for _ in range(count - 1)]
    if random.random() < 0.5:
        rows = [list(case.slopes[:1]) * case.example_count] * (count - 1)
    return case.choosing(slopes=[[str(s) for s in row] for row in rows])


def choose_few_steps(case: Case, random: Random) -> Case:
    """The same with one or two steps, for measures that are slow with long numbers."""
    case = choose_steps(case, random)
    few = case.choosing(eta=list(case.choice["eta"])[:2])
    return few.choosing(slopes=list(few.choice["slopes"])[:1]) if "slopes" in few.choice else few


def one_step(case: Case, random: Random) -> Case:
    """One step of size 1/2, where the case has not chosen its steps."""
    chosen = "eta" in case.choice or "beta" in case.choice
    return case if chosen else case.choosing(eta=["1/2"])


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
    NONZERO_WEIGHTS.break_,
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
