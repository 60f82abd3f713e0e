"""Spectral norms of Hessians, enclosed: Lanczos from below, a certificate from above.

Above stands a Cholesky factorisation of c I - B and c I + B, where B fits (B as computed, its
rounding allowed for by a figure that is stated, not proved), or else a bound that holds with a
stated probability over the start of Lanczos. Below, rounding in the products is bounded by proof.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.util import find_spec

import torch
from torch import Tensor

from numerics.conversion import UNIT
from numerics.curvature.lanczos import Ritz, lanczos
from numerics.curvature.operators import FullHessians, Operator
from numerics.curvature.passes import Pass
from numerics.curvature.point_operators import PointHessians
from numerics.curvature.rounding import enclosed
from numerics.curvature.shared_points import SharedPointHessians, one_graph

CHOLESKY, PROBABILITY, NOTHING = "cholesky", "probability", "nothing"

DENSE_SIZE = 3000
"""The largest operator that is made dense unless the caller says otherwise."""

MARGINS = (1e-10, 1e-8, 1e-6, 1e-4, 1e-2, 1e-1, 1.0)
"""How far above the lower bound, relative to it, a factorisation is tried."""


@dataclass(frozen=True)
class HessianNorms:
    """The spectral norms of S times K Hessians, (S, K) each.

    eigenvalue: a Rayleigh quotient, the largest in magnitude that was found; residual: |H v -
    eigenvalue v| of its unit vector. Within radius of `eigenvalue` lies an eigenvalue of H; lower
    is at most the norm. upper: a bound from above, infinite where there is none; certificate:
    "cholesky", "probability" (then each bound fails with at most the probability `failure`) or
    "nothing". vectors (S, K, size): the unit vector, in the operator's coordinates. steps: of
    Lanczos.

    With a certificate, radius and lower hold whatever rounded in the products
    (numerics.curvature.rounding). Without one they are residual + rounding and |eigenvalue| -
    rounding, with an allowance `rounding` of 4 size 2^-53 relative to the norm, which is stated and
    not proved; so is what it adds to `upper`. None of it covers the rounding of the pass itself.
    """

    eigenvalue: Tensor
    residual: Tensor
    radius: Tensor
    lower: Tensor
    upper: Tensor
    rounding: Tensor
    certificate: str
    failure: float
    vectors: Tensor
    steps: int
    operator: Operator

    def leading(self) -> Tensor:
        """(S, K, P): unit vectors of weights, eigenvectors up to the residual; 0 where H is."""
        return _unit(self.operator.expand(self.vectors))


def _unit(vectors: Tensor) -> Tensor:
    norms = torch.linalg.vector_norm(vectors, dim=2, keepdim=True)
    return vectors / torch.where(norms > 0, norms, 1.0)


def operator_of(found: Pass) -> Operator:
    """The Hessians of a pass, on short vectors where each lane has one point."""
    tied = any(tie is not None for tie in found.networks.ties)
    short = found.lanes[2] == 1 and not tied
    return PointHessians(found) if short else FullHessians(found)


def leading(
    operator: Operator, generator: torch.Generator, *, steps: int = 200, tolerance: float = 1e-8
) -> Ritz:
    """Lanczos from a random start until the residuals are small: compiled, lane by lane, for points
    on the CPU where Numba is there, else in torch for the batch."""
    start = operator.start(generator)
    if start.device.type == "cpu" and find_spec("numba"):
        from numerics.curvature.compiled import compiled_lanczos  # numba may be missing

        if isinstance(operator, PointHessians):
            return compiled_lanczos(operator, start, steps=steps, tolerance=tolerance)
        if isinstance(operator, FullHessians) and one_graph(operator.found):
            short = SharedPointHessians(operator.found)
            ritz = compiled_lanczos(short, short.image(start), steps=steps, tolerance=tolerance)
            return replace(ritz, vectors=short.weights_of(ritz.vectors))
    return lanczos(operator, start, steps=steps, tolerance=tolerance)


def hessian_norms(
    found: Pass,
    generator: torch.Generator,
    *,
    certificate: str = CHOLESKY,
    steps: int = 200,
    tolerance: float = 1e-8,
    failure: float = 1e-9,
    dense_size: int = DENSE_SIZE,
) -> HessianNorms:
    """Norms of the Hessians of all lanes, with bounds.

    certificate: "cholesky" (where the operator is larger than dense_size: "probability" instead),
    "probability" (all `steps` are done, as that bound needs) or "nothing".

    Raises ValueError for another certificate.
    """
    if certificate not in (CHOLESKY, PROBABILITY, NOTHING):
        raise ValueError(f"certificate {certificate!r}: cholesky, probability or nothing")
    operator = operator_of(found)
    if certificate == CHOLESKY and operator.size > dense_size:
        certificate = PROBABILITY
    fixed = certificate == PROBABILITY
    if fixed:
        operator, start = operator.isotropic(generator)
        ritz = lanczos(operator, start, steps=steps, tolerance=None)
    else:
        ritz = leading(operator, generator, steps=steps, tolerance=tolerance)
    magnitude = ritz.value.abs()
    rounding = 4 * operator.size * UNIT * (magnitude + ritz.residual)
    upper = torch.full_like(magnitude, torch.inf)
    if certificate == CHOLESKY:
        upper = _from_above(operator, ritz)
    elif fixed:
        upper = magnitude + ritz.missed(operator.dimension, failure) + rounding
    radius, lower = ritz.residual + rounding, (magnitude - rounding).clamp(min=0)
    if certificate != NOTHING:
        weights = _unit(operator.expand(ritz.vectors))
        proved, least = enclosed(found, weights, ritz.value)
        there = torch.isfinite(proved)
        radius, lower = torch.where(there, proved, radius), torch.where(there, least, lower)
    return HessianNorms(
        ritz.value,
        ritz.residual,
        radius,
        lower,
        upper,
        rounding,
        certificate,
        failure if fixed else 0.0,
        ritz.vectors,
        ritz.steps,
        operator,
    )


def _from_above(operator: Operator, ritz: Ritz) -> Tensor:
    count, lanes = operator.lanes
    upper = torch.full_like(ritz.value, torch.inf)
    for seed in range(count):
        for lane in range(lanes):
            dense, guess = operator.dense(seed, lane), float(ritz.value[seed, lane].abs())
            upper[seed, lane] = certified_norm(dense, guess)
    return upper


def certified_norm(matrix: Tensor, guess: float) -> float:
    """A bound on the spectral norm of a symmetric matrix (n, n), near `guess` where that is right.

    The floating-point Cholesky factorisation of A that runs to its end shows that A >= -g/(1-g)
    trace(A), g = (n + 1) u / (1 - (n + 1) u), sums taken in any order (Rump 2006; Higham 2002,
    Theorem 10.3). A matrix that is symmetric only up to rounding is bounded by its symmetric part
    and the Frobenius norm of the rest, which stands as the measure of the entries' own rounding.
    """
    symmetric = (matrix + matrix.mT) / 2
    rest = float(torch.linalg.matrix_norm(matrix - symmetric))
    frobenius = float(torch.linalg.matrix_norm(symmetric))
    inflated = 1 + 4 * len(matrix) ** 2 * UNIT  # the rounding of the two norms and of the sums here
    if frobenius == 0.0:
        return rest * inflated
    for margin in MARGINS:
        level = guess * (1 + margin)
        bound = _semidefinite(symmetric, level)
        if bound < frobenius:
            return (bound + rest) * inflated
    return (frobenius + rest) * inflated


def _semidefinite(symmetric: Tensor, level: float) -> float:
    """level and what a factorisation leaves open, at least the norm; infinite where it fails."""
    n = len(symmetric)
    one = torch.eye(n, dtype=symmetric.dtype, device=symmetric.device)
    pair = torch.stack([level * one - symmetric, level * one + symmetric])
    factors, info = torch.linalg.cholesky_ex(pair)
    if bool(info.any()) or not bool(torch.isfinite(factors).all()):
        return float("inf")
    growth = (n + 1) * UNIT / (1 - 2 * (n + 1) * UNIT)
    trace = float(pair.diagonal(dim1=1, dim2=2).sum(dim=1).max())
    diagonal = float(pair.diagonal(dim1=1, dim2=2).abs().max())
    return level + 2 * growth * trace + 2 * UNIT * diagonal
