"""Coefficients of a chain in the row space of its input: ranks then survive rounding.

A layer multiplies from the left, so H_l = A_l V with a fixed V whose rows are a basis of the row
space of X. With V V^T = (N/k) I the coefficients A (d x k) run through the very same chain, with
the same M, and rounding cannot add what is not there: their rank is at most k for ever.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import torch
from torch import Tensor

CUT = 2.0**-52  # times max(d, N): below this share of the largest singular value is rounding


@dataclass(frozen=True)
class RowSpaces:
    """Inputs X (C, d, N) in coordinates, float64.

    coefficients: (C, d, k) A_0, of which chains of lower rank use the first columns, the others
    being 0. basis: (C, k, N), V. ranks: (C,), the numerical rank of each X. H_l = A_l V from l = 1
    on; at l = 0 up to one factor for each chain, on which nothing later depends.
    """

    coefficients: Tensor
    basis: Tensor
    ranks: Tensor


def of_inputs(inputs: Tensor, *, centred: bool = False) -> RowSpaces:
    """Coordinates of X (C, d, N). centred: of X less the means of its rows, which is where a chain
    with centring in its normalisation lives from the first layer on.

    Inputs of full row space (rank N) are taken as they are. The coefficients of one of rank one are
    its longest column, exactly, so that signs stay signs.
    """
    chains, d, n = inputs.shape
    if centred:
        inputs = inputs - inputs.mean(dim=2, keepdim=True)
    left, values, right = torch.linalg.svd(inputs, full_matrices=False)
    counts = (values > CUT * max(d, n) * values[:, :1]).sum(dim=1)
    k = max(1, int(counts.max()))
    if int(counts.min()) == n:
        one = torch.eye(n, dtype=inputs.dtype, device=inputs.device)
        return RowSpaces(inputs.contiguous(), one.expand(chains, n, n), counts)
    used = torch.arange(k, device=inputs.device) < counts[:, None]
    coefficients = (left[:, :, :k] * values[:, None, :k] * sqrt(k / n)) * used[:, None, :]
    longest = torch.linalg.vector_norm(inputs, dim=1).argmax(dim=1)
    column = inputs[torch.arange(chains, device=inputs.device), :, longest]
    single = counts == 1
    coefficients[single] = 0.0
    coefficients[single, :, 0] = column[single]
    basis = right[:, :k] * sqrt(n / k)
    # u v^T as the longest column times a row: the sign of that row's entry there is taken as +
    signs = torch.where(right[torch.arange(chains), 0, longest] < 0, -1.0, 1.0)
    basis[single, 0] *= signs[single, None]
    return RowSpaces(coefficients.contiguous(), basis * used[:, :, None], counts)
