from math import exp, log

import numpy as np
import pytest
import torch

from graphs.activations import LINEAR, RELU
from numerics.data import digits
from numerics.flow import Options
from numerics.layered.field import layered_flow
from numerics.layered.initial import balanced, gaussian
from numerics.layered.layers import Convolution, Dense, Residual
from numerics.layered.network import LayeredNetwork
from numerics.layered.neurons import neuron_level
from numerics.layered.problem import Problem
from numerics.layered.training import DEFINITIONS, descend, log_spaced, measure, train
from numerics.losses import EXPONENTIAL, LOGISTIC, SQUARED

needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
ROUGH = Options(rtol=1e-6, atol=1e-8, evaluations=4000)


def digits_problem(net, count=12, side=4):
    data = digits((0, 1), count, side)
    inputs, labels = torch.from_numpy(data.input_array), torch.from_numpy(data.label_array)
    return Problem(net, inputs, labels[:, None], LOGISTIC)


def linear(*widths):
    return LayeredNetwork(widths[:1], [Dense(width, LINEAR) for width in widths[1:]])


def scalar(loss, label=1.0, length=2):
    one = torch.ones(1, 1, dtype=torch.float64)
    return Problem(linear(*[1] * (length + 1)), one, label * one, loss)


def test_the_flow_of_two_balanced_layers_is_the_known_one():
    """w1 = w2, R = (1 - u)^2 with u = w1 w2: u' = 4 u (1 - u)."""
    weights = torch.tensor([[0.3, 0.3], [0.1, 0.1]], dtype=torch.float64)
    at = [0.0, 0.5, 1.5]
    found = train(scalar(SQUARED), weights, at)
    for row, start in zip(found.arrays["log_risk"], (0.3, 0.1), strict=True):
        u = 1 / (1 + (1 / start**2 - 1) * np.exp(-4 * np.array(at)))
        assert row == pytest.approx(2 * np.log(1 - u), abs=1e-6)
    assert found.arrays["log_time"][:, 1:] == pytest.approx(np.log([[0.5, 1.5]] * 2))
    assert found.statuses == ("the end was reached",) * 2


def test_the_clock_of_the_loss_goes_where_time_cannot():
    """One weight, exponential loss: w = w0 + tau, t = e^w - e^w0."""
    weights = torch.tensor([[0.5]], dtype=torch.float64)
    problem = scalar(EXPONENTIAL, length=1)
    found = train(problem, weights, [1.0, 40.0], options=Options(clock="loss"))
    assert found.arrays["log_risk"][0] == pytest.approx([-1.5, -40.5], abs=1e-7)
    assert found.arrays["log_time"][0, 0] == pytest.approx(log(exp(1.5) - exp(0.5)), abs=1e-6)
    assert found.arrays["log_time"][0, 1] == pytest.approx(40.5, abs=1e-5)


def test_balanced_linear_networks_stay_aligned_and_of_rank_one():
    net = linear(16, 5, 4, 1)
    weights = balanced(net, 2, np.random.default_rng(0), 0.7)
    found = train(digits_problem(net), weights, [0.0, 2.0], options=ROUGH)
    for layer in (1, 2):
        assert found.arrays[f"alignment.{layer}"] == pytest.approx(np.ones((2, 2)), abs=1e-4)
    for layer in (1, 2, 3):
        assert np.all(found.arrays[f"to_rank_one.{layer}"] < 1e-2)
        assert np.all(found.arrays[f"ratio.{layer}"] > 1 - 1e-4)
    assert np.all(np.diff(found.arrays["log_risk"]) < 0)


def test_unbalanced_ones_align_as_they_grow():
    net = linear(2, 3, 2, 1)
    weights = gaussian(net, 2, np.random.default_rng(1))
    inputs = torch.tensor([[0.8, 0.1], [0.2, 0.7], [-0.3, -0.5]], dtype=torch.float64)
    labels = torch.tensor([[1.0], [1.0], [-1.0]], dtype=torch.float64)
    options = Options(rtol=1e-5, atol=1e-7, clock="loss", evaluations=5000)
    problem = Problem(net, inputs, labels, LOGISTIC)
    found = train(problem, weights, [1.0, 100.0], by_log_risk=True, options=options)
    assert found.statuses == ("the risk fell to the level at which to stop",) * 2
    assert np.all(found.arrays["log_risk"] <= [-1, -100])
    assert np.all(np.diff(found.arrays["norm"]) > 3)
    assert np.all(np.diff(found.arrays["log_time"]) > 50)
    for layer in (1, 2):
        start, end = found.arrays[f"alignment.{layer}"].T
        assert np.all(1 - end < 0.2 * (1 - start))
        start, end = found.arrays[f"to_rank_one.{layer}"].T
        assert np.all(end < 0.5 * start)


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
    assert {name.partition(".")[0] for name in found} <= set(DEFINITIONS)


def test_descent_is_heavy_ball():
    """On R = (1 - w)^2 from 0, by hand: m = 0.5 m + 0.2 (1 - w), w = w + m."""
    start = torch.zeros((1, 1), dtype=torch.float64)
    found = descend(scalar(SQUARED, length=1), start, [0, 1, 2], step=0.1, momentum=0.5)
    risks = np.exp(found.arrays["log_risk"][0])
    assert risks == pytest.approx([1.0, 0.64, 0.2916])
    assert found.weights.tolist() == [[pytest.approx(0.46)]]


def test_small_steps_of_descent_follow_the_flow():
    net = LayeredNetwork((16,), [Dense(6, RELU), Dense(1, LINEAR)])
    weights = gaussian(net, 1, np.random.default_rng(3))
    problem = digits_problem(net)
    flow = train(problem, weights, [1.0], options=ROUGH)
    errors = []
    for steps in (50, 100):
        found = descend(problem, weights, [steps], step=1 / steps)
        errors.append(float((found.weights - flow.weights).norm()))
    assert errors[1] < 0.6 * errors[0] < 0.02


def test_what_overflows_or_is_not_reached_is_not_a_number():
    start = torch.tensor([[1.0], [0.5]], dtype=torch.float64)
    problem = scalar(SQUARED, length=1)
    blown = descend(problem, start, [1, 3000], step=3.0)
    assert np.isnan(blown.arrays["norm"]).tolist() == [[False, False], [False, True]]
    assert blown.statuses[1].startswith("the weights overflowed")
    spent = train(problem, start, [0.1, 50.0], options=Options(evaluations=60))
    assert np.isnan(spent.arrays["norm"][1]).tolist() == [False, True]
    assert spent.statuses[1].startswith("the limit of evaluations")


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


@needs_cuda
def test_cuda_trains_alike():
    net = LayeredNetwork((16,), [Dense(6, RELU), Dense(4, LINEAR), Dense(1, LINEAR)])
    weights, problem = gaussian(net, 2, np.random.default_rng(5)), digits_problem(net)
    cpu = train(problem, weights, [1.0], options=ROUGH)
    cuda = train(problem.to("cuda"), weights.cuda(), [1.0], options=ROUGH)
    for name in ("log_risk", "alignment.2", "ratio.1"):
        assert cuda.arrays[name] == pytest.approx(cpu.arrays[name], abs=1e-4)


def test_points_must_ascend():
    problem, start = scalar(SQUARED, length=1), torch.zeros((1, 1), dtype=torch.float64)
    with pytest.raises(ValueError, match="ascending"):
        train(problem, start, [1.0, 1.0])
    with pytest.raises(ValueError, match="whole numbers"):
        descend(problem, start, [0.5], step=0.1)
    with pytest.raises(ValueError, match="momentum = 1"):
        descend(problem, start, [1], step=0.1, momentum=1.0)
    with pytest.raises(ValueError, match="first < last"):
        log_spaced(1.0, 1.0, 3)
    assert log_spaced(1.0, 100.0, 3).tolist() == pytest.approx([1, 10, 100])
