"""Networks of least norm that represent a linear map, and the bounds on the cost of any network."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor

from numerics.deep.networks import DeepNetworks


def linear_cost(matrices: Tensor, depth: int) -> Tensor:
    """(C,): L sum_i s_i^(2/L), the least squared norm of L factors of A (C, n_L, n_0); Dai, Karzand
    and Srebro 2021."""
    return depth * (torch.linalg.svdvals(matrices) ** (2 / depth)).sum(dim=1)


def linear_representation(matrices: Tensor, hidden: Sequence[int]) -> DeepNetworks:
    """Linear networks (slope 1, no biases) with the product A (C, n_L, n_0) and that norm:
    W_l = U_l S^(1/L) U_(l-1)^T, the inner U_l the first columns of the identity.

    hidden: n_1 to n_(L-1). Raises ValueError where one is less than min(n_0, n_L).

    >>> net = linear_representation(torch.diag(torch.tensor([8.0, 1.0]).double())[None], [2, 2])
    >>> net.squared_norms().sum().item()
    15.0
    """
    left, values, right = torch.linalg.svd(matrices, full_matrices=False)
    size = values.shape[1]
    if any(width < size for width in hidden):
        raise ValueError(f"hidden widths {tuple(hidden)}: give at least {size}, the largest rank")
    one = torch.eye(size, dtype=matrices.dtype, device=matrices.device)
    inner = [
        torch.nn.functional.pad(one, (0, 0, 0, width - size)).expand(len(matrices), -1, -1)
        for width in hidden
    ]
    frames = [right.mT, *inner, left]
    root = (values ** (1 / (len(hidden) + 1)))[:, None, :]
    weights = tuple((upper * root) @ lower.mT for lower, upper in pairwise(frames))
    biases = tuple(torch.zeros_like(weight[:, :, 0]) for weight in weights)
    return DeepNetworks(weights, biases, torch.ones_like(values[:, 0]))
