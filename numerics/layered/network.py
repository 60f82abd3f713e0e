"""A network of layers, in a batch of B instances: values, gradients, tangents.

All weights are one float64 tensor (B, P), instance by instance; `views` names the matrices and
tensors in it. Where a pass takes `slopes`, the activation pattern is prescribed: the network is
then the polynomial in its weights that it is on that pattern.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
import torch

from graphs.activations import LINEAR, RELU, Activation
from graphs.network import Network
from numerics.layered.layers import Convolution, Dense, Layer, Shape, has_kink, slopes_of
from numerics.layered.maps import Full, Tied


@dataclass(frozen=True)
class State:
    """What a pass found, by layer: pre, post (B, n, width) and slopes of the same shape (None
    where the activation is linear). At the input, layer 0, `pre` and `post` are the input."""

    pre: tuple[torch.Tensor, ...]
    post: tuple[torch.Tensor, ...]
    slopes: tuple[torch.Tensor | None, ...]

    @property
    def outputs(self) -> torch.Tensor:
        """(B, n, outputs)."""
        return self.post[-1]


class LayeredNetwork:
    """A sequence of layers on an input of a given shape.

    input_shape: (d,), or (channels, *size). Inputs are (n, d) for all instances or (B, n, d),
    flat, channels first. Everything else is float64 on the device of the weights.

    Raises ValueError where there are no layers, or a convolution reads what has no channels, and
    graphs.errors.NetworkError where a filter does not fit what is before it.

    >>> from numerics.layered.layers import Convolution, Dense
    >>> net = LayeredNetwork((1, 8, 8), [Convolution(2, 3, stride=2), Dense(5), Dense(1)])
    >>> net.shapes
    {'1.K': (2, 1, 3, 3), '2.W': (5, 18), '3.W': (1, 5)}
    """

    def __init__(self, input_shape: Sequence[int], layers: Sequence[Layer]) -> None:
        self.layers: tuple[Layer, ...] = tuple(layers)
        if not self.layers or not input_shape or min(input_shape) < 1:
            raise ValueError(
                f"{len(self.layers)} layers on the shape {tuple(input_shape)}: give at least one "
                "layer, and a shape of positive sizes"
            )
        self.ends: list[Shape] = [tuple(input_shape)]  # the shape of each layer, the input first
        self.maps: list[Full] = []
        for number, layer in enumerate(self.layers, 1):
            before = self.ends[-1]
            if isinstance(layer, Dense):
                self.maps.append(Full(layer.width, prod(before)))
                self.ends.append((layer.width,))
            else:
                found, shape = _convolution(layer, number, before)
                self.maps.append(found)
                self.ends.append(shape)

    def __repr__(self) -> str:
        return f"LayeredNetwork({self.ends[0]}, {list(self.layers)})"

    # weights -------------------------------------------------------------------------------------
    @cached_property
    def names(self) -> list[tuple[str, str | None]]:
        """Of each layer the names of its weights and of its biases, if it has any."""
        found = []
        for number, layer in enumerate(self.layers, 1):
            kind = "W" if isinstance(layer, Dense) else "K"
            bias = isinstance(layer, Dense) and layer.bias
            found.append((f"{number}.{kind}", f"{number}.b" if bias else None))
        return found

    @cached_property
    def shapes(self) -> dict[str, Shape]:
        """The shape of each weight tensor of one instance, by name, in their order."""
        found: dict[str, Shape] = {}
        for (weight, bias), map_ in zip(self.names, self.maps, strict=True):
            found[weight] = map_.shape
            if bias:
                found[bias] = (map_.width,)
        return found

    @cached_property
    def parameter_count(self) -> int:
        """P."""
        return sum(self._sizes)

    @cached_property
    def _sizes(self) -> list[int]:
        return [prod(shape) for shape in self.shapes.values()]

    @property
    def inputs(self) -> int:
        """The number of inputs."""
        return prod(self.ends[0])

    @property
    def outputs(self) -> int:
        """The number of outputs."""
        return prod(self.ends[-1])

    def views(self, weights: torch.Tensor) -> dict[str, torch.Tensor]:
        """The weight tensors (B, *shape) by name; views of (B, P).

        Raises ValueError for another shape or dtype.
        """
        if weights.ndim != 2 or weights.shape[1] != self.parameter_count:
            raise ValueError(
                f"weights have shape {tuple(weights.shape)}: give (instances, "
                f"{self.parameter_count})"
            )
        if weights.dtype != torch.float64:
            raise ValueError(f"weights are {weights.dtype}: give float64")
        parts = zip(self.shapes.items(), weights.split(self._sizes, dim=1), strict=True)
        return {name: part.view(-1, *shape) for (name, shape), part in parts}

    # passes --------------------------------------------------------------------------------------
    def forward(
        self, weights: torch.Tensor, inputs: torch.Tensor, slopes: torch.Tensor | None = None
    ) -> State:
        """The values of all layers. slopes: (B, n, U), as `pattern` gives them, or None for those
        of the pre-activations (right of 0 at 0)."""
        x = self._expanded(inputs, len(weights))
        pre, post = [x], [x]
        used: list[torch.Tensor | None] = [None]
        given = self._by_layer(slopes) if slopes is not None else {}
        for number, (matrix, bias) in enumerate(self._affine(weights), 1):
            z = torch.matmul(x, matrix.mT) if bias is None else torch.baddbmm(bias, x, matrix.mT)
            slope = given.get(number)
            if slope is None and number in self._slopes:
                slope = torch.where(z < 0, *self._slopes[number])
            x = z if slope is None else slope * z
            pre.append(z)
            post.append(x)
            used.append(slope)
        return State(tuple(pre), tuple(post), tuple(used))

    def backward(
        self, weights: torch.Tensor, state: State, cotangents: torch.Tensor
    ) -> torch.Tensor:
        """(B, P): the gradient of the sum of cotangents * outputs. cotangents: (B, n, outputs),
        taken as constant."""
        parts: list[torch.Tensor] = []
        g, affine = cotangents, self._affine(weights)
        for number in range(len(self.layers), 0, -1):
            slope, (matrix, bias) = state.slopes[number], affine[number - 1]
            g = g if slope is None else g * slope
            if bias is not None:
                parts.append(g.sum(dim=1))
            outer = torch.matmul(g.mT, state.post[number - 1])
            parts.append(self.maps[number - 1].collected(outer).flatten(1))
            if number > 1:
                g = torch.matmul(g, matrix)
        return torch.cat(parts[::-1], dim=1)

    def tangent(
        self, weights: torch.Tensor, state: State, direction: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        """The rates of change of all pre-activations along `direction` (B, P), by layer, with the
        slopes of the state."""
        moved = torch.zeros_like(state.pre[0])
        rates = [moved]
        pairs = zip(self._affine(weights), self._affine(direction), strict=True)
        for number, ((matrix, _), (change, shift)) in enumerate(pairs, 1):
            rate = torch.matmul(state.post[number - 1], change.mT)
            rate = rate if shift is None else rate + shift
            rate = rate + torch.matmul(moved, matrix.mT) if number > 1 else rate
            slope = state.slopes[number]
            rates.append(rate)
            moved = rate if slope is None else slope * rate
        return tuple(rates)

    def _affine(self, weights: torch.Tensor) -> list[tuple[torch.Tensor, torch.Tensor | None]]:
        """Of each layer the matrices (B, width, size) and the biases (B, 1, width), if any."""
        views = self.views(weights)
        return [
            (map_.matrix(views[weight]), views[bias][:, None] if bias else None)
            for map_, (weight, bias) in zip(self.maps, self.names, strict=True)
        ]

    # patterns ------------------------------------------------------------------------------------
    @cached_property
    def kinked(self) -> tuple[int, ...]:
        """The layers, from 1, whose activation has two slopes."""
        return tuple(n for n, layer in enumerate(self.layers, 1) if has_kink(layer.activation))

    @cached_property
    def _slopes(self) -> dict[int, tuple[torch.Tensor, float]]:
        """Left and right of 0, of the kinked layers."""
        pairs = {number: slopes_of(self.layers[number - 1].activation) for number in self.kinked}
        return {n: (torch.tensor(left).double(), right) for n, (left, right) in pairs.items()}

    @cached_property
    def _widths(self) -> list[int]:
        return [self.maps[number - 1].width for number in self.kinked]

    @cached_property
    def units(self) -> int:
        """U: the number of neurons of kinked layers."""
        return sum(self._widths)

    def at_kinks(self, by_layer: Sequence[torch.Tensor]) -> torch.Tensor:
        """(B, n, U): the tensors of the kinked layers (pre-activations, their rates) as one."""
        if not self.kinked:
            return by_layer[0].new_zeros((*by_layer[0].shape[:2], 0))
        return torch.cat([by_layer[number] for number in self.kinked], dim=2)

    def pattern(self, state: State) -> torch.Tensor:
        """(B, n, U): the slopes that a pass used in the kinked layers."""
        return self.at_kinks([state.pre[0] if s is None else s for s in state.slopes])

    @cached_property
    def slope_pairs(self) -> torch.Tensor:
        """(U, 2): the slopes left and right of 0 at the neurons of the kinked layers."""
        pairs = [slopes_of(self.layers[number - 1].activation) for number in self.kinked]
        table = torch.tensor(pairs, dtype=torch.float64).view(-1, 2)
        return table.repeat_interleave(torch.tensor(self._widths, dtype=torch.int64), dim=0)

    def _by_layer(self, slopes: torch.Tensor) -> dict[int, torch.Tensor]:
        return dict(zip(self.kinked, slopes.split(self._widths, dim=2), strict=True))

    def _expanded(self, inputs: torch.Tensor, instances: int) -> torch.Tensor:
        shared = inputs if inputs.ndim == 3 else inputs[None]
        if shared.ndim != 3 or shared.shape[2] != self.inputs or len(shared) not in (1, instances):
            raise ValueError(
                f"inputs have shape {tuple(inputs.shape)}: give (n, {self.inputs}) or "
                f"({instances}, n, {self.inputs})"
            )
        return shared.expand(instances, -1, -1)


def perceptron(widths: Sequence[int], activation: Activation = RELU) -> LayeredNetwork:
    """Fully connected with biases, of widths n_0 to n_L; the last layer is linear.

    >>> perceptron([2, 3, 1]).parameter_count
    13
    """
    activations = [activation] * (len(widths) - 2) + [LINEAR]
    pairs = zip(widths[1:], activations, strict=True)
    return LayeredNetwork(widths[:1], [Dense(width, one, bias=True) for width, one in pairs])


def filter_names(layer: Convolution, before: Shape) -> list[str]:
    """What the graph of a convolution calls the entries of its filter, in their order."""
    shape = (layer.channels, before[0], *layer.sides(before))
    return [f"k[{','.join(str(k + 1) for k in place)}]" for place in np.ndindex(*shape)]


def _convolution(layer: Convolution, number: int, before: Shape) -> tuple[Tied, Shape]:
    """The matrix of a convolution, read off its graph, and the shape of what it gives."""
    if len(before) < 2:
        raise ValueError(
            f"layer {number} is a convolution, but what is before it has the shape {before}: "
            "give (channels, length), (channels, height, width), ..."
        )
    graph: Network = layer.part(before)
    places = {name: place for place, name in enumerate(filter_names(layer, before))}
    row = {vertex: place for place, vertex in enumerate(graph.outputs)}
    column = {vertex: place for place, vertex in enumerate(graph.inputs)}
    numbers = np.full((len(row), len(column)), -1)
    for edge, (tail, head) in enumerate(zip(graph.tails, graph.heads, strict=True)):
        name = graph.parameter_names[graph.parameter_of[edge]]
        numbers[row[head], column[tail]] = places[name]
    last = graph.names[graph.outputs[-1]]  # y[channels, ...]: how many there are of each
    shape = (layer.channels, before[0], *layer.sides(before))
    return Tied(numbers, shape), tuple(map(int, last[2:-1].split(",")))
