"""The matrix variance of Appendix F along ladders of widths: |sum_i (sigma'(f~_i) H_i)^2| over the
in-degree of f, over its incoming neurons i with the Hessians H_i of their pre-activations, at the
centre; by power iteration, from below."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from verify.exponents import Exponents, Family, vanishing
from verify.papers.zlb22 import ladders
from verify.papers.zlb22.bottleneck_remainders import wiring_of_arm
from verify.papers.zlb22.group_ladders import MOST, ROOT_OF_M, Arm

if TYPE_CHECKING:
    import torch

    from numerics.curvature.networks import LayeredNetworks

VARIANCE = "matrix variance of f"
LADDERS = ((8, 16, 32), (9, 25, 64), (16, 36, 64, 144))  # m^(1/2) neurons hang on one
POWER_STEPS = 6


def variances(
    arm: Arm, width: int, seeds: int, generator: np.random.Generator
) -> dict[str, np.ndarray]:
    """(S,): the matrix variance."""
    return ladders.in_chunks(_variance, partial(wiring_of_arm, arm, width), seeds, generator)


def _variance(networks: LayeredNetworks, generator: torch.Generator) -> Mapping[str, np.ndarray]:
    import torch

    from numerics.curvature.passes import at_each_point
    from numerics.curvature.products import hessian_products
    from verify.papers.zlb22.layer_norms import LayerPass

    at = LayerPass(networks, ladders.target_of().points)
    terms = []
    for source, read in at.parents(at.depth):
        squares = (at.slopes(source) * read).square() if source > 1 else read[:, :0]
        for vertex in range(squares.shape[1]):
            here = at_each_point(networks, at.point, layer=source, vertex=vertex)
            terms.append((here, squares[:, vertex, None, None]))
    shape = (networks.count, 1, networks.parameter_count)
    vectors = torch.randn(shape, generator=generator, dtype=torch.float64)
    for _ in range(POWER_STEPS):
        vectors = vectors / torch.linalg.vector_norm(vectors, dim=2, keepdim=True)
        moved = (
            square * hessian_products(here, hessian_products(here, vectors))
            for here, square in terms
        )
        vectors = sum(moved, start=torch.zeros_like(vectors))
    norms = torch.linalg.vector_norm(vectors, dim=2)[:, 0]
    return {VARIANCE: (norms / at.in_degree(at.depth)).numpy()}


def vanishing_variance() -> Exponents:
    """That it tends to 0 where m^(1/2) neurons hang on one."""
    return Exponents(_families, (vanishing(VARIANCE),), MOST, ("one input, at the centre",))


def _families(scale: int) -> tuple[Family, ...]:
    return tuple(
        Family(f"{arm.name}, {arm.activation}", LADDERS, partial(variances, arm))
        for arm in ROOT_OF_M
    )
