"""One layer of the batch-normalised chain, for many chains at once, in torch.

H_+ = BN(H + gamma W H), and BN(W H) for gamma = inf: Daneshmand, Kohler, Bach, Hofmann, Lucchi
(2020), (1), (2) and (7).
"""

from __future__ import annotations

import torch
from torch import Tensor

from numerics.chains.counters import uniforms, weights
from numerics.chains.laws import Law, entries
from numerics.chains.recipes import NORMAL, words_for


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


def branch(law: Law, bases: Tensor, hidden: Tensor, *, shortcut: bool = False) -> Tensor:
    """(C, d, N): W H for weights of the law, drawn from the bases (C,) of one layer.

    shortcut: where N < d and the weights are independent normals, draw W H by its law instead of W
    (its rows are independent with covariance H^T H): d N numbers in place of d^2.
    """
    d, n = hidden.shape[1:]
    if shortcut and applies(law, d, n):
        normal = entries(law, uniforms(bases, words_for(law.kind, d * n)))[:, : d * n]
        factor = torch.linalg.qr(hidden, mode="r").R
        signs = torch.where(factor.diagonal(dim1=1, dim2=2) < 0, -1.0, 1.0)
        return normal.reshape(-1, d, n) @ (signs[:, :, None] * factor)
    return weights(law, bases, d, d) @ hidden


def applies(law: Law, d: int, n: int) -> bool:
    """Whether the shortcut of `branch` is exact in law and saves numbers."""
    return n < d and law.kind == NORMAL and law.independent and law.shift == 0
