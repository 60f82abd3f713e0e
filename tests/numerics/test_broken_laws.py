"""Weight decay and momentum: measured drifts agree with the predicted ones, better at order 4."""

import numpy as np
import pytest

from graphs.activations import LINEAR
from graphs.families import fully_connected
from numerics.broken_laws import runge_kutta, under_decay, under_momentum
from numerics.losses import LOGISTIC, SQUARED
from numerics.program import compile_networks
from numerics.quadratic import pair_forms, vertex_forms

NETS = [fully_connected([2, 3, 2, 1], LINEAR), fully_connected([1, 2, 1], LINEAR)]
FORMS = [vertex_forms(net) + pair_forms(net) for net in NETS]
WRONG = [[[(0, 0, 1.0)]], [[(0, 0, 1.0)]]]  # one squared weight: no law


def problem():
    random = np.random.default_rng(7)
    program = compile_networks(NETS, backend="torch")
    weights = program.weights([random.normal(size=net.parameter_count) for net in NETS])
    inputs = [random.uniform(-0.7, 0.7, (3, len(net.free_inputs))) for net in NETS]
    labels = [random.choice([-1.0, 1.0], 3) for _ in NETS]
    return program, weights, program.examples(inputs, labels)


def errors(run, counts):
    """The largest disagreement for each number of steps, and what it is compared with."""
    found = []
    for steps in counts:
        course = run(steps)
        assert (course.moved > 0.1).all()
        found.append(np.abs(course.measured - course.predicted).max())
    return found, np.abs(course.predicted - course.start).max()


def test_decay_shrinks_the_forms_as_predicted():
    def run(steps, forms=FORMS):
        return under_decay(*problem(), LOGISTIC, forms, decay=0.3, until=2.0, steps=steps)

    (rough, fine), drift = errors(run, (16, 32))
    assert 12 < rough / fine < 20  # order 4
    assert fine < 1e-8 < 1e-2 < drift
    wrong = run(16, WRONG)
    assert np.abs(wrong.measured - wrong.predicted).max() > 1e-3


@pytest.mark.parametrize("which", [0, 1])
def test_momentum_breaks_the_forms_as_predicted(which):
    def run(steps, forms=FORMS):
        return under_momentum(*problem(), SQUARED, forms, friction=0.7, until=2.0, steps=steps)[
            which
        ]

    (rough, fine), drift = errors(run, (64, 128))
    assert 12 < rough / fine < 20  # order 4
    assert fine < 1e-9 < 1e-2 < drift
    wrong = run(16, WRONG)
    assert np.abs(wrong.measured - wrong.predicted).max() > 1e-3


def test_without_decay_the_forms_are_conserved_to_the_order_of_the_method():
    wrong = []
    for steps in (32, 64):
        course = under_decay(*problem(), SQUARED, FORMS, decay=0.0, until=1.0, steps=steps)
        assert (course.predicted == course.start).all()
        wrong.append(np.abs(course.measured - course.start).max())
    assert 12 < wrong[0] / wrong[1] < 20
    assert wrong[1] < 1e-7 < 0.1 < course.moved.min()


def test_runge_kutta_has_order_four():
    def ends(steps):
        return runge_kutta(lambda state: (-state[0] * state[0],), (1.0,), 1.0, steps)[0]

    wrong = [abs(ends(steps) - 0.5) for steps in (8, 16)]  # y' = -y^2, y(1) = 1/2
    assert 12 < wrong[0] / wrong[1] < 22
