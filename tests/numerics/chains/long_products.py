"""Singular values of long products of small matrices, each to high relative accuracy, as logs.

The product is never formed: QR decompositions from one end to the other, a few times back and
forth, make its triangular factor graded (the iteration behind Stewart's QLP decomposition).
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from numerics.chains.graded_rows import of_graded_rows

PASSES = 4


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
