from math import exp, log

import numpy as np
import pytest
import torch

from graphs.activations import LINEAR, RELU
from numerics.layered.field import layered_flow
from numerics.layered.initial import gaussian
from numerics.layered.layers import Convolution, Dense, Residual
from numerics.layered.measures import measure
from numerics.layered.network import LayeredNetwork
from numerics.layered.neurons import neuron_level
from numerics.layered.problem import Problem
from numerics.losses import LOGISTIC, SQUARED


def test_measures_are_what_the_definitions_say():
    net = LayeredNetwork((1, 4, 4), [Convolution(2, 2), Residual("free", 3, 4), Dense(2, RELU)])
    generator = np.random.default_rng(2)
    weights = gaussian(net, 2, generator)
    inputs = torch.from_numpy(generator.standard_normal((3, 16)))
    labels = torch.from_numpy(generator.choice([-1.0, 1.0], (3, 2)))
    problem = Problem(net, inputs, labels, SQUARED)
    found = measure(problem, weights)
    matrices = [v[1].numpy() for v in (net.views(weights)["2.U"], net.views(weights)["2.Z"])]
    block, last = np.hstack(matrices), net.views(weights)["3.W"][1].numpy()
    values = np.linalg.svd(block, compute_uv=False)
    shares = values / values.sum()
    assert found["ratio.2"][1] == pytest.approx(values[0] / np.linalg.norm(block))
    assert found["stable_rank.2"][1] == pytest.approx((values**2).sum() / values[0] ** 2)
    assert found["effective_rank.2"][1] == pytest.approx(exp(-(shares * np.log(shares)).sum()))
    u, v = np.linalg.svd(block)[0][:, 0], np.linalg.svd(last)[2][0]
    assert found["alignment.2"][1] == pytest.approx(abs(u @ v))
    assert "alignment.1" not in found  # the channels of a convolution are no neurons
    assert found["norm"][1] == pytest.approx(float(weights[1].norm()))
    outputs = net.forward(weights, inputs).outputs[1]
    risk = float(((labels - outputs) ** 2).sum() / 3)
    assert found["log_risk"][1] == pytest.approx(log(risk))


def test_layers_and_neurons_flow_alike():
    from numerics.flow import flow
    from numerics.program import compile_networks

    layers = [Convolution(2, 2), Residual("diagonal", 2), Dense(2), Dense(1, LINEAR)]
    net = LayeredNetwork((1, 3), layers)
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
