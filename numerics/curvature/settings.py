"""What all families of networks leave to the caller: depth, inputs, outputs, kinds, factors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from numerics.curvature.architectures import Architecture, dense_net, fully_connected


class Kinds(TypedDict, total=False):
    """The fields of `Setting` but for the inputs, as keywords."""

    depth: int
    outputs: int
    activation: str
    output: str
    scaling: str


class Options(Kinds, total=False):
    """All fields of `Setting`, as keywords."""

    inputs: int


@dataclass(frozen=True)
class Setting:
    """depth: L, the layers after the inputs; inputs: d_0; outputs: d_L; activation: of the hidden
    layers; output: that of the last layer; scaling: "ntk" or "standard"."""

    depth: int = 3
    inputs: int = 8
    outputs: int = 1
    activation: str = "tanh"
    output: str = "linear"
    scaling: str = "ntk"

    def widths(self, hidden: Sequence[int]) -> list[int]:
        """d_0 to d_L around hidden sizes."""
        return [self.inputs, *hidden, self.outputs]

    def connected(self, hidden: Sequence[int]) -> Architecture:
        """Fully connected with these hidden sizes."""
        widths = self.widths(hidden)
        return fully_connected(widths, self.activation, scaling=self.scaling, output=self.output)

    def dense(self, hidden: Sequence[int]) -> Architecture:
        """The same, each layer reading all earlier ones."""
        widths = self.widths(hidden)
        return dense_net(widths, self.activation, scaling=self.scaling, output=self.output)
