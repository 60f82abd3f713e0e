"""The integration of one network from start to end, compiled."""

from __future__ import annotations

from math import inf, isfinite, sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np

from numerics.flow.balances import value_of, weigh
from numerics.flow.constants import (
    ACCEPTED,
    EVALUATIONS,
    EVENTS,
    NEAR,
    REJECTED,
    RELOCATED,
    SLIDES,
    STIFF_STEPS,
)
from numerics.flow.events import crossed, locate
from numerics.flow.kinks import OK, SLIDES_NOW
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
    log_dense,
    log_step,
    log_turns,
    open_segment,
    turns,
    widen_slides,
    with_room,
)
from numerics.flow.passes import differentiate, log_risk
from numerics.flow.sides import begin, meet
from numerics.flow.sizes import first_step_of, pull
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
from numerics.flow.workspaces import GROUP_MEMBERS, GROUPS, kinks_of, net_of, workspace_of
from numerics.kernels import compiled, kept

FINISHED, SLIDING = int(Status.FINISHED), int(Status.SLIDING)
LOSS_REACHED, UNRESOLVED = int(Status.LOSS_REACHED), int(Status.UNRESOLVED)
STEP_TOO_SMALL, NOT_FINITE = int(Status.STEP_TOO_SMALL), int(Status.NOT_FINITE)
EVALUATIONS_SPENT, STIFF = int(Status.EVALUATIONS_SPENT), int(Status.STIFF)
EVENTS_SPENT = int(Status.EVENTS_SPENT)

STANDSTILL = 64
"""So many events one after the other without progress mean that the kinks cannot be resolved."""

STIFF_IN_A_ROW = 15


_FILES = (
    *(
        "balances",
        "constants",
        "events",
        "kinks",
        "logs",
        "passes",
        "workspaces",
        "sides",
        "sizes",
        "slides",
    ),
    *("status", "steps"),
)
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
def remember(net, work, kinks, pre, first_rates):
    """Keep what the next step is compared with; forget the slack of what is on its side now."""
    new_pre, new_rates, slack = work.pre, work.rates, kinks.slack
    for v in net.kinks:
        for place in range(v * net.stride, v * net.stride + net.count):
            pre[place], first_rates[place] = new_pre[place], new_rates[place]
            if slack[place] > 0.0:
                away = kinks.sides[place] * new_pre[place]
                if away > NEAR * work.sizes[place] or kinks.sides[place] == SLIDES_NOW:
                    slack[place] = 0.0


def integrate(tables, data, c, tableau, settings, start, factors, forms):
    """Integrate network c. Returns status, time, log time, weights, length, the sides at the
    start, the values of the forms at the start and the end, counts and the logs.
    """
    net = net_of(tables, data, c, settings.loss, settings.clock, settings.decay, factors)
    fixed = tables.fixed[tables.fixed_offsets[c] : tables.fixed_offsets[c + 1]]
    work, kinks = workspace_of(net, fixed), kinks_of(net)
    steps = steps_of(net, tableau, len(kinks.state))
    last, degree, form_count = steps.stages - 1, steps.interpolant.shape[1], len(forms.starts)
    form_count -= 1
    logs = empty_logs(net.parameters, degree, form_count, settings.dense == 1)
    coefficients = np.zeros((degree, net.parameters))
    pre, first_rates = np.zeros(len(work.pre)), np.zeros(len(work.pre))
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
    status = begin(net, work, kinks, steps.start, steps.velocities[0])
    first_sides = kinks.sides.copy()
    risk = log_risk(net, work)
    total = 0.0
    for p in range(net.parameters):
        total += steps.velocities[0, p]
    if status == OK and not isfinite(total):
        status = NOT_FINITE
    logs = with_room(logs, 0, kinks.sizes[GROUP_MEMBERS], 0, form_count, 0)
    log_step(logs, 0.0, risk, -inf)
    open_segment(logs, net, kinks, 0.0, old, work)
    work.counts[SLIDES] += kinks.sizes[GROUP_MEMBERS]
    logs.sizes[MEASURES] += form_count
    measures = np.zeros((form_count, 5))
    steps.log_scales[0] = work.log_scale[0]
    h = 0.0
    if status == OK:
        differentiate(net, work, steps.velocities[0])
        remember(net, work, kinks, pre, first_rates)
        h = first_step_of(net, work, kinks, steps, settings)
        if -inf < settings.log_risk_below >= risk:
            status = LOSS_REACHED
    natural = h
    while status == OK:
        if work.counts[EVALUATIONS] >= settings.evaluations:
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
            work,
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
            work.counts[REJECTED] += 1
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
            differentiate(net, work, steps.velocities[last])
            begin_at = crossed(net, work, kinks, steps, step, pre, first_rates)
            target = begin_at[0]
            if target == -1 - kinks.sizes[GROUPS] and strayed > STRAY and step > 1e-9 * time:
                work.counts[RELOCATED] += 1  # a slope left its interval only inside of the step
                h = 0.5 * step
                failures += 1
                for g in range(kinks.sizes[GROUPS]):
                    kinks.theta[g] = steps.start_theta[g]
                continue
            if target != -1 - kinks.sizes[GROUPS]:
                outcome, ended, target = locate(
                    net,
                    work,
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
                    work.counts[REJECTED] += 1
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
        work.counts[ACCEPTED] += 1
        stiff_bound = 3.25 if steps.order == 5 else 6.1
        if steps.facts[STIFFNESS] > stiff_bound:
            work.counts[STIFF_STEPS] += 1
            stiff_now, easy_now = stiff_now + 1, 0
        else:
            easy_now += 1
            if easy_now >= 6:
                stiff_now = 0
        risk = log_risk(net, work)
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
            remember(net, work, kinks, pre, first_rates)
        widen_slides(logs, kinks, work)
        if settings.dense == 1 or turning > 0:
            interpolate(net, work, kinks, steps, ended, gamma, coefficients)
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
        work.typical[1] = max(work.typical[1], sqrt(speed))
        steps.log_scales[0] = steps.log_scales[last]
        log_step(logs, time, risk, log_time)
        for g in range(kinks.sizes[GROUPS]):
            kinks.theta[g] = steps.end_theta[g]
        if target != -1 - kinks.sizes[GROUPS]:
            work.counts[EVENTS] += 1
            still = still + 1 if ended <= 1e-12 * max(time, step) else 0
            for place in range(len(old)):
                old[place] = kinks.sides[place]
            # values and slopes at the end of the step, for the gradients of the candidates
            velocity = steps.velocities[0]
            velocity_at(net, work, kinks, steps.start, gamma, velocity)
            status = meet(net, work, kinks, steps, steps.start, gamma, velocity, target, pre)
            if status == OK:
                steps.log_scales[0] = work.log_scale[0]
                differentiate(net, work, velocity)
                remember(net, work, kinks, pre, first_rates)
                if form_count > 0:
                    first = logs.sizes[MEASURES]
                    for f in range(form_count):
                        for k in range(5):
                            logs.measures[first - form_count + f, k] = measures[f, k]
                            measures[f, k] = 0.0
                    logs.sizes[MEASURES] += form_count
                open_segment(logs, net, kinks, time, old, work)
                if still > STANDSTILL:
                    status = UNRESOLVED
                elif work.counts[EVENTS] > settings.events:
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
        work.counts,
        filled(logs.steps, sizes[STEPS]),
        filled(logs.changes, sizes[CHANGES]),
        filled(logs.slides, sizes[SLIDE_ROWS]),
        filled(logs.segments, sizes[SEGMENTS]),
        filled(logs.signs, sizes[SIGNS]),
        filled(logs.measures, sizes[MEASURES]),
        filled(logs.dense, sizes[DENSE]),
    )


integrate = kept(integrate, *_SOURCES)
