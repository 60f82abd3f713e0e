"""All small networks, which every exact method looks at; and networks with biases."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from graphs.activations import RELU, Activation
from graphs.composition import with_bias
from graphs.network import Network, network


def small_networks(inputs: int, hidden: int, activation: Activation = RELU) -> Iterator[Network]:
    """Every network with exactly these numbers of input and hidden vertices and one output.

    Up to the order of the hidden vertices: each DAG is given by the sets of parents along a
    topological order. Every hidden vertex and the output have an in-edge, every input and hidden
    vertex an out-edge.
    """
    tails = [f"x{k + 1}" for k in range(inputs)] + [f"h{k + 1}" for k in range(hidden)]
    heads = [*tails[inputs:], "o"]
    choices = [range(1, 1 << (inputs + place)) for place in range(hidden + 1)]
    for parents in product(*choices):
        edges = [
            (tails[bit], head)
            for head, mask in zip(heads, parents, strict=True)
            for bit in range(inputs + hidden)
            if mask >> bit & 1
        ]
        if len({tail for tail, _ in edges}) == len(tails):
            yield network(
                edges,
                inputs=tails[:inputs],
                outputs=["o"],
                activations=dict.fromkeys(tails[inputs:], activation),
                title=f"DAG with {inputs} inputs, {hidden} hidden vertices",
            )


def all_small_networks(largest_hidden: int) -> Iterator[Network]:
    """All networks with one or two inputs and at most so many hidden vertices."""
    for hidden in range(largest_hidden + 1):
        for inputs in (1, 2):
            yield from small_networks(inputs, hidden)


def biased(net: Network, reading: str) -> Network:
    """The network with a bias at every computed vertex: one extra input (A), or one each (B)."""
    return with_bias(net, shared=reading == "A")
