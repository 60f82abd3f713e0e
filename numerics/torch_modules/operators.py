"""The operators of torch (ATen) that networks are made of, on forms and weights.

Each takes the wiring, the entries and numbers that torch would be given, and returns entries. What
is not here cannot be a network: a product of two neurons, a maximum of several, an activation that
Lemmata does not know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np

from graphs.activations import ABS, RELU, SIGMOID, SOFTPLUS, TANH, Activation, leaky_relu
from graphs.errors import NetworkError
from numerics.torch_modules.wiring import ONE, Entries, Form, Wiring, bounded, empty


class UnsupportedError(NetworkError):
    """An operator, or a way to use one, that makes no network."""


# layers -------------------------------------------------------------------------------------------
def linear(wiring: Wiring, x: Entries, weight: Entries, bias: Entries | None = None) -> Entries:
    """`x @ weight.T + bias` along the last axis."""
    _needs_weights(weight, bias)
    bounded(prod(x.array.shape[:-1]) * weight.array.size)
    x = wiring.settled(x)
    array = empty((*x.array.shape[:-1], weight.array.shape[0]))
    for place in np.ndindex(array.shape):
        row = weight.array[place[-1]]
        array[place] = wiring.total(zip(x.array[place[:-1]], row, strict=True))
    return _biased(wiring, Entries(array, weight.label.removesuffix(".weight")), bias, axis=-1)


def matmul(wiring: Wiring, x: Entries, weight: Entries) -> Entries:
    """`x @ weight` with a matrix of weights."""
    if x.known or weight.array.ndim != 2:
        raise UnsupportedError("only neurons times a matrix of weights make a network")
    return linear(wiring, x, weight.like(weight.array.T))


def addmm(wiring: Wiring, bias: Entries, x: Entries, weight: Entries) -> Entries:
    """`bias + x @ weight`."""
    return add(wiring, matmul(wiring, x, weight), bias)


def convolution(
    wiring: Wiring,
    x: Entries,
    weight: Entries,
    bias: Entries | None = None,
    stride: Sequence[int] | int = 1,
    padding: Sequence[int] | int | str = 0,
    dilation: Sequence[int] | int = 1,
    groups: int = 1,
) -> Entries:
    """A convolution; the edges of all positions of a filter share its parameters."""
    _needs_weights(weight, bias)
    if x.array.ndim != weight.array.ndim:
        raise UnsupportedError("its input has no axis for the channels: give one, also of length 1")
    kernel = weight.array.shape[2:]
    steps, spreads = _each(stride, kernel), _each(dilation, kernel)
    x = wiring.settled(x)
    seen = x.array[0]
    spans = [d * (k - 1) for k, d in zip(kernel, spreads, strict=True)]
    if isinstance(padding, str):
        pads = [(s // 2, s - s // 2) if padding == "same" else (0, 0) for s in spans]
    else:
        pads = [(p, p) for p in _each(padding, kernel)]
    seen = _padded(seen, pads)
    sizes = zip(seen.shape[1:], spans, steps, strict=True)
    positions = [(n - span - 1) // s + 1 for n, span, s in sizes]
    channels, read = weight.array.shape[:2]
    bounded(weight.array.size * prod(positions))
    array = empty((1, channels, *positions))
    places = list(product(range(read), np.ndindex(*kernel)))
    for c in range(channels):
        first = c // (channels // groups) * read
        filter_ = [weight.array[c, b, *a] for b, a in places]
        for i in np.ndindex(*positions):
            start = [k * s for k, s in zip(i, steps, strict=True)]
            met = (
                seen[first + b, *(o + k * d for o, k, d in zip(start, a, spreads, strict=True))]
                for b, a in places
            )
            array[0, c, *i] = wiring.total(zip(met, filter_, strict=True))
    return _biased(wiring, Entries(array, weight.label.removesuffix(".weight")), bias, axis=1)


def average_pool(
    wiring: Wiring,
    x: Entries,
    kernel: Sequence[int] | int,
    stride: Sequence[int] | int = (),
    padding: Sequence[int] | int = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Entries:
    """Averages over windows, with fixed weights."""
    rank = x.array.ndim - 2
    pads = [(p, p) for p in _each(padding, range(rank))]
    if ceil_mode or (any(p for p, _ in pads) and not count_include_pad):
        raise UnsupportedError("windows that differ in size are not averaged: use padding alone")
    sizes = _each(kernel, range(rank))
    steps = _each(stride or kernel, range(rank))
    x = wiring.settled(x)
    seen = _padded(x.array[0], pads)
    axes = zip(seen.shape[1:], sizes, steps, strict=True)
    windows = [[range(i, i + k) for i in range(0, n - k + 1, s)] for n, k, s in axes]
    return _averages(wiring, x, seen, windows)


def adaptive_average_pool(wiring: Wiring, x: Entries, size: Sequence[int] | int) -> Entries:
    """Averages over windows so that so many are left."""
    rank = x.array.ndim - 2
    x = wiring.settled(x)
    windows = [
        [range(k * n // m, -(-(k + 1) * n // m)) for k in range(m)]
        for n, m in zip(x.array.shape[2:], _each(size, range(rank)), strict=True)
    ]
    return _averages(wiring, x, x.array[0], windows)


def mean(
    wiring: Wiring, x: Entries, axes: Sequence[int] | None = None, keepdim: bool = False
) -> Entries:
    """Averages along axes, with fixed weights."""
    rank = x.array.ndim
    along = sorted({a % rank for a in axes or range(rank)})
    if 0 in along:
        raise UnsupportedError("a mean over the batch mixes examples: leave out axis 0")
    x = wiring.settled(x)
    rest = [a for a in range(rank) if a not in along]
    count = prod(x.array.shape[a] for a in along)
    rows = x.array.transpose(*rest, *along).reshape(-1, count)
    kept = [1 if a in along else x.array.shape[a] for a in range(rank)]
    array = empty((len(rows),))
    for k, row in enumerate(rows):
        array[k] = wiring.total((form, Fraction(1, count)) for form in row)
    return x.like(array.reshape(kept if keepdim else [x.array.shape[a] for a in rest]))


def _averages(wiring: Wiring, x: Entries, seen: np.ndarray, windows: list[list[range]]) -> Entries:
    bounded(len(seen) * prod(sum(map(len, row)) for row in windows))
    array = empty((1, len(seen), *(len(row) for row in windows)))
    for c, chosen in product(range(len(seen)), product(*(enumerate(row) for row in windows))):
        place, window = [k for k, _ in chosen], [part for _, part in chosen]
        share = Fraction(1, prod(len(part) for part in window))
        array[0, c, *place] = wiring.total((seen[c, *at], share) for at in product(*window))
    return x.like(array)


# batch normalisation ------------------------------------------------------------------------------
def normalisation(
    wiring: Wiring,
    x: Entries,
    factors: np.ndarray,
    shifts: np.ndarray,
    names: tuple[str, str],
    learnt: tuple[bool, bool],
    fold: Entries | None,
) -> Entries:
    """`factors * x + shifts` by channel. names: of the parameters that factors and shifts become,
    where they are learnt. fold: the weights of the layer before, into which the factors go, where
    that can be."""
    if fold is None:
        x = wiring.settled(x)
        gains = wiring.parameter(names[0], factors, learnable=learnt[0]).array
        biases = wiring.parameter(names[1], shifts, learnable=learnt[1])
        array = empty(x.array.shape)
        for place in np.ndindex(array.shape):
            array[place] = wiring.total([(x.array[place], gains[place[1]])])
        return _biased(wiring, x.like(array), biases, 1)
    for c, factor in enumerate(factors):
        for name in fold.array[c].flat:
            wiring.values[name] = Fraction(float(wiring.values[name]) * float(factor))
    for c in range(len(factors)):
        own = f"{names[1]}[{c + 1}]"
        for form in x.array[:, c].flat:
            name = form.setdefault(ONE, own)
        old = 0.0 if name == own else float(wiring.values[name])
        wiring.values[name] = Fraction(old * float(factors[c]) + float(shifts[c]))
    return x


# sums ---------------------------------------------------------------------------------------------
def add(wiring: Wiring, x: Any, y: Any, *, alpha: float = 1) -> Entries:
    """`x + alpha y`: of neurons, a residual addition; of neurons and weights or numbers, a bias."""
    if alpha != 1:
        y = multiply(wiring, y, alpha) if isinstance(y, Entries) else y * alpha
    x, y = (x, y) if isinstance(x, Entries) and not x.known else (y, x)
    one, two = _together(x, y)
    array = empty(one.shape)
    for place in np.ndindex(array.shape):
        form: Form = dict(one[place])
        other = two[place]
        for tail, weight in (other if isinstance(other, dict) else {ONE: other}).items():
            wiring.add(form, tail, weight)
        array[place] = form
    return x.like(array)


def subtract(wiring: Wiring, x: Any, y: Any, *, alpha: float = 1) -> Entries:
    """`x - alpha y`; of weights by a vertex that reads them, so that they keep their sign."""
    if isinstance(y, Entries) and y.known and not _learns(y):
        return add(wiring, x, y.like(y.array * Fraction(-alpha)))
    if isinstance(x, Entries) and not x.known and isinstance(y, Entries) and y.known:
        lead = (1,) * (x.array.ndim - y.array.ndim)
        nothing = Entries(empty((*lead, *y.array.shape)), f"{x.label}_{y.label}")
        y = wiring.settled(add(wiring, nothing, y))
    return add(wiring, x, y, alpha=-alpha)


def multiply(wiring: Wiring, x: Any, y: Any) -> Entries:
    """Neurons times weights or a number."""
    x, y = (x, y) if isinstance(x, Entries) and not x.known else (y, x)
    if isinstance(y, Entries) and not y.known:
        raise UnsupportedError("a product of two neurons is no sum of weighted neurons")
    one, two = _together(x, y)
    numbers = all(isinstance(w, Fraction) for form in one.flat for w in form.values())
    if not numbers or not all(isinstance(w, Fraction) for w in two.flat):
        x = wiring.settled(x)
        one, two = _together(x, y)
    array = empty(one.shape)
    for place in np.ndindex(array.shape):
        factor = two[place]
        if isinstance(factor, Fraction):
            array[place] = {tail: w * factor for tail, w in one[place].items()}
        else:
            array[place] = wiring.total([(one[place], factor)])
    return x.like(array)


def divide(wiring: Wiring, x: Entries, y: Any) -> Entries:
    """Neurons by a number."""
    if isinstance(y, Entries):
        raise UnsupportedError("a quotient of tensors is no sum of weighted neurons")
    return multiply(wiring, x, 1 / Fraction(y))


def _together(x: Any, y: Any) -> tuple[Any, Any]:
    """The forms, and what stands beside each of them."""
    if not isinstance(x, Entries) or x.known:
        raise UnsupportedError("what is computed of weights alone is no weight of an edge")
    if not isinstance(y, Entries):
        return x.array, np.full(x.array.shape, Fraction(y), dtype=object)
    one, two = np.broadcast_arrays(x.array, y.array)
    if one.shape[0] != 1 or one.ndim > x.array.ndim:
        raise UnsupportedError(
            f"weights of shape {y.array.shape} stand beside a batch of examples of shape "
            f"{x.array.shape[1:]}: give them the axes of one example"
        )
    return one, two


# activations --------------------------------------------------------------------------------------
def leaky(slope: float = 0.01) -> Activation:
    """Leaky ReLU; the slope is the decimal number that was typed."""
    return leaky_relu(str(slope))


def softplus(beta: float = 1, threshold: float = 20) -> Activation:
    """Softplus; beyond the threshold torch takes the line that it is next to."""
    if beta != 1:
        raise UnsupportedError(f"softplus with beta {beta}: 1 alone is known")
    if threshold < 20:
        raise UnsupportedError(f"softplus with threshold {threshold}: take 20, the default")
    return SOFTPLUS


ACTIVATIONS: dict[str, Callable[..., Activation]] = {
    "relu": lambda: RELU,
    "leaky_relu": leaky,
    "abs": lambda: ABS,
    "tanh": lambda: TANH,
    "sigmoid": lambda: SIGMOID,
    "softplus": softplus,
}


# arrangements -------------------------------------------------------------------------------------
def _rearranged(change: Callable[..., np.ndarray]) -> Callable[..., Entries]:
    def arranged(wiring: Wiring, x: Entries, *rest: Any, **named: Any) -> Entries:
        found = x.like(change(x.array, *rest, **named))
        if not x.known and found.array.shape[:1] != (1,):
            raise UnsupportedError("the first axis is that of the batch: it has to stay the first")
        return found

    return arranged


def _slice(
    array: np.ndarray,
    axis: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> np.ndarray:
    places: list[slice] = [slice(None)] * array.ndim
    places[axis] = slice(start, end, step)
    return array[tuple(places)]


def _swapped(array: np.ndarray, first: int = 0, second: int = 1) -> np.ndarray:
    return array.swapaxes(first, second) if array.ndim > 1 else array


def _squeezed(array: np.ndarray, axes: Any = None) -> np.ndarray:
    axes = range(array.ndim) if axes is None else [axes] if isinstance(axes, int) else axes
    gone = {a % array.ndim for a in axes if array.shape[a] == 1}
    return array.reshape([n for a, n in enumerate(array.shape) if a not in gone])


def _expanded(array: np.ndarray, size: Sequence[int]) -> np.ndarray:
    lead = len(size) - array.ndim
    sizes = [array.shape[k - lead] if n == -1 else n for k, n in enumerate(size)]
    return np.broadcast_to(array, sizes)


def concatenate(wiring: Wiring, parts: Sequence[Entries], axis: int = 0) -> Entries:
    """Tensors side by side."""
    there = [part for part in parts if part.array.size]
    if any(part.known for part in there) or axis % there[0].array.ndim == 0:
        raise UnsupportedError("only neurons of one example stand side by side")
    return there[0].like(np.concatenate([part.array for part in there], axis))


def stack(wiring: Wiring, parts: Sequence[Entries], axis: int = 0) -> Entries:
    """Tensors side by side, along a new axis."""
    return concatenate(
        wiring, [part.like(np.expand_dims(part.array, axis)) for part in parts], axis
    )


def split(wiring: Wiring, x: Entries, sizes: Sequence[int] | int, axis: int = 0) -> list[Entries]:
    """Parts of these sizes, or of this one."""
    whole = x.array.shape[axis]
    ends = range(sizes, whole, sizes) if isinstance(sizes, int) else np.cumsum(sizes)[:-1]
    return [x.like(part) for part in np.split(x.array, ends, axis)]


def pad(wiring: Wiring, x: Entries, pads: Sequence[int], mode: str = "", value: Any = 0) -> Entries:
    """Padding at both ends, the last axis first: with nothing, or from the other end."""
    if value or mode not in ("", "constant", "circular"):
        raise UnsupportedError(f"padding {mode or value!r}: zeros and circular alone are known")
    if min(pads, default=0) < 0:
        raise UnsupportedError("negative padding cuts off: take a slice")
    x = wiring.settled(x)
    ends = [(0, 0)] * (x.array.ndim - len(pads) // 2)
    ends += [(pads[k], pads[k + 1]) for k in range(len(pads) - 2, -1, -2)]
    if mode == "circular":
        return x.like(np.pad(x.array, ends, mode="wrap"))
    return x.like(_padded(x.array, ends[1:]))


def detach(wiring: Wiring, x: Entries) -> Entries:
    """Numbers as they are; of anything else the gradient would be another than the network's."""
    if not x.known or _learns(x):
        raise UnsupportedError("gradients do not flow through it, but do through a network")
    return x


OPERATORS: dict[str, Callable[..., Any]] = {
    "linear": linear,
    "matmul": matmul,
    "mm": matmul,
    "addmm": addmm,
    "conv1d": convolution,
    "conv2d": convolution,
    "conv3d": convolution,
    "avg_pool1d": average_pool,
    "avg_pool2d": average_pool,
    "adaptive_avg_pool1d": adaptive_average_pool,
    "adaptive_avg_pool2d": adaptive_average_pool,
    "mean": mean,
    "add": add,
    "sub": subtract,
    "rsub": lambda wiring, x, y, alpha=1: add(wiring, multiply(wiring, x, -alpha), y),
    "mul": multiply,
    "div": divide,
    "detach": detach,
    "neg": lambda wiring, x: multiply(wiring, x, -1),
    "cat": concatenate,
    "stack": stack,
    "split": split,
    "split_with_sizes": split,
    "_assert_tensor_metadata": lambda wiring, x, *rest, **named: None,
    "pad": pad,
    "constant_pad_nd": lambda wiring, x, pads, value=0: pad(wiring, x, pads, "", value),
    **dict.fromkeys(
        ("clone", "alias", "contiguous", "_to_copy", "to", "dropout", "lift_fresh_copy"),
        lambda wiring, x, *rest, **named: x,
    ),
    **dict.fromkeys(
        ("view", "reshape", "_unsafe_view"), _rearranged(lambda array, size: array.reshape(size))
    ),
    "unsqueeze": _rearranged(np.expand_dims),
    "squeeze": _rearranged(_squeezed),
    "permute": _rearranged(np.transpose),
    "transpose": _rearranged(_swapped),
    "t": _rearranged(_swapped),
    "slice": _rearranged(_slice),
    "select": _rearranged(lambda array, axis, place: array.take(place, axis)),
    "expand": _rearranged(_expanded),
}
"""What is computed of the input, by the name that torch has for it."""


def _needs_weights(weight: Entries, bias: Entries | None) -> None:
    if not weight.known or (bias is not None and not bias.known):
        raise UnsupportedError("its weights depend on the input")


def _learns(weights: Entries) -> bool:
    return any(isinstance(entry, str) for entry in weights.array.flat)


def _biased(wiring: Wiring, x: Entries, bias: Entries | None, axis: int) -> Entries:
    """The forms with the bias of their place along an axis; their arrays are new."""
    if bias is not None:
        for place in np.ndindex(x.array.shape):
            wiring.add(x.array[place], ONE, bias.array[place[axis]])
    return x


def _padded(array: np.ndarray, pads: Sequence[tuple[int, int]]) -> np.ndarray:
    """An array with as many axes more as it has beside these, with forms that read nothing."""
    ends = [(0, 0)] * (array.ndim - len(pads)) + list(pads)
    if not any(map(any, ends)):
        return array
    shape = [n + low + high for n, (low, high) in zip(array.shape, ends, strict=True)]
    whole = empty(tuple(shape))
    inside = zip(array.shape, ends, strict=True)
    whole[tuple(slice(low, low + n) for n, (low, _) in inside)] = array
    return whole


def _each(value: Sequence[int] | int, axes: Any) -> list[int]:
    """One number for each axis."""
    numbers = [value] if isinstance(value, int) else list(value)
    return numbers * len(axes) if len(numbers) == 1 else numbers


MENDS = {
    "max_pool": "take average pooling, or a stride",
    "adaptive_max_pool": "take average pooling",
    "softmax": "leave it to the loss",
    "layer_norm": "at inference it divides by what it reads; take batch normalisation",
    "group_norm": "at inference it divides by what it reads; take batch normalisation",
    "gelu": "take softplus or ReLU",
    "silu": "take softplus or ReLU",
    "elu": "take softplus or ReLU",
}
"""What is often asked for and makes no network, by how its name begins: what to take instead."""
