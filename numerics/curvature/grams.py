"""G = Phi^T Phi of numerics.curvature.point_operators, layer by layer: its products, what it takes
to 0, and its root."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor

from numerics.curvature.passes import Pass

NULL = 1e-13
"""Eigenvalues of G below this share of the largest are those of its null space."""


@dataclass(frozen=True)
class Block:
    """One layer of G, and where its coordinates are. S, K as ever, d = d_l, s = s_l.

    number: the layer, 1 to L. width, reads: d, and s or 0 where only inputs are read. delta
    (S, K, d): s zbar; read (S, K, s): f; inner (S, K, s or 0): f, 0 in place of inputs. mask
    (1 or S, d, s) or None. inputs: how many of what is read, the first ones, are inputs.
    """

    number: int
    width: int
    reads: int
    delta: Tensor
    read: Tensor
    inner: Tensor
    mask: Tensor | None
    inputs: int

    @cached_property
    def norms(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """(S, K, 1) each: of what is read, of delta, of inner and of the inputs read."""
        arrays = (self.read, self.delta, self.inner, self.read[..., : self.inputs])
        read, delta, inner, inputs = (
            torch.linalg.vector_norm(part, dim=2, keepdim=True) for part in arrays
        )
        return read, delta, inner, inputs

    @cached_property
    def squares(self) -> tuple[Tensor, Tensor]:
        """The diagonal of G: that of the u, (S, K, d or 1), and that of the q, (S, K, s or 1); in
        place of inputs it does not hold."""
        if self.mask is None:
            return self.norms[0].square(), self.norms[1].square()
        columns = self.mask[..., : self.reads]
        return self.read.square() @ self.mask.mT, self.delta.square() @ columns

    @cached_property
    def groups(self) -> Tensor:
        """(1 or S, d + s): numbers of the connected parts of the graph of a layer, inputs left out
        (each stands alone)."""
        if self.mask is None:
            groups = torch.zeros(1, self.width + self.reads, dtype=torch.int64)
        else:
            groups = parts_of(self.mask[..., : self.reads], self.inputs)
        return groups.to(self.delta.device)

    @cached_property
    def null(self) -> Tensor:
        """(S, K, d + s): G takes it to 0, and each of its connected parts; 0 in parts that read
        inputs, where that does not hold. Each part of norm 1, or 0."""
        if not self.reads:
            return torch.zeros_like(self.delta)
        null = torch.cat([self.delta, -self.inner], dim=2) * (self.weights > 0)
        if self.inputs:
            squares = self.read[..., : self.inputs].square()
            if self.mask is None:
                bound = squares.sum(dim=2, keepdim=True).expand(*self.delta.shape)
            else:
                bound = squares @ self.mask[..., : self.inputs].mT
            bound = torch.nn.functional.pad((bound > 0).to(null.dtype), (0, self.reads))
            null = null * (self._over_groups(bound) == 0)
        norms = self._over_groups(null.square()).sqrt()
        return null / torch.where(norms > 0, norms, 1.0)

    def _over_groups(self, vectors: Tensor) -> Tensor:
        """The sums over the connected parts, at each of their places."""
        groups = self.groups[:, None].expand_as(vectors)
        if self.mask is None:
            return vectors.sum(dim=2, keepdim=True).expand_as(vectors)
        return torch.zeros_like(vectors).scatter_add(2, groups, vectors).gather(2, groups)

    def gram(self, vectors: Tensor) -> Tensor:
        """G x: u |f|^2 + delta <f, q> and f <delta, u> + |delta|^2 q, or with the mask in each
        sum; coordinates q in place of inputs count for nothing."""
        u, q = vectors.split([self.width, self.reads], dim=2)
        first, second = self.squares
        if not self.reads:
            return first * u
        seen, sent = self.inner * q, self.delta * u
        if self.mask is None:
            across, back = seen.sum(2, keepdim=True), sent.sum(2, keepdim=True)
        else:
            across, back = seen @ self.mask.mT, sent @ self.mask
        below = self.inner * back + second * q
        below[..., : self.inputs] = 0.0
        return torch.cat([first * u + self.delta * across, below], dim=2)

    def cleaned(self, vectors: Tensor) -> Tensor:
        """Without what G takes to 0, as far as is known: in place of inputs, where its diagonal is
        0, and the null vectors."""
        vectors = torch.where(self.weights > 0, vectors, 0.0)
        if not self.reads or not self.has_null:
            return vectors
        return vectors - self.null * self._over_groups(self.null * vectors)

    @cached_property
    def has_null(self) -> bool:
        """Whether null vectors are known."""
        return bool(self.null.any())

    def start(self, draws: Tensor) -> Tensor:
        """Normal draws (S, K, d + s), so scaled that Phi x has about the same size everywhere."""
        u, q = draws.split([self.width, self.reads], dim=2)
        first, second = (torch.where(part > 0, part, 1.0).rsqrt() for part in self.squares)
        return self.cleaned(torch.cat([u * first, q * second], dim=2))

    # the root of G, where a dense matrix is wanted ------------------------------------------------
    @cached_property
    def diagonal(self) -> Tensor:
        """(S, K, d + s): with a mask, the root of the diagonal of G, 1 where that is 0."""
        weights = self.weights
        return torch.where(weights > 0, weights.sqrt(), 1.0)

    @cached_property
    def weights(self) -> Tensor:
        """(S, K, d + s): the diagonal of G."""
        first, second = self.squares
        first = first.expand_as(self.delta)
        if not self.reads:
            return first
        return torch.cat([first, (self.places * second).expand_as(self.inner)], dim=2)

    @property
    def places(self) -> Tensor:
        """(s,): 1, and 0 in place of inputs."""
        places = torch.ones_like(self.inner[0, 0])
        places[: self.inputs] = 0.0
        return places

    @cached_property
    def root(self) -> Tensor:
        """(S, K, d + s, d + s): with a mask, the root of G divided by `diagonal` on both sides; F
        is diagonal times root."""
        assert self.mask is not None
        first, second = self.squares
        gram = torch.diag_embed(first)
        if self.reads:
            across = self.mask[:, None] * self.delta[..., None] * self.inner[:, :, None]
            upper = torch.cat([gram, across], dim=3)
            lower = torch.cat([across.mT, torch.diag_embed(self.places * second)], dim=3)
            gram = torch.cat([upper, lower], dim=2)
        gram = gram / self.diagonal[..., None] / self.diagonal[..., None, :]
        return _root(gram, self._null_matrix())

    def _null_matrix(self) -> Tensor:
        """(S, K, n, n): the projection to the null vectors that are known, of G divided so."""
        null = self.null * self.diagonal
        norms = self._over_groups(null.square()).sqrt()
        null = null / torch.where(norms > 0, norms, 1.0)
        same = (self.groups[:, :, None] == self.groups[:, None])[:, None]
        return null[..., None] * null[..., None, :] * same

    def times_root(self, vectors: Tensor, *, transposed: bool = False) -> Tensor:
        """F x, (S, K, d + s), or F^T x, where F F^T = G.

        Without a mask G is |f|^2 on the u, |delta|^2 on the q, and couples the directions of
        delta and inner alone, by a 2 x 2 matrix A whose determinant is |delta|^2 |inputs|^2: its
        root is (A + sqrt(det) I) / sqrt(trace + 2 sqrt(det)), computed without cancellation.
        """
        if self.mask is not None:
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
        return (
            _unit(self.delta),
            _unit(self.inner),
            first - read,
            delta * inner / trace,
            second - delta,
        )

    def widened(self, lanes: int) -> Block:
        """The same one-lane block for `lanes` vectors at once, its root not computed again."""
        wide = replace(
            self,
            **{
                name: getattr(self, name).expand(-1, lanes, -1)
                for name in ("delta", "read", "inner")
            },
        )
        if self.mask is not None:
            wide.__dict__["root"] = self.root.expand(-1, lanes, -1, -1)
            wide.__dict__["diagonal"] = self.diagonal.expand(-1, lanes, -1)
        return wide


def _unit(vectors: Tensor) -> Tensor:
    norms = torch.linalg.vector_norm(vectors, dim=2, keepdim=True)
    return vectors / torch.where(norms > 0, norms, 1.0)


def _root(gram: Tensor, null: Tensor) -> Tensor:
    """The square roots of matrices (S, K, n, n) of unit diagonal; the null space that is known (its
    projection) is lifted first, so that its rounding does not enter by a square root."""
    values, vectors = torch.linalg.eigh(gram + null)
    values = torch.where(values > NULL * values[..., -1:], values, 0.0)
    return (vectors * values.sqrt()[..., None, :]) @ vectors.mT - null


def parts_of(mask: Tensor, left_out: int) -> Tensor:
    """(G, d + s): numbers of the connected parts of bipartite graphs (G, d, s), the first
    `left_out` columns apart: each of these is a part of its own, as is one that nothing reads."""
    count, rows, columns = mask.shape
    mask = torch.cat([torch.zeros_like(mask[..., :left_out]), mask[..., left_out:]], dim=2)
    numbers = torch.arange(rows + columns, device=mask.device).expand(count, -1).clone()
    for start in range(rows):
        open_rows = numbers[:, start] == start  # not reached from an earlier one
        if not bool(open_rows.any()):
            continue
        seen = torch.zeros(count, rows, 1, dtype=mask.dtype, device=mask.device)
        seen[:, start, 0] = open_rows.to(mask.dtype)
        reached = 0
        while reached < int(seen.sum()):
            reached = int(seen.sum())
            below = (mask.mT @ seen > 0).to(mask.dtype)
            seen = torch.maximum(seen, (mask @ below > 0).to(mask.dtype))
        below = (mask.mT @ seen > 0).to(mask.dtype)
        found = torch.cat([seen, below], dim=1)[..., 0] > 0
        numbers = torch.where(found, start, numbers)
    return numbers


def block_of(found: Pass, number: int) -> Block:
    """The block of a live layer, for one point a lane."""
    scaled = found.scaled(number)
    assert scaled is not None  # a live layer
    delta, read = scaled[:, :, 0], found.reads[number - 1][:, :, 0]
    architecture = found.networks.architecture
    sources = architecture.layers[number - 1].sources
    inputs = architecture.inputs if 0 in sources else 0
    reads = 0 if sources == (0,) else read.shape[2]
    inner = read[..., :reads].clone()
    inner[..., :inputs] = 0.0
    mask = found.networks.masks[number - 1]
    return Block(number, delta.shape[2], reads, delta, read, inner, mask, inputs)
