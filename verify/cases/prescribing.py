"""The slopes of a loss along gradient descent from a case: rationals, prescribed step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from graphs.arithmetic import as_fraction
from graphs.exact import output
from graphs.network import FIXED
from graphs.rationals import RATIONALS
from verify.cases.descent import rates_of
from verify.cases.scenes import scene_of
from verify.core.losses import PRESCRIBED

if TYPE_CHECKING:
    from verify.cases.case import Case


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
    if case.network.homogeneous:
        data = zip(case.inputs, case.labels, strict=True)
        return [y * output(case.network, case.weights, x) for x, y in data]
    scene = scene_of([case], RATIONALS)
    return list((scene.value * scene.labels)[0])


def gradient_of(case: Case) -> list[Fraction]:
    """(P,): the gradient of the risk of a case with prescribed slopes, exactly."""
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


def prescribe(case: Case) -> Case:
    """The case with its loss replaced by prescribed slopes: for the squared loss exactly its own,
    for logistic and exponential loss their float values as rationals. Equal margins get equal
    slopes, so that a polynomial loss with these slopes exists."""
    if case.loss == PRESCRIBED:
        return case
    return prescribed(case, lambda margin: _slope(case.loss, margin))


def _slope(loss: str, margin: Any) -> Fraction:
    if loss == "squared":
        return -2 * (1 - (margin if isinstance(margin, Fraction) else Fraction(float(margin))))
    with np.errstate(over="ignore"):
        z = np.float64(float(margin))
        value = -1 / (1 + np.exp(z)) if loss == "logistic" else -np.exp(-z)
    if not np.isfinite(value):
        value = np.float64(-1.0)
    return Fraction(float(value)).limit_denominator(10**6) or Fraction(-1, 10**6)
