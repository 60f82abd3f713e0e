"""Wide layered networks on DAGs as arrays, many of one architecture at a time.

Vertices stand in layers 0 (the inputs) to L; the pre-activations of a layer read the neurons of
any earlier layers: `z_i = s_i sum_j M_ij W_ij f_j`, with M the edges that there are and s_i =
1/sqrt(in-degree of i) ("ntk", eq. (2) of Zhu, Liu and Belkin 2022) or 1 ("standard"). A skip adds
to a pre-activation an earlier neuron or pre-activation, with no weight (their Appendix D). Edges
may share a weight (their Appendix E): flat vectors then hold the distinct weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor

from numerics.curvature.architectures import Architecture
from numerics.curvature.ties import check_tie, numbers_of, untied


@dataclass(frozen=True)
class LayeredNetworks:
    """S networks ("seeds") of one architecture.

    weights: L tensors (S, d_l, s_l), s_l the vertices of the sources in order; masks: L tensors
    (1 or S, d_l, s_l) of zeros and ones, or None where every edge is there. Float64, on one device.
    Weights of edges that are not there must be 0. ties: nothing, or L tensors (1 or S, d_l, s_l) of
    integers, or None: edges of a layer that have the same number share a weight; 0 to Q_l - 1, each
    of them somewhere, and -1 where there is no edge.

    Raises ValueError where shapes, dtypes or devices do not fit, a vertex reads nothing, an edge
    that is not there has a weight, or shared weights differ.
    """

    architecture: Architecture
    weights: tuple[Tensor, ...]
    masks: tuple[Tensor | None, ...]
    ties: tuple[Tensor | None, ...] = ()

    def __post_init__(self) -> None:
        shapes = self.architecture.shapes
        if not self.ties:
            object.__setattr__(self, "ties", (None,) * len(shapes))
        if not len(self.weights) == len(self.masks) == len(shapes):
            raise ValueError(f"give {len(shapes)} matrices and as many masks")
        for number, (weight, mask, shape) in enumerate(
            zip(self.weights, self.masks, shapes, strict=True), 1
        ):
            if tuple(weight.shape) != (self.count, *shape) or weight.dtype != torch.float64:
                raise ValueError(f"layer {number}: weights {tuple(weight.shape)} for {shape}")
            if weight.device != self.device:
                raise ValueError(f"layer {number} is on {weight.device}, not {self.device}")
            if mask is None:
                continue
            if mask.shape[0] not in (1, self.count) or tuple(mask.shape[1:]) != shape:
                raise ValueError(f"layer {number}: mask {tuple(mask.shape)} for {shape}")
            if not bool((mask.sum(dim=2) > 0).all()):
                raise ValueError(f"layer {number}: a vertex reads nothing")
            if bool((weight * (1 - mask) != 0).any()):
                raise ValueError(f"layer {number}: an edge that is not there has a weight")
        if len(self.ties) != len(shapes):
            raise ValueError(f"give as many ties as layers: {len(shapes)}")
        for number, (weight, tie, mask) in enumerate(
            zip(self.weights, self.ties, self.masks, strict=True), 1
        ):
            if tie is not None:
                check_tie(number, weight, tie, mask)

    @property
    def count(self) -> int:
        """S."""
        return self.weights[0].shape[0]

    @property
    def device(self) -> torch.device:
        """Where the arrays are."""
        return self.weights[0].device

    @cached_property
    def scales(self) -> tuple[Tensor, ...]:
        """L tensors (1 or S, d_l): the factors s_i."""
        found = []
        architecture = self.architecture
        for layer, (rows, columns), mask in zip(
            architecture.layers, architecture.shapes, self.masks, strict=True
        ):
            degree = self.weights[0].new_full((1, rows), columns) if mask is None else mask.sum(2)
            if layer.degree:
                degree = torch.full_like(degree, layer.degree)
            ntk = self.architecture.scaling == "ntk"
            found.append(degree.rsqrt() if ntk else torch.ones_like(degree))
        return tuple(found)

    @cached_property
    def matrices(self) -> tuple[Tensor, ...]:
        """L tensors (S, d_l, s_l): s_i W_ij."""
        pairs = zip(self.weights, self.scales, strict=True)
        return tuple(weight * scale[:, :, None] for weight, scale in pairs)

    @cached_property
    def skip_groups(self) -> list[dict[int, tuple[Tensor, Tensor]]]:
        """For the layers 1 to L, and each layer that skips into it: the vertices here, and those
        there."""
        found = []
        for layer in self.architecture.layers:
            groups: dict[int, tuple[Tensor, Tensor]] = {}
            for source in sorted({source for source, _ in layer.skips}):
                pairs = [(i, v) for i, (s, v) in enumerate(layer.skips) if s == source]
                heads, tails = torch.tensor(pairs, device=self.device).T
                groups[source] = heads, tails
            found.append(groups)
        return found

    @cached_property
    def distinct(self) -> tuple[int, ...]:
        """How many different weights each layer has, dropped edges included."""
        shapes = self.architecture.shapes
        return tuple(
            rows * columns if tie is None else int(tie.max()) + 1
            for (rows, columns), tie in zip(shapes, self.ties, strict=True)
        )

    @property
    def parameter_count(self) -> int:
        """P: the length of flat vectors. Edges that share a weight count once."""
        return sum(self.distinct)

    def flat(self) -> Tensor:
        """(S, P): all weights, layer by layer, row by row; shared ones once, by number."""
        parts = []
        for weight, tie, size in zip(self.weights, self.ties, self.distinct, strict=True):
            parts.append(weight.flatten(1) if tie is None else untied(weight, tie, size))
        return torch.cat(parts, dim=1)

    def with_flat(self, flat: Tensor) -> LayeredNetworks:
        """Networks with the weights (S, P) on the same edges (others are put to 0)."""
        return replace(self, weights=tuple(self.spread(flat)))

    def spread(self, flat: Tensor) -> list[Tensor]:
        """Matrices (S, ..., d_l, s_l) of flat vectors (S, ..., P): each number at all edges that
        share it, 0 where there is no edge.

        Raises ValueError for another number of weights.
        """
        if flat.shape[-1] != self.parameter_count:
            raise ValueError(f"{flat.shape[-1]} weights, not {self.parameter_count}")
        parts = []
        shapes, pieces = self.architecture.shapes, flat.split(list(self.distinct), dim=-1)
        for part, shape, tie in zip(pieces, shapes, self.ties, strict=True):
            if tie is not None:
                part = part.gather(-1, numbers_of(tie, part))
            parts.append(part.unflatten(-1, shape))
        return self.masked(parts)

    def collected(self, parts: Sequence[Tensor]) -> Tensor:
        """(S, ..., P): the transpose of `spread`, from matrices (S, ..., d_l, s_l): the sums over
        the edges that share a weight."""
        rows = [self.shared_rows(place, part) for place, part in enumerate(parts)]
        return torch.cat(rows, dim=-1)

    def shared_rows(self, place: int, part: Tensor) -> Tensor:
        """(S, ..., Q): matrices (S, ..., d, s) of the layer `place` + 1, masked, summed over the
        edges that share a weight."""
        flat, tie, mask = part.flatten(-2), self.ties[place], self.masks[place]
        if mask is not None:
            flat = flat * mask.flatten(1).view(mask.shape[0], *[1] * (part.ndim - 3), -1)
        if tie is None:
            return flat
        sums = flat.new_zeros(*flat.shape[:-1], self.distinct[place])
        return sums.scatter_add(-1, numbers_of(tie, flat), flat)

    def on_edges(self, flat: Tensor) -> Tensor:
        """(S, ..., P): the same with 0 at edges that are not there."""
        parts = []
        pieces = flat.split(list(self.distinct), dim=-1)
        for part, mask, tie in zip(pieces, self.masks, self.ties, strict=True):
            if mask is not None and tie is None:
                part = part * mask.flatten(1).view(mask.shape[0], *[1] * (part.ndim - 2), -1)
            parts.append(part)
        return torch.cat(parts, dim=-1)

    def masked(self, parts: Sequence[Tensor]) -> list[Tensor]:
        """Matrices (S, ..., d_l, s_l) with 0 where there is no edge."""
        found = []
        for part, mask in zip(parts, self.masks, strict=True):
            if mask is not None:
                part = part * mask.view(mask.shape[0], *[1] * (part.ndim - 3), *mask.shape[1:])
            found.append(part)
        return found

    def at(self, chosen: Sequence[int]) -> LayeredNetworks:
        """Some of the networks, by number."""
        index = torch.as_tensor(chosen, device=self.device)

        def some(parts: Sequence[Tensor | None]) -> tuple[Tensor | None, ...]:
            whole = [part is None or len(part) < self.count for part in parts]
            pairs = zip(parts, whole, strict=True)
            return tuple(part if same else part[index] for part, same in pairs)  # type: ignore[index]  # then not None

        weights = tuple(w[index] for w in self.weights)
        return LayeredNetworks(self.architecture, weights, some(self.masks), some(self.ties))

    def to(self, device: str | torch.device) -> LayeredNetworks:
        """The same on another device."""

        def moved(parts: Sequence[Tensor | None]) -> tuple[Tensor | None, ...]:
            return tuple(part if part is None else part.to(device) for part in parts)

        weights = tuple(w.to(device) for w in self.weights)
        return LayeredNetworks(self.architecture, weights, moved(self.masks), moved(self.ties))


def draw_masks(
    architecture: Architecture, count: int, keep: float, generator: torch.Generator
) -> tuple[Tensor, ...]:
    """Masks (S, d_l, s_l): each edge stays with probability `keep`; one that is drawn stays at a
    vertex that would read nothing."""
    masks = []
    for rows, columns in architecture.shapes:
        draws = torch.rand(count, rows, columns, generator=generator, dtype=torch.float64)
        least = torch.nn.functional.one_hot(draws.argmin(dim=2), columns).to(torch.float64)
        masks.append(torch.maximum((draws < keep).to(torch.float64), least))
    return tuple(masks)


def draw(
    architecture: Architecture,
    count: int,
    generator: torch.Generator,
    *,
    masks: Sequence[Tensor | None] | None = None,
    ties: Sequence[Tensor | None] = (),
) -> LayeredNetworks:
    """S networks with independent normal weights: of variance 1 under "ntk" scaling, 1/in-degree
    under "standard". Edges that share a weight get the same draw. Drawn on the CPU."""
    shapes = architecture.shapes
    given = tuple(masks) if masks is not None else (None,) * len(shapes)
    shared = tuple(ties) or (None,) * len(shapes)
    weights = []
    for layer, shape, mask, tie in zip(architecture.layers, shapes, given, shared, strict=True):
        size = shape[0] * shape[1] if tie is None else int(tie.max()) + 1
        weight = torch.randn(count, size, generator=generator, dtype=torch.float64)
        weight = weight if tie is None else weight.gather(1, numbers_of(tie, weight))
        weight = weight.view(count, *shape)
        degree = torch.tensor(shape[1]) if mask is None else mask.sum(dim=2, keepdim=True)
        if layer.degree:
            degree = torch.tensor(layer.degree)
        if architecture.scaling == "standard":
            weight = weight * degree.to(torch.float64).rsqrt()
        weights.append(weight if mask is None else weight * mask)
    return LayeredNetworks(architecture, tuple(weights), given, shared)
