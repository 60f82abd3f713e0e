"""Where the instances of a batch are, and how they begin."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import inf

import torch

from numerics.flow.batch_sides import ACTIVE, meet
from numerics.flow.constants import AT_ZERO, COUNTS, EVALUATIONS, LEFT, RIGHT, SLIDES, SLIDING
from numerics.flow.fields import Evaluation, Field
from numerics.flow.options import Options
from numerics.flow.stages import Slides
from numerics.flow.status import Status
from numerics.flow.tableaus import TableauArrays


@dataclass
class Positions:
    """Where the instances of a batch are. ids: their original numbers. All (B,) unless said.

    weights: (B, P); pre, rates, slopes, slack, least, largest, leader: (B, K); sides, plus,
    minus: (B, K) int8; counts: (B, COUNTS) int64. low, high, target: of the search for an
    event (high infinite: none).
    """

    ids: torch.Tensor
    status: torch.Tensor
    until: torch.Tensor
    time: torch.Tensor
    log_time: torch.Tensor
    weights: torch.Tensor
    velocity: torch.Tensor
    pre: torch.Tensor
    rates: torch.Tensor
    log_risk: torch.Tensor
    log_scale: torch.Tensor
    slopes: torch.Tensor
    sides: torch.Tensor
    leader: torch.Tensor
    plus: torch.Tensor
    minus: torch.Tensor
    slack: torch.Tensor
    least: torch.Tensor
    largest: torch.Tensor
    h: torch.Tensor
    search: torch.Tensor
    low: torch.Tensor
    high: torch.Tensor
    target: torch.Tensor
    searches: torch.Tensor
    counts: torch.Tensor
    length: torch.Tensor
    segment: torch.Tensor
    segment_start: torch.Tensor

    def take(self, which: torch.Tensor) -> Positions:
        """Some of the instances, by place."""
        return Positions(*(getattr(self, field.name)[which] for field in fields(self)))

    def slides(self) -> Slides:
        """The kinks that slide."""
        return Slides(self.sides == SLIDING, self.leader, self.plus, self.minus)

    def below(self, level: float) -> torch.Tensor:
        """Whether the log risk is at most this; -inf is no level."""
        return (self.log_risk <= level) & (level > -inf)

    def evaluation(self) -> Evaluation:
        """The evaluation where they are."""
        return Evaluation(self.velocity, self.pre, self.log_risk, self.log_scale, None)


def begin(
    field: Field,
    start: torch.Tensor,
    until: torch.Tensor,
    options: Options,
    tableau: TableauArrays,
) -> Positions:
    """The positions at `start` (B, P), on the sides that the kinks met there leave to."""
    tables, count = field.tables, len(start)
    slopes = tables.right
    first = field.evaluate(start, slopes)
    for _ in range(start.shape[1]):  # a kink behind another one may then be on another side
        again = torch.where(first.pre < 0, tables.left, tables.right)
        if torch.equal(again, slopes):
            break
        slopes, first = again, field.evaluate(start, again)
    sides = torch.where(first.pre < 0, LEFT, RIGHT)
    sides = torch.where(tables.kinks, sides, AT_ZERO).to(torch.int8)
    none = torch.zeros_like(tables.kinks)
    met = tables.kinks & (first.pre == 0)
    numbers = torch.arange(met.shape[1], device=start.device).expand_as(met)
    slides = Slides(none, numbers, torch.ones_like(sides), -torch.ones_like(sides))
    found = meet(field, start, sides, slopes, slides, met, none, starting=True)
    zero, whole = start.new_zeros(count), torch.zeros(count, dtype=torch.int64).to(start.device)
    counts = torch.zeros((count, COUNTS), dtype=torch.int64, device=start.device)
    counts[:, EVALUATIONS] = 2 + found.trials
    counts[:, SLIDES] = (found.sides == SLIDING).sum(dim=1)
    at = Positions(
        ids=torch.arange(count, device=start.device),
        status=found.status,
        until=until,
        time=zero.clone(),
        log_time=zero - inf,
        weights=start.clone(),
        velocity=found.evaluation.velocity,
        pre=found.evaluation.pre,
        rates=found.rates,
        log_risk=found.evaluation.log_risk,
        log_scale=found.evaluation.log_scale,
        slopes=found.slopes,
        sides=found.sides,
        leader=found.slides.leader,
        plus=found.slides.plus,
        minus=found.slides.minus,
        slack=torch.zeros_like(found.rates),
        least=torch.full_like(found.rates, inf),
        largest=torch.full_like(found.rates, -inf),
        h=zero.clone(),
        search=zero.clone(),
        low=zero.clone(),
        high=zero + inf,
        target=whole.clone(),
        searches=whole.clone(),
        counts=counts,
        length=zero.clone(),
        segment=whole.clone(),
        segment_start=zero.clone(),
    )
    at.h = first_steps(field, at, options, tableau)
    low = at.below(options.log_risk_below) & (at.status == ACTIVE)
    at.status = torch.where(low, int(Status.LOSS_REACHED), at.status)
    return at


def first_steps(
    field: Field, at: Positions, options: Options, tableau: TableauArrays
) -> torch.Tensor:
    """The step sizes to begin with (Hairer, Norsett, Wanner, Solving ODEs I, II.4)."""
    if options.first_step:
        return torch.full_like(at.time, options.first_step)
    scale = options.atol + options.rtol * at.weights.abs()
    root = torch.sqrt(field.tables.sizes.clamp(min=1))

    def size(vector: torch.Tensor) -> torch.Tensor:
        return torch.linalg.vector_norm(vector / scale, dim=1) / root

    weight, speed = size(at.weights), size(at.velocity)
    small = (weight < 1e-5) | (speed < 1e-5)
    h = torch.where(small, 1e-6, 0.01 * weight / speed.clamp(min=1e-300))
    h = torch.minimum(h, at.until)
    there = field.evaluate(at.weights + h[:, None] * at.velocity, at.slopes)
    at.counts[:, EVALUATIONS] += 1
    bend = size(there.velocity - at.velocity) / h
    most = torch.maximum(speed, bend)
    power = 1.0 / (tableau.error_order + 1)
    guess = torch.where(most <= 1e-15, (1e-3 * h).clamp(min=1e-6), (0.01 / most) ** power)
    return torch.minimum(torch.minimum(100 * h, guess), at.until)
