"""Gradient descent: against plain loops, against rationals, and against the recursions of laws."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.activations import LINEAR, RELU, leaky_relu
from graphs.families import fully_connected
from graphs.network import network
from numerics.descent import Ending, StepSizes, descend
from numerics.losses import EXPONENTIAL, LOGISTIC, SQUARED
from numerics.program import compile_networks
from numerics.quadratic import pair_forms, vertex_forms

NETS = [
    fully_connected([2, 3, 2, 1], RELU),
    fully_connected([1, 2, 1], LINEAR),
    fully_connected([2, 2, 2, 1], leaky_relu(Fraction(1, 4))),
]
FORMS = [vertex_forms(net) for net in NETS]


def batch(seed, nets=NETS, examples=3):
    """A program, weights and examples."""
    random = np.random.default_rng(seed)
    program = compile_networks(nets, backend="torch")
    weights = program.weights([random.normal(size=net.parameter_count) for net in nets])
    inputs = [random.uniform(-0.7, 0.7, (examples, len(net.free_inputs))) for net in nets]
    labels = [random.choice([-1.0, 1.0], examples) for _ in nets]
    return program, weights, program.examples(inputs, labels)


def form_value(forms, weights):
    """Q of each form, exactly, of one network."""
    exact = [Fraction(float(w)) for w in weights]
    return [sum(Fraction(x) * exact[a] * exact[b] for a, b, x in form) for form in forms]


@given(st.integers(0, 10**6), st.sampled_from([0.01, 0.1, 0.5]))
@settings(max_examples=10, deadline=None)
def test_changes_and_slack_are_those_of_the_iterates_as_rationals(seed, size):
    program, weights, examples = batch(seed)
    result = descend(
        program, weights, examples, LOGISTIC, 6, StepSizes("constant", size), forms=FORMS, keep=True
    )
    balances, paths = result.balances, [program.split(w) for w in result.iterates]
    f = 0
    for c, forms in enumerate(FORMS):
        path = [[Fraction(float(w)) for w in point[c]] for point in paths]
        for form in forms:
            slack = cross = Fraction(0)
            for here, there in pairwise(path):
                s = [v - w for v, w in zip(there, here, strict=True)]
                slack += sum(Fraction(x) * s[a] * s[b] for a, b, x in form)
                cross += sum(Fraction(x) * (here[a] * s[b] + here[b] * s[a]) for a, b, x in form)
            ends = [form_value([form], point)[0] for point in (path[0], path[-1])]
            near = Fraction(1, 2**90) * Fraction(float(balances.size[f]))
            assert ends[1] - ends[0] == slack + cross
            assert balances.change[f] == float(ends[1] - ends[0])
            assert abs(Fraction(float(balances.slack[f])) - slack) <= abs(slack) / 2**52 + near
            assert abs(Fraction(float(balances.cross[f])) - cross) <= abs(cross) / 2**52 + near
            f += 1
    assert f == len(balances.change) == sum(map(len, FORMS))
    assert np.abs(balances.slack).max() > 0  # the descent has moved


@pytest.mark.parametrize("kind", ["constant", "decaying"])
@pytest.mark.parametrize(("momentum", "decay"), [(0.0, 0.0), (0.9, 0.0), (0.5, 0.1), (0.0, 0.3)])
def test_iterates_are_those_of_a_plain_loop(kind, momentum, decay):
    program, weights, examples = batch(3)
    sizes = StepSizes(kind, 0.2, power=1.0)
    result = descend(
        program, weights, examples, SQUARED, 4, sizes, momentum=momentum, decay=decay, keep=True
    )
    w, u = weights, torch.zeros_like(weights)
    for t in range(4):
        eta = 0.2 / (1 + t) if kind == "decaying" else 0.2
        u = momentum * u - eta * (program.risk_gradient(w, examples, SQUARED) + decay * w)
        w = w + u
        torch.testing.assert_close(result.iterates[t + 1], w, rtol=1e-13, atol=1e-14)
    assert result.steps.tolist() == [4, 4, 4]
    assert result.risks.shape == (2, 3)
    assert (result.risks[0] == program.risk(weights, examples, SQUARED).numpy()).all()


@pytest.mark.parametrize(("momentum", "decay"), [(0.0, 0.0), (0.8, 0.0), (0.0, 0.2), (0.7, 0.1)])
def test_broken_laws_follow_their_recursion(momentum, decay):
    program, weights, examples = batch(11)
    result = descend(
        program,
        weights,
        examples,
        EXPONENTIAL,
        40,
        StepSizes("constant", 0.05),
        momentum=momentum,
        decay=decay,
        forms=FORMS,
    )
    balances = result.balances
    scale = 1e-13 * (balances.size + np.abs(balances.start))
    assert (np.abs(balances.end - balances.predicted) <= scale).all()
    drift = np.abs(balances.change)
    assert (drift > 1e6 * scale).all()  # the laws are broken by far more than rounding
    if momentum == decay == 0:
        assert (np.abs(balances.cross) <= scale).all()
        assert (np.abs(balances.change - balances.slack) <= scale).all()


def test_a_form_that_is_no_law_does_not_follow_it():
    program, weights, examples = batch(11)
    wrong = [[[(a, b, 2 * x if x < 0 else x) for a, b, x in form] for form in f] for f in FORMS]
    sizes = StepSizes("constant", 0.05)
    balances = descend(program, weights, examples, LOGISTIC, 40, sizes, forms=wrong).balances
    assert (np.abs(balances.end - balances.predicted) > 1e-6).all()


def test_pairs_in_linear_networks_are_laws_and_with_unequal_patterns_are_not():
    nets = [fully_connected([2, 3, 1], LINEAR), fully_connected([2, 3, 1], RELU)]
    forms = [pair_forms(net) for net in nets]
    assert [len(f) for f in forms] == [3, 3]
    program, weights, examples = batch(5, nets, examples=6)
    sizes = StepSizes("constant", 0.05)
    balances = descend(program, weights, examples, LOGISTIC, 30, sizes, forms=forms).balances
    wrong = np.abs(balances.end - balances.predicted)
    assert (wrong[:3] <= 1e-13).all()
    assert wrong[3:].max() > 1e-4


def test_networks_that_diverge_or_rest_leave_the_others_alone():
    net = fully_connected([1, 1, 1], LINEAR)
    dead = network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"], activations={"h": RELU})
    program = compile_networks([net, dead, net], backend="torch")
    weights = program.weights([[1e60, 1e60], [-1.0, 1.0], [0.5, 0.5]])
    examples = program.examples([[[1.0]]] * 3)
    result = descend(program, weights, examples, SQUARED, 5, StepSizes("constant", 0.1))
    assert [Ending(e) for e in result.endings] == [Ending.NOT_FINITE, Ending.AT_REST, Ending.DONE]
    assert [bool(Ending(e).text) for e in result.endings] == [True] * 3
    assert torch.isfinite(result.weights).all()
    assert result.steps[2] == 5
    assert result.steps[1] == 0
    alone = compile_networks(net, backend="torch")
    by_itself = descend(
        alone, [0.5, 0.5], alone.examples([[[1.0]]]), SQUARED, 5, StepSizes("constant", 0.1)
    )
    assert torch.equal(program.split(result.weights)[2], by_itself.weights)


def test_points_at_kinks_are_counted():
    net = network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"], activations={"h": RELU})
    program = compile_networks([net, net], backend="torch")
    examples = program.examples([[[1.0]]] * 2)
    start = program.weights([[0.0, 1.0], [1.0, 1.0]])
    assert descend(program, start, examples, LOGISTIC, 3).kinks.tolist() == [1, 0]
    assert descend(program, start, examples, LOGISTIC, 3, watch=False).kinks.tolist() == [0, 0]


def test_adaptive_steps_find_the_curvature_of_a_parabola():
    # R = (1 - w x)^2 has curvature 2 x^2: the second step is Newton's where that is above 1
    net = network([("x", "o")], inputs=["x"], outputs=["o"])
    program = compile_networks([net, net], backend="torch")
    examples = program.examples([[[1.0]], [[0.5]]])
    result = descend(
        program, [4.0, 4.0], examples, SQUARED, 2, StepSizes("adaptive", 0.01), keep=True
    )
    assert abs(float(result.weights[0]) - 1.0) < 1e-12
    before, after = (float(w[1]) for w in result.iterates[1:])
    assert after == pytest.approx(before - (before / 2 - 1))  # 1/beta = 2, the step size is 1


def test_devices_agree():
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device on this machine")
    program, weights, examples = batch(2)
    cuda = compile_networks(NETS, device="cuda")
    moved = cuda.examples(
        [block.T.tolist() for block in examples.inputs],
        [block[0].tolist() for block in examples.labels],
    )
    sizes = StepSizes("constant", 0.05)
    here = descend(program, weights, examples, LOGISTIC, 20, sizes, forms=FORMS)
    there = descend(cuda, weights.cuda(), moved, LOGISTIC, 20, sizes, forms=FORMS)
    torch.testing.assert_close(here.weights, there.weights.cpu(), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(here.balances.change, there.balances.change, rtol=1e-9, atol=1e-14)


def test_wrong_arguments_are_named():
    program, weights, examples = batch(1)
    for message, options in (
        ("steps = 0", {"steps": 0}),
        ("momentum 1.0", {"steps": 1, "momentum": 1.0}),
        ("decay -0.1", {"steps": 1, "decay": -0.1}),
    ):
        with pytest.raises(ValueError, match=message):
            descend(program, weights, examples, LOGISTIC, **options)
    with pytest.raises(ValueError, match="step sizes 'newton'"):
        StepSizes("newton")
    with pytest.raises(ValueError, match="step size 0"):
        StepSizes("constant", 0.0)
