"""What a layer is: fully connected or a convolution. No weights, no tensors."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from graphs.activations import LINEAR, RELU, Activation
from graphs.convolutions import convolution
from graphs.families import fully_connected
from graphs.network import Network

Shape = tuple[int, ...]
"""Of a layer's neurons: (width,), or (channels, length), (channels, height, width), ..."""


@dataclass(frozen=True)
class Dense:
    """A fully connected layer: `activation(W x)`, or `activation(W x + b)`; what has a shape is
    flattened, channels first.

    Raises ValueError for a width below 1 or an activation that is not piecewise linear.
    """

    width: int
    activation: Activation = RELU
    bias: bool = False

    def __post_init__(self) -> None:
        _check(self.activation, width=self.width)

    def part(self, before: Shape) -> Network:
        """The layer alone, as a graph, without its biases."""
        return fully_connected([prod(before), self.width], output=self.activation)


@dataclass(frozen=True)
class Convolution:
    """A convolution without bias, in as many dimensions as what it reads has.

    channels: out. kernel, stride, padding, dilation: a number for all dimensions or a tuple of
    one for each. mode: what the padding holds, `zero` or `circular`.

    Raises ValueError for channels below 1 or an activation that is not piecewise linear.
    """

    channels: int
    kernel: int | tuple[int, ...]
    stride: int | tuple[int, ...] = 1
    padding: int | tuple[int, ...] = 0
    dilation: int | tuple[int, ...] = 1
    mode: str = "zero"
    activation: Activation = LINEAR

    def __post_init__(self) -> None:
        _check(self.activation, channels=self.channels)

    def sides(self, before: Shape) -> Shape:
        """The filter's size in each dimension."""
        one = isinstance(self.kernel, int)
        return (self.kernel,) * (len(before) - 1) if one else self.kernel  # type: ignore[return-value]  # then a tuple

    def part(self, before: Shape) -> Network:
        """The layer alone, as a graph. Raises graphs.errors.NetworkError where it does not fit."""
        return convolution(
            before[1:],
            (before[0], self.channels),
            self.kernel,
            self.stride,
            self.padding,
            self.dilation,
            self.mode,
            self.activation,
        )


Layer = Dense | Convolution


def slopes_of(activation: Activation) -> tuple[float, float]:
    """The slopes left and right of 0, as float64."""
    left, right = activation.slopes
    return float(left), float(right)


def has_kink(activation: Activation) -> bool:
    """Whether the two slopes differ."""
    left, right = activation.slopes
    return left != right


def _check(activation: Activation, **sizes: int) -> None:
    for what, size in sizes.items():
        if size < 1:
            raise ValueError(f"{what} = {size} of a layer: it must be positive")
    if not activation.homogeneous:
        raise ValueError(f"activation {activation} of a layer: use a piecewise-linear one")
