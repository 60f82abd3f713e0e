"""How the steps of gradient descent are chosen at random."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from verify.cases.case import Case
from verify.cases.transformations import random_rational
from verify.core.losses import PRESCRIBED

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
