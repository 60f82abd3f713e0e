from fractions import Fraction
from math import exp

import numpy as np
import pytest

from graphs.activations import TANH
from numerics.flow import Options, Status
from numerics.flow.balances import Quadratic, change
from numerics.losses import LOGISTIC, SQUARED
from tests.numerics.flow.problems import Drawn, chain, flow_of, vertex_balances

pytest.importorskip("numba", reason="the integrator of this backend is compiled")

LOOSE = Options(rtol=1e-5, atol=1e-7)


def worst(flow) -> float:
    """The largest residual of all forms and segments, against its bound."""
    return max(float((b.residuals / np.maximum(b.bounds, 1e-300)).max()) for b in flow.balances)


def test_a_change_is_summed_in_twice_the_precision():
    """3 x^2 + x y from one point to another, beside it, against rationals."""
    rng = np.random.default_rng(0)
    columns, values = np.array([0, 1]), np.array([3.0, 1.0])
    forms = Quadratic(np.array([0, 2]), np.array([0, 0]), columns, values)
    for _ in range(20):
        start = rng.standard_normal(2)
        end = start * (1 + 1e-12 * rng.standard_normal(2))
        total, rest, size = change(forms, 0, start, end)
        (x, y), (u, v) = ([Fraction(float(w)) for w in point] for point in (start, end))
        exact = 3 * u**2 + u * v - 3 * x**2 - x * y
        assert abs(Fraction(total) + Fraction(rest) - exact) <= Fraction(size) / 2**98


@pytest.mark.parametrize("method", ["dopri5", "dop853"])
def test_true_laws_hold_to_rounding_step_by_step_through_kinks_and_slides(method):
    drawn = Drawn(20, seed=7)
    forms = [vertex_balances(net) for net in drawn.nets]
    options = Options(method=method, rtol=1e-5, atol=1e-7)
    found = drawn.flows(3.0, options=options, forms=forms)
    assert sum(flow.counts.events for flow in found) > 10
    assert sum(flow.counts.slides for flow in found) > 2
    for flow in found:
        assert len(flow.balances) == len(flow.network.inner)
        assert worst(flow) < 1.0
        assert max(b.residuals.max() for b in flow.balances) < 1e-13
        assert max(b.bounds.max() for b in flow.balances) < 1e-11
        assert flow.length >= flow.distance > 1e-3


def test_an_error_of_a_thousandth_in_one_gradient_is_noticed():
    drawn = Drawn(12, seed=7)
    forms = [vertex_balances(net) for net in drawn.nets]
    factors = np.ones(sum(net.parameter_count for net in drawn.nets))
    offset, chosen = 0, []
    for net in drawn.nets:
        chosen.append(offset + net.in_edges[net.outputs[0]][-1])
        offset += net.parameter_count
    factors[chosen] = 1.001
    found = drawn.flows(3.0, options=LOOSE, forms=forms, factors=factors)
    noticed = [worst(flow) > 1.0 for flow in found]
    assert sum(noticed) >= 8
    moved = [max(b.residuals.max() for b in flow.balances) for flow in found]
    assert max(moved) > 1e-7


def test_a_form_that_is_no_law_is_seen_in_residual_rate_and_drift():
    forms = [[[(0, 0, 1.0)], [(0, 0, 1.0), (1, 1, -1.0)]]]
    found = flow_of(chain(), [0.4, 0.2], [[1.0]], [1.0], 2.0, options=LOOSE, forms=forms)
    square, law = found.balances
    assert square.start == pytest.approx(0.16)
    assert square.drift == pytest.approx(found.weights[0] ** 2 - 0.16, abs=1e-15)
    assert square.residuals[0] > 1e10 * square.bounds[0]
    # 2 w_1^T Q k = 4 (1 - a b) a b is at most 1 along the way
    assert 0.9 < square.rates[0] <= 1.0 + 1e-9
    assert square.rate_scales[0] == pytest.approx(square.rates[0])
    assert law.residuals[0] < law.bounds[0] < 1e-14
    assert law.rates[0] < 1e-15


def test_residuals_are_kept_by_segment():
    # while both examples are active w1 and w2 obey another law than after the crossing
    drawn = Drawn(6, seed=7)
    forms = [vertex_balances(net) for net in drawn.nets]
    for flow in drawn.flows(3.0, options=LOOSE, forms=forms):
        for balance in flow.balances:
            assert balance.residuals.shape == (len(flow.segments),)
            starts = [segment.start for segment in flow.segments]
            stops = [segment.stop for segment in flow.segments]
            long = np.array(stops) > np.array(starts)
            assert np.all(balance.times[long] >= np.array(starts)[long] - 1e-12)
            assert np.all(balance.times[long] <= np.array(stops)[long] + 1e-12)


def test_the_bilinear_part_of_a_form_counts():
    # Q = 2 w_0 w_1 through two entries is Q through one
    one = [[[(0, 1, 2.0)], [(0, 1, 1.0), (1, 0, 1.0)]]]
    found = flow_of(chain(), [0.4, 0.2], [[1.0]], [1.0], 1.0, options=LOOSE, forms=one)
    single, double = found.balances
    assert single.start == pytest.approx(0.16)
    assert single.drift == pytest.approx(double.drift, rel=1e-12)
    assert single.residuals[0] == pytest.approx(double.residuals[0], rel=1e-9)


@pytest.mark.parametrize("decay", [0.1, 0.5])
def test_weight_decay_lets_balances_fall_as_predicted(decay):
    # dw = -grad R - decay w: each balance falls as e^{-2 decay t}
    drawn = Drawn(6, seed=9, activations=TANH)
    options = Options(method="dop853", rtol=1e-10, atol=1e-12, weight_decay=decay)
    relu = Drawn(6, seed=9)
    forms = [vertex_balances(net) for net in relu.nets]
    for flow in relu.flows(1.5, options=options, forms=forms):
        assert flow.status.complete
        for balance in flow.balances:
            predicted = balance.start * exp(-2.0 * decay * flow.time)
            assert balance.stop == pytest.approx(predicted, abs=1e-8)
            assert abs(balance.start) < 1e-3 or abs(balance.drift) > 1e-4
    assert drawn.flows(0.1, options=options).statuses == [Status.FINISHED] * 6


def test_drift_falls_with_the_tolerance():
    drawn = Drawn(4, seed=7)
    forms = [vertex_balances(net) for net in drawn.nets]
    drifts = []
    for rtol in (1e-4, 1e-6, 1e-8):
        options = Options(rtol=rtol, atol=0.1 * rtol)
        flows = drawn.flows(2.0, options=options, forms=forms)
        drifts.append(max(abs(b.drift) for flow in flows for b in flow.balances))
    assert drifts[0] > 10.0 * drifts[1] > 100.0 * drifts[2]


def test_relu_networks_keep_their_laws_down_to_a_loss_of_1e_100():
    drawn = Drawn(12, seed=21, examples=3)
    forms = [vertex_balances(net) for net in drawn.nets]
    options = Options(method="dop853", rtol=1e-9, atol=1e-11, clock="loss", log_risk_below=-231.0)
    found = drawn.flows(1e6, LOGISTIC, options, forms=forms)
    reached = [flow for flow in found if flow.status is Status.LOSS_REACHED]
    assert len(reached) >= 3
    for flow in reached:
        size = float(flow.weights @ flow.weights)
        assert flow.log_risks[1] <= -230.26
        assert max(abs(b.drift) for b in flow.balances) < 1e-9 * size
        assert flow.log_time > 200.0


def test_the_squared_loss_runs_too():
    drawn = Drawn(4, seed=1)
    forms = [vertex_balances(net) for net in drawn.nets]
    for flow in drawn.flows(1.0, SQUARED, LOOSE, forms=forms):
        assert worst(flow) < 1.0
