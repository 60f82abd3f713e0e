"""What a family of networks gives at one width: an architecture and which of its edges there are.

Axes: G graphs (1 that all networks have, or one for each network), layers 1 to L. Inputs stay
within |x|_inf <= 1 unless they are Gaussian.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from numerics.curvature.architectures import Architecture
from numerics.curvature.networks import LayeredNetworks, draw

Parts = tuple[Tensor | None, ...]

POINTS = ("uniform", "signs", "gaussian")


@dataclass(frozen=True)
class Wiring:
    """An architecture; masks and ties as in LayeredNetworks, (1 or S, d_l, s_l) each or None."""

    architecture: Architecture
    masks: Parts = ()
    ties: Parts = ()

    def __post_init__(self) -> None:
        for name in ("masks", "ties"):
            if not getattr(self, name):
                object.__setattr__(self, name, (None,) * self.architecture.depth)

    def draw(self, count: int, generator: torch.Generator) -> LayeredNetworks:
        """S networks with standard normal weights (see `networks.draw`).

        Raises ValueError where there are several graphs, and not S of them.
        """
        graphs = max((len(p) for p in (*self.masks, *self.ties) if p is not None), default=1)
        if graphs not in (1, count):
            raise ValueError(f"{graphs} graphs for {count} networks")
        return draw(self.architecture, count, generator, masks=self.masks, ties=self.ties)

    def degrees(self, layer: int) -> Tensor:
        """(G, d_l): the in-degrees in a layer, 1 to L; zero padding counts."""
        rows, columns = self.architecture.shapes[layer - 1]
        counted, mask = self.architecture.layers[layer - 1].degree, self.masks[layer - 1]
        if counted or mask is None:
            return torch.full((1, rows), counted or columns, dtype=torch.float64)
        return mask.sum(dim=2)

    def width(self, *, output: bool = True) -> int | None:
        """The smallest in-degree outside of the layers 0 and 1, over all graphs (Definition 2.7 of
        Zhu, Liu and Belkin 2022); output: whether layer L counts (their words) or not (their
        formula). None where there is no such vertex."""
        last = self.architecture.depth + int(output)
        return min((int(self.degrees(layer).min()) for layer in range(2, last)), default=None)

    def mask(self, layer: int) -> Tensor:
        """(G, d_l, s_l): the mask of a layer, 1 to L, written out."""
        mask = self.masks[layer - 1]
        if mask is not None:
            return mask
        return torch.ones(1, *self.architecture.shapes[layer - 1], dtype=torch.float64)

    def columns(self, layer: int) -> dict[int, slice]:
        """Where the vertices of each source stand among what a layer, 1 to L, reads."""
        places, at = {}, 0
        for source in self.architecture.layers[layer - 1].sources:
            width = self.architecture.widths[source]
            places[source] = slice(at, at + width)
            at += width
        return places


def points(inputs: int, number: int = 1, kind: str = "uniform", *, seed: int = 0) -> Tensor:
    """(N, d_0): fixed points, the same at every width: entries uniform in [-1, 1], "signs" +-1,
    or "gaussian", which no bound holds.

    Raises ValueError for another kind.
    """
    generator = torch.Generator().manual_seed(seed)
    if kind not in POINTS:
        raise ValueError(f"points {kind!r}: one of {', '.join(POINTS)}")
    if kind == "gaussian":
        return torch.randn(number, inputs, generator=generator, dtype=torch.float64)
    draws = 2 * torch.rand(number, inputs, generator=generator, dtype=torch.float64) - 1
    return draws if kind == "uniform" else torch.where(draws < 0, -1.0, 1.0)


def generator_of(numbers: np.random.Generator) -> torch.Generator:
    """A torch generator whose seed NumPy's draws."""
    return torch.Generator().manual_seed(int(numbers.integers(2**62)))
