"""Exact values of networks, for the tests of the graphs."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from graphs.arithmetic import as_fraction
from graphs.evaluation import Union, evaluate
from graphs.network import Network
from graphs.rationals import RATIONALS

Numbers = Sequence[Fraction]


def outputs_at(net: Network, weights: Numbers, x: Numbers) -> list[Fraction]:
    """The values of all outputs, for P weights and one number for each free input."""
    given = RATIONALS.array(net.edge_weights(weights))
    inputs = RATIONALS.array([[number] for number in x])
    post = evaluate(Union.of([net]), RATIONALS, given, inputs).post
    return [as_fraction(post[v, 0]) for v in net.outputs]


def by_name(net: Network, weights: Numbers) -> dict[str, Fraction]:
    """The weights by the names of their parameters."""
    return dict(zip(net.parameter_names, weights, strict=True))


def in_order(net: Network, weights: Mapping[str, Fraction]) -> list[Fraction]:
    """The P weights of a network from weights by name."""
    return [weights[name] for name in net.parameter_names]


def matrix(weights: Mapping[str, Fraction], tails: Sequence[str], heads: Sequence[str]):
    """The matrix of the weights `w[tail->head]` between two layers, as nested lists."""
    return [[weights[f"w[{tail}->{head}]"] for tail in tails] for head in heads]


def times(rows: Sequence[Numbers], x: Numbers) -> list[Fraction]:
    """A matrix times a vector."""
    return [sum((a * b for a, b in zip(row, x, strict=True)), Fraction(0)) for row in rows]


def applied(kind: str, x: Numbers) -> list[Fraction]:
    """An activation of each number, written without the package."""
    functions = {
        "linear": lambda z: z,
        "relu": lambda z: max(z, Fraction(0)),
        "abs": abs,
        "half": lambda z: max(z, z / 2),  # leaky_relu(1/2)
    }
    return [functions[kind](z) for z in x]


def on_paths(net: Network) -> bool:
    """Whether every vertex can be reached from an input and reaches an output."""
    pairs = list(zip(net.tails, net.heads, strict=True))
    reached, reaching = set(net.inputs), set(net.outputs)
    for tail, head in pairs:
        if tail in reached:
            reached.add(head)
    for tail, head in reversed(pairs):
        if head in reaching:
            reaching.add(tail)
    return reached == reaching == set(range(net.vertex_count))
