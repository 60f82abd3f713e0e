"""Sequences of layers with weights and data, for the tests of layered networks."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import torch
from hypothesis import assume
from hypothesis import strategies as st

from graphs.activations import ABS, LINEAR, RELU, leaky_relu
from graphs.errors import NetworkError
from numerics.layered.layers import Convolution, Dense
from numerics.layered.network import LayeredNetwork
from numerics.layered.problem import Problem
from numerics.losses import EXPONENTIAL, LOGISTIC, SQUARED

ACTIVATIONS = st.sampled_from([LINEAR, RELU, leaky_relu(Fraction(1, 4)), ABS])
BIASES = st.booleans()
LOSSES = st.sampled_from([LOGISTIC, EXPONENTIAL, SQUARED])


def dense(width=None, activations=ACTIVATIONS, biases=BIASES):
    widths = st.integers(1, 4) if width is None else st.just(width)
    return st.builds(Dense, widths, activations, biases)


def convolution():
    return st.builds(
        Convolution,
        channels=st.integers(1, 2),
        kernel=st.integers(1, 3),
        stride=st.integers(1, 2),
        padding=st.integers(0, 1),
        dilation=st.integers(1, 2),
        mode=st.sampled_from(["zero", "circular"]),
        activation=ACTIVATIONS,
    )


@st.composite
def layered_networks(draw, outputs=None, biases=BIASES):
    """Convolutions in one or two dimensions, or none; then other layers; then `outputs`."""
    convolutions = draw(st.lists(convolution(), max_size=2))
    others = draw(st.lists(dense(biases=biases), max_size=2))
    last = draw(dense(draw(st.integers(1, 2)) if outputs is None else outputs, biases=biases))
    sizes = st.lists(st.integers(2, 4), min_size=1, max_size=2)
    shape = (draw(st.integers(1, 2)), *draw(sizes)) if convolutions else (draw(st.integers(1, 4)),)
    try:
        return LayeredNetwork(shape, [*convolutions, *others, last])
    except NetworkError:  # a filter that does not fit its input
        assume(False)


@dataclass(frozen=True, repr=False)
class Drawn:
    """A batch: the network, weights (B, P), and the problem."""

    net: LayeredNetwork
    weights: torch.Tensor
    problem: Problem

    def __repr__(self) -> str:  # not all its numbers
        return f"Drawn({self.net}, {tuple(self.weights.shape)}, {self.problem.loss.name})"


@st.composite
def drawn_problems(draw, nets=None, losses=LOSSES, instances=None) -> Drawn:
    """Normal weights and data, for all instances or for each its own, from a drawn seed."""
    net = draw(layered_networks() if nets is None else nets)
    batch = draw(st.integers(1, 3)) if instances is None else instances
    count = draw(st.integers(1, 4))
    own = draw(st.booleans())
    generator = np.random.default_rng(draw(st.integers(0, 2**20)))
    weights = torch.from_numpy(generator.standard_normal((batch, net.parameter_count)))
    lead = (batch, count) if own else (count,)
    inputs = torch.from_numpy(generator.standard_normal((*lead, net.inputs)))
    labels = torch.from_numpy(generator.choice([-1.0, 1.0], size=(*lead, net.outputs)))
    return Drawn(net, weights, Problem(net, inputs, labels, draw(losses)))
