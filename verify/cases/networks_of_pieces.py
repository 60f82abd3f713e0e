"""Networks that are built of pieces, as a plan says.

A plan is a sequence of dense layers, convolutions, residual blocks and arbitrary graphs, from the
inputs to the output. Its network carries no trace of the plan but the names in the case's choice
`pieces`, which claims hold against the graph (verify.cases.layer_pieces).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

from graphs.activations import LINEAR, Activation
from graphs.convolutions import output_shape
from graphs.errors import NetworkError
from graphs.families import full
from graphs.network import Edge, Network, network
from graphs.residual import residual_block
from verify.cases.layer_pieces import Shape, unrolled

if TYPE_CHECKING:
    from verify.cases.case import Case, Point
    from verify.cases.structured import Structured


@dataclass(frozen=True)
class Spec:
    """One piece of a plan.

    kind: dense, convolution, block or graph (an arbitrary DAG drawn from a seed). width: heads of a
    dense layer, a block or a graph; channels out of a convolution. inner: neurons inside of a block
    or a graph. size: of a convolution's input; empty behind another convolution, whose output it
    reads. activation: of the heads; within: of the inner neurons.
    """

    kind: str
    width: int = 1
    inner: int = 1
    variant: str = "free"
    size: Shape = ()
    kernel: Shape = (1,)
    stride: Shape = (1,)
    padding: Shape = (0,)
    dilation: Shape = (1,)
    mode: str = "zero"
    activation: Activation = LINEAR
    within: Activation = LINEAR
    seed: int = 0


@dataclass(frozen=True)
class Plan:
    """Pieces in sequence. at: the numbers of those that the claim is about. head: whether a vertex
    o reads the last heads even where there is a single one. skips: the number of inputs that o
    reads too."""

    inputs: int
    pieces: tuple[Spec, ...]
    at: tuple[int, ...]
    head: bool = False
    skips: int = 0


class _Builder:
    """A network under construction, piece after piece."""

    def __init__(self, inputs: int) -> None:
        self.inputs = [f"x{k + 1}" for k in range(inputs)]
        self.heads = list(self.inputs)
        self.edges: list[Edge] = []
        self.activations: dict[str, Activation] = {}
        self.parameters: dict[Edge, str] = {}
        self.fixed: dict[Edge, Fraction] = {}
        self.records: list[dict[str, Any]] = []
        self.shape: Shape = ()  # of the positions, behind a convolution

    def add(self, spec: Spec) -> None:
        """One more piece, reading the heads so far."""
        number = len(self.records) + 1
        make = getattr(self, f"_{spec.kind}")
        heads = make(spec, number)
        self.heads = heads
        if spec.kind != "convolution":
            self.shape = ()

    def _dense(self, spec: Spec, number: int) -> list[str]:
        heads = [f"h{number}.{k + 1}" for k in range(spec.width)]
        self.edges += full(self.heads, heads)
        self.activations |= dict.fromkeys(heads, spec.activation)
        self.records.append({"kind": "dense", "tails": self.heads, "heads": heads})
        return heads

    def _graph(self, spec: Spec, number: int) -> list[str]:
        random = Random(spec.seed)
        inner = [f"g{number}.{k + 1}" for k in range(spec.inner)]
        heads = [f"h{number}.{k + 1}" for k in range(spec.width)]
        reached: set[str] = set()
        earlier = list(self.heads)
        for name in [*inner, *heads]:
            parents = [v for v in earlier if random.random() < 0.6] or [random.choice(earlier)]
            self.edges += [(v, name) for v in parents]
            reached.update(parents)
            if name in inner:
                earlier.append(name)
        self.edges += [(v, random.choice(heads)) for v in earlier if v not in reached]
        self.activations |= dict.fromkeys(inner, spec.within)
        self.activations |= dict.fromkeys(heads, spec.activation)
        self.records.append({})
        return heads

    def _block(self, spec: Spec, number: int) -> list[str]:
        tails = self.heads
        c = spec.width if spec.variant == "free" else len(tails)
        model = residual_block(spec.variant, len(tails), spec.inner, c)
        inner = [f"g{number}.{k + 1}" for k in range(spec.inner)]
        heads = [f"h{number}.{k + 1}" for k in range(c)]
        names = self._merge(model, [*tails, *inner, *heads])
        self.activations |= dict.fromkeys(names[len(tails) : -c], spec.within)
        self.activations |= dict.fromkeys(heads, spec.activation)
        self.records.append(
            {
                "kind": "block",
                "variant": spec.variant,
                "tails": tails,
                "inner": inner,
                "heads": heads,
            }
        )
        return heads

    def _convolution(self, spec: Spec, number: int) -> list[str]:
        size = spec.size or self.shape
        positions = 1
        for n in size:
            positions *= n
        if not size or len(self.heads) % positions:
            raise NetworkError(f"{len(self.heads)} neurons are no input of size {size}")
        rank = len(size)
        # behind a convolution of another rank a plan may have shorter lists
        kernel, stride, padding, dilation = (
            (*value, *value[-1:] * rank)[:rank]
            for value in (spec.kernel, spec.stride, spec.padding, spec.dilation)
        )
        into = (len(self.heads) // positions, spec.width)
        model = unrolled(size, into, kernel, stride, padding, dilation, spec.mode)
        heads = [f"h{number}.{k + 1}" for k in range(len(model.outputs))]
        place = dict(zip((*model.inputs, *model.outputs), (*self.heads, *heads), strict=True))
        order = [place[v] for v in range(model.vertex_count)]
        self._merge(model, order, f"{number}/")
        self.activations |= dict.fromkeys(heads, spec.activation)
        self.shape = output_shape(size, kernel, stride, padding, dilation)
        geometry = {"kernel": kernel, "stride": stride, "padding": padding, "dilation": dilation}
        self.records.append(
            {
                "kind": "convolution",
                "tails": self.heads,
                "heads": heads,
                "channels": list(into),
                "size": list(size),
                **{key: list(value) for key, value in geometry.items()},
                "mode": spec.mode,
            }
        )
        return heads

    def _merge(self, model: Network, names: Sequence[str], prefix: str = "") -> Sequence[str]:
        """Add the edges of a model whose vertices get these names."""
        for e in range(model.edge_count):
            edge = (names[model.tails[e]], names[model.heads[e]])
            self.edges.append(edge)
            if not model.learnable(e):
                self.fixed[edge] = Fraction(model.fixed[e] or 0)
            elif prefix:
                self.parameters[edge] = prefix + model.parameter_names[model.parameter_of[e]]
        return names

    def network(self, title: str) -> Network:
        """The network. Raises NetworkError where a vertex leads nowhere."""
        net = network(
            self.edges,
            inputs=self.inputs,
            outputs=self.heads,
            activations=self.activations,
            parameters=self.parameters,
            fixed=self.fixed,
            title=title,
        )
        for v, name in enumerate(net.names):
            if not net.out_edges[v] and v not in net.outputs:
                raise NetworkError(f"{name} leads nowhere: take another stride")
        return net


def build(plan: Plan) -> tuple[Network, dict[str, Any]]:
    """The network of a plan with one output, and the choice that names its pieces.

    Raises NetworkError where the pieces do not fit, or a filter passes over neurons.
    """
    builder = _Builder(plan.inputs)
    for spec in plan.pieces:
        builder.add(spec)
    if plan.head or len(builder.heads) > 1:
        tails = [*builder.heads, *builder.inputs[: plan.skips]]
        builder.edges += [(tail, "o") for tail in tails]
        builder.activations["o"] = LINEAR
        builder.heads = ["o"]
    title = " > ".join(_word(spec) for spec in plan.pieces)
    named = [number for number, record in enumerate(builder.records) if record]
    at = [named.index(k) for k in plan.at]
    records = [record for record in builder.records if record]
    return builder.network(title), {"pieces": records, "at": at}


def _word(spec: Spec) -> str:
    return f"ResNet{spec.variant.capitalize()}" if spec.kind == "block" else spec.kind


@dataclass(frozen=True)
class Contents:
    """What is kept of a case when its plan changes, by the names of the new network.

    weights: by parameter. activations: by vertex. choice: without the pieces. rows: the examples.
    """

    weights: Mapping[str, Fraction]
    activations: Mapping[str, Activation]
    choice: Mapping[str, Any]
    rows: tuple[Point, ...]

    @classmethod
    def of(cls, case: Case) -> Contents:
        """Everything."""
        net = case.network
        activations = {net.names[v]: net.activations[v] for v in (*net.inner, *net.outputs)}
        choice = {key: value for key, value in case.choice.items() if key not in ("pieces", "at")}
        return cls(case.weight_map(), activations, choice, case.inputs)


def fill(plan: Plan, old: Structured, kept: Contents) -> Structured:
    """The case of a plan with what is kept of an old one; a weight without a number gets another
    one of the numbers of the old case. Raises NetworkError."""
    net, choice = build(plan)
    computed = {net.names[v] for v in (*net.inner, *net.outputs)}
    net = net.with_activations({v: a for v, a in kept.activations.items() if v in computed})
    spare = [weight for weight in old.weights if weight] or [Fraction(1)]
    values = tuple(
        kept.weights.get(name, spare[k % len(spare)]) for k, name in enumerate(net.parameter_names)
    )
    rest = dict(kept.choice)
    if "dormant" in rest:
        rest["dormant"] = [name for name in rest["dormant"] if name in computed]
        names = set(net.parameter_names)
        rest["direction"] = {k: v for k, v in rest["direction"].items() if k in names}
        if not rest["dormant"]:
            for key in ("selection", "dormant", "direction"):
                rest.pop(key)
    width = len(net.free_inputs)
    rows = tuple((*row, *row[-1:] * width)[:width] for row in kept.rows)
    chosen = {**rest, **choice}
    return replace(old, network=net, weights=values, inputs=rows, choice=chosen, plan=plan)
