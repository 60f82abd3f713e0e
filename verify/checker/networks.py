"""Networks: reading a record, and evaluating it on examples, with its weights moving or not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from .arithmetic import Arithmetic
from .arithmetic import rational as is_rational
from .outcomes import Declined, Undefined, defined, require
from .rates import Moving
from .records import array, fields, integer, known, named, rational, text

MOST_PATHS = 10_000
MOST_STEPS = 10**9  # to make all paths, about
MOST_EVALUATIONS = 1_000_000  # edges times examples

SLOPES = {"linear": (1, 1), "relu": (0, 1), "abs": (-1, 1)}
SMOOTH = ("tanh", "softplus", "sigmoid")
NEEDED = ("format", "version", "vertices", "inputs", "outputs", "edges")  # of a network's record
OPTIONAL = ("title", "constants")

Path = tuple[int, ...]  # its edges


@dataclass(frozen=True)
class Edge:
    """An edge with a parameter, or with a fixed weight."""

    tail: str
    head: str
    parameter: str | None
    fixed: Fraction


@dataclass(frozen=True)
class Network:
    """A simple directed acyclic graph with activations, weights and examples.

    kinds: the activations by vertex, in the order of the record. slopes: left and right of 0, for
    those that are positively homogeneous. held: the inputs that have one value. xs: by example the
    values of the inputs. loss_slopes: l'(y_j nu(x_j)). dormant: ReLU vertices with slope 0 at 0.
    order: topological.
    """

    kinds: dict[str, str]
    slopes: dict[str, tuple[Fraction | int, Fraction | int]]
    edges: tuple[Edge, ...]
    inputs: tuple[str, ...]
    held: frozenset[str]
    outputs: tuple[str, ...]
    weights: dict[str, Fraction]
    xs: list[dict[str, Fraction]]
    labels: list[Fraction]
    loss_slopes: list[Fraction]
    dormant: frozenset[str]
    into: dict[str, tuple[int, ...]]
    out_of: dict[str, tuple[int, ...]]
    users: dict[str, tuple[int, ...]]
    order: tuple[str, ...]

    @cached_property
    def vertices(self) -> tuple[str, ...]:
        """All of them, in the order of the record."""
        return tuple(self.kinds)

    @cached_property
    def hidden(self) -> tuple[str, ...]:
        """Those that are neither input nor output."""
        ends = {*self.inputs, *self.outputs}
        return tuple(v for v in self.kinds if v not in ends)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """Those of the edges."""
        return tuple(range(len(self.edges)))

    @cached_property
    def examples(self) -> tuple[int, ...]:
        """Their numbers, from 1."""
        return tuple(range(1, len(self.xs) + 1))

    @cached_property
    def paths(self) -> tuple[Path, ...] | None:
        """All paths from an input to an output: from the inputs in their order, along the edges in
        theirs, a path before its continuations. None if they are too many."""
        count, ends = dict.fromkeys(self.order, 0), set(self.outputs)
        for v in reversed(self.order):
            onward = sum(count[self.edges[e].head] for e in self.out_of[v])
            count[v] = min(onward + (v in ends), MOST_PATHS + 1)
        if sum(count[v] for v in self.inputs) > MOST_PATHS:
            return None
        if sum(count[v] for v in self.inputs) * len(self.order) ** 2 > MOST_STEPS:
            raise Declined("the paths are too long")
        found: list[Path] = []
        waiting: list[Path] = [(e,) for v in reversed(self.inputs) for e in self.out_of[v][::-1]]
        while waiting:
            path = waiting.pop()
            head = self.edges[path[-1]].head
            if count[head]:
                found += [path] if head in ends else []
                waiting += [(*path, e) for e in reversed(self.out_of[head])]
        return tuple(found)

    @cached_property
    def sizes_to(self) -> dict[str, tuple[int, int] | None]:
        """By vertex how many paths end there, the empty one included, and how many edges they have
        together; None where there are too many."""
        found: dict[str, tuple[int, int] | None] = {}
        for v in self.order:
            before = [found[self.edges[e].tail] for e in self.into[v]]
            known = [sizes for sizes in before if sizes is not None]
            count = 1 + sum(paths for paths, _ in known)
            fits = len(known) == len(before) and count <= MOST_PATHS
            found[v] = (count, count - 1 + sum(edges for _, edges in known)) if fits else None
        return found

    def paths_to(self, v: str) -> tuple[Path, ...]:
        """All paths that end at a vertex: the empty one, then for each in turn those with one edge
        more before it."""
        found: list[Path] = [()]
        for path in found:  # grows while it is read
            start = self.edges[path[0]].tail if path else v
            found += [(e, *path) for e in self.into[start]]
        return tuple(found)


# reading ------------------------------------------------------------------------------------------
def read_network(value: object) -> Network:
    """The network of a case, with weights and examples."""
    top = fields(value, "the case", ("network", "examples"), ("choice", "loss"))
    if "loss" in top:
        raise Declined("a loss by name: the case must prescribe the slopes")
    record = fields(top["network"], "the network", (*NEEDED, "weights"), OPTIONAL)
    graph, held = read_graph(record)
    weights = _read_numbers(fields(record["weights"], "the weights", graph.users))
    free = [name for name in graph.inputs if name not in held]
    xs, labels, loss_slopes = _read_examples(top["examples"], free, held)
    asked(graph, len(xs))
    dormant = _read_dormant(top.get("choice", {}), graph.kinds)
    return replace(
        graph, weights=weights, xs=xs, labels=labels, loss_slopes=loss_slopes, dormant=dormant
    )


def asked(graph: Network, examples: int) -> None:
    """Declines a network that is too large for so many examples."""
    if len(graph.edges) * examples > MOST_EVALUATIONS:
        raise Declined(f"edges times examples are more than {MOST_EVALUATIONS}")


def read_graph(value: object) -> tuple[Network, dict[str, Fraction]]:
    """A network without weights and examples; and the values of the inputs that are held at one."""
    record = fields(value, "the network", NEEDED, (*OPTIONAL, "weights"))
    require(record["format"] == "lemmata-network", "the network has another format")
    if integer(record["version"], "the network's version") != 1:
        raise Declined("the version of the network format is not known here")
    require(isinstance(record.get("title", ""), str), "the network's title is no text")
    kinds, slopes = _read_vertices(record["vertices"])
    edges = _read_edges(record["edges"], kinds)
    inputs = _read_names(record["inputs"], kinds, "the inputs")
    outputs = _read_names(record["outputs"], kinds, "the outputs")
    into = _at_vertices(edges, kinds, lambda edge: edge.head)
    out_of = _at_vertices(edges, kinds, lambda edge: edge.tail)
    entries, exits = set(inputs), set(outputs)
    for v, kind in kinds.items():
        entry = v in entries
        require(entry != bool(into[v]), f"{v!r}: exactly the inputs have no edge that ends there")
        require(not entry or kind == "linear", f"the input {v!r} has the activation {kind}")
        require(not entry or v not in exits, f"{v!r} is input and output")
    users: dict[str, list[int]] = {}
    for e, edge in enumerate(edges):
        if edge.parameter is not None:
            users.setdefault(edge.parameter, []).append(e)
    held = _read_numbers(fields(record.get("constants", {}), "the constants", (), inputs))
    require(len(held) < len(inputs), "every input is constant")
    graph = Network(
        kinds,
        slopes,
        edges,
        inputs,
        frozenset(held),
        outputs,
        {},
        [],
        [],
        [],
        frozenset(),
        into,
        out_of,
        {name: tuple(numbers) for name, numbers in users.items()},
        _topological(edges, into, out_of),
    )
    return graph, held


def _read_vertices(
    value: object,
) -> tuple[dict[str, str], dict[str, tuple[Fraction | int, Fraction | int]]]:
    kinds: dict[str, str] = {}
    slopes: dict[str, tuple[Fraction | int, Fraction | int]] = {}
    for record in array(value, "the list of vertices"):
        vertex = fields(record, "a vertex", ("name", "activation"), ("slope", "scale_square"))
        name = text(vertex["name"], "the name of a vertex")
        require(name not in kinds, f"the vertex {name!r} is listed twice")
        kind = known(vertex["activation"], (*SLOPES, "leaky_relu", *SMOOTH), "an activation")
        leaky = kind == "leaky_relu"
        require(leaky == ("slope" in vertex), f"{kind} at {name!r}: a slope belongs to leaky_relu")
        if rational(vertex.get("scale_square", 1), f"the scale_square of {name!r}") != 1:
            raise Declined(f"the vertex {name!r} has a scale")
        kinds[name] = kind
        if kind not in SMOOTH:
            left = rational(vertex["slope"], f"the slope of {name!r}") if leaky else 0
            slopes[name] = (left, 1) if leaky else SLOPES[kind]
    return kinds, slopes


def _read_edges(value: object, kinds: Mapping[str, str]) -> tuple[Edge, ...]:
    edges = []
    seen = set()
    for record in array(value, "the list of edges"):
        item = fields(record, "an edge", ("tail", "head"), ("parameter", "fixed"))
        tail = known(item["tail"], kinds, "the tail of an edge")
        head = known(item["head"], kinds, "the head of an edge")
        where = f"the edge {tail!r} to {head!r}"
        require((tail, head) not in seen, f"{where} is listed twice")
        seen.add((tail, head))
        require(("parameter" in item) != ("fixed" in item), f"{where} needs parameter or fixed")
        parameter = text(item["parameter"], where) if "parameter" in item else None
        fixed = rational(item["fixed"], where) if "fixed" in item else Fraction(0)
        edges.append(Edge(tail, head, parameter, fixed))
    return tuple(edges)


def _read_names(value: object, kinds: Mapping[str, str], where: str) -> tuple[str, ...]:
    names = tuple(known(name, kinds, f"one of {where}") for name in array(value, where))
    require(len(set(names)) == len(names), f"{where} name a vertex twice")
    require(bool(names), f"{where} are empty")
    return names


def _read_numbers(value: dict[str, Any]) -> dict[str, Fraction]:
    return {name: rational(number, f"the number {name!r}") for name, number in value.items()}


def _read_examples(
    value: object, free: list[str], held: dict[str, Fraction]
) -> tuple[list[dict[str, Fraction]], list[Fraction], list[Fraction]]:
    xs, labels, slopes = [], [], []
    for j, record in enumerate(array(value, "the list of examples"), start=1):
        example = fields(record, f"example {j}", ("x", "y", "slope"))
        row = array(example["x"], f"x of example {j}", len(free))
        numbers = [rational(number, f"x of example {j}") for number in row]
        xs.append(dict(zip(free, numbers, strict=True)) | held)
        labels.append(rational(example["y"], f"y of example {j}"))
        slopes.append(rational(example["slope"], f"slope of example {j}"))
    require(bool(xs), "the case has no examples")
    return xs, labels, slopes


def _read_dormant(value: object, kinds: Mapping[str, str]) -> frozenset[str]:
    choice = named(value, "the choice")
    if choice.keys() - {"dormant"}:
        raise Declined("the case chooses something that is not known here")
    names = array(choice.get("dormant", []), "the dormant vertices")
    for name in names:
        vertex = known(name, kinds, "a dormant vertex")
        require(kinds[vertex] == "relu", f"the dormant vertex {vertex!r} is not ReLU")
    require(len(set(names)) == len(names), "a dormant vertex is named twice")
    return frozenset(names)


def _at_vertices(
    edges: tuple[Edge, ...], kinds: Mapping[str, str], end: Callable[[Edge], str]
) -> dict[str, tuple[int, ...]]:
    """By vertex the edges that have it at one end."""
    found: dict[str, list[int]] = {v: [] for v in kinds}
    for e, edge in enumerate(edges):
        found[end(edge)].append(e)
    return {v: tuple(numbers) for v, numbers in found.items()}


def _topological(
    edges: tuple[Edge, ...], into: dict[str, tuple[int, ...]], out_of: dict[str, tuple[int, ...]]
) -> tuple[str, ...]:
    waiting = {name: len(numbers) for name, numbers in into.items()}
    ready = [name for name, count in waiting.items() if count == 0]
    for name in ready:
        for e in out_of[name]:
            head = edges[e].head
            waiting[head] -= 1
            if waiting[head] == 0:
                ready.append(head)
    require(len(ready) == len(into), "the network has a cycle")
    return tuple(ready)


# evaluation ---------------------------------------------------------------------------------------
class Evaluated:
    """A network with its values on its examples, which are numbered from 1 and found when asked."""

    def __init__(self, network: Network, run: Arithmetic) -> None:
        self.network, self._run = network, run
        self._known: dict[tuple[str, object], Any] = {}

    def _once(self, function: Callable[[Any], Any], argument: Any) -> Any:
        """The value of a function, found once; or that it has none."""
        key = function.__name__, argument
        if key not in self._known:
            try:
                self._known[key] = function(argument)
            except Undefined:
                self._known[key] = Undefined
        defined(self._known[key] is not Undefined)
        return self._known[key]

    def example(self, j: int) -> int:
        """The number of an example, if there is one."""
        defined(1 <= j <= len(self.network.xs))
        return j

    def weight(self, e: int) -> Any:
        """The weight of an edge."""
        edge = self.network.edges[e]
        return edge.fixed if edge.parameter is None else self.network.weights[edge.parameter]

    def moving_weight(self, e: int) -> Any:
        """The same with its velocity."""
        parameter = self.network.edges[e].parameter
        if parameter is None:
            return self.weight(e)
        return Moving(self.weight(e), self._once(self._velocity, parameter))

    def _velocity(self, parameter: str) -> Any:
        run, net = self._run, self.network
        parts = (
            run.mul(run.mul(net.loss_slopes[j - 1], net.labels[j - 1]), self.gradient(f, j))
            for j in range(1, len(net.xs) + 1)
            for f in net.users[parameter]
        )
        return run.neg(run.div(run.total(parts), len(net.xs)))

    def pre(self, v: str, j: int, moving: bool = False) -> Any:
        """The pre-activation on an example."""
        return self._vertex(v, j, moving)[0]

    def post(self, v: str, j: int, moving: bool = False) -> Any:
        """The activation on an example."""
        if not self.network.into[v]:
            return self.network.xs[self.example(j) - 1][v]
        return self._vertex(v, j, moving)[1]

    def activation(self, v: str, z: Any) -> Any:
        """The activation of a vertex that is no input, of any number."""
        defined(bool(self.network.into[v]))
        return self._activated(v, z, 0)[0]

    def slope(self, v: str, j: int) -> Any:
        """The slope of the activation at the pre-activation."""
        return self._vertex(v, j, False)[2]

    def _vertex(self, v: str, j: int, moving: bool) -> tuple[Any, Any, Any]:
        defined(bool(self.network.into[v]))
        found = self._once(self._moving_forward if moving else self._forward, self.example(j))[v]
        defined(found is not None)
        return found  # type: ignore[no-any-return]  # a triple

    def output(self, j: int, moving: bool = False) -> Any:
        """nu(x_j), of a network with one output."""
        defined(len(self.network.outputs) == 1)
        return self.post(self.network.outputs[0], j, moving)

    def of_one_loss(self) -> bool:
        """Whether examples with equal margins have equal slopes of the loss, where there is one
        output and margins are rational."""
        net = self.network
        slopes: dict[Any, Fraction] = {}
        if len(net.outputs) != 1:
            return True
        for j, (label, slope) in enumerate(zip(net.labels, net.loss_slopes, strict=True), start=1):
            margin = self._run.mul(label, self.output(j))
            if is_rational(margin) and slopes.setdefault(margin, slope) != slope:
                return False
        return True

    def gradient(self, e: int, j: int) -> Any:
        """The derivative of nu(x_j) by the weight of this edge alone."""
        defined(len(self.network.outputs) == 1)
        edge, sensitivity = self.network.edges[e], self._once(self._backward, self.example(j))
        return self._run.mul(sensitivity[edge.head], self.post(edge.tail, j))

    def _forward(self, j: int) -> dict[str, tuple[Any, Any, Any]]:
        """Of each vertex that is no input: before, after the activation, and its slope."""
        found: dict[str, tuple[Any, Any, Any]] = {}
        xs = self.network.xs[j - 1]
        for v in self.network.order:
            if into := self.network.into[v]:
                tails = (self.network.edges[e].tail for e in into)
                posts = [found[tail][1] if tail in found else xs[tail] for tail in tails]
                pre = self._run.dot(map(self.weight, into), posts)
                found[v] = (pre, *self._activated(v, pre, j))
        return found

    def _moving_forward(self, j: int) -> dict[str, tuple[Any, Any, Any] | None]:
        """The same with derivatives by time: those of the activations have the slopes there. None
        where there is no derivative."""
        fixed = self._once(self._forward, j)
        found: dict[str, tuple[Any, Any, Any] | None] = {}
        xs = self.network.xs[j - 1]
        for v, (_, post, slope) in fixed.items():
            found[v] = None
            try:
                into = self.network.into[v]
                tails = [self.network.edges[e].tail for e in into]
                befores = [found[tail] for tail in tails if tail in found]
                defined(None not in befores)
                posts = [before[1] if (before := found.get(t)) else xs[t] for t in tails]
                pre = self._run.dot(map(self.moving_weight, into), posts)
                after = self._run.mul(slope, pre)
                found[v] = pre, Moving(post, after.speed if isinstance(after, Moving) else 0), slope
            except Undefined:
                continue
        return found

    def _backward(self, j: int) -> dict[str, Any]:
        """The derivative of the output by the pre-activation of each vertex."""
        net, run, found = self.network, self._run, dict[str, Any]()
        values = self._once(self._forward, j)
        for v in reversed(values):
            heads = (net.edges[e].head for e in net.out_of[v])
            through = run.dot(map(self.weight, net.out_of[v]), (found[head] for head in heads))
            found[v] = run.mul(values[v][2], 1 if v in net.outputs else through)
        return found

    def _activated(self, v: str, z: Any, j: int) -> tuple[Any, Any]:
        """The value and the slope of an activation; j: the example, which says nothing here."""
        run = self._run
        if v in self.network.slopes:
            left, right = self.network.slopes[v]
            sign = run.sign(z) if left != right else 1
            slope = left if sign < 0 or (sign == 0 and v in self.network.dormant) else right
            return run.mul(slope, z), slope
        kind, scale = self.network.kinds[v], 2 if self.network.kinds[v] == "tanh" else 1
        value, other = run.sigmoid(run.mul(scale, z)), run.sigmoid(run.mul(-scale, z))
        if kind == "softplus":
            return run.log(run.add(1, run.exp(z))), value
        slope = run.mul(scale * scale, run.mul(value, other))
        return run.sub(run.mul(scale, value), scale - 1), slope
