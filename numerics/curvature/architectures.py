"""Architectures: layers of vertices, what each reads, and the factors of pre-activations.

Vertices stand in layers 0 (the inputs) to L; see numerics.curvature.networks for what they compute.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from numerics.curvature.activations import ACTIVATIONS

SCALINGS = ("ntk", "standard")
SKIPS = ("neurons", "preactivations")


@dataclass(frozen=True)
class Layer:
    """A layer of `width` vertices that reads the layers `sources` (numbers, 0 is the inputs).

    skips: none, or for each vertex (layer, vertex) of what is added to its pre-activation. degree:
    what stands in the factors for the in-degree of each vertex, where that is not the number of
    its edges (zero padding counts, dropped edges may), else 0.
    """

    width: int
    sources: tuple[int, ...]
    activation: str = "tanh"
    skips: tuple[tuple[int, int], ...] = ()
    degree: int = 0


@dataclass(frozen=True)
class Architecture:
    """`inputs` input vertices and layers 1 to L. scaling: "ntk" or "standard"; skip_from: whether
    skips add "neurons" (reading A of Appendix D) or "preactivations" (reading B).

    Raises ValueError where a layer reads nothing, or a layer that is not before it, or the names
    or sizes do not fit.
    """

    inputs: int
    layers: tuple[Layer, ...]
    scaling: str = "ntk"
    skip_from: str = "neurons"

    def __post_init__(self) -> None:
        if self.scaling not in SCALINGS or self.skip_from not in SKIPS:
            raise ValueError(f"scaling {self.scaling!r}, skips from {self.skip_from!r}: unknown")
        if not self.layers or self.inputs < 1:
            raise ValueError("give an input and a layer at least")
        for number, layer in enumerate(self.layers, 1):
            _check_layer(self, number, layer)

    @property
    def depth(self) -> int:
        """L."""
        return len(self.layers)

    @property
    def widths(self) -> tuple[int, ...]:
        """d_0 to d_L."""
        return (self.inputs, *(layer.width for layer in self.layers))

    @cached_property
    def shapes(self) -> tuple[tuple[int, int], ...]:
        """(d_l, all vertices of the sources), for the layers 1 to L."""
        widths = self.widths
        return tuple((y.width, sum(widths[source] for source in y.sources)) for y in self.layers)

    @property
    def parameter_count(self) -> int:
        """P: one for each entry of each matrix, dropped edges included (their weight is 0)."""
        return sum(rows * columns for rows, columns in self.shapes)


def _check_layer(architecture: Architecture, number: int, layer: Layer) -> None:
    if layer.width < 1 or not layer.sources or layer.activation not in ACTIVATIONS:
        raise ValueError(f"layer {number}: width, sources or activation wrong: {layer}")
    if layer.degree < 0:
        raise ValueError(f"layer {number}: degree {layer.degree}: 0, or what counts as in-degree")
    if list(layer.sources) != sorted(set(layer.sources)):
        raise ValueError(f"layer {number}: sources {layer.sources}: give each once, ascending")
    if not 0 <= layer.sources[0] <= layer.sources[-1] < number:
        raise ValueError(f"layer {number} reads layers {layer.sources}: only earlier ones")
    if layer.skips and len(layer.skips) != layer.width:
        raise ValueError(f"layer {number}: {len(layer.skips)} skips for {layer.width} vertices")
    for source, vertex in layer.skips:
        if not (0 <= source < number and 0 <= vertex < architecture.widths[source]):
            raise ValueError(f"layer {number}: no vertex {vertex} in a layer {source} before it")


def fully_connected(
    widths: Sequence[int], activation: str = "tanh", *, scaling: str = "ntk", output: str = "linear"
) -> Architecture:
    """Widths d_0 to d_L; each layer reads the one before it.

    >>> fully_connected([3, 5, 1]).parameter_count
    20
    """
    kinds = [activation] * (len(widths) - 2) + [output]
    layers = [
        Layer(d, (n,), kind) for n, (d, kind) in enumerate(zip(widths[1:], kinds, strict=True))
    ]
    return Architecture(widths[0], tuple(layers), scaling)


def dense_net(
    widths: Sequence[int], activation: str = "tanh", *, scaling: str = "ntk", output: str = "linear"
) -> Architecture:
    """Widths d_0 to d_L; each layer reads all earlier ones, the inputs included."""
    plain = fully_connected(widths, activation, scaling=scaling, output=output)
    layers = [replace(y, sources=tuple(range(n))) for n, y in enumerate(plain.layers, 1)]
    return replace(plain, layers=tuple(layers))
