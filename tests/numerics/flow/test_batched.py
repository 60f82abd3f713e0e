"""The batched integrator: closed forms, the compiled one, and each network by itself."""

from fractions import Fraction
from importlib.util import find_spec
from itertools import pairwise
from math import exp, log

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.activations import ABS, LINEAR, RELU, leaky_relu
from graphs.families import fully_connected
from graphs.network import network
from numerics.flow import Options, Status, flow
from numerics.losses import EXPONENTIAL, LOGISTIC, SQUARED
from numerics.program import compile_networks

needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
needs_numba = pytest.mark.skipif(not find_spec("numba"), reason="Numba is not installed")
SEEDS = st.integers(0, 2**20)
ACTIVATIONS = st.sampled_from([LINEAR, RELU, leaky_relu(Fraction(1, 4)), ABS])
NETS = st.builds(
    lambda widths, hidden: fully_connected([*widths, 1], hidden),
    st.lists(st.integers(1, 3), min_size=2, max_size=3),
    ACTIVATIONS,
)


def chain(activation=LINEAR, length=2):
    names = ["x", *(f"h{k}" for k in range(1, length)), "o"]
    edges = list(pairwise(names))
    return network(
        edges, inputs=["x"], outputs=["o"], activations=dict.fromkeys(names[1:], activation)
    )


def run(nets, weights, inputs, labels, loss, until, backend="torch", device="cpu", **given):
    program = compile_networks(nets, backend=backend, device=device)
    known = {name: given.pop(name) for name in ("factors", "forms") if name in given}
    return flow(
        program,
        program.weights(weights),
        program.examples(inputs, labels),
        loss,
        until,
        options=Options(**given),
        **known,
    )


def drawn(nets, seed):
    generator = np.random.default_rng(seed)
    weights = [generator.standard_normal(net.parameter_count) for net in nets]
    counts = generator.integers(1, 4, len(nets))
    pairs = list(zip(nets, counts, strict=True))
    inputs = [generator.standard_normal((n, len(net.free_inputs))) for net, n in pairs]
    labels = [generator.choice([-1.0, 1.0], n) for n in counts]
    return nets, weights, inputs, labels


# closed forms ------------------------------------------------------------------------------------
@pytest.mark.parametrize("method", ["dopri5", "dop853"])
def test_a_balanced_linear_chain_follows_the_logistic_curve(method):
    """w1 = w2 and R = (1 - u)^2 with u = w1 w2: u' = 4 u (1 - u)."""
    ends, starts = [0.5, 3.0, 1.5], [0.3, 0.1, 0.7]
    found = run(
        [chain()] * 3,
        [[a, a] for a in starts],
        [[[1.0]]] * 3,
        [[1.0]] * 3,
        SQUARED,
        ends,
        method=method,
        dense=True,
    )
    for one, end, a in zip(found, ends, starts, strict=True):
        times = np.linspace(0, end, 7)
        wanted = 1 / (1 + (1 / a**2 - 1) * np.exp(-4 * times))
        assert np.abs(one.at(times).prod(axis=1) - wanted).max() < 1e-6
        assert one.weights.prod() == pytest.approx(wanted[-1], abs=1e-7)
        assert (one.status, one.time) == (Status.FINISHED, end)
        assert one.log_time == pytest.approx(log(end))
        assert one.log_risks[1] == pytest.approx(2 * log(1 - wanted[-1]), abs=1e-5)


def test_a_leaky_kink_is_crossed_where_it_should_be():
    """nu = max(w, w/2), label -1, R = (1 + nu)^2: first w + 1 decays at rate 2, then w + 2 at
    rate 1/2."""
    net = network(
        [("x", "o")], inputs=["x"], outputs=["o"], activations={"o": leaky_relu(Fraction(1, 2))}
    )
    (found,) = run([net], [[1.0]], [[[1.0]]], [[-1.0]], SQUARED, 2.0)
    crossing = log(2) / 2
    assert found.weights[0] == pytest.approx(-2 + 2 * exp(-(2 - crossing) / 2), abs=1e-8)
    assert [s.start for s in found.segments] == pytest.approx([0, crossing], abs=1e-8)
    assert [s.sides[1, 0] for s in found.segments] == [1, -1]
    assert found.counts.events == 1
    signs = found.sign_intervals
    assert [list(part.signs) for part in signs] == [[1], [-1]]
    assert signs[1].start == pytest.approx(crossing, abs=1e-8)


def test_the_flow_stays_on_a_kink_that_pushes_back_from_both_sides():
    """nu = |w|, label -1: w falls to 0 and stays there, with the slope 0 in between."""
    net = network([("x", "o")], inputs=["x"], outputs=["o"], activations={"o": ABS})
    found = run([net] * 2, [[1.0], [-0.5]], [[[1.0]]] * 2, [[-1.0]] * 2, SQUARED, 2.0)
    for one, start in zip(found, (1.0, 0.5), strict=True):
        assert one.status is Status.SLIDING
        assert abs(one.weights[0]) < 1e-9
        slide = one.segments[-1].slides[0]
        assert (slide.vertex, slide.example) == (1, 0)
        assert max(abs(slide.least), abs(slide.largest)) < 1e-6
        assert one.segments[-1].start == pytest.approx(log(1 + start) / 2, abs=1e-8)
        assert one.counts.slides == 1


def test_a_kink_that_pushes_away_is_not_unique():
    net = network([("x", "o")], inputs=["x"], outputs=["o"], activations={"o": ABS})
    (found,) = run([net], [[0.0]], [[[1.0]]], [[1.0]], SQUARED, 1.0)
    assert found.status is Status.NOT_UNIQUE


def test_on_the_clock_of_the_loss_time_is_exponential():
    """One weight, exponential loss: w grows like tau, and t = e^w - e^w0."""
    net = network([("x", "o")], inputs=["x"], outputs=["o"])
    (found,) = run([net], [[0.5]], [[[1.0]]], [[1.0]], EXPONENTIAL, 60.0, clock="loss")
    assert found.weights[0] == pytest.approx(60.5, abs=1e-8)
    assert found.log_time == pytest.approx(60.5, abs=1e-5)
    assert found.log_risks[1] == pytest.approx(-60.5, abs=1e-8)
    (short,) = run([net], [[0.5]], [[[1.0]]], [[1.0]], EXPONENTIAL, 1.0, clock="loss")
    assert short.log_time == pytest.approx(log(exp(1.5) - exp(0.5)), abs=1e-7)


def test_weight_decay_and_factors_act():
    """With y = 0 only decay is left: w = w0 e^(-t)."""
    net = network([("x", "o")], inputs=["x"], outputs=["o"])
    (decayed,) = run([net], [[2.0]], [[[0.0]]], [[1.0]], SQUARED, 1.0, weight_decay=1.0)
    assert decayed.weights[0] == pytest.approx(2 * exp(-1), abs=1e-7)
    (faster,) = run([net], [[3.0]], [[[1.0]]], [[1.0]], SQUARED, 0.5, factors=[2.0])
    assert faster.weights[0] == pytest.approx(1 + 2 * exp(-2), abs=1e-7)


def test_a_level_of_the_risk_ends_the_integration():
    net = network([("x", "o")], inputs=["x"], outputs=["o"])
    (found,) = run([net], [[0.0]], [[[1.0]]], [[1.0]], SQUARED, 50.0, log_risk_below=-4.0)
    assert found.status is Status.LOSS_REACHED
    assert found.log_risks[1] <= -4 < found.record.step_log_risks[-2]


def test_without_a_level_a_risk_of_0_is_no_end():
    net = network([("x", "o")], inputs=["x"], outputs=["o"])
    (found,) = run([net], [[1.0]], [[[1.0]]], [[1.0]], SQUARED, 2.0)
    assert (found.status, found.time, found.weights.tolist()) == (Status.FINISHED, 2.0, [1.0])


def test_what_is_spent_is_said():
    (found,) = run([chain()], [[1.0, 2.0]], [[[1.0]]], [[1.0]], SQUARED, 50.0, evaluations=20)
    assert found.status is Status.EVALUATIONS_SPENT
    assert 20 <= found.counts.evaluations < 40
    assert 0 < found.time < 50


# balances ----------------------------------------------------------------------------------------
def test_quadratic_laws_hold_to_rounding_and_broken_ones_do_not():
    """w1^2 - w2^2 of a chain; with unequal factors it is no law."""
    form = [(0, 0, 1), (1, 1, -1)]
    given = ([chain(RELU)], [[0.5, 0.25]], [[[1.0]]], [[1.0]], LOGISTIC, 5.0)
    (held,) = run(*given, forms=[[form]])
    (broken,) = run(*given, forms=[[form]], factors=[1.0, 1.01])
    law, defect = held.balances[0], broken.balances[0]
    assert law.start == pytest.approx(0.1875)
    assert abs(law.drift) < 1e-8
    assert np.all(law.residuals <= law.bounds)
    assert np.all(law.rates <= 1e-14)
    assert np.all(law.bounds < 1e-13)
    assert np.any(defect.residuals > 1e3 * defect.bounds)
    assert abs(defect.drift) > 1e-3
    assert np.all(defect.rate_scales > defect.rates)


# other ways to the same --------------------------------------------------------------------------
@needs_numba
@settings(max_examples=15)
@given(st.lists(NETS, min_size=1, max_size=3), SEEDS, st.sampled_from([LOGISTIC, SQUARED]))
def test_it_agrees_with_the_compiled_integrator(nets, seed, loss):
    batch = drawn(nets, seed)
    limits = {"evaluations": 2000, "rtol": 1e-7, "atol": 1e-9}
    ours = run(*batch, loss, 1.0, **limits)
    theirs = run(*batch, loss, 1.0, backend="numba", **limits)
    for one, other in zip(ours, theirs, strict=True):
        # where several kinks slide the weights of a vertex may reach 0, and flows leave it or not
        slides = [len(part.slides) for part in (*one.segments, *other.segments)]
        if one.status.complete and other.status.complete and max(slides) <= 1:
            size = max(1.0, float(np.abs(other.weights).max()))
            assert np.abs(one.weights - other.weights).max() < 1e-4 * size
            assert one.log_risks[0] == pytest.approx(other.log_risks[0], abs=1e-12)
            assert np.array_equal(one.segments[0].sides, other.segments[0].sides)


@settings(max_examples=10)
@given(st.lists(NETS, min_size=2, max_size=3), SEEDS)
def test_a_network_does_not_depend_on_its_company(nets, seed):
    batch = drawn(nets, seed)
    ends = np.random.default_rng(seed).uniform(0.1, 1.0, len(nets))
    together = run(*batch, LOGISTIC, ends, evaluations=1000)
    for c, found in enumerate(together):
        alone = run(*([part[c]] for part in batch), LOGISTIC, ends[c], evaluations=1000)[0]
        assert alone.status is found.status
        assert found.time == pytest.approx(alone.time, rel=1e-6)
        size = max(1.0, float(np.abs(alone.weights).max()))
        assert np.abs(found.weights - alone.weights).max() < 1e-7 * size


@needs_cuda
@settings(max_examples=5)
@given(st.lists(NETS, min_size=1, max_size=3), SEEDS)
def test_cuda_equals_cpu(nets, seed):
    batch = drawn(nets, seed)
    cpu = run(*batch, LOGISTIC, 1.0, evaluations=1000)
    cuda = run(*batch, LOGISTIC, 1.0, device="cuda", evaluations=1000)
    for one, other in zip(cpu, cuda, strict=True):
        assert one.status is other.status
        assert np.allclose(one.weights, other.weights, rtol=0, atol=1e-6)


def test_the_record_hangs_together():
    """Times rise, segments and signs cover them, and the interpolant passes through the ends."""
    nets = [fully_connected([2, 4, 1]), fully_connected([3, 2, 2, 1], leaky_relu(Fraction(1, 3)))]
    for one in run(*drawn(nets, 5), LOGISTIC, 2.0, dense=True):
        record = one.record
        assert np.all(np.diff(record.step_times) > 0)
        assert len(record.step_times) == one.counts.accepted + 1
        assert record.step_times[-1] == one.time
        assert np.all(np.diff(record.step_log_risks) < 1e-9)
        assert one.segments[0].start == 0
        assert one.segments[-1].stop == one.time
        assert np.array_equal(one.sign_intervals[0].signs, np.sign(one.start))
        assert np.array_equal(one.sign_intervals[-1].signs, np.sign(one.weights))
        assert np.abs(one.at([0.0, one.time]) - [one.start, one.weights]).max() < 1e-9
        assert one.distance <= one.length


def test_a_start_exactly_on_a_kink_that_is_crossed_goes_on():
    # nu = -h(a x + b z) on (1, 2) and (1, -1): at a = b = -1 the second one is at its kink, and
    # crosses it, whatever its slope there is
    net = fully_connected([2, 1, 1], leaky_relu(Fraction(1, 4)))
    there, beside = (
        run(
            [net],
            [[-1.0, -1.0 + off, -1.0]],
            [[[1.0, 2.0], [1.0, -1.0]]],
            [[1.0, -1.0]],
            LOGISTIC,
            [1.0],
            rtol=1e-9,
            atol=1e-11,
        )[0]
        for off in (0.0, 1e-9)
    )
    assert there.status is Status.FINISHED
    assert there.weights == pytest.approx(beside.weights, abs=1e-7)
