"""Gradient descent on batches of different networks, in float64, on CPU or CUDA.

One step: u(t+1) = m u(t) - eta(t) (d(w(t)) + l w(t)), w(t+1) = w(t) + u(t+1), with the gradient d
of the risk, momentum m (heavy ball) and weight decay l, both 0 for plain descent.

A quadratic form Q(w) = w^T A w with w^T A d(w) = 0 is conserved by the gradient flow. Descent
breaks it by a known amount. Whatever the step s = w(t+1) - w(t) is,
    Q(w(t+1)) - Q(w(t)) = 2 w^T A s + s^T A s,
both sides are rationals, and they are summed in twice the precision of the exact steps that were
taken, roundings of w included. With J = w^T A u the law gives the recursion
    J(t+1) = m J - eta l Q + u^T A u,   Q(t+1) = Q + 2 (m J - eta l Q) + u^T A u,   u = u(t+1),
so Q(t+1) = (1 - eta l)^2 Q + eta^2 d^T A d without momentum: see `Balances.predicted`. (The decay
and the momentum terms after D. Kunin et al., Neural mechanics, ICLR 2021.)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
import torch

from numerics.descent_balances import Balances, Tally
from numerics.examples import Examples
from numerics.losses import Loss
from numerics.program import Program
from numerics.quadratic import QuadraticForms


class Ending(IntEnum):
    """How the descent of one network ended; `text` says it to people."""

    DONE = 0
    AT_REST = 1
    NOT_FINITE = 2

    @property
    def text(self) -> str:
        """What happened."""
        return {
            Ending.DONE: "all steps were made",
            Ending.AT_REST: "a step did not change any weight",
            Ending.NOT_FINITE: "the next weights are not finite: take smaller steps",
        }[self]


@dataclass(frozen=True)
class StepSizes:
    """eta(t): constant (`size`), decaying (size / (1 + t)^power), or adaptive: min(1, 1/beta(t)),
    where beta(t) is the change of the gradient over the last step divided by that step's length
    (the first step has length `size`).

    Raises ValueError for another kind, or a size that is not positive and finite.
    """

    kind: str = "constant"
    size: float = 0.01
    power: float = 0.5

    def __post_init__(self) -> None:
        if self.kind not in ("constant", "decaying", "adaptive"):
            raise ValueError(f"step sizes {self.kind!r}: use constant, decaying or adaptive")
        if not (np.isfinite(self.size) and self.size > 0):
            raise ValueError(f"step size {self.size}: give a positive, finite number")


@dataclass(frozen=True)
class DescentResult:
    """The end of every network's descent.

    weights: (P,). endings, steps: (C,) how it ended, and after how many steps. kinks: (C,) at how
    many of its points some pre-activation was exactly at a kink. risks: (2, C), at the start and at
    the end. iterates: (T+1, P) where asked for, else None.
    """

    weights: torch.Tensor
    endings: np.ndarray
    steps: np.ndarray
    kinks: np.ndarray
    risks: np.ndarray
    balances: Balances
    iterates: torch.Tensor | None = None


def descend(
    program: Program,
    weights: Any,
    examples: Examples,
    loss: Loss,
    steps: int,
    sizes: StepSizes | None = None,
    *,
    momentum: float = 0.0,
    decay: float = 0.0,
    forms: Any = None,
    keep: bool = False,
    watch: bool = True,
) -> DescentResult:
    """`steps` steps of gradient descent of every network of a program.

    weights: (P,). forms: for each network a list of quadratic forms, each a list of entries
    (a, b, x) for x w_a w_b (as for flows). keep: whether all iterates are returned.
    watch: whether points at kinks are counted (a forward pass a step).

    Raises ValueError for fewer than one step, momentum outside [0, 1), negative decay, and as
    `numerics.flow.options.Forms.of` does.
    """
    if steps < 1:
        raise ValueError(f"steps = {steps}: give at least 1")
    if not 0 <= momentum < 1 or not 0 <= decay < np.inf:
        raise ValueError(
            f"momentum {momentum}, decay {decay}: give 0 <= momentum < 1 and decay >= 0"
        )
    walk = _Walk(program, examples, loss, sizes or StepSizes(), momentum, decay, watch)
    start = torch.as_tensor(weights, dtype=torch.float64, device=program.device).clone()
    tally = Tally(QuadraticForms(program, forms), start)
    here, iterates = start, [start]
    for step in range(steps):
        there, moved, rate = walk.step(here, step)
        tally.add(here, there, moved, rate, momentum, decay)
        here = there
        if keep:
            iterates.append(here)
        if not walk.active.any():
            break
    risks = torch.stack([program.risk(w, examples, loss) for w in (start, here)])
    return DescentResult(
        here,
        walk.endings,
        walk.steps.cpu().numpy(),
        walk.kinks.cpu().numpy(),
        risks.cpu().numpy(),
        tally.balances(start, here),
        torch.stack(iterates) if keep else None,
    )


@dataclass
class _Walk:
    """The state of all networks between steps."""

    program: Program
    examples: Examples
    loss: Loss
    sizes: StepSizes
    momentum: float
    decay: float
    watch: bool
    endings: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        device = self.program.device
        offsets = self.program.parameter_offsets
        self.networks = len(offsets) - 1
        owner = np.repeat(np.arange(self.networks), np.diff(offsets))
        self.owner = torch.from_numpy(owner).to(device)
        self.active = torch.ones(self.networks, dtype=torch.bool, device=device)
        self.steps = torch.zeros(self.networks, dtype=torch.int64, device=device)
        self.kinks = torch.zeros_like(self.steps)
        self.beta = torch.full((self.networks,), torch.nan, dtype=torch.float64, device=device)
        self.last: tuple[torch.Tensor, torch.Tensor] | None = None  # weights and gradient before
        self.move: torch.Tensor | None = None  # u(t)
        self.endings = np.full(self.networks, Ending.DONE)

    def step(
        self, here: torch.Tensor, number: int
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """w(t+1), u(t+1) and eta(t), (P,), (P,), (C,); networks that have ended stay where they
        are."""
        gradient = self.program.risk_gradient(here, self.examples, self.loss)
        if self.watch:
            kinked = self.program.patterns(here, self.examples).kinks > 0
            self.kinks += kinked & self.active
        rate = self._rate(here, gradient, number)
        pull = gradient if self.decay == 0 else gradient + self.decay * here
        move = -(rate[self.owner] * pull)
        if self.momentum and self.move is not None:
            move = self.momentum * self.move + move
        there = here + move
        self._end(~self._all(torch.isfinite(there)), Ending.NOT_FINITE)
        going = self.active[self.owner]
        there = torch.where(going, there, here)
        self._end(self._all(there == here), Ending.AT_REST)
        self.steps += self.active
        self.last = (here, gradient)
        self.move = torch.where(going, move, torch.zeros_like(move))
        return there, self.move, rate * self.active

    def _rate(self, here: torch.Tensor, gradient: torch.Tensor, number: int) -> torch.Tensor:
        size = torch.full_like(self.beta, self.sizes.size)
        if self.sizes.kind == "constant":
            return size
        if self.sizes.kind == "decaying":
            return size / (1.0 + number) ** self.sizes.power
        if self.last is not None:
            turned, moved = self._norm(gradient - self.last[1]), self._norm(here - self.last[0])
            found = turned / moved  # not a number where a network has not moved: keep the last one
            self.beta = torch.where(torch.isfinite(found), found, self.beta)
        return torch.where(torch.isnan(self.beta), size, torch.clamp(1.0 / self.beta, max=1.0))

    def _norm(self, values: torch.Tensor) -> torch.Tensor:
        zeros = torch.zeros(self.networks, dtype=torch.float64, device=values.device)
        return zeros.index_add_(0, self.owner, values * values).sqrt()

    def _all(self, answers: torch.Tensor) -> torch.Tensor:
        """(C,): whether it holds for all parameters of a network."""
        wrong = torch.zeros(self.networks, dtype=torch.int64, device=answers.device)
        return wrong.index_add_(0, self.owner, (~answers).to(torch.int64)) == 0

    def _end(self, these: torch.Tensor, ending: Ending) -> None:
        """End those of these networks that were still going."""
        ended = these & self.active
        if ended.any():
            self.endings[ended.cpu().numpy()] = ending
            self.active = self.active & ~these
