"""Forward and backward passes, for many different networks at once, in any arithmetic.

Different networks are evaluated together as their disjoint union: one large DAG whose vertices,
edges and parameters remember which network owns them. One implementation serves the exact replay,
the symbolic proof and the float64 trial; only the arithmetic differs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from graphs.activations import Activation
from graphs.arithmetic import Arithmetic, Array
from graphs.network import FIXED, Network


@dataclass(frozen=True)
class Level:
    """One step of the forward pass: the vertices at one depth, and their in-edges.

    vertices: (k,); edges: (m,); slot: (m,), for each edge the place of its head in `vertices`.
    """

    vertices: np.ndarray
    edges: np.ndarray
    slot: np.ndarray


@dataclass(frozen=True)
class Union:
    """The disjoint union of networks, as index arrays.

    C networks, V vertices, E edges, P parameters in all. tails, heads: (E,) union vertex numbers.
    parameter_of: (E,) union parameter numbers, -1 where fixed. vertex_owner, edge_owner,
    parameter_owner: the network that each belongs to. outputs: (C,) each network's first output.
    """

    networks: tuple[Network, ...]
    tails: np.ndarray
    heads: np.ndarray
    parameter_of: np.ndarray
    vertex_owner: np.ndarray
    edge_owner: np.ndarray
    parameter_owner: np.ndarray
    vertex_offset: np.ndarray
    edge_offset: np.ndarray
    parameter_offset: np.ndarray
    outputs: np.ndarray

    @classmethod
    def of(cls, networks: Sequence[Network]) -> Union:
        """The union of one or more networks."""
        counts = np.array([(n.vertex_count, n.edge_count, n.parameter_count) for n in networks])
        offsets = np.vstack([np.zeros((1, 3), dtype=int), np.cumsum(counts, axis=0)])
        vertex, _edge, parameter = offsets[:-1].T
        owner = np.arange(len(networks))

        def joined(arrays: list[np.ndarray]) -> np.ndarray:
            return np.concatenate(arrays).astype(np.int64)

        shifted = []
        for network, offset in zip(networks, parameter, strict=True):
            own = np.array(network.parameter_of, dtype=np.int64)
            shifted.append(np.where(own == FIXED, FIXED, own + offset))
        pairs = list(zip(networks, vertex, strict=True))
        return cls(
            networks=tuple(networks),
            tails=joined([np.array(n.tails, dtype=np.int64) + o for n, o in pairs]),
            heads=joined([np.array(n.heads, dtype=np.int64) + o for n, o in pairs]),
            parameter_of=joined(shifted),
            vertex_owner=np.repeat(owner, counts[:, 0]),
            edge_owner=np.repeat(owner, counts[:, 1]),
            parameter_owner=np.repeat(owner, counts[:, 2]),
            vertex_offset=offsets[:, 0],
            edge_offset=offsets[:, 1],
            parameter_offset=offsets[:, 2],
            outputs=np.array([n.outputs[0] + o for n, o in pairs], dtype=np.int64),
        )

    @property
    def vertex_count(self) -> int:
        """V, over all networks of the union."""
        return len(self.vertex_owner)

    @property
    def edge_count(self) -> int:
        """E, over all networks of the union."""
        return len(self.tails)

    @cached_property
    def learnable(self) -> np.ndarray:
        """(E,) whether each edge has a learnable weight."""
        return np.asarray(self.parameter_of != FIXED)

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The steps of the forward pass, inputs excluded."""
        depth = np.concatenate([np.array(n.depths, dtype=np.int64) for n in self.networks])
        edge_depth = depth[self.heads]
        steps = []
        for d in range(1, int(depth.max(initial=0)) + 1):
            vertices = np.flatnonzero(depth == d)
            edges = np.flatnonzero(edge_depth == d)
            steps.append(Level(vertices, edges, np.searchsorted(vertices, self.heads[edges])))
        return tuple(steps)

    @cached_property
    def input_places(self) -> tuple[np.ndarray, np.ndarray, list[Fraction]]:
        """The union numbers of the free inputs and of the held ones, and what those are held at."""
        free: list[int] = []
        held: list[int] = []
        values: list[Fraction] = []
        for network, offset in zip(self.networks, self.vertex_offset[:-1], strict=True):
            for vertex, constant in zip(network.inputs, network.constants, strict=True):
                if constant is None:
                    free.append(vertex + offset)
                else:
                    held.append(vertex + offset)
                    values.append(constant)
        return np.array(free, dtype=np.int64), np.array(held, dtype=np.int64), values

    @cached_property
    def activations(self) -> tuple[tuple[Activation, ...], np.ndarray]:
        """The different activations, and (V,) the number of that of each vertex."""
        known: dict[Activation, int] = {}
        numbers = [
            known.setdefault(kind, len(known)) for net in self.networks for kind in net.activations
        ]
        return tuple(known), np.array(numbers, dtype=np.int64)

    @cached_property
    def scale_squares(self) -> list[Fraction]:
        """V numbers: the square of the scale of each vertex."""
        return [square for net in self.networks for square in net.scale_squares]


@dataclass(frozen=True)
class Evaluation:
    """The values of every vertex on n examples, and what follows from them.

    weights: (E,) of edges; pre, post: (V, n); slopes: (V, n), the activation's slope (derivative)
    at each pre-activation; kinks: boolean (V, n), see Arithmetic.slopes; scales: (V, 1).
    """

    union: Union
    arithmetic: Arithmetic
    weights: Array
    pre: Array
    post: Array
    slopes: Array
    kinks: np.ndarray
    scales: Array

    def with_slopes(self, chosen: Mapping[tuple[int, int], Fraction]) -> Evaluation:
        """The same with other slopes, by vertex and example, where these are at a kink: the values
        are 0 there whatever the slope. Then they count as decided."""
        if not chosen:
            return self
        slopes, kinks = self.slopes.copy(), self.kinks.copy()
        places = tuple(np.array(list(chosen), dtype=np.int64).T)
        slopes[places] = self.arithmetic.array(list(chosen.values()))
        kinks[places] = False
        return replace(self, slopes=slopes, kinks=kinks)

    @cached_property
    def outputs(self) -> Array:
        """(C, n): nu(x_j), the first output of each network on each example."""
        return self.post[self.union.outputs]

    def sensitivities(self, at: np.ndarray | None = None) -> Array:
        """(V, n): the derivative of each network's output in the post-activation of each vertex.

        at: (C,) union vertex numbers to take instead of the outputs.
        """
        union = self.union
        n = self.post.shape[1]
        result = self.arithmetic.zeros((union.vertex_count, n))
        targets = union.outputs if at is None else at
        ones = self.arithmetic.array([[1] * n for _ in targets])
        self.arithmetic.add_at(result, targets, ones)
        for level in reversed(union.levels):
            edges = level.edges
            heads = union.heads[edges]
            carried = self.slopes[heads] * result[heads] * self.scales[heads]
            self.arithmetic.add_at(
                result, union.tails[edges], self.weights[edges][:, None] * carried
            )
        return result

    @cached_property
    def output_sensitivities(self) -> Array:
        """`sensitivities()` of the outputs, kept."""
        return self.sensitivities()

    @cached_property
    def edge_gradients(self) -> Array:
        """(E, n): the derivative of nu(x_j) in the weight of each edge, as if it were its own."""
        heads = self.union.heads
        carried = self.slopes[heads] * self.output_sensitivities[heads] * self.scales[heads]
        return self.post[self.union.tails] * carried


def evaluate(
    union: Union,
    arithmetic: Arithmetic,
    weights: Array,
    inputs: Array,
    dormant: np.ndarray | None = None,
) -> Evaluation:
    """Evaluate every network of the union on its n examples.

    weights: (E,) one for each edge; inputs: (I, n), the rows of the *free* inputs of the first
    network, then of the second, and so on. Constant inputs are filled in. dormant: (V,) boolean,
    the vertices at which the slope left of 0 is selected at a kink (which then counts as decided).

    Raises NotRationalError where the arithmetic is exact and has no such activation, or a scale is
    not rational.
    """
    n = inputs.shape[1]
    post = arithmetic.zeros((union.vertex_count, n))
    pre = arithmetic.zeros((union.vertex_count, n))
    slopes = arithmetic.zeros((union.vertex_count, n))
    kinks = np.zeros((union.vertex_count, n), dtype=bool)
    _fill_inputs(union, arithmetic, inputs, pre, post)
    left, right, smooth_kinds = _activation_tables(union, arithmetic)
    scales = arithmetic.square_roots(union.scale_squares)
    for level in union.levels:
        vertices, edges = level.vertices, level.edges
        flow = weights[edges][:, None] * post[union.tails[edges]]
        z = arithmetic.sum_at(flow, level.slot, len(vertices)) * scales[vertices]
        pre[vertices] = z
        slope, kink = arithmetic.slopes(vertices, z, left[vertices], right[vertices])
        if dormant is not None and (asleep := kink & dormant[vertices][:, None]).any():
            rows, columns = np.nonzero(asleep)
            slope[rows, columns] = left[vertices[rows]][:, 0]
            kink = kink & ~asleep
        value = slope * z
        slopes[vertices] = slope
        kinks[vertices] = kink
        post[vertices] = value
        for kind, members in smooth_kinds.items():
            chosen = vertices[np.isin(vertices, members)]
            if len(chosen):
                value, derivative = arithmetic.smooth(kind, pre[chosen])
                post[chosen] = value
                slopes[chosen] = derivative
                kinks[chosen] = False
    return Evaluation(union, arithmetic, weights, pre, post, slopes, kinks, scales)


def _fill_inputs(
    union: Union, arithmetic: Arithmetic, inputs: Array, pre: Array, post: Array
) -> None:
    n = inputs.shape[1]
    free, held, values = union.input_places
    post[free] = inputs
    if len(held):
        post[held] = arithmetic.array([[value] * n for value in values])
    rows = np.concatenate([free, held])
    pre[rows] = post[rows]


def _activation_tables(
    union: Union, arithmetic: Arithmetic
) -> tuple[Array, Array, dict[str, np.ndarray]]:
    """Slopes left and right of 0, (V, 1) each, and the vertices of each smooth kind."""
    kinds, kind_of = union.activations
    one = Fraction(1), Fraction(1)
    pairs = [kind.slopes if kind.homogeneous else one for kind in kinds]
    smooth: dict[str, list[int]] = {}
    for number, kind in enumerate(kinds):
        if not kind.homogeneous:
            smooth.setdefault(kind.kind, []).append(number)
    members = {kind: np.flatnonzero(np.isin(kind_of, numbers)) for kind, numbers in smooth.items()}
    left, right = (arithmetic.array([[pair[side]] for pair in pairs])[kind_of] for side in (0, 1))
    return left, right, members
