"""Networks: reading a record, and evaluating it on examples, with its weights moving or not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from .arithmetic import Arithmetic
from .arithmetic import rational as is_rational
from .enclosures import Rational
from .outcomes import Declined, Undefined, defined, require
from .rates import Moving
from .records import array, fields, integer, known, named, rational, text

MOST_PATHS = 10_000
MOST_STEPS = 10**9  # to make all paths, about
MOST_EVALUATIONS = 1_000_000  # edges times examples
LONGEST_DESCENT = 64  # steps

SLOPES = {"linear": (1, 1), "relu": (0, 1), "abs": (-1, 1)}
SMOOTH = ("tanh", "softplus", "sigmoid")
KINDS = (*SLOPES, "leaky_relu", *SMOOTH)
NEEDED = ("format", "version", "vertices", "inputs", "outputs", "edges")  # of a network's record
OPTIONAL = ("title", "constants")

Path = tuple[int, ...]  # its edges


@dataclass(frozen=True)
class Edge:
    """An edge with a parameter, or with a fixed weight."""

    tail: str
    head: str
    parameter: str | None
    fixed: Rational


@dataclass(frozen=True)
class Network:
    """A simple directed acyclic graph with activations, weights and examples.

    kinds: the activations by vertex, in the order of the record. slopes: left and right of 0, for
    those that are positively homogeneous. held: the inputs that have one value. xs: by example the
    values of the inputs. loss_slopes: l'(y_j nu(x_j)). at_zero: the slopes at a pre-activation 0,
    by vertex and example, where it is not the right one. order: topological. sizes: of the steps of
    gradient descent; later_slopes: the slopes of the loss at the second step, the third, ...
    """

    kinds: dict[str, str]
    slopes: dict[str, tuple[Rational, Rational]]
    edges: tuple[Edge, ...]
    inputs: tuple[str, ...]
    held: frozenset[str]
    outputs: tuple[str, ...]
    weights: dict[str, Rational]
    xs: list[dict[str, Rational]]
    labels: list[Rational]
    loss_slopes: list[Rational]
    at_zero: dict[tuple[str, int], Rational]
    into: dict[str, tuple[int, ...]]
    out_of: dict[str, tuple[int, ...]]
    users: dict[str, tuple[int, ...]]
    order: tuple[str, ...]
    sizes: tuple[Any, ...] = ()
    later_slopes: tuple[list[Any], ...] = ()

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

    def has(self, kinds: tuple[str, ...]) -> bool:
        """Whether hidden vertices have only such activations, and outputs these or linear."""
        ends = {self.kinds[v] for v in self.outputs} - {"linear"}
        return {self.kinds[v] for v in self.hidden} | ends <= set(kinds)

    @property
    def lengths(self) -> dict[str, int]:
        """How long the axes of arrays are that are called after a list of the network."""
        lists = (self.vertices, self.edges, self.inputs, self.xs)
        return dict(zip(("vertices", "edges", "inputs", "examples"), map(len, lists), strict=True))

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
def read_network(value: object) -> tuple[Network, dict[str, Any]]:
    """The network of a case, with weights and examples; and what else the case chooses."""
    top = fields(value, "the case", ("network", "examples"), ("choice", "loss"))
    if "loss" in top:
        raise Declined("a loss by name: the case must prescribe the slopes")
    record = fields(top["network"], "the network", (*NEEDED, "weights"), OPTIONAL)
    graph, held = read_graph(record)
    weights = _read_numbers(fields(record["weights"], "the weights", graph.users))
    free = [name for name in graph.inputs if name not in held]
    xs, labels, loss_slopes = _read_examples(top["examples"], free, held)
    asked(graph, len(xs))
    choice = dict(named(top.get("choice", {}), "the choice"))
    at_zero = _read_slopes(choice.pop("slopes_at_0", []), graph, len(xs))
    sizes, later = _read_descent(choice.pop("eta", None), choice.pop("slopes", None), len(xs))
    network = replace(
        graph,
        weights=weights,
        xs=xs,
        labels=labels,
        loss_slopes=loss_slopes,
        at_zero=at_zero,
        sizes=sizes,
        later_slopes=later,
    )
    return network, choice


def asked(graph: Network, examples: int) -> None:
    """Declines a network that is too large for so many examples."""
    if len(graph.edges) * examples > MOST_EVALUATIONS:
        raise Declined(f"edges times examples are more than {MOST_EVALUATIONS}")


def read_graph(value: object) -> tuple[Network, dict[str, Rational]]:
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
        {},
        into,
        out_of,
        {name: tuple(numbers) for name, numbers in users.items()},
        _topological(edges, into, out_of),
    )
    return graph, held


def _read_vertices(
    value: object,
) -> tuple[dict[str, str], dict[str, tuple[Rational, Rational]]]:
    kinds: dict[str, str] = {}
    slopes: dict[str, tuple[Rational, Rational]] = {}
    for record in array(value, "the list of vertices"):
        vertex = fields(record, "a vertex", ("name", "activation"), ("slope", "scale_square"))
        name = text(vertex["name"], "the name of a vertex")
        require(name not in kinds, f"the vertex {name!r} is listed twice")
        kind = known(vertex["activation"], KINDS, "an activation")
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
        fixed = rational(item["fixed"], where) if "fixed" in item else 0
        edges.append(Edge(tail, head, parameter, fixed))
    return tuple(edges)


def _read_names(value: object, kinds: Mapping[str, str], where: str) -> tuple[str, ...]:
    names = tuple(known(name, kinds, f"one of {where}") for name in array(value, where))
    require(len(set(names)) == len(names), f"{where} name a vertex twice")
    require(bool(names), f"{where} are empty")
    return names


def _read_numbers(value: dict[str, Any]) -> dict[str, Rational]:
    return {name: rational(number, f"the number {name!r}") for name, number in value.items()}


def _read_examples(
    value: object, free: list[str], held: dict[str, Rational]
) -> tuple[list[dict[str, Rational]], list[Rational], list[Rational]]:
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


def _read_descent(
    eta: object, later: object, examples: int
) -> tuple[tuple[Rational, ...], tuple[list[Rational], ...]]:
    """The sizes of the steps, and the slopes of the loss at each but the first."""
    if eta is None and later is None:
        return (), ()

    def numbers(value: object, where: str, count: int | None = None) -> list[Rational]:
        return [rational(number, where) for number in array(value, where, count)]

    sizes = numbers(eta, "the step sizes")
    require(bool(sizes), "there are step sizes, but none")
    if len(sizes) > LONGEST_DESCENT:
        raise Declined(f"a descent of more than {LONGEST_DESCENT} steps")
    rows = array([] if later is None else later, "the slopes of the later steps", len(sizes) - 1)
    return tuple(sizes), tuple(numbers(row, "the slopes of a step", examples) for row in rows)


def _read_slopes(value: object, graph: Network, examples: int) -> dict[tuple[str, int], Rational]:
    """The slopes that a case chooses at 0, each between those left and right of it."""
    found: dict[tuple[str, int], Rational] = {}
    for record in array(value, "the slopes at 0"):
        name, number, chosen = array(record, "a slope at 0", 3)
        v = known(name, graph.slopes, "the vertex of a slope at 0")
        j, slope = integer(number, "the example of a slope at 0"), rational(chosen, "a slope at 0")
        require(bool(graph.into[v]), f"a slope at 0 of the input {v!r}")
        require(1 <= j <= examples, f"a slope at 0 on the example {j}, of {examples}")
        require((v, j) not in found, f"two slopes at 0 of {v!r} on the example {j}")
        require(
            min(graph.slopes[v]) <= slope <= max(graph.slopes[v]),
            f"the slope at 0 of {v!r} on the example {j} is not between those beside it",
        )
        found[v, j] = slope
    return found


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
    """A network with its values on its examples, which are numbered from 1 and found when asked;
    after some steps of gradient descent, where these have changed its weights."""

    def __init__(
        self,
        network: Network,
        run: Arithmetic,
        weights: dict[str, Any] | None = None,
        steps: int = 0,
    ) -> None:
        self.network, self.steps, self._run = network, steps, run
        self._weights = network.weights if weights is None else weights
        self._known: dict[tuple[str, object], Any] = {}

    def stepped(self) -> Evaluated:
        """After one step more."""
        defined(self.steps < len(self.network.sizes) and len(self.network.outputs) == 1)
        run, size = self._run, self.network.sizes[self.steps]
        weights = {
            p: run.add(w, run.mul(size, self._once(self._velocity, p)))
            for p, w in self._weights.items()
        }
        return type(self)(self.network, run, weights, self.steps + 1)

    def loss_slope(self, j: int) -> Any:
        """That of the loss on an example; after the last step it is not told."""
        rows = (self.network.loss_slopes, *self.network.later_slopes)
        defined(self.steps < len(rows))
        return rows[self.steps][self.example(j) - 1]

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
        return edge.fixed if edge.parameter is None else self._weights[edge.parameter]

    def moving_weight(self, e: int) -> Any:
        """The same with its velocity."""
        parameter = self.network.edges[e].parameter
        if parameter is None:
            return self.weight(e)
        return Moving(self.weight(e), self._once(self._velocity, parameter))

    def _velocity(self, parameter: str) -> Any:
        run, net = self._run, self.network
        parts = (
            run.mul(run.mul(self.loss_slope(j), net.labels[j - 1]), self.gradient(f, j))
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

    def of_one_loss(self, slopes: dict[Any, Rational], enclosed: list[tuple[Any, Any]]) -> bool:
        """Whether examples with equal margins have equal slopes of the loss, where there is one
        output. slopes, enclosed: those that are known, of rational margins and of others, to which
        these are added."""
        net = self.network
        if len(net.outputs) != 1:
            return True
        for j, label in enumerate(net.labels, start=1):
            margin, slope = self._run.mul(label, self.output(j)), self.loss_slope(j)
            plain = is_rational(margin)
            if plain and slopes.setdefault(margin, slope) != slope:
                return False
            for other, its in enclosed if plain else (*slopes.items(), *enclosed):
                if its != slope and self._run.compare(margin, other) == 0:
                    return False
            enclosed += [] if plain else [(margin, slope)]
        return True

    def gradient(self, e: int, j: int) -> Any:
        """The derivative of nu(x_j) by the weight of this edge alone."""
        defined(len(self.network.outputs) == 1)
        edge, sensitivity = self.network.edges[e], self._once(self._backward, self.example(j))
        return self._run.mul(sensitivity[edge.head], self.post(edge.tail, j))

    def sensitivity(self, v: str, j: int) -> Any:
        """The derivative of nu(x_j) by the pre-activation of a vertex."""
        defined(len(self.network.outputs) == 1 and bool(self.network.into[v]))
        return self._once(self._backward, self.example(j))[v]

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
        """The value and the slope of an activation on an example."""
        run = self._run
        if v in self.network.slopes:
            left, right = self.network.slopes[v]
            sign = run.sign(z) if left != right else 1
            at_zero = self.network.at_zero.get((v, j), right)
            slope = at_zero if sign == 0 else left if sign < 0 else right
            return run.mul(slope, z), slope
        return run.smooth(self.network.kinds[v], z)
