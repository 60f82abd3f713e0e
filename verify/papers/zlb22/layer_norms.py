"""What the lemmas of Appendices B and K bound, layer by layer, of wide networks.

At one input, of the first vertex k of each layer l from 2 on: its incoming neurons, their
derivatives with respect to the weights of earlier layers, the matrix variance of Lemma K.9, the
series of Lemma K.10, and blocks of the Hessian. Each is divided by the printed bound, once without
its logarithms and, where their power is low, once with them, so that a ratio with a positive
exponent contradicts the lemma.
Weights of different neurons of a layer are different, so a derivative by the weights of layer l' is
one by its pre-activations, with the columns multiplied by |f_S(u)| / sqrt(in-degree of u).

Axes: S networks, d_l neurons of layer l.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from numerics.curvature.passes import Pass, at_each_point, forward
from numerics.curvature.products import hessian_products

if TYPE_CHECKING:
    from numerics.curvature.networks import LayeredNetworks

NEURONS, INCOMING = "largest neuron", "|f_S| over sqrt(in-degree)"
SPECTRAL, FROBENIUS = "|df_S/dw| over its bound", "|df_S/dw|_F over its bound"
BLOCKS, VARIANCE = "|H block| over its bound", "matrix variance over its bound"
SERIES = "|sum U_i df_k/df_i| over max |U_i|"
INCLUDED = ", logarithms included"
SMALL = 8  # rows and columns of dense U_i


@dataclass(frozen=True)
class LayerPass:
    """Networks at one input (1, d_0), and what has been derived of them."""

    networks: LayeredNetworks
    point: Tensor
    chains: dict[int, dict[int, Tensor]] = field(default_factory=dict)

    @cached_property
    def found(self) -> Pass:
        """The pass up."""
        return forward(self.networks, self.point)

    @property
    def depth(self) -> int:
        """L."""
        return self.networks.architecture.depth

    def neurons(self, layer: int) -> Tensor:
        """(S, d_l)."""
        return self.found.neurons[layer][:, 0, 0]

    def slopes(self, layer: int) -> Tensor:
        """(S, d_l): sigma' of a layer from 1 on."""
        return self.found.slopes[layer - 1][:, 0, 0]

    def bends(self, layer: int) -> Tensor:
        """(S, d_l): sigma''."""
        return self.found.seconds[layer - 1][:, 0, 0]

    # the graph -----------------------------------------------------------------------------------
    def sources(self, layer: int) -> Iterator[tuple[int, slice]]:
        """The layers that a layer reads, and where they stand among what it reads."""
        widths, at = self.networks.architecture.widths, 0
        for source in self.networks.architecture.layers[layer - 1].sources:
            yield source, slice(at, at + widths[source])
            at += widths[source]

    def mask(self, layer: int) -> Tensor:
        """(1 or S, d_l, s_l)."""
        mask = self.networks.masks[layer - 1]
        rows, columns = self.networks.architecture.shapes[layer - 1]
        return torch.ones(1, rows, columns, dtype=torch.float64) if mask is None else mask

    def degrees(self, layer: int) -> Tensor:
        """(1 or S, d_l): in-degrees."""
        return self.mask(layer).sum(dim=2)

    def least(self, first: int, last: int) -> Tensor:
        """(1 or S,): the least in-degree of the layers from `first` to `last`."""
        return torch.stack(
            [
                self.degrees(p).amin(dim=1).expand(self.networks.count)
                for p in range(first, last + 1)
            ]
        ).amin(dim=0)

    def parents(self, layer: int) -> Iterator[tuple[int, Tensor]]:
        """For the first vertex of a layer: each source layer, and which of it are read (., d)."""
        for source, place in self.sources(layer):
            yield source, self.mask(layer)[:, 0, place]

    def in_degree(self, layer: int) -> Tensor:
        """(1 or S,): of the first vertex of a layer."""
        return self.degrees(layer)[:, 0]

    # derivatives ---------------------------------------------------------------------------------
    def chain(self, start: int) -> dict[int, Tensor]:
        """By layer from `start` on, the derivatives of pre-activations by those of `start`:
        (S, d_p, d_start)."""
        if start not in self.chains:
            widths = self.networks.architecture.widths
            eye = torch.eye(widths[start], dtype=torch.float64)
            made = {start: eye.expand(self.networks.count, -1, -1)}
            for layer in range(start + 1, self.depth + 1):
                matrix = self.networks.matrices[layer - 1]
                total = torch.zeros(self.networks.count, widths[layer], widths[start]).double()
                for source, place in self.sources(layer):
                    if source in made:
                        step = matrix[:, :, place] * self.slopes(source)[:, None]
                        total = total + step @ made[source]
                made[layer] = total
            self.chains[start] = made
        return self.chains[start]

    def weight_factors(self, layer: int) -> Tensor:
        """(S, d_l): |f_S(u)| / sqrt(in-degree of u)."""
        reads = self.found.reads[layer - 1][:, 0, 0]
        squares = (self.mask(layer) @ reads.square()[..., None])[..., 0]
        return (squares / self.degrees(layer)).sqrt()

    def incoming(self, layer: int, start: int) -> Tensor:
        """(S, rows, d_start): the derivative of the incoming neurons of the first vertex by the
        weights of layer `start`, with rows of zeros for what is not read."""
        rows = []
        for source, read in self.parents(layer):
            if source >= start:
                slopes = (self.slopes(source) * read)[..., None]
                rows.append(slopes * self.chain(start)[source])
        return torch.cat(rows, dim=1) * self.weight_factors(start)[:, None]

    def upward(self, layer: int, start: int) -> Tensor:
        """(S, d_start): the derivative of the first pre-activation of a layer by the neurons of
        `start`."""
        matrix = self.networks.matrices
        by_pre: dict[int, Tensor] = {layer: torch.ones(self.networks.count, 1).double()}
        rows = {layer: matrix[layer - 1][:, :1]}
        for lower in range(layer - 1, start - 1, -1):
            found = torch.zeros_like(self.neurons(lower))
            for upper, weights in by_pre.items():
                places = dict(self.sources(upper))
                if lower in places:
                    step = rows[upper][:, :, places[lower]]
                    found = found + (weights[:, None] @ step)[:, 0]
            if lower == start:
                return found
            by_pre[lower] = found * self.slopes(lower)
            rows[lower] = matrix[lower - 1]
        raise ValueError(f"layer {start} does not lie below layer {layer}")


# the quantities -----------------------------------------------------------------------------------
def spectral(matrices: Tensor) -> Tensor:
    """(S,): largest singular values of (S, m, n)."""
    gram = matrices @ matrices.mT if matrices.shape[1] <= matrices.shape[2] else None
    gram = matrices.mT @ matrices if gram is None else gram
    return torch.linalg.eigvalsh(gram)[:, -1].clamp(min=0.0).sqrt()


def measured(
    networks: LayeredNetworks,
    point: Tensor,
    generator: torch.Generator,
    *,
    radius: float = 0.0,
    blocks: bool = True,
) -> dict[str, Tensor]:
    """(S,) each: the quantities above, the largest over the layers; radius: R."""
    at = LayerPass(networks, point)
    found: dict[str, list[Tensor]] = {}
    logarithm = at.least(2, at.depth).log() + radius

    def note(name: str, value: Tensor, power: int | None = None) -> None:
        """power: of log m + R in the printed bound."""
        whole = value.expand(networks.count)
        found.setdefault(name, []).append(whole)
        if power is not None:
            found.setdefault(name + INCLUDED, []).append(whole / logarithm**power)

    for layer in range(1, at.depth):
        note(NEURONS, at.neurons(layer).abs().amax(dim=1), layer)
    for layer in range(2, at.depth + 1):
        degree = at.in_degree(layer)
        squares = sum(
            (at.neurons(source).square() * read).sum(dim=1) for source, read in at.parents(layer)
        )
        note(INCOMING, (squares / degree).sqrt(), layer - 1)
        for start in range(1, layer):
            jacobian = at.incoming(layer, start)
            bound = (degree / at.least(start + 1, layer)).sqrt()
            series = largest_series(at.upward(layer, start), at.neurons(start))
            note(SPECTRAL, spectral(jacobian) / bound, start)
            note(FROBENIUS, torch.linalg.matrix_norm(jacobian) / degree.sqrt(), layer - 1)
            note(SERIES, series, layer - start)
        for value in variances(at, layer):
            note(VARIANCE, value)
        if blocks:
            note(BLOCKS, largest_block(at, layer, generator))
    return {name: torch.stack(values).amax(dim=0) for name, values in found.items()}


def variances(at: LayerPass, layer: int) -> Iterator[Tensor]:
    """nu of Lemma K.9 over the largest 1 / (least in-degree), for every choice of layers."""
    for middle, read in at.parents(layer):
        if middle == 0:
            continue
        gradients = {
            start: at.chain(start)[middle] * at.weight_factors(start)[:, None]
            for start in range(1, middle + 1)
        }
        bends = (at.bends(middle) * read)[..., None]
        lengths = {start: torch.linalg.vector_norm(g, dim=2) for start, g in gradients.items()}
        for first, second in combinations_with_replacement(gradients, 2):
            sizes = [
                spectral(bends * lengths[two][..., None] * gradients[one])
                for one, two in {(first, second), (second, first)}
            ]
            nu = torch.stack(sizes).amax(dim=0).square() / at.in_degree(layer)
            yield nu * at.least(first + 1, layer)


def largest_series(weights: Tensor, neurons: Tensor) -> Tensor:
    """(S,): |sum_i U_i r_i| for r (S, d) and families of matrices U_i of norm 1: the identity, the
    signs of the neurons below, units and signs on a diagonal, orthogonal matrices."""
    count = weights.shape[1]
    own = torch.Generator().manual_seed(1)
    signs = torch.randint(0, 2, (count, count), generator=own).double() * 2 - 1
    dense = torch.randn(count, SMALL, SMALL, generator=own, dtype=torch.float64)
    orthogonal = torch.linalg.qr(dense)[0]
    sums = torch.einsum("si,ijk->sjk", weights, orthogonal)
    found = (
        weights.sum(dim=1).abs(),
        (weights * neurons.sign()).sum(dim=1).abs(),
        weights.abs().amax(dim=1),
        (weights @ signs).abs().amax(dim=1),
        torch.linalg.matrix_norm(sums, 2),
    )
    return torch.stack(found).amax(dim=0)


POWER_STEPS = 6


def largest_block(at: LayerPass, layer: int, generator: torch.Generator) -> Tensor:
    """(S,): the largest |block (l1, l2)| of the Hessian of the first pre-activation of a layer over
    the largest 1 / sqrt(least in-degree of the layers l1 + 1 to l), by power iteration."""
    networks = at.networks
    here = at_each_point(networks, at.point, layer=layer, vertex=0)
    pairs = list(combinations_with_replacement(range(1, layer + 1), 2))[:-1]  # the last is 0
    ends = torch.tensor([0, *networks.distinct]).cumsum(0)
    kept = torch.zeros(2, len(pairs), networks.parameter_count, dtype=torch.float64)
    for place, pair in enumerate(pairs):
        for side, number in enumerate(pair):
            kept[side, place, ends[number - 1] : ends[number]] = 1.0
    shape = (networks.count, len(pairs), networks.parameter_count)
    vectors = torch.randn(shape, generator=generator, dtype=torch.float64)
    norms = torch.zeros(shape[:2], dtype=torch.float64)
    for step in range(2 * POWER_STEPS):
        vectors = networks.on_edges(vectors) * kept[1 - step % 2]
        lengths = torch.linalg.vector_norm(vectors, dim=2, keepdim=True)
        vectors = hessian_products(here, vectors / lengths.clamp(min=1e-300))
        norms = torch.linalg.vector_norm(vectors * kept[step % 2], dim=2)
    bounds = [at.least(first + 1, layer).rsqrt() for first, _ in pairs]
    return (norms / torch.stack(bounds, dim=1)).amax(dim=1)
