"""One Runge-Kutta step of a batch, each instance with its own step size; kinks that slide held."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import NamedTuple

import torch

from numerics.flow.fields import Evaluation, Field
from numerics.flow.tableaus import TableauArrays

MOST_SLIDES = 16
"""So many kinks of one instance may slide at once."""

CORRECTIONS = 6
"""Newton steps for the slopes; for kinks that do not lie behind each other the first is exact."""

HELD = 1e-10
"""A kink is held when its rate is less than this part of what the slopes can change it by."""


class Slides(NamedTuple):
    """The kinks that slide, all (B, K). on: boolean; leader: int64, the kink that stands for the
    group whose slopes move together (their pre-activations are proportional); plus, minus: int8,
    the sides (see `numerics.flow.answers`) where the leader is positive, or negative. A group has
    one share theta of its intervals, 0 on the minus side. Followers, behind a member on the same
    example where nothing else arrives, have the leader too, and do not slide themselves."""

    on: torch.Tensor
    leader: torch.Tensor
    plus: torch.Tensor
    minus: torch.Tensor

    def leaders(self) -> torch.Tensor:
        """(B, K) boolean."""
        own = torch.arange(self.on.shape[1], device=self.on.device)
        return self.on & (self.leader == own)


class Held(NamedTuple):
    """An evaluation with sliding kinks held. slopes: (B, K), with those that were found; trials:
    (B,) int64, evaluations; found: (B,) boolean."""

    evaluation: Evaluation
    slopes: torch.Tensor
    trials: torch.Tensor
    found: torch.Tensor


def held(
    field: Field,
    weights: torch.Tensor,
    slopes: torch.Tensor,
    slides: Slides,
    pull: torch.Tensor,
) -> Held:
    """Evaluate with the slopes given, but at sliding kinks with those for which rate + pull *
    pre-activation is 0 at each leader. pull: (B,).

    The velocity is affine in each slope, so differences give the Jacobian exactly.
    """
    leaders = slides.leaders()
    most = int(leaders.sum(dim=1).max()) if leaders.numel() else 0
    here = field.evaluate(weights, slopes)
    ones = torch.ones(len(weights), dtype=torch.int64, device=weights.device)
    if not most:
        return Held(here, slopes, ones, ones.bool())
    own, where = leaders.to(torch.int8).topk(most, dim=1, sorted=True)
    own = own.bool()
    spans = slides.plus * (field.tables.right - field.tables.left)

    def misses(found: Evaluation) -> torch.Tensor:
        rates = field.rates(weights, found.state, found.velocity) + pull[:, None] * found.pre
        return torch.where(own, rates.gather(1, where), 0.0)

    off = misses(here)
    one = torch.eye(most, dtype=weights.dtype, device=weights.device)
    jacobian = one.expand(len(weights), -1, -1).clone()
    directions = []
    for k in range(most):
        members = slides.on & own[:, k : k + 1] & (slides.leader == where[:, k : k + 1])
        directions.append(torch.where(members, spans, 0.0))
        column = misses(field.evaluate(weights, slopes + directions[k])) - off
        both = own & own[:, k : k + 1]
        jacobian[:, :, k] = torch.where(both, column, jacobian[:, :, k])
    sizes = jacobian.abs().sum(dim=2)
    settled = ~own.any(dim=1)
    trials = torch.where(settled, 1, 1 + most)
    for _ in range(CORRECTIONS):
        change = torch.linalg.solve_ex(jacobian, -off).result
        change = torch.where(own & ~settled[:, None], change, 0.0)
        for k in range(most):
            slopes = slopes + directions[k] * change[:, k : k + 1]
        here = field.evaluate(weights, slopes)
        trials = trials + (~settled).long()
        off = misses(here)
        settled = settled | (off.abs() <= HELD * sizes).all(dim=1)
        if bool(settled.all()):
            break
    return Held(here, slopes, trials, settled)


@dataclass(frozen=True)
class Trial:
    """A step that was tried. velocities, weights: (S, B, P), by stage; end: the evaluation at its
    end, slopes: (B, K) there; error: (B,), against the tolerance, infinite where something is not
    finite or a kink was not held; held: (B,) boolean, whether all were; log_gain: (B,), the log of
    the true time it takes; stiffness: (B,), the step times an estimate of the largest eigenvalue;
    trials: (B,)."""

    velocities: torch.Tensor
    weights: torch.Tensor
    end: Evaluation
    slopes: torch.Tensor
    error: torch.Tensor
    held: torch.Tensor
    log_gain: torch.Tensor
    stiffness: torch.Tensor
    trials: torch.Tensor


class Stepper:
    """The Runge-Kutta method of a tableau with a tolerance."""

    def __init__(
        self, tableau: TableauArrays, rtol: float, atol: float, device: torch.device
    ) -> None:
        self.tableau, self.rtol, self.atol = tableau, rtol, atol
        self.a = torch.from_numpy(tableau.a).to(device)
        self.b = torch.from_numpy(tableau.b[: tableau.stages]).to(device)
        self.error = torch.from_numpy(tableau.error[: tableau.stages]).to(device)
        self.second_error = torch.from_numpy(tableau.second_error[: tableau.stages]).to(device)
        self.interpolant = torch.from_numpy(tableau.interpolant).to(device)

    def attempt(
        self,
        field: Field,
        start: torch.Tensor,
        first: Evaluation,
        slopes: torch.Tensor,
        slides: Slides,
        h: torch.Tensor,
        pull: torch.Tensor,
    ) -> Trial:
        """Steps of the sizes h (B,) from `start`, whose evaluation is `first`."""
        stages = self.tableau.stages
        velocities = start.new_zeros((stages, *start.shape))
        weights = start.expand(stages, *start.shape).clone()
        velocities[0], scales = first.velocity, [first.log_scale]
        trials = torch.zeros(len(start), dtype=torch.int64, device=start.device)
        found = torch.ones_like(trials, dtype=torch.bool)
        at: Held | None = None
        for i in range(1, stages):
            weights[i] = start + h[:, None] * _weighed(self.a[i, :i], velocities[:i])
            at = held(field, weights[i], slopes, slides, pull)
            velocities[i], slopes = at.evaluation.velocity, at.slopes
            scales.append(at.evaluation.log_scale)
            trials, found = trials + at.trials, found & at.found
        assert at is not None, "a method has two stages or more"
        error, stiffness = self._error(field, velocities, weights, h)
        gain = torch.log(h)
        if field.loss_clock:
            gain, of_gain = self._gain(torch.stack(scales), h)
            error = torch.maximum(error, of_gain)
        fine = found & torch.isfinite(error) & torch.isfinite(at.evaluation.velocity).all(dim=1)
        error = torch.where(fine, error, inf)
        return Trial(
            velocities, weights, at.evaluation, slopes, error, found, gain, stiffness, trials
        )

    def _error(
        self, field: Field, velocities: torch.Tensor, weights: torch.Tensor, h: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        largest = torch.maximum(weights[0].abs(), weights[-1].abs())
        tolerance = self.atol + self.rtol * largest
        sizes = field.tables.sizes.clamp(min=1)
        five = ((_weighed(self.error, velocities) / tolerance) ** 2).sum(dim=1)
        if self.tableau.order == 8:
            three = ((_weighed(self.second_error, velocities) / tolerance) ** 2).sum(dim=1)
            both = torch.sqrt((five + 0.01 * three) * sizes)
            error = torch.where(five == 0, 0.0, h * five / both)
        else:
            error = h * torch.sqrt(five / sizes)
        change = torch.linalg.vector_norm(velocities[-1] - velocities[-2], dim=1)
        distance = torch.linalg.vector_norm(weights[-1] - weights[-2], dim=1)
        return error, torch.where(distance > 0, h * change / distance, 0.0)

    def _gain(self, scales: torch.Tensor, h: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The log of the true time of a step on the clock of the loss, and its error."""
        largest = (-scales).amax(dim=0)
        speeds = torch.exp(-scales - largest)
        total = self.b @ speeds
        error = (self.error @ speeds).abs() / total / max(self.rtol, 1e-6)
        good = total > 0
        gain = torch.log(h) + largest + torch.log(torch.where(good, total, 1.0))
        return gain, torch.where(good, error, inf)

    def coefficients(
        self,
        field: Field,
        trial: Trial,
        slides: Slides,
        h: torch.Tensor,
        pull: torch.Tensor,
    ) -> torch.Tensor:
        """(B, D, P): of the interpolant, see `Dense`, with the stages that only it needs."""
        velocities, slopes = list(trial.velocities), trial.slopes
        for i in range(self.tableau.stages, self.tableau.extended):
            moved = _weighed(self.a[i, :i], torch.stack(velocities))
            at = held(field, trial.weights[0] + h[:, None] * moved, slopes, slides, pull)
            velocities.append(at.evaluation.velocity)
        both = torch.einsum("sd,sbp->bdp", self.interpolant, torch.stack(velocities))
        return h[:, None, None] * both


def _weighed(factors: torch.Tensor, velocities: torch.Tensor) -> torch.Tensor:
    """(B, P): the sum of factors[i] * velocities[i]."""
    return torch.tensordot(factors, velocities, dims=1)
