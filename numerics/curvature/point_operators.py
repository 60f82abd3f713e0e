"""Hessians at single points, on short vectors.

At one point the weights of layer l enter by V f and V^T (s zbar) alone (numerics.curvature.passes),
so that H = Phi S Phi^T, where Phi takes x = (u_l, q_l), l = 1 to L, to the matrices
M * (u_l f^T + (s zbar) q_l^T), and S is the linearised pass. A vector of D numbers, the sum of d_l
+ s_l, stands for one of P, the sum of d_l s_l. G = Phi^T Phi is block diagonal by layers; with G =
F F^T the matrix F^T S F has the nonzero eigenvalues of H, and is small enough to be made dense.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor

from numerics.curvature.operators import Operator, single
from numerics.curvature.passes import Chain, Pass, linearised, row, widened

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
        return [_block(self.found, number) for number in live]

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


def _block(found: Pass, number: int) -> Block:
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
