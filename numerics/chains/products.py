"""Singular values of products of random matrices without normalisation.

B_l is the product of I + gamma W_k, or of W_k for gamma = inf: Daneshmand, Kohler, Bach, Hofmann,
Lucchi (2020), (6) and Lemmas 3 and 18. The values are carried as logarithms, by QR decompositions
of one factor after the other.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from numerics.chains.counters import bases, tensor_keys, weights
from numerics.chains.graded_rows import of_graded_rows
from numerics.chains.laws import Law
from numerics.chains.steps import coefficients

NOTHING = -690.0
"""The logarithm that stands for a row that is zero: far below all others."""


def log_singular_values(
    law: Law,
    width: int,
    depth: int,
    *,
    gammas: float | Sequence[float] | Tensor,
    seeds: Sequence[int],
) -> Tensor:
    """(C, d): logarithms of the singular values of the product of `depth` random factors of this
    width, the largest first, for each seed; what is exactly zero comes out as rounding, some 36
    below the others or more, or as minus infinity.

    gammas: one for all or (C,), may be infinite (then the factors are W_k). The weights are those
    that numerics.chains.normalised draws for the same seeds.
    """
    keys = tensor_keys(seeds, "cpu")
    strengths = torch.as_tensor(gammas, dtype=torch.float64).expand(len(keys))
    keep, strength = coefficients(strengths)
    one = torch.eye(width, dtype=torch.float64)
    # the product is frame diag(e^logs) unit
    frame = unit = one.expand(len(keys), width, width)
    logs = torch.zeros(len(keys), width, dtype=torch.float64)
    for layer in range(depth):
        drawn = weights(law, bases(keys, layer), width, width)
        factor = keep[:, None, None] * one + strength[:, None, None] * drawn
        frame, upper = torch.linalg.qr(factor @ frame)
        sizes = upper.diagonal(dim1=1, dim2=2).abs()
        steps = torch.where(sizes > 0, torch.log(torch.where(sizes > 0, sizes, 1.0)), NOTHING)
        # row i of the product is sum_j upper_ij e^(logs_j) unit_j, divided by e^(after_i)
        after = logs + steps
        ratio = torch.exp((logs[:, None, :] - after[:, :, None]).clamp(max=700.0))
        unit, logs = (upper * torch.where(upper == 0, 0.0, ratio)) @ unit, after
    return of_graded_rows(logs, unit)
