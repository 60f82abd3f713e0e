"""Passes over one network whose slopes are given, all examples: values, gradient, rates.

They are those of numerics.kernels, except that the slopes of kinked activations are read, not
chosen by the sign: the velocity is then that of one smooth vector field on both sides of a kink.
"""

from __future__ import annotations

from math import exp, log, log1p, sqrt

from numerics.kernels import (
    CODES,
    EXPONENTIAL,
    LOGISTIC,
    NUMBERS,
    SQUARED,
    compiled,
    loss_slope,
    smooth,
)
from numerics.lanes import (
    EIGHT,
    THIRTY_TWO,
    at,
    fill,
    four_products,
    load,
    multiply,
    multiply_add,
    put,
    store,
    where_negative,
)
from numerics.layouts import CONSTANT_INPUT, EMPTY_SLOTS, PIECEWISE_LINEAR, UNROLLED


@compiled
def values(like, net, work, column):
    """Pre- and post-activations of the examples from `column` on."""
    codes, numbers, tails, slots = net.codes, net.numbers, net.tails, net.in_slots
    pre, post, slopes, weights = work.pre, work.post, work.slopes, work.weights
    pattern, inputs = work.pattern, net.inputs
    stride, width = net.stride, len(like)
    e = 0
    for v in range(net.vertices):
        code, number = v * CODES, v * NUMBERS
        source, place = at(codes, code + 2), v * stride + column
        if source >= 0:
            store(post, place, load(inputs, column + source * stride, like))
        elif source == CONSTANT_INPUT:
            store(post, place, fill(at(numbers, number), like))
        else:
            z = fill(0.0, like)
            for _ in range(at(codes, code) // UNROLLED):
                for _ in range(UNROLLED):
                    weight, row = at(weights, at(slots, e)), at(tails, e) * stride + column
                    z = multiply_add(weight, load(post, row, like), z)
                    e += 1
            scale = at(numbers, number + 2)
            z = multiply(scale, z)
            store(pre, place, z)
            if at(codes, code + 3) == PIECEWISE_LINEAR:
                slope = load(pattern, place, like)
                store(post, place, multiply(slope, z))
            else:
                store(post, place, z)
                for j in range(min(width, stride - column)):  # not a constant: not unrolled
                    smooth(at(codes, code + 3), post, slopes, place + j)
                slope = load(slopes, place, like)
            store(slopes, place, multiply(scale, slope))


@compiled
def gradients(like, net, work, column):
    """Add to work.gradient, by slot, the derivatives of the risk on these examples."""
    codes, heads, slots = net.codes, net.heads, net.out_slots
    post, slopes, through = work.post, work.slopes, work.through
    weights, gradient, stride = work.weights, work.gradient, net.stride
    seeds, totals = work.seeds, work.totals
    e = 0
    for v in range(net.vertices - 1, -1, -1):
        place = v * stride + column
        total = load(seeds, column, like) if v == net.output else fill(0.0, like)
        value = load(post, place, like)
        for _ in range(at(codes, v * CODES + 1) // UNROLLED):
            slot_a, slot_b = at(slots, e), at(slots, e + 1)
            slot_c, slot_d = at(slots, e + 2), at(slots, e + 3)
            a = load(through, at(heads, e) * stride + column, like)
            b = load(through, at(heads, e + 1) * stride + column, like)
            c = load(through, at(heads, e + 2) * stride + column, like)
            d = load(through, at(heads, e + 3) * stride + column, like)
            total = multiply_add(at(weights, slot_a), a, total)
            total = multiply_add(at(weights, slot_b), b, total)
            total = multiply_add(at(weights, slot_c), c, total)
            total = multiply_add(at(weights, slot_d), d, total)
            of_a, of_b, of_c, of_d = four_products(value, a, b, c, d)
            put(gradient, slot_a, at(gradient, slot_a) + of_a)
            put(gradient, slot_b, at(gradient, slot_b) + of_b)
            put(gradient, slot_c, at(gradient, slot_c) + of_c)
            put(gradient, slot_d, at(gradient, slot_d) + of_d)
            e += UNROLLED
        store(totals, place, total)
        store(through, place, multiply(total, load(slopes, place, like)))


@compiled
def rates(like, net, work, column):
    """The derivatives in time of the pre-activations, from work.weight_rates; and their sizes: the
    sums of |weight| |post-activation|, each weight taken larger by a typical one, so that where a
    single weight crosses 0 the size does not.
    """
    codes, numbers, tails, slots = net.codes, net.numbers, net.tails, net.in_slots
    post, post_rates, stride = work.post, work.post_rates, net.stride
    weights, weight_rates, slopes = work.weights, work.weight_rates, work.slopes
    of_pre, sizes = work.rates, work.sizes
    e = 0
    filled, typical = net.slots - EMPTY_SLOTS, work.typical[0]
    for v in range(net.vertices):
        code, number = v * CODES, v * NUMBERS
        place = v * stride + column
        rate, size = fill(0.0, like), fill(0.0, like)
        for _ in range(at(codes, code)):
            slot, row = at(slots, e), at(tails, e) * stride + column
            value = load(post, row, like)
            rate = multiply_add(at(weight_rates, slot), value, rate)
            rate = multiply_add(at(weights, slot), load(post_rates, row, like), rate)
            value = multiply(where_negative(value, -1.0, 1.0), value)
            weight = abs(at(weights, slot)) + typical if slot < filled else 0.0
            size = multiply_add(weight, value, size)
            e += 1
        scale = at(numbers, number + 2)
        store(of_pre, place, multiply(scale, rate))
        store(sizes, place, multiply(abs(scale), size))
        if at(codes, code + 2) >= CONSTANT_INPUT:
            store(post_rates, place, fill(0.0, like))
        else:
            store(post_rates, place, multiply(rate, load(slopes, place, like)))


@compiled
def evaluate(net, work):
    """Values, seeds and gradient at work.weights, with the slopes of work.pattern."""
    gradient = work.gradient
    for p in range(net.slots):
        put(gradient, p, 0.0)
    rest = net.stride % 32
    for column in range(0, net.stride - rest, 32):
        values(THIRTY_TWO, net, work, column)
    for column in range(net.stride - rest, net.stride, 8):
        values(EIGHT, net, work, column)
    seed(net, work)
    for column in range(0, net.stride - rest, 32):
        gradients(THIRTY_TWO, net, work, column)
    for column in range(net.stride - rest, net.stride, 8):
        gradients(EIGHT, net, work, column)
    work.counts[0] += 1


@compiled
def set_typical(net, work):
    """Keep the root mean square of the weights."""
    total, weights = 0.0, work.weights
    for p in range(net.parameters):
        total += at(weights, p) ** 2
    work.typical[0] = sqrt(total / net.parameters)


@compiled
def differentiate(net, work, velocity):
    """Rates and sizes of all pre-activations, as the weights move with this velocity."""
    set_typical(net, work)
    weight_rates = work.weight_rates
    for p in range(net.parameters):
        put(weight_rates, p, at(velocity, p))
    rest = net.stride % 32
    for column in range(0, net.stride - rest, 32):
        rates(THIRTY_TWO, net, work, column)
    for column in range(net.stride - rest, net.stride, 8):
        rates(EIGHT, net, work, column)


@compiled
def margin(net, work, j):
    """y_j nu(x_j)."""
    label = at(net.labels, j)
    return label * at(work.post, net.output * net.stride + j)


@compiled
def log_slope(loss, z):
    """log |l'(z)| of a loss with an exponential tail."""
    if loss == EXPONENTIAL:
        return -z
    return -(max(z, 0.0) + log1p(exp(-abs(z))))


@compiled
def log_loss(loss, z):
    """log l(z)."""
    if loss == EXPONENTIAL:
        return -z
    if loss == LOGISTIC:
        return -z if z > 36.0 else log(max(-z, 0.0) + log1p(exp(-abs(z))))
    return 2.0 * log(abs(1.0 - z))


@compiled
def seed(net, work):
    """The derivative of the risk in the output of each example; on the clock of the loss, that of
    the risk divided by the mean of |l'|, whose logarithm is kept."""
    for j in range(net.count, net.stride):
        put(work.seeds, j, 0.0)
    if net.clock == 0:
        for j in range(net.count):
            slope = loss_slope(net.loss, margin(net, work, j))
            put(work.seeds, j, slope * at(net.labels, j) / net.count)
        return
    largest = log_slope(net.loss, margin(net, work, 0))
    for j in range(1, net.count):
        largest = max(largest, log_slope(net.loss, margin(net, work, j)))
    total = 0.0
    for j in range(net.count):
        share = exp(log_slope(net.loss, margin(net, work, j)) - largest)
        put(work.seeds, j, share)
        total += share
    for j in range(net.count):
        put(work.seeds, j, -at(work.seeds, j) / total * at(net.labels, j))
    work.log_scale[0] = largest + log(total / net.count)


@compiled
def log_risk(net, work):
    """The logarithm of the mean loss, by log-sum-exp."""
    largest = log_loss(net.loss, margin(net, work, 0))
    for j in range(1, net.count):
        largest = max(largest, log_loss(net.loss, margin(net, work, j)))
    if not -1e308 < largest < 1e308:
        return largest
    total = 0.0
    for j in range(net.count):
        total += exp(log_loss(net.loss, margin(net, work, j)) - largest)
    return largest + log(total / net.count)


@compiled
def preactivation_gradient(net, work, sensitivity, place, row):
    """Write the gradient of the pre-activation at a place, by slot, to `row`.

    sensitivity: (V,) room to work in.
    """
    v, j, stride = place // net.stride, place % net.stride, net.stride
    slopes, post, weights, starts = work.slopes, work.post, work.weights, net.in_starts
    in_slots, tails = net.in_slots, net.tails
    for p in range(net.slots):
        put(row, p, 0.0)
    for u in range(v):
        put(sensitivity, u, 0.0)
    put(sensitivity, v, at(net.numbers, v * NUMBERS + 2))
    for u in range(v, -1, -1):
        along = at(sensitivity, u)
        if along == 0.0:
            continue
        if u < v:
            along *= at(slopes, u * stride + j)
        for e in range(at(starts, u), at(starts, u + 1)):
            slot, tail = at(in_slots, e), at(tails, e)
            put(row, slot, at(row, slot) + along * at(post, tail * stride + j))
            put(sensitivity, tail, at(sensitivity, tail) + along * at(weights, slot))


__all__ = ["SQUARED", "differentiate", "evaluate", "log_risk", "preactivation_gradient"]
