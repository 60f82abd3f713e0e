"""The laws of a few dozen networks of many kinds, as plain records: a table for the report."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from graphs.activations import ABS, LINEAR, RELU, Activation, leaky_relu
from graphs.composition import compose, linear_head, with_bias
from graphs.convolutions import convolution
from graphs.families import dense_net, fully_connected, random_tree
from graphs.laws.find import find_laws
from graphs.network import Network
from graphs.random_graphs import drop_edges, layered_random_dag, random_dag
from graphs.residual import VARIANTS, residual_block

LEAKY = leaky_relu("1/10")
KINDS: dict[str, tuple[Activation, ...]] = {
    "linear": (LINEAR,),
    "ReLU": (RELU,),
    "leaky ReLU": (LEAKY,),
    "absolute value": (ABS,),
    "mixed": (RELU, LINEAR, ABS, LEAKY),
}


@dataclass(frozen=True)
class Entry:
    """A network of the table. family, name, activations: in words."""

    family: str
    name: str
    activations: str
    network: Network


def laws_table(seed: int = 0) -> list[dict[str, Any]]:
    """A record for each network of the table; see `record`."""
    return [record(entry, seed) for entry in entries()]


def record(entry: Entry, seed: int = 0) -> dict[str, Any]:
    """What is known of the laws of a network.

    parameters; linear, quadratic: laws of degree 1 and 2, proved; all_quadratic: whether there are
    no others, proved; named: how many have each name; independent: of these as functions; bound: on
    independent conserved functions of any kind near a point; complete: whether the two agree.
    """
    start = time.process_time()
    found = find_laws(entry.network, seed=seed)
    return {
        "family": entry.family,
        "network": entry.name,
        "activations": entry.activations,
        "parameters": entry.network.parameter_count,
        "linear": found.linear,
        "quadratic": found.quadratic,
        "all_quadratic": found.all_quadratic,
        "named": found.named,
        "independent": found.independent,
        "bound": found.bound,
        "complete": found.complete,
        "seconds": round(time.process_time() - start, 3),
    }


def entries() -> Iterator[Entry]:
    """The networks of the table."""
    yield from _dense_layers()
    yield from _residual()
    yield from _convolutions()
    yield from _graphs()


def _dense_layers() -> Iterator[Entry]:
    family = "fully connected"
    for name, kinds in KINDS.items():
        for widths in ([3, 4, 2], [3, 4, 4, 2]):
            drawn = [kinds[k % len(kinds)] for k in range(len(widths) - 2)]
            yield Entry(family, _sizes(widths), name, fully_connected(widths, drawn))
    yield Entry(family, "2-5-2", "linear", fully_connected([2, 5, 2], LINEAR))
    yield Entry(family, "2-2-2-2-1", "linear", fully_connected([2, 2, 2, 2, 1], LINEAR))
    yield Entry(family, "1-4-1", "ReLU", fully_connected([1, 4, 1]))
    for widths in ([1, 4, 1], [3, 4, 4, 2]):
        for name in ("linear", "ReLU"):
            net = fully_connected(widths, KINDS[name][0], bias=True)
            yield Entry(family, f"{_sizes(widths)}, biases", name, net)
    separate = with_bias(fully_connected([3, 4, 2], LINEAR), shared=False)
    yield Entry(family, "3-4-2, a bias input for each vertex", "linear", separate)
    for name in ("linear", "ReLU"):
        net = dense_net(2, 2, [2, 2], hidden=KINDS[name][0])
        yield Entry("DenseNet", "two blocks of two layers", name, net)


def _residual() -> Iterator[Entry]:
    for variant in VARIANTS:
        for name in ("linear", "ReLU"):
            blocks = [
                residual_block(variant, 2, 3, inner=KINDS[name][0], outer=LINEAR) for _ in range(2)
            ]
            net = compose(fully_connected([3, 2]), *blocks, fully_connected([2, 2]))
            family = f"residual, {variant}"
            yield Entry(family, "3-[2-3-2]x2-2", name, net)
            if variant == "identity":
                yield Entry(family, "3-[2-3-2]x2-2, biases", name, with_bias(net))
        net = compose(residual_block(variant, 2, 3), linear_head(residual_block(variant, 2, 3)))
        yield Entry(f"residual, {variant}", "[2-3-2]x2-1, ReLU outside", "ReLU", net)


def _convolutions() -> Iterator[Entry]:
    for name in ("linear", "ReLU"):
        act = KINDS[name][0]
        one = [
            ("1 to 2 channels, 3 of 5", convolution(5, (1, 2), 3, activation=act)),
            ("2 to 2 channels, 3 of 5", convolution(5, (2, 2), 3, activation=act)),
            ("1 to 2 channels, 3 of 6, stride 2", convolution(6, (1, 2), 3, 2, activation=act)),
            ("1 to 2 channels, 3 of 4, padding 1", convolution(4, (1, 2), 3, 1, 1, activation=act)),
            (
                "1 to 2 channels, 3 of 3, circular",
                convolution(3, (1, 2), 3, 1, 1, mode="circular", activation=act),
            ),
            ("1 to 2 channels, 2x2 of 3x3", convolution((3, 3), (1, 2), (2, 2), activation=act)),
        ]
        for text, net in one:
            yield Entry("convolution, dense", text, name, linear_head(net))
        for text, places in (("3, 3", 3), ("3, 2", 2)):
            first = convolution(6, (1, 2), 3, activation=act)
            net = compose(first, convolution(4, (2, 1), places))
            yield Entry("convolutions", f"1 to 2 to 1 channels, filters {text}", name, net)
        first = convolution(6, (1, 2), 3, padding=1, activation=act)
        net = compose(first, convolution(6, (2, 2), 3, padding=1, activation=act))
        head = linear_head(net)
        yield Entry("convolutions, dense", "1 to 2 to 2 channels, padding 1", name, head)


def _graphs() -> Iterator[Entry]:
    for seed, name in enumerate(KINDS):
        net = random_dag(Random(seed), 3, 5, 0.6, KINDS[name], outputs=1 + seed % 2)
        yield Entry("random DAG", f"3 inputs, 5 hidden, no. {seed + 1}", name, net)
        net = layered_random_dag(Random(seed), [3, 4, 4, 2], 0.6, KINDS[name])
        yield Entry("random DAG in layers", f"3-4-4-2, no. {seed + 1}", name, net)
    yield Entry("random tree", "5 leaves", "ReLU", random_tree(Random(1), 5))
    for name in ("linear", "ReLU"):
        net = drop_edges(fully_connected([3, 4, 4, 2], KINDS[name][0]), Random(2), 0.3)
        yield Entry("edges dropped", "3-4-4-2", name, net)


def _sizes(widths: list[int]) -> str:
    return "-".join(map(str, widths))
