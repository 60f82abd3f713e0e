"""The derivative of the risk in each weight from values of the risk alone.

Equation (8) equates it with a sum of gradients; computing both sides by one backward pass would
compare a thing with itself. Here the loss is the polynomial whose derivative takes the prescribed
values at the margins; inside an activation region nu is linear in each weight, so the risk along
one weight is a polynomial of known degree, and finitely many exact values give its derivative.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from graphs.arithmetic import RATIONALS, as_fraction
from graphs.evaluation import Evaluation, Union, evaluate
from verify.case import PRESCRIBED, Case
from verify.descent import slope_rows
from verify.vocabulary import Entries, Row, Scene, constant_entries

Numbers = Sequence[Fraction]
ATTEMPTS = 40


def risk_slopes(case: Case) -> list[Fraction]:
    """dR/dw_p for every parameter p of a case with prescribed slopes, each edge its own parameter.

    Empty where no step was small enough to stay in the activation region (the case is at a kink).
    """
    base = _evaluate(case, [case.weights])
    margins = [as_fraction(v) * y for v, y in zip(base.outputs[0], case.labels, strict=True)]
    loss = polynomial_loss(margins, case.slopes)
    steps = range(-1, len(loss))
    size = Fraction(1)
    for _ in range(ATTEMPTS):
        moved = [_moved(case.weights, p, k * size) for p in range(len(case.weights)) for k in steps]
        there = _evaluate(case, moved)
        if _same_region(base, there, len(moved)):
            points = [k * size for k in steps if k >= 0]
            risks = _risks(case, there, loss)
            width = len(steps)
            rows = [risks[p * width + 1 : (p + 1) * width] for p in range(len(case.weights))]
            return [derivative_at_first(points, row) for row in rows]
        size /= 4
    return []


def polynomial_loss(margins: Numbers, slopes: Numbers) -> list[Fraction]:
    """The coefficients, constant first, of the polynomial of least degree that is 0 at 0 and whose
    derivative at each margin is the given slope (Lagrange's formula)."""
    slope_at = dict(zip(margins, slopes, strict=True))
    derivative = [Fraction(0)] * len(slope_at)
    for node, slope in slope_at.items():
        basis = [slope]
        for other in slope_at:
            if other != node:
                scaled = [c / (node - other) for c in basis]
                shifted = [Fraction(0), *scaled]
                padded = [*scaled, Fraction(0)]
                basis = [a - other * b for a, b in zip(shifted, padded, strict=True)]
        derivative = [a + b for a, b in zip(derivative, basis, strict=True)]
    return [Fraction(0), *(c / (k + 1) for k, c in enumerate(derivative))]


def derivative_at_first(points: Numbers, values: Numbers) -> Fraction:
    """The derivative at points[0] of the polynomial of least degree through the values (Newton's
    divided differences).

    >>> derivative_at_first([Fraction(3), Fraction(4), Fraction(5)], [Fraction(9), 16, 25])
    Fraction(6, 1)
    """
    differences = list(values)
    total = Fraction(0)
    factor = Fraction(1)
    for order in range(1, len(points)):
        differences = [
            (b - a) / (points[i + order] - points[i])
            for i, (a, b) in enumerate(itertools.pairwise(differences))
        ]
        total += Fraction(differences[0]) * factor
        factor *= points[0] - points[order]
    return total


def _moved(weights: Numbers, parameter: int, h: Fraction) -> tuple[Fraction, ...]:
    changed = list(weights)
    changed[parameter] += h
    return tuple(changed)


def _evaluate(case: Case, weights: Sequence[Numbers]) -> Evaluation:
    """The case's network at several weight vectors, on all examples."""
    union = Union.of([case.network] * len(weights))
    edges = [w for vector in weights for w in case.network.edge_weights(vector)]
    columns = [list(column) for column in zip(*case.inputs, strict=True)] * len(weights)
    return evaluate(union, RATIONALS, RATIONALS.array(edges), RATIONALS.array(columns))


def _same_region(base: Evaluation, there: Evaluation, copies: int) -> bool:
    """Whether every pre-activation that an activation bends at keeps its strict sign."""
    bent = np.array(
        [len(set(a.slopes)) > 1 for network in base.union.networks for a in network.activations]
    )
    before = np.tile(base.pre, (copies, 1))
    flips = np.asarray(before * there.pre <= 0, dtype=bool)
    return not (flips & np.tile(bent, copies)[:, None]).any()


def _risks(case: Case, there: Evaluation, loss: Numbers) -> list[Fraction]:
    risks = []
    for row in there.outputs:
        margins = [as_fraction(v) * y for v, y in zip(row, case.labels, strict=True)]
        total = sum((c * m**k for m in margins for k, c in enumerate(loss)), Fraction(0))
        risks.append(total / case.example_count)
    return risks


def scheme(scene: Scene) -> Entries:
    """(72): w(tau+1) - w(tau) + eta(tau) dR/dw at every step, with the derivatives of the risk
    taken from exact values of the risk alone."""
    rows: list[Row] = []
    descent = scene.descent
    for step, point in enumerate(descent.points):
        moved = descent.at(step + 1).weights - point.weights
        for number, here in enumerate(point.cases):
            table = slope_rows(scene.cases[number])
            if not descent.active(step)[number] or step >= len(table):
                continue
            at = replace(here, loss=PRESCRIBED, slopes=tuple(table[step]))
            rate = as_fraction(descent.rates[step][number])
            slopes = risk_slopes(at)  # none where no difference quotient stays in the region
            edges_of = zip(slopes, at.network.edges_of_parameter, strict=False)
            for slope, (edge, *_) in edges_of:
                change = as_fraction(moved[edge + scene.union.edge_offset[number]])
                label = {"parameter": at.network.parameter_names[at.network.parameter_of[edge]]}
                rows.append((number, {**label, "step": step}, change + rate * slope))
    return constant_entries(scene, rows)
