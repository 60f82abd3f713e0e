"""Which way a batch goes on where it meets kinks: to one side, along the kink, or nobody knows.

Kinks whose pre-activations are proportional near the point form a group with one unknown. With the
slopes of the groups that are met as the unknowns, the rates of their pre-activations are looked at
for all choices of sides. Where a group is left to the same side whatever the others do, it goes
there; one whose two sides both push back slides.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from numerics.flow.constants import AT_ZERO, LEFT, OUTSIDE, PARALLEL, RIGHT, SLIDING
from numerics.flow.fields import Evaluation, Field
from numerics.flow.stages import MOST_SLIDES, Slides, held
from numerics.flow.status import Status

MOST_MET = 6
"""So many groups of one instance may be met at once: all choices of sides are tried."""

ROUNDS = 6
"""So often the groups that are still open are looked at again."""

PROBES = 3
"""Along so many directions gradients are compared."""

DEEPEST = 4
"""So many kinks may follow one another."""

ACTIVE = -1
"""In the place of a status: the integration goes on."""


@dataclass
class Continuation:
    """How instances go on: sides (B, K) int8, slopes (B, K), slides; the evaluation and the rates
    there; status: (B,) int64, ACTIVE, or why not; trials: (B,); choices: (B,), see Counts."""

    sides: torch.Tensor
    slopes: torch.Tensor
    slides: Slides
    evaluation: Evaluation
    rates: torch.Tensor
    status: torch.Tensor
    trials: torch.Tensor
    choices: torch.Tensor


def share_of(field: Field, slopes: torch.Tensor, slides: Slides) -> torch.Tensor:
    """(B, K): theta of the group of each kink that slides."""
    share = (slopes - field.tables.left) / (field.tables.right - field.tables.left)
    return share.gather(1, slides.leader)


class _Probe:
    """Gradients of pre-activations, seen along a few directions (any do)."""

    def __init__(self, field: Field, weights: torch.Tensor) -> None:
        self.field, self.weights = field, weights
        drawn = torch.randn(
            (PROBES, weights.shape[1]),
            generator=torch.Generator().manual_seed(0),
            dtype=torch.float64,
        )
        self.directions = [p * field.tables.factors for p in drawn.to(weights.device)]

    def along(self, slopes: torch.Tensor) -> torch.Tensor:
        """(B, K, PROBES): the rates of the pre-activations."""
        state = self.field.evaluate(self.weights, slopes).state
        rates = [self.field.rates(self.weights, state, p) for p in self.directions]
        return torch.stack(rates, dim=2)


def _row(rates: torch.Tensor, kink: torch.Tensor) -> torch.Tensor:
    """(B, 1, PROBES): of one kink (B, 1) each."""
    return rates.gather(1, kink[:, :, None].expand(-1, -1, rates.shape[2]))


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
        self.leader = slides.leader.clone()
        self.plus, self.minus = slides.plus.clone(), slides.minus.clone()
        self.numbers = torch.arange(sides.shape[1], device=sides.device)
        self.following = (sides == AT_ZERO) & (self.leader != self.numbers)
        self.grouped = slides.on | self.following
        count = len(weights)
        self.status = torch.full((count,), ACTIVE, dtype=torch.int64, device=weights.device)
        self.trials, self.choices = torch.zeros_like(self.status), torch.zeros_like(self.status)

    @property
    def slides(self) -> Slides:
        """The kinks that slide."""
        return Slides(self.sides == SLIDING, self.leader, self.plus, self.minus)

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

    def side_slopes(self, sides: torch.Tensor) -> torch.Tensor:
        """The slopes that belong to sides (where nothing arrives any will do)."""
        return torch.where(sides == LEFT, self.field.tables.left, self.field.tables.right)

    # groups --------------------------------------------------------------------------------------
    def group(self, met: torch.Tensor) -> torch.Tensor:
        """Make groups of the kinks that are met. Returns those that are no followers."""
        tables, probe = self.field.tables, _Probe(self.field, self.weights)
        left, right = (torch.where(met, side, self.slopes) for side in (tables.left, tables.right))
        one, other = probe.along(left), probe.along(right)
        size = (one**2).sum(dim=2)
        unmoved = ((one - other) ** 2).sum(dim=2) <= PARALLEL * size
        self.sides[met & unmoved & (size == 0)] = AT_ZERO
        first = met & unmoved & (size > 0)
        self._join(first, one, size)
        followers = met & ~unmoved
        if bool(followers.any()):
            self._follow(probe, first, followers, one, size)
        self.grouped = self.grouped | first | followers
        self.following = self.following | followers
        return first & (self.leader == self.numbers)

    def _join(self, met: torch.Tensor, rates: torch.Tensor, size: torch.Tensor) -> None:
        """Give kinks with proportional gradients one leader, the first of them."""
        open_ = met
        while bool(open_.any()):
            first = open_.to(torch.int8).argmax(dim=1, keepdim=True)
            product = (rates * _row(rates, first)).sum(dim=2)
            parallel = product**2 >= (1 - PARALLEL) * size * size.gather(1, first)
            members = open_ & (parallel | (self.numbers == first))
            self.leader = torch.where(members, first, self.leader)
            side = torch.where(product < 0, LEFT, RIGHT).to(torch.int8)
            self.plus = torch.where(members, side, self.plus)
            self.minus = torch.where(members, -side, self.minus)
            open_ = open_ & ~members

    def _follow(
        self,
        probe: _Probe,
        first: torch.Tensor,
        followers: torch.Tensor,
        rates: torch.Tensor,
        size: torch.Tensor,
    ) -> None:
        """Find the group that each follower is behind, and its sides."""
        self.plus[followers], self.minus[followers] = RIGHT, RIGHT
        leaders = first & (self.leader == self.numbers)
        for _ in range(DEEPEST):  # a follower may be behind another
            sides = self.plus.clone(), self.minus.clone()
            unknown = followers.clone()
            moving = [
                probe.along(torch.where(first | followers, self.side_slopes(s), self.slopes))
                for s in sides
            ]
            for number in range(int(leaders.sum(dim=1).max())):
                rank = leaders.long().cumsum(dim=1) - 1
                at = (leaders & (rank == number)).to(torch.int8).argmax(dim=1, keepdim=True)
                there = (leaders.sum(dim=1) > number)[:, None]
                row, length = _row(rates, at), size.gather(1, at)
                products = [(rate * row).sum(dim=2) for rate in moving]
                sizes = [(rate**2).sum(dim=2) for rate in moving]
                behind = followers & unknown & there
                for product, own in zip(products, sizes, strict=True):
                    behind = behind & (product**2 >= (1 - PARALLEL) * own * length)
                behind = behind & (sizes[0] + sizes[1] > 0)
                self.leader = torch.where(behind, at, self.leader)
                self.plus = torch.where(behind, torch.sign(products[0]).to(torch.int8), self.plus)
                turned = -torch.sign(products[1]).to(torch.int8)
                self.minus = torch.where(behind, turned, self.minus)
                unknown = unknown & ~behind
            self.fail(unknown.any(dim=1), Status.UNRESOLVED)
            if torch.equal(sides[0], self.plus) and torch.equal(sides[1], self.minus):
                return

    # choices -------------------------------------------------------------------------------------
    def corners(self, leaders: torch.Tensor) -> list[torch.Tensor]:
        """The rates (B, K) of leaders for all choices of sides of the groups that are met."""
        rank = (leaders.long().cumsum(dim=1) - 1).clamp(min=0).gather(1, self.leader)
        met = self.grouped & leaders.gather(1, self.leader)
        found = []
        for choice in range(2 ** int(leaders.sum(dim=1).max())):
            sides = torch.where(((choice >> rank) & 1).bool(), self.plus, self.minus)
            found.append(self.look(torch.where(met, self.side_slopes(sides), self.slopes))[1])
        return found

    def turn(self, leaders: torch.Tensor, plus: bool) -> None:
        """Give the groups of these leaders the plus or the minus side, and its slopes."""
        which = self.grouped & leaders.gather(1, self.leader)
        side = self.plus if plus else self.minus
        self.sides = torch.where(which, side, self.sides)
        self.slopes = torch.where(which, self.side_slopes(side), self.slopes)
        self.leader = torch.where(which, self.numbers, self.leader)
        self.grouped, self.following = self.grouped & ~which, self.following & ~which

    def round(self, met: torch.Tensor) -> torch.Tensor:
        """Decide what can be decided of the leaders that are met; those that are left over."""
        self.fail(met.sum(dim=1) > MOST_MET, Status.UNRESOLVED)
        met = met & (self.status == ACTIVE)[:, None]
        if not bool(met.any()):
            return met
        rates = torch.stack(self.corners(met))
        least, largest = rates.amin(dim=0), rates.amax(dim=0)
        up, down = met & (least > 0), met & (largest < 0)
        single = met & (met.sum(dim=1) == 1)[:, None] & ~(up | down)
        self.decide_single(single, rates[0], rates[1])
        self.turn(up, plus=True)
        self.turn(down, plus=False)
        left_over = met & ~(up | down | single)
        stuck = left_over.any(dim=1) & ~(up | down).any(dim=1)
        self.fail(stuck, Status.UNRESOLVED)
        return left_over & ~stuck[:, None]

    def decide_single(self, single: torch.Tensor, minus: torch.Tensor, plus: torch.Tensor) -> None:
        """A group by itself; minus, plus: the rate of its leader with the slopes of a side."""
        dead = single & (minus == 0) & (plus == 0)
        pushed = single & ~dead & (minus >= 0) & (plus <= 0)  # back, from both sides
        away = single & ~dead & ~pushed & (minus <= 0) & (plus >= 0)
        if self.starting:
            self.fail(away.any(dim=1), Status.NOT_UNIQUE)
        self.choices += away.sum(dim=1)  # it touched the kink, and goes on where it came from
        self.fail((single & ~(pushed | away | dead)).any(dim=1), Status.UNRESOLVED)
        share = torch.where(pushed, minus / (minus - plus), 0.0).gather(1, self.leader)
        of_group = self.grouped & pushed.gather(1, self.leader)
        low, high = self.side_slopes(self.minus), self.side_slopes(self.plus)
        first = of_group & ~self.following
        self.slopes = torch.where(first, low + share * (high - low), self.slopes)
        self.sides[first] = SLIDING
        self._keep_followers(of_group & ~first, low, high)
        self.sides[dead] = AT_ZERO

    def _keep_followers(self, which: torch.Tensor, low: torch.Tensor, high: torch.Tensor) -> None:
        """Followers of a group that slides: their slope must be the same on both its sides, or
        one of the sides be dead there."""
        turning = which & (self.plus != AT_ZERO) & (self.minus != AT_ZERO) & (low != high)
        self.fail(turning.any(dim=1), Status.UNRESOLVED)
        slope = torch.where(self.plus == AT_ZERO, low, high)
        self.slopes = torch.where(which, slope, self.slopes)
        self.sides[which] = AT_ZERO

    def dormant(self) -> torch.Tensor:
        """(B, K): the kinks where nothing arrives but from kinks that slide, whose value is 0."""
        on = self.slides.on
        without = self.field.evaluate(self.weights, torch.where(on, 0.0, self.slopes))
        return self.field.tables.kinks & ~on & (without.pre == 0)

    def settle(self, dormant: torch.Tensor) -> bool:
        """Dormant kinks have no side of their own; their slope must be the same whichever group
        that slides moves off its kink, to either side. Whether there was such a kink."""
        on, tables = self.slides.on, self.field.tables
        which = dormant & (self.sides != AT_ZERO) & on.any(dim=1, keepdim=True)
        if not bool(which.any()):
            return False
        probe, still = _Probe(self.field, self.weights), torch.where(on, 0.0, self.slopes)
        leaders = self.slides.leaders()
        above, below = torch.zeros_like(which), torch.zeros_like(which)
        rank = leaders.long().cumsum(dim=1) - 1
        for number in range(int(leaders.sum(dim=1).max())):
            at = (leaders & (rank == number)).to(torch.int8).argmax(dim=1, keepdim=True)
            members = on & (self.leader == at) & leaders.gather(1, at)
            for side, sign in ((self.plus, 1.0), (self.minus, -1.0)):
                rates = probe.along(torch.where(members, self.side_slopes(side), still))
                moved = sign * (rates * _row(rates, at)).sum(dim=2)
                there = which & members.any(dim=1, keepdim=True)
                above, below = above | (there & (moved > 0)), below | (there & (moved < 0))
        self.fail((above & below).any(dim=1), Status.UNRESOLVED)
        slope = torch.where(below, tables.left, torch.where(above, tables.right, self.slopes))
        self.slopes = torch.where(which, slope, self.slopes)
        self.sides[which] = AT_ZERO
        self.leader = torch.where(which, self.numbers, self.leader)
        return True

    def release(self, leaving: torch.Tensor) -> tuple[Evaluation, torch.Tensor]:
        """Evaluate; groups whose share has left its interval go to that side, as they then must."""
        evaluation, rates, self.slopes = self.look(self.slopes)
        slides = self.slides
        share, leaders = share_of(self.field, self.slopes, slides), slides.leaders()
        over = leaders & (share >= 1 - OUTSIDE) & ((share > 1 + OUTSIDE) | leaving)
        under = leaders & (share <= OUTSIDE) & ((share < -OUTSIDE) | leaving)
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
) -> Continuation:
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
        dormant = work.dormant()
        if work.settle(dormant):
            evaluation, rates, work.slopes = work.look(work.slopes)
        # what was dead may have come to life: nothing arrived there, and now something will
        revived = (work.sides == AT_ZERO) & ~work.following & ~dormant | (
            dormant & ~work.slides.on.any(dim=1, keepdim=True) & (torch.sign(rates) != work.sides)
        )
        left_over = revived & field.tables.kinks & (work.status == ACTIVE)[:, None]
        if not bool(left_over.any()):
            break
        left_over = work.group(left_over)
    else:
        work.fail(left_over.any(dim=1), Status.UNRESOLVED)
        evaluation, rates = work.release(leaving)
    work.fail(work.slides.leaders().sum(dim=1) > MOST_SLIDES, Status.UNRESOLVED)
    work.fail(~torch.isfinite(evaluation.velocity).all(dim=1), Status.NOT_FINITE)
    return Continuation(
        work.sides,
        work.slopes,
        work.slides,
        evaluation,
        rates,
        work.status,
        work.trials,
        work.choices,
    )
