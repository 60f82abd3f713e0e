"""Drift of balances against the step size."""

import numpy as np
import pytest

from graphs.activations import LINEAR, RELU
from graphs.families import fully_connected
from graphs.network import network
from numerics.balancedness import drift_against_step
from numerics.descent import Ending
from numerics.losses import LOGISTIC
from numerics.program import compile_networks
from numerics.quadratic import QuadraticForms, pair_forms, vertex_forms

NETS = [fully_connected([2, 3, 1], RELU), fully_connected([2, 2, 2, 1], LINEAR)]
FORMS = [vertex_forms(NETS[0]), vertex_forms(NETS[1]) + pair_forms(NETS[1])]
SIZES = [0.08, 0.04, 0.02, 0.01]


def problem():
    random = np.random.default_rng(4)
    program = compile_networks(NETS, backend="torch")
    weights = program.weights([random.normal(size=net.parameter_count) for net in NETS])
    inputs = [random.uniform(-0.7, 0.7, (4, 2)) for _ in NETS]
    labels = [random.choice([-1.0, 1.0], 4) for _ in NETS]
    return program, weights, program.examples(inputs, labels)


def test_drifts_are_the_slack_and_fall_with_the_step_size():
    drifts = drift_against_step(*problem(), LOGISTIC, FORMS, sizes=SIZES, time=4.0)
    assert drifts.drift.shape == (4, 3 + 4 + 2)
    assert (drifts.endings != Ending.NOT_FINITE).all()
    assert (np.abs(drifts.drift) > 1e-7).all()
    scale = 1e-13 * (1 + drifts.size)
    assert (np.abs(drifts.drift - drifts.slack) <= scale).all()
    assert (np.abs(drifts.cross) <= scale).all()
    assert (np.abs(drifts.orders[-1] - 1) < 0.35).all()
    assert (drifts.risks[:, 1] < drifts.risks[:, 0]).all()


def test_a_form_that_is_no_law_does_not_fall():
    forms = [[[(0, 0, 1.0)]], [[(0, 0, 1.0)]]]
    drifts = drift_against_step(*problem(), LOGISTIC, forms, sizes=SIZES[:2], time=4.0)
    assert (np.abs(drifts.orders) < 0.3).all()
    assert (np.abs(drifts.cross) > 1e-3).all()


def test_step_sizes_must_fit_the_time():
    with pytest.raises(ValueError, match="each must be in"):
        drift_against_step(*problem(), LOGISTIC, FORMS, sizes=[5.0], time=4.0)


def test_forms_by_hand():
    net = network([("x", "u"), ("x", "v"), ("u", "o"), ("v", "o")], inputs=["x"], outputs=["o"])
    program = compile_networks(net, backend="torch")
    w = program.weights([[2.0, 3.0, 5.0, 7.0]])
    vertex = QuadraticForms(program, [vertex_forms(net)])
    assert vertex.between(w, w).tolist() == [4.0 - 25.0, 9.0 - 49.0]
    pair = QuadraticForms(program, [pair_forms(net)])
    assert pair.between(w, w).tolist() == [6.0 - 35.0]
    ones = program.weights([[1.0, 1.0, 1.0, 1.0]])
    assert pair.between(w, ones).tolist() == [2.5 - 6.0]
