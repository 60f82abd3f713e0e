from math import log

import numpy as np
import pytest
import torch

from graphs.activations import LINEAR, RELU
from numerics.layered.field import layered_flow
from numerics.layered.initial import gaussian, kaiming
from numerics.layered.layers import Convolution, Dense
from numerics.layered.measures import measure, representation
from numerics.layered.network import LayeredNetwork, perceptron
from numerics.layered.neurons import neuron_level
from numerics.layered.problem import Problem
from numerics.losses import LOGISTIC, SQUARED


def test_measures_are_what_the_definitions_say():
    net = LayeredNetwork((1, 4, 4), [Convolution(2, 2), Dense(4), Dense(2, RELU)])
    generator = np.random.default_rng(2)
    weights = gaussian(net, 2, generator)
    inputs = torch.from_numpy(generator.standard_normal((3, 16)))
    labels = torch.from_numpy(generator.choice([-1.0, 1.0], (3, 2)))
    problem = Problem(net, inputs, labels, SQUARED)
    found = measure(problem, weights)
    inner, last = (net.views(weights)[name][1].numpy() for name in ("2.W", "3.W"))
    values = np.linalg.svd(inner, compute_uv=False)
    u, _, vh = np.linalg.svd(inner)
    assert found["ratio"][1, 1] == pytest.approx(values[0] / np.linalg.norm(inner))
    assert found["stable_rank"][1, 1] == pytest.approx((values**2).sum() / values[0] ** 2)
    away = np.linalg.norm(inner / np.linalg.norm(inner) - np.outer(u[:, 0], vh[0]))
    assert found["to_rank_one"][1, 1] == pytest.approx(away)
    v = np.linalg.svd(last)[2][0]
    assert found["alignment"].shape == (2, 1)  # the channels of a convolution are no neurons
    assert found["alignment"][1, 0] == pytest.approx(abs(u[:, 0] @ v))
    assert found["norm"][1] == pytest.approx(float(weights[1].norm()))
    outputs = net.forward(weights, inputs).outputs[1]
    risk = float(((labels - outputs) ** 2).sum() / 3)
    assert found["log_risk"][1] == pytest.approx(log(risk))


def test_no_alignment_is_told_of_singular_values_that_are_not_simple():
    """Of I every unit vector is principal; of diag(1, 1 - 1e-9) only the first one."""
    net = LayeredNetwork((2,), [Dense(2), Dense(2)])
    one = torch.tensor([[2.0, 0.0], [0.0, 1.0]], dtype=torch.float64)
    other = torch.diag(torch.tensor([1.0, 1 - 1e-9], dtype=torch.float64))
    inners = (torch.eye(2, dtype=torch.float64), other)
    weights = torch.stack([torch.cat([inner.flatten(), one.flatten()]) for inner in inners])
    problem = Problem(net, torch.ones(1, 2).double(), torch.ones(1, 2).double(), SQUARED)
    found = measure(problem, weights)["alignment"][:, 0]
    assert np.isnan(found[0])
    assert found[1] == pytest.approx(1)


def test_representation_of_a_convolution_has_the_printed_shape():
    net = LayeredNetwork((3, 5, 5), [Convolution(4, 2)])
    weights = gaussian(net, 2, np.random.default_rng(0))
    found = representation(net, weights, 1)
    kernel = net.views(weights)["1.K"]
    assert found.shape == (2, 3, 4 * 4)
    assert float(found[1, 2, 1 * 4 + 3]) == float(kernel[1, 3, 2, 0, 1])


def test_drawn_weights_have_the_deviations_that_are_said():
    net = LayeredNetwork((4, 6, 6), [Convolution(8, 3), Dense(50, bias=True)])
    views = net.views(gaussian(net, 20, np.random.default_rng(0), gain=2.0))
    for name, fan in (("1.K", 36), ("2.W", 128)):
        assert float(views[name].std()) == pytest.approx(2 / fan**0.5, rel=0.03)
    assert not views["2.b"].any()
    net = perceptron([50, 80, 40])
    views = net.views(kaiming(net, 20, torch.Generator().manual_seed(0), biases=0.3))
    for name, deviation in (("1.W", 0.2), ("1.b", 0.3), ("2.W", 80**-0.5), ("2.b", 0.3)):
        assert float(views[name].std()) == pytest.approx(deviation, rel=0.05)


def test_layers_and_neurons_flow_alike():
    from numerics.flow import flow
    from numerics.program import compile_networks

    net = LayeredNetwork((1, 3), [Convolution(2, 2), Dense(3), Dense(2), Dense(1, LINEAR)])
    generator = np.random.default_rng(4)
    weights = gaussian(net, 2, generator)
    inputs, labels = generator.standard_normal((3, 3)), generator.choice([-1.0, 1.0], 3)
    problem = Problem(net, torch.from_numpy(inputs), torch.from_numpy(labels)[:, None], LOGISTIC)
    found = layered_flow(problem, weights, 0.5)
    level = neuron_level(net)
    program = compile_networks([level.network] * 2, backend="torch")
    examples = program.examples([inputs] * 2, [labels] * 2)
    theirs = flow(program, level.to_neurons(weights).flatten(), examples, LOGISTIC, 0.5)
    for one, other in zip(found, theirs, strict=True):
        mine = level.to_neurons(torch.from_numpy(one.weights)[None])[0].numpy()
        assert np.abs(mine - other.weights).max() < 1e-7
        assert (one.status, one.counts.events) == (other.status, other.counts.events)
