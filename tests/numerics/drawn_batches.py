"""Batches of different networks with weights and data, for the tests of the numerics."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec

import numpy as np
import torch
from hypothesis import strategies as st

from graphs.evaluation import Evaluation, Union, evaluate
from graphs.network import Network
from graphs.strategies import ALL_KINDS, activations, networks
from numerics.balls import Ball
from numerics.enclosures import Balls
from numerics.losses import Loss
from numerics.program import Program, compile_networks

BALLS = Balls()
BACKENDS = ["torch", "numba"] if find_spec("numba") else ["torch"]
ANY_NETWORK = networks(
    max_inputs=3,
    max_hidden=6,
    max_outputs=2,
    activations=activations(ALL_KINDS),
    sharing=True,
    fixed=True,
    constants=True,
    scaling=True,
)


@dataclass(frozen=True)
class Drawn:
    """A network with float weights and inputs (n, d), and labels (n,)."""

    net: Network
    weights: list[float]
    inputs: np.ndarray
    labels: np.ndarray

    def ball_evaluation(self) -> Evaluation:
        given = [Fraction(weight) for weight in self.weights]
        return evaluate(
            Union.of([self.net]),
            BALLS,
            BALLS.array(self.net.edge_weights(given)),
            BALLS.array(np.ascontiguousarray(self.inputs.T)),
        )

    def ball_gradients(self, evaluation: Evaluation, output: int) -> list[Ball]:
        """For each parameter the derivatives of an output on the examples, (n,)."""
        at = np.array([self.net.outputs[output]])
        heads = evaluation.union.heads
        through = evaluation.slopes[heads] * evaluation.sensitivities(at)[heads]
        edges = evaluation.post[evaluation.union.tails] * through * evaluation.scales[heads]
        return [edges[list(some)].sum(0) for some in self.net.edges_of_parameter]

    def ball_risk_gradient(self, evaluation: Evaluation, loss: Loss) -> list[Ball]:
        labels = BALLS.array(self.labels)
        margins = evaluation.outputs[0] * labels
        kappa = BALLS.loss_derivative(loss, margins) * labels * Fraction(1, len(self.labels))
        return [(kappa * part).sum() for part in self.ball_gradients(evaluation, 0)]


def numbers(limit: float = 2.0) -> st.SearchStrategy[float]:
    """Floats, 0 among them, and small dyadic ones that make exact zeros likely."""
    plain = st.floats(-limit, limit, allow_subnormal=False)
    return st.one_of(st.integers(-2, 2).map(float), st.integers(-8, 8).map(lambda k: k / 4), plain)


@st.composite
def drawn_networks(draw, nets=ANY_NETWORK, max_examples: int = 10) -> Drawn:
    net = draw(nets)
    count = draw(st.integers(1, max_examples))
    weights = draw(st.lists(numbers(), min_size=net.parameter_count, max_size=net.parameter_count))
    size = count * len(net.free_inputs)
    flat = draw(st.lists(numbers(1.0), min_size=size, max_size=size))
    labels = draw(st.lists(st.sampled_from([1.0, -1.0]), min_size=count, max_size=count))
    return Drawn(net, weights, np.array(flat).reshape(count, -1), np.array(labels))


def batches(nets=ANY_NETWORK, max_size: int = 3) -> st.SearchStrategy[list[Drawn]]:
    return st.lists(drawn_networks(nets), min_size=1, max_size=max_size)


def program_of(batch: Sequence[Drawn], backend: str, **options) -> tuple[Program, object, object]:
    """The program of a batch, its weights and its examples."""
    program = compile_networks([drawn.net for drawn in batch], backend=backend, **options)
    weights = program.weights([drawn.weights for drawn in batch])
    examples = program.examples(
        [drawn.inputs for drawn in batch], [drawn.labels for drawn in batch]
    )
    return program, weights, examples


def assert_within(found: torch.Tensor, ball: Ball) -> None:
    """Another float computation of the same formula errs by the radius too, to second order."""
    distance = (found.cpu() - ball.mid).abs()
    assert found.shape == ball.mid.shape
    assert bool(torch.all(distance <= 4 * ball.rad)), (found, ball)


def output_gradients(program, weights, examples, output=0):
    """For each network (P_c, n_c): the derivative of an output on each example in each weight."""
    rows = [len(block) for block in program.forward(weights, examples)]
    columns = []
    for j in range(max(examples.counts)):
        ones = [np.zeros((k, n)) for k, n in zip(rows, examples.counts, strict=True)]
        for one in ones:
            one[output, j : j + 1] = 1.0
        columns.append(program.gradient(weights, examples, program.cotangents(ones)))
    whole = torch.stack(columns, dim=1)
    sizes = [net.parameter_count for net in program.networks]
    return [part[:, :n] for part, n in zip(whole.split(sizes), examples.counts, strict=True)]
