"""Networks that every exact method looks at: all small ones, some large ones, named ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from graphs.activations import LINEAR, RELU, Activation
from graphs.composition import compose, linear_head, single_output, with_bias, without_dead_ends
from graphs.convolutions import convolution
from graphs.families import bottleneck, dense_net, fully_connected, random_tree
from graphs.network import Network, network
from graphs.random_graphs import layered_random_dag, random_dag
from graphs.residual import residual_block


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


def family_networks(random: Random) -> Iterator[Network]:
    """Middle-sized members of every family, and some with very many paths."""
    yield fully_connected([3, 5, 4, 1])
    yield fully_connected([64, 32, 16, 1])
    yield random_tree(random, 9)
    yield dense_net(3, 2, [3, 3])
    yield bottleneck([3, 6, 1, 6, 1])
    for variant in ("identity", "diagonal", "free"):
        yield linear_head(residual_block(variant, 3, 4, 3))
    yield without_dead_ends(single_output(convolution(6, (2, 2), 3, 2, 1)))
    yield linear_head(
        compose(fully_connected([2, 3], LINEAR, RELU), residual_block("free", 3, 3, 2))
    )
    for _ in range(4):
        yield random_dag(random, random.randint(2, 5), random.randint(10, 40), 0.25)
    yield layered_random_dag(random, [10, 20, 20, 20, 1], 0.5)
    yield fully_connected([30, *[30] * 29, 1]).titled(
        "fully connected 30^30 (more than 10^40 paths)"
    )


def biased(net: Network, reading: str) -> Network:
    """The network with a bias at every computed vertex: one extra input (A), or one each (B)."""
    return with_bias(net, shared=reading == "A")
