"""Random networks: layered and unlayered DAGs, and randomly dropped edges.

In all of them every vertex can be reached from an input and reaches an output. The generator is
handed in, and equal generators give equal networks.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

from graphs.activations import LINEAR, RELU, Activation
from graphs.composition import numbered, subnetwork
from graphs.errors import NetworkError
from graphs.families import full, layer_names, sizes
from graphs.network import Edge, Network, network


def layered_random_dag(
    random: Random,
    widths: Sequence[int],
    density: float,
    activations: Activation | Sequence[Activation] = RELU,
    output: Activation = LINEAR,
) -> Network:
    """A random network in layers, with edges between successive layers only.

    widths: of the inputs, the hidden layers and the outputs, at least two. density: the
    probability of each edge; then a random in-edge is added where a vertex has none, and a random
    out-edge. activations: one for all hidden vertices, or several to draw each from.

    Raises NetworkError when a width is not positive, there are fewer than two, or the density is
    not in [0, 1].
    """
    _check_probability("density", density)
    if len(widths) < 2 or min(widths) < 1:
        raise NetworkError(f"widths {list(widths)}: give at least two, all positive")
    layers = layer_names(widths)
    edges: list[Edge] = []
    for before, after in pairwise(layers):
        drawn = [edge for edge in full(before, after) if random.random() < density]
        entered = {head for _, head in drawn}
        drawn += [(random.choice(before), head) for head in after if head not in entered]
        left = {tail for tail, _ in drawn}
        drawn += [(tail, random.choice(after)) for tail in before if tail not in left]
        edges += drawn
    inner = [name for layer in layers[1:-1] for name in layer]
    title = f"random layered DAG {sizes(widths)}"
    return network(
        edges,
        inputs=layers[0],
        outputs=layers[-1],
        activations=_drawn(random, inner, activations, layers[-1], output),
        title=title,
    )


def random_dag(
    random: Random,
    inputs: int,
    hidden: int,
    density: float,
    activations: Activation | Sequence[Activation] = RELU,
    output: Activation = LINEAR,
    outputs: int = 1,
) -> Network:
    """A random network without layers: edges may skip, also from inputs to outputs.

    The vertices x1, ..., h1, ..., o are in topological order; each gets an edge from each earlier
    one with probability `density` (none between inputs, none between outputs), then a random
    in-edge where it has none, and a random out-edge. activations: one for all hidden vertices, or
    several to draw each from.

    Raises NetworkError when inputs or outputs is not positive, hidden is negative, or the density
    is not in [0, 1].
    """
    _check_probability("density", density)
    if inputs < 1 or hidden < 0 or outputs < 1:
        raise NetworkError(
            f"{inputs} inputs, {hidden} hidden vertices, {outputs} outputs: "
            "give at least one input, no negative number, at least one output"
        )
    sources = [f"x{k + 1}" for k in range(inputs)]
    inner = [f"h{k + 1}" for k in range(hidden)]
    sinks = numbered("o", outputs)
    tails = sources + inner
    later = inner + sinks
    edges: list[Edge] = []
    for place, head in enumerate(later):
        earlier = tails[: inputs + min(place, hidden)]
        chosen = [tail for tail in earlier if random.random() < density]
        edges += [(tail, head) for tail in chosen or [random.choice(earlier)]]
    left = {tail for tail, _ in edges}
    for place, tail in enumerate(tails):
        if tail not in left:
            edges.append((tail, random.choice(later[max(0, place - inputs + 1) :])))
    return network(
        edges,
        inputs=sources,
        outputs=sinks,
        activations=_drawn(random, inner, activations, sinks, output),
        title=f"random DAG with {inputs} inputs, {hidden} hidden vertices",
    )


def drop_edges(net: Network, random: Random, probability: float) -> Network:
    """The network with random edges dropped, each with the given probability where it can go.

    The last in-edge of a vertex stays, and so does the last out-edge of a vertex that is not an
    output. Parameters that lose all their edges go too.

    Raises NetworkError when the probability is not in [0, 1].
    """
    _check_probability("probability", probability)
    candidates = [e for e in range(net.edge_count) if random.random() < probability]
    random.shuffle(candidates)  # else early edges would always be the ones to go
    entering = [len(edges) for edges in net.in_edges]
    leaving = [len(edges) + (v in net.outputs) for v, edges in enumerate(net.out_edges)]
    dropped: set[int] = set()
    for e in candidates:
        tail, head = net.tails[e], net.heads[e]
        if entering[head] > 1 and leaving[tail] > 1:
            entering[head] -= 1
            leaving[tail] -= 1
            dropped.add(e)
    kept = (e for e in range(net.edge_count) if e not in dropped)
    return subnetwork(net, kept).titled(f"{net.title or 'network'}, edges dropped")


def _drawn(
    random: Random,
    inner: Sequence[str],
    activations: Activation | Sequence[Activation],
    sinks: Sequence[str],
    output: Activation,
) -> dict[str, Activation]:
    """An activation for each hidden vertex, drawn where there are several, and the outputs'."""
    choices = [activations] if isinstance(activations, Activation) else list(activations)
    if not choices:
        raise NetworkError("activations is empty: give one activation, or several to draw from")
    drawn = {name: random.choice(choices) for name in inner}
    return {**drawn, **dict.fromkeys(sinks, output)}


def _check_probability(what: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise NetworkError(f"{what} = {value} is not in [0, 1]")
