"""Laws broken by weight decay and by momentum, with what they should become.

A form Q(w) = w^T A w with w^T A grad R(w) = 0 is conserved by w' = -grad R. With weight decay,
w' = -grad R - l w, it is Q(w(0)) e^{-2 l t}. With momentum, w'' + g w' = -grad R, the quantity
I = w^T A w' obeys I' = -g I + w'^T A w', and Q' = 2 I. (After D. Kunin et al., Neural mechanics,
ICLR 2021.) These are oracles: a measured drift is held against a number, not called small.

Integrated by the classical Runge-Kutta method of order 4 at a fixed step, so that the disagreement
must fall with the fourth power of the step where no kink is crossed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from numerics.examples import Examples
from numerics.losses import Loss
from numerics.program import Program
from numerics.quadratic import QuadraticForms

State = tuple[torch.Tensor, ...]


@dataclass(frozen=True)
class Course:
    """A quantity at the end, measured and predicted: (F,) float64 each, the forms of the first
    network first. start: at time 0. moved: (C,) the distance between the first and the last
    weights."""

    start: np.ndarray
    measured: np.ndarray
    predicted: np.ndarray
    moved: np.ndarray


def runge_kutta(rate: Callable[[State], State], start: State, until: float, steps: int) -> State:
    """The state at time `until` after `steps` classical Runge-Kutta steps of order 4."""
    h = until / steps
    state = start
    for _ in range(steps):
        first = rate(state)
        second = rate(_along(state, first, h / 2))
        third = rate(_along(state, second, h / 2))
        fourth = rate(_along(state, third, h))
        quads = zip(state, first, second, third, fourth, strict=True)
        state = tuple(y + h / 6 * (a + 2 * b + 2 * c + d) for y, a, b, c, d in quads)
    return state


def _along(state: State, velocity: State, time: float) -> State:
    return tuple(y + time * v for y, v in zip(state, velocity, strict=True))


def under_decay(
    program: Program,
    weights: Any,
    examples: Examples,
    loss: Loss,
    forms: Any,
    *,
    decay: float,
    until: float,
    steps: int,
) -> Course:
    """Q at the end of w' = -grad R - decay w, and Q(w(0)) e^(-2 decay until)."""
    given = QuadraticForms(program, forms)
    start = torch.as_tensor(weights, dtype=torch.float64, device=program.device)

    def rate(state: State) -> State:
        (w,) = state
        return (-program.risk_gradient(w, examples, loss) - decay * w,)

    (end,) = runge_kutta(rate, (start,), until, steps)
    before = given.between(start, start)
    predicted = before * float(np.exp(-2 * decay * until))
    return _course(program, before, given.between(end, end), predicted, start, end)


def under_momentum(
    program: Program,
    weights: Any,
    examples: Examples,
    loss: Loss,
    forms: Any,
    *,
    friction: float,
    until: float,
    steps: int,
) -> tuple[Course, Course]:
    """Q and I = w^T A w' at the end of w'' + friction w' = -grad R, started at rest, and what
    follows for them from Q' = 2 I and I' = -friction I + w'^T A w' along the same velocities."""
    given = QuadraticForms(program, forms)
    start = torch.as_tensor(weights, dtype=torch.float64, device=program.device)
    rest = torch.zeros_like(start)
    before = given.between(start, start)

    def rate(state: State) -> State:
        w, v, _, leaning = state
        pull = -program.risk_gradient(w, examples, loss) - friction * v
        return v, pull, 2 * leaning, -friction * leaning + given.between(v, v)

    begin = (start, rest, before, torch.zeros_like(before))
    end, velocity, predicted, leaning = runge_kutta(rate, begin, until, steps)
    return (
        _course(program, before, given.between(end, end), predicted, start, end),
        _course(
            program, torch.zeros_like(before), given.between(end, velocity), leaning, start, end
        ),
    )


def _course(
    program: Program,
    before: torch.Tensor,
    measured: torch.Tensor,
    predicted: torch.Tensor,
    start: torch.Tensor,
    end: torch.Tensor,
) -> Course:
    moved = [float(part.norm()) for part in program.split(end - start)]
    first, last, expected = (part.cpu().numpy() for part in (before, measured, predicted))
    return Course(first, last, expected, np.array(moved))
