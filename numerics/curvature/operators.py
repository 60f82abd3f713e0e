"""Hessians as symmetric operators on short vectors.

At one point the weights of layer l enter by V f and V^T (s zbar) alone (numerics.curvature.passes),
so that H = Phi S Phi^T, where Phi takes x = (u_l, q_l), l = 1 to L, to the matrices
M * (u_l f^T + (s zbar) q_l^T), and S is the linearised pass. With G = Phi^T Phi = F F^T, which is
block diagonal by layers, H has the nonzero eigenvalues of B = F^T S F, whose size D is the sum of
d_l + s_l instead of that of d_l s_l: a vector of D numbers stands for one of P. For several
points together there is the plain operator on P numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Protocol

import torch
from torch import Tensor

from numerics.curvature.passes import Chain, Pass, linearised, row, widened
from numerics.curvature.products import hessian_products

NULL = 1e-13
"""Eigenvalues of G below this share of the largest are those of its null space."""


class Operator(Protocol):
    """S times K symmetric operators on vectors (S, K, size)."""

    @property
    def size(self) -> int:
        """The length of a vector."""

    @property
    def lanes(self) -> tuple[int, int]:
        """(S, K)."""

    def product(self, vectors: Tensor) -> Tensor:
        """(S, K, size) from (S, K, size)."""

    def start(self, generator: torch.Generator) -> Tensor:
        """(S, K, size): standard normal in the subspace that holds the range."""

    def expand(self, vectors: Tensor) -> Tensor:
        """(S, K, P): the vectors of weights, for eigenvectors of nonzero eigenvalues."""

    def dense(self, seed: int, lane: int) -> Tensor:
        """(size, size): one of the operators, column by column."""


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
    """The Hessians of the objectives of a pass, on vectors of all P weights."""

    found: Pass

    @property
    def size(self) -> int:
        """P."""
        return self.found.networks.parameter_count

    @property
    def lanes(self) -> tuple[int, int]:
        """(S, K)."""
        return self.found.lanes[:2]

    def product(self, vectors: Tensor) -> Tensor:
        """H v."""
        return hessian_products(self.found, vectors)

    def start(self, generator: torch.Generator) -> Tensor:
        """(S, K, P); 0 at edges that are not there. Drawn on the CPU."""
        networks = self.found.networks
        parts = [
            torch.randn(*self.lanes, size, generator=generator, dtype=torch.float64)
            for size in networks.distinct
        ]
        draws = torch.cat(parts, dim=2).to(networks.device)
        return networks.on_edges(draws)

    def expand(self, vectors: Tensor) -> Tensor:
        """The vectors themselves."""
        return vectors

    def dense(self, seed: int, lane: int) -> Tensor:
        """(P, P)."""
        one = torch.eye(self.size, dtype=torch.float64, device=self.found.networks.device)
        return hessian_products(single(self.found, seed, lane), one[None])[0].mT


@dataclass(frozen=True)
class Block:
    """One layer of G, and where its coordinates are. S, K as ever, d = d_l, s = s_l.

    number: the layer, 1 to L. width, reads: d, and s or 0 where only inputs are read. delta
    (S, K, d): s zbar; inner (S, K, s): what is read, 0 in place of inputs. norms (S, K, 1), of the
    closed form: those of what is read, of delta, of inner and of the inputs read. diagonal (S, K,
    d + s) and root (S, K, d + s, d + s): the root of the diagonal of G, and that of G divided by
    it on both sides (F = diagonal times root), or None for the closed form. null (S, K, d + s): a
    unit vector that F takes to 0, or 0.
    """

    number: int
    width: int
    reads: int
    delta: Tensor
    inner: Tensor
    norms: tuple[Tensor, Tensor, Tensor, Tensor]
    diagonal: Tensor | None
    root: Tensor | None
    null: Tensor

    def times_root(self, vectors: Tensor, *, transposed: bool = False) -> Tensor:
        """F x, (S, K, d + s), or F^T x, where F F^T = G.

        Without a mask G is |f|^2 on the u, |delta|^2 on the q, and couples the directions of
        delta and inner alone, by a 2 x 2 matrix A whose determinant is |delta|^2 |inputs|^2: its
        root is (A + sqrt(det) I) / sqrt(trace + 2 sqrt(det)), computed without cancellation.
        """
        if self.root is not None and self.diagonal is not None:
            if transposed:
                return (self.root @ (self.diagonal * vectors)[..., None])[..., 0]
            return self.diagonal * (self.root @ vectors[..., None])[..., 0]
        u, q = vectors.split([self.width, self.reads], dim=2)
        if not self.reads:
            return u * self.norms[0]
        one, two, first, across, second = self.coupling
        along_u, along_q = (one * u).sum(2, keepdim=True), (two * q).sum(2, keepdim=True)
        moved_u = self.norms[0] * u + one * (first * along_u + across * along_q)
        moved_q = self.norms[1] * q + two * (across * along_u + second * along_q)
        return torch.cat([moved_u, moved_q], dim=2)

    @cached_property
    def coupling(self) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """The directions of delta and inner, and what A^(1/2) adds to diag(|f|, |delta|)."""
        read, delta, inner, inputs = self.norms
        root = delta * inputs
        trace = (read.square() + delta.square() + 2 * root).sqrt()
        trace = torch.where(trace > 0, trace, 1.0)
        first, second = (read.square() + root) / trace, (delta.square() + root) / trace
        one, two = _unit(self.delta, delta), _unit(self.inner, inner)
        return one, two, first - read, delta * inner / trace, second - delta


def _unit(vectors: Tensor, norms: Tensor) -> Tensor:
    return vectors / torch.where(norms > 0, norms, 1.0)


@dataclass(frozen=True)
class PointHessians:
    """The Hessians of the objectives of a pass with one point a lane, on vectors of D numbers.

    Raises ValueError for a pass with several points, or for shared weights.
    """

    found: Pass

    def __post_init__(self) -> None:
        if any(tie is not None for tie in self.found.networks.ties):
            raise ValueError("edges share weights: take FullHessians")
        if self.found.lanes[2] != 1:
            raise ValueError(f"{self.found.lanes[2]} points a lane: give one (at_each_point)")

    @property
    def size(self) -> int:
        """D."""
        return sum(block.width + block.reads for block in self.blocks)

    @property
    def lanes(self) -> tuple[int, int]:
        """(S, K)."""
        return self.found.lanes[:2]

    @cached_property
    def blocks(self) -> list[Block]:
        """The layers that the objectives depend on."""
        live = [n for n, part in enumerate(self.found.gradients, 1) if part is not None]
        return [_block(self.found, number) for number in live]

    def _parts(self, vectors: Tensor) -> list[Tensor]:
        return list(vectors.split([block.width + block.reads for block in self.blocks], dim=2))

    def _root(self, vectors: Tensor, *, transposed: bool = False) -> Tensor:
        pairs = zip(self.blocks, self._parts(vectors), strict=True)
        parts = [block.times_root(part, transposed=transposed) for block, part in pairs]
        return torch.cat(parts, dim=2)

    def _inner(self, vectors: Tensor) -> Tensor:
        """S y, (S, K, D)."""
        networks = self.found.networks
        p: Chain = [None] * networks.architecture.depth
        q: Chain = [None] * networks.architecture.depth
        for block, part in zip(self.blocks, self._parts(vectors), strict=True):
            first, second = part[:, :, None].split([block.width, block.reads], dim=3)
            p[block.number - 1] = first * row(networks.scales[block.number - 1])
            q[block.number - 1] = second if block.reads else None
        r_gradients, r_reads = linearised(self.found, p, q)
        parts = []
        for block in self.blocks:
            one, two = r_gradients[block.number - 1], r_reads[block.number - 1]
            shape = (*vectors.shape[:2], 1)
            parts.append(vectors.new_zeros(*shape, block.width) if one is None else one)
            parts.append(vectors.new_zeros(*shape, block.reads) if two is None else two)
        return torch.cat(parts, dim=3)[:, :, 0]

    def product(self, vectors: Tensor) -> Tensor:
        """B x."""
        return self._root(self._inner(self._root(vectors)), transposed=True)

    def start(self, generator: torch.Generator) -> Tensor:
        """(S, K, D), normal in the range of F^T. Drawn on the CPU."""
        parts = []
        for block in self.blocks:
            shape = (*self.lanes, block.width + block.reads)
            draws = torch.randn(shape, generator=generator, dtype=torch.float64)
            draws = draws.to(block.null.device)
            if block.reads:
                inner = torch.ones_like(draws)
                inner[..., block.width + _inputs_read(self.found, block.number)] = 0.0
                draws = draws * inner
            parts.append(draws - block.null * (block.null * draws).sum(2, keepdim=True))
        return torch.cat(parts, dim=2)

    def expand(self, vectors: Tensor) -> Tensor:
        """(S, K, P): Phi S F x, which is H's eigenvector where x is B's, times its value."""
        networks, coordinates = self.found.networks, self._parts(self._inner(self._root(vectors)))
        parts = [
            self.found.neurons[0].new_zeros(*self.lanes, *shape)
            for shape in networks.architecture.shapes
        ]
        for block, part in zip(self.blocks, coordinates, strict=True):
            u, q = part.split([block.width, block.reads], dim=2)
            reads = self.found.reads[block.number - 1][:, :, 0]
            parts[block.number - 1] = u[..., None] * reads[:, :, None]
            if block.reads:
                parts[block.number - 1] += block.delta[..., None] * q[:, :, None]
        return networks.collected(parts)

    def dense(self, seed: int, lane: int) -> Tensor:
        """(D, D)."""
        one = PointHessians(single(self.found, seed, lane))
        unit = torch.eye(self.size, dtype=torch.float64, device=self.found.networks.device)
        many = replace(one, found=widened(one.found, self.size))
        wide = [_widened(block, self.size) for block in one.blocks]
        many.__dict__["blocks"] = wide  # the same G for all columns: not computed D times
        return many.product(unit[None])[0].mT


def _widened(block: Block, lanes: int) -> Block:
    names = ("delta", "inner", "null") + (() if block.root is None else ("root", "diagonal"))
    wide = {
        name: getattr(block, name).expand(-1, lanes, *[-1] * (getattr(block, name).ndim - 2))
        for name in names
    }
    return replace(block, norms=tuple(n.expand(-1, lanes, -1) for n in block.norms), **wide)


def _inputs_read(found: Pass, number: int) -> Tensor:
    """The numbers, among the vertices that a layer reads, of the inputs: the first ones."""
    architecture = found.networks.architecture
    reads = 0 in architecture.layers[number - 1].sources
    return torch.arange(architecture.inputs if reads else 0, device=found.networks.device)


def _block(found: Pass, number: int) -> Block:
    scaled = found.scaled(number)
    assert scaled is not None  # a live layer
    delta, read = scaled[:, :, 0], found.reads[number - 1][:, :, 0]
    layer, mask = found.networks.architecture.layers[number - 1], found.networks.masks[number - 1]
    inputs = _inputs_read(found, number)
    reads = 0 if layer.sources == (0,) else read.shape[2]
    inner = read[..., :reads].clone()
    if reads:
        inner[..., inputs] = 0.0
    null = torch.cat([delta, -inner], dim=2) if reads else torch.zeros_like(delta)
    if len(inputs):  # then Phi takes it to what is read of the inputs, not to 0
        null = torch.zeros_like(null)
    diagonal = root = None
    if mask is not None:
        gram = _masked_gram(mask[:, None], delta, read, inner)
        diagonal = gram.diagonal(dim1=2, dim2=3).sqrt()
        diagonal = torch.where(diagonal > 0, diagonal, 1.0)
        null = null * diagonal
    null = _unit(null, torch.linalg.vector_norm(null, dim=2, keepdim=True))
    if diagonal is not None:
        root = _root(gram / diagonal[..., None] / diagonal[..., None, :], null)
    arrays = (read, delta, inner, read[..., inputs])
    norms = tuple(torch.linalg.vector_norm(part, dim=2, keepdim=True) for part in arrays)
    width = delta.shape[2]
    return Block(number, width, reads, delta, inner, norms, diagonal, root, null)  # type: ignore[arg-type]  # four norms


def _masked_gram(mask: Tensor, delta: Tensor, read: Tensor, inner: Tensor) -> Tensor:
    """(S, K, d + s, d + s): G where edges are dropped."""
    rows = torch.diag_embed((mask * read.square()[:, :, None]).sum(dim=3))
    columns = torch.diag_embed((mask * delta.square()[..., None]).sum(dim=2))
    if not inner.shape[2]:
        return rows
    across = mask * delta[..., None] * inner[:, :, None]
    upper, lower = torch.cat([rows, across], dim=3), torch.cat([across.mT, columns], dim=3)
    return torch.cat([upper, lower], dim=2)


def _root(gram: Tensor, null: Tensor) -> Tensor:
    """The square roots of matrices (S, K, n, n) of unit diagonal; the null vector that is known is
    lifted first, so that its rounding does not enter by a square root."""
    outer = null[..., None] * null[..., None, :]
    values, vectors = torch.linalg.eigh(gram + outer)
    values = torch.where(values > NULL * values[..., -1:], values, 0.0)
    return (vectors * values.sqrt()[..., None, :]) @ vectors.mT - outer
