"""Hypotheses about the data, the loss, and the weights at which a network is looked at."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import isqrt
from random import Random

import numpy as np

from verify.breaks import (
    broken_loss,
    onto_a_kink,
    weight_decay,
    zero_weight,
)
from verify.case import PRESCRIBED, Case
from verify.hypotheses import Hypothesis, by_case
from verify.sliding import into_a_slide
from verify.transformations import (
    nonzero_weights,
    with_one_loss,
)
from verify.vocabulary import Entries, Scene


def _inside(case: Case, random: Random) -> Case:
    """The case with every input that is longer than 1 divided by little more than its norm."""
    rows = []
    for row in case.inputs:
        square = sum((value * value for value in row), Fraction(0))
        above = Fraction(isqrt(int(square * 65536)) + 1, 256)
        rows.append(tuple(value / above for value in row) if square > 1 else row)
    return replace(case, inputs=tuple(rows))


DATA = Hypothesis(
    "data",
    r"$\lVert x_i\rVert\le 1$ and $y_i\in\{-1,1\}$",
    by_case(lambda case: case.admissible, "inputs", "labels"),
    _inside,
    break_=lambda case, random: replace(
        case, inputs=tuple(tuple(10 * value for value in row) for row in case.inputs)
    ),
)


def _loss_exists(scene: Scene, entries: Entries) -> np.ndarray:
    """A differentiable loss with the prescribed slopes exists: equal margins, equal slopes."""
    answers = []
    for number, case in enumerate(scene.cases):
        good = True
        if case.loss == PRESCRIBED and len(set(case.slopes)) > 1:
            good = not _ties_with_unequal_slopes(scene, number, case)
        answers.append(good)
    return np.asarray(np.array(answers, dtype=bool)[entries.owner], dtype=bool)


def _ties_with_unequal_slopes(scene: Scene, number: int, case: Case) -> bool:
    margins = scene.value[number : number + 1] * scene.labels[number : number + 1]
    for i in range(case.example_count):
        for j in range(i):
            difference = margins[:, i] - margins[:, j]
            if case.slopes[i] != case.slopes[j] and scene.arithmetic.may_be_zero(difference)[0]:
                return True
    return False


DIFFERENTIABLE_LOSS = Hypothesis(
    "differentiable loss (Assumption 3)",
    r"the loss $\ell$ is differentiable everywhere",
    _loss_exists,
    lambda case, random: with_one_loss(case),
    broken_loss,
)


STABLE_SIGNS = Hypothesis(
    "stable signs (Assumption 1)",
    r"$\mathrm{sgn}(w(t))$ is constant on the time interval considered",
    by_case(lambda case: 0 not in case.weights),
    nonzero_weights,
    zero_weight,
)

NONZERO_WEIGHTS = Hypothesis(
    "no zero weight",
    r"signs of the weights constant near $w$: no weight is 0",
    by_case(lambda case: 0 not in (*case.weights, *case.network.fixed)),
    nonzero_weights,
    zero_weight,
)


def _no_kink(scene: Scene, entries: Entries) -> np.ndarray:
    """No kink, not even one at which a slope is selected."""
    kinked = scene.plain_evaluation.kinks.any(axis=1)
    bad = np.zeros(len(scene.union.networks), dtype=bool)
    np.logical_or.at(bad, scene.union.vertex_owner, kinked)
    return np.asarray(~bad[entries.owner], dtype=bool)


DIFFERENTIABLE = Hypothesis(
    "differentiable",
    r"$\nu$ is differentiable at $w$ on every example",
    _no_kink,
    break_=onto_a_kink,
)

FLOW_SELECTION = Hypothesis(
    "gradient flow",
    r"$\dot w\in-\partial\mathcal R(w)$, with the Clarke element that the flow selects: where no "
    r"pre-activation is at a kink the gradient; at a ReLU vertex whose in-weights are all 0 also "
    r"the element with slope 0 there, since its in-weights then stay 0 for all time; where a "
    r"single preactivation is 0 on one example and both branches push towards it, the element "
    r"under which it stays 0: there the flow slides",
    lambda scene, entries: _no_kink(scene, entries) & _undecayed(scene)[entries.owner],
    into_a_slide,
    break_=weight_decay,
)


def _undecayed(scene: Scene) -> np.ndarray:
    """For each case whether its velocity is that of gradient flow."""
    return np.array(["weight_decay" not in case.choice for case in scene.cases], dtype=bool)
