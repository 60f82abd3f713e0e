"""Jacot (2023), Bottleneck structure in learned features: low-dimension vs regularity tradeoff."""

from verify.papers.j23 import (
    bilinear,
    jacobians,
    kernels,
    segments,
    setup,
    symmetry,
    theorem6,
    theorem6_matrices,
    theorem6_rates,
    theorem6_steps,
    theorem6_totals,
)

CLAIMS = (
    *setup.CLAIMS,
    *jacobians.CLAIMS,
    *kernels.CLAIMS,
    *bilinear.CLAIMS,
    *segments.CLAIMS,
    *symmetry.CLAIMS,
    *theorem6.CLAIMS,
    *theorem6_steps.CLAIMS,
    *theorem6_totals.CLAIMS,
    *theorem6_matrices.CLAIMS,
    *theorem6_rates.CLAIMS,
)
