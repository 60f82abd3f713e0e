"""The same network neuron by neuron: as a graph of `graphs`, and the two orders of parameters."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from math import prod

import torch

from graphs.composition import compose, without_dead_ends
from graphs.network import Network
from numerics.layered.layers import Convolution
from numerics.layered.network import LayeredNetwork, filter_names


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

    Raises ValueError where a layer has biases.

    >>> from numerics.layered.layers import Dense
    >>> level = neuron_level(LayeredNetwork((2,), [Dense(2), Dense(1)]))
    >>> level.network.parameter_names[:2], level.order.tolist()
    (('1/w[x1->o1]', '1/w[x2->o1]'), [0, 1, 2, 3, 4, 5])
    """
    if any(bias for _, bias in net.names):
        raise ValueError("the neurons of a network with biases: only layers without them have some")
    parts: list[Network] = []
    places: dict[str, int] = {}
    starts = accumulate((prod(shape) for shape in net.shapes.values()), initial=0)
    for number, (layer, start, before) in enumerate(
        zip(net.layers, starts, net.ends, strict=False), 1
    ):
        part = layer.part(before)
        names = part.parameter_names
        if isinstance(layer, Convolution):
            names = tuple(filter_names(layer, before))
        prefix = f"{number}/" if len(net.layers) > 1 else ""
        places |= {prefix + name: start + place for place, name in enumerate(names)}
        parts.append(part)
    whole = without_dead_ends(compose(*parts))
    order = [places[name] for name in whole.parameter_names]
    return NeuronLevel(net, whole, torch.tensor(order, dtype=torch.int64))
