"""Descents whose step sizes come from smoothness constants of the risk, with polynomial losses."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from graphs.activations import LINEAR
from graphs.families import fully_connected
from verify.cases.case import Case
from verify.cases.descent import loss_of, rates_of
from verify.cases.pool import random_point
from verify.cases.smoothness import resloped, settled, sum_of_squares, with_its_steps
from verify.cases.transformations import random_rational

FACTORS = (Fraction(1), Fraction(1), Fraction(1), Fraction(1), Fraction(4))
SCALES = (Fraction(1), Fraction(1, 8), Fraction(1, 64), Fraction(1, 256))
SHAPES = ([1, 1], [1, 1], [2, 1], [2, 1], [3, 1], [1, 1, 1], [2, 2, 1], [1, 1, 1, 1])
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
    case = with_its_steps(case.choosing(beta=[str(beta) for beta in betas]))
    return resloped(choose_polynomial(case, random))


# how hypotheses are met and broken ----------------------------------------------------------------
def with_a_loss(case: Case, random: Random) -> Case:
    """A loss and a constant where none is chosen (a network with a name), and its slopes."""
    if "loss" not in case.choice:
        case = choose_squares(case, random)
    case = case if case.choice.get("beta") else case.choosing(beta=["2"])
    return resloped(case if case.choice.get("eta") else with_its_steps(case))


def off_the_loss(case: Case, random: Random) -> Case:
    """The first slope is not that of the loss."""
    first, *rest = case.slopes
    return replace(case, slopes=(first + random_rational(random), *rest))


def longer_steps(case: Case, random: Random) -> Case:
    """Steps of two to eight times the size."""
    longer = [rate * random.choice((2, 4, 8)) for rate in rates_of(case)]
    return resloped(case.choosing(eta=[str(rate) for rate in longer]))


def smaller_constants(case: Case, random: Random) -> Case:
    """Constants that are half as large, or less."""
    betas = [Fraction(beta) / random.choice((2, 8)) for beta in case.choice.get("beta", ())]
    return resloped(with_its_steps(case.choosing(beta=[str(beta) for beta in betas])))


def only_at_the_start(case: Case, random: Random) -> Case:
    """Constants that hold on the ball of w(tau), and not where these hold further out, too."""
    tight = settled(case)
    reaching = settled(case, reach=True)
    return smaller_constants(tight, random) if tight.choice == reaching.choice else tight


def enough(case: Case, random: Random, *, reach: bool) -> Case:
    """Constants that hold on the balls, or four times as large ones."""
    return settled(case, reach=reach, factor=random.choice(FACTORS))


def lowered(case: Case, random: Random) -> Case:
    """The loss less a constant."""
    loss = loss_of(case)
    return case.choosing(loss=[str(loss[0] - random.randint(1, 8)), *map(str, loss[1:])])


def without_squares(case: Case, random: Random) -> Case:
    """The same as `choose_smooth`, of a loss of which no squares are told."""
    found = choose_smooth(case, random)
    choice = {key: value for key, value in found.choice.items() if key != "squares"}
    return replace(found, choice=choice)


def with_squares(case: Case, random: Random) -> Case:
    """The same, of a loss that is a sum of squares."""
    return resloped(choose_squares(choose_smooth(case, random), random))
