"""Convolutions unrolled into graphs, in one, two or more dimensions, with shared parameters.

The edges of all positions that a filter takes share the filter's parameters. As in machine
learning the filter is not mirrored: `y[c, i] = sum over b, a of k[c, b, a] x[b, i s - p + a d]`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from graphs.activations import LINEAR, Activation
from graphs.errors import NetworkError
from graphs.network import Edge, Network, network

MODES = ("zero", "circular")


def convolution(
    size: int | Sequence[int],
    channels: tuple[int, int],
    kernel: int | Sequence[int],
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    mode: str = "zero",
    activation: Activation = LINEAR,
) -> Network:
    """A convolutional layer as a network.

    size: of the input, one number for each dimension (one number: one dimension). channels: in
    and out. kernel, stride, padding, dilation: one number for each dimension, or one for all.
    padding is added at both ends; 0 is none. mode: what the padding holds: `zero` (the edge is
    simply absent) or `circular` (the other end of the input).

    Vertices, numbered from 1: `x[c,i]` and `y[c,i]` (`x[c,i,j]` in two dimensions), channel by
    channel and row by row, which is the order of a flattened tensor. Parameters: `k[c,b,a]` with c
    the channel out, b the channel in, a the place in the filter. A parameter that lies in the
    padding wherever the filter is put belongs to no edge, and is left out.

    Raises NetworkError when a number is out of range, the filter does not fit, an output would
    see the padding alone, or circular padding would make two edges from one vertex to another.

    >>> str(convolution(5, (1, 2), kernel=3, stride=2))
    'convolution 5, 1 to 2 channels (9 vertices, 12 edges, 6 parameters)'
    """
    shape = (size,) if isinstance(size, int) else tuple(size)
    kernels = _for_each(shape, "kernel", kernel, least=1)
    steps = _for_each(shape, "stride", stride, least=1)
    pads = _for_each(shape, "padding", padding, least=0)
    spreads = _for_each(shape, "dilation", dilation, least=1)
    if not shape or min(shape) < 1 or min(channels) < 1:
        raise NetworkError(
            f"convolution of size {shape}, channels {channels}: all must be positive"
        )
    if mode not in MODES:
        raise NetworkError(f"padding mode {mode!r}: use one of {', '.join(MODES)}")
    positions = output_shape(shape, kernels, steps, pads, spreads)
    axes = list(zip(shape, positions, kernels, steps, pads, spreads, strict=True))
    along = [list(_taps(axis, mode == "circular")) for axis in axes]
    parameters: dict[Edge, str] = {}
    for (b, c), taps in product(product(*map(range, channels)), product(*along)):
        outs, ins, places = zip(*taps, strict=True)
        edge = (_name("x", b, ins), _name("y", c, outs))
        if edge in parameters:
            raise NetworkError(
                f"circular padding makes two edges {edge[0]}->{edge[1]}: take a kernel that spans "
                f"less than the input, {shape}"
            )
        parameters[edge] = _name("k", c, (b, *places))
    outputs = list(_names("y", channels[1], positions))
    entered = {head for _, head in parameters}
    for name in outputs:
        if name not in entered:
            raise NetworkError(f"output {name} sees the padding alone: make the padding smaller")
    return network(
        parameters,
        inputs=list(_names("x", channels[0], shape)),
        outputs=outputs,
        activations=dict.fromkeys(outputs, activation),
        parameters=parameters,
        title=f"convolution {'x'.join(map(str, shape))}, {channels[0]} to {channels[1]} channels",
    )


def output_shape(
    size: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
) -> tuple[int, ...]:
    """The number of positions of the filter along each dimension.

    Raises NetworkError when the filter is larger than the padded input.

    >>> output_shape([224, 224], [11, 11], [4, 4], [0, 0], [1, 1])
    (54, 54)
    """
    counts = []
    for n, k, s, p, d in zip(size, kernel, stride, padding, dilation, strict=True):
        room = n + 2 * p - d * (k - 1) - 1
        if room < 0:
            raise NetworkError(
                f"a filter of {k} places {d} apart spans {d * (k - 1) + 1}, the input with padding "
                f"{n + 2 * p}: take a smaller filter or more padding"
            )
        counts.append(room // s + 1)
    return tuple(counts)


def _taps(axis: tuple[int, ...], circular: bool) -> Iterator[tuple[int, int, int]]:
    """Along one dimension: which output reads which input at which place of the filter.

    axis: size, positions, kernel, stride, padding, dilation.
    """
    n, positions, k, s, p, d = axis
    if circular and p > n:
        raise NetworkError(f"circular padding {p} of an input of size {n}: at most {n}")
    for out, place in product(range(positions), range(k)):
        seen = out * s - p + place * d
        if circular or 0 <= seen < n:
            yield out, seen % n, place


def _for_each(
    shape: Sequence[int], what: str, value: int | Sequence[int], least: int
) -> tuple[int, ...]:
    values = (value,) * len(shape) if isinstance(value, int) else tuple(value)
    if len(values) != len(shape):
        raise NetworkError(f"{what} {values} for a size {shape}: give one for each dimension")
    if any(v < least for v in values):
        raise NetworkError(f"{what} {values}: at least {least} in each dimension")
    return values


def _name(letter: str, channel: int, place: Sequence[int]) -> str:
    return f"{letter}[{','.join(str(k + 1) for k in (channel, *place))}]"


def _names(letter: str, channels: int, shape: Sequence[int]) -> Iterator[str]:
    for channel, place in product(range(channels), product(*map(range, shape))):
        yield _name(letter, channel, place)
