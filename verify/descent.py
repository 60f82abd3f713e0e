"""Gradient descent from a case: w(tau), d(w(tau)) and their sums, in any arithmetic.

A case chooses the step sizes: `eta`, a list of rationals eta(0), ..., eta(t). The loss is one
function for all steps: a named one; or prescribed, with the slopes l'(y_j nu(x_j; w(tau))) of the
later steps in `slopes`, one row for each of tau = 1, ..., t. At a kink d is the gradient to its
right, or the one that the case chooses; claims ask that there is none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import takewhile
from typing import Any

import numpy as np

from graphs.arithmetic import RATIONALS, Array, as_fraction
from graphs.network import FIXED
from verify.case import PRESCRIBED, Case
from verify.vocabulary import Scene


def rates_of(case: Case) -> list[Fraction]:
    """eta(0), ..., eta(t); none where the case chooses no steps."""
    return [Fraction(eta) for eta in case.choice.get("eta", ())]


def rate_of(beta: Fraction) -> Fraction:
    """min(1, 1/beta); 1/0 counts as infinite."""
    return Fraction(1) if beta <= 1 else 1 / beta


def loss_of(case: Case) -> list[Fraction]:
    """The coefficients of the polynomial loss that the case chooses, constant first."""
    return [Fraction(c) for c in case.choice.get("loss", ())]


def polynomial(coefficients: list[Fraction], z: Fraction) -> Fraction:
    """The value of a polynomial, constant first."""
    value = Fraction(0)
    for c in reversed(coefficients):
        value = value * z + c
    return value


def derivative(coefficients: list[Fraction]) -> list[Fraction]:
    """The coefficients of the derivative, constant first."""
    return [k * c for k, c in enumerate(coefficients)][1:]


class Descent:
    """Gradient descent from the weights of a scene, by the steps that each of its C cases chooses.

    counts: (C,) the number of steps of each case; those with fewer than others rest at the end
    (their further steps have size 0). rates: (C,) each, eta(0), ..., eta(t). reached: (C,) how many
    steps have slopes that are told.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._at: list[Scene] = [scene]
        sizes = [rates_of(case) for case in scene.cases]
        self.counts = np.array([len(row) for row in sizes])
        self.reached = np.array([told(case) for case in scene.cases])
        self.rates: tuple[Array, ...] = tuple(
            scene.arithmetic.array([row[k] if k < len(row) else Fraction(0) for row in sizes])
            for k in range(self.counts.max(initial=0))
        )

    def at(self, step: int) -> Scene:
        """The scene at w(step)."""
        while len(self._at) <= step:
            here, number = self._at[-1], len(self._at)
            rate = self.rates[number - 1][here.union.edge_owner]
            self._at.append(_point(self._scene, here.weights + here.velocity * rate, number))
        return self._at[step]


def told(case: Case) -> int:
    """How many steps of a case have slopes of the loss: all, unless prescribed ones are lacking."""
    count, rows = len(rates_of(case)), slope_rows(case)
    if case.loss != PRESCRIBED:
        return count
    complete = (len(row) == case.example_count for row in rows[:count])
    return sum(takewhile(bool, complete))


def _point(scene: Scene, weights: Array, step: int) -> Scene:
    """The scene at w(step). Its cases have the weights of that step, or numbers of their signs
    where the arithmetic is not exact; and the slopes of that step, 0 where none are told."""
    found = Scene(
        scene.union,
        scene.arithmetic,
        weights=weights,
        inputs=scene.inputs,
        labels=scene.labels,
        kappa=None,
        cases=tuple(_moved(scene, weights, step)),
    )
    found._origin = scene  # the same paths and pairs
    return found


def slope_rows(case: Case) -> list[list[Fraction]]:
    """The prescribed slopes: those of the case, at w(0), and those of the later steps."""
    return [
        list(case.slopes),
        *([Fraction(v) for v in row] for row in case.choice.get("slopes", ())),
    ]


def _moved(scene: Scene, weights: Array, step: int) -> list[Case]:
    """The cases at w(step): exact ones, or the signs where numbers are enclosures."""
    if scene.arithmetic.exact:
        numbers = [as_fraction(w) for w in weights]
    else:
        negative = scene.arithmetic.is_negative(weights)
        numbers = [Fraction(-1 if below else 1) for below in negative]
    moved = []
    for case, offset in zip(scene.cases, scene.union.edge_offset, strict=False):
        firsts = (edges[0] + offset for edges in case.network.edges_of_parameter)
        slopes = [Fraction(0)] * len(case.slopes)
        if step < min(told(case), len(slope_rows(case))):
            slopes = slope_rows(case)[step]
        here = case.with_weights([numbers[e] for e in firsts])
        moved.append(replace(here, slopes=tuple(slopes)) if case.slopes else here)
    return moved


# one case, over the rationals ---------------------------------------------------------------------
SlopeRule = Callable[[int, list[Any]], list[Fraction]]  # from step and margins


def follow(
    case: Case, slopes_at: SlopeRule, rate_at: Callable[[int, Case], Fraction], steps: int
) -> list[tuple[Case, list[Fraction], Fraction]]:
    """The points w(0), ..., w(steps - 1) of one case with the slopes of the loss and the step size
    at each; and w(steps), with no slopes and step size 0.

    slopes_at: the slopes at a step, from the margins. rate_at: the step size, from the case at
    w(tau), its slopes filled in. Raises NotRationalError where the weights at a step are none.
    """
    visited = []
    here = case
    for step in range(steps):
        margins = _margins(here)
        slopes = slopes_at(step, margins)
        here = replace(here, loss=PRESCRIBED, slopes=tuple(slopes))
        rate = rate_at(step, here)
        visited.append((here, slopes, rate))
        if rate:
            gradient = gradient_of(here)
            here = here.with_weights(
                [w - rate * d for w, d in zip(here.weights, gradient, strict=True)]
            )
    return [*visited, (here, [], Fraction(0))]


def _margins(case: Case) -> list[Any]:
    """y_j nu(x_j): rationals, or enclosed where an activation is smooth."""
    from graphs.exact import output
    from verify.vocabulary import scene_of

    if case.network.homogeneous:
        data = zip(case.inputs, case.labels, strict=True)
        return [y * output(case.network, case.weights, x) for x, y in data]
    scene = scene_of([case], RATIONALS)
    return list((scene.value * scene.labels)[0])


def gradient_of(case: Case) -> list[Fraction]:
    """(P,): the gradient of the risk of a case with prescribed slopes, exactly."""
    from verify.vocabulary import scene_of

    gradient = scene_of([case], RATIONALS).risk_gradient
    own = case.network.parameter_of
    found = {p: as_fraction(gradient[e]) for e, p in enumerate(own) if p != FIXED}
    return [found[p] for p in range(case.network.parameter_count)]


def with_slopes(case: Case, slopes_at: SlopeRule) -> Case:
    """The case with the slopes of its loss prescribed, at every step if it makes any. Raises
    NotRationalError as `follow` does."""
    rates = rates_of(case)
    sizes = rates or [Fraction(0)]
    visited = follow(case, slopes_at, lambda step, _: sizes[step], len(sizes))
    rows = [slopes for _, slopes, _ in visited[:-1]]
    found = replace(case, loss=PRESCRIBED, slopes=tuple(rows[0]))
    return found.choosing(slopes=[[str(s) for s in row] for row in rows[1:]]) if rates else found


def prescribed(case: Case, slope: Callable[[Fraction], Fraction]) -> Case:
    """The case with the slopes of its loss prescribed at every step: those that `slope` gives at
    the margins, equal ones at equal margins."""
    known: list[tuple[Any, Fraction]] = []

    def slopes_at(step: int, margins: list[Any]) -> list[Fraction]:
        return [of_one_loss(known, margin, slope(margin)) for margin in margins]

    return with_slopes(case, slopes_at)


def of_one_loss(known: list[tuple[Any, Fraction]], margin: Any, slope: Fraction) -> Fraction:
    """The slope of the loss at a margin: the one that is known there, or this one, known then."""
    for other, found in known:
        if other == margin:
            return found
    known.append((margin, slope))
    return slope
