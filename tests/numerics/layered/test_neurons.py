import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from numerics.layered.layers import Convolution, Dense
from numerics.layered.network import LayeredNetwork, perceptron
from numerics.layered.neurons import neuron_level
from numerics.program import compile_networks
from tests.numerics.layered.drawn_layers import drawn_problems, layered_networks


@given(drawn_problems(layered_networks(outputs=1, biases=st.just(False))))
def test_values_and_gradients_are_those_of_the_graph(drawn):
    level = neuron_level(drawn.net)
    program = compile_networks([level.network] * len(drawn.weights), backend="torch")
    batch = len(drawn.weights)
    inputs = drawn.problem.inputs.expand(batch, -1, -1)
    labels = drawn.problem.labels.expand(batch, -1, -1)[:, :, 0]
    weights = level.to_neurons(drawn.weights)
    examples = program.examples(list(inputs.numpy()), list(labels.numpy()))
    outputs = torch.stack(list(program.forward(weights.flatten(), examples)))
    found = drawn.problem.state(drawn.weights).outputs
    size = max(1.0, float(found.abs().max()))
    assert torch.allclose(found, outputs.mT, rtol=0, atol=1e-12 * size)
    wanted = program.risk_gradient(weights.flatten(), examples, drawn.problem.loss)
    gradient = drawn.problem.gradient(drawn.weights)
    size = max(1.0, float(gradient.abs().max()))
    by_neuron = level.to_neurons(gradient)
    assert torch.allclose(by_neuron, wanted.view(batch, -1), rtol=0, atol=1e-12 * size)
    assert torch.allclose(level.to_layers(by_neuron), gradient, rtol=0, atol=1e-12 * size)


def test_each_parameter_has_one_place():
    net = LayeredNetwork((1, 3), [Convolution(2, 2), Dense(3), Dense(2), Dense(1)])
    level = neuron_level(net)
    assert sorted(level.order.tolist()) == list(range(net.parameter_count))
    assert level.network.parameter_names[:2] == ("1/k[1,1,1]", "1/k[1,1,2]")


def test_parameters_in_the_padding_alone_have_no_place():
    net = LayeredNetwork((1, 1), [Convolution(1, 3, padding=1), Dense(1)])
    level = neuron_level(net)
    assert level.order.tolist() == [1, 3]
    flat = torch.tensor([[5.0, 7.0]], dtype=torch.float64)
    assert level.to_layers(flat).tolist() == [[0, 5, 0, 7]]


def test_layers_with_biases_have_no_neurons():
    with pytest.raises(ValueError, match="biases"):
        neuron_level(perceptron([2, 1]))
