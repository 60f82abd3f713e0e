"""One Runge-Kutta step of one network, with its error; and its interpolant."""

from __future__ import annotations

from math import exp, inf, isfinite, log, log1p, sqrt

import numpy as np
from numba.experimental import structref

from numerics.flow.slides import velocity_at
from numerics.flow.workspaces import GROUPS, Structure
from numerics.kernels import compiled
from numerics.lanes import at, put

STRAY = 1e-3
"""So far the slope of a kink that slides may leave its interval at a stage (as part of it)."""


class Steps(structref.StructRefProxy):
    """The stages of a step. velocities, weights: (E, P), by stage; start: (P,); trial: (P,) work;
    log_scales: by stage, log of mean |l'| on the clock of the loss; start_theta, end_theta: the
    thetas at the start and the end; facts: error against the tolerance, log of the time gained,
    the largest stray of a theta, h times an estimate of the largest eigenvalue; a to error_order:
    as in TableauArrays.
    """


@structref.register
class StepsType(Structure):
    """Numba's type of it."""


structref.define_proxy(
    Steps,
    StepsType,
    [
        "velocities",
        "weights",
        "start",
        "trial",
        "log_scales",
        "start_theta",
        "end_theta",
        "facts",
        "a",
        "b",
        "error",
        "second_error",
        "interpolant",
        "stages",
        "extended",
        "order",
        "error_order",
    ],
)


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
        tableau.a,
        tableau.b,
        tableau.error,
        tableau.second_error,
        tableau.interpolant,
        tableau.stages,
        tableau.extended,
        tableau.order,
        tableau.error_order,
    )


@compiled
def fill_stage(steps, i, h):
    """Write the weights of stage i."""
    row, start, count = steps.weights[i], steps.start, len(steps.start)
    for p in range(count):
        put(row, p, 0.0)
    for j in range(i):
        factor = steps.a[i, j]
        if factor != 0.0:
            velocity = steps.velocities[j]
            for p in range(count):
                put(row, p, at(row, p) + factor * at(velocity, p))
    for p in range(count):
        put(row, p, at(start, p) + h * at(row, p))


@compiled
def attempt(net, work, kinks, steps, h, rtol, atol, gamma):
    """Fill the stages of a step of size h from steps.start, whose first velocity is known.

    Returns GOOD, BAD_VALUES or NOT_HELD; the error, against the tolerance, is in the facts.
    """
    groups = kinks.sizes[GROUPS]
    steps.facts[STRAYED] = 0.0
    for g in range(groups):
        kinks.theta[g] = steps.start_theta[g]
    for i in range(1, steps.stages):
        fill_stage(steps, i, h)
        row, velocity = steps.weights[i], steps.velocities[i]
        if not velocity_at(net, work, kinks, row, gamma, velocity):
            return NOT_HELD
        total = 0.0
        for p in range(net.parameters):
            total += at(velocity, p)
        if not isfinite(total):
            return BAD_VALUES
        steps.log_scales[i] = work.log_scale[0]
        for g in range(groups):
            stray = max(kinks.theta[g] - 1.0, -kinks.theta[g])
            if i < steps.stages - 1:
                steps.facts[STRAYED] = max(steps.facts[STRAYED], stray)
            steps.end_theta[g] = kinks.theta[g]
    steps.facts[ERROR] = error_of(net, steps, h, rtol, atol)
    if net.clock == 1:
        steps.facts[ERROR] = max(steps.facts[ERROR], gain(steps, h, max(rtol, 1e-6)))
    else:
        steps.facts[LOG_GAIN] = log(h)
    return GOOD


@compiled
def error_of(net, steps, h, rtol, atol):
    """The root mean square of error / tolerance."""
    five, three, difference, distance = 0.0, 0.0, 0.0, 0.0
    end, before = steps.weights[steps.stages - 1], steps.weights[steps.stages - 2]
    last, previous = steps.velocities[steps.stages - 1], steps.velocities[steps.stages - 2]
    two, start, velocities, count = steps.order == 8, steps.start, steps.velocities, net.parameters
    errors, second, stages = steps.error, steps.second_error, steps.stages
    for p in range(net.parameters):
        first_error, second_error = 0.0, 0.0
        for i in range(stages):
            velocity = at(velocities, i * count + p)
            first_error += at(errors, i) * velocity
            if two:
                second_error += at(second, i) * velocity
        tolerance = atol + rtol * max(abs(at(start, p)), abs(at(end, p)))
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
def gain(steps, h, tolerance):
    """The true time that a step on the clock of the loss takes: its log goes to the facts.

    Returns the error of the gain against the tolerance.
    """
    largest = -steps.log_scales[0]
    for i in range(1, steps.stages):
        largest = max(largest, -steps.log_scales[i])
    total, error = 0.0, 0.0
    for i in range(steps.stages):
        speed = exp(-steps.log_scales[i] - largest)
        total += steps.b[i] * speed
        error += steps.error[i] * speed
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
def interpolate(net, work, kinks, steps, h, gamma, coefficients):
    """Write the coefficients of the interpolant, (D, P), with the stages that only it needs."""
    for i in range(steps.stages, steps.extended):
        fill_stage(steps, i, h)
        row, velocity = steps.weights[i], steps.velocities[i]
        velocity_at(net, work, kinks, row, gamma, velocity)
    interpolant, velocities, count = steps.interpolant, steps.velocities, net.parameters
    for d in range(interpolant.shape[1]):
        for p in range(net.parameters):
            total = 0.0
            for i in range(steps.extended):
                total += interpolant[i, d] * at(velocities, i * count + p)
            coefficients[d, p] = h * total
