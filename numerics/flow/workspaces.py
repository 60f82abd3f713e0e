"""The arrays that the compiled integrator works on, for one network at a time.

A *place* is vertex * stride + example: the examples of a vertex lie side by side, as in Blocks.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.experimental import structref

from numerics.flow.constants import COUNTS
from numerics.kernels import CODES, NUMBERS, aligned, compiled
from numerics.layouts import EMPTY_SLOTS, NOT_AN_INPUT, PIECEWISE_LINEAR

MEMBERS = 128
"""So many kinks may slide at once."""


class Structure(types.StructRef):
    """The type of a structure that is handed on as one pointer: that compiles several times as fast
    as tuples of arrays, which are handed on number by number."""

    def preprocess_fields(self, fields):
        """Types of values, not of literals."""
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


class Net(structref.StructRefProxy):
    """What stays as it is: one network of a Layout and its examples, and what is asked.

    P parameters, V vertices. codes to labels: its parts of the arrays of Tables and Data in
    numerics.kernels.

    in_starts: (V + 1,), where the in-edges of each vertex begin in the tables. kinks: the vertices
    whose activation has two slopes. output: the vertex of the first output. clock: 0 time, 1 loss.
    factors: (P,); decay: the weight decay.
    """


@structref.register
class NetType(Structure):
    """Numba's type of it."""


structref.define_proxy(
    Net,
    NetType,
    [
        "vertices",
        "parameters",
        "slots",
        "stride",
        "count",
        "output",
        "loss",
        "clock",
        "decay",
        "in_starts",
        "kinks",
        "factors",
        "codes",
        "numbers",
        "tails",
        "in_slots",
        "heads",
        "out_slots",
        "inputs",
        "labels",
    ],
)


class Workspace(structref.StructRefProxy):
    """What the passes write.

    By place, V + 1 rows: pre-activations, post-activations, the slopes of the activations, slope
    times scale, the derivative of the risk in the sum that arrives (its last row stays 0) and in
    the post-activation; rates and sizes: the derivative of the pre-activations in time, and the
    sums of the absolute values of their terms; post_rates: of the post-activations.
    By slot: weights, gradient, weight_rates. seeds: by example. typical: the size of a weight,
    and the largest speed so far.
    """


@structref.register
class WorkspaceType(Structure):
    """Numba's type of it."""


structref.define_proxy(
    Workspace,
    WorkspaceType,
    [
        "pre",
        "post",
        "pattern",
        "slopes",
        "through",
        "totals",
        "rates",
        "sizes",
        "post_rates",
        "seeds",
        "weights",
        "gradient",
        "weight_rates",
        "log_scale",
        "typical",
        "counts",
    ],
)


class Kinks(structref.StructRefProxy):
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
    weighed: (slots,), one of them times the factors.
    """


@structref.register
class KinksType(Structure):
    """Numba's type of it."""


structref.define_proxy(
    Kinks,
    KinksType,
    [
        "sides",
        "slack",
        "candidate",
        "zero",
        "reach",
        "plus_rates",
        "minus_rates",
        "sensitivity",
        "sizes",
        "state",
        "theta",
        "leader",
        "residual",
        "rate_size",
        "jacobian",
        "system",
        "change",
        "member_group",
        "member_place",
        "member_slopes",
        "member_sides",
        "follower_group",
        "follower_place",
        "follower_slopes",
        "follower_sides",
        "rows",
        "weighed",
    ],
)


GROUPS, GROUP_MEMBERS, FOLLOWERS = range(3)
"""The entries of Kinks.sizes."""


@compiled
def net_of(tables, data, c, loss, clock, decay, factors):
    """The Net of network c."""
    first = tables.vertex_offsets[c]
    vertices = tables.vertex_offsets[c + 1] - first
    parameters = tables.parameter_offsets[c + 1] - tables.parameter_offsets[c]
    fixed = tables.fixed_offsets[c + 1] - tables.fixed_offsets[c]
    codes = tables.codes[first * CODES : (first + vertices) * CODES]
    numbers = tables.numbers[first * NUMBERS : (first + vertices) * NUMBERS]
    starts = np.zeros(vertices + 1, dtype=np.int64)
    output, kinked = 0, 0
    kinks = np.zeros(vertices, dtype=np.int64)
    for v in range(vertices):
        code, number = v * CODES, v * NUMBERS
        starts[v + 1] = starts[v] + codes[code]
        if codes[code + 4] == 0:
            output = v
        inner = codes[code + 2] == NOT_AN_INPUT
        piecewise = codes[code + 3] == PIECEWISE_LINEAR
        if inner and piecewise and numbers[number] != numbers[number + 1]:
            kinks[kinked] = v
            kinked += 1
    return Net(
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
        codes,
        numbers,
        tables.tails[tables.in_offsets[c] : tables.in_offsets[c + 1]],
        tables.in_slots[tables.in_offsets[c] : tables.in_offsets[c + 1]],
        tables.heads[tables.out_offsets[c] : tables.out_offsets[c + 1]],
        tables.out_slots[tables.out_offsets[c] : tables.out_offsets[c + 1]],
        data.inputs[data.input_offsets[c] : data.input_offsets[c + 1]],
        data.labels[data.label_offsets[c] : data.label_offsets[c + 1]],
    )


@compiled
def workspace_of(net, fixed):
    """Room for the passes over a network; its fixed weights are in their slots."""
    places = (net.vertices + 1) * net.stride
    weights = aligned(net.slots)
    for k in range(len(fixed)):
        weights[net.parameters + k] = fixed[k]
    return Workspace(
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
        np.zeros(2),
        np.zeros(COUNTS, dtype=np.int64),
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
        np.zeros(net.slots),
    )
