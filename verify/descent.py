"""Gradient descent from a case: w(tau), d(w(tau)) and their sums, in any arithmetic.

A case chooses the step sizes: `eta`, a list of rationals eta(0), ..., eta(t), or else `beta`, a
list of smoothness constants, by which eta(tau) = min(1, 1/beta(tau)). The loss is one function for
all steps: a named one; or prescribed, with the slopes l'(y_j nu(x_j; w(tau))) of the later steps in
`slopes`, one row for each of tau = 1, ..., t; or the polynomial with the coefficients `loss`,
constant first. At a kink d would be the gradient to its right; claims ask that there is none.

In a scene of symbols there is one step, and its size is 1: risk coefficients are free, so they
carry the step size; an identity that is a sum over tau holds if it holds for one step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from graphs.arithmetic import RATIONALS, Array, as_fraction
from graphs.network import FIXED
from verify.case import PRESCRIBED, Case
from verify.vocabulary import Scene


def rates_of(case: Case) -> list[Fraction]:
    """eta(0), ..., eta(t); none where the case chooses no steps."""
    if "eta" not in case.choice:
        return [rate_of(Fraction(beta)) for beta in case.choice.get("beta", ())]
    return [Fraction(eta) for eta in case.choice["eta"]]


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


class Point(Scene):
    """The scene at one w(tau). Its cases have the weights of that step, or numbers of their
    signs where the arithmetic is not exact."""

    @cached_property
    def kappa(self) -> Array:
        """(C, n): the risk coefficients at w(tau)."""
        if not self.cases or "loss" not in self.cases[0].choice:
            return super().kappa
        share = self.arithmetic.array([[Fraction(1, self.n)]])
        rows = [derivative(loss_of(case)) for case in self.cases]
        return self.of_margins(rows) * self.labels * share

    def of_margins(self, rows: list[list[Fraction]]) -> Array:
        """(C, n): a polynomial of each case (constant first) at its margins."""
        margins = self.labels * self.value
        degree = max(map(len, rows))
        padded = [row + [Fraction(0)] * (degree - len(row)) for row in rows]
        result = self.arithmetic.zeros((len(rows), self.n))
        for k in reversed(range(degree)):
            result = result * margins + self.arithmetic.array([[row[k]] for row in padded])
        return result


@dataclass(frozen=True)
class Descent:
    """t+1 steps of gradient descent (or of the broken descent that a case chooses, see
    Scene.velocity) for each of the C cases of a scene.

    points: the scenes at w(0), ..., w(t). weights: (E,) each, w(0), ..., w(t+1). rates: (C,) each,
    eta(0), ..., eta(t). counts: (C,) the number of steps of each case; those with fewer than others
    rest at the end (their further steps have size 0).
    """

    points: tuple[Scene, ...]
    weights: tuple[Array, ...]
    rates: tuple[Array, ...]
    counts: np.ndarray

    @property
    def start(self) -> Array:
        """(E,): w(0)."""
        return self.weights[0]

    @property
    def end(self) -> Array:
        """(E,): w(t+1)."""
        return self.weights[-1]

    def total(self, terms: Callable[[Scene], Array], owner: np.ndarray, power: int = 1) -> Array:
        """(K,): the sum over tau of eta(tau)^power times terms at w(tau), (K,), which belong to
        the given cases."""
        result: Array = None
        for point, rate in zip(self.points, self.rates, strict=True):
            term = terms(point)
            for _ in range(power):
                term = term * rate[owner]
            result = term if result is None else result + term
        return result

    def active(self, step: int) -> np.ndarray:
        """(C,) boolean: which cases make this step."""
        return np.asarray(self.counts > step, dtype=bool)


def descend(scene: Scene) -> Descent:
    """Gradient descent from the weights of a scene."""
    if scene.symbolic or not scene.cases:
        rate = scene.arithmetic.array([1] * len(scene.union.networks))
        after = scene.weights - scene.risk_gradient
        return Descent(
            (scene,), (scene.weights, after), (rate,), np.ones(len(scene.union.networks), dtype=int)
        )
    sizes = [rates_of(case) for case in scene.cases]
    counts = np.array([len(row) for row in sizes])
    points: list[Scene] = []
    weights: list[Array] = [scene.weights]
    rates: list[Array] = []
    owner = scene.union.edge_owner
    for step in range(max(1, counts.max(initial=0))):
        points.append(_point(scene, weights[-1], step))
        rate = [row[step] if step < len(row) else Fraction(0) for row in sizes]
        rates.append(scene.arithmetic.array(rate))
        weights.append(weights[-1] + points[-1].velocity * rates[-1][owner])
    return Descent(tuple(points), tuple(weights), tuple(rates), counts)


def _point(scene: Scene, weights: Array, step: int) -> Scene:
    """The scene at w(step)."""
    cases = scene.cases if step == 0 else tuple(_moved(scene, weights))
    kappa = None
    if cases[0].loss == PRESCRIBED and "loss" not in cases[0].choice:
        kappa = scene.arithmetic.array([_kappas(case, step) for case in scene.cases])
    return Point(
        scene.union,
        scene.arithmetic,
        weights=weights,
        inputs=scene.inputs,
        labels=scene.labels,
        kappa=kappa,
        cases=cases,
    )


def slope_rows(case: Case) -> list[list[Fraction]]:
    """The prescribed slopes: those of the case, at w(0), and those of the later steps."""
    return [
        list(case.slopes),
        *([Fraction(v) for v in row] for row in case.choice.get("slopes", ())),
    ]


def _kappas(case: Case, step: int) -> list[Fraction]:
    """The risk coefficients of a step; 0 where its slopes are not prescribed (which the hypothesis
    of one loss rejects)."""
    rows, n = slope_rows(case), case.example_count
    row = rows[step] if step < len(rows) and len(rows[step]) == n else [Fraction(0)] * n
    return [s * y / n for s, y in zip(row, case.labels, strict=True)]


def _moved(scene: Scene, weights: Array) -> list[Case]:
    """The cases at other weights: exact ones, or the signs where numbers are enclosures."""
    if scene.arithmetic.exact:
        numbers = [as_fraction(w) for w in weights]
    else:
        negative = scene.arithmetic.is_negative(weights)
        numbers = [Fraction(-1 if below else 1) for below in negative]
    moved = []
    for case, offset in zip(scene.cases, scene.union.edge_offset, strict=False):
        firsts = (edges[0] + offset for edges in case.network.edges_of_parameter)
        moved.append(case.with_weights([numbers[e] for e in firsts]))
    return moved


# one case, over the rationals ---------------------------------------------------------------------
SlopeRule = Callable[[int, list[Fraction]], list[Fraction]]  # from step and margins


def follow(
    case: Case, slopes_at: SlopeRule, rate_at: Callable[[int, Case], Fraction], steps: int
) -> list[tuple[Case, list[Fraction], Fraction]]:
    """The points w(0), ..., w(steps - 1) of one case with the slopes of the loss and the step size
    at each; and w(steps), with no slopes and step size 0.

    slopes_at: the slopes at a step, from the margins. rate_at: the step size, from the case at
    w(tau), its slopes filled in. Raises NotRationalError where the network has no exact values.
    """
    from graphs.exact import output

    visited = []
    here = case
    for step in range(steps):
        data = zip(case.inputs, case.labels, strict=True)
        margins = [y * output(here.network, here.weights, x) for x, y in data]
        slopes = slopes_at(step, margins)
        here = replace(here, loss=PRESCRIBED, slopes=tuple(slopes))
        rate = rate_at(step, here)
        visited.append((here, slopes, rate))
        gradient = gradient_of(here)
        here = here.with_weights(
            [w - rate * d for w, d in zip(here.weights, gradient, strict=True)]
        )
    return [*visited, (here, [], Fraction(0))]


def gradient_of(case: Case) -> list[Fraction]:
    """(P,): the gradient of the risk of a case with prescribed slopes, exactly."""
    from verify.vocabulary import scene_of

    gradient = scene_of([case], RATIONALS).risk_gradient
    own = case.network.parameter_of
    found = {p: as_fraction(gradient[e]) for e, p in enumerate(own) if p != FIXED}
    return [found[p] for p in range(case.network.parameter_count)]


def prescribed_steps(case: Case, slope: Callable[[Fraction], Fraction]) -> Case:
    """The case with the slopes of its loss prescribed at every step: those that `slope` gives at
    the margins, equal ones at equal margins."""
    rates = rates_of(case)
    known: dict[Fraction, Fraction] = {}

    def slopes_at(step: int, margins: list[Fraction]) -> list[Fraction]:
        for margin in margins:
            if margin not in known:
                known[margin] = slope(margin)
        return [known[margin] for margin in margins]

    visited = follow(case, slopes_at, lambda step, _: rates[step], len(rates))
    rows = [slopes for _, slopes, _ in visited[:-1]]
    later = [[str(s) for s in row] for row in rows[1:]]
    return replace(case, loss=PRESCRIBED, slopes=tuple(rows[0])).choosing(slopes=later)
