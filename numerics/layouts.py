"""Networks laid out as index tables, contiguous in memory, for the kernels.

Each edge reads its weight from a *slot* of its network: slot p is parameter p, the slots behind
the parameters hold the fixed weights, and the last few are empty: they hold 0. The in-edges of
each vertex are padded to a multiple of four with edges of weight 0 (so the loop over them nearly
always runs the same number of times, which the processor predicts), and so are its out-edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphs.activations import SMOOTH
from graphs.evaluation import Union
from graphs.network import Network
from numerics.blocks import offsets_of
from numerics.conversion import nearest_root, to_float

UNROLLED = 4
"""Edges that a kernel treats at a time."""

EMPTY_SLOTS = 16
"""The padding takes turns among so many empty slots. Were there one, each addition to its
gradient, which nobody reads, would wait for the one before."""

PIECEWISE_LINEAR = 0
KINDS = {kind: code for code, kind in enumerate(SMOOTH, start=1)}
"""The codes of the smooth activations; PIECEWISE_LINEAR is that of all the others."""

NOT_AN_INPUT, CONSTANT_INPUT = -2, -1


@dataclass(frozen=True)
class Layout:
    """C networks as tables. All numbers of vertices, slots and edges are local to their network.

    codes: (V, 5) int32, for each vertex how many in-edges and out-edges it has after padding, the
    row of its input (or CONSTANT_INPUT, NOT_AN_INPUT), the code of its activation, and the row of
    its output (or -1). numbers: (V, 3) float64, for each vertex the slopes left and right of 0
    (constant inputs: their value twice) and its scale.
    tails, in_slots: for each padded in-edge, by head; heads, out_slots: for each padded out-edge,
    by *descending* tail, in the order in which the backward pass meets them. Vertex V_c, behind
    the last, is a row of zeros.
    *_offsets: (C + 1,), where the pieces of each network begin; `fixed` has the fixed weights.
    """

    union: Union
    codes: np.ndarray
    numbers: np.ndarray
    tails: np.ndarray
    in_slots: np.ndarray
    heads: np.ndarray
    out_slots: np.ndarray
    fixed: np.ndarray
    vertex_offsets: np.ndarray
    parameter_offsets: np.ndarray
    fixed_offsets: np.ndarray
    in_offsets: np.ndarray
    out_offsets: np.ndarray
    input_rows: np.ndarray
    output_rows: np.ndarray

    @classmethod
    def of(cls, networks: Sequence[Network]) -> Layout:
        """Lay out one or more networks.

        Raises ValueError for a fixed weight, slope, scale or constant beyond the range of float64.
        """
        union = Union.of(networks)
        owner, first_vertex = union.edge_owner, union.vertex_offset
        slots, fixed, fixed_offsets = _slots(union)
        empty = np.diff(union.parameter_offset) + np.diff(fixed_offsets)
        arriving = _PaddedLists.of(union.heads, union.vertex_owner)
        # backward: by network, then descending tail, so by ascending mirror image of the tail
        ends = first_vertex[:-1] + first_vertex[1:] - 1
        order = np.lexsort((union.heads, -union.tails, owner))
        leaving = _PaddedLists.of((ends[owner] - union.tails)[order], union.vertex_owner)
        mirror = ends[union.vertex_owner] - np.arange(union.vertex_count)
        sizes = np.diff(first_vertex)
        codes, numbers = _vertex_tables(networks)
        return cls(
            union=union,
            codes=np.ascontiguousarray(
                np.column_stack([arriving.room, leaving.room[mirror], codes]), dtype=np.int32
            ),
            numbers=numbers,
            tails=arriving.column(union.tails - first_vertex[owner], 0 * arriving.owner),
            in_slots=arriving.slots(slots, empty),
            heads=leaving.column((union.heads - first_vertex[owner])[order], sizes[leaving.owner]),
            out_slots=leaving.slots(slots[order], empty),
            fixed=fixed,
            vertex_offsets=first_vertex.astype(np.int64),
            parameter_offsets=union.parameter_offset.astype(np.int64),
            fixed_offsets=fixed_offsets,
            in_offsets=arriving.offsets(union),
            out_offsets=leaving.offsets(union),
            input_rows=np.array([len(n.free_inputs) for n in networks], dtype=np.int64),
            output_rows=np.array([len(n.outputs) for n in networks], dtype=np.int64),
        )

    @property
    def networks(self) -> tuple[Network, ...]:
        """The networks, in order."""
        return self.union.networks


def _slots(union: Union) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each edge its slot; the fixed weights; and where those of each network begin."""
    owner, learnable = union.edge_owner, union.learnable
    values = [
        [to_float(weight, f"fixed weight of edge {net.edge_name(e)} of {net}")]
        for net in union.networks
        for e, weight in enumerate(net.fixed)
        if weight is not None
    ]
    fixed = np.array(values, dtype=np.float64).reshape(-1)
    offsets = offsets_of(np.bincount(owner[~learnable], minlength=len(union.networks)))
    first = union.parameter_offset
    slots = union.parameter_of - first[owner]
    rank = np.arange(len(fixed)) - offsets[owner[~learnable]]
    slots[~learnable] = np.diff(first)[owner[~learnable]] + rank
    return slots, fixed, offsets


@dataclass(frozen=True)
class _PaddedLists:
    """The lists of edges of vertices, padded: how many places each vertex has; for each edge its
    place; for each place its network."""

    room: np.ndarray
    place: np.ndarray
    owner: np.ndarray

    @classmethod
    def of(cls, vertices: np.ndarray, vertex_owner: np.ndarray) -> _PaddedLists:
        """vertices: for each edge the vertex to whose list it belongs, ascending."""
        counts = np.bincount(vertices, minlength=len(vertex_owner))
        room = -(-counts // UNROLLED) * UNROLLED
        rank = np.arange(len(vertices)) - offsets_of(counts)[vertices]
        return cls(room, offsets_of(room)[vertices] + rank, np.repeat(vertex_owner, room))

    def column(self, values: np.ndarray, filling: np.ndarray) -> np.ndarray:
        """int32: the values of the edges in their places, elsewhere the filling."""
        result = filling.astype(np.int32)
        result[self.place] = values
        return result

    def slots(self, slots: np.ndarray, empty: np.ndarray) -> np.ndarray:
        """The slots of the edges, and in the padding the empty ones by turns. empty: for each
        network the first of them."""
        turns = np.arange(len(self.owner)) % EMPTY_SLOTS
        return self.column(slots, empty[self.owner] + turns)

    def offsets(self, union: Union) -> np.ndarray:
        """(C + 1,): where the places of each network begin."""
        return offsets_of(np.bincount(self.owner, minlength=len(union.networks)))


def _vertex_tables(networks: Sequence[Network]) -> tuple[np.ndarray, np.ndarray]:
    codes: list[tuple[int, int, int]] = []
    numbers: list[tuple[float, float, float]] = []
    for net in networks:
        rows = dict(zip(net.free_inputs, range(len(net.free_inputs)), strict=True))
        held = dict(zip(net.inputs, net.constants, strict=True))
        output = dict(zip(net.outputs, range(len(net.outputs)), strict=True))
        for v, activation in enumerate(net.activations):
            source = rows.get(v, CONSTANT_INPUT if v in held else NOT_AN_INPUT)
            codes.append((source, KINDS.get(activation.kind, PIECEWISE_LINEAR), output.get(v, -1)))
            what = f"vertex {net.names[v]!r} of {net}"
            constant = held.get(v)
            left, right = activation.slopes if activation.homogeneous else (1, 1)
            if constant is not None:
                left = right = constant
            numbers.append(
                (
                    to_float(left, f"slope or constant of {what}"),
                    to_float(right, f"slope or constant of {what}"),
                    nearest_root(net.scale_squares[v])[0],
                )
            )
    return np.array(codes, dtype=np.int64), np.array(numbers, dtype=np.float64)
