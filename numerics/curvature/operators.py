"""Hessians as symmetric operators, on all weights or on short vectors.

A vector x of coordinates stands for the vector v = Phi x of weights. An operator knows G x = Phi^T
v (`gram`) and S y, the coordinates of H v from y = Phi^T v (`product`): S G is self-adjoint for the
inner product x^T G x' = v^T v', so Lanczos runs on coordinates. Here Phi is the identity; short
vectors for single points are in numerics.curvature.point_operators.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Protocol

import torch
from torch import Tensor

from numerics.curvature.passes import Pass
from numerics.curvature.products import hessian_products


class Operator(Protocol):
    """S times K Hessians on coordinates (S, K, size)."""

    @property
    def size(self) -> int:
        """How many coordinates a vector has."""

    @property
    def dimension(self) -> int:
        """P: of the space of weights that coordinates stand for."""

    @property
    def lanes(self) -> tuple[int, int]:
        """(S, K)."""

    @property
    def weights(self) -> Tensor:
        """The diagonal of G, or what broadcasts to (S, K, size)."""

    def gram(self, vectors: Tensor) -> Tensor:
        """G x, (S, K, size)."""

    def product(self, vectors: Tensor) -> Tensor:
        """S y, (S, K, size)."""

    def start(self, generator: torch.Generator) -> Tensor:
        """(S, K, size): a random start."""

    def isotropic(self, generator: torch.Generator) -> tuple[Operator, Tensor]:
        """An operator for the same Hessians, and coordinates of a standard normal vector of
        weights."""

    def expand(self, vectors: Tensor) -> Tensor:
        """(S, K, P): H Phi x, an eigenvector times its eigenvalue where Phi x is one."""

    def dense(self, seed: int, lane: int) -> Tensor:
        """(n, n): a symmetric matrix with the nonzero eigenvalues of one of the Hessians."""


def single(found: Pass, seed: int, lane: int) -> Pass:
    """The pass of one network and one lane."""

    def one(part: Tensor | None) -> Tensor | None:
        return None if part is None else part[seed : seed + 1, lane : lane + 1]

    arrays = {
        field.name: [one(part) for part in getattr(found, field.name)]
        for field in fields(Pass)
        if field.name not in ("networks", "objective")
    }
    curvatures = found.objective.curvatures
    if curvatures is not None:
        shape = (*found.lanes, curvatures.shape[-1])
        curvatures = one(curvatures.expand(shape))
    objective = replace(found.objective, curvatures=curvatures)
    return replace(found, networks=found.networks.at([seed]), objective=objective, **arrays)


@dataclass(frozen=True)
class FullHessians:
    """The Hessians of the objectives of a pass, on vectors of all P weights: Phi and G are 1."""

    found: Pass

    @property
    def size(self) -> int:
        """P."""
        return self.found.networks.parameter_count

    @property
    def dimension(self) -> int:
        """P."""
        return self.size

    @property
    def lanes(self) -> tuple[int, int]:
        """(S, K)."""
        return self.found.lanes[:2]

    @property
    def weights(self) -> Tensor:
        """1."""
        return self.found.neurons[0].new_ones(())

    def gram(self, vectors: Tensor) -> Tensor:
        """The vectors themselves."""
        return vectors

    def product(self, vectors: Tensor) -> Tensor:
        """H v."""
        return hessian_products(self.found, vectors)

    def start(self, generator: torch.Generator) -> Tensor:
        """(S, K, P), normal; 0 at edges that are not there. Drawn on the CPU."""
        networks = self.found.networks
        draws = torch.randn(*self.lanes, self.size, generator=generator, dtype=torch.float64)
        return networks.on_edges(draws.to(networks.device))

    def isotropic(self, generator: torch.Generator) -> tuple[Operator, Tensor]:
        """This operator and a start."""
        return self, self.start(generator)

    def expand(self, vectors: Tensor) -> Tensor:
        """H v."""
        return self.product(vectors)

    def dense(self, seed: int, lane: int) -> Tensor:
        """(P, P)."""
        one = torch.eye(self.size, dtype=torch.float64, device=self.found.networks.device)
        return hessian_products(single(self.found, seed, lane), one[None])[0].mT
