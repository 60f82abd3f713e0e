"""Lanczos with full reorthogonalisation for many symmetric operators at a time, in the coordinates
and the inner product of numerics.curvature.operators.

A Ritz value is a lower bound of the norm, in magnitude; its residual encloses an eigenvalue. From
a random start, Kuczynski and Wozniakowski (1992, Theorem 4.1) bound what it can have missed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt

import torch
from torch import Tensor

from numerics.conversion import UNIT
from numerics.curvature.operators import Operator

CHECK = 8
"""Steps between two looks at the convergence."""

ROOM = 32
"""Vectors that there is room for at first."""


@dataclass(frozen=True)
class Ritz:
    """What k steps found, (S, K) each.

    value: the Ritz value of largest magnitude (its Rayleigh quotient); residual: |H v - value v|,
    computed from v; vectors (S, K, size): coordinates of v, of norm 1 up to rounding. lowest,
    highest: the extreme Ritz values. steps: k, of all lanes (the most, where lanes stop alone).
    """

    value: Tensor
    residual: Tensor
    vectors: Tensor
    lowest: Tensor
    highest: Tensor
    steps: int

    def missed(self, size: int, failure: float) -> Tensor:
        """(S, K): a bound on how much the norm can exceed max |Ritz value|, with probability at
        least 1 - failure for each lane, over a start uniform on the sphere; for exact arithmetic
        and a number of steps fixed beforehand. Infinite where k is too small to say.

        For A >= 0 of size n, Ritz values of k steps fall short of the largest eigenvalue by more
        than e times it with probability at most 1.648 sqrt(n) exp(-sqrt(e) (2 k - 1)). Applied to
        H - min I and max I - H, both with half the failure: each end is missed by at most e times
        the spread, which is at most (highest - lowest) / (1 - 2 e).
        """
        share = log(2 * 1.648 * sqrt(size) / failure) / (2 * self.steps - 1)
        missed = share * share
        if missed >= 0.5 or self.steps < 4:
            return torch.full_like(self.value, torch.inf)
        return missed / (1 - 2 * missed) * (self.highest - self.lowest)


def lanczos(
    operator: Operator,
    start: Tensor,
    *,
    steps: int = 200,
    tolerance: float | None = 1e-8,
) -> Ritz:
    """At most `steps` steps (and the size at most) from coordinates (S, K, size), until the
    residual of the Ritz value of largest magnitude is at most `tolerance` times it in all lanes;
    None: all steps.
    """
    steps = min(steps, operator.size)
    room = (*operator.lanes, min(steps, ROOM), operator.size)
    basis, image = start.new_zeros(room), start.new_zeros(room)  # x_k, and G x_k
    basis[:, :, 0], image[:, :, 0], _ = _normalised(operator, start)
    alphas: list[Tensor] = []  # the diagonal of the tridiagonal matrix, and the one beside it
    betas: list[Tensor] = []
    largest = start.new_zeros(operator.lanes)
    for k in range(steps):
        product = operator.product(image[:, :, k])
        alphas.append((product * image[:, :, k]).sum(dim=2))
        product = product - alphas[k][..., None] * basis[:, :, k]
        if k > 0:
            product = product - betas[k - 1][..., None] * basis[:, :, k - 1]
        # all others after the two that the recurrence takes out: twice is enough (Parlett)
        left, dual = basis[:, :, : k + 1].flatten(0, 1), image[:, :, : k + 1].flatten(0, 1)
        flat = product.flatten(0, 1)[..., None]
        product = torch.baddbmm(flat, left.mT, torch.bmm(dual, flat), alpha=-1).view_as(product)
        unit, dual_unit, norm = _normalised(operator, product)
        # what is left of a vector in an invariant subspace is rounding: stop that lane there
        largest = torch.maximum(largest, alphas[k].abs())
        live = norm > 16 * operator.size * UNIT * largest
        # nor is it one where almost all of it is what Phi takes to 0
        spread = (operator.weights * product.square()).sum(dim=2)
        live &= norm.square() > 16 * operator.size * UNIT * spread
        largest = torch.maximum(largest, norm)
        betas.append(torch.where(live, norm, 0.0))
        looked = tolerance is not None and k % CHECK == CHECK - 1
        # no look at the first few: none has converged there
        if looked and k > CHECK and _converged(_tridiagonal(alphas, betas), norm, tolerance):
            break
        if k + 1 == basis.shape[2] < steps:  # room for as many again
            more = basis.new_zeros(*operator.lanes, min(steps - k - 1, k + 1), operator.size)
            basis, image = torch.cat([basis, more], dim=2), torch.cat([image, more], dim=2)
        if k + 1 < steps:
            basis[:, :, k + 1] = torch.where(live[..., None], unit, 0.0)
            image[:, :, k + 1] = torch.where(live[..., None], dual_unit, 0.0)
    return _extreme(operator, basis[:, :, : len(alphas)], _tridiagonal(alphas, betas))


def _tridiagonal(alphas: list[Tensor], betas: list[Tensor]) -> Tensor:
    """(S, K, k, k), k numbers on the diagonal and the first k - 1 of the others beside it."""
    found = torch.diag_embed(torch.stack(alphas, dim=2))
    if len(alphas) > 1:
        beside = torch.stack(betas[: len(alphas) - 1], dim=2)
        found = found + torch.diag_embed(beside, 1) + torch.diag_embed(beside, -1)
    return found


def _normalised(operator: Operator, vectors: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """x and G x divided by |Phi x|, and that norm; 0 stays."""
    images = operator.gram(vectors)
    norms = (vectors * images).sum(dim=2).clamp(min=0).sqrt()
    divisor = torch.where(norms > 0, norms, 1.0)[..., None]
    return vectors / divisor, images / divisor, norms


def _converged(tridiagonal: Tensor, norm: Tensor, tolerance: float | None) -> bool:
    values, vectors = torch.linalg.eigh(tridiagonal)
    place = values.abs().argmax(dim=2, keepdim=True)
    last = vectors[:, :, -1].gather(2, place)[..., 0].abs()
    return bool((norm * last <= (tolerance or 0.0) * values.abs().amax(dim=2)).all())


def _extreme(operator: Operator, basis: Tensor, tridiagonal: Tensor) -> Ritz:
    values, coefficients = torch.linalg.eigh(tridiagonal)
    place = values.abs().argmax(dim=2)[..., None, None].expand(-1, -1, values.shape[2], 1)
    chosen = coefficients.gather(3, place)
    vectors, images, _ = _normalised(operator, (chosen.mT @ basis)[:, :, 0])
    product = operator.product(images)
    value = (images * product).sum(dim=2)
    residual = _normalised(operator, product - value[..., None] * vectors)[2]
    return Ritz(value, residual, vectors, values[..., 0], values[..., -1], basis.shape[2])
