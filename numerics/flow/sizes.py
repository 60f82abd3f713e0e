"""The first step, and how fast kinks that are held are drawn to 0."""

from __future__ import annotations

from math import isfinite, sqrt

from numerics.flow.slides import velocity_at
from numerics.flow.workspaces import GROUPS
from numerics.kernels import compiled

PULL = 1e-3
"""So large a part of |gradient| |velocity| may be spent on drawing a pre-activation back to 0."""


@compiled
def pull(kinks, pre, natural):
    """The rate gamma at which pre-activations that slide are drawn to 0: that of the steps that
    accuracy allows, or less, so that it changes their rates by no more than a part."""
    gamma = 1.0 / natural
    for g in range(kinks.sizes[GROUPS]):
        z = abs(pre[kinks.member_place[kinks.leader[g]]])
        if gamma * z > PULL * kinks.rate_size[g]:
            gamma = PULL * kinks.rate_size[g] / z
    return gamma


@compiled
def first_step_of(net, work, kinks, steps, settings):
    """A first guess (Hairer, Norsett, Wanner, section II.4)."""
    if settings.first_step > 0.0:
        return settings.first_step
    size, speed = 0.0, 0.0
    for p in range(net.parameters):
        tolerance = settings.atol + settings.rtol * abs(steps.start[p])
        size += (steps.start[p] / tolerance) ** 2
        speed += (steps.velocities[0, p] / tolerance) ** 2
    if not speed > 0.0:
        return settings.until
    guess = 0.01 * sqrt(size / speed) if size > 0.0 else 1e-6 * settings.until
    guess = min(guess, settings.until)
    for p in range(net.parameters):
        steps.trial[p] = steps.start[p] + guess * steps.velocities[0, p]
    for g in range(kinks.sizes[GROUPS]):
        steps.start_theta[g] = kinks.theta[g]
    last = steps.velocities[1]
    velocity_at(net, work, kinks, steps.trial, 0.0, last)
    change = 0.0
    for p in range(net.parameters):
        tolerance = settings.atol + settings.rtol * abs(steps.start[p])
        change += ((last[p] - steps.velocities[0, p]) / tolerance) ** 2
    change = sqrt(change / net.parameters) / guess
    for g in range(kinks.sizes[GROUPS]):
        kinks.theta[g] = steps.start_theta[g]
    largest = max(change, sqrt(speed / net.parameters))
    if not isfinite(largest):
        return 1e-3 * guess
    return min(100.0 * guess, (0.01 / largest) ** (1.0 / (steps.error_order + 1)))
