"""Layers laid out as sites: sets of neurons, each with the linear maps that feed it.

A fully connected layer or a convolution is one site, a residual block two: its inner and its outer
neurons. Site 0 is the network's input.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from graphs.activations import LINEAR, Activation
from numerics.layered.layers import Convolution, Dense, Layer, Residual, Shape
from numerics.layered.maps import Diagonal, Filter, Full, Identity, LinearMap


@dataclass(frozen=True)
class Term:
    """A summand of a pre-activation: a map, of the site `source`, with the weights called `name`
    (None where it has none)."""

    source: int
    map: LinearMap
    name: str | None


@dataclass(frozen=True)
class Site:
    """A set of neurons with one activation. layer: the number of its layer, from 1 (0: input)."""

    layer: int
    shape: Shape
    activation: Activation
    terms: tuple[Term, ...]

    @property
    def width(self) -> int:
        """The number of neurons."""
        return prod(self.shape)


def sites_of(input_shape: Shape, layers: tuple[Layer, ...]) -> tuple[Site, ...]:
    """The sites of a sequence of layers, the input first.

    Raises ValueError, naming the layer, where one does not fit what is before it.
    """
    sites = [Site(0, input_shape, LINEAR, ())]
    for number, layer in enumerate(layers, start=1):
        last = len(sites) - 1
        before = sites[last].shape
        if isinstance(layer, Dense):
            term = Term(last, Full(prod(before), layer.width), f"{number}.W")
            sites.append(Site(number, (layer.width,), layer.activation, (term,)))
        elif isinstance(layer, Convolution):
            filter_ = _filter(layer, number, before)
            term = Term(last, filter_, f"{number}.K")
            sites.append(Site(number, filter_.after, layer.activation, (term,)))
        else:
            sites += _block(layer, number, prod(before), last)
    return tuple(sites)


def _block(layer: Residual, number: int, size: int, last: int) -> list[Site]:
    width = size if layer.width is None else layer.width
    if layer.variant != "free" and width != size:
        raise ValueError(
            f"layer {number}, residual block {layer.variant!r} from {size} to {width} neurons: "
            "make both equal, or use 'free'"
        )
    skip = {
        "identity": Term(last, Identity(width), None),
        "diagonal": Term(last, Diagonal(width), f"{number}.D"),
        "free": Term(last, Full(size, width), f"{number}.Z"),
    }[layer.variant]
    first = Term(last, Full(size, layer.hidden), f"{number}.Y")
    second = Term(last + 1, Full(layer.hidden, width), f"{number}.U")
    return [
        Site(number, (layer.hidden,), layer.inner, (first,)),
        Site(number, (width,), layer.outer, (second, skip)),
    ]


def _filter(layer: Convolution, number: int, before: Shape) -> Filter:
    if len(before) < 2:
        raise ValueError(
            f"layer {number} is a convolution, but what is before it has the shape {before}: "
            "give (channels, length), (channels, height, width), ..."
        )

    def each(what: str, value: int | tuple[int, ...], least: int) -> tuple[int, ...]:
        values = (value,) * (len(before) - 1) if isinstance(value, int) else tuple(value)
        if len(values) != len(before) - 1 or min(values) < least:
            raise ValueError(
                f"layer {number}: {what} {values} for the shape {before}: give one for each "
                f"dimension, at least {least}"
            )
        return values

    return Filter(
        before,
        layer.channels,
        each("kernel", layer.kernel, 1),
        each("stride", layer.stride, 1),
        each("padding", layer.padding, 0),
        each("dilation", layer.dilation, 1),
        layer.mode == "circular",
    )
