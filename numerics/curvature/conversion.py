"""Layered networks from and to `graphs.Network`, for small ones."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import torch
from torch import Tensor

from graphs import activations as known
from graphs.network import Network
from numerics.curvature.architectures import Architecture, Layer
from numerics.curvature.networks import LayeredNetworks

KINDS = {
    "linear": known.LINEAR,
    "relu": known.RELU,
    "tanh": known.TANH,
    "softplus": known.SOFTPLUS,
    "sigmoid": known.SIGMOID,
}
"""The activations that both have."""


def levels(graph: Network) -> list[list[int]]:
    """The vertices that a layer of `from_network` holds, layer 0 first: those of one longest path
    from the inputs and one activation, in the order of the graph.

    Raises ValueError where the inputs are not all in front, or an activation is unknown here.
    """
    members: dict[tuple[int, str], list[int]] = {}
    for v, depth in enumerate(graph.depths):
        kind = graph.activations[v].kind
        if depth and kind not in KINDS:
            raise ValueError(
                f"vertex {graph.names[v]!r} has the activation {kind}: curvature is for "
                f"{', '.join(KINDS)}"
            )
        members.setdefault((depth, kind if depth else ""), []).append(v)
    found = [members[key] for key in sorted(members)]
    if found[0] != list(graph.inputs):
        raise ValueError("the inputs are not all the vertices without in-edges, in order")
    return found


def from_network(graph: Network, weights: Sequence[Sequence[float]]) -> LayeredNetworks:
    """S networks on a graph, in the layers of `levels`, each reading all earlier ones through
    masks. weights: S times P. Inputs that are held constant are inputs like others here: a point
    gives their values.

    Raises ValueError where an edge is fixed or shares its parameter, or the factors are neither
    1/sqrt(in-degree) nor 1 throughout; and as `levels` does.
    """
    if graph.shares_parameters or any(w is not None for w in graph.fixed):
        raise ValueError("edges share parameters or are fixed: give each edge its own")
    members = levels(graph)
    layers = [
        Layer(len(vertices), tuple(range(number)), graph.activations[vertices[0]].kind)
        for number, vertices in enumerate(members[1:], 1)
    ]
    architecture = Architecture(len(members[0]), tuple(layers), _scaling(graph))
    return _filled(graph, architecture, members, torch.as_tensor(weights, dtype=torch.float64))


def _scaling(graph: Network) -> str:
    squares = [(graph.scale_squares[v], len(graph.in_edges[v])) for v in range(graph.vertex_count)]
    if all(degree == 0 or square == Fraction(1, degree) for square, degree in squares):
        return "ntk"
    if all(square == 1 for square, _ in squares):
        return "standard"
    raise ValueError("the factors are neither 1/sqrt(in-degree) at every vertex nor 1 at every one")


def _filled(
    graph: Network, architecture: Architecture, members: list[list[int]], weights: Tensor
) -> LayeredNetworks:
    matrices, masks = [], []
    for number, vertices in enumerate(members[1:], 1):
        columns = {v: j for j, v in enumerate(v for level in members[:number] for v in level)}
        matrix = torch.zeros(len(weights), len(vertices), len(columns), dtype=torch.float64)
        mask = torch.zeros_like(matrix[:1])
        for i, v in enumerate(vertices):
            for e in graph.in_edges[v]:
                j = columns[graph.tails[e]]
                matrix[:, i, j] = weights[:, graph.parameter_of[e]]
                mask[:, i, j] = 1.0
        matrices.append(matrix)
        masks.append(mask)
    return LayeredNetworks(architecture, tuple(matrices), tuple(masks))
