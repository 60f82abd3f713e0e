"""One layer of the batch-normalised chain, for many chains at once, in torch.

H_+ = BN(H + gamma W H), and BN(W H) for gamma = inf: Daneshmand, Kohler, Bach, Hofmann, Lucchi
(2020), (1), (2) and (7).
"""

from __future__ import annotations

from math import sqrt

import torch
from torch import Tensor

from numerics.chains.counters import uniforms, weights
from numerics.chains.laws import NORMAL, Law, entries, words_for


ZERO = 2.0**-44
"""A row whose root mean square is below this share of what it was summed from is rounding: zero."""


def normalised(
    hidden: Tensor, floor: Tensor | float = 0.0, *, centred: bool = False
) -> tuple[Tensor, Tensor]:
    """BN of H (C, d, N), every row divided by the root of its mean square, and (C,), how many rows
    were zero, of mean square at most `floor` (C,); these become 0.

    centred: subtract the mean of each row first.
    """
    if centred:
        hidden = hidden - hidden.mean(dim=2, keepdim=True)
    squares = hidden.square().mean(dim=2, keepdim=True)
    zero = (
        squares <= torch.as_tensor(floor, dtype=hidden.dtype, device=hidden.device)[..., None, None]
    )
    roots = torch.sqrt(torch.where(zero, 1.0, squares))
    return torch.where(zero, 0.0, hidden / roots), zero.sum(dim=(1, 2)).double()


def floors(law: Law, gammas: Tensor, width: int) -> Tensor:
    """(C,): the mean square up to which a row counts as zero, for H of mean square one.

    A row of W H that vanishes (rank one, weights of few values) is rounding in floats, and would be
    blown up to a row of norm sqrt(N) otherwise.
    """
    keep, strength = coefficients(gammas)
    size = sqrt((float(law.mean) ** 2 + float(law.variance)) * width)
    return (ZERO * (keep + strength * size)).square()


def coefficients(gammas: Tensor) -> tuple[Tensor, Tensor]:
    """The factors (C,) of H and of W H: 1 and gamma, or 0 and 1 where gamma is infinite."""
    infinite = torch.isinf(gammas)
    return (~infinite).to(gammas.dtype), torch.where(infinite, 1.0, gammas)


def step(
    hidden: Tensor,
    branch: Tensor,
    gammas: Tensor,
    floor: Tensor | float = 0.0,
    *,
    centred: bool = False,
) -> tuple[Tensor, Tensor]:
    """The next H (C, d, N), and (C,) how many zero rows it has, from H and W H, both (C, d, N).

    floor: see `normalised`.
    """
    keep, strength = coefficients(gammas)
    mixed = keep[:, None, None] * hidden + strength[:, None, None] * branch
    return normalised(mixed, floor, centred=centred)


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
