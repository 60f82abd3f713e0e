"""Which way a batch goes on where it meets kinks: to one side, along the kink, or nobody knows.

Kinks whose pre-activations are proportional near the point form a group with one unknown. With the
slopes of the groups that are met as the unknowns, the rates of their pre-activations are looked at
for all choices of sides. Where a group is left to the same side whatever the others do, it goes
there; one whose two sides both push back slides.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from numerics.flow.fields import Evaluation, Field
from numerics.flow.stages import MOST_SLIDES, Slides, held
from numerics.flow.status import Status

MOST_MET = 6
"""So many groups of one instance may be met at once: all choices of sides are tried."""

ROUNDS = 6
"""So often the groups that are still open are looked at again."""

PROBES = 3
"""Along so many directions gradients are compared."""

PARALLEL = 1e-12
"""Gradients are proportional where 1 - cos^2 of the probes is less."""

LEFT, AT_ZERO, RIGHT, SLIDING = -1, 0, 1, 2

OUTSIDE = 1e-9
"""A slope that is this far (as a part) outside of its interval no longer slides."""

ACTIVE = -1
"""In the place of a status: the integration goes on."""


@dataclass
class Meeting:
    """How instances go on: sides (B, K) int8, slopes (B, K), slides; the evaluation and the rates
    there; status: (B,) int64, ACTIVE, or why not; trials: (B,)."""

    sides: torch.Tensor
    slopes: torch.Tensor
    slides: Slides
    evaluation: Evaluation
    rates: torch.Tensor
    status: torch.Tensor
    trials: torch.Tensor


def share_of(field: Field, slopes: torch.Tensor, slides: Slides) -> torch.Tensor:
    """(B, K): theta of the group of each kink that slides."""
    share = (slopes - field.tables.left) / (field.tables.right - field.tables.left)
    return share.gather(1, slides.leader)


class _Resolution:
    """The work on one meeting: sides, slopes, groups and status as they are so far."""

    def __init__(
        self,
        field: Field,
        weights: torch.Tensor,
        sides: torch.Tensor,
        slopes: torch.Tensor,
        slides: Slides,
        starting: bool,
    ) -> None:
        self.field, self.weights, self.starting = field, weights, starting
        self.sides, self.slopes = sides.clone(), slopes.clone()
        self.leader, self.flip = slides.leader.clone(), slides.flip.clone()
        count = len(weights)
        self.status = torch.full((count,), ACTIVE, dtype=torch.int64, device=weights.device)
        self.trials = torch.zeros_like(self.status)
        generator = torch.Generator().manual_seed(0)  # any directions do
        drawn = torch.randn((PROBES, weights.shape[1]), generator=generator, dtype=torch.float64)
        self.probes = drawn.to(weights.device)

    @property
    def slides(self) -> Slides:
        """The kinks that slide."""
        return Slides(self.sides == SLIDING, self.leader, self.flip)

    def look(self, slopes: torch.Tensor) -> tuple[Evaluation, torch.Tensor, torch.Tensor]:
        """Evaluate with these slopes, sliding kinks held: the evaluation, rates, all slopes."""
        none = torch.zeros_like(self.weights[:, 0])
        found = held(self.field, self.weights, slopes, self.slides, none)
        self.trials += found.trials
        self.fail(~found.found, Status.UNRESOLVED)
        rates = self.field.rates(self.weights, found.evaluation.state, found.evaluation.velocity)
        return found.evaluation, rates, found.slopes

    def fail(self, which: torch.Tensor, status: Status) -> None:
        """Give up on instances (B,) that are not given up yet."""
        self.status[which & (self.status == ACTIVE)] = int(status)

    def group(self, met: torch.Tensor) -> torch.Tensor:
        """Make groups of the kinks that are met, and leaders; those that have a gradient."""
        state = self.field.evaluate(self.weights, self.slopes).state
        probes = [p.expand_as(self.weights) * self.field.tables.factors for p in self.probes]
        rates = torch.stack([self.field.rates(self.weights, state, p) for p in probes], dim=2)
        size = (rates**2).sum(dim=2)
        self.sides[met & (size == 0)] = AT_ZERO
        met = met & (size > 0)
        open_ = met
        while bool(open_.any()):
            first = open_.to(torch.int8).argmax(dim=1, keepdim=True)
            of_first = rates.gather(1, first[:, :, None].expand(-1, -1, PROBES))
            product = (rates * of_first).sum(dim=2)
            parallel = product**2 >= (1 - PARALLEL) * size * size.gather(1, first)
            own = torch.arange(met.shape[1], device=met.device) == first
            members = open_ & (parallel | own)
            self.leader = torch.where(members, first, self.leader)
            self.flip = torch.where(members, torch.where(product < 0, -1.0, 1.0), self.flip)
            open_ = open_ & ~members
        return met

    def corners(self, met: torch.Tensor, leaders: torch.Tensor) -> list[torch.Tensor]:
        """The rates (B, K) for all choices of sides of the groups that are met."""
        rank = (leaders.long().cumsum(dim=1) - 1).clamp(min=0).gather(1, self.leader)
        found = []
        for choice in range(2 ** int(leaders.sum(dim=1).max())):
            plus = ((choice >> rank) & 1).bool()
            found.append(self.look(torch.where(met, self.side_slopes(plus), self.slopes))[1])
        return found

    def side_slopes(self, plus: torch.Tensor) -> torch.Tensor:
        """The slopes of kinks on the plus side of their groups, or the minus side."""
        tables = self.field.tables
        return torch.where(plus == (self.flip > 0), tables.right, tables.left)

    def turn(self, which: torch.Tensor, plus: bool) -> None:
        """Give kinks (B, K) the plus or the minus side of their groups, and its slope."""
        on_plus = torch.full_like(which, plus)
        side = torch.where(on_plus == (self.flip > 0), RIGHT, LEFT).to(self.sides.dtype)
        self.sides = torch.where(which, side, self.sides)
        self.slopes = torch.where(which, self.side_slopes(on_plus), self.slopes)

    def round(self, met: torch.Tensor) -> torch.Tensor:
        """Decide what can be decided of the kinks that are met; those that are left over."""
        leaders = met & Slides(met, self.leader, self.flip).leaders()
        self.fail(leaders.sum(dim=1) > MOST_MET, Status.UNRESOLVED)
        going = (self.status == ACTIVE)[:, None]
        met, leaders = met & going, leaders & going
        if not bool(met.any()):
            return met
        rates = torch.stack(self.corners(met, leaders)).gather(
            2, self.leader.expand(2 ** int(leaders.sum(dim=1).max()), -1, -1)
        )
        least, largest = rates.amin(dim=0), rates.amax(dim=0)
        single = met & (leaders.sum(dim=1) == 1)[:, None]
        dead = met & (least == 0) & (largest == 0)
        # behind a kink that is dead on one side a rate may be 0: then the side does not matter
        up = met & torch.where(single, least > 0, (least >= 0) & ~dead)
        down = met & torch.where(single, largest < 0, (largest <= 0) & ~dead)
        self.turn(up, plus=True)
        self.turn(down, plus=False)
        self.sides[dead] = AT_ZERO
        decided = up | down | dead
        self.decide_single(single & ~decided, rates[0], rates[1])
        left_over = met & ~decided & ~single
        stuck = left_over.any(dim=1) & ~decided.any(dim=1)
        self.fail(stuck, Status.UNRESOLVED)
        return left_over & ~stuck[:, None]

    def decide_single(self, single: torch.Tensor, minus: torch.Tensor, plus: torch.Tensor) -> None:
        """One group by itself; minus, plus: the rate of its leader with the slopes of a side."""
        pushed = single & (minus >= 0) & (plus <= 0)  # back, from both sides
        share = torch.where(pushed, minus / (minus - plus), 0.0)
        low, high = (self.side_slopes(torch.full_like(pushed, s)) for s in (False, True))
        self.slopes = torch.where(pushed, low + share * (high - low), self.slopes)
        self.sides[pushed] = SLIDING
        away = single & (minus <= 0) & (plus >= 0) & ~pushed
        if self.starting:  # else it only touched the kink, and goes on where it came from
            self.fail(away.any(dim=1), Status.NOT_UNIQUE)
        self.fail((single & ~(pushed | away)).any(dim=1), Status.UNRESOLVED)

    def release(self, leaving: torch.Tensor) -> tuple[Evaluation, torch.Tensor]:
        """Evaluate; groups whose share has left its interval go to that side, as they then must."""
        evaluation, rates, self.slopes = self.look(self.slopes)
        share = share_of(self.field, self.slopes, self.slides)
        sliding = self.sides == SLIDING
        over = sliding & (share >= 1 - OUTSIDE) & ((share > 1 + OUTSIDE) | leaving)
        under = sliding & (share <= OUTSIDE) & ((share < -OUTSIDE) | leaving)
        if bool((over | under).any()):
            self.turn(over, plus=True)
            self.turn(under, plus=False)
            evaluation, rates, self.slopes = self.look(self.slopes)
        return evaluation, rates


def meet(
    field: Field,
    weights: torch.Tensor,
    sides: torch.Tensor,
    slopes: torch.Tensor,
    slides: Slides,
    met: torch.Tensor,
    leaving: torch.Tensor,
    starting: bool = False,
) -> Meeting:
    """Decide how to go on from `weights` (B, P).

    sides, slopes, slides: before, (B, K); met: (B, K) boolean, the pre-activations that are 0;
    leaving: (B, K) boolean, the sliding kinks whose slopes have reached an end of their intervals.
    """
    work = _Resolution(field, weights, sides, slopes, slides, starting)
    left_over = work.group(met) if bool(met.any()) else met
    for _ in range(ROUNDS):
        left_over = work.round(left_over)
        if bool(left_over.any()):
            continue
        evaluation, rates = work.release(leaving)
        # what was dead may have come to life: nothing arrived there, and now something will
        revived = (work.sides == AT_ZERO) & (evaluation.pre == 0) & (rates != 0)
        left_over = revived & field.tables.kinks & (work.status == ACTIVE)[:, None]
        if not bool(left_over.any()):
            break
        left_over = work.group(left_over)
    else:
        work.fail(left_over.any(dim=1), Status.UNRESOLVED)
        evaluation, rates = work.release(leaving)
    work.fail(work.slides.leaders().sum(dim=1) > MOST_SLIDES, Status.UNRESOLVED)
    work.fail(~torch.isfinite(evaluation.velocity).all(dim=1), Status.NOT_FINITE)
    return Meeting(
        work.sides, work.slopes, work.slides, evaluation, rates, work.status, work.trials
    )
