"""Hypotheses about the steps of gradient descent, and how steps are chosen at random."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import Array
from graphs.errors import NotRationalError
from graphs.exact import output
from verify.breaks import onto_a_kink, weight_decay
from verify.case import PRESCRIBED, Case
from verify.descent import rates_of, slope_rows
from verify.hypotheses import Hypothesis, by_case
from verify.pair_hypotheses import EQUAL_PATTERNS
from verify.point_hypotheses import DIFFERENTIABLE, NONZERO_WEIGHTS
from verify.transformations import nonzero_weights, random_rational
from verify.vocabulary import Entries, Scene

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


def _steps_made(case: Case) -> bool:
    rates = rates_of(case)
    return bool(rates) and min(rates) >= 0 and "weight_decay" not in case.choice


STEPS = Hypothesis(
    "gradient descent",
    r"$w(\tau+1)-w(\tau)=-\eta(\tau)\,d(w(\tau))$ with $\eta(\tau)\ge0$ and $d(w(\tau))\in"
    r"\partial\mathcal R(w(\tau))$ for $\tau=0,\dots,t$",
    by_case(_steps_made),
    one_step,
    weight_decay,
)


def at_every_step(
    test: Callable[[Scene, Entries], np.ndarray],
) -> Callable[[Scene, Entries], np.ndarray]:
    """The test of a hypothesis at w(0), ..., w(t)."""

    def tested(scene: Scene, entries: Entries) -> np.ndarray:
        answers = np.ones(len(entries), dtype=bool)
        for step, point in enumerate(scene.descent.points):
            resting = ~scene.descent.active(step)[entries.owner]
            answers &= test(point, entries) | resting
        return answers

    return tested


SMOOTH_STEPS = Hypothesis(
    "differentiable at every step",
    r"$\nu$ is differentiable at $w(\tau)$ on every example, $\tau=0,\dots,t$",
    at_every_step(DIFFERENTIABLE.test),
    break_=lambda case, random: onto_a_kink(case, random, ("boundary", "zero")),
)


def _no_weight_vanishes(point: Scene, entries: Entries) -> np.ndarray:
    union = point.union
    zero = union.learnable & point.arithmetic.may_be_zero(point.weights)
    bad = np.zeros(len(union.networks), dtype=bool)
    np.logical_or.at(bad, union.edge_owner, zero)
    return np.asarray(~bad[entries.owner], dtype=bool)


NONZERO_STEPS = Hypothesis(
    "no zero weight at any step",
    r"no weight of $w(\tau)$ is $0$, $\tau=0,\dots,t$",
    at_every_step(_no_weight_vanishes),
    nonzero_weights,
    NONZERO_WEIGHTS.break_,
)

EQUAL_PATTERN_STEPS = Hypothesis(
    "equal activation patterns at every step",
    r"$u$ and $v$ have the same activation on each example at every $w(\tau)$, $\tau=0,\dots,t$",
    at_every_step(EQUAL_PATTERNS.test),
    EQUAL_PATTERNS.repair,
    EQUAL_PATTERNS.break_,
)


def _one_loss(scene: Scene, entries: Entries) -> np.ndarray:
    """Equal margins have equal slopes, across all steps: so one differentiable loss has them."""
    answers = [
        case.loss != PRESCRIBED or "loss" in case.choice or _slopes_agree(scene, number, case)
        for number, case in enumerate(scene.cases)
    ]
    return np.asarray(np.array(answers, dtype=bool)[entries.owner], dtype=bool)


def _slopes_agree(scene: Scene, number: int, case: Case) -> bool:
    steps = len(rates_of(case))
    rows = slope_rows(case)
    if len(rows) < steps or any(len(row) != case.example_count for row in rows):
        return False
    if len({slope for row in rows[:steps] for slope in row}) <= 1:
        return True
    own = slice(number, number + 1)
    seen: list[tuple[Array, Fraction]] = []
    for point, row in zip(scene.descent.points, rows[:steps], strict=False):
        margins = point.value[own] * point.labels[own]
        for j, slope in enumerate(row):
            for margin, other in seen:
                if other != slope and scene.arithmetic.may_be_zero(margins[:, j] - margin)[0]:
                    return False
            seen.append((margins[:, j], slope))
    return True


def _two_slopes(case: Case, random: Random) -> Case:
    """The first example twice, with two slopes."""
    if case.loss != PRESCRIBED:
        return case
    twice = case.choosing(
        slopes=[[*row, row[0]] for row in case.choice.get("slopes", ())],
    )
    return replace(
        twice,
        inputs=(*case.inputs, case.inputs[0]),
        labels=(*case.labels, case.labels[0]),
        slopes=(*case.slopes, case.slopes[0] + 1),
    )


def _linear_loss(case: Case, random: Random) -> Case:
    """Where two examples have one margin at w(0): one slope throughout, as of a linear loss."""
    if case.loss != PRESCRIBED or "loss" in case.choice:
        return case
    try:
        values = [output(case.network, case.weights, x) for x in case.inputs]
    except NotRationalError:
        return case
    if len({value * y for value, y in zip(values, case.labels, strict=True)}) == len(values):
        return case
    row = case.slopes[:1] * case.example_count
    later = [[str(s) for s in row] for _ in case.choice.get("slopes", ())]
    return replace(case, slopes=row).choosing(slopes=later)


ONE_LOSS = Hypothesis(
    "differentiable loss (Assumption 3), one for all steps",
    r"the loss $\ell$ is differentiable everywhere, and the same at every step",
    _one_loss,
    _linear_loss,
    _two_slopes,
)
