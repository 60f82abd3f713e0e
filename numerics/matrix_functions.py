"""Functions of batches of float64 matrices through which derivatives pass: (C, n, m) to (C, ...).

Singular values below `NEGLIGIBLE` times the largest one count as 0: nothing is decided here (the
exact counterparts are in graphs.reals; ranks with a gap certificate in numerics.deep).
"""

from __future__ import annotations

import numpy as np
import torch

NEGLIGIBLE = 1e-10


def _spectrum(matrices: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Singular values (C, r), the largest first, and which of them count."""
    finite = torch.isfinite(matrices).all(dim=-1).all(dim=-1)
    values = torch.linalg.svdvals(torch.where(finite[..., None, None], matrices, 0.0))
    kept = values.detach() > NEGLIGIBLE * values.detach()[..., :1]
    return torch.where(finite[..., None], values, torch.nan), kept


def numerical_rank(matrices: torch.Tensor) -> np.ndarray:
    """(C,): how many singular values count."""
    return np.asarray(_spectrum(matrices)[1].sum(dim=-1).cpu().numpy())


def singular_value(matrices: torch.Tensor, number: int) -> torch.Tensor:
    """(C,): the one of that number, from 1; 0 where there is none."""
    values, kept = _spectrum(matrices)
    if number > values.shape[-1]:
        return values[..., 0] * 0.0
    return torch.where(kept[..., number - 1], values[..., number - 1], 0.0)


def schatten(matrices: torch.Tensor, exponent: float) -> torch.Tensor:
    """(C,): the sum of s_i^exponent over those that count."""
    values, kept = _spectrum(matrices)
    return torch.where(kept, torch.where(kept, values, 1.0) ** exponent, 0.0).sum(dim=-1)


def log_pseudo_determinant(matrices: torch.Tensor) -> torch.Tensor:
    """(C,): the sum of the logarithms of those that count."""
    values, kept = _spectrum(matrices)
    return torch.where(kept, torch.where(kept, values, 1.0).log(), 0.0).sum(dim=-1)


def image_projection(matrices: torch.Tensor) -> torch.Tensor:
    """(C, n, n): the orthogonal projections to the images."""
    return matrices @ pseudo_inverse(matrices)


def pseudo_inverse(matrices: torch.Tensor) -> torch.Tensor:
    """(C, m, n): the Moore-Penrose inverses."""
    finite = torch.isfinite(matrices).all(dim=-1).all(dim=-1)[..., None, None]
    return torch.linalg.pinv(torch.where(finite, matrices, 0.0), rtol=NEGLIGIBLE)
