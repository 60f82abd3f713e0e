"""Networks from networks: composition in sequence, heads, biases, in-degree scaling.

Everything here takes validated networks and gives validated networks. Between the two the parts
are held by name (`Parts`), so that vertices and edges can be added without renumbering by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from graphs.activations import LINEAR, Activation
from graphs.errors import NetworkError
from graphs.network import FIXED, Edge, Network, network


@dataclass
class Parts:
    """The parts of a network by name: the arguments of `network(...)`, open to change.

    activations holds the vertices that are not inputs; scale_squares those whose scale is not 1.
    """

    edges: list[Edge]
    inputs: list[str]
    outputs: list[str]
    activations: dict[str, Activation]
    parameters: dict[Edge, str]
    fixed: dict[Edge, Fraction]
    constants: dict[str, Fraction]
    scale_squares: dict[str, Fraction]
    title: str = ""

    @classmethod
    def of(cls, net: Network, prefix: str = "", merged: Mapping[str, str] | None = None) -> Parts:
        """The parts of a network, every name prefixed.

        merged: vertices (by their own name) that take another name altogether, without prefix.
        """
        other = merged or {}
        names = [other.get(name, prefix + name) for name in net.names]
        edges = [(names[a], names[b]) for a, b in zip(net.tails, net.heads, strict=True)]
        owned = zip(edges, net.parameter_of, strict=True)
        held = zip(edges, net.fixed, strict=True)
        inputs = set(net.inputs)
        inner = [v for v in range(net.vertex_count) if v not in inputs]
        pairs = zip(net.inputs, net.constants, strict=True)
        return cls(
            edges=edges,
            inputs=[names[v] for v in net.inputs],
            outputs=[names[v] for v in net.outputs],
            activations={names[v]: net.activations[v] for v in inner},
            parameters={e: prefix + net.parameter_names[p] for e, p in owned if p != FIXED},
            fixed={edge: value for edge, value in held if value is not None},
            constants={names[v]: value for v, value in pairs if value is not None},
            scale_squares={names[v]: net.scale_squares[v] for v in inner},
            title=net.title,
        )

    def network(self) -> Network:
        """The network of these parts. Raises NetworkError as `network(...)` does."""
        return network(
            self.edges,
            inputs=self.inputs,
            outputs=self.outputs,
            activations=self.activations,
            parameters=self.parameters,
            fixed=self.fixed,
            constants=self.constants,
            scale_squares=self.scale_squares,
            title=self.title,
        )


def compose(first: Network, *others: Network) -> Network:
    """Networks in sequence: the outputs of each are the (free) inputs of the next, in order.

    A merged vertex keeps the name, activation and scale that it has as an output. Constant inputs
    (biases) of later networks become inputs of the whole. Names of vertices and parameters are
    prefixed by the place in the sequence, `1/h1.1`, `2/w[x1->o]`. Without others: the first itself.

    Raises NetworkError when the numbers of outputs and inputs differ.
    """
    if not others:
        return first
    whole = Parts.of(first, "1/")
    last = first
    for place, net in enumerate(others, start=2):
        if len(net.free_inputs) != len(last.outputs):
            raise NetworkError(
                f"network {place - 1} of the sequence, {last}, has {len(last.outputs)} outputs but "
                f"network {place}, {net}, has {len(net.free_inputs)} inputs: make them equal"
            )
        joints = zip((net.names[v] for v in net.free_inputs), whole.outputs, strict=True)
        part = Parts.of(net, f"{place}/", dict(joints))
        whole.edges += part.edges
        whole.inputs += part.constants
        whole.outputs = part.outputs
        whole.activations |= part.activations
        whole.parameters |= part.parameters
        whole.fixed |= part.fixed
        whole.constants |= part.constants
        whole.scale_squares |= part.scale_squares
        last = net
    whole.title = " > ".join(net.title or "network" for net in (first, *others))
    return whole.network()


def linear_head(net: Network, outputs: int = 1, activation: Activation = LINEAR) -> Network:
    """The network with one more fully connected layer, which reads all its outputs.

    The new vertices are `o` (or `o1`, `o2`, ...), primed where that name is taken; `activation` is
    theirs. The old outputs keep their activations.
    """
    if outputs < 1:
        raise NetworkError(f"outputs = {outputs}: a head has at least one output")
    parts = Parts.of(net)
    heads = [_fresh(name, net.index) for name in numbered("o", outputs)]
    parts.edges += [(tail, head) for head in heads for tail in parts.outputs]
    parts.outputs = heads
    parts.activations |= dict.fromkeys(heads, activation)
    return parts.network()


def single_output(net: Network, activation: Activation = LINEAR) -> Network:
    """The network itself if it has one output, else the network with a head of one vertex."""
    return net if len(net.outputs) == 1 else linear_head(net, 1, activation)


def with_bias(net: Network, at: Iterable[str] | None = None, *, shared: bool = True) -> Network:
    """The network with biases: learnable edges from extra inputs that are held at 1.

    at: the names of the vertices that get a bias (default: all but the inputs). shared: one extra
    input `bias` for all of them, or one `bias[v]` for each of them. (The two readings of the bias
    remark of Le & Jegelka 2022, after Lemma 3.)

    Raises NetworkError when a vertex is unknown, is an input or is named twice, or when the name
    of the extra input is taken.
    """
    inputs = {net.names[v] for v in net.inputs}
    biased = [name for name in net.names if name not in inputs] if at is None else list(at)
    for name in biased:
        if name not in net.index:
            raise NetworkError(f"bias at {name!r}, which is not a vertex of {net}")
        if name in inputs:
            raise NetworkError(f"bias at the input {name!r}: name a vertex that computes something")
    if len(set(biased)) < len(biased):
        twice = next(name for name in biased if biased.count(name) > 1)
        raise NetworkError(f"bias at {twice!r} twice: name each vertex once")
    parts = Parts.of(net)
    sources = {name: "bias" if shared else f"bias[{name}]" for name in biased}
    added = list(dict.fromkeys(sources.values()))
    for source in added:
        if source in net.index:
            raise NetworkError(
                f"{net} has a vertex {source!r} already: name all biased vertices in one call"
            )
    parts.edges += [(source, name) for name, source in sources.items()]
    parts.inputs += added
    parts.constants |= dict.fromkeys(added, Fraction(1))
    return parts.network()


def without_dead_ends(net: Network) -> Network:
    """The network without the vertices from which no output can be reached (inputs stay).

    A convolution whose stride passes over the end of its input leaves such vertices in a
    composition.
    """
    alive = set(net.outputs)
    for tail, head in zip(reversed(net.tails), reversed(net.heads), strict=True):
        if head in alive:
            alive.add(tail)
    return subnetwork(net, [e for e, head in enumerate(net.heads) if head in alive])


def subnetwork(net: Network, edges: Iterable[int]) -> Network:
    """The network on some of the edges (by number) and the vertices that these touch.

    Inputs and outputs stay. Raises NetworkError when an output is left without an in-edge, or a
    vertex with out-edges without in-edges.
    """
    parts = Parts.of(net)
    kept = set(edges)
    parts.edges = [edge for e, edge in enumerate(parts.edges) if e in kept]
    there = set(parts.edges)
    vertices = {*(end for edge in parts.edges for end in edge), *parts.inputs, *parts.outputs}
    parts.parameters = {e: name for e, name in parts.parameters.items() if e in there}
    parts.fixed = {e: value for e, value in parts.fixed.items() if e in there}
    parts.activations = {v: a for v, a in parts.activations.items() if v in vertices}
    parts.scale_squares = {v: s for v, s in parts.scale_squares.items() if v in vertices}
    return parts.network()


def numbered(letter: str, count: int) -> list[str]:
    """Names for outputs: the bare letter for one vertex, `o1`, `o2`, ... for several."""
    return [letter] if count == 1 else [f"{letter}{k + 1}" for k in range(count)]


def _fresh(name: str, taken: Mapping[str, int]) -> str:
    while name in taken:
        name += "'"
    return name
