"""Flows with known answers, and a slow, simple integrator to compare with."""

from collections.abc import Callable
from itertools import pairwise
from random import Random

import numpy as np

from graphs.activations import LINEAR, Activation
from graphs.network import Network, network
from graphs.random_graphs import random_dag
from numerics.flow import Flow, Options, flow
from numerics.losses import LOGISTIC, SQUARED, Loss
from numerics.program import Program, compile_networks

TIGHT = Options(method="dop853", rtol=1e-11, atol=1e-13)


def chain(length: int = 2) -> Network:
    """A linear chain of scalar weights."""
    names = [f"h{i}" for i in range(length + 1)]
    lines = dict.fromkeys(names[1:], LINEAR)
    return network(pairwise(names), inputs=["h0"], outputs=[names[-1]], activations=lines)


def affine() -> Network:
    """relu(w x + b): one vertex, whose output is the network's."""
    return network(
        [("x", "h"), ("c", "h"), ("h", "o")],
        inputs=["x", "c"],
        outputs=["o"],
        constants={"c": 1},
        fixed={("h", "o"): 1},
    )


def planar() -> Network:
    """relu(w . x) for x in the plane."""
    return network(
        [("a", "h"), ("b", "h"), ("h", "o")],
        inputs=["a", "b"],
        outputs=["o"],
        fixed={("h", "o"): 1},
    )


def flow_of(
    net: Network,
    weights: list,
    inputs: list,
    labels: list,
    until: float,
    loss: Loss = SQUARED,
    options: Options = TIGHT,
    **more,
) -> Flow:
    """The flow of one network on the compiled backend."""
    program = compile_networks(net, backend="numba")
    examples = program.examples([inputs], [labels])
    return flow(program, weights, examples, loss, until, options=options, **more)[0]


class Drawn:
    """Random DAG networks with weights and data."""

    def __init__(
        self,
        count: int,
        seed: int = 0,
        examples: int = 5,
        activations: Activation | list[Activation] | None = None,
        size: int = 12,
    ) -> None:
        random, generator = Random(seed), np.random.default_rng(seed)
        more = {} if activations is None else {"activations": activations}
        self.nets = [random_dag(random, 3, size, 0.4, **more) for _ in range(count)]
        self.weights = [0.7 * generator.standard_normal(n.parameter_count) for n in self.nets]
        self.inputs = [generator.standard_normal((examples, 3)) for _ in self.nets]
        self.labels = [generator.choice([-1.0, 1.0], examples) for _ in self.nets]

    def some(self, chosen: list[int]) -> "Drawn":
        """The chosen ones, in that order."""
        other = Drawn(0)
        for name, values in vars(self).items():
            setattr(other, name, [values[c] for c in chosen])
        return other

    def program(self, **options) -> Program:
        return compile_networks(self.nets, **options)

    def flows(self, until, loss: Loss = LOGISTIC, options: Options = TIGHT, threads=None, **more):
        program = self.program(backend="numba", threads=threads)
        examples = program.examples(self.inputs, self.labels)
        weights = program.weights(self.weights)
        return flow(program, weights, examples, loss, until, options=options, **more)

    def velocity(self, loss: Loss = LOGISTIC) -> Callable[[np.ndarray], np.ndarray]:
        """Minus the gradient of all networks, from the signs of the pre-activations."""
        program = self.program(backend="numba", threads=1)
        examples = program.examples(self.inputs, self.labels)
        return lambda w: -program.risk_gradient(w, examples, loss).numpy()


def vertex_balances(net: Network) -> list[list[tuple[int, int, float]]]:
    """For each inner vertex the squares of its in-weights minus those of its out-weights."""
    forms = []
    for v in net.inner:
        entries = []
        for e in range(net.edge_count):
            p, sign = net.parameter_of[e], (net.heads[e] == v) - (net.tails[e] == v)
            if sign:
                entries.append((p, p, float(sign)))
        forms.append(entries)
    return forms
