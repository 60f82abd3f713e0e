"""On which side of its kink each pre-activation is: at the start, and after an event."""

from __future__ import annotations

from math import sqrt

from numerics.flow.constants import CHOICES, EVENTS, NEAR
from numerics.flow.events import margin_of
from numerics.flow.kinks import NOT_UNIQUE, OK, UNRESOLVED, gather, resolve, settle, unique
from numerics.flow.passes import set_typical
from numerics.flow.slides import inner_product, velocity_at
from numerics.flow.workspaces import GROUPS
from numerics.kernels import CODES, NUMBERS, compiled, smooth
from numerics.layouts import CONSTANT_INPUT, EMPTY_SLOTS, NOT_AN_INPUT, PIECEWISE_LINEAR


@compiled
def place_sides(net, work, kinks, weights):
    """The sides, slopes and candidates at the start, from the weights alone."""
    for p in range(net.parameters):
        work.weights[p] = weights[p]
    set_typical(net, work)
    for v in range(net.vertices):
        code, number = v * CODES, v * NUMBERS
        source, kind = net.codes[code + 2], net.codes[code + 3]
        left, right = net.numbers[number], net.numbers[number + 1]
        for j in range(net.stride):
            place = v * net.stride + j
            if source != NOT_AN_INPUT:
                held = source == CONSTANT_INPUT
                work.post[place] = left if held else net.inputs[source * net.stride + j]
                continue
            z, size = 0.0, 0.0
            for e in range(net.in_starts[v], net.in_starts[v + 1]):
                value = work.post[net.tails[e] * net.stride + j]
                z += work.weights[net.in_slots[e]] * value
                if net.in_slots[e] < net.slots - EMPTY_SLOTS:
                    weight = abs(work.weights[net.in_slots[e]]) + work.typical[0]
                    size += weight * abs(value)
            z *= net.numbers[number + 2]
            size *= abs(net.numbers[number + 2])
            work.post[place] = z
            if kind != PIECEWISE_LINEAR:
                smooth(kind, work.post, work.slopes, place)
                continue
            work.pattern[place] = left if z < 0.0 else right
            if left != right and j < net.count:
                kinks.candidate[place] = 1 if abs(z) <= NEAR * size else 0
                kinks.sides[place] = -1 if z < 0.0 else 1
                if kinks.candidate[place] == 1:
                    kinks.sides[place], work.pattern[place] = 1, right
            work.post[place] = work.pattern[place] * z


@compiled
def choose(net, work, kinks, weights, gamma, velocity):
    """Resolve the kinks of all candidates and groups. Returns OK or a status; the velocity."""
    if not gather(net, work, kinks):
        return UNRESOLVED
    outcome = resolve(net, work, kinks, weights, gamma, velocity)
    if outcome == OK and unique(kinks) != OK:
        if work.counts[EVENTS] == 0:
            return NOT_UNIQUE
        work.counts[CHOICES] += 1
    if outcome != OK:
        return outcome
    return OK if settle(net, work, kinks) else UNRESOLVED


@compiled
def begin(net, work, kinks, weights, velocity):
    """Sides and velocity at the start. Returns OK or a status."""
    place_sides(net, work, kinks, weights)
    # values and slopes for the gradients of the candidates
    velocity_at(net, work, kinks, weights, 0.0, velocity)
    work.typical[1] = sqrt(inner_product(net.parameters, velocity, velocity))
    return choose(net, work, kinks, weights, 0.0, velocity)


@compiled
def meet(net, work, kinks, steps, weights, gamma, velocity, target, pre):
    """Resolve the event at the end of a step. Returns OK or a status; the velocity after it."""
    for v in net.kinks:
        for place in range(v * net.stride, v * net.stride + net.count):
            side = kinks.sides[place]
            if (side == 1 or side == -1) and abs(pre[place]) <= NEAR * work.sizes[place]:
                kinks.candidate[place] = 1
    if target >= 0:
        kinks.candidate[target] = -1
    for g in range(kinks.sizes[GROUPS]):
        kinks.theta[g] = steps.end_theta[g]
        if margin_of(kinks.theta[g]) <= 0.0:
            kinks.state[g] = 1 if kinks.theta[g] > 0.5 else -1
    return choose(net, work, kinks, weights, gamma, velocity)
