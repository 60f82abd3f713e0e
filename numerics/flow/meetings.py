"""Which way a batch goes on where it meets kinks: to one side, along the kink, or nobody knows.

With the slopes at the kinks that are met as the unknowns, the rates of their pre-activations are
looked at for all choices of sides. Where a kink is left to the same side whatever the others do, it
goes there; one whose two sides both push back slides.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from numerics.flow.fields import Evaluation, Field
from numerics.flow.stages import MOST_SLIDES, held
from numerics.flow.status import Status

MOST_MET = 6
"""So many kinks of one instance may be met at once: all choices of sides are tried."""

ROUNDS = 6
"""So often the kinks that are still open are looked at again."""

LEFT, AT_ZERO, RIGHT, SLIDING = -1, 0, 1, 2

OUTSIDE = 1e-9
"""A slope that is this far (as a part) outside of its interval no longer slides."""

ACTIVE = -1
"""In the place of a status: the integration goes on."""


@dataclass
class Meeting:
    """How instances go on: sides (B, K) int8, slopes (B, K), the evaluation and rates there, status
    (B,) int64 (ACTIVE, or why not), trials (B,)."""

    sides: torch.Tensor
    slopes: torch.Tensor
    evaluation: Evaluation
    rates: torch.Tensor
    status: torch.Tensor
    trials: torch.Tensor


class _Resolution:
    """The work on one meeting: sides, slopes and status as they are so far."""

    def __init__(
        self,
        field: Field,
        weights: torch.Tensor,
        sides: torch.Tensor,
        slopes: torch.Tensor,
        leaving: torch.Tensor,
        starting: bool,
    ) -> None:
        self.field, self.weights = field, weights
        self.leaving, self.starting = leaving, starting
        self.sides, self.slopes = sides.clone(), slopes.clone()
        count = len(weights)
        self.status = torch.full((count,), ACTIVE, dtype=torch.int64, device=weights.device)
        self.trials = torch.zeros_like(self.status)

    def look(self, slopes: torch.Tensor) -> tuple[Evaluation, torch.Tensor, torch.Tensor]:
        """Evaluate with these slopes, sliding kinks held: the evaluation, rates, all slopes."""
        none = torch.zeros_like(self.weights[:, 0])
        found = held(self.field, self.weights, slopes, self.sides == SLIDING, none)
        self.trials += found.trials
        self.fail(~found.found, Status.UNRESOLVED)
        rates = self.field.rates(self.weights, found.evaluation.state, found.evaluation.velocity)
        return found.evaluation, rates, found.slopes

    def fail(self, which: torch.Tensor, status: Status) -> None:
        """Give up on instances (B,) that are not given up yet."""
        self.status[which & (self.status == ACTIVE)] = int(status)

    def corners(self, met: torch.Tensor) -> list[torch.Tensor]:
        """The rates (B, K) for all choices of sides of the kinks that are met."""
        tables, rank = self.field.tables, met.long().cumsum(dim=1) - 1
        found = []
        for choice in range(2 ** int(met.sum(dim=1).max())):
            on_right = ((choice >> rank.clamp(min=0)) & 1).bool()
            chosen = torch.where(on_right, tables.right, tables.left)
            found.append(self.look(torch.where(met, chosen, self.slopes))[1])
        return found

    def turn(self, which: torch.Tensor, side: int) -> None:
        """Give kinks (B, K) a side, and its slope."""
        tables = self.field.tables
        self.sides[which] = side
        slope = tables.left if side == LEFT else tables.right
        self.slopes = torch.where(which, slope, self.slopes)

    def round(self, met: torch.Tensor) -> torch.Tensor:
        """Decide what can be decided of the kinks that are met; those that are left over."""
        self.fail(met.sum(dim=1) > MOST_MET, Status.UNRESOLVED)
        met = met & (self.status == ACTIVE)[:, None]
        if not bool(met.any()):
            return met
        rates = torch.stack(self.corners(met))
        least, largest = rates.amin(dim=0), rates.amax(dim=0)
        dead = met & (least == 0) & (largest == 0)
        up, down = met & (least > 0), met & (largest < 0)
        self.turn(up, RIGHT)
        self.turn(down, LEFT)
        self.turn(dead, AT_ZERO)
        single = met & (met.sum(dim=1) == 1)[:, None] & ~(up | down | dead)
        self.decide_single(single, rates[0], rates[1])
        left_over = met & ~(up | down | dead | single)
        stuck = left_over.any(dim=1) & ((met & ~left_over).sum(dim=1) == 0)
        self.fail(stuck, Status.UNRESOLVED)
        return left_over & ~stuck[:, None]

    def decide_single(self, single: torch.Tensor, left: torch.Tensor, right: torch.Tensor) -> None:
        """One kink by itself; left, right: its rate with the slope of either side."""
        tables = self.field.tables
        pushed = single & (left >= 0) & (right <= 0)  # back, from both sides
        share = torch.where(pushed, left / (left - right), 0.0)
        slope = tables.left + share * (tables.right - tables.left)
        self.slopes = torch.where(pushed, slope, self.slopes)
        self.sides[pushed] = SLIDING
        away = single & (left <= 0) & (right >= 0) & ~pushed
        if self.starting:
            self.fail(away.any(dim=1), Status.NOT_UNIQUE)
        else:  # it only touched the kink, and goes on where it came from
            self.turn(away & (self.sides == LEFT), LEFT)
        self.fail((single & ~(pushed | away)).any(dim=1), Status.UNRESOLVED)

    def release(self) -> tuple[Evaluation, torch.Tensor]:
        """Evaluate; kinks whose slope has left its interval go to that side, as they then must."""
        tables = self.field.tables
        evaluation, rates, slopes = self.look(self.slopes)
        self.slopes = slopes
        share = (slopes - tables.left) / (tables.right - tables.left)
        sliding = self.sides == SLIDING
        over = sliding & (share >= 1 - OUTSIDE) & ((share > 1 + OUTSIDE) | self.leaving)
        under = sliding & (share <= OUTSIDE) & ((share < -OUTSIDE) | self.leaving)
        if bool((over | under).any()):
            self.turn(over, RIGHT)
            self.turn(under, LEFT)
            evaluation, rates, self.slopes = self.look(self.slopes)
        return evaluation, rates


def meet(
    field: Field,
    weights: torch.Tensor,
    sides: torch.Tensor,
    slopes: torch.Tensor,
    met: torch.Tensor,
    leaving: torch.Tensor,
    starting: bool = False,
) -> Meeting:
    """Decide how to go on from `weights` (B, P).

    sides, slopes: (B, K) before; met: (B, K) boolean, the pre-activations that are 0; leaving:
    (B, K) boolean, the sliding kinks whose slopes have reached an end of their intervals.
    """
    work = _Resolution(field, weights, sides, slopes, leaving, starting)
    left_over = met
    for _ in range(ROUNDS):
        left_over = work.round(left_over)
        if bool(left_over.any()):
            continue
        evaluation, rates = work.release()
        # what was dead may have come to life: nothing arrived there, and now something will
        revived = (work.sides == AT_ZERO) & (evaluation.pre == 0) & (rates != 0)
        left_over = revived & field.tables.kinks & (work.status == ACTIVE)[:, None]
        if not bool(left_over.any()):
            break
    else:
        work.fail(left_over.any(dim=1), Status.UNRESOLVED)
        evaluation, rates = work.release()
    work.fail((work.sides == SLIDING).sum(dim=1) > MOST_SLIDES, Status.UNRESOLVED)
    work.fail(~torch.isfinite(evaluation.velocity).all(dim=1), Status.NOT_FINITE)
    return Meeting(work.sides, work.slopes, evaluation, rates, work.status, work.trials)
