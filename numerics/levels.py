"""The backend in plain torch: all networks as one graph, level by level, on CPU or CUDA.

On a level (vertices of one depth, all networks) the weighted sums over in-edges are one call of
`embedding_bag`: it gathers rows, weighs and sums them in one go, always in the same order. The
backward pass goes by height, so that it too only gathers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch.nn.functional import embedding_bag

from graphs.activations import SMOOTH
from numerics.backends import Backend
from numerics.blocks import Blocks
from numerics.examples import Examples
from numerics.layouts import CONSTANT_INPUT, KINDS, Layout


@dataclass(frozen=True)
class _Level:
    """Vertices whose sums are taken at once.

    vertices: (k,); edges: start and stop in the order of this pass; others: (m,) the vertices at
    the other ends; bags: (k,) where the edges of each vertex begin; smooth: by kind, the places
    (in `vertices`) of the vertices with that smooth activation.
    """

    vertices: torch.Tensor
    edges: slice
    others: torch.Tensor
    bags: torch.Tensor
    smooth: dict[str, torch.Tensor]


@dataclass(frozen=True)
class _State:
    """(V, n) each: pre- and post-activations, and slope times scale."""

    pre: torch.Tensor
    post: torch.Tensor
    slopes: torch.Tensor


class LevelBackend(Backend):
    """See `Backend`. device: where the tables live and the passes run."""

    name = "torch"

    def __init__(self, layout: Layout, device: torch.device) -> None:
        self._layout = layout
        self._device = device
        union = layout.union
        kinds = layout.codes[:, 3]
        source = layout.codes[:, 2]
        output = layout.codes[:, 4]
        depth = np.concatenate([np.array(net.depths, dtype=np.int64) for net in union.networks])
        height = _heights(union.tails, union.heads, depth)
        self._forward, order = self._levels(depth, union.heads, union.tails, kinds)
        self._backward, reverse = self._levels(height, union.tails, union.heads, kinds)
        slots = self._global_slots()
        self._forward_slots = self._tensor(slots[order])
        self._backward_slots = self._tensor(slots[reverse])
        self._slots = self._tensor(slots)
        self._tails, self._heads = self._tensor(union.tails), self._tensor(union.heads)
        self._fixed = self._tensor(layout.fixed)
        left, right, scale = (self._tensor(column[:, None]) for column in layout.numbers.T)
        self._left, self._right, self._scale = left, right, scale
        self._free = self._tensor(_ranked(source, layout))
        self._held = self._tensor(np.flatnonzero(source == CONSTANT_INPUT))
        self._outputs = self._tensor(_ranked(output, layout))

    # tables --------------------------------------------------------------------------------------
    def _tensor(self, array: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).to(self._device)

    def _levels(
        self, step: np.ndarray, ends: np.ndarray, others: np.ndarray, kinds: np.ndarray
    ) -> tuple[list[_Level], np.ndarray]:
        """The steps of a pass that sums over the edges that have one of `ends` in common."""
        order = np.lexsort((others, ends, step[ends]))
        counts = np.bincount(ends, minlength=len(step))
        levels, start = [], 0
        for d in range(1, int(step.max(initial=0)) + 1):
            vertices = np.flatnonzero(step == d)
            sizes = counts[vertices]
            stop = start + int(sizes.sum())
            levels.append(
                _Level(
                    self._tensor(vertices),
                    slice(start, stop),
                    self._tensor(others[order[start:stop]]),
                    self._tensor(np.cumsum(sizes) - sizes),
                    {
                        kind: self._tensor(np.flatnonzero(kinds[vertices] == KINDS[kind]))
                        for kind in SMOOTH
                        if np.any(kinds[vertices] == KINDS[kind])
                    },
                )
            )
            start = stop
        return levels, order

    def _global_slots(self) -> np.ndarray:
        """For each edge its place among all parameters, followed by all fixed weights."""
        union = self._layout.union
        slots = union.parameter_of.copy()
        fixed = np.flatnonzero(~union.learnable)
        slots[fixed] = union.parameter_offset[-1] + np.arange(len(fixed))
        return slots

    # passes --------------------------------------------------------------------------------------
    def values(self, weights: torch.Tensor, examples: Examples) -> Blocks:
        state = self._run_forward(weights, examples)
        return Blocks.from_wide(
            state.post[self._outputs], self._layout.output_rows, examples.counts
        )

    def preactivations(self, weights: torch.Tensor, examples: Examples) -> Blocks:
        state = self._run_forward(weights, examples)
        return Blocks.from_wide(state.pre, np.diff(self._layout.vertex_offsets), examples.counts)

    def gradient(
        self, weights: torch.Tensor, examples: Examples, cotangents: Blocks
    ) -> torch.Tensor:
        state = self._run_forward(weights, examples)
        seeds = torch.where(cotangents.valid(), cotangents.wide(), 0.0)
        through = self._run_backward(weights, state, seeds)
        by_edge = torch.einsum("en,en->e", state.post[self._tails], through[self._heads])
        slots = torch.zeros(
            len(weights) + len(self._fixed), dtype=weights.dtype, device=self._device
        )
        return slots.index_add_(0, self._slots, by_edge)[: len(weights)]

    def example_gradients(self, weights: torch.Tensor, examples: Examples, output: int) -> Blocks:
        state = self._run_forward(weights, examples)
        chosen = self._tensor(_rank_in_network(self._layout) == output)
        seeds = chosen.to(weights.dtype)[:, None].expand(-1, state.post.shape[1])
        through = self._run_backward(weights, state, seeds)
        by_edge = state.post[self._tails] * through[self._heads]
        slots = by_edge.new_zeros((len(weights) + len(self._fixed), by_edge.shape[1]))
        slots.index_add_(0, self._slots, by_edge)
        rows = np.diff(self._layout.parameter_offsets)
        return Blocks.from_wide(slots[: len(weights)], rows, examples.counts)

    def _run_forward(self, weights: torch.Tensor, examples: Examples) -> _State:
        inputs = examples.inputs.wide()
        shape = (len(self._left), inputs.shape[1])
        post = inputs.new_zeros(shape)
        post[self._free] = inputs
        post[self._held] = self._left[self._held].expand(-1, shape[1])
        pre = post.clone()
        slopes = torch.ones_like(post)
        along = torch.cat([weights, self._fixed])[self._forward_slots]
        for level in self._forward:
            here = level.vertices
            z = embedding_bag(
                level.others, post, level.bags, mode="sum", per_sample_weights=along[level.edges]
            )
            scale = self._scale[here]
            z *= scale
            slope = torch.where(z < 0, self._left[here], self._right[here])
            value = slope * z
            for kind, places in level.smooth.items():
                value[places], slope[places] = _smooth(kind, z[places])
            pre[here], post[here], slopes[here] = z, value, slope * scale
        return _State(pre, post, slopes)

    def _run_backward(
        self, weights: torch.Tensor, state: _State, seeds: torch.Tensor
    ) -> torch.Tensor:
        """(V, n): the derivative in each pre-activation before scaling."""
        result = torch.zeros_like(state.post)
        result[self._outputs] = seeds
        along = torch.cat([weights, self._fixed])[self._backward_slots]
        result *= state.slopes  # final for the sinks, and the outputs' own share elsewhere
        for level in self._backward:
            here = level.vertices
            total = embedding_bag(
                level.others, result, level.bags, mode="sum", per_sample_weights=along[level.edges]
            )
            result[here] += total * state.slopes[here]
        return result


def _heights(tails: np.ndarray, heads: np.ndarray, depth: np.ndarray) -> np.ndarray:
    """For each vertex the length of the longest path from it."""
    height = np.zeros(len(depth), dtype=np.int64)
    by_depth = np.argsort(-depth[tails], kind="stable")
    starts = np.flatnonzero(np.diff(depth[tails[by_depth]], prepend=-1))
    for edges in np.split(by_depth, starts[1:]):
        np.maximum.at(height, tails[edges], height[heads[edges]] + 1)
    return height


def _rank_in_network(layout: Layout) -> np.ndarray:
    """For each output of all networks, in order, its place in its own network."""
    return np.concatenate([np.arange(count) for count in layout.output_rows])


def _ranked(codes: np.ndarray, layout: Layout) -> np.ndarray:
    """The vertices with a code >= 0, by network and then by code."""
    chosen = np.flatnonzero(codes >= 0)
    return chosen[np.lexsort((codes[chosen], layout.union.vertex_owner[chosen]))]


def _smooth(kind: str, z: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Value and derivative, in forms that do not cancel where the activation saturates."""
    small = torch.exp(-torch.abs(z))
    if kind == "tanh":
        twice = small * small
        return torch.tanh(z), 4.0 * twice / ((1.0 + twice) * (1.0 + twice))
    larger = 1.0 / (1.0 + small)
    sigmoid = torch.where(z >= 0, larger, small * larger)
    if kind == "softplus":
        return torch.clamp(z, min=0.0) + torch.log1p(small), sigmoid
    return sigmoid, small * larger * larger
