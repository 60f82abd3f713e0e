"""Arb balls: they hold the exact values, at every precision, and say so where there are none."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphs.arb
from graphs.activations import Activation
from graphs.arb import arb_balls, enclosure_of, excludes_zero
from graphs.errors import PrecisionError
from graphs.evaluation import Union, evaluate
from graphs.network import network
from graphs.rationals import RATIONALS

flint = pytest.importorskip("flint", reason="Arb is in python-flint, which is not installed")

NUMBERS = st.fractions(min_value=-3, max_value=3, max_denominator=50)
EDGES = [("x", "h"), ("h", "o"), ("x", "o")]


def evaluated(arithmetic, kind, weights, x):
    net = network(EDGES, inputs=["x"], outputs=["o"], activations={"h": Activation(kind)})
    numbers = arithmetic.array(weights)
    found = evaluate(Union.of([net]), arithmetic, numbers, arithmetic.array([[x]]))
    return [found.outputs[0, 0], *found.edge_gradients[:, 0]]


@given(st.lists(NUMBERS, min_size=3, max_size=3), NUMBERS, st.sampled_from(["relu", "abs"]))
def test_the_balls_hold_the_exact_values_and_slopes(weights, x, kind):
    exact = evaluated(RATIONALS, kind, weights, x)
    with arb_balls(100) as balls:
        enclosed = evaluated(balls, kind, weights, x)
    with arb_balls(400) as balls:
        numbers = balls.array(exact)
        for ball, number in zip(enclosed, numbers, strict=True):
            assert ball.overlaps(number)
            # at a kink the hull of both slopes
            assert float(ball.rad()) < 1e-25 or 0 in (weights[0], x)


@given(NUMBERS, st.sampled_from(["tanh", "softplus", "sigmoid"]))
def test_smooth_values_and_derivatives_agree_with_a_difference_quotient(x, kind):
    step = Fraction(1, 10**12)
    with arb_balls(200) as balls:
        values, slopes = balls.smooth(kind, balls.array([[x - step, x, x + step]]))
        quotient = (values[0, 2] - values[0, 0]) / flint.arb(2 * step.numerator) * step.denominator
        assert abs(quotient - slopes[0, 1]) < 1e-20


def test_more_bits_are_narrower_and_hold_the_same_number():
    widths = []
    for bits in (53, 106, 212):
        with arb_balls(bits) as balls:
            value, _ = balls.smooth("tanh", balls.array([[1]]))
            widths.append(value[0, 0].rad())
            assert flint.ctx.prec == bits
    assert widths[0] > widths[1] > widths[2] > 0
    assert flint.ctx.prec == 53


@given(st.fractions(min_value=Fraction(1, 10**9), max_value=10**9), st.sampled_from([1, -1]))
def test_a_written_enclosure_holds_the_number_and_has_its_sign(size, sign):
    with arb_balls(106) as balls:
        ball = balls.array([sign * size])[0].tanh()
        found = enclosure_of(ball)
        assert excludes_zero(ball)
        assert found.low <= found.high
        assert (found.low > 0) is (found.high > 0) is (sign > 0)
        low, high = (flint.arb(flint.fmpq(e.numerator, e.denominator)) for e in found)
        assert low < ball < high
        assert found.high - found.low <= abs(found.low) / 10**7


def test_a_number_that_is_too_small_is_not_told_from_zero():
    with arb_balls(106) as balls:
        tiny = balls.array([-1000])[0].exp()
        assert excludes_zero(tiny) is False
        assert excludes_zero(balls.array([0])[0]) is False


def test_signs_are_certain_or_open():
    with arb_balls(53) as balls:
        third = balls.array([Fraction(1, 3)])
        noise = third - third
        assert list(balls.may_be_zero(noise)) == [True]
        assert list(balls.is_negative(noise)) == [False]
        assert list(balls.is_negative(-third)) == [True]
        assert np.array_equal(balls.maximum(third, -third) > 0, [True])


def test_without_flint_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(graphs.arb, "flint", None)
    with pytest.raises(PrecisionError, match="pip install python-flint"), arb_balls(106):
        pass
