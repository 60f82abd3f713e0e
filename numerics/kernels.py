"""The compiled kernels: forward and backward passes over networks, on blocks of examples.

The examples of a block, eight to thirty-two, sit in vector registers while the loop runs over
edges. A network is always computed in the same order, so its answers do not depend, to the last
bit, on what else is in the batch. Numba compiles this at the first call.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from math import exp, log1p, tanh
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from filelock import FileLock
from numba import njit

from numerics.lanes import (
    EIGHT,
    SIXTEEN,
    THIRTY_TWO,
    at,
    claim,
    fill,
    four_products,
    load,
    multiply,
    multiply_add,
    put,
    store,
    where_negative,
)
from numerics.layouts import CONSTANT_INPUT, EMPTY_SLOTS, KINDS, PIECEWISE_LINEAR, UNROLLED

VALUES, RISK, COTANGENTS = range(3)
"""What a pass computes: values alone; the gradient of the risk; of outputs times cotangents; of
one output on each example."""

LOGISTIC, EXPONENTIAL, SQUARED, HINGE = range(4)
TANH, SOFTPLUS = KINDS["tanh"], KINDS["softplus"]
CODES, NUMBERS = 5, 3
"""The columns of Layout.codes and Layout.numbers."""

OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",  # division by zero gives inf, as in numpy
    "fastmath": {"contract"},  # a*b + c may round once; nothing else is relaxed
}
compiled: Any = njit(**OPTIONS)


def kept(function: Callable[..., Any], *more: Path) -> Any:
    """`function` compiled, and the result kept on disk where a folder can be written.

    Numba takes a result for fresh when the file of the function is unchanged. What else is
    compiled into it comes from the other files (more: those besides the ones of this module), so
    their digest goes into the name. Of several processes that need it one compiles, and the others
    wait for what it keeps.
    """
    here = Path(__file__)
    own = [here.with_name(name) for name in ("lanes.py", "layouts.py")]
    sources = [path.read_bytes() for path in (*own, *more)]
    digest = sha256(b"".join(sources) + repr(KINDS).encode()).hexdigest()[:12]
    function.__qualname__ = f"{function.__qualname__}_{digest}"
    try:
        found = njit(cache=True, **OPTIONS)(function)
    except RuntimeError:  # no folder can be written: compile in each process
        return njit(**OPTIONS)(function)
    compile_now = found.compile
    lock = FileLock(Path(found.stats.cache_path) / f"{function.__qualname__}.lock")

    def compile_once(signature: Any) -> Any:
        with lock:
            return compile_now(signature)

    found.compile = compile_once
    return found


class Tables(NamedTuple):
    """The arrays of a Layout that the passes read, flat. See there."""

    codes: np.ndarray
    numbers: np.ndarray
    tails: np.ndarray
    in_slots: np.ndarray
    heads: np.ndarray
    out_slots: np.ndarray
    fixed: np.ndarray
    vertex_offsets: np.ndarray
    parameter_offsets: np.ndarray
    fixed_offsets: np.ndarray
    in_offsets: np.ndarray
    out_offsets: np.ndarray


class Data(NamedTuple):
    """The examples: see numerics.examples.Examples. label_offsets: also those of the columns."""

    inputs: np.ndarray
    input_offsets: np.ndarray
    labels: np.ndarray
    label_offsets: np.ndarray
    counts: np.ndarray
    strides: np.ndarray


class Target(NamedTuple):
    """What a pass computes and where it goes; arrays that its mode does not use are empty.

    mode: VALUES, RISK or COTANGENTS. loss: the code of the loss (RISK), of the first output.
    outputs: all output rows (always).
    preactivations: all vertex rows, if any. cotangents: a row for each output (COTANGENTS).
    result: the gradient, at the places of the parameters.
    """

    mode: int
    loss: int
    outputs: np.ndarray
    output_offsets: np.ndarray
    preactivations: np.ndarray
    preactivation_offsets: np.ndarray
    cotangents: np.ndarray
    result: np.ndarray


class Scratch(NamedTuple):
    """The rows of one network on one block of examples, and its slots. Each thread has its own.

    post: post-activations; slopes: (V + 1) rows, first slope times scale, then the derivative of
    the output in the (unscaled) pre-activation; seeds: a row for each output.
    """

    post: np.ndarray
    slopes: np.ndarray
    seeds: np.ndarray
    weights: np.ndarray
    gradient: np.ndarray


@compiled
def loss_slope(loss, z):
    """The derivative of the loss at the margin z, without overflow where the value has none."""
    if loss == LOGISTIC:
        small = exp(-abs(z))
        return -small / (1.0 + small) if z >= 0.0 else -1.0 / (1.0 + small)
    if loss == EXPONENTIAL:
        return -exp(-z)
    if loss == SQUARED:
        return 2.0 * (z - 1.0)
    return -1.0 if z < 1.0 else 0.0


@compiled
def smooth(kind, post, slopes, place):
    """Replace the pre-activation in post[place] by its value, and write the slope beside it."""
    z = at(post, place)
    small = exp(-abs(z))
    if kind == TANH:
        twice = small * small
        put(post, place, tanh(z))
        put(slopes, place, 4.0 * twice / ((1.0 + twice) * (1.0 + twice)))
        return
    larger = 1.0 / (1.0 + small)
    sigmoid = larger if z >= 0.0 else small * larger
    if kind == SOFTPLUS:
        put(post, place, max(z, 0.0) + log1p(small))
        put(slopes, place, sigmoid)
    else:
        put(post, place, sigmoid)
        put(slopes, place, small * larger * larger)


@compiled
def forward(like, tables, data, target, scratch, c, column):
    """Values of all vertices of network c on the examples from `column` on; their slopes."""
    codes, numbers, tails, slots = tables.codes, tables.numbers, tables.tails, tables.in_slots
    post, slopes, weights = scratch.post, scratch.slopes, scratch.weights
    width, stride = len(like), at(data.strides, c)
    first, e = at(tables.vertex_offsets, c), at(tables.in_offsets, c)
    inputs = at(data.input_offsets, c) + column
    outputs = at(target.output_offsets, c) + column
    vertices = at(tables.vertex_offsets, c + 1) - first
    keep = len(target.preactivations) > 0
    values = at(target.preactivation_offsets, c) + column if keep else 0
    store(slopes, vertices * width, fill(0.0, like))  # the row of zeros
    for v in range(vertices):
        code, number = (first + v) * CODES, (first + v) * NUMBERS
        source = at(codes, code + 2)
        if source >= 0:
            z = load(data.inputs, inputs + source * stride, like)
            store(post, v * width, z)
        elif source == CONSTANT_INPUT:
            z = fill(at(numbers, number), like)
            store(post, v * width, z)
        else:
            z = fill(0.0, like)
            for _ in range(at(codes, code) // UNROLLED):
                for _ in range(UNROLLED):
                    weight, row = at(weights, at(slots, e)), at(tails, e) * width
                    z = multiply_add(weight, load(post, row, like), z)
                    e += 1
            scale, kind = at(numbers, number + 2), at(codes, code + 3)
            z = multiply(scale, z)
            if kind == PIECEWISE_LINEAR:
                slope = where_negative(z, at(numbers, number), at(numbers, number + 1))
                store(post, v * width, multiply(slope, z))
            else:
                store(post, v * width, z)
                for j in range(min(width, stride - column)):  # not a constant: not unrolled
                    smooth(kind, post, slopes, v * width + j)
                slope = load(slopes, v * width, like)
            store(slopes, v * width, multiply(scale, slope))
        if keep:
            store(target.preactivations, values + v * stride, z)
        row = at(codes, code + 4)
        if row >= 0:
            store(target.outputs, outputs + row * stride, load(post, v * width, like))


@compiled
def seed(width, data, target, scratch, c, column):
    """The derivative of what is differentiated in each output, on `width` examples."""
    stride, count = at(data.strides, c), at(data.counts, c)
    outputs = at(target.output_offsets, c) + column
    labels = at(data.label_offsets, c) + column
    for row in range((at(target.output_offsets, c + 1) - at(target.output_offsets, c)) // stride):
        for j in range(width):
            value = 0.0
            place = outputs + row * stride + j
            if column + j >= count:
                pass  # padding counts for nothing
            elif target.mode == COTANGENTS:
                value = at(target.cotangents, place)
            elif row == 0:
                label = at(data.labels, labels + j)
                slope = loss_slope(target.loss, label * at(target.outputs, place))
                value = slope * label / count
            put(scratch.seeds, row * width + j, value)


@compiled
def backward(like, tables, scratch, c):
    """Add to scratch.gradient, by slot, the derivatives summed over the examples of the block."""
    codes, heads, slots = tables.codes, tables.heads, tables.out_slots
    post, slopes = scratch.post, scratch.slopes
    weights, gradient = scratch.weights, scratch.gradient
    width = len(like)
    first, e = at(tables.vertex_offsets, c), at(tables.out_offsets, c)
    for v in range(at(tables.vertex_offsets, c + 1) - first - 1, -1, -1):
        code = (first + v) * CODES
        row = at(codes, code + 4)
        total = load(scratch.seeds, row * width, like) if row >= 0 else fill(0.0, like)
        value = load(post, v * width, like)
        for _ in range(at(codes, code + 1) // UNROLLED):
            slot_a, slot_b = at(slots, e), at(slots, e + 1)
            slot_c, slot_d = at(slots, e + 2), at(slots, e + 3)
            a = load(slopes, at(heads, e) * width, like)
            b = load(slopes, at(heads, e + 1) * width, like)
            c_ = load(slopes, at(heads, e + 2) * width, like)
            d = load(slopes, at(heads, e + 3) * width, like)
            total = multiply_add(at(weights, slot_a), a, total)
            total = multiply_add(at(weights, slot_b), b, total)
            total = multiply_add(at(weights, slot_c), c_, total)
            total = multiply_add(at(weights, slot_d), d, total)
            of_a, of_b, of_c, of_d = four_products(value, a, b, c_, d)
            put(gradient, slot_a, at(gradient, slot_a) + of_a)
            put(gradient, slot_b, at(gradient, slot_b) + of_b)
            put(gradient, slot_c, at(gradient, slot_c) + of_c)
            put(gradient, slot_d, at(gradient, slot_d) + of_d)
            e += UNROLLED
        store(slopes, v * width, multiply(total, load(slopes, v * width, like)))


@compiled
def fill_slots(tables, weights, scratch, c):
    """Copy the weights of network c into their slots, and set its gradient to 0."""
    first, fixed = at(tables.parameter_offsets, c), at(tables.fixed_offsets, c)
    parameters = at(tables.parameter_offsets, c + 1) - first
    constants = at(tables.fixed_offsets, c + 1) - fixed
    for p in range(parameters):
        put(scratch.weights, p, at(weights, first + p))
    for k in range(constants):
        put(scratch.weights, parameters + k, at(tables.fixed, fixed + k))
    for k in range(EMPTY_SLOTS):
        put(scratch.weights, parameters + constants + k, 0.0)
    for p in range(parameters + constants + EMPTY_SLOTS):
        put(scratch.gradient, p, 0.0)


@compiled
def aligned(size):
    """Zeros, the first at the beginning of a line of the cache: a row is then read at once."""
    room = np.zeros(size + 8)
    start = -(room.ctypes.data // 8) % 8
    return room[start : start + size]


@compiled
def scratch_for(tables, target, data):
    """Room for the largest network."""
    rows, slots, outputs = 0, 0, 0
    for c in range(len(data.counts)):
        rows = max(rows, tables.vertex_offsets[c + 1] - tables.vertex_offsets[c] + 1)
        parameters = tables.parameter_offsets[c + 1] - tables.parameter_offsets[c]
        slots = max(slots, parameters + tables.fixed_offsets[c + 1] - tables.fixed_offsets[c])
        places = target.output_offsets[c + 1] - target.output_offsets[c]
        outputs = max(outputs, places // data.strides[c])
    return Scratch(
        aligned(rows * len(THIRTY_TWO)),
        aligned(rows * len(THIRTY_TWO)),
        aligned(outputs * len(THIRTY_TWO)),
        aligned(slots + EMPTY_SLOTS),
        aligned(slots + EMPTY_SLOTS),
    )


@kept
def sweep(counter, chunks, tables, data, target, weights):
    """Take chunks of networks, chunks[i] to chunks[i + 1], until none is left.

    Several threads may run this at once on the same arguments: `counter` (one int64, 0 at first)
    deals out the chunks.
    """
    scratch = scratch_for(tables, target, data)
    while True:
        i = claim(counter)
        if i >= len(chunks) - 1:
            return
        for c in range(chunks[i], chunks[i + 1]):
            fill_slots(tables, weights, scratch, c)
            stride = at(data.strides, c)
            rest = stride % 32
            for column in range(0, stride - rest, 32):
                forward(THIRTY_TWO, tables, data, target, scratch, c, column)
                if target.mode != VALUES:
                    seed(min(32, stride - column), data, target, scratch, c, column)
                    backward(THIRTY_TWO, tables, scratch, c)
            for column in range(stride - rest, stride - 15, 16):
                forward(SIXTEEN, tables, data, target, scratch, c, column)
                if target.mode != VALUES:
                    seed(min(16, stride - column), data, target, scratch, c, column)
                    backward(SIXTEEN, tables, scratch, c)
            for column in range(stride - rest % 16, stride, 8):
                forward(EIGHT, tables, data, target, scratch, c, column)
                if target.mode != VALUES:
                    seed(min(8, stride - column), data, target, scratch, c, column)
                    backward(EIGHT, tables, scratch, c)
            if target.mode != VALUES:
                first = at(tables.parameter_offsets, c)
                for p in range(at(tables.parameter_offsets, c + 1) - first):
                    put(target.result, first + p, at(scratch.gradient, p))
