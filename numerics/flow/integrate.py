"""The integration of one network from start to end, compiled."""

from __future__ import annotations

from math import inf, isfinite, sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np

from numerics.flow.balances import value_of, weigh
from numerics.flow.events import crossed, locate, margin_of
from numerics.flow.kinks import NEAR, OK, SLIDES_NOW, dot, gather, resolve, settle, sign, unique
from numerics.flow.logs import (
    CHANGES,
    DENSE,
    MEASURES,
    SEGMENTS,
    SIGNS,
    SLIDE_ROWS,
    STEPS,
    empty_logs,
    filled,
    with_room,
)
from numerics.flow.passes import differentiate, log_risk, set_typical
from numerics.flow.rooms import (
    ACCEPTED,
    EVALUATIONS,
    EVENTS,
    GROUP_MEMBERS,
    GROUPS,
    REJECTED,
    RELOCATED,
    SLIDES,
    STIFF_STEPS,
    kinks_of,
    net_of,
    room_of,
)
from numerics.flow.slides import velocity_at
from numerics.flow.status import Status
from numerics.flow.steps import (
    BAD_VALUES,
    ERROR,
    GOOD,
    LOG_GAIN,
    STIFFNESS,
    STRAY,
    STRAYED,
    attempt,
    interpolate,
    log_sum,
    steps_of,
)
from numerics.kernels import CODES, NUMBERS, compiled, kept, smooth
from numerics.layouts import CONSTANT_INPUT, EMPTY_SLOTS, NOT_AN_INPUT, PIECEWISE_LINEAR

FINISHED, SLIDING = int(Status.FINISHED), int(Status.SLIDING)
LOSS_REACHED, UNRESOLVED = int(Status.LOSS_REACHED), int(Status.UNRESOLVED)
STEP_TOO_SMALL, NOT_FINITE = int(Status.STEP_TOO_SMALL), int(Status.NOT_FINITE)
EVALUATIONS_SPENT, STIFF = int(Status.EVALUATIONS_SPENT), int(Status.STIFF)
EVENTS_SPENT = int(Status.EVENTS_SPENT)

STANDSTILL = 64
"""So many events one after the other without progress mean that the kinks cannot be resolved."""

STIFF_IN_A_ROW = 15

PULL = 1e-3
"""So large a part of |gradient| |velocity| may be spent on drawing a pre-activation back to 0."""

_FILES = ("balances", "events", "kinks", "logs", "passes", "rooms", "slides", "status", "steps")
_SOURCES = [Path(__file__).with_name(f"{name}.py") for name in _FILES]
_SOURCES.append(Path(__file__).parent.with_name("kernels.py"))


class Settings(NamedTuple):
    """What is asked, see numerics.flow.options.Options."""

    loss: int
    clock: int
    until: float
    rtol: float
    atol: float
    decay: float
    log_risk_below: float
    first_step: float
    largest_step: float
    evaluations: int
    events: int
    dense: int


@compiled
def place_sides(net, room, kinks, weights):
    """The sides, slopes and candidates at the start, from the weights alone."""
    for p in range(net.parameters):
        room.weights[p] = weights[p]
    set_typical(net, room)
    for v in range(net.vertices):
        code, number = v * CODES, v * NUMBERS
        source, kind = net.codes[code + 2], net.codes[code + 3]
        left, right = net.numbers[number], net.numbers[number + 1]
        for j in range(net.stride):
            place = v * net.stride + j
            if source != NOT_AN_INPUT:
                held = source == CONSTANT_INPUT
                room.post[place] = left if held else net.inputs[source * net.stride + j]
                continue
            z, size = 0.0, 0.0
            for e in range(net.in_starts[v], net.in_starts[v + 1]):
                value = room.post[net.tails[e] * net.stride + j]
                z += room.weights[net.in_slots[e]] * value
                if net.in_slots[e] < net.slots - EMPTY_SLOTS:
                    weight = abs(room.weights[net.in_slots[e]]) + room.typical[0]
                    size += weight * abs(value)
            z *= net.numbers[number + 2]
            size *= abs(net.numbers[number + 2])
            room.post[place] = z
            if kind != PIECEWISE_LINEAR:
                smooth(kind, room.post, room.slopes, place)
                continue
            room.pattern[place] = left if z < 0.0 else right
            if left != right and j < net.count:
                kinks.candidate[place] = 1 if abs(z) <= NEAR * size else 0
                kinks.sides[place] = -1 if z < 0.0 else 1
                if kinks.candidate[place] == 1:
                    kinks.sides[place], room.pattern[place] = 1, right
            room.post[place] = room.pattern[place] * z


@compiled
def choose(net, room, kinks, weights, gamma, velocity):
    """Resolve the kinks of all candidates and groups. Returns OK or a status; the velocity."""
    if not gather(net, room, kinks):
        return UNRESOLVED
    outcome = resolve(net, room, kinks, weights, gamma, velocity)
    if outcome == OK and room.counts[EVENTS] == 0:
        outcome = unique(kinks)
    if outcome != OK:
        return outcome
    return OK if settle(net, room, kinks) else UNRESOLVED


@compiled
def begin(net, room, kinks, weights, velocity):
    """Sides and velocity at the start. Returns OK or a status."""
    place_sides(net, room, kinks, weights)
    # values and slopes for the gradients of the candidates
    velocity_at(net, room, kinks, weights, 0.0, velocity)
    room.typical[1] = sqrt(dot(net, velocity, velocity))
    return choose(net, room, kinks, weights, 0.0, velocity)


@compiled
def meet(net, room, kinks, steps, weights, gamma, velocity, target, pre):
    """Resolve the event at the end of a step. Returns OK or a status; the velocity after it."""
    for v in net.kinks:
        for place in range(v * net.stride, v * net.stride + net.count):
            side = kinks.sides[place]
            if (side == 1 or side == -1) and abs(pre[place]) <= NEAR * room.sizes[place]:
                kinks.candidate[place] = 1
    if target >= 0:
        kinks.candidate[target] = -1
    for g in range(kinks.sizes[GROUPS]):
        kinks.theta[g] = steps.end_theta[g]
        if margin_of(kinks.theta[g]) <= 0.0:
            kinks.state[g] = 1 if kinks.theta[g] > 0.5 else -1
    return choose(net, room, kinks, weights, gamma, velocity)


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
def first_step_of(net, room, kinks, steps, settings):
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
    velocity_at(net, room, kinks, steps.trial, 0.0, last)
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


@compiled
def open_segment(logs, net, kinks, time, old, room):
    """Write down a new segment, what changed, and what slides."""
    sizes = logs.sizes
    segment = sizes[SEGMENTS]
    logs.segments[segment, 0] = time
    sizes[SEGMENTS] += 1
    if segment > 0:
        for v in net.kinks:
            for j in range(net.count):
                place = v * net.stride + j
                if kinks.sides[place] != old[place]:
                    row = logs.changes[sizes[CHANGES]]
                    row[0], row[1], row[2], row[3] = segment, v, j, kinks.sides[place]
                    sizes[CHANGES] += 1
                    if kinks.sides[place] == SLIDES_NOW:
                        room.counts[SLIDES] += 1
    for i in range(kinks.sizes[GROUP_MEMBERS]):
        place = kinks.member_place[i]
        row = logs.slides[sizes[SLIDE_ROWS] + i]
        row[0], row[1], row[2] = segment, place // net.stride, place % net.stride
        row[3] = row[4] = room.pattern[place]
    sizes[SLIDE_ROWS] += kinks.sizes[GROUP_MEMBERS]


@compiled
def widen_slides(logs, kinks, room):
    """Take the slopes of what slides now into the ranges of the last segment."""
    members = kinks.sizes[GROUP_MEMBERS]
    for i in range(members):
        row = logs.slides[logs.sizes[SLIDE_ROWS] - members + i]
        slope = room.pattern[kinks.member_place[i]]
        row[3], row[4] = min(row[3], slope), max(row[4], slope)


@compiled
def turns(net, start, end):
    """How many weights have another sign at the end of the step."""
    found = 0
    for p in range(net.parameters):
        found += sign(start[p]) != sign(end[p])
    return found


@compiled
def log_turns(logs, net, time, h, start, end, coefficients):
    """Write down when weights changed their sign, by the interpolant; in order of time."""
    begin = logs.sizes[SIGNS]
    for p in range(net.parameters):
        before, after = sign(start[p]), sign(end[p])
        if before == after:
            continue
        low, high = 0.0, 1.0
        for _ in range(50):
            x = 0.5 * (low + high)
            value = 0.0
            for d in range(coefficients.shape[0] - 1, -1, -1):
                value = (value + coefficients[d, p]) * x
            if sign(start[p] + value) == before and before != 0:
                low = x
            else:
                high = x
        if before == 0:
            high = 0.0
        row = logs.sizes[SIGNS]
        moment = time + high * h
        while row > begin and logs.signs[row - 1, 0] > moment:
            for k in range(3):
                logs.signs[row, k] = logs.signs[row - 1, k]
            row -= 1
        logs.signs[row, 0], logs.signs[row, 1], logs.signs[row, 2] = moment, p, after
        logs.sizes[SIGNS] += 1


@compiled
def log_dense(logs, net, time, h, start, coefficients):
    """Write down the interpolant of a step."""
    row = logs.dense[logs.sizes[DENSE]]
    row[0], row[1] = time, h
    for p in range(net.parameters):
        row[2 + p] = start[p]
        for d in range(coefficients.shape[0]):
            row[2 + (d + 1) * net.parameters + p] = coefficients[d, p]
    logs.sizes[DENSE] += 1


@compiled
def log_step(logs, time, risk, log_time):
    """Write down where a step ended."""
    row = logs.steps[logs.sizes[STEPS]]
    row[0], row[1], row[2] = time, risk, log_time
    logs.sizes[STEPS] += 1


@compiled
def remember(net, room, kinks, pre, first_rates):
    """Keep what the next step is compared with; forget the slack of what is on its side now."""
    new_pre, new_rates, slack = room.pre, room.rates, kinks.slack
    for v in net.kinks:
        for place in range(v * net.stride, v * net.stride + net.count):
            pre[place], first_rates[place] = new_pre[place], new_rates[place]
            if slack[place] > 0.0:
                away = kinks.sides[place] * new_pre[place]
                if away > NEAR * room.sizes[place] or kinks.sides[place] == SLIDES_NOW:
                    slack[place] = 0.0


def integrate(tables, data, c, tableau, settings, start, factors, forms):
    """Integrate network c. Returns status, time, log time, weights, length, the sides at the
    start, the values of the forms at the start and the end, counts and the logs.
    """
    net = net_of(tables, data, c, settings.loss, settings.clock, settings.decay, factors)
    fixed = tables.fixed[tables.fixed_offsets[c] : tables.fixed_offsets[c + 1]]
    room, kinks = room_of(net, fixed), kinks_of(net)
    steps = steps_of(net, tableau, len(kinks.state))
    last, degree, form_count = steps.stages - 1, steps.interpolant.shape[1], len(forms.starts)
    form_count -= 1
    logs = empty_logs(net.parameters, degree, form_count, settings.dense == 1)
    coefficients = np.zeros((degree, net.parameters))
    pre, first_rates = np.zeros(len(room.pre)), np.zeros(len(room.pre))
    old = kinks.sides.copy()
    form_values = np.zeros((2, form_count))
    for p in range(net.parameters):
        steps.start[p] = start[p]
        steps.weights[0, p] = start[p]
    for f in range(form_count):
        form_values[0, f] = value_of(forms, f, start)
    time, log_time, length = 0.0, -inf, 0.0
    stiff_now, easy_now, still, failures, error_before = 0, 0, 0, 0, 1e-4
    bad_values = False
    status = begin(net, room, kinks, steps.start, steps.velocities[0])
    first_sides = kinks.sides.copy()
    risk = log_risk(net, room)
    total = 0.0
    for p in range(net.parameters):
        total += steps.velocities[0, p]
    if status == OK and not isfinite(total):
        status = NOT_FINITE
    logs = with_room(logs, 0, kinks.sizes[GROUP_MEMBERS], 0, form_count, 0)
    log_step(logs, 0.0, risk, -inf)
    open_segment(logs, net, kinks, 0.0, old, room)
    room.counts[SLIDES] += kinks.sizes[GROUP_MEMBERS]
    logs.sizes[MEASURES] += form_count
    measures = np.zeros((form_count, 5))
    steps.log_scales[0] = room.log_scale[0]
    h = 0.0
    if status == OK:
        differentiate(net, room, steps.velocities[0])
        remember(net, room, kinks, pre, first_rates)
        h = first_step_of(net, room, kinks, steps, settings)
        if -inf < settings.log_risk_below >= risk:
            status = LOSS_REACHED
    natural = h
    while status == OK:
        if room.counts[EVALUATIONS] >= settings.evaluations:
            status = STIFF if stiff_now >= STIFF_IN_A_ROW else EVALUATIONS_SPENT
            break
        h = min(h, settings.largest_step)
        final = time + 1.01 * h >= settings.until
        step = settings.until - time if final else h
        if time + 0.1 * step == time or failures > 100:
            status = NOT_FINITE if bad_values else STEP_TOO_SMALL
            break
        for g in range(kinks.sizes[GROUPS]):
            steps.start_theta[g] = kinks.theta[g]
        gamma = pull(kinks, pre, natural)
        outcome = attempt(
            net,
            room,
            kinks,
            steps,
            step,
            settings.rtol,
            settings.atol,
            gamma,
        )
        error = steps.facts[ERROR]
        bad_values = outcome == BAD_VALUES or (outcome == GOOD and error == inf)
        if outcome != GOOD or not error <= 1.0:
            room.counts[REJECTED] += 1
            failures += 1
            shrink = 0.25
            if outcome == GOOD and isfinite(error):
                shrink = max(0.2, 0.9 * error ** (-1.0 / (steps.error_order + 1)))
            h = step * shrink
            for g in range(kinks.sizes[GROUPS]):
                kinks.theta[g] = steps.start_theta[g]
            continue
        exponent = 1.0 / (steps.error_order + 1) - 0.03
        grow = 0.9 * max(error, 1e-10) ** -exponent * error_before**0.04
        grow = min(max(grow, 0.2), 10.0 if failures == 0 else 1.0)
        target, ended = -1 - kinks.sizes[GROUPS], step
        strayed = steps.facts[STRAYED]
        if len(net.kinks) > 0:
            differentiate(net, room, steps.velocities[last])
            begin_at = crossed(net, room, kinks, steps, step, pre, first_rates)
            target = begin_at[0]
            if target == -1 - kinks.sizes[GROUPS] and strayed > STRAY and step > 1e-9 * time:
                room.counts[RELOCATED] += 1  # a slope left its interval only inside of the step
                h = 0.5 * step
                failures += 1
                for g in range(kinks.sizes[GROUPS]):
                    kinks.theta[g] = steps.start_theta[g]
                continue
            if target != -1 - kinks.sizes[GROUPS]:
                outcome, ended, target = locate(
                    net,
                    room,
                    kinks,
                    steps,
                    step,
                    settings.rtol,
                    settings.atol,
                    gamma,
                    begin_at,
                )
                final = final and ended == step
                if outcome != GOOD:
                    room.counts[REJECTED] += 1
                    failures += 1
                    h = 0.25 * ended
                    for g in range(kinks.sizes[GROUPS]):
                        kinks.theta[g] = steps.start_theta[g]
                    continue
        # the step is accepted
        failures, error_before = 0, max(error, 1e-4)
        h = step * grow
        natural = h
        end = steps.weights[last]
        room.counts[ACCEPTED] += 1
        stiff_bound = 3.25 if steps.order == 5 else 6.1
        if steps.facts[STIFFNESS] > stiff_bound:
            room.counts[STIFF_STEPS] += 1
            stiff_now, easy_now = stiff_now + 1, 0
        else:
            easy_now += 1
            if easy_now >= 6:
                stiff_now = 0
        risk = log_risk(net, room)
        log_time = log_sum(log_time, steps.facts[LOG_GAIN])
        turning = turns(net, steps.start, end)
        changed = net.count * len(net.kinks)
        logs = with_room(logs, changed, len(kinks.state), turning, form_count, settings.dense)
        if form_count > 0:
            weigh(
                forms,
                tableau,
                time,
                ended,
                steps.start,
                end,
                steps.weights,
                steps.velocities,
                measures,
            )
        if len(net.kinks) > 0:
            remember(net, room, kinks, pre, first_rates)
        widen_slides(logs, kinks, room)
        if settings.dense == 1 or turning > 0:
            interpolate(net, room, kinks, steps, ended, gamma, coefficients)
            if settings.dense == 1:
                log_dense(logs, net, time, ended, steps.start, coefficients)
            log_turns(logs, net, time, ended, steps.start, end, coefficients)
        time = settings.until if final else time + ended
        distance, speed = 0.0, 0.0
        for p in range(net.parameters):
            distance += (end[p] - steps.start[p]) ** 2
            speed += steps.velocities[last, p] ** 2
            steps.start[p] = end[p]
            steps.weights[0, p] = end[p]
            steps.velocities[0, p] = steps.velocities[last, p]
        length += sqrt(distance)
        room.typical[1] = max(room.typical[1], sqrt(speed))
        steps.log_scales[0] = steps.log_scales[last]
        log_step(logs, time, risk, log_time)
        for g in range(kinks.sizes[GROUPS]):
            kinks.theta[g] = steps.end_theta[g]
        if target != -1 - kinks.sizes[GROUPS]:
            room.counts[EVENTS] += 1
            still = still + 1 if ended <= 1e-12 * max(time, step) else 0
            for place in range(len(old)):
                old[place] = kinks.sides[place]
            # values and slopes at the end of the step, for the gradients of the candidates
            velocity = steps.velocities[0]
            velocity_at(net, room, kinks, steps.start, gamma, velocity)
            status = meet(net, room, kinks, steps, steps.start, gamma, velocity, target, pre)
            if status == OK:
                steps.log_scales[0] = room.log_scale[0]
                differentiate(net, room, velocity)
                remember(net, room, kinks, pre, first_rates)
                if form_count > 0:
                    first = logs.sizes[MEASURES]
                    for f in range(form_count):
                        for k in range(5):
                            logs.measures[first - form_count + f, k] = measures[f, k]
                            measures[f, k] = 0.0
                    logs.sizes[MEASURES] += form_count
                open_segment(logs, net, kinks, time, old, room)
                if still > STANDSTILL:
                    status = UNRESOLVED
                elif room.counts[EVENTS] > settings.events:
                    status = EVENTS_SPENT
        if status == OK and -inf < settings.log_risk_below >= risk:
            status = LOSS_REACHED
        elif status == OK and time >= settings.until:
            status = SLIDING if kinks.sizes[GROUPS] > 0 else FINISHED
    for f in range(form_count):
        form_values[1, f] = value_of(forms, f, steps.start)
        for k in range(5):
            logs.measures[logs.sizes[MEASURES] - form_count + f, k] = measures[f, k]
    sizes = logs.sizes
    return (
        status,
        time,
        log_time,
        steps.start.copy(),
        length,
        first_sides,
        form_values,
        room.counts,
        filled(logs.steps, sizes[STEPS]),
        filled(logs.changes, sizes[CHANGES]),
        filled(logs.slides, sizes[SLIDE_ROWS]),
        filled(logs.segments, sizes[SEGMENTS]),
        filled(logs.signs, sizes[SIGNS]),
        filled(logs.measures, sizes[MEASURES]),
        filled(logs.dense, sizes[DENSE]),
    )


integrate = kept(integrate, *_SOURCES)
