"""Hypotheses about the data, the loss, and the weights at which a network is looked at."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import isqrt
from random import Random

import numpy as np

from graphs.network import FIXED
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


def _signs_stay(case: Case) -> bool:
    """Every learnable weight is non-zero (so its sign stays for a while), or enters a dormant
    vertex, where it is 0 and stays 0."""
    network = case.network
    asleep = {network.index[name] for name in case.choice.get("dormant", ())}
    return all(
        weight != 0 or all(network.heads[e] in asleep for e in edges)
        for weight, edges in zip(case.weights, network.edges_of_parameter, strict=True)
    )


STABLE_SIGNS = Hypothesis(
    "stable signs (Assumption 1)",
    r"$\mathrm{sgn}(w(t))$ is constant on the time interval considered",
    by_case(_signs_stay),
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
    kinked = scene.evaluation.kinks.any(axis=1)
    bad = np.zeros(len(scene.union.networks), dtype=bool)
    np.logical_or.at(bad, scene.union.vertex_owner, kinked)
    return np.asarray(~bad[entries.owner], dtype=bool)


def _no_kink_nor_selection(scene: Scene, entries: Entries) -> np.ndarray:
    """No kink, not even one at which a dormant or sliding vertex has been given its slope."""
    answers = _no_kink(scene, entries)
    for number in scene.slides:
        answers = answers & (entries.owner != number)
    if scene.dormant is None:
        return answers
    selected = scene.dormant & scene.arithmetic.may_be_zero(scene.pre).any(axis=1)
    bad = np.zeros(len(scene.union.networks), dtype=bool)
    np.logical_or.at(bad, scene.union.vertex_owner, selected)
    return np.asarray(answers & ~bad[entries.owner], dtype=bool)


DIFFERENTIABLE = Hypothesis(
    "differentiable",
    r"$\nu$ is differentiable at $w$ on every example",
    _no_kink_nor_selection,
    break_=onto_a_kink,
)

FLOW_SELECTION = Hypothesis(
    "gradient flow",
    r"$\dot w\in-\partial\mathcal R(w)$, with the Clarke element that the flow selects: where no "
    r"pre-activation is at a kink the gradient; at a ReLU vertex whose in-weights are all 0 also "
    r"the element with slope 0 there, since its in-weights then stay 0 for all time; where a "
    r"single preactivation is 0 on one example and both branches push towards it, the element "
    r"under which it stays 0: there the flow slides",
    lambda scene, entries: (
        _no_kink(scene, entries) & (_dormant_sound(scene) & _undecayed(scene))[entries.owner]
    ),
    into_a_slide,
    break_=weight_decay,
)


def _undecayed(scene: Scene) -> np.ndarray:
    """For each case whether its velocity is that of gradient flow."""
    return np.array(["weight_decay" not in case.choice for case in scene.cases], dtype=bool)


def _dormant_sound(scene: Scene) -> np.ndarray:
    """For each case whether its dormant vertices are what they say: ReLU, all in-weights 0, and
    the direction leads to negative pre-activations on every example."""
    return np.array(
        [_dormant_case(scene, number, case) for number, case in enumerate(scene.cases)], dtype=bool
    )


def _dormant_case(scene: Scene, number: int, case: Case) -> bool:
    network = case.network
    direction = {k: Fraction(v) for k, v in case.choice.get("direction", {}).items()}
    for name in case.choice.get("dormant", ()):
        vertex = network.index[name]
        if network.activations[vertex].kind != "relu":
            return False
        total = None
        for e in network.in_edges[vertex]:
            p = network.parameter_of[e]
            if p == FIXED or case.weights[p] != 0 or not network.own_parameter(e):
                return False
            step = scene.arithmetic.array([direction.get(network.parameter_names[p], 0)])
            row = scene.post[[network.tails[e] + int(scene.union.vertex_offset[number])]]
            total = step[:, None] * row if total is None else total + step[:, None] * row
        if total is None or not scene.arithmetic.is_negative(total).all():
            return False
    return True
