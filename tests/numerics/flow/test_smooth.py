from math import exp, log, sqrt

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from graphs.activations import LINEAR, SOFTPLUS, TANH
from graphs.network import network
from numerics.flow import Options, Status
from numerics.losses import EXPONENTIAL, LOGISTIC, SQUARED
from tests.numerics.flow.problems import Drawn, chain, flow_of

pytest.importorskip("numba", reason="the integrator of this backend is compiled")


def logistic_growth(start: float, limit: float, rate: float, t: float) -> float:
    """s' = rate s (1 - s / limit)."""
    return limit / (1.0 + (limit / start - 1.0) * exp(-rate * t))


@pytest.mark.parametrize("method", ["dopri5", "dop853"])
def test_a_balanced_chain_of_two_weights_grows_logistically(method):
    # R = (1 - a b)^2, a = b: with s = a^2, s' = 4 s (1 - s)
    options = Options(method=method, rtol=1e-11, atol=1e-13, dense=True)
    found = flow_of(chain(), [0.1, 0.1], [[1.0]], [1.0], 2.5, options=options)
    assert found.status is Status.FINISHED
    assert found.weights.prod() == pytest.approx(logistic_growth(0.01, 1.0, 4.0, 2.5), rel=1e-9)
    times = np.linspace(0.0, 2.5, 40)
    exact = [logistic_growth(0.01, 1.0, 4.0, t) for t in times]
    assert found.at(times).prod(axis=1) == pytest.approx(exact, rel=1e-7)


def test_an_unbalanced_chain_follows_its_hyperbola():
    # x = a^2 + b^2, u = a b: x^2 - 4 u^2 stays, u' = 2 (1 - u) x, so u solves a scalar equation
    found = flow_of(chain(), [1.2, -0.3], [[1.0]], [1.0], 1.0)
    kept = (1.2**2 - 0.3**2) ** 2
    scalar = solve_ivp(
        lambda _, u: 2.0 * (1.0 - u) * np.sqrt(kept + 4.0 * u * u),
        (0.0, 1.0),
        [-0.36],
        method="DOP853",
        rtol=1e-12,
        atol=1e-14,
    )
    assert found.weights.prod() == pytest.approx(scalar.y[0, -1], rel=1e-9)
    assert found.weights[0] ** 2 - found.weights[1] ** 2 == pytest.approx(1.2**2 - 0.3**2)


def test_a_two_layer_linear_network_learns_its_mode_as_saxe_et_al_say():
    # inputs e_j, labels y_j, W1 = a u v^T, w2 = a u with v = y / sqrt(d): with s = a^2,
    # s' = (4 / sqrt d) s (1 - s / sqrt d) (Saxe, McClelland, Ganguli 2014, for this loss)
    d, hidden = 3, 2
    names = [f"x{i}" for i in range(d)], [f"h{i}" for i in range(hidden)]
    edges = [(x, h) for x in names[0] for h in names[1]] + [(h, "o") for h in names[1]]
    net = network(
        edges, inputs=names[0], outputs=["o"], activations=dict.fromkeys(names[1], LINEAR)
    )
    labels, u, size = np.array([1.0, -1.0, 1.0]), np.array([0.6, 0.8]), 0.1
    of = dict.fromkeys(net.parameter_names)
    for i, h in enumerate(names[1]):
        of[f"w[{h}->o]"] = size * u[i]
        for j, x in enumerate(names[0]):
            of[f"w[{x}->{h}]"] = size * u[i] * labels[j] / sqrt(d)
    found = flow_of(net, list(of.values()), np.eye(d).tolist(), labels.tolist(), 3.0)
    s = logistic_growth(size**2, sqrt(d), 4.0 / sqrt(d), 3.0)
    out = [found.weights[net.parameter_names.index(f"w[{h}->o]")] for h in names[1]]
    assert out == pytest.approx((sqrt(s) * u).tolist(), rel=1e-9)


@pytest.mark.parametrize("loss", [LOGISTIC, EXPONENTIAL, SQUARED], ids=lambda loss: loss.name)
def test_smooth_networks_agree_with_scipy(loss):
    drawn = Drawn(3, activations=[TANH, SOFTPLUS, LINEAR], examples=9)
    found = drawn.flows(0.5, loss)
    assert found.statuses == [Status.FINISHED] * 3
    velocity = drawn.velocity(loss)
    start = np.concatenate(drawn.weights)
    theirs = solve_ivp(
        lambda _, w: velocity(w), (0.0, 0.5), start, method="DOP853", rtol=1e-11, atol=1e-13
    )
    assert found.weights == pytest.approx(theirs.y[:, -1], rel=1e-8, abs=1e-9)
    assert np.linalg.norm(found.weights - start) > 0.1


@pytest.mark.parametrize(("method", "order"), [("dopri5", 4), ("dop853", 7)])
def test_the_interpolant_has_its_order(method, order):
    errors = []
    for step in (0.1, 0.05):
        # tolerances that every step meets, so that its size is what is asked
        options = Options(
            method=method, rtol=0.9, atol=1e3, first_step=step, largest_step=step, dense=True
        )
        found = flow_of(chain(), [0.3, 0.3], [[1.0]], [1.0], 1.0, options=options)
        times = np.linspace(0.0, 1.0, 400)
        exact = [logistic_growth(0.09, 1.0, 4.0, t) for t in times]
        errors.append(np.abs(found.at(times).prod(axis=1) - exact).max())
    assert log(errors[0] / errors[1]) / log(2.0) > order - 0.4


def test_the_answer_falls_with_the_tolerance():
    exact = logistic_growth(0.01, 1.0, 4.0, 2.5)
    errors = []
    for rtol in (1e-5, 1e-7, 1e-9):
        options = Options(rtol=rtol, atol=rtol)
        found = flow_of(chain(), [0.1, 0.1], [[1.0]], [1.0], 2.5, options=options)
        errors.append(abs(found.weights.prod() - exact))
    assert errors[0] > 10 * errors[1] > 100 * errors[2] > 0.0


def test_the_clock_of_the_loss_passes_through_the_same_points():
    drawn = Drawn(2, activations=[TANH, LINEAR], seed=4)
    options = Options(method="dop853", rtol=1e-11, atol=1e-13, clock="loss", dense=True)
    rescaled = drawn.flows(0.7, options=options)
    for c, flow in enumerate(rescaled):
        plain = drawn.some([c]).flows(exp(flow.log_time))[0]
        assert flow.weights == pytest.approx(plain.weights, rel=1e-6, abs=1e-8)
        assert flow.log_risks[1] == pytest.approx(plain.log_risks[1], rel=1e-6)


@pytest.mark.parametrize("loss", [LOGISTIC, EXPONENTIAL], ids=lambda loss: loss.name)
def test_far_below_underflow_margins_grow_and_laws_hold(loss):
    # one chain, margin u = a b = a^2: log(1/R) -> u, and t grows as 1/R
    options = Options(clock="loss", log_risk_below=-1500.0, rtol=1e-9, atol=1e-11)
    form = [(0, 0, 1.0), (1, 1, -1.0)]
    found = flow_of(chain(), [0.5, 0.4], [[1.0]], [1.0], 1e9, loss, options, forms=[[form]])
    assert found.status is Status.LOSS_REACHED
    assert found.log_risks[1] <= -1500.0
    assert found.weights.prod() == pytest.approx(-found.log_risks[1], rel=1e-9)
    # t' = e^u / (2 u) u' along the chain, so log t is u - log(2 u) to first order
    margin = float(found.weights.prod())
    assert found.log_time == pytest.approx(margin - log(2.0 * margin), abs=1e-3)
    balance = found.balances[0]
    assert abs(balance.drift) < 1e-9 * margin
    assert found.distance > 30.0
