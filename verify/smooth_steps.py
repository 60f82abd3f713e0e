"""Hypotheses about descents whose step sizes come from smoothness constants of the risk."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np

from graphs.activations import LINEAR
from graphs.families import fully_connected
from verify.case import Case
from verify.descent import loss_of, rate_of, rates_of
from verify.hypotheses import Hypothesis, by_case
from verify.pool import random_point
from verify.smoothness import (
    ball_bounds,
    loss_slopes_at,
    of_squares,
    resloped,
    settled,
    sum_of_squares,
)
from verify.transformations import random_rational
from verify.vocabulary import Entries, Scene

FACTORS = (Fraction(1), Fraction(1), Fraction(1), Fraction(1), Fraction(4))
SCALES = (Fraction(1), Fraction(1, 8), Fraction(1, 64), Fraction(1, 256))
SHAPES = ([1, 1], [1, 1], [2, 1], [2, 1], [3, 1], [1, 1, 1], [1, 1, 1, 1])
DEGREES = (1, 2, 3, 3, 4, 4, 4)
GROWTH = (1, 1, 1, 8)


# what is chosen -----------------------------------------------------------------------------------
def random_coefficient(random: Random, bound: int) -> Fraction:
    """A coefficient of a loss; of very unequal sizes, 0 among them."""
    return random_rational(random, zero=True, bound=bound) * random.choice(GROWTH)


def choose_squares(case: Case, random: Random) -> Case:
    """A loss that is a sum of squares: (1 - z)^2, or two squares of polynomials of degree at most
    2."""
    parts = [[Fraction(1), Fraction(-1)]]
    if random.random() < 0.8:
        degrees = (random.choice((1, 2, 2)), random.randint(0, 2))
        parts = [[random_coefficient(random, 3) for _ in range(degree + 1)] for degree in degrees]
    return case.choosing(
        squares=[[str(c) for c in part] for part in parts],
        loss=[str(c) for c in sum_of_squares(parts)],
    )


def choose_polynomial(case: Case, random: Random) -> Case:
    """A polynomial loss of degree at most 4: a sum of squares, or any."""
    if random.random() < 0.5:
        return choose_squares(case, random)
    degree = random.choice(DEGREES)
    loss = [random_coefficient(random, 4) for _ in range(degree + 1)]
    choice = {key: value for key, value in case.choice.items() if key != "squares"}
    return replace(case, choice={**choice, "loss": [str(c) for c in loss]})


def on_shape(case: Case, widths: list[int], random: Random) -> Case:
    """The same number of examples on a fully connected linear network of these widths."""
    net = fully_connected(widths, LINEAR)
    manner = random.choice(("generic", "positive"))
    rows = [random_point(widths[0], random, manner) for _ in case.inputs]
    weights = tuple(random_rational(random) for _ in net.parameter_names)
    return replace(case, network=net, weights=weights, inputs=tuple(rows))


def choose_smooth(case: Case, random: Random) -> Case:
    """Most often a network of one to three weights, which may be small; a polynomial loss; one to
    three steps, fewer in deep networks (numbers grow fast there); any smoothness constants from
    1/4 to 10."""
    if random.random() < 0.8:
        case = on_shape(case, random.choice(SHAPES), random)
    scale = random.choice(SCALES)
    case = case.with_weights([w * scale for w in case.weights])
    depth = max(case.network.depths)
    count = random.randint(1, max(1, 4 - depth))
    betas = [Fraction(random.randint(1, 40), 4) for _ in range(count)]
    case = case.choosing(beta=[str(beta) for beta in betas])
    return choose_polynomial(case, random)


def _any_betas(case: Case, random: Random) -> Case:
    """A loss and a constant where none is chosen (a network with a name)."""
    if "loss" not in case.choice:
        case = choose_squares(case, random)
    return case if case.choice.get("beta") else case.choosing(beta=["2"])


# hypotheses ---------------------------------------------------------------------------------------
def _loss_given(case: Case) -> bool:
    return bool(loss_of(case)) and list(case.slopes) == loss_slopes_at(case)


POLYNOMIAL_LOSS = Hypothesis(
    "polynomial loss",
    r"the loss is a polynomial (so differentiable everywhere, Assumption 3), the same at every "
    "step",
    by_case(_loss_given),
    lambda case, random: resloped(_any_betas(case, random)),
)


def _rates_from_betas(case: Case) -> bool:
    betas = [Fraction(beta) for beta in case.choice.get("beta", ())]
    positive = bool(betas) and min(betas) > 0
    return positive and rates_of(case) == [rate_of(beta) for beta in betas]


def _longer_steps(case: Case, random: Random) -> Case:
    """Steps of two to eight times the size."""
    longer = [rate * random.choice((2, 4, 8)) for rate in rates_of(case)]
    return case.choosing(eta=[str(rate) for rate in longer])


STEP_RULE = Hypothesis(
    "step size",
    r"$\beta(\tau)>0$ and $\eta(\tau)=\min\big(1,\frac1{\beta(\tau)}\big)$ for every $\tau$",
    by_case(_rates_from_betas),
    break_=_longer_steps,
)


def _constants_hold(case: Case, place: int) -> bool:
    betas = [Fraction(beta) for beta in case.choice.get("beta", ())]
    if len(rates_of(case)) != len(betas):
        return False
    bounds = ball_bounds(case)
    return all(both[place] <= beta for beta, both in zip(betas, bounds, strict=True))


def _smaller_constants(case: Case, random: Random) -> Case:
    betas = [Fraction(beta) / random.choice((2, 8)) for beta in case.choice.get("beta", ())]
    return case.choosing(beta=[str(beta) for beta in betas])


def _only_at_the_start(case: Case, random: Random) -> Case:
    """Constants that hold on the ball of w(tau); smaller ones where these hold further out, too."""
    tight = settled(case)
    return _smaller_constants(tight, random) if _constants_hold(tight, 1) else tight


SMOOTH_ON_BALL = Hypothesis(
    "smooth on the ball",
    r"$\nabla\mathcal R$ is $\beta(\tau)$-Lipschitz on the ball of the $w$ whose layers all have "
    r"Frobenius norm at most $R(\tau)$, the largest one of $w(\tau)$",
    by_case(lambda case: _constants_hold(case, 0)),
    lambda case, random: settled(case, factor=random.choice(FACTORS)),
    _smaller_constants,
)
SMOOTH_ON_STEP = Hypothesis(
    "smooth on a ball that holds the step",
    r"$\nabla\mathcal R$ is $\beta(\tau)$-Lipschitz on a ball of this kind that holds both "
    r"$w(\tau)$ and $w(\tau+1)$",
    by_case(lambda case: _constants_hold(case, 1)),
    lambda case, random: settled(case, reach=True, factor=random.choice(FACTORS)),
    _only_at_the_start,
)


def _lowered(case: Case, random: Random) -> Case:
    """The loss less a constant."""
    loss = loss_of(case)
    return case.choosing(loss=[str(loss[0] - random.randint(1, 8)), *map(str, loss[1:])])


NONNEGATIVE_LOSS = Hypothesis(
    "loss at least 0",
    r"$\ell\ge0$ (here: a sum of squares of polynomials)",
    by_case(of_squares),
    choose_squares,
    _lowered,
)


def _distinct(scene: Scene, entries: Entries) -> np.ndarray:
    """Of entries about two edges whether these are different ones."""
    if entries.subjects.ndim == 1:
        return np.ones(len(entries), dtype=bool)
    return np.asarray(entries.subjects[:, 0] != entries.subjects[:, 1], dtype=bool)


DISTINCT_EDGES = Hypothesis("distinct edges", r"$e\ne f$", _distinct)
