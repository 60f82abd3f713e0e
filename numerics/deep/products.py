"""Singular values of long products of small matrices, each to high relative accuracy, as logs.

The product of fifty matrices can have singular values from 1 to 1e-60; formed in float64, all but
the large ones are rounding. Here the product is never formed: QR decompositions from one end to the
other, a few times back and forth, make its triangular factor graded (the iteration behind Stewart's
QLP decomposition), and one-sided Jacobi rotations, which keep the relative accuracy of graded rows
(Demmel and Veselic 1992), do the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

PASSES = 4
SWEEPS = 12
SMALL = 1e-130  # below it squares of rows near underflow: the graded diagonal stands for the values
DONE = 1e-15


def log_singular_values(factors: Sequence[Tensor]) -> Tensor:
    """(C, k): logarithms of the singular values of A_L ... A_1, the largest first.

    factors: A_1 to A_L, square invertible matrices (C, k, k); a singular one gives values that are
    not finite.

    >>> from math import log
    >>> factors = [torch.diag(torch.tensor([1.0, 1e-9]).double())[None]] * 30
    >>> [round(float(v), 6) for v in log_singular_values(factors)[0] / log(10)]
    [0.0, -270.0]
    """
    order = list(factors)
    for _ in range(PASSES):
        order = _triangular(order)
    logs, unit = _graded(order)
    return of_graded_rows(logs, unit)


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


def _triangular(factors: Sequence[Tensor]) -> list[Tensor]:
    """Upper triangular factors whose product is the transpose of Q^T times the given product, for
    an orthogonal Q: the same singular values."""
    basis, found = None, []
    for factor in factors:
        basis, upper = torch.linalg.qr(factor if basis is None else factor @ basis)
        found.append(upper)
    return [upper.mT for upper in reversed(found)]


def _graded(factors: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """The triangular factor of the product, by one more pass, as rows: logarithms of the absolute
    values of its diagonal (C, k), and the rows divided by these (C, k, k)."""
    basis, logs, unit = None, None, None
    for factor in factors:
        basis, upper = torch.linalg.qr(factor if basis is None else factor @ basis)
        diagonal = upper.diagonal(dim1=1, dim2=2).abs()
        if logs is None or unit is None:
            logs, unit = diagonal.log(), upper / diagonal[..., None]
            continue
        after = logs + diagonal.log()
        # row i of the product is sum_j upper_ij e^(logs_j) unit_j, divided by e^(after_i)
        ratio = torch.exp((logs[:, None, :] - after[:, :, None]).clamp(max=700.0))
        logs, unit = after, (upper * ratio) @ unit
    assert logs is not None
    assert unit is not None
    return logs, unit


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
