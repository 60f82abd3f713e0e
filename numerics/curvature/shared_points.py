"""Hessians at single points where edges share weights, on the same short vectors.

With T from the distinct weights to the edges, the Hessian is T^T H T, so that T^T Phi stands in
place of Phi of numerics.curvature.point_operators: S is the same, and G = Phi^T T T^T Phi sums over
the edges of each weight, and back. T^T Phi takes more to 0 than Phi does, so G has no root here.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.curvature.operators import FullHessians, Operator
from numerics.curvature.passes import Pass
from numerics.curvature.point_operators import PointHessians


def one_graph(found: Pass) -> bool:
    """Whether a pass has one point a lane and shared weights, the same ones in all networks."""
    ties = [tie for tie in found.networks.ties if tie is not None]
    return found.lanes[2] == 1 and bool(ties) and all(len(tie) == 1 for tie in ties)


@dataclass(frozen=True)
class SharedPointHessians(PointHessians):
    """The Hessians with respect to the distinct weights, on vectors of D numbers.

    `weights` is the diagonal of Phi^T Phi: that of G where no vertex uses a weight twice.

    Raises ValueError for a pass with several points.
    """

    def __post_init__(self) -> None:
        self._check_points()

    def gram(self, vectors: Tensor) -> Tensor:
        """G x."""
        return self.transposed(self.weights_of(vectors))

    def transposed(self, vectors: Tensor) -> Tensor:
        """Phi^T T v, (S, K, D), for weights v (S, K, P)."""
        matrices, parts = self.found.networks.spread(vectors), []
        for block in self.blocks:
            matrix = matrices[block.number - 1]
            parts.append((matrix @ block.read[..., None])[..., 0])
            if block.reads:
                q = (block.delta[:, :, None] @ matrix)[:, :, 0]
                q[..., : block.inputs] = 0.0
                parts.append(q)
        return torch.cat(parts, dim=2)

    def image(self, vectors: Tensor) -> Tensor:
        """(S, K, D): the coordinates of H v, for weights v (S, K, P)."""
        return self.product(self.transposed(vectors))

    def isotropic(self, generator: torch.Generator) -> tuple[Operator, Tensor]:
        """On all weights."""
        return FullHessians(self.found).isotropic(generator)

    def dense(self, seed: int, lane: int) -> Tensor:
        """(P, P), over all weights."""
        return FullHessians(self.found).dense(seed, lane)
