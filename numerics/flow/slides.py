"""The velocity with some kinks held: slopes chosen so that their pre-activations stay at 0.

With slope s at a kink, its post-activation is s z, also where z is not exactly 0, so the velocity
is exactly minus the gradient of a smooth vector field of this pattern. The slopes are solved from
(gradient of z) . velocity = -gamma z, which draws z to 0.
"""

from __future__ import annotations

from math import sqrt

from numerics.flow.passes import evaluate, preactivation_gradient
from numerics.flow.workspaces import FOLLOWERS, GROUP_MEMBERS, GROUPS
from numerics.kernels import compiled
from numerics.lanes import EIGHT, at, fill, four_products, load, multiply_add, put

TRIALS = 12
"""Newton steps; for kinks that do not lie behind each other the first one is exact."""

RATE_ERROR = 1e-13
"""How much of |gradient of z| |velocity| a rate may be off while a kink is held."""

ROUNDING = 2e-13
"""How much of the largest change by a slope a rate may be off by rounding."""

FLOOR = 0.1
"""Rates are held against at least this part of the largest speed so far: where the flow comes to
rest, its velocity is a small difference of terms that are as large as before."""

LEAST_PIVOT = 1e-9
"""Below, kinks that are held count as dependent."""


@compiled
def set_slopes(work, kinks):
    """Write the slopes of all groups to the pattern."""
    for i in range(kinks.sizes[GROUP_MEMBERS]):
        g = kinks.member_group[i]
        share = kinks.theta[g]
        if kinks.state[g] != 0:
            share = 1.0 if kinks.state[g] > 0 else 0.0
        plus, minus = kinks.member_slopes[i, 0], kinks.member_slopes[i, 1]
        work.pattern[kinks.member_place[i]] = minus + share * (plus - minus)
    for moving in range(2):  # what moves away from its kink outweighs what is held there
        for i in range(kinks.sizes[FOLLOWERS]):
            state = kinks.state[kinks.follower_group[i]]
            side = 1 if state < 0 else 0
            if (state != 0) == (moving == 1) and kinks.follower_sides[i, side] != 0:
                work.pattern[kinks.follower_place[i]] = kinks.follower_slopes[i, side]


@compiled
def inner_product(size, one, other):
    """The sum of one * other, eight terms at a time: a single running sum would wait for each
    addition, and with many kinks held such sums are most of the work."""
    whole = size - size % len(EIGHT)
    totals, ones = fill(0.0, EIGHT), fill(1.0, EIGHT)
    for p in range(0, whole, len(EIGHT)):
        totals = multiply_add(load(one, p, EIGHT), load(other, p, EIGHT), totals)
    total = four_products(totals, ones, ones, ones, ones)[0]
    for p in range(whole, size):
        total += at(one, p) * at(other, p)
    return total


@compiled
def differentiate_residual(net, work, kinks, g, own):
    """Write how the residual of group g depends on its own theta, or else on those of the others.

    The gradients of the members must be there, and values and totals of this point."""
    row, factors = kinks.rows[kinks.leader[g]], net.factors
    for p in range(net.parameters):
        put(kinks.weighed, p, at(factors, p) * at(row, p))
    for k in range(kinks.sizes[GROUPS]):
        if (k == g) == own:
            kinks.jacobian[g, k] = 0.0
    for i in range(kinks.sizes[GROUP_MEMBERS]):
        k = kinks.member_group[i]
        if (k == g) == own:
            product = inner_product(net.parameters, kinks.weighed, kinks.rows[i])
            step = kinks.member_slopes[i, 0] - kinks.member_slopes[i, 1]
            kinks.jacobian[g, k] -= step * work.totals[kinks.member_place[i]] * product


@compiled
def measure(net, work, kinks, velocity, gamma):
    """The residual of each group, and how it depends on its theta. Returns whether all groups that
    slide are held."""
    groups, members = kinks.sizes[GROUPS], kinks.sizes[GROUP_MEMBERS]
    speed = inner_product(net.parameters, velocity, velocity)
    for i in range(members):
        place = kinks.member_place[i]
        preactivation_gradient(net, work, kinks.sensitivity, place, kinks.rows[i])
    held = True
    for g in range(groups):
        row = kinks.rows[kinks.leader[g]]
        rate = inner_product(net.parameters, row, velocity)
        size = inner_product(net.parameters, row, row)
        kinks.rate_size[g] = sqrt(size) * max(sqrt(speed), FLOOR * work.typical[1])
        kinks.residual[g] = rate + gamma * work.pre[kinks.member_place[kinks.leader[g]]]
        differentiate_residual(net, work, kinks, g, True)
        if kinks.state[g] == 0:
            noise = ROUNDING * abs(kinks.jacobian[g, g])
            held &= abs(kinks.residual[g]) <= RATE_ERROR * kinks.rate_size[g] + noise
    return held


@compiled
def correct(net, work, kinks):
    """One Newton step of the thetas of the groups that slide, from where they were measured; false
    where they are dependent."""
    groups = kinks.sizes[GROUPS]
    size = 0
    for g in range(groups):
        if kinks.state[g] == 0:
            differentiate_residual(net, work, kinks, g, False)
            kinks.change[size] = -kinks.residual[g]
            column = 0
            for k in range(groups):
                if kinks.state[k] == 0:
                    kinks.system[size, column] = kinks.jacobian[g, k]
                    column += 1
            size += 1
    if not solved(kinks.system, kinks.change, size):
        return False
    row = 0
    for g in range(groups):
        if kinks.state[g] == 0:
            kinks.theta[g] += kinks.change[row]
            row += 1
    return True


@compiled
def solved(system, right, size):
    """Solve by elimination, in place; false where a pivot is small against its row and column."""
    for i in range(size):
        largest = 0.0
        for k in range(size):
            largest = max(largest, abs(system[i, k]))
        if largest == 0.0 and right[i] == 0.0:
            system[i, i] = largest = 1.0  # a kink without gradient: leave it as it is
        if not largest > 0.0:
            return False
        for k in range(size):
            system[i, k] /= largest
        right[i] /= largest
    for i in range(size):
        best = i
        for r in range(i + 1, size):
            if abs(system[r, i]) > abs(system[best, i]):
                best = r
        if not abs(system[best, i]) > LEAST_PIVOT:
            return False
        if best != i:
            for k in range(size):
                system[i, k], system[best, k] = system[best, k], system[i, k]
            right[i], right[best] = right[best], right[i]
        for r in range(i + 1, size):
            factor = system[r, i] / system[i, i]
            for k in range(i, size):
                system[r, k] -= factor * system[i, k]
            right[r] -= factor * right[i]
    for i in range(size - 1, -1, -1):
        for k in range(i + 1, size):
            right[i] -= system[i, k] * right[k]
        right[i] /= system[i, i]
    return True


@compiled
def velocity_at(net, work, kinks, weights, gamma, velocity):
    """Write the velocity at `weights`, (P,). Returns whether the kinks that slide are held.

    Their thetas are corrected until they are, from what they were.
    """
    slots, gradient, factors = work.weights, work.gradient, net.factors
    for p in range(net.parameters):
        put(slots, p, at(weights, p))
    for _ in range(TRIALS):
        if kinks.sizes[GROUPS] > 0:
            set_slopes(work, kinks)
        evaluate(net, work)
        for p in range(net.parameters):
            drawn = -at(factors, p) * at(gradient, p)
            put(velocity, p, drawn - net.decay * at(weights, p))
        if kinks.sizes[GROUPS] == 0:
            return True
        if measure(net, work, kinks, velocity, gamma):
            return True
        if not correct(net, work, kinks):
            return False
    return False
