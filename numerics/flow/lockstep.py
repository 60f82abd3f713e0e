"""A whole batch integrated together: each instance with its own step, events, and end.

Every pass of the loop tries one step of every instance. Instances that are done stay until half of
the batch is; then the batch is made smaller.
"""

from __future__ import annotations

from math import inf

import torch

from numerics.flow.batch_balances import Balances
from numerics.flow.batch_sides import ACTIVE, Continuation, meet, share_of
from numerics.flow.constants import (
    ACCEPTED,
    CHOICES,
    EVALUATIONS,
    EVENTS,
    LEFT,
    NEAR_OF_LARGEST,
    OUTSIDE,
    REJECTED,
    RELOCATED,
    RIGHT,
    SLIDES,
    SLIDING,
    STIFF_STEPS,
)
from numerics.flow.crossings import first_crossings, roots
from numerics.flow.fields import Field
from numerics.flow.histories import History
from numerics.flow.options import Options
from numerics.flow.positions import Positions, begin
from numerics.flow.stages import Stepper, Trial
from numerics.flow.status import Status
from numerics.flow.tableaus import arrays_of

SAFETY, LEAST_FACTOR, LARGEST_FACTOR = 0.9, 0.2, 6.0
SMALL = 16 * 2.0**-53
"""Of the time: steps below cannot be told from 0."""

LEAST_STEP = 1e-290

SEARCHES = 40
"""So often a step is repeated to end at an event."""

STABILITY = {5: 3.3, 8: 6.1}
"""Where on the negative axis the methods of that order stop being stable, about."""


class Lockstep:
    """The integration of a batch. field: of all instances; start: (B, P); until: (B,)."""

    def __init__(
        self,
        field: Field,
        start: torch.Tensor,
        until: torch.Tensor,
        options: Options,
        balances: Balances,
    ) -> None:
        self.field, self.options, self.balances = field, options, balances
        self.history = History()
        self.tableau = arrays_of(options.method)
        self.stepper = Stepper(self.tableau, options.rtol, options.atol, start.device)
        self.instances = len(start)
        self.at = at = begin(field, start, until, options, self.tableau)
        self.first_sides, self.first_log_risk = at.sides.cpu(), at.log_risk.cpu()
        self.history.append("steps", at.ids, at.time, at.log_risk, at.log_time)
        self.history.append("segments", at.ids, at.time)
        self.finished: list[Positions] = []

    # the loop ------------------------------------------------------------------------------------
    def run(self) -> list[Positions]:
        """Integrate to the end: the positions of the instances there, in some order."""
        while True:
            done = self.at.status != ACTIVE
            if bool(done.any()) and 2 * int(done.sum()) >= len(done):
                self._retire(done)
                if not len(self.at.ids):
                    return self.finished
            self._pass()

    def _retire(self, done: torch.Tensor) -> None:
        """Take finished instances out of the batch."""
        leaving = self.at.take(torch.nonzero(done).flatten())
        self._close_segments(leaving, torch.ones_like(leaving.status, dtype=torch.bool))
        self.finished.append(leaving)
        stay = torch.nonzero(~done).flatten()
        self.at = self.at.take(stay)
        if len(stay):
            self.field = self.field.take(stay)

    def _pass(self) -> None:
        at, options = self.at, self.options
        active = at.status == ACTIVE
        searching = torch.isfinite(at.high)
        rest = at.until - at.time
        h = torch.minimum(at.h.clamp(max=options.largest_step), rest)
        last = (h == rest) & ~searching
        h = torch.where(searching, at.search, h)
        tiny = active & ((h < SMALL * at.time) | (h < LEAST_STEP))
        slides = at.slides()
        slides = slides._replace(on=slides.on & active[:, None])
        pull = 1.0 / torch.where(active, torch.maximum(at.h, h), 1.0)
        trial = self.stepper.attempt(
            self.field, at.weights, at.evaluation(), at.slopes, slides, h, pull
        )
        at.counts[:, EVALUATIONS] += torch.where(active, trial.trials, 0)
        rates = self.field.rates(trial.weights[-1], trial.end.state, trial.end.velocity)
        good = active & (trial.error <= torch.where(searching, inf, 1.0))
        good = good & torch.isfinite(trial.error)
        here, accepted = self._events(trial, rates, h, good, searching)
        refused = active & ~good
        at.counts[:, REJECTED] += refused
        power = -1.0 / (self.tableau.error_order + 1)
        factor = (SAFETY * trial.error.clamp(min=1e-30) ** power).nan_to_num(0.0)
        factor = factor.clamp(LEAST_FACTOR, LARGEST_FACTOR)
        self._accept(trial, rates, h, accepted, last, pull)
        grown = torch.where(refused, h * factor.clamp(max=0.9), at.h)
        plain = accepted & ~searching & (h >= 0.5 * at.h)  # not one that was cut at the end
        at.h = torch.where(plain, torch.minimum(h * factor, 1e3 * at.until), grown)
        at.high = torch.where(refused | accepted | tiny, inf, at.high)
        finite = torch.isfinite(trial.error)
        reason = torch.where(finite, int(Status.STEP_TOO_SMALL), int(Status.NOT_FINITE))
        reason = torch.where(trial.held, reason, int(Status.UNRESOLVED))
        self._stop(tiny & refused, reason)
        self._meet(here | (tiny & good & ~accepted))
        self._limits(accepted & last & (at.status == ACTIVE))

    # events --------------------------------------------------------------------------------------
    def _level(self, pre: torch.Tensor) -> torch.Tensor:
        largest = pre.abs().amax(dim=1, keepdim=True) if pre.shape[1] else pre.new_zeros(1, 1)
        return NEAR_OF_LARGEST * largest + self.at.slack

    def _events(
        self,
        trial: Trial,
        rates: torch.Tensor,
        h: torch.Tensor,
        good: torch.Tensor,
        searching: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Which instances end this step at an event, and which steps are accepted; the others get
        the step with which to try again."""
        at = self.at
        if not at.pre.shape[1]:
            return torch.zeros_like(good), good
        signs = at.sides.to(torch.float64)
        fixed = (at.sides == LEFT) | (at.sides == RIGHT)
        sliding = at.sides == SLIDING
        level = self._level(at.pre)
        step = h[:, None]
        ends = signs * at.pre, signs * step * at.rates, signs * trial.end.pre, signs * step * rates
        margins = [self._margin(at.slopes), self._margin(trial.slopes)]
        crossing = first_crossings(*ends, level, fixed)
        share = margins[0].clamp(min=0) / (margins[0].clamp(min=0) - margins[1])
        by_slope = torch.where(sliding & (margins[1] < 0), share, inf).min(dim=1)
        place = torch.minimum(crossing.place, by_slope.values)
        target = torch.where(by_slope.values < crossing.place, by_slope.indices, crossing.target)
        fresh = good & ~searching & torch.isfinite(place)
        early, late, here = self._search(ends, margins[1], level, h, good & searching, sliding)
        # a new search
        at.low = torch.where(fresh, 0.0, torch.where(early, h, at.low))
        at.high = torch.where(fresh, h, torch.where(late, h, at.high))
        at.target = torch.where(fresh, target, at.target)
        at.search = torch.where(fresh, place * h, at.search)
        at.searches = torch.where(fresh, 0, at.searches + searching.long())
        at.counts[:, RELOCATED] += fresh
        repeated = fresh | early | late
        return here, good & ~repeated

    def _margin(self, slopes: torch.Tensor) -> torch.Tensor:
        """(B, K): how far within its interval a slope is, as a part of it."""
        share = share_of(self.field, slopes, self.at.slides())
        return torch.minimum(share, 1 - share)

    def _search(
        self,
        ends: tuple[torch.Tensor, ...],
        margin: torch.Tensor,
        level: torch.Tensor,
        h: torch.Tensor,
        tried: torch.Tensor,
        sliding: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Of the steps that should end at an event: which are too early, too late, or there."""
        at = self.at
        end, rate = ends[2], ends[3] / h[:, None]
        fixed = (at.sides == LEFT) | (at.sides == RIGHT)
        over = torch.where(fixed & (end < -torch.maximum(level, -2 * ends[0])), end, 0.0)
        outside = torch.where(sliding & (margin < -OUTSIDE), margin, 0.0)
        # the one that is over for the longest time becomes the target
        excess = torch.where(over < 0, over / rate.clamp(max=-1e-300), 0.0)
        excess = torch.where(over < 0, excess.clamp(max=1e300), -1.0)
        excess = torch.where(outside < 0, 0.0, excess)
        worst = excess.max(dim=1)
        late = tried & (worst.values >= 0)
        at.target = torch.where(late, worst.indices, at.target)
        aim = at.target[:, None]
        z, dz, m = (part.gather(1, aim)[:, 0] for part in (end, rate, margin))
        slides = sliding.gather(1, aim)[:, 0]
        near = torch.where(slides, m <= 0, z.abs() <= level.gather(1, aim)[:, 0])
        give_up = at.searches > SEARCHES
        closed = give_up | ((h - at.low).abs() <= SMALL * at.time)
        here = tried & ((~late & near) | (late & closed))
        # where the search closes and nothing has crossed, the kink was only approached
        late, early = late & ~here, tried & ~late & ~here & ~give_up
        low = torch.where(early, h, at.low)
        high = torch.where(late, h, at.high)
        newton = h - torch.where(dz.abs() > 0, z / dz, 0.0)
        first = self._margin(at.slopes).gather(1, aim)[:, 0].clamp(min=0)
        secant = h * (first + 0.5 * OUTSIDE) / (first - m).clamp(min=1e-300)
        guess = torch.where(slides, secant, newton)
        inside = (guess > low) & (guess < high) & (at.searches < SEARCHES // 2)
        at.search = torch.where(
            early | late, torch.where(inside, guess, 0.5 * (low + high)), at.search
        )
        return early, late, here

    def _meet(self, here: torch.Tensor) -> None:
        """Decide how the instances go on that are at an event."""
        at, tables = self.at, self.field.tables
        here = here & (at.status == ACTIVE)
        if not bool(here.any()):
            return
        level = self._level(at.pre)
        fixed = (at.sides == LEFT) | (at.sides == RIGHT)
        aimed = torch.zeros_like(fixed).scatter_(1, at.target[:, None], True)
        met = fixed & tables.kinks & ((at.pre.abs() <= 4 * level) | aimed) & here[:, None]
        # one that left the kink just now is near it, but is not met
        signs = at.sides.to(torch.float64)
        met = met & (aimed | (signs * at.rates < 0))
        leaving = (at.sides == SLIDING) & here[:, None] & (self._margin(at.slopes) <= OUTSIDE)
        found = meet(self.field, at.weights, at.sides, at.slopes, at.slides(), met, leaving)
        self._go_on(found, here)

    def _go_on(self, found: Continuation, here: torch.Tensor) -> None:
        at, column = self.at, here[:, None]
        at.counts[:, EVALUATIONS] += torch.where(here, found.trials, 0)
        turned = (found.sides != at.sides) & column
        changed = turned.any(dim=1)
        self._close_segments(at, changed & (at.time > at.segment_start))
        new = changed & (at.time > at.segment_start)
        at.segment += new
        at.segment_start = torch.where(new, at.time, at.segment_start)
        self.history.append("segments", at.ids[new], at.time[new])
        rows, kinks = torch.nonzero(turned, as_tuple=True)
        self.history.append(
            "changes", at.ids[rows], at.segment[rows], kinks, found.sides[rows, kinks]
        )
        at.counts[:, EVENTS] += changed
        at.counts[:, CHOICES] += torch.where(here, found.choices, 0)
        at.counts[:, SLIDES] += (turned & (found.sides == SLIDING)).sum(dim=1)
        released = turned & (at.sides == SLIDING)
        at.slack = torch.where(released, 2 * at.pre.abs(), at.slack)
        at.sides = torch.where(column, found.sides, at.sides)
        at.slopes = torch.where(column, found.slopes, at.slopes)
        at.leader = torch.where(column, found.slides.leader, at.leader)
        at.plus = torch.where(column, found.slides.plus, at.plus)
        at.minus = torch.where(column, found.slides.minus, at.minus)
        at.rates = torch.where(column, found.rates, at.rates)
        for name in ("velocity", "pre"):
            new_value = getattr(found.evaluation, name)
            setattr(at, name, torch.where(column, new_value, getattr(at, name)))
        self._stop(here & (found.status != ACTIVE), found.status)

    # steps ---------------------------------------------------------------------------------------
    def _accept(
        self,
        trial: Trial,
        rates: torch.Tensor,
        h: torch.Tensor,
        accepted: torch.Tensor,
        last: torch.Tensor,
        pull: torch.Tensor,
    ) -> None:
        at = self.at
        if not bool(accepted.any()):
            return
        before = at.time
        time = torch.where(last, at.until, at.time + h)
        self._write_signs(trial, before, h, accepted)
        if self.balances.count:
            position = torch.full((self.instances,), -1, dtype=torch.int64).to(at.ids.device)
            position[at.ids] = torch.arange(len(at.ids), device=at.ids.device)
            self.balances.weigh(trial.weights, trial.velocities, before, h, accepted, position)
        if self.options.dense:
            coefficients = self.stepper.coefficients(self.field, trial, at.slides(), h, pull)
            kept = (part[accepted] for part in (before, h, at.weights, coefficients))
            self.history.append("dense", at.ids[accepted], *kept)
        distance = torch.linalg.vector_norm(trial.weights[-1] - trial.weights[0], dim=1)
        at.length = at.length + torch.where(accepted, distance, 0.0)
        at.time = torch.where(accepted, time, before)
        at.log_time = torch.where(
            accepted, torch.logaddexp(at.log_time, trial.log_gain), at.log_time
        )
        if not self.field.loss_clock:
            at.log_time = torch.log(at.time)
        column = accepted[:, None]
        at.weights = torch.where(column, trial.weights[-1], at.weights)
        at.velocity = torch.where(column, trial.end.velocity, at.velocity)
        at.pre = torch.where(column, trial.end.pre, at.pre)
        at.rates = torch.where(column, rates, at.rates)
        at.log_risk = torch.where(accepted, trial.end.log_risk, at.log_risk)
        at.log_scale = torch.where(accepted, trial.end.log_scale, at.log_scale)
        self._note_slides(column)
        at.slopes = torch.where(column, trial.slopes, at.slopes)
        self._note_slides(column)
        at.counts[:, ACCEPTED] += accepted
        bound = STABILITY[self.tableau.order]
        at.counts[:, STIFF_STEPS] += accepted & (trial.stiffness > bound)
        rows = accepted
        self.history.append(
            "steps", at.ids[rows], at.time[rows], at.log_risk[rows], at.log_time[rows]
        )

    def _note_slides(self, column: torch.Tensor) -> None:
        at = self.at
        noted = column & (at.sides == SLIDING)
        at.least = torch.where(noted, torch.minimum(at.least, at.slopes), at.least)
        at.largest = torch.where(noted, torch.maximum(at.largest, at.slopes), at.largest)

    def _write_signs(
        self, trial: Trial, time: torch.Tensor, h: torch.Tensor, accepted: torch.Tensor
    ) -> None:
        old, new = trial.weights[0], trial.weights[-1]
        turned = (torch.sign(old) != torch.sign(new)) & accepted[:, None]
        rows, columns = torch.nonzero(turned, as_tuple=True)
        if not len(rows):
            return
        values = new[rows, columns]
        flip = torch.sign(old[rows, columns])
        first, final = (flip * h[rows] * trial.velocities[i][rows, columns] for i in (0, -1))
        place = roots(flip * old[rows, columns], first, flip * values, final)
        place = torch.where(flip == 0, 0.0, place)
        times = time[rows] + place * h[rows]
        self.history.append("signs", self.at.ids[rows], times, columns, torch.sign(values))

    def _close_segments(self, at: Positions, which: torch.Tensor) -> None:
        """Write down what belongs to the segments that end here."""
        if self.balances.count and bool(which.any()):
            ended = torch.zeros(self.instances, dtype=torch.bool, device=at.ids.device)
            ended[at.ids[which]] = True
            forms, measures = self.balances.close(ended)
            self.history.append("measures", self.balances.owners[forms], forms, measures)
        sliding = (at.sides == SLIDING) & which[:, None] & torch.isfinite(at.least)
        rows, kinks = torch.nonzero(sliding, as_tuple=True)
        self.history.append(
            "slides",
            at.ids[rows],
            at.segment[rows],
            kinks,
            at.least[rows, kinks],
            at.largest[rows, kinks],
        )
        at.least = torch.where(which[:, None], inf, at.least)
        at.largest = torch.where(which[:, None], -inf, at.largest)

    # ends ----------------------------------------------------------------------------------------
    def _stop(self, which: torch.Tensor, status: torch.Tensor) -> None:
        stopped = which & (self.at.status == ACTIVE)
        self.at.status = torch.where(stopped, status, self.at.status)

    def _limits(self, arrived: torch.Tensor) -> None:
        at, options = self.at, self.options

        def stop(which: torch.Tensor, status: Status) -> None:
            self._stop(which, torch.full_like(at.status, int(status)))

        stop(at.below(options.log_risk_below), Status.LOSS_REACHED)
        slides = (at.sides == SLIDING).any(dim=1)
        stop(arrived & slides, Status.SLIDING)
        stop(arrived, Status.FINISHED)
        spent = at.counts[:, EVALUATIONS] >= options.evaluations
        stop(spent & (2 * at.counts[:, STIFF_STEPS] > at.counts[:, ACCEPTED]), Status.STIFF)
        stop(spent, Status.EVALUATIONS_SPENT)
        stop(at.counts[:, EVENTS] >= options.events + 1, Status.EVENTS_SPENT)
