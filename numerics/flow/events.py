"""Where within a step the activation pattern stops being the true one."""

from __future__ import annotations

from math import inf

from numerics.flow.constants import EXIT, NEAR, RELOCATED
from numerics.flow.passes import differentiate
from numerics.flow.steps import ERROR, GOOD, NOT_HELD, attempt
from numerics.flow.workspaces import GROUPS
from numerics.kernels import compiled

SAMPLES = 8
"""So many points of a step are looked at on the cubic through the values and rates at its ends."""


RELOCATIONS = 60


@compiled
def cubic(z0, d0, z1, d1, x):
    """The cubic with these values and derivatives (by x) at 0 and 1, at x."""
    y = 1.0 - x
    return y * y * (z0 * (1.0 + 2.0 * x) + d0 * x) + x * x * (z1 * (1.0 + 2.0 * y) - d1 * y)


@compiled
def first_below(z0, d0, z1, d1, level):
    """The first x in (0, 1] where the cubic comes from above 0 and goes below -level; inf if
    nowhere at the points looked at."""
    before = 0.0
    for i in range(1, SAMPLES + 1):
        x = i / SAMPLES
        if cubic(z0, d0, z1, d1, x) < -level:
            low, high = before, x
            for _ in range(40):
                middle = 0.5 * (low + high)
                if cubic(z0, d0, z1, d1, middle) < 0.0:
                    high = middle
                else:
                    low = middle
            return high
        before = x
    return inf


@compiled
def level_of(work, kinks, place):
    """How far on the wrong side the pre-activation counts as on the right one."""
    return NEAR * work.sizes[place] + kinks.slack[place]


@compiled
def crossed(net, work, kinks, steps, h, first_pre, first_rates):
    """Which pre-activation (or, as -1 - g, which theta of group g) leaves its side first in this
    step, and where in it, as a part of h; -1 - groups and inf where none does.

    Third: whether it is on the wrong side at the end of the step, too.
    """
    groups, stride, count = kinks.sizes[GROUPS], net.stride, net.count
    sides, sizes, slack, pre, rates = kinks.sides, work.sizes, kinks.slack, work.pre, work.rates
    found, where, ends_wrong = -1 - groups, inf, False
    for v in net.kinks:
        for place in range(v * stride, v * stride + count):
            side = sides[place]
            if side != 1 and side != -1:
                continue
            level = NEAR * sizes[place] + slack[place]
            end, rate = side * pre[place], side * h * rates[place]
            start, first_rate = side * first_pre[place], side * h * first_rates[place]
            wrong = end < -level
            if not wrong and (first_rate >= 0.0 or rate <= 0.0):
                continue  # the cubic has no minimum below both ends
            x = first_below(start, first_rate, end, rate, max(level, -2.0 * start))
            if wrong and x == inf:
                x = 1.0
            if x < where:
                found, where, ends_wrong = place, x, wrong
    for g in range(groups):
        margin = min(steps.end_theta[g], 1.0 - steps.end_theta[g])
        if margin < 0.0:
            start = max(min(steps.start_theta[g], 1.0 - steps.start_theta[g]), 0.0)
            x = start / (start - margin)
            if x < where:
                found, where, ends_wrong = -1 - g, x, True
    return found, where, ends_wrong


@compiled
def worst_end(net, work, kinks, steps, target):
    """After a step that should end at an event of `target`: which one is on the wrong side and
    was first, -1 - groups if none is; its estimate of the time by which the step is too long; and
    whether the step ends at the event of the target."""
    groups, stride, count = kinks.sizes[GROUPS], net.stride, net.count
    sides, sizes, slack, pre, rates = kinks.sides, work.sizes, kinks.slack, work.pre, work.rates
    found, late = -1 - groups, -inf
    for v in net.kinks:
        for place in range(v * stride, v * stride + count):
            side = sides[place]
            if side != 1 and side != -1:
                continue
            z, rate = side * pre[place], side * rates[place]
            if z < -(NEAR * sizes[place] + slack[place]):
                by = z / rate if rate < 0.0 else 0.0
                if by > late:
                    found, late = place, by
    for g in range(groups):
        margin = min(steps.end_theta[g], 1.0 - steps.end_theta[g])
        if margin < -EXIT and late < 0.0:
            found, late = -1 - g, 0.0
    if found != -1 - groups:
        return found, late, False
    if target >= 0:
        done = abs(work.pre[target]) <= level_of(work, kinks, target)
        rate = kinks.sides[target] * work.rates[target]
        early = kinks.sides[target] * work.pre[target]
        return found, (early / rate if rate < 0.0 else 0.0), done
    return found, 0.0, margin_of(steps.end_theta[-1 - target]) <= 0.0


@compiled
def margin_of(theta):
    """How far inside of [0, 1]; negative outside."""
    return min(theta, 1.0 - theta)


@compiled
def locate(net, work, kinks, steps, h, rtol, atol, gamma, begin):
    """Repeat the step with sizes below h until it ends at an event. Returns how that came out,
    the size of the step, and at what it ends, -1 - groups for no event.

    begin: what `crossed` returned.
    """
    target, where, wrong = begin
    none = -1 - kinks.sizes[GROUPS]
    low, high, guess = 0.0, h, max(where, 1e-6) * h
    low_margin, high_margin = 1.0, -1.0
    if target < 0:
        low_margin = max(margin_of(steps.start_theta[-1 - target]), 0.0)
        high_margin = margin_of(steps.end_theta[-1 - target])
        guess = high * low_margin / (low_margin - high_margin)
    narrow = 0
    for _ in range(RELOCATIONS):
        if high - low <= 1e-15 * h or narrow > 0:
            guess, narrow = high, narrow + 1
        outcome = attempt(net, work, kinks, steps, guess, rtol, atol, gamma)
        work.counts[RELOCATED] += 1
        if outcome != GOOD or not steps.facts[ERROR] <= 1.0:
            return NOT_HELD if outcome == GOOD else outcome, guess, none
        differentiate(net, work, steps.velocities[steps.stages - 1])
        found, late, done = worst_end(net, work, kinks, steps, target)
        if found == none and (done or not wrong):
            return GOOD, guess, target if done else none
        if narrow > 0:
            return GOOD, guess, target
        if found != none:
            wrong = True
            if found != target:
                target, low, low_margin = found, 0.0, 1.0
                if target < 0:
                    low_margin = max(margin_of(steps.start_theta[-1 - target]), 0.0)
            high = guess
        else:
            low = guess
        if target < 0:
            margin = margin_of(steps.end_theta[-1 - target])
            if found != none:
                high_margin = margin
                low_margin *= 0.5 if guess == high and low > 0.0 else 1.0
            else:
                low_margin = margin
            share = (low_margin + 0.3 * EXIT) / (low_margin - high_margin)
            guess = low + share * (high - low)
        else:
            guess = guess - late if late != 0.0 else 0.5 * (low + high)
        if not low < guess < high:
            guess = 0.5 * (low + high)
    return NOT_HELD, guess, none
