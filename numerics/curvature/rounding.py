"""What rounding can have done to an eigenvalue: a running error bound for Hessian-vector products.

Each entry of H v is a sum of products of stored numbers (weights, slopes, second derivatives,
values, entries of v), computed along paths up and down the layers. However the sums are ordered,
it is off by at most gamma_k times the same sum of absolute values, gamma_k = k u / (1 - k u), where
k bounds the number of roundings along any path (Higham 2002, Lemma 3.1 and Section 3.1); that sum
is one more product, with absolute values throughout. The Hessian meant is that of the pass as it is
stored: what rounded in the forward and the backward pass, activations included, is not in it.
"""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from numerics.conversion import UNIT
from numerics.curvature.hops import Chain
from numerics.curvature.operators import single
from numerics.curvature.passes import Pass
from numerics.curvature.products import hessian_products

INFLATED = 1.0 + 2.0**-10
"""More than the rounding of the bounds themselves, each a sum of numbers that are not negative."""

TOGETHER = 2**24
"""The most numbers in vectors that are taken together."""


def absolute(found: Pass) -> Pass:
    """The pass with the absolute values of all that it holds."""

    def positive(parts: Chain) -> list:
        return [None if part is None else part.abs() for part in parts]

    networks, curvatures = found.networks, found.objective.curvatures
    return replace(
        found,
        networks=replace(networks, weights=tuple(weight.abs() for weight in networks.weights)),
        objective=replace(
            found.objective, curvatures=None if curvatures is None else curvatures.abs()
        ),
        **{
            name: positive(getattr(found, name))
            for name in ("neurons", "slopes", "seconds", "reads", "gradients", "upstream")
        },
    )


def roundings(found: Pass) -> int:
    """A bound on the roundings along any path of a product: up and down each layer the terms of its
    sums, a dozen more, one for each later layer that hands something down and for each skip; then
    the points, and the edges that share a weight."""
    networks, architecture = found.networks, found.networks.architecture
    count = found.lanes[2] + 8
    for number, (rows, columns) in enumerate(architecture.shapes):
        tie = networks.ties[number]
        count += rows + columns + 16 + architecture.depth
        count += architecture.depth * len(architecture.layers[number].skips)
        if tie is not None:
            count += rows * columns
    return count


def gamma(count: int) -> float:
    """gamma_k, a little above."""
    return INFLATED * count * UNIT / (1 - count * UNIT)


def enclosed(found: Pass, vectors: Tensor, eigenvalues: Tensor) -> tuple[Tensor, Tensor]:
    """For weights v (S, K, P), not 0, and numbers (S, K): (S, K) radii within which of the numbers
    an eigenvalue lies, and (S, K) lower bounds of the norms, by v^T H v; both proved for the
    stored pass. Infinite and 0 where v is 0. Large ones are taken one by one."""
    count, lanes = eigenvalues.shape
    if count * lanes > 1 and vectors.numel() > TOGETHER:
        pairs = [
            enclosed(
                single(found, s, k), vectors[s : s + 1, k : k + 1], eigenvalues[s, k].view(1, 1)
            )
            for s in range(count)
            for k in range(lanes)
        ]
        parts = [torch.cat([pair[n].view(1) for pair in pairs]) for n in range(2)]
        return parts[0].view(count, lanes), parts[1].view(count, lanes)
    product = hessian_products(found, vectors)
    slack = gamma(roundings(found)) * hessian_products(absolute(found), vectors.abs())
    moved = eigenvalues[..., None] * vectors
    rest = product - moved
    slack = slack * INFLATED + 4 * UNIT * (product.abs() + moved.abs())
    relative = gamma(vectors.shape[2] + 8)
    squares = vectors.square().sum(dim=2)
    there = squares > 0
    squares = torch.where(there, squares, 1.0)
    lengths = torch.linalg.vector_norm(rest, dim=2) + torch.linalg.vector_norm(slack, dim=2)
    radii = lengths * (1 + relative) / squares.sqrt() * (1 + 4 * relative)
    quotients = (vectors * product).sum(dim=2).abs()
    lost = (vectors.abs() * (relative * product.abs() + slack)).sum(dim=2) * INFLATED
    lower = (quotients - lost).clamp(min=0) / squares * (1 - 4 * relative)
    return torch.where(there, radii, torch.inf), torch.where(there, lower, 0.0)
