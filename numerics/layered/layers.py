"""What a layer is: fully connected, convolution, residual block. No weights, no tensors."""

from __future__ import annotations

from dataclasses import dataclass

from graphs.activations import LINEAR, RELU, Activation
from graphs.convolutions import MODES
from graphs.residual import VARIANTS

Shape = tuple[int, ...]
"""Of a layer's neurons: (width,), or (channels, length), (channels, height, width), ..."""


@dataclass(frozen=True)
class Dense:
    """A fully connected layer: `activation(W x)`; what has a shape is flattened, channels first."""

    width: int
    activation: Activation = RELU

    def __post_init__(self) -> None:
        _check_positive("width", self.width)
        _check_homogeneous(self.activation)


@dataclass(frozen=True)
class Convolution:
    """A convolution without bias, in as many dimensions as what it reads has.

    channels: out. kernel, stride, padding, dilation: a number for all dimensions or a tuple of
    one for each. mode: what the padding holds, `zero` or `circular`.
    """

    channels: int
    kernel: int | tuple[int, ...]
    stride: int | tuple[int, ...] = 1
    padding: int | tuple[int, ...] = 0
    dilation: int | tuple[int, ...] = 1
    mode: str = "zero"
    activation: Activation = LINEAR

    def __post_init__(self) -> None:
        _check_positive("channels", self.channels)
        if self.mode not in MODES:
            raise ValueError(f"padding mode {self.mode!r}: use one of {', '.join(MODES)}")
        _check_homogeneous(self.activation)


@dataclass(frozen=True)
class Residual:
    """A residual block `outer(U inner(Y x) + S x)` (Le & Jegelka 2022, Definition 5).

    Y is hidden x a, U is width x hidden; S is by variant `identity` the identity, `diagonal` a
    learnable diagonal matrix, `free` a learnable width x a matrix. width: default a.
    """

    variant: str
    hidden: int
    width: int | None = None
    inner: Activation = RELU
    outer: Activation = RELU

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise ValueError(f"residual block {self.variant!r}: use one of {', '.join(VARIANTS)}")
        _check_positive("hidden", self.hidden)
        if self.width is not None:
            _check_positive("width", self.width)
        _check_homogeneous(self.inner)
        _check_homogeneous(self.outer)


Layer = Dense | Convolution | Residual


def slopes_of(activation: Activation) -> tuple[float, float]:
    """The slopes left and right of 0, as float64."""
    left, right = activation.slopes
    return float(left), float(right)


def has_kink(activation: Activation) -> bool:
    """Whether the two slopes differ."""
    left, right = activation.slopes
    return left != right


def _check_positive(what: str, size: int) -> None:
    if size < 1:
        raise ValueError(f"{what} = {size} of a layer: it must be positive")


def _check_homogeneous(activation: Activation) -> None:
    if not activation.homogeneous:
        raise ValueError(f"activation {activation} of a layer: use a piecewise-linear one")
