"""Networks of small norm that take given values at given points: bounds on a representation cost.

Augmented Lagrangian: |theta|^2 + <multipliers, f - y> + weight |f - y|^2 / 2, lowered by L-BFGS,
the multipliers moved by the residual, from many starts at once. What is found is an upper bound as
far as the remaining residual says; L |Jf|_(2/L)^(2/L) at the points is the lower bound beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.deep.balance import balanced
from numerics.deep.networks import DeepNetworks, from_flat
from numerics.deep.passes import batched_points, jacobians, layers
from numerics.deep.training import Options, train

ROUNDS = 14
GROWTH = 2.0


@dataclass(frozen=True)
class LeastNorm:
    """networks: the starts' ends, balanced. norms, residuals, lower: (C,), |theta|^2, the largest
    |f - y| over the points, and the largest of L |Jf(x)|_(2/L)^(2/L) over them."""

    networks: DeepNetworks
    norms: Tensor
    residuals: Tensor
    lower: Tensor

    def best(self, tolerance: float) -> int | None:
        """The number of the one of least norm among those that fit so well; None if none does."""
        fits = torch.nonzero(self.residuals <= tolerance).flatten()
        return int(fits[self.norms[fits].argmin()]) if len(fits) else None


def least_norm(
    start: DeepNetworks, inputs: Tensor, targets: Tensor, *, steps: int = 150
) -> LeastNorm:
    """From starts to small norms with f = y on inputs (N, n_0), targets (N, n_L). steps: of L-BFGS
    in each of the rounds.

    The multipliers enter as a shift of the targets: completing the square turns the augmented
    Lagrangian into the squared error of shifted targets plus the norm, which `train` lowers.
    """
    points = batched_points(start, inputs)
    wanted = targets.to(start.device).expand(start.count, *targets.shape)
    count, weight = points.shape[1], 10.0
    shift = torch.zeros_like(wanted)
    current = start
    for number in range(ROUNDS):
        options = Options(
            ridge=1 / (weight * count), adam=0 if number else 500, lbfgs=steps, tolerance=1e-12
        )
        current = train(current, points, wanted + shift, options).networks
        shift = shift + wanted - layers(current, points).outputs
        if number < ROUNDS // 2:
            weight, shift = weight * GROWTH, shift / GROWTH
    current = balanced(current).networks
    flat = current.flat()
    residual = (layers(current, points).outputs - wanted).abs().flatten(1).amax(dim=1)
    lower = _costs(current, points).amax(dim=1)
    return LeastNorm(
        from_flat(flat, current.widths, current.slopes), flat.square().sum(dim=1), residual, lower
    )


def _costs(networks: DeepNetworks, points: Tensor) -> Tensor:
    """(C, N)."""
    values = torch.linalg.svdvals(jacobians(networks, points))
    values = torch.where(values > 1e-10 * values[..., :1], values, 0.0)
    return networks.depth * (values ** (2 / networks.depth)).sum(dim=2)
