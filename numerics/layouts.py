"""Networks laid out as index tables, contiguous in memory, for the kernels.

Each edge reads its weight from a *slot* of its network: slot p is parameter p, the slots behind
the parameters hold the fixed weights, and the last slot holds 0. The in-edges of each vertex are
padded to a multiple of four with edges of weight 0 (so the loop over them nearly always runs the
same number of times, which the processor predicts), and so are its out-edges.
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
        arrivals = _padded_lists(
            union.vertex_owner,
            union.heads,
            (union.tails - first_vertex[owner], slots),
            (np.zeros(len(networks), dtype=np.int64), empty),
        )
        # backward: by network, then descending tail
        order = np.lexsort((union.heads, -union.tails, owner))
        sizes = np.diff(first_vertex)
        mirrored = first_vertex[:-1][owner] + first_vertex[1:][owner] - 1 - union.tails
        departures = _padded_lists(
            union.vertex_owner,
            mirrored[order],
            ((union.heads - first_vertex[owner])[order], slots[order]),
            (sizes, empty),
        )
        back = first_vertex[:-1][union.vertex_owner] + first_vertex[1:][union.vertex_owner] - 1
        out_counts = departures[0][back - np.arange(union.vertex_count)]
        codes, numbers = _vertex_tables(networks)
        return cls(
            union=union,
            codes=np.ascontiguousarray(
                np.column_stack([arrivals[0], out_counts, codes]), dtype=np.int32
            ),
            numbers=numbers,
            tails=arrivals[1][0],
            in_slots=arrivals[1][1],
            heads=departures[1][0],
            out_slots=departures[1][1],
            fixed=fixed,
            vertex_offsets=first_vertex.astype(np.int64),
            parameter_offsets=union.parameter_offset.astype(np.int64),
            fixed_offsets=fixed_offsets,
            in_offsets=offsets_of(_totals(arrivals[0], union)),
            out_offsets=offsets_of(_totals(departures[0], union)),
            input_rows=np.array([len(n.free_inputs) for n in networks], dtype=np.int64),
            output_rows=np.array([len(n.outputs) for n in networks], dtype=np.int64),
        )

    @property
    def networks(self) -> tuple[Network, ...]:
        return self.union.networks


def _totals(counts: np.ndarray, union: Union) -> np.ndarray:
    sums = np.zeros(len(union.networks), dtype=np.int64)
    np.add.at(sums, union.vertex_owner, counts)
    return sums


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


def _padded_lists(
    vertex_owner: np.ndarray,
    vertices: np.ndarray,
    columns: tuple[np.ndarray, ...],
    fillers: tuple[np.ndarray, ...],
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Edges in ascending order of `vertices`, each vertex's list padded to a multiple.

    columns: what to keep of each edge; fillers: for each column the filling, by network. Returns
    the padded count of each vertex, and the padded columns.
    """
    counts = np.bincount(vertices, minlength=len(vertex_owner))
    room = -(-counts // UNROLLED) * UNROLLED
    starts = offsets_of(room)
    place = starts[vertices] + np.arange(len(vertices)) - offsets_of(counts)[vertices]
    result = []
    for column, filler in zip(columns, fillers, strict=True):
        full = np.repeat(filler[vertex_owner], room)
        full[place] = column
        result.append(full.astype(np.int32))
    return room, result


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
