"""The arrays that the compiled integrator works on, for one network at a time.

A *place* is vertex * stride + example: the examples of a vertex lie side by side, as in Blocks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from numerics.kernels import CODES, NUMBERS, aligned, compiled
from numerics.layouts import EMPTY_SLOTS, NOT_AN_INPUT, PIECEWISE_LINEAR

MEMBERS = 128
"""So many kinks may slide at once."""


class Net(NamedTuple):
    """What stays as it is: network c, and what is asked. P parameters, V vertices.

    in_starts: (V + 1,), where the in-edges of each vertex begin in the tables. kinks: the vertices
    whose activation has two slopes. output: the vertex of the first output. clock: 0 time, 1 loss.
    factors: (P,); decay: the weight decay.
    """

    c: int
    vertices: int
    parameters: int
    slots: int
    stride: int
    count: int
    output: int
    loss: int
    clock: int
    decay: float
    in_starts: np.ndarray
    kinks: np.ndarray
    factors: np.ndarray


class Room(NamedTuple):
    """What the passes write.

    By place, V + 1 rows: pre-activations, post-activations, the slopes of the activations, slope
    times scale, the derivative of the risk in the sum that arrives (its last row stays 0) and in
    the post-activation; rates and sizes: the derivative of the pre-activations in time, and the
    sums of the absolute values of their terms; post_rates: of the post-activations.
    By slot: weights, gradient, weight_rates. seeds: by example. typical: the size of a weight.
    """

    pre: np.ndarray
    post: np.ndarray
    pattern: np.ndarray
    slopes: np.ndarray
    through: np.ndarray
    totals: np.ndarray
    rates: np.ndarray
    sizes: np.ndarray
    post_rates: np.ndarray
    seeds: np.ndarray
    weights: np.ndarray
    gradient: np.ndarray
    weight_rates: np.ndarray
    log_scale: np.ndarray
    typical: np.ndarray
    counts: np.ndarray


class Kinks(NamedTuple):
    """Which side of its kink each place is on, and which kinks are looked at together.

    sides: by place, see numerics.flow.answers. slack: by place, how far on the wrong side a
    pre-activation may be (after a slide it is not exactly 0). candidate: by place, whether the
    pre-activation is 0 now. zero, reach, plus_rates, minus_rates, sensitivity: by vertex.

    A group of kinks has one zero set. Its members (one for each example, several vertices where
    their pre-activations are proportional) have one slope on its plus side and one on its minus
    side, and slide together; theta in [0, 1] says where between. Followers are behind a member, on
    the same example: nothing else arrives there.
    sizes: the number of groups, members, followers. state: by group, -1, 0 (slides), 1. residual,
    rate_size: by group, the rate of the leader's pre-activation plus gamma times it; and |gradient|
    |velocity|. jacobian: residual by theta. rows: the gradients of the members' pre-activations.
    """

    sides: np.ndarray
    slack: np.ndarray
    candidate: np.ndarray
    zero: np.ndarray
    reach: np.ndarray
    plus_rates: np.ndarray
    minus_rates: np.ndarray
    sensitivity: np.ndarray
    sizes: np.ndarray
    state: np.ndarray
    theta: np.ndarray
    leader: np.ndarray
    residual: np.ndarray
    rate_size: np.ndarray
    jacobian: np.ndarray
    system: np.ndarray
    change: np.ndarray
    member_group: np.ndarray
    member_place: np.ndarray
    member_slopes: np.ndarray
    member_sides: np.ndarray
    follower_group: np.ndarray
    follower_place: np.ndarray
    follower_slopes: np.ndarray
    follower_sides: np.ndarray
    rows: np.ndarray


GROUPS, GROUP_MEMBERS, FOLLOWERS = range(3)
"""The entries of Kinks.sizes."""

EVALUATIONS, ACCEPTED, REJECTED, RELOCATED, EVENTS, SLIDES, STIFF_STEPS = range(7)
"""The entries of Room.counts, as in numerics.flow.answers.Counts."""


@compiled
def net_of(tables, data, c, loss, clock, decay, factors):
    """The Net of network c."""
    first = tables.vertex_offsets[c]
    vertices = tables.vertex_offsets[c + 1] - first
    parameters = tables.parameter_offsets[c + 1] - tables.parameter_offsets[c]
    fixed = tables.fixed_offsets[c + 1] - tables.fixed_offsets[c]
    starts = np.zeros(vertices + 1, dtype=np.int64)
    starts[0] = tables.in_offsets[c]
    output, kinked = 0, 0
    kinks = np.zeros(vertices, dtype=np.int64)
    for v in range(vertices):
        code, number = (first + v) * CODES, (first + v) * NUMBERS
        starts[v + 1] = starts[v] + tables.codes[code]
        if tables.codes[code + 4] == 0:
            output = v
        inner = tables.codes[code + 2] == NOT_AN_INPUT
        piecewise = tables.codes[code + 3] == PIECEWISE_LINEAR
        if inner and piecewise and tables.numbers[number] != tables.numbers[number + 1]:
            kinks[kinked] = v
            kinked += 1
    return Net(
        c,
        vertices,
        parameters,
        parameters + fixed + EMPTY_SLOTS,
        data.strides[c],
        data.counts[c],
        output,
        loss,
        clock,
        decay,
        starts,
        kinks[:kinked].copy(),
        factors,
    )


@compiled
def room_of(tables, net):
    """Room for the passes over a network; its fixed weights are in their slots."""
    places = (net.vertices + 1) * net.stride
    weights = aligned(net.slots)
    fixed = tables.fixed_offsets[net.c]
    for k in range(tables.fixed_offsets[net.c + 1] - fixed):
        weights[net.parameters + k] = tables.fixed[fixed + k]
    return Room(
        aligned(places),
        aligned(places),
        aligned(places),
        aligned(places),
        aligned(places),
        aligned(places),
        aligned(places),
        aligned(places),
        aligned(places),
        aligned(net.stride),
        weights,
        aligned(net.slots),
        aligned(net.slots),
        np.zeros(1),
        np.zeros(1),
        np.zeros(7, dtype=np.int64),
    )


@compiled
def kinks_of(net):
    """Room for the kinks of a network."""
    places = (net.vertices + 1) * net.stride
    most = min(MEMBERS, len(net.kinks) * net.count)
    following = min(8 * MEMBERS, len(net.kinks) * net.count)
    return Kinks(
        np.zeros(places, dtype=np.int64),
        np.zeros(places),
        np.zeros(places, dtype=np.int64),
        np.zeros(net.vertices, dtype=np.int64),
        np.zeros(net.vertices, dtype=np.int64),
        np.zeros(net.vertices),
        np.zeros(net.vertices),
        np.zeros(net.vertices),
        np.zeros(3, dtype=np.int64),
        np.zeros(most, dtype=np.int64),
        np.zeros(most),
        np.zeros(most, dtype=np.int64),
        np.zeros(most),
        np.zeros(most),
        np.zeros((most, most)),
        np.zeros((most, most)),
        np.zeros(most),
        np.zeros(most, dtype=np.int64),
        np.zeros(most, dtype=np.int64),
        np.zeros((most, 2)),
        np.zeros((most, 2), dtype=np.int64),
        np.zeros(following, dtype=np.int64),
        np.zeros(following, dtype=np.int64),
        np.zeros((following, 2)),
        np.zeros((following, 2), dtype=np.int64),
        np.zeros((most, net.slots)),
    )
