"""Gradient descent from a case: w(tau), d(w(tau)) and their sums, in any arithmetic.

A case chooses the step sizes: `eta`, a list of rationals eta(0), ..., eta(t). The loss is one
function for all steps: a named one; or prescribed, with the slopes l'(y_j nu(x_j; w(tau))) of the
later steps in `slopes`, one row for each of tau = 1, ..., t. At a kink d is the gradient to its
right, or the one that the case chooses; claims ask that there is none.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import takewhile
from typing import TYPE_CHECKING

import numpy as np

from graphs.arithmetic import Array, as_fraction
from verify.core.losses import PRESCRIBED

if TYPE_CHECKING:
    from verify.cases.case import Case
    from verify.cases.scenes import Scene


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
    found = type(scene)(
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
