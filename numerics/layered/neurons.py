"""The same network neuron by neuron: as a graph of `graphs`, and the two orders of parameters."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod

import torch

from graphs.composition import compose, without_dead_ends
from graphs.convolutions import convolution
from graphs.families import fully_connected
from graphs.network import Network
from graphs.residual import residual_block
from numerics.layered.layers import Convolution, Dense, Layer, Shape
from numerics.layered.network import LayeredNetwork


@dataclass(frozen=True)
class NeuronLevel:
    """A layered network as a `Network`, whose parameter p is the layered one `order[p]`.

    order: (Q,) int64, one for each of the Q parameters of the `Network`. Parameters that no edge
    carries (those of a filter that only ever lie in the padding) have no place there.
    """

    layered: LayeredNetwork
    network: Network
    order: torch.Tensor

    def to_neurons(self, flat: torch.Tensor) -> torch.Tensor:
        """(B, Q) from (B, P): weights, gradients or velocities."""
        return flat[:, self.order.to(flat.device)]

    def to_layers(self, flat: torch.Tensor) -> torch.Tensor:
        """(B, P) from (B, Q); 0 at the parameters that no edge carries."""
        result = flat.new_zeros(len(flat), self.layered.parameter_count)
        result[:, self.order.to(flat.device)] = flat
        return result


def neuron_level(net: LayeredNetwork) -> NeuronLevel:
    """The network as a graph, composed of the families of `graphs`, under their names.

    Raises graphs.errors.NetworkError where a convolution cannot be unrolled: an output sees the
    padding alone, or circular padding makes two edges from one vertex to another.

    >>> from numerics.layered.layers import Dense
    >>> level = neuron_level(LayeredNetwork((2,), [Dense(2), Dense(1)]))
    >>> level.network.parameter_names[:2], level.order.tolist()
    (('1/w[x1->o1]', '1/w[x2->o1]'), [0, 1, 2, 3, 4, 5])
    """
    parts: list[Network] = []
    places: dict[str, int] = {}
    shape = net.input_shape
    ends = {site.layer: site.shape for site in net.sites}
    for number, layer in enumerate(net.layers, start=1):
        part = _part(layer, shape, ends[number])
        prefix = f"{number}/" if len(net.layers) > 1 else ""
        names = _parameter_names(layer, shape, ends[number])
        for tensor, local in names.items():
            start = net.offsets[f"{number}.{tensor}"]
            places |= {prefix + name: start + place for place, name in enumerate(local)}
        parts.append(part)
        shape = ends[number]
    whole = without_dead_ends(compose(*parts))
    order = [places[name] for name in whole.parameter_names]
    return NeuronLevel(net, whole, torch.tensor(order, dtype=torch.int64))


def _part(layer: Layer, before: Shape, after: Shape) -> Network:
    if isinstance(layer, Dense):
        return fully_connected([prod(before), layer.width], output=layer.activation)
    if isinstance(layer, Convolution):
        return convolution(
            before[1:],
            (before[0], layer.channels),
            layer.kernel,
            layer.stride,
            layer.padding,
            layer.dilation,
            layer.mode,
            layer.activation,
        )
    return residual_block(
        layer.variant, prod(before), layer.hidden, prod(after), layer.inner, layer.outer
    )


def _parameter_names(layer: Layer, before: Shape, after: Shape) -> dict[str, list[str]]:
    """The names that the families give to parameters, in the order of each tensor's entries."""
    if isinstance(layer, Convolution):
        kernel = layer.kernel
        sides = (kernel,) * (len(before) - 1) if isinstance(kernel, int) else tuple(kernel)
        axes = (range(1, n + 1) for n in (layer.channels, before[0], *sides))
        return {"K": [f"k[{','.join(map(str, place))}]" for place in product(*axes)]}
    inputs = [f"x{k + 1}" for k in range(prod(before))]
    count = prod(after)
    outputs = ["o"] if count == 1 else [f"o{k + 1}" for k in range(count)]
    if isinstance(layer, Dense):
        return {"W": _matrix(inputs, outputs)}
    hidden = [f"h{k + 1}" for k in range(layer.hidden)]
    names = {"Y": _matrix(inputs, hidden), "U": _matrix(hidden, outputs)}
    if layer.variant == "diagonal":
        names["D"] = [f"w[{a}->{b}]" for a, b in zip(inputs, outputs, strict=True)]
    if layer.variant == "free":
        names["Z"] = _matrix(inputs, outputs)
    return names


def _matrix(tails: list[str], heads: list[str]) -> list[str]:
    return [f"w[{tail}->{head}]" for head in heads for tail in tails]
