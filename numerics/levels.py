"""The backend in plain torch: all networks as one graph, level by level, on CPU or CUDA.

On a level (vertices of one depth, all networks) the weighted sums over in-edges are one call of
`embedding_bag`: it gathers rows, weighs and sums them in one go, always in the same order. The
backward pass goes by height, so that it too only gathers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn.functional import embedding_bag

from graphs.activations import SMOOTH
from numerics.backends import Backend
from numerics.blocks import Blocks
from numerics.examples import Examples
from numerics.layouts import CONSTANT_INPUT, KINDS, Layout

CACHED_NUMBERS = 2**17
"""So many float64 numbers, a megabyte, fit a processor's cache."""


@dataclass(frozen=True)
class _Level:
    """Vertices whose sums are taken at once. A vertex is named by its row, see LevelBackend.

    rows: (k,) indices, or a slice where they are contiguous; edges: the places of their edges in
    the order of this pass; others: (m,) the rows at the other ends; bags: (k,) where the edges of
    each vertex begin; smooth: by kind, the places (among the rows) with that smooth activation;
    outputs: whether a vertex here is an output.
    """

    rows: torch.Tensor | slice
    edges: slice
    others: torch.Tensor
    bags: torch.Tensor
    smooth: dict[str, torch.Tensor]
    outputs: bool


@dataclass(frozen=True)
class LevelState:
    """(V, n) each, by row: pre- and post-activations, and slope times scale."""

    pre: torch.Tensor
    post: torch.Tensor
    slopes: torch.Tensor


class LevelBackend(Backend):
    """See `Backend`. device: where the tables live and the passes run.

    The rows of a state are the vertices of all networks, sorted by depth; row_of: (V,), the row of
    each vertex; outputs: the rows of all outputs, by network, output_ranks: their places there.
    """

    name = "torch"

    def __init__(self, layout: Layout, device: torch.device) -> None:
        self._layout = layout
        self._device = device
        union = layout.union
        depth = np.concatenate([np.array(net.depths, dtype=np.int64) for net in union.networks])
        by_depth = np.argsort(depth, kind="stable")
        row_of = np.argsort(by_depth)
        tails, heads = row_of[union.tails], row_of[union.heads]
        codes = layout.codes[by_depth]
        source, kinds, output = codes[:, 2], codes[:, 3], codes[:, 4]
        depth = depth[by_depth]
        height = _heights(tails, heads, depth)
        self._forward, order = self._levels(depth, heads, tails, kinds, output)
        self._backward, reverse = self._levels(height, tails, heads, kinds, output)
        slots = self._global_slots()
        self._forward_slots = self._tensor(slots[order])
        self._backward_slots = self._tensor(slots[reverse])
        self._slots = self._tensor(slots)
        self._tails, self._heads = self._tensor(tails), self._tensor(heads)
        self.row_of = self._tensor(row_of)
        self._fixed = self._tensor(layout.fixed)
        columns = layout.numbers[by_depth].T
        self._left, self._right, self._scale = (self._tensor(c[:, None]) for c in columns)
        owner = union.vertex_owner[by_depth]
        self._free = self._tensor(_ranked(source, owner))
        self._held = self._tensor(np.flatnonzero(source == CONSTANT_INPUT))
        self.outputs = self._tensor(_ranked(output, owner))
        self.output_ranks = self._tensor(output[_ranked(output, owner)])

    # tables --------------------------------------------------------------------------------------
    def _tensor(self, array: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).to(self._device)

    def _levels(
        self,
        step: np.ndarray,
        ends: np.ndarray,
        others: np.ndarray,
        kinds: np.ndarray,
        output: np.ndarray,
    ) -> tuple[list[_Level], np.ndarray]:
        """The steps of a pass that sums over the edges that have one of `ends` in common."""
        order = np.lexsort((others, ends, step[ends]))
        counts = np.bincount(ends, minlength=len(step))
        levels, start = [], 0
        for d in range(1, int(step.max(initial=0)) + 1):
            rows = np.flatnonzero(step == d)
            sizes = counts[rows]
            stop = start + int(sizes.sum())
            contiguous = rows[-1] - rows[0] + 1 == len(rows)
            found = {kind: np.flatnonzero(kinds[rows] == KINDS[kind]) for kind in SMOOTH}
            levels.append(
                _Level(
                    slice(int(rows[0]), int(rows[-1]) + 1) if contiguous else self._tensor(rows),
                    slice(start, stop),
                    self._tensor(others[order[start:stop]]),
                    self._tensor(np.cumsum(sizes) - sizes),
                    {kind: self._tensor(places) for kind, places in found.items() if len(places)},
                    bool(np.any(output[rows] >= 0)),
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
        return self._output_blocks(self.forward(weights, examples), examples)

    def preactivations(self, weights: torch.Tensor, examples: Examples) -> Blocks:
        pre = self.forward(weights, examples).pre[self.row_of]
        return Blocks.from_wide(pre, np.diff(self._layout.vertex_offsets), examples.counts)

    def gradient(
        self, weights: torch.Tensor, examples: Examples, cotangents: Callable[[Blocks], Blocks]
    ) -> torch.Tensor:
        state = self.forward(weights, examples)
        given = cotangents(self._output_blocks(state, examples))
        return self.pull(weights, state, torch.where(given.valid(), given.wide(), 0.0))

    def pull(
        self, weights: torch.Tensor, state: LevelState, cotangents: torch.Tensor
    ) -> torch.Tensor:
        """(P,): the gradient of the sum of cotangents * outputs. cotangents: (outputs of all
        networks, n), 0 in the padding."""
        through = self._run_backward(weights, state, cotangents)
        on_cpu = self._device.type == "cpu"
        chunk = CACHED_NUMBERS // through.shape[1] + 1 if on_cpu else len(self._tails) + 1
        pairs = zip(self._tails.split(chunk), self._heads.split(chunk), strict=True)
        by_edge = [
            torch.einsum("en,en->e", state.post[tails], through[heads]) for tails, heads in pairs
        ]
        slots = weights.new_zeros(len(weights) + len(self._fixed))
        return slots.index_add_(0, self._slots, torch.cat(by_edge))[: len(weights)]

    def _output_blocks(self, state: LevelState, examples: Examples) -> Blocks:
        rows = self._layout.output_rows
        return Blocks.from_wide(state.post[self.outputs], rows, examples.counts)

    def forward(
        self, weights: torch.Tensor, examples: Examples, pattern: torch.Tensor | None = None
    ) -> LevelState:
        """The values at all rows. pattern: (V, n), the slopes of the piecewise-linear activations,
        or None for those of the pre-activations."""
        inputs = examples.inputs.wide()
        shape = (len(self._left), inputs.shape[1])
        post = inputs.new_zeros(shape)
        post[self._free] = inputs
        post[self._held] = self._left[self._held].expand(-1, shape[1])
        pre, slopes = post.clone(), torch.ones_like(post)
        along = torch.cat([weights, self._fixed])[self._forward_slots]
        for level in self._forward:
            here, edges = level.rows, level.edges
            z = embedding_bag(
                level.others, post, level.bags, mode="sum", per_sample_weights=along[edges]
            )
            z *= self._scale[here]
            if pattern is None:
                slope = torch.where(z < 0, self._left[here], self._right[here])
            else:
                slope = pattern[here].clone()
            value = slope * z
            for kind, places in level.smooth.items():
                value[places], slope[places] = _smooth(kind, z[places])
            pre[here], post[here], slopes[here] = z, value, slope * self._scale[here]
        return LevelState(pre, post, slopes)

    def tangent(
        self, weights: torch.Tensor, state: LevelState, direction: torch.Tensor
    ) -> torch.Tensor:
        """(V, n): the rates of change of all pre-activations along `direction` (P,), with the
        slopes of the state."""
        rates, post_rates = torch.zeros_like(state.pre), torch.zeros_like(state.pre)
        along = torch.cat([weights, self._fixed])[self._forward_slots]
        moving = torch.cat([direction, torch.zeros_like(self._fixed)])[self._forward_slots]
        for level in self._forward:
            here, edges = level.rows, level.edges
            rate = embedding_bag(
                level.others, post_rates, level.bags, mode="sum", per_sample_weights=along[edges]
            ) + embedding_bag(
                level.others, state.post, level.bags, mode="sum", per_sample_weights=moving[edges]
            )
            rates[here], post_rates[here] = rate * self._scale[here], rate * state.slopes[here]
        return rates

    def _run_backward(
        self, weights: torch.Tensor, state: LevelState, seeds: torch.Tensor
    ) -> torch.Tensor:
        """(V, n): the derivative in each pre-activation before scaling. seeds: by output."""
        result = torch.zeros_like(state.post)
        result[self.outputs] = seeds * state.slopes[self.outputs]
        along = torch.cat([weights, self._fixed])[self._backward_slots]
        for level in self._backward:
            here, edges = level.rows, level.edges
            total = embedding_bag(
                level.others, result, level.bags, mode="sum", per_sample_weights=along[edges]
            )
            total *= state.slopes[here]
            result[here] = result[here] + total if level.outputs else total
        return result


def _heights(tails: np.ndarray, heads: np.ndarray, depth: np.ndarray) -> np.ndarray:
    """For each vertex the length of the longest path from it."""
    height = np.zeros(len(depth), dtype=np.int64)
    by_depth = np.argsort(-depth[tails], kind="stable")
    starts = np.flatnonzero(np.diff(depth[tails[by_depth]], prepend=-1))
    for edges in np.split(by_depth, starts[1:]):
        np.maximum.at(height, tails[edges], height[heads[edges]] + 1)
    return height


def _ranked(codes: np.ndarray, owner: np.ndarray) -> np.ndarray:
    """The rows with a code >= 0, by network and then by code."""
    chosen = np.flatnonzero(codes >= 0)
    return chosen[np.lexsort((codes[chosen], owner[chosen]))]


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
