"""What of a network matters for its conserved quantities, as index arrays.

An edge counts if it lies on a path from an input to an output along which nothing is identically 0:
no fixed weight 0, no input held at 0, no vertex whose slope is 0 throughout the region. Parameters
none of whose edges count never move (*idle*).

A vertex has a *known* slope if it is linear, if the region fixes it, or if its pre-activation has
one sign always (in-edges with fixed weights of one sign, from values of one sign); else a *free*
one: two slopes that both may occur, or a smooth activation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from graphs.errors import NetworkError
from graphs.laws.modular import Field
from graphs.laws.silence import vanishing
from graphs.network import FIXED, Network


@dataclass(frozen=True)
class Step:
    """Vertices that are treated together, with the edges that they read.

    vertices: (k,). edges: (n,) places in the plan's lists of edges, grouped by vertex; starts: (k,)
    where the group of each begins.
    """

    vertices: np.ndarray
    edges: np.ndarray
    starts: np.ndarray


@dataclass(frozen=True)
class Plan:
    """The part of a network that matters.

    region: the slopes that were fixed, by vertex. slopes: for each vertex its known slope, None
    where it is free. edges: the numbers of the edges that count; tails, heads: (n,) their ends;
    owner: (n,) the place of each edge's parameter in `parameters`, -1 where the weight is fixed.
    parameters: the numbers of the parameters that may move; idle: those that never do. silent: the
    vertices whose pre-activation is the zero polynomial.
    """

    network: Network
    region: Mapping[int, Fraction]
    slopes: tuple[Fraction | None, ...]
    edges: tuple[int, ...]
    tails: np.ndarray
    heads: np.ndarray
    owner: np.ndarray
    parameters: tuple[int, ...]
    idle: tuple[int, ...]
    silent: frozenset[int]

    @classmethod
    def of(cls, network: Network, region: Mapping[int, Fraction] | None = None) -> Plan:
        """The plan of a network on an activation region.

        Raises NetworkError for a slope that its vertex does not have (a smooth activation has none
        of its own).
        """
        fixed = dict(region or {})
        _check(network, fixed)
        silent = vanishing(network)
        slopes, alive = _slopes(network, fixed, silent)
        useful = _useful(network, alive)
        edges = tuple(
            e
            for e, (tail, head) in enumerate(zip(network.tails, network.heads, strict=True))
            if alive[tail] and useful[head] and alive[head] and network.fixed[e] != 0
        )
        moved = sorted({network.parameter_of[e] for e in edges} - {FIXED})
        place = {p: k for k, p in enumerate(moved)} | {FIXED: -1}
        return cls(
            network,
            fixed,
            slopes,
            edges,
            np.array([network.tails[e] for e in edges], dtype=np.int64),
            np.array([network.heads[e] for e in edges], dtype=np.int64),
            np.array([place[network.parameter_of[e]] for e in edges], dtype=np.int64),
            tuple(moved),
            tuple(p for p in range(network.parameter_count) if p not in place),
            silent,
        )

    @property
    def size(self) -> int:
        """m: the number of parameters that may move."""
        return len(self.parameters)

    @cached_property
    def fixed(self) -> tuple[Fraction | None, ...]:
        """For each edge that counts its fixed weight, None where it is learnable."""
        return tuple(self.network.fixed[e] for e in self.edges)

    @cached_property
    def in_edges(self) -> dict[int, list[int]]:
        """For each vertex the places of its in-edges in `edges`."""
        return _grouped(self.heads)

    @cached_property
    def out_edges(self) -> dict[int, list[int]]:
        """For each vertex the places of its out-edges in `edges`."""
        return _grouped(self.tails)

    @cached_property
    def hidden(self) -> tuple[int, ...]:
        """The vertices that count and are neither inputs nor outputs, in topological order."""
        ends = {*self.network.inputs, *self.network.outputs}
        return tuple(v for v in sorted(self.in_edges) if v not in ends and v in self.out_edges)

    @cached_property
    def smooth(self) -> tuple[int, ...]:
        """The vertices that count and whose activation is smooth, also where they read nothing."""
        activations = self.network.activations
        counting = sorted({*self.in_edges, *self.out_edges})
        return tuple(v for v in counting if not activations[v].homogeneous)

    @cached_property
    def own(self) -> np.ndarray:
        """(n,) whether each edge has a learnable parameter that no other edge that counts has."""
        uses = np.bincount(self.owner[self.owner >= 0], minlength=self.size)
        return np.array([p >= 0 and uses[p] == 1 for p in self.owner], dtype=bool)

    @cached_property
    def ends(self) -> tuple[list[int], list[int], list[int]]:
        """owner, tails and heads as plain lists; one tail for all inputs held at one value.

        (Biases may come from one input or from one each: their values are the same. Where a vertex
        reads two of the same value the tails stay as they are.)
        """
        tails, heads = self.tails.tolist(), self.heads.tolist()
        first: dict[Fraction, int] = {}
        merged = [
            first.setdefault(self.constants[v], v) if v in self.constants else v for v in tails
        ]
        if len(set(zip(heads, merged, strict=True))) == len(heads):
            tails = merged
        return self.owner.tolist(), tails, heads

    @cached_property
    def owner_between(self) -> dict[tuple[int, int], int]:
        """For (head, tail) of each edge, see `ends`, the place of its parameter, -1 if fixed."""
        owner, tails, heads = self.ends
        return dict(zip(zip(heads, tails, strict=True), owner, strict=True))

    @cached_property
    def places_of(self) -> tuple[list[tuple[int, int]], ...]:
        """For each parameter that may move the (head, tail) of its edges."""
        result: tuple[list[tuple[int, int]], ...] = tuple([] for _ in self.parameters)
        for place, owner in self.owner_between.items():
            if owner >= 0:
                result[owner].append(place)
        return result

    @cached_property
    def constants(self) -> dict[int, Fraction]:
        """The inputs that are held, and at which value."""
        pairs = zip(self.network.inputs, self.network.constants, strict=True)
        return {v: value for v, value in pairs if value is not None}

    @cached_property
    def forward(self) -> tuple[Step, ...]:
        """The steps of a pass from the inputs: vertices with their in-edges."""
        return _steps(self.heads, self.tails)

    @cached_property
    def backward(self) -> tuple[Step, ...]:
        """The steps of a pass from the outputs: vertices with their out-edges."""
        return _steps(self.tails[::-1], self.heads[::-1], len(self.edges) - 1)

    @cached_property
    def field(self) -> Field:
        """Residues in which the scales are."""
        return Field(self.network.scale_squares)

    def gain_square(self, v: int) -> Fraction:
        """The square of slope times scale of a vertex with a known slope, with the slope's sign."""
        gain = self._gain_squares[v]
        if gain is None:
            raise ValueError(f"the slope of vertex {v} is free")
        return gain

    @cached_property
    def _gain_squares(self) -> tuple[Fraction | None, ...]:
        pairs = zip(self.slopes, self.network.scale_squares, strict=True)
        return tuple(None if s is None else s * abs(s) * scale for s, scale in pairs)


def _check(network: Network, region: Mapping[int, Fraction]) -> None:
    for v, slope in region.items():
        name = network.names[v]
        if v in network.inputs:
            raise NetworkError(f"slope given for {name!r}, which is no vertex with an activation")
        possible = network.activations[v].slopes
        if slope not in possible:
            listed = ", ".join(str(number) for number in dict.fromkeys(possible))
            raise NetworkError(f"slope {slope} given for {name!r}, which has the slopes {listed}")


def _slopes(
    network: Network, region: Mapping[int, Fraction], silent: frozenset[int]
) -> tuple[tuple[Fraction | None, ...], list[bool]]:
    """The known slopes, and which vertices are not identically 0."""
    slopes: list[Fraction | None] = [Fraction(1)] * network.vertex_count
    alive = [False] * network.vertex_count
    sign: list[int | None] = [None] * network.vertex_count  # 1, -1: of a value; None: either
    for v, value in zip(network.inputs, network.constants, strict=True):
        alive[v] = value != 0
        sign[v] = None if value is None else (1 if value > 0 else -1)
    for v, edges in enumerate(network.in_edges):
        if not len(edges):
            continue
        signs = set()
        for e in edges:
            weight, tail = network.fixed[e], network.tails[e]
            if not alive[tail] or weight == 0:
                continue
            known = sign[tail]
            signs.add(
                None if weight is None or known is None else known * (1 if weight > 0 else -1)
            )
        one_sign = next(iter(signs)) if len(signs) == 1 else None
        if not network.activations[v].homogeneous:
            positive = network.activations[v].kind != "tanh"
            slopes[v] = None
            alive[v] = positive or bool(signs)
            sign[v] = 1 if positive else one_sign
            continue
        left, right = network.activations[v].slopes
        by_sign = None if one_sign is None else (right if one_sign > 0 else left)
        slope = left if left == right else region.get(v, by_sign)
        slopes[v] = slope
        alive[v] = bool(signs) and slope != 0 and v not in silent
        if left <= 0 <= right and left != right:
            sign[v] = 1  # ReLU and the absolute value are never negative
        elif slope is not None and one_sign is not None:
            sign[v] = one_sign * (1 if slope > 0 else -1)
    return tuple(slopes), alive


def _useful(network: Network, alive: list[bool]) -> list[bool]:
    """Which vertices reach an output along edges that are not 0."""
    reaches = [v in set(network.outputs) for v in range(network.vertex_count)]
    for e in range(network.edge_count - 1, -1, -1):
        tail, head = network.tails[e], network.heads[e]
        if reaches[head] and alive[head] and network.fixed[e] != 0:
            reaches[tail] = True
    return reaches


def _grouped(ends: np.ndarray) -> dict[int, list[int]]:
    groups: dict[int, list[int]] = {}
    for place, v in enumerate(ends.tolist()):
        groups.setdefault(v, []).append(place)
    return groups


def _steps(ends: np.ndarray, others: np.ndarray, last: int | None = None) -> tuple[Step, ...]:
    """Vertices by how far they are from where the pass begins. last: count the edges from there."""
    level: dict[int, int] = {}
    groups: dict[int, list[int]] = {}
    order = sorted(range(len(ends)), key=lambda k: (ends[k] if last is None else -ends[k], k))
    for k in order:
        v, other = int(ends[k]), int(others[k])
        level[v] = max(level.get(v, 0), level.get(other, 0) + 1)
        groups.setdefault(v, []).append(k if last is None else last - k)
    steps = []
    for number in sorted({level[v] for v in groups}):
        members = [v for v in groups if level[v] == number]
        sizes = [len(groups[v]) for v in members]
        edges = [e for v in members for e in groups[v]]
        starts = np.concatenate([[0], np.cumsum(sizes[:-1])]).astype(np.int64)
        steps.append(Step(np.array(members), np.array(edges, dtype=np.int64), starts))
    return tuple(steps)
