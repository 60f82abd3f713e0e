"""One layer of the batch-normalised chain, for many chains at once, in torch.

H_+ = BN(H + gamma W H), and BN(W H) for gamma = inf: Daneshmand, Kohler, Bach, Hofmann, Lucchi
(2020), (1), (2) and (7).
"""

from __future__ import annotations

import torch
from torch import Tensor


def normalised(hidden: Tensor, *, centred: bool = False) -> tuple[Tensor, Tensor]:
    """BN of H (C, d, N), every row divided by the root of its mean square, and (C,), how many rows
    were zero; these stay 0.

    centred: subtract the mean of each row first.
    """
    if centred:
        hidden = hidden - hidden.mean(dim=2, keepdim=True)
    squares = hidden.square().mean(dim=2, keepdim=True)
    zero = squares == 0
    roots = torch.sqrt(torch.where(zero, 1.0, squares))
    return hidden / roots, zero.sum(dim=(1, 2)).double()


def coefficients(gammas: Tensor) -> tuple[Tensor, Tensor]:
    """The factors (C,) of H and of W H: 1 and gamma, or 0 and 1 where gamma is infinite."""
    infinite = torch.isinf(gammas)
    return (~infinite).to(gammas.dtype), torch.where(infinite, 1.0, gammas)


def step(hidden: Tensor, branch: Tensor, gammas: Tensor) -> tuple[Tensor, Tensor]:
    """The next H (C, d, N), and (C,) how many zero rows it has, from H and W H, both (C, d, N)."""
    keep, strength = coefficients(gammas)
    return normalised(keep[:, None, None] * hidden + strength[:, None, None] * branch)
