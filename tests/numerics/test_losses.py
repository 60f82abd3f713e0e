"""Losses against mpmath at 50 digits, and at margins where naive formulas overflow."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from numerics.losses import EXPONENTIAL, HINGE, LOGISTIC, LOSSES, SQUARED

TRUTH = {  # value and derivative, at 50 digits
    "logistic": (lambda z: mpmath.log1p(mpmath.exp(-z)), lambda z: -1 / (1 + mpmath.exp(z))),
    "exponential": (lambda z: mpmath.exp(-z), lambda z: -mpmath.exp(-z)),
    "squared": (lambda z: (1 - z) ** 2, lambda z: 2 * (z - 1)),
    "hinge": (lambda z: max(1 - z, mpmath.mpf(0)), lambda z: -1 if z < 1 else 0),
}
margins = st.one_of(st.floats(-700, 700), st.floats(-5, 5))
each_loss = pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)


def at_fifty_digits(function, z: float):
    with mpmath.workdps(50):
        return function(mpmath.mpf(z))


@each_loss
@given(z=margins)
@example(z=0.0)
@example(z=36.5)
@example(z=-0.5413248546129181)  # where the logistic loss is 1 and its logarithm 0
def test_values_derivatives_and_logarithms(loss, z):
    value, slope = (at_fifty_digits(function, z) for function in TRUTH[loss.name])
    # the argument of the exponential is exact; 1 - z is rounded once
    near = {"rel": 1e-14, "abs": 1e-300}
    assert loss.value(z) == pytest.approx(float(value), **near)
    assert loss.derivative(z) == pytest.approx(float(slope), **near)
    if value > 0:
        with mpmath.workdps(50):
            logarithm = float(mpmath.log(value))
        assert loss.log_value(z) == pytest.approx(logarithm, rel=1e-13, abs=1e-14)
    else:
        assert loss.log_value(z) == -np.inf


@each_loss
@given(z=st.lists(margins, min_size=1, max_size=5))
def test_tensors_and_arrays_give_the_same(loss, z):
    array, tensor = np.array(z), torch.tensor(z, dtype=torch.float64)
    for method in (loss.value, loss.derivative):
        assert isinstance(method(array), np.ndarray)
        assert method(array).tolist() == method(tensor).tolist() == method(z).tolist()
    assert loss.value(array.reshape(1, -1)).shape == (1, len(z))


@pytest.mark.parametrize("z", [-1e4, 1e4, -1e300, 1e300])
def test_the_logistic_loss_neither_overflows_nor_loses_its_logarithm(z):
    assert LOGISTIC.value(z) == max(-z, 0.0)
    assert LOGISTIC.derivative(z) == (-1.0 if z < 0 else 0.0)
    expected = at_fifty_digits(lambda t: -t if t > 0 else mpmath.log(-t), z)
    assert LOGISTIC.log_value(z) == pytest.approx(float(expected), rel=1e-15)
    assert EXPONENTIAL.log_value(z) == -z


def test_only_the_hinge_has_a_kink():
    assert {name: loss.differentiable for name, loss in LOSSES.items()} == {
        "logistic": True,
        "exponential": True,
        "squared": True,
        "hinge": False,
    }
    assert HINGE.derivative([0.0, 1.0, 2.0]).tolist() == [-1.0, 0.0, 0.0]
    assert SQUARED.value(np.float32(3)) == 4.0


# prescribed slopes ---------------------------------------------------------------------------
rationals = st.builds(Fraction, st.integers(-40, 40), st.integers(1, 12))
points = st.dictionaries(rationals, rationals, min_size=1, max_size=6)
