"""From passes in torch to the compiled Lanczos, and back: CPU, one point a lane, and, where weights
are shared, one graph for all networks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from numerics.curvature.architectures import Architecture
from numerics.curvature.grams import Block
from numerics.curvature.kernels import Found, lanczos_lanes
from numerics.curvature.lanczos import Ritz
from numerics.curvature.lane_arrays import NUMBER_OF_COLUMNS, READ, Lanes, Networks, Plan
from numerics.curvature.point_operators import PointHessians


def compiled_lanczos(
    operator: PointHessians, start: Tensor, *, steps: int = 200, tolerance: float = 1e-8
) -> Ritz:
    """As `lanczos.lanczos`, but each lane stops by itself; a lane is computed in the same way, to
    the last bit, whatever else is in the batch."""
    lanes = _of_lanes(operator, start)
    count, size = lanes.start.shape
    values, residuals, lowest, highest = np.zeros((4, count))
    taken = np.zeros(count, dtype=np.int64)
    found = Found(values, residuals, lowest, highest, taken, np.zeros((count, size)))
    most = min(steps, operator.size)
    lanczos_lanes(_plan(operator), _networks(operator), lanes, found, most, float(tolerance))

    def shaped(array: np.ndarray) -> Tensor:
        return torch.from_numpy(array).view(*operator.lanes, *array.shape[1:])

    return Ritz(
        shaped(found.values),
        shaped(found.residuals),
        shaped(found.vectors),
        shaped(found.lowest),
        shaped(found.highest),
        int(found.steps.max()),
    )


def _lanes(array: Tensor) -> np.ndarray:
    """(S K, .) from (S, K, .)."""
    return np.ascontiguousarray(array.flatten(0, 1).numpy())


def _plan(operator: PointHessians) -> Plan:
    found, live = operator.found, tuple(block.number for block in operator.blocks)
    table, segments, skips = _tables(found.networks.architecture, live)
    masked = any(block.mask is not None for block in operator.blocks)
    before = found.networks.architecture.skip_from == "preactivations"
    table, edges = _edges(operator, table)
    return Plan(table, segments, skips, edges, masked, before, found.objective.neurons)


@lru_cache(maxsize=64)
def _tables(
    architecture: Architecture, live: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The tables of `lane_arrays.Plan` for the layers that are live, without shared weights."""
    widths, shapes = architecture.widths, architecture.shapes
    starts, at = {}, 0
    for number in live:
        starts[number], at = at, at + widths[number]
    rows: list[list[int]] = []
    segments: list[list[int]] = []
    skips: list[list[int]] = []
    coordinate = column = entry = 0
    for number in live:
        layer, (width, columns) = architecture.layers[number - 1], shapes[number - 1]
        inputs = architecture.inputs if 0 in layer.sources else 0
        reads = 0 if layer.sources == (0,) else columns
        first, first_skip, place = len(segments), len(skips), 0
        for source in layer.sources:
            if source > 0:
                segments.append([starts[source], place, widths[source]])
            place += widths[source]
        for head, (source, tail) in enumerate(layer.skips):
            if source > 0:
                skips.append([head, starts[source] + tail])
        row = [width, columns, reads, inputs, coordinate, starts[number], column, entry]
        rows.append([*row, first, len(segments), first_skip, len(skips), 0, 0, 0, 0])
        coordinate, column, entry = (
            coordinate + width + reads,
            column + reads,
            entry + width * columns,
        )
    arrays = [
        np.array(part, dtype=np.int64).reshape(-1, wide)
        for part, wide in ((rows, NUMBER_OF_COLUMNS), (segments, 3), (skips, 2))
    ]
    return arrays[0], arrays[1], arrays[2]


def _tied(operator: PointHessians) -> list[tuple[Block, Tensor]]:
    """The blocks that share weights, and their ties (d, s)."""
    ties = operator.found.networks.ties
    pairs = [(block, ties[block.number - 1]) for block in operator.blocks]
    return [(block, tie[0]) for block, tie in pairs if tie is not None]


def _edges(operator: PointHessians, table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The table with the columns of shared weights, and `lane_arrays.Plan.edges`."""
    table, edges, read, at = table.copy(), [np.zeros((0, 3), dtype=np.int32)], 0, 0
    places = [block.number for block in operator.blocks]
    for block, tie in _tied(operator):
        heads, tails = torch.nonzero(tie >= 0, as_tuple=True)
        edges.append(torch.stack([heads, tails, tie[heads, tails]], dim=1).int().numpy())
        end = at + len(edges[-1])
        table[places.index(block.number), READ:] = [read, at, end, int(tie.max()) + 1]
        read, at = read + tie.shape[1], end
    return table, np.concatenate(edges)


def _joined(parts: Sequence[Tensor], count: int = 1) -> np.ndarray:
    """(1 or S, .) from arrays (1 or S, ...)."""
    most = max([count, *(len(part) for part in parts)])
    flat = [part.flatten(1).expand(most, -1) for part in parts]
    return np.ascontiguousarray(torch.cat(flat, dim=1).numpy())


def _networks(operator: PointHessians) -> Networks:
    networks, blocks = operator.found.networks, operator.blocks
    places = [block.number - 1 for block in blocks]
    masks = np.zeros((1, 1))
    if any(block.mask is not None for block in blocks):
        shapes = networks.architecture.shapes
        ones = [torch.ones(1, *shapes[n], dtype=torch.float64) for n in places]
        given = [one if b.mask is None else b.mask for b, one in zip(blocks, ones, strict=True)]
        masks = _joined(given)
    return Networks(
        _joined([networks.matrices[n] for n in places], networks.count),
        masks,
        _joined([networks.scales[n] for n in places]),
        _joined([block.groups for block in blocks]),
    )


def _of_lanes(operator: PointHessians, start: Tensor) -> Lanes:
    found, blocks = operator.found, operator.blocks
    slopes, bends = [], []
    for block in blocks:
        place = block.number - 1
        slopes.append(found.slopes[place][:, :, 0])
        upstream = found.upstream[place]
        second = found.seconds[place][:, :, 0]
        bends.append(torch.zeros_like(second) if upstream is None else second * upstream[:, :, 0])
    top = blocks[-1].delta
    curve = torch.zeros_like(top)
    if found.objective.curvatures is not None:
        shape = (*found.lanes, top.shape[2])
        curve = found.objective.curvatures.expand(shape)[:, :, 0]

    def joined(parts: Sequence[Tensor]) -> np.ndarray:
        return _lanes(torch.cat(list(parts), dim=2))

    return Lanes(
        joined(slopes),
        joined(bends),
        joined([block.delta for block in blocks]),
        joined([block.inner for block in blocks]),
        joined([block.read for block, _ in _tied(operator)] or [top[..., :0]]),
        _lanes(curve),
        _lanes(operator.weights),
        joined([block.null for block in blocks]),
        _lanes(start),
    )
