"""One Runge-Kutta step of one network, with its error; and its interpolant."""

from __future__ import annotations

from math import exp, inf, isfinite, log, log1p, sqrt
from typing import NamedTuple

import numpy as np

from numerics.flow.rooms import GROUPS
from numerics.flow.slides import velocity_at
from numerics.kernels import compiled
from numerics.lanes import at, put

STRAY = 1e-3
"""So far the slope of a kink that slides may leave its interval at a stage (as part of it)."""


class Steps(NamedTuple):
    """The stages of a step. velocities, weights: (E, P), by stage; start: (P,); ends: weights[S - 1]
    of S stages; log_scales: by stage, log of mean |l'| on the clock of the loss; end_theta: the
    thetas at the end; facts: error, log of the time gained, its error, largest stray of a theta."""

    velocities: np.ndarray
    weights: np.ndarray
    start: np.ndarray
    trial: np.ndarray
    log_scales: np.ndarray
    start_theta: np.ndarray
    end_theta: np.ndarray
    facts: np.ndarray


ERROR, LOG_GAIN, STRAYED, STIFFNESS = range(4)

GOOD, BAD_VALUES, NOT_HELD = range(3)
"""How a step came out."""


@compiled
def steps_of(net, tableau, groups):
    """Room for the steps of a network. groups: how many kinks may slide."""
    shape = (tableau.extended, net.parameters)
    return Steps(
        np.zeros(shape),
        np.zeros(shape),
        np.zeros(net.parameters),
        np.zeros(net.parameters),
        np.zeros(tableau.extended),
        np.zeros(groups),
        np.zeros(groups),
        np.zeros(4),
    )


@compiled
def fill_stage(tableau, steps, i, h):
    """Write the weights of stage i."""
    row = steps.weights[i]
    for p in range(len(steps.start)):
        put(row, p, 0.0)
    for j in range(i):
        factor = tableau.a[i, j]
        if factor != 0.0:
            velocity = steps.velocities[j]
            for p in range(len(steps.start)):
                put(row, p, at(row, p) + factor * at(velocity, p))
    for p in range(len(steps.start)):
        put(row, p, at(steps.start, p) + h * at(row, p))


@compiled
def attempt(tables, data, net, room, kinks, tableau, steps, h, rtol, atol, gamma):
    """Fill the stages of a step of size h from steps.start, whose first velocity is known.

    Returns GOOD, BAD_VALUES or NOT_HELD; the error, against the tolerance, is in the facts.
    """
    groups = kinks.sizes[GROUPS]
    steps.facts[STRAYED] = 0.0
    for g in range(groups):
        kinks.theta[g] = steps.start_theta[g]
    for i in range(1, tableau.stages):
        fill_stage(tableau, steps, i, h)
        row, velocity = steps.weights[i], steps.velocities[i]
        if not velocity_at(tables, data, net, room, kinks, row, gamma, velocity):
            return NOT_HELD
        total = 0.0
        for p in range(net.parameters):
            total += at(velocity, p)
        if not isfinite(total):
            return BAD_VALUES
        steps.log_scales[i] = room.log_scale[0]
        for g in range(groups):
            stray = max(kinks.theta[g] - 1.0, -kinks.theta[g])
            if i < tableau.stages - 1:
                steps.facts[STRAYED] = max(steps.facts[STRAYED], stray)
            steps.end_theta[g] = kinks.theta[g]
    steps.facts[ERROR] = error_of(net, tableau, steps, h, rtol, atol)
    if net.clock == 1:
        steps.facts[ERROR] = max(steps.facts[ERROR], gain(tableau, steps, h, max(rtol, 1e-6)))
    else:
        steps.facts[LOG_GAIN] = log(h)
    return GOOD


@compiled
def error_of(net, tableau, steps, h, rtol, atol):
    """The root mean square of error / tolerance."""
    five, three, difference, distance = 0.0, 0.0, 0.0, 0.0
    end, before = steps.weights[tableau.stages - 1], steps.weights[tableau.stages - 2]
    last, previous = steps.velocities[tableau.stages - 1], steps.velocities[tableau.stages - 2]
    two = tableau.order == 8
    for p in range(net.parameters):
        first_error, second_error = 0.0, 0.0
        for i in range(tableau.stages):
            velocity = at(steps.velocities[i], p)
            first_error += tableau.error[i] * velocity
            if two:
                second_error += tableau.second_error[i] * velocity
        tolerance = atol + rtol * max(abs(at(steps.start, p)), abs(at(end, p)))
        five += (first_error / tolerance) ** 2
        three += (second_error / tolerance) ** 2
        difference += (at(last, p) - at(previous, p)) ** 2
        distance += (at(end, p) - at(before, p)) ** 2
    steps.facts[STIFFNESS] = h * sqrt(difference / distance) if distance > 0.0 else 0.0
    if not isfinite(five):
        return inf
    if two:
        if five == 0.0:
            return 0.0
        return h * five / sqrt((five + 0.01 * three) * net.parameters)
    return h * sqrt(five / net.parameters)


@compiled
def gain(tableau, steps, h, tolerance):
    """The true time that a step on the clock of the loss takes: its log goes to the facts.

    Returns the error of the gain against the tolerance.
    """
    largest = -steps.log_scales[0]
    for i in range(1, tableau.stages):
        largest = max(largest, -steps.log_scales[i])
    total, error = 0.0, 0.0
    for i in range(tableau.stages):
        speed = exp(-steps.log_scales[i] - largest)
        total += tableau.b[i] * speed
        error += tableau.error[i] * speed
    if not total > 0.0:
        return inf
    steps.facts[LOG_GAIN] = log(h) + largest + log(total)
    return abs(error) / total / tolerance


@compiled
def log_sum(one, other):
    """log(e^one + e^other)."""
    large, small = max(one, other), min(one, other)
    return large if small == -inf else large + log1p(exp(small - large))


@compiled
def interpolate(tables, data, net, room, kinks, tableau, steps, h, gamma, coefficients):
    """Write the coefficients of the interpolant, (D, P), with the stages that only it needs."""
    for i in range(tableau.stages, tableau.extended):
        fill_stage(tableau, steps, i, h)
        row, velocity = steps.weights[i], steps.velocities[i]
        velocity_at(tables, data, net, room, kinks, row, gamma, velocity)
    for d in range(tableau.interpolant.shape[1]):
        for p in range(net.parameters):
            total = 0.0
            for i in range(tableau.extended):
                total += tableau.interpolant[i, d] * at(steps.velocities[i], p)
            coefficients[d, p] = h * total
