"""Where to draw the vertices and edges of a DAG: in layers, left to right.

A vertex stands in the layer of its longest distance from a source. An edge that passes over
layers gets a place in each of them, so that its curve goes between the vertices and not through
them. Layers are ordered by barycentres, which keeps crossings few, and then moved up and down
towards their neighbours without changing the order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import networkx as nx

Point = tuple[float, float]
Edge = tuple[str, str]
Slot = str | tuple[int, int]  # a vertex, or (edge number, layer) where an edge passes a layer

SWEEPS = 12


class DrawingError(ValueError):
    """A graph cannot be drawn in layers: it has a cycle, or an edge without its ends."""


@dataclass(frozen=True)
class Layout:
    """positions: the centre of each vertex. routes: for each edge the points it passes, its ends
    included. width, height: of the whole, margins not included; the corner is at 0, 0."""

    positions: Mapping[str, Point]
    routes: Mapping[Edge, tuple[Point, ...]]
    width: float
    height: float


def layered(
    names: Sequence[str],
    edges: Sequence[Edge],
    *,
    layer_gap: float = 130.0,
    vertex_gap: float = 70.0,
    passing_gap: float = 46.0,
) -> Layout:
    """The layout of a DAG. passing_gap: the least distance from an edge that passes a layer.

    Raises DrawingError.
    """
    depth = depths(names, edges)
    layers: list[list[Slot]] = [[] for _ in range(max(depth.values(), default=0) + 1)]
    for name in names:
        layers[depth[name]].append(name)
    links: list[tuple[Slot, Slot]] = []
    chains: dict[Edge, list[Slot]] = {}
    for number, (tail, head) in enumerate(edges):
        chain: list[Slot] = [tail]
        for layer in range(depth[tail] + 1, depth[head]):
            chain.append((number, layer))
            layers[layer].append(chain[-1])
        chain.append(head)
        chains[(tail, head)] = chain
        links += list(pairwise(chain))
    neighbours = _Neighbours(links)
    layers = _ordered(layers, neighbours)
    heights = _heights(layers, neighbours, vertex_gap, passing_gap)
    top = min(heights.values(), default=0.0)
    places = {
        slot: (layer * layer_gap, heights[slot] - top)
        for layer, slots in enumerate(layers)
        for slot in slots
    }
    return Layout(
        positions={name: places[name] for name in names},
        routes={edge: tuple(places[slot] for slot in chain) for edge, chain in chains.items()},
        width=(len(layers) - 1) * layer_gap,
        height=max((y for _, y in places.values()), default=0.0),
    )


def depths(names: Sequence[str], edges: Sequence[Edge]) -> dict[str, int]:
    """The longest distance of each vertex from a source. Raises DrawingError."""
    graph = nx.DiGraph(edges)
    if missing := set(graph) - set(names):
        raise DrawingError(f"an edge names {', '.join(sorted(missing))}, which is not a vertex")
    graph.add_nodes_from(names)
    try:
        generations = list(nx.topological_generations(graph))
    except nx.NetworkXUnfeasible:
        raise DrawingError("a directed cycle: only acyclic graphs can be drawn") from None
    return {name: depth for depth, layer in enumerate(generations) for name in layer}


class _Neighbours:
    """The slots before and after each one."""

    def __init__(self, links: Sequence[tuple[Slot, Slot]]) -> None:
        self.before: defaultdict[Slot, list[Slot]] = defaultdict(list)
        self.after: defaultdict[Slot, list[Slot]] = defaultdict(list)
        for left, right in links:
            self.after[left].append(right)
            self.before[right].append(left)


def _ordered(layers: list[list[Slot]], neighbours: _Neighbours) -> list[list[Slot]]:
    """The layers reordered; of all the sweeps the order with the fewest crossings."""
    best, fewest = layers, _crossings(layers, neighbours)
    current = layers
    for sweep in range(SWEEPS):
        if fewest == 0:
            break
        forward = sweep % 2 == 0
        known = neighbours.before if forward else neighbours.after
        current = [list(layer) for layer in current]
        walk = range(1, len(current)) if forward else range(len(current) - 2, -1, -1)
        for number in walk:
            beside = current[number - 1 if forward else number + 1]
            rank = {slot: place for place, slot in enumerate(beside)}
            weight = {}
            for place, slot in enumerate(current[number]):
                ranks = [rank[other] for other in known.get(slot, ())]
                weight[slot] = sum(ranks) / len(ranks) if ranks else float(place)
            current[number].sort(key=weight.__getitem__)
        crossings = _crossings(current, neighbours)
        if crossings < fewest:
            best, fewest = current, crossings
    return best


def _crossings(layers: Sequence[Sequence[Slot]], neighbours: _Neighbours) -> int:
    total = 0
    for left, right in pairwise(layers):
        rank = {slot: place for place, slot in enumerate(right)}
        seen: list[int] = []
        for slot in left:
            ends = [rank[other] for other in neighbours.after.get(slot, ())]
            total += sum(earlier > end for end in ends for earlier in seen)
            seen += ends
    return total


def _heights(
    layers: Sequence[Sequence[Slot]],
    neighbours: _Neighbours,
    vertex_gap: float,
    passing_gap: float,
) -> dict[Slot, float]:
    """The y of each slot: near the mean of its neighbours, in order, never closer than the gaps."""
    heights: dict[Slot, float] = {}
    gaps = []
    for layer in layers:
        between = [
            vertex_gap if isinstance(a, str) and isinstance(b, str) else passing_gap
            for a, b in pairwise(layer)
        ]
        gaps.append(between)
        start = -sum(between) / 2
        for place, slot in enumerate(layer):
            heights[slot] = start + sum(between[:place])
    for sweep in range(SWEEPS):
        order = range(len(layers)) if sweep % 2 == 0 else range(len(layers) - 1, -1, -1)
        for number in order:
            layer = layers[number]
            wanted = []
            for slot in layer:
                others = [*neighbours.before.get(slot, ()), *neighbours.after.get(slot, ())]
                mean = sum(heights[o] for o in others) / len(others) if others else heights[slot]
                wanted.append((mean + heights[slot]) / 2)
            for slot, height in zip(layer, spread(wanted, gaps[number]), strict=True):
                heights[slot] = height
    return heights


def spread(wanted: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """The increasing numbers nearest to `wanted` (least squares) with at least `gaps` between.

    wanted: n numbers; gaps: n - 1.

    >>> spread([0.0, 0.0], [2.0])
    [-1.0, 1.0]
    """
    shifts = [sum(gaps[:place]) for place in range(len(wanted))]
    blocks: list[tuple[float, int]] = []  # (mean, size): neighbours pooled until they increase
    for value, shift in zip(wanted, shifts, strict=True):
        blocks.append((value - shift, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (second, m), (first, n) = blocks.pop(), blocks.pop()
            blocks.append(((first * n + second * m) / (n + m), n + m))
    means = [mean for mean, size in blocks for _ in range(size)]
    return [mean + shift for mean, shift in zip(means, shifts, strict=True)]
