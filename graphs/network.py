"""A network: a directed acyclic graph with activations and parameters, immutable and validated.

The weights are not part of it: a network is the function `nu(x; w)`, and `w`, one number for each
*parameter*, is handed in where it is evaluated. Edges may share a parameter (convolution) or have
a fixed weight (identity skips). A bias is a parameter on an edge from an input that is held
constant.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from graphs.activations import LINEAR, RELU, Activation
from graphs.errors import ActivationError, CycleError, NetworkError, ParameterError

if TYPE_CHECKING:
    import networkx

Edge = tuple[str, str]
FIXED = -1
LONGEST_CYCLE = 12  # vertices that a message names


@dataclass(frozen=True)
class Network:
    """A feedforward network on a DAG. Build one with `network(...)` or a family.

    Vertices are numbered 0..V-1 in a topological order, edges 0..E-1 by head and then tail (so
    the in-edges of a vertex are contiguous), parameters 0..P-1.

    names: the V vertex names. tails, heads: the E ends of the edges. parameter_of: for each edge
    its parameter, or FIXED (-1). fixed: for each edge its fixed weight, None where it is learnable.
    activations: one for each vertex (inputs: linear, never applied). inputs, outputs: vertex
    numbers, in the order of the coordinates. constants: for each input None, or the value at which
    it is held (a bias input). scale_squares: for each vertex the square of the factor on its
    pre-activation, `z_v = scale_v * sum_u w_uv post_u` (1 unless said otherwise; 1/in-degree for
    the 1/sqrt(in-degree) scaling). parameter_names: the P names.

    Raises NetworkError (and its subclasses) when any of this is inconsistent.
    """

    names: tuple[str, ...]
    tails: tuple[int, ...]
    heads: tuple[int, ...]
    parameter_of: tuple[int, ...]
    fixed: tuple[Fraction | None, ...]
    activations: tuple[Activation, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    constants: tuple[Fraction | None, ...]
    scale_squares: tuple[Fraction, ...]
    parameter_names: tuple[str, ...]
    title: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        _validate(self)

    # sizes -----------------------------------------------------------------------------------
    @property
    def vertex_count(self) -> int:
        """V, the inputs and outputs included."""
        return len(self.names)

    @property
    def edge_count(self) -> int:
        """E, the fixed edges included."""
        return len(self.tails)

    @property
    def parameter_count(self) -> int:
        """P: the length of a list of weights."""
        return len(self.parameter_names)

    @cached_property
    def free_inputs(self) -> tuple[int, ...]:
        """The inputs that are not held constant: the coordinates of x, in order."""
        pairs = zip(self.inputs, self.constants, strict=True)
        return tuple(i for i, value in pairs if value is None)

    # adjacency ---------------------------------------------------------------------------------
    @cached_property
    def in_edges(self) -> tuple[range, ...]:
        """For each vertex its in-edges, as a range of edge numbers."""
        starts = [0] * (self.vertex_count + 1)
        for head in self.heads:
            starts[head + 1] += 1
        for v in range(self.vertex_count):
            starts[v + 1] += starts[v]
        return tuple(range(starts[v], starts[v + 1]) for v in range(self.vertex_count))

    @cached_property
    def out_edges(self) -> tuple[tuple[int, ...], ...]:
        """For each vertex its out-edges, as edge numbers in ascending order."""
        lists: list[list[int]] = [[] for _ in self.names]
        for e, tail in enumerate(self.tails):
            lists[tail].append(e)
        return tuple(map(tuple, lists))

    @cached_property
    def edges_of_parameter(self) -> tuple[tuple[int, ...], ...]:
        """For each parameter the edges that carry it."""
        lists: list[list[int]] = [[] for _ in self.parameter_names]
        for e, p in enumerate(self.parameter_of):
            if p != FIXED:
                lists[p].append(e)
        return tuple(map(tuple, lists))

    @cached_property
    def inner(self) -> tuple[int, ...]:
        """The vertices that are neither inputs nor outputs."""
        ends = set(self.inputs) | set(self.outputs)
        return tuple(v for v in range(self.vertex_count) if v not in ends)

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """For each vertex the length of the longest path from a source to it."""
        depth = [0] * self.vertex_count
        for tail, head in zip(self.tails, self.heads, strict=True):
            depth[head] = max(depth[head], depth[tail] + 1)
        return tuple(depth)

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Vertex number by name."""
        return {name: v for v, name in enumerate(self.names)}

    def learnable(self, e: int) -> bool:
        """Whether edge `e` has a learnable weight."""
        return self.parameter_of[e] != FIXED

    def own_parameter(self, e: int) -> bool:
        """Whether edge `e` is learnable and shares its parameter with no other edge."""
        p = self.parameter_of[e]
        return p != FIXED and len(self.edges_of_parameter[p]) == 1

    def edge_name(self, e: int) -> str:
        """The edge as it is written in reports: `tail->head`."""
        return f"{self.names[self.tails[e]]}->{self.names[self.heads[e]]}"

    def edge_between(self, tail: str, head: str) -> int:
        """The number of the edge between two named vertices. Raises NetworkError if none."""
        for name in (tail, head):
            if name not in self.index:
                raise NetworkError(f"no vertex {name!r} in {self}")
        for e in self.in_edges[self.index[head]]:
            if self.tails[e] == self.index[tail]:
                return e
        raise NetworkError(f"no edge {tail}->{head} in {self}")

    # properties that claims ask for --------------------------------------------------------------
    @property
    def homogeneous(self) -> bool:
        """Whether every activation is positively 1-homogeneous."""
        return all(a.homogeneous for a in self.activations)

    @property
    def has_bias(self) -> bool:
        """Whether some input is held constant."""
        return any(value is not None for value in self.constants)

    @property
    def shares_parameters(self) -> bool:
        """Whether some parameter is carried by two edges or more."""
        return any(len(edges) > 1 for edges in self.edges_of_parameter)

    # variations ----------------------------------------------------------------------------------
    def with_activations(self, activations: Mapping[str, Activation]) -> Network:
        """The same network with other activations at the named vertices."""
        for name in activations:
            if name not in self.index:
                raise NetworkError(f"no vertex {name!r} in {self}")
        pairs = zip(self.names, self.activations, strict=True)
        return replace(self, activations=tuple(activations.get(n, a) for n, a in pairs))

    def titled(self, title: str) -> Network:
        """The same network under another title (titles are for people; they do not compare)."""
        return replace(self, title=title)

    def edge_weights(self, weights: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """The weight of each edge: its parameter's, or its fixed one. weights: P numbers."""
        self.check_weight_count(weights)
        pairs = zip(self.parameter_of, self.fixed, strict=True)
        return tuple(weights[p] if constant is None else constant for p, constant in pairs)

    def check_weight_count(self, weights: Sequence[object]) -> None:
        """Raises ParameterError when `weights` is not one number for each parameter."""
        if len(weights) != self.parameter_count:
            raise ParameterError(
                f"{len(weights)} weights for the {self.parameter_count} parameters of {self}: "
                "give one weight for each parameter"
            )

    def to_networkx(self) -> networkx.DiGraph:
        """The graph, with vertex attribute `activation` and edge attribute `edge` (its number)."""
        import networkx

        graph = networkx.DiGraph()
        for name, activation in zip(self.names, self.activations, strict=True):
            graph.add_node(name, activation=str(activation))
        for e, (tail, head) in enumerate(zip(self.tails, self.heads, strict=True)):
            graph.add_edge(self.names[tail], self.names[head], edge=e)
        return graph

    def __str__(self) -> str:
        what = self.title or "network"
        return (
            f"{what} ({self.vertex_count} vertices, {self.edge_count} edges, "
            f"{self.parameter_count} parameters)"
        )


def network(
    edges: Iterable[Edge],
    *,
    inputs: Sequence[str],
    outputs: Sequence[str],
    activations: Mapping[str, Activation] | Activation = RELU,
    parameters: Mapping[Edge, str] | None = None,
    fixed: Mapping[Edge, Fraction | int | str] | None = None,
    constants: Mapping[str, Fraction | int | str] | None = None,
    scale_squares: Mapping[str, Fraction | int | str] | None = None,
    title: str = "",
) -> Network:
    """A network from named edges.

    activations: by vertex name (missing ones are ReLU, outputs are linear), or one for all
    vertices but the inputs and outputs. parameters: the parameter's name for edges that share
    (others get a parameter `w[tail->head]` of their own). fixed: edges with a constant weight.
    constants: inputs held at a value (biases). scale_squares: see Network.

    Raises CycleError, ActivationError, ParameterError or NetworkError, naming the culprit.

    >>> net = network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"])
    >>> net.parameter_names
    ('w[x->h]', 'w[h->o]')
    """
    edge_list = [(str(a), str(b)) for a, b in edges]
    fixed_weights = {edge: Fraction(value) for edge, value in (fixed or {}).items()}
    shared = dict(parameters or {})
    known = set(edge_list)
    for edge in (*fixed_weights, *shared):
        if edge not in known:
            raise ParameterError(f"edge {edge[0]}->{edge[1]} has a weight but is not in the graph")
    for edge in fixed_weights:
        if edge in shared:
            raise ParameterError(f"edge {edge[0]}->{edge[1]} is both fixed and learnable: drop one")
    order = topological_order(edge_list, inputs, outputs)
    position = {name: v for v, name in enumerate(order)}
    edge_list.sort(key=lambda edge: (position[edge[1]], position[edge[0]]))
    for first, second in pairwise(edge_list):
        if first == second:
            raise NetworkError(f"two edges {first[0]}->{first[1]}: merge parallel edges into one")
    numbers: dict[str, int] = {}
    parameter_of = []
    for edge in edge_list:
        if edge in fixed_weights:
            parameter_of.append(FIXED)
        else:
            name = shared.get(edge, f"w[{edge[0]}->{edge[1]}]")
            parameter_of.append(numbers.setdefault(name, len(numbers)))
    scales = {name: Fraction(value) for name, value in (scale_squares or {}).items()}
    held = {name: Fraction(value) for name, value in (constants or {}).items()}
    for what, mapping in (("constant", held), ("scale", scales)):
        for name in mapping:
            if name not in position:
                raise NetworkError(f"{what} given for {name!r}, which is not a vertex")
    for name in held:
        if name not in inputs:
            raise NetworkError(f"{name!r} is held constant but is not an input: list it in inputs")
    return Network(
        names=tuple(order),
        tails=tuple(position[a] for a, _ in edge_list),
        heads=tuple(position[b] for _, b in edge_list),
        parameter_of=tuple(parameter_of),
        fixed=tuple(fixed_weights.get(edge) for edge in edge_list),
        activations=_activations(order, inputs, outputs, activations),
        inputs=tuple(position[name] for name in inputs),
        outputs=tuple(position[name] for name in outputs),
        constants=tuple(held.get(name) for name in inputs),
        scale_squares=tuple(scales.get(name, Fraction(1)) for name in order),
        parameter_names=tuple(numbers),
        title=title,
    )


def topological_order(
    edges: Sequence[Edge], inputs: Sequence[str], outputs: Sequence[str]
) -> list[str]:
    """The vertices, inputs first, each after its parents, otherwise in order of appearance.

    Raises CycleError, naming the vertices of one cycle.
    """
    rank: dict[str, int] = {}
    for name in (*inputs, *(end for edge in edges for end in edge), *outputs):
        rank.setdefault(name, len(rank))
    names = list(rank)
    children: dict[str, list[str]] = {name: [] for name in names}
    waiting = dict.fromkeys(names, 0)
    for tail, head in edges:
        children[tail].append(head)
        waiting[head] += 1
    # outputs that are sinks come last, so that a sequence of networks reads in order
    last = set(outputs)
    key = {name: (name in last and not children[name], rank[name]) for name in names}
    ready = [(key[name], name) for name in names if waiting[name] == 0]
    heapq.heapify(ready)
    order = []
    while ready:
        _, name = heapq.heappop(ready)
        order.append(name)
        for child in children[name]:
            waiting[child] -= 1
            if waiting[child] == 0:
                heapq.heappush(ready, (key[child], child))
    if len(order) < len(names):
        raise CycleError(f"directed cycle {_cycle(children, set(order))}: remove one of its edges")
    return order


def _cycle(children: Mapping[str, Sequence[str]], done: set[str]) -> str:
    """One cycle among the vertices that topological sorting could not place, as a->b->a.

    Each of them has a parent among them, so a walk against the edges comes back to itself.
    """
    parent = {c: name for name, kids in children.items() if name not in done for c in kids}
    walk = [next(name for name in children if name not in done)]
    seen = set(walk)
    while parent[walk[-1]] not in seen:
        walk.append(parent[walk[-1]])
        seen.add(walk[-1])
    cycle = [parent[walk[-1]], *reversed(walk[walk.index(parent[walk[-1]]) :])]
    if len(cycle) > LONGEST_CYCLE:
        cycle[LONGEST_CYCLE - 2 : -1] = ["..."]
    return "->".join(cycle)


def _activations(
    order: Sequence[str],
    inputs: Sequence[str],
    outputs: Sequence[str],
    given: Mapping[str, Activation] | Activation,
) -> tuple[Activation, ...]:
    if isinstance(given, Activation):
        default, named = given, dict.fromkeys((*inputs, *outputs), LINEAR)
    elif not isinstance(given, Mapping):
        raise ActivationError(
            f"the activations are {given!r}: give one of graphs.activations, such as RELU, or one "
            "for each vertex"
        )
    else:
        default = RELU
        named = {**dict.fromkeys((*inputs, *outputs), LINEAR), **given}
        known, entering = set(order), set(inputs)
        for name in given:
            if name not in known:
                raise ActivationError(f"activation given for {name!r}, which is not a vertex")
            if name in entering:
                raise ActivationError(f"activation given for the input {name!r}: inputs have none")
    return tuple(named.get(name, default) for name in order)


def _validate(net: Network) -> None:
    v_count, e_count = len(net.names), len(net.tails)
    lengths = {
        "heads": (len(net.heads), e_count),
        "parameter_of": (len(net.parameter_of), e_count),
        "fixed": (len(net.fixed), e_count),
        "activations": (len(net.activations), v_count),
        "scale_squares": (len(net.scale_squares), v_count),
        "constants": (len(net.constants), len(net.inputs)),
    }
    for what, (length, expected) in lengths.items():
        if length != expected:
            raise NetworkError(f"{what} has {length} entries, {expected} expected")
    if len(set(net.names)) < v_count:
        raise NetworkError("two vertices have the same name: rename one")
    if not net.inputs or not net.outputs:
        raise NetworkError("a network needs at least one input and one output")
    for what, ends in (("inputs", net.inputs), ("outputs", net.outputs)):
        if len(set(ends)) < len(ends) or not all(0 <= v < v_count for v in ends):
            raise NetworkError(f"{what} {ends} are not distinct vertices")
    previous = (-1, -1)
    inputs = set(net.inputs)
    reached = set(net.inputs)
    for tail, head in zip(net.tails, net.heads, strict=True):
        if not 0 <= tail < head < v_count:
            raise CycleError(f"edge {tail}->{head} does not follow the topological order")
        if (head, tail) <= previous:
            raise NetworkError(f"edges are not sorted by head and tail at {tail}->{head}")
        if head in inputs:
            raise NetworkError(f"input {net.names[head]!r} has an in-edge: inputs have none")
        previous = (head, tail)
        reached.add(head)
    for v, name in enumerate(net.names):
        if not isinstance(net.activations[v], Activation):
            raise ActivationError(
                f"the activation of {name!r} is {net.activations[v]!r}: give one of "
                "graphs.activations, such as RELU"
            )
        if v not in reached:
            raise NetworkError(
                f"vertex {name!r} has no in-edge and is not an input: list it or delete it"
            )
        if net.scale_squares[v] <= 0:
            raise NetworkError(f"scale of {name!r} is not positive")
    for p, constant in zip(net.parameter_of, net.fixed, strict=True):
        if (p == FIXED) != (constant is not None) or p >= len(net.parameter_names):
            raise ParameterError("an edge needs either a parameter or a fixed weight")
    if len(set(net.parameter_names)) < len(net.parameter_names):
        raise ParameterError("two parameters have the same name: rename one")
    used = set(net.parameter_of)
    for p, name in enumerate(net.parameter_names):
        if p not in used:
            raise ParameterError(f"parameter {name!r} belongs to no edge: remove it")
