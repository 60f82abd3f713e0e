"""Singular values of matrices with graded rows, each to high relative accuracy, as logs.

The product of fifty matrices can have singular values from 1 to 1e-60; formed in float64, all but
the large ones are rounding. Where its triangular factor is graded, one-sided Jacobi rotations keep
the relative accuracy of the rows (Demmel and Veselic 1992).
"""

from __future__ import annotations

import torch
from torch import Tensor

SWEEPS = 12
SMALL = 1e-130  # below it squares of rows near underflow: the graded diagonal stands for the values
DONE = 1e-15


def of_graded_rows(logs: Tensor, unit: Tensor) -> Tensor:
    """(C, k): logarithms of the singular values of a matrix with rows e^logs_i unit_i, the largest
    first: logs (C, k), unit (C, k, n), n at least k. Where a row is below 1e-130 of the largest,
    the part of it that is orthogonal to the rows before stands for the value."""
    top = logs.amax(dim=1, keepdim=True)
    scaled = torch.exp(logs - top)
    rows = scaled[..., None] * unit
    values = torch.log(_row_norms(_orthogonal_rows(rows))) + top
    upper = torch.linalg.qr(unit.mT, mode="r").R
    apart = logs + torch.log(upper.diagonal(dim1=1, dim2=2).abs())
    found = torch.where(scaled > SMALL, values, apart)
    return found.sort(dim=1, descending=True).values


def _orthogonal_rows(rows: Tensor) -> Tensor:
    """Rows (C, k, k) turned by rotations of pairs until all are orthogonal."""
    rows = rows.clone()
    size = rows.shape[1]
    for _ in range(SWEEPS):
        worst = torch.zeros(len(rows), dtype=rows.dtype, device=rows.device)
        for p in range(size):
            for q in range(p + 1, size):
                worst = torch.maximum(worst, _rotate(rows, p, q))
        if not bool((worst > DONE).any()):
            break
    return rows


def _rotate(rows: Tensor, p: int, q: int) -> Tensor:
    """Makes rows p and q orthogonal; returns (C,) the cosine that they had."""
    one, two = rows[:, p], rows[:, q]
    norms = torch.linalg.vector_norm(one, dim=1), torch.linalg.vector_norm(two, dim=1)
    cosine = ((one / norms[0][:, None]) * (two / norms[1][:, None])).sum(dim=1).nan_to_num()
    # tan of twice the angle is 2 <one, two> / (|one|^2 - |two|^2), scaled by |one| |two|
    half = (norms[1] / norms[0] - norms[0] / norms[1]) / 2
    cosine_safe = torch.where(cosine == 0, 1.0, cosine)
    zeta = torch.where(cosine == 0, torch.inf, half / cosine_safe)
    sign = torch.where(zeta >= 0, 1.0, -1.0)
    tangent = sign / (zeta.abs() + torch.sqrt(1 + zeta.square()))
    tangent = torch.where(torch.isfinite(tangent), tangent, 0.0)[:, None]
    scale = 1 / torch.sqrt(1 + tangent.square())
    rows[:, p], rows[:, q] = scale * (one - tangent * two), scale * (tangent * one + two)
    return cosine.abs()


def _row_norms(rows: Tensor) -> Tensor:
    return torch.linalg.vector_norm(rows, dim=2)
