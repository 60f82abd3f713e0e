"""Ranks, Schatten norms and pseudo-determinants of Jacobians with bounds on all rounding.

Beside the pass up runs a bound on its rounding: of the pre-activations, which certifies their
signs, and of the Jacobian, which widens the error of its computed singular values. A rank is given
where a gap certifies it, else UNDECIDED: singular values that the bound does not tell from 0 count
as 0 (as in numerics.spectra). A Jacobian that is finite but whose signs are not certified has an
infinite error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from numerics.conversion import UNIT
from numerics.deep.networks import DeepNetworks
from numerics.deep.passes import batched_points
from numerics.spectra import UNDECIDED, Bounded, Spectrum, rank, spectrum

INFLATION = 1 + 2.0**-40  # covers the rounding of the bounds themselves, sums of up to 4,000 terms


@dataclass(frozen=True)
class BoundedJacobians:
    """values: (C, N, n_L, n_0); errors: (C, N), at least the Frobenius norm of values minus the
    Jacobians; infinite where the sign of a pre-activation is not certified."""

    values: Tensor
    errors: Tensor


def bounded_jacobians(networks: DeepNetworks, points: Tensor) -> BoundedJacobians:
    """The Jacobians at points (C, N, n_0) or (N, n_0), with a bound on the rounding."""
    z, value = None, batched_points(networks, points)
    error = torch.zeros_like(value)
    certain = torch.ones(value.shape[:2], dtype=torch.bool, device=value.device)
    jacobian = jacobian_error = None
    below = networks.slopes[:, None, None]
    for weight, bias in zip(networks.weights, networks.biases, strict=True):
        unit = (weight.shape[2] + 3) * UNIT
        size = weight.abs()
        if z is not None:
            certain &= (z.abs() > error).all(dim=-1)
            slope = torch.where(z >= 0, 1.0, below)
            value = z * slope
            error = (error * slope.abs() + UNIT * value.abs()) * INFLATION
            jacobian = slope[..., None] * jacobian
            jacobian_error = slope[..., None].abs() * jacobian_error + UNIT * jacobian.abs()
            moved = weight[:, None] @ jacobian
            spread = size[:, None] @ (jacobian_error + unit * jacobian.abs())
            jacobian, jacobian_error = moved, spread * INFLATION
        else:
            jacobian = weight[:, None].expand(*value.shape[:2], -1, -1)
            jacobian_error = torch.zeros_like(jacobian)
        rounding = unit * (value.abs() @ size.mT + bias.abs()[:, None])
        z = torch.baddbmm(bias[:, None], value, weight.mT)
        error = (error @ size.mT + rounding) * INFLATION
    assert jacobian is not None
    assert jacobian_error is not None
    errors = torch.linalg.matrix_norm(jacobian_error) * INFLATION
    return BoundedJacobians(jacobian, torch.where(certain, errors, torch.inf))


def jacobian_spectrum(found: BoundedJacobians) -> Spectrum:
    """The singular values of the C N Jacobians, with errors that bound all rounding."""
    flat = spectrum(found.values.flatten(0, 1).contiguous())
    return replace(flat, error=(flat.error + found.errors.flatten()) * INFLATION)


def certified_ranks(found: Spectrum, gap: float = 10.0) -> Tensor:
    """(B,) int64: ranks, UNDECIDED without a gap; UNDECIDED too where nothing is known."""
    return torch.where(torch.isfinite(found.error), rank(found, gap=gap), UNDECIDED)


def schatten(found: Spectrum, exponent: float) -> Bounded:
    """(B,): the sum of s_i^exponent over as many singular values as the certified rank, with the
    bound on its error; undecided where the rank is.

    What the rank counts as 0 is left out: only its certainty to be small is known.
    """
    ranks, counted = _counted(found)
    # s^p is increasing: it lies between (s - e)^p and (s + e)^p
    value = _sum(counted, found.values, lambda s: s**exponent)
    error = found.error[:, None]
    above = _sum(counted, found.values + error, lambda s: s**exponent)
    under = _sum(counted, found.values - error, lambda s: s**exponent)
    return _bounded(ranks, value, above, under)


def log_pseudo_determinant(found: Spectrum) -> Bounded:
    """(B,): the sum of log s_i over as many singular values as the certified rank, likewise."""
    ranks, counted = _counted(found)
    error = found.error[:, None]
    value = _sum(counted, found.values, torch.log)
    above = _sum(counted, found.values + error, torch.log)
    under = _sum(counted, found.values - error, torch.log)
    return _bounded(ranks, value, above, under)


def _counted(found: Spectrum) -> tuple[Tensor, Tensor]:
    ranks = certified_ranks(found)
    numbers = torch.arange(found.values.shape[1], device=found.values.device)
    return ranks, numbers < ranks[:, None]


def _sum(counted: Tensor, values: Tensor, function: Callable[[Tensor], Tensor]) -> Tensor:
    return torch.where(counted, function(torch.where(counted, values, 1.0)), 0.0).sum(dim=1)


def _bounded(ranks: Tensor, value: Tensor, above: Tensor, under: Tensor) -> Bounded:
    rounding = 64 * UNIT * (above.abs() + under.abs() + 1)  # of powers, logarithms and sums
    error = torch.maximum(above - value, value - under) + rounding
    known = ranks != UNDECIDED
    return Bounded(torch.where(known, value, torch.nan), torch.where(known, error, torch.inf))
