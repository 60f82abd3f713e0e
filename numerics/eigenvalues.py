"""Largest eigenvalues of symmetric matrices of balls, with a rigorous bound.

Let V, L come from a float eigendecomposition of the midpoints, e bound |V^T V - 1| (Frobenius, and
so spectral norm) and d bound |A V - V L|, both for every A in the balls. If e < 1 then V = Q P with
Q orthogonal and |V - Q| = |P - 1| <= |P^2 - 1| <= e, so |A Q - Q L| <= d + e (|A| + |L|), and by
Weyl's inequality the k-th eigenvalues of A and L are no further apart. What the library computed
need not be trusted.
"""

from __future__ import annotations

import torch

from numerics.balls import Ball, grown


def largest_eigenvalues(matrices: Ball) -> Ball:
    """(...,): the largest eigenvalue of each symmetric matrix (..., m, m).

    Nothing is known (an infinite radius) where the float decomposition is no decomposition.
    """
    values, vectors = _decomposition(matrices.mid)
    basis = Ball(vectors, torch.zeros_like(vectors))
    spectrum = Ball(values, torch.zeros_like(values))
    diagonal = Ball(torch.diag_embed(values), torch.zeros_like(vectors))
    identity = torch.eye(values.shape[-1], dtype=values.dtype, device=values.device)
    gap = frobenius_bound(
        basis.swapaxes(-1, -2) @ basis - Ball(identity, torch.zeros_like(identity))
    )
    residual = frobenius_bound(matrices @ basis - basis @ diagonal)
    sizes = frobenius_bound(matrices) + spectrum.mid.abs().amax(dim=-1)
    bound = grown(residual + gap * sizes)
    sound = torch.isfinite(bound) & (gap < 1.0)
    top = torch.where(sound, values[..., -1], 0.0)
    return Ball(top, torch.where(sound, bound, torch.inf))


def _decomposition(matrices: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Eigenvalues in ascending order and eigenvectors; zeros where a number is not finite."""
    finite = torch.isfinite(matrices).all(dim=-1).all(dim=-1)[..., None, None]
    values, vectors = torch.linalg.eigh(torch.where(finite, matrices, 0.0))
    return values, torch.where(finite, vectors, torch.nan)


def frobenius_bound(matrices: Ball) -> torch.Tensor:
    """(...,): at least the Frobenius norm of every matrix in the balls (..., m, n)."""
    largest = grown(matrices.mid.abs() + matrices.rad)
    scale = _scale(largest.amax(dim=-1).amax(dim=-1))
    squares = (largest / scale[..., None, None]).square().sum(dim=-1).sum(dim=-1)
    size = matrices.mid.shape[-1] * matrices.mid.shape[-2]
    factor = 1.0 + (size + 16) * 2.0**-52  # covers the roundings of quotients, squares and sum
    return grown(torch.sqrt(squares * factor) * scale)


def _scale(largest: torch.Tensor) -> torch.Tensor:
    """(...,): positive numbers of the size of the largest entries, by which these are divided: a
    square of an entry then underflows only where it is nothing beside the largest square."""
    exponent = torch.frexp(largest).exponent.to(largest.dtype).clamp(-1000.0, 1000.0)
    return torch.exp2(torch.where(torch.isfinite(largest), exponent, 0.0))
