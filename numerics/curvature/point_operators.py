"""Hessians at single points, on short vectors.

At one point the weights of layer l enter by V f and V^T (s zbar) alone, see
numerics.curvature.linearised, so that H = Phi S Phi^T, where Phi takes x = (u_l, q_l), l = 1 to L,
to the matrices M * (u_l f^T + (s zbar) q_l^T), and S is the linearised pass. A vector of D numbers,
the sum of d_l + s_l, stands for one of P, the sum of d_l s_l. G = Phi^T Phi is block diagonal by
layers; with G = F F^T the matrix F^T S F has the nonzero eigenvalues of H, and is small enough to
be made dense.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor

from numerics.curvature.grams import Block, block_of
from numerics.curvature.hops import Chain, row
from numerics.curvature.linearised import linearised, widened
from numerics.curvature.operators import Operator, single
from numerics.curvature.passes import Pass


@dataclass(frozen=True)
class PointHessians:
    """The Hessians of the objectives of a pass with one point a lane, on vectors of D numbers.

    Raises ValueError for a pass with several points, or for shared weights.
    """

    found: Pass

    def __post_init__(self) -> None:
        if any(tie is not None for tie in self.found.networks.ties):
            raise ValueError("edges share weights: take SharedPointHessians")
        self._check_points()

    def _check_points(self) -> None:
        if self.found.lanes[2] != 1:
            raise ValueError(f"{self.found.lanes[2]} points a lane: give one (at_each_point)")

    @property
    def size(self) -> int:
        """D."""
        return sum(block.width + block.reads for block in self.blocks)

    @property
    def dimension(self) -> int:
        """P."""
        return self.found.networks.parameter_count

    @property
    def lanes(self) -> tuple[int, int]:
        """(S, K)."""
        return self.found.lanes[:2]

    @cached_property
    def blocks(self) -> list[Block]:
        """The layers that the objectives depend on."""
        live = [n for n, part in enumerate(self.found.gradients, 1) if part is not None]
        return [block_of(self.found, number) for number in live]

    def parts(self, vectors: Tensor) -> list[Tensor]:
        """The coordinates of each block."""
        return list(vectors.split([block.width + block.reads for block in self.blocks], dim=2))

    def gram(self, vectors: Tensor) -> Tensor:
        """G x."""
        pairs = zip(self.blocks, self.parts(vectors), strict=True)
        return torch.cat([block.gram(part) for block, part in pairs], dim=2)

    @cached_property
    def weights(self) -> Tensor:
        """(S, K, D): the diagonal of G."""
        return torch.cat([block.weights for block in self.blocks], dim=2)

    def product(self, vectors: Tensor) -> Tensor:
        """S y, without what G takes to 0."""
        pairs = zip(self.blocks, self._linearised(vectors), strict=True)
        return torch.cat([block.cleaned(part) for block, part in pairs], dim=2)

    def _linearised(self, vectors: Tensor) -> list[Tensor]:
        """S y, by blocks."""
        networks = self.found.networks
        p: Chain = [None] * networks.architecture.depth
        q: Chain = [None] * networks.architecture.depth
        for block, part in zip(self.blocks, self.parts(vectors), strict=True):
            first, second = part[:, :, None].split([block.width, block.reads], dim=3)
            p[block.number - 1] = first * row(networks.scales[block.number - 1])
            q[block.number - 1] = second if block.reads else None
        r_gradients, r_reads = linearised(self.found, p, q)
        parts = []
        for block in self.blocks:
            one, two = r_gradients[block.number - 1], r_reads[block.number - 1]
            shape = (*vectors.shape[:2], 1)
            one = vectors.new_zeros(*shape, block.width) if one is None else one
            if two is None or not block.reads:
                two = vectors.new_zeros(*shape, block.reads)
            parts.append(torch.cat([one, two], dim=3)[:, :, 0])
        return parts

    def start(self, generator: torch.Generator) -> Tensor:
        """(S, K, D). Drawn on the CPU."""
        draws = torch.randn(*self.lanes, self.size, generator=generator, dtype=torch.float64)
        draws = draws.to(self.found.networks.device)
        pairs = zip(self.blocks, self.parts(draws), strict=True)
        return torch.cat([block.start(part) for block, part in pairs], dim=2)

    def isotropic(self, generator: torch.Generator) -> tuple[Operator, Tensor]:
        """One more coordinate, that of a normal vector of weights (one for each network): the start
        is that vector."""
        networks, found = self.found.networks, []
        square = self.found.neurons[0].new_zeros(*self.lanes, 1)
        for block in self.blocks:
            shape = (networks.count, *networks.architecture.shapes[block.number - 1])
            draws = torch.randn(shape, generator=generator, dtype=torch.float64)
            draws = draws.to(networks.device)
            draws = draws if block.mask is None else draws * block.mask
            square += draws.square().sum(dim=(1, 2))[:, None, None]
            seen, sent = block.read @ draws.mT, block.delta @ draws
            found.append(torch.cat([seen, sent], dim=2) if block.reads else seen)
            if block.reads:
                found[-1][..., block.width : block.width + block.inputs] = 0.0
        one = torch.nn.functional.one_hot(torch.tensor(self.size), self.size + 1)
        start = one.to(square).expand(*self.lanes, -1).contiguous()
        return WithVector(self, torch.cat(found, dim=2), square), start

    def expand(self, vectors: Tensor) -> Tensor:
        """(S, K, P): Phi S G x."""
        return self.weights_of(self.product(self.gram(vectors)))

    def weights_of(self, vectors: Tensor) -> Tensor:
        """Phi x, (S, K, P)."""
        networks = self.found.networks
        parts = [
            self.found.neurons[0].new_zeros(*self.lanes, *shape)
            for shape in networks.architecture.shapes
        ]
        for block, part in zip(self.blocks, self.parts(vectors), strict=True):
            u, q = part.split([block.width, block.reads], dim=2)
            parts[block.number - 1] = u[..., None] * block.read[:, :, None]
            if block.reads:
                parts[block.number - 1] += block.delta[..., None] * q[:, :, None]
        return networks.collected(parts)

    def dense(self, seed: int, lane: int) -> Tensor:
        """(D, D): F^T S F."""
        one = PointHessians(single(self.found, seed, lane))
        unit = torch.eye(self.size, dtype=torch.float64, device=self.found.networks.device)
        many = replace(one, found=widened(one.found, self.size))
        many.__dict__["blocks"] = [block.widened(self.size) for block in one.blocks]
        moved = many._root(unit[None])
        return many._root(torch.cat(many._linearised(moved), dim=2), transposed=True)[0].mT

    def _root(self, vectors: Tensor, *, transposed: bool = False) -> Tensor:
        pairs = zip(self.blocks, self.parts(vectors), strict=True)
        parts = [block.times_root(part, transposed=transposed) for block, part in pairs]
        return torch.cat(parts, dim=2)


@dataclass(frozen=True)
class WithVector:
    """The same Hessians on x and one coordinate c more: Phi x + c b, for a vector b of weights.

    inner: Phi^T b, (S, K, D); square: |b|^2, (S, K, 1).
    """

    short: PointHessians
    inner: Tensor
    square: Tensor

    @property
    def size(self) -> int:
        """D + 1."""
        return self.short.size + 1

    @property
    def dimension(self) -> int:
        """P."""
        return self.short.dimension

    @property
    def lanes(self) -> tuple[int, int]:
        """(S, K)."""
        return self.short.lanes

    def gram(self, vectors: Tensor) -> Tensor:
        """G x + c Phi^T b and <Phi^T b, x> + c |b|^2."""
        x, c = vectors[..., :-1], vectors[..., -1:]
        along = (self.inner * x).sum(dim=2, keepdim=True)
        return torch.cat([self.short.gram(x) + c * self.inner, along + c * self.square], dim=2)

    @cached_property
    def weights(self) -> Tensor:
        """(S, K, D + 1): the diagonal of G."""
        return torch.cat([self.short.weights, self.square], dim=2)

    def product(self, vectors: Tensor) -> Tensor:
        """S y, and 0."""
        return torch.nn.functional.pad(self.short.product(vectors[..., :-1]), (0, 1))

    def start(self, generator: torch.Generator) -> Tensor:
        """One without b."""
        return torch.nn.functional.pad(self.short.start(generator), (0, 1))

    def isotropic(self, generator: torch.Generator) -> tuple[Operator, Tensor]:
        """For another vector b."""
        return self.short.isotropic(generator)

    def expand(self, vectors: Tensor) -> Tensor:
        """(S, K, P): H (Phi x + c b)."""
        return self.short.weights_of(self.product(self.gram(vectors))[..., :-1])

    def dense(self, seed: int, lane: int) -> Tensor:
        """(D, D): F^T S F."""
        return self.short.dense(seed, lane)
