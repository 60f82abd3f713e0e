"""What the networks of a family are at every width: graph, depth, activation, outputs, and the
radius of the ball in which they are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import torch

    from numerics.curvature.wirings import Wiring

INPUTS = 4
NAMES = {
    "fcn": "fully connected",
    "unequal": "fully connected, hidden sizes m and m^1.5",
    "densenet": "DenseNet",
    "dropped": "DenseNet with half of the edges",
    "random": "random DAG, in-degrees m",
    "spread": "random DAG, in-degrees from m to m^1.5",
}


class Setting(NamedTuple):
    """One family. kind: of NAMES; depth: L; outputs: d_L; radius: R."""

    kind: str
    depth: int
    activation: str
    radius: float = 1.0
    outputs: int = 1

    @property
    def name(self) -> str:
        """In words."""
        several = "" if self.outputs == 1 else f", {self.outputs} outputs"
        return (
            f"{NAMES[self.kind]}, L = {self.depth}{several}, {self.activation}, R = {self.radius:g}"
        )

    @property
    def key(self) -> str:
        """Under which what is drawn of it is shared."""
        several = "" if self.outputs == 1 else f" {self.outputs}"
        return f"{self.kind} {self.depth}{several} {self.activation} {self.radius}"

    def wiring(self, width: int, seeds: int, generator: torch.Generator) -> Wiring:
        """Graphs whose typical in-degree after the first layer is `width`.

        Raises ValueError for an unknown family.
        """
        from numerics.curvature import families

        more: dict[str, Any] = {
            "depth": self.depth,
            "inputs": INPUTS,
            "outputs": self.outputs,
            "activation": self.activation,
        }
        if self.kind == "fcn":
            return families.fcn(width, **more)
        if self.kind == "unequal":
            return families.fcn(width, powers=(1.0, 1.5, 1.0)[: self.depth - 1], **more)
        if self.kind == "densenet":  # layer 2 reads the inputs too
            return families.densenet(width - INPUTS, **more)
        if self.kind == "dropped":  # half of the edges stay
            return families.densenet_drop(2 * width - INPUTS, seeds, generator, **more)
        if self.kind == "random":
            return families.random_dag(width, seeds, generator, most=1.0, **more)
        if self.kind == "spread":
            return families.random_dag(width, seeds, generator, most=1.5, **more)
        raise ValueError(f"family {self.kind!r}: unknown")
