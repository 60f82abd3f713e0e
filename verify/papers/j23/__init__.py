"""Jacot (2023), Bottleneck structure in learned features: low-dimension vs regularity tradeoff."""

from verify.papers.j23 import (
    bilinear,
    example20,
    example20_rates,
    jacobians,
    kernels,
    lipschitz,
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
    *lipschitz.CLAIMS,
    *symmetry.CLAIMS,
    *example20.CLAIMS,
    *example20_rates.CLAIMS,
    *theorem6.CLAIMS,
    *theorem6_steps.CLAIMS,
    *theorem6_totals.CLAIMS,
    *theorem6_matrices.CLAIMS,
    *theorem6_rates.CLAIMS,
)
