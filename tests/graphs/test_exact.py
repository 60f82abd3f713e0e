"""Exact values and gradients, against a forward pass by hand and its difference quotients."""

from fractions import Fraction

import pytest
from hypothesis import assume, given

from graphs.activations import TANH
from graphs.arithmetic import as_fraction
from graphs.errors import NetworkError, NotRationalError, ParameterError
from graphs.exact import (
    evaluation_at,
    output,
    preactivations,
    values,
)
from graphs.kinks import KinkError
from graphs.network import network
from graphs.regions import pattern
from tests.graphs.drawn_points import forward, points
from tests.graphs.gradients import gradient, is_differentiable, risk_gradient

CHAIN = network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"])


@given(points(examples=1, sharing=True, fixed=True, constants=True))
def test_values_are_those_of_a_forward_pass_by_hand(point):
    pre, post = forward(point.network, point.weights, point.xs[0])
    assert list(values(point.network, point.weights, point.xs[0])) == post
    assert list(preactivations(point.network, point.weights, point.xs[0])) == pre
    found = output(point.network, point.weights, point.xs[0])
    assert found == post[point.network.outputs[0]]
    assert isinstance(found, Fraction)


@given(points(examples=1, fixed=True, constants=True))
def test_the_gradient_is_the_exact_difference_quotient(point):
    """Inside a region the output is linear in each weight that one edge has to itself."""
    net, (x,) = point.network, point.xs
    assume(is_differentiable(net, point.weights, [x]))
    signs = pattern(net, point.weights, [x])
    found = gradient(net, point.weights, x)
    here = output(net, point.weights, x)
    for p in range(net.parameter_count):
        step = Fraction(1, 10**9)
        moved = [*point.weights]
        moved[p] += step
        if pattern(net, moved, [x]) == signs:
            assert found[p] * step == output(net, moved, x) - here


@given(points(examples=1, sharing=True))
def test_the_gradient_of_a_shared_weight_is_a_sum_over_its_edges(point):
    evaluation = evaluation_at(point.network, point.weights, point.xs)
    assume(is_differentiable(point.network, point.weights, point.xs))
    found = gradient(point.network, point.weights, point.xs[0])
    for p, edges in enumerate(point.network.edges_of_parameter):
        assert found[p] == sum(as_fraction(evaluation.edge_gradients[e, 0]) for e in edges)


@given(points(examples=2, sharing=True, fixed=True))
def test_the_risk_gradient_weighs_the_examples(point):
    kappa = [Fraction(2, 3), Fraction(-5)]
    first, second = (gradient(point.network, point.weights, x, at_kink="right") for x in point.xs)
    found = risk_gradient(point.network, point.weights, point.xs, kappa, at_kink="right")
    assert list(found) == [kappa[0] * a + kappa[1] * b for a, b in zip(first, second, strict=True)]


def test_a_kink_is_refused_or_decided():
    weights, x = [Fraction(0), Fraction(3)], [Fraction(2)]
    with pytest.raises(KinkError, match="pre-activation of 'h' is 0 on example 1"):
        gradient(CHAIN, weights, x)
    assert gradient(CHAIN, weights, x, at_kink="right") == (6, 0)
    assert gradient(CHAIN, weights, x, at_kink="left") == (0, 0)
    assert not is_differentiable(CHAIN, weights, [x])
    with pytest.raises(ValueError, match="at_kink is 'middle'"):
        gradient(CHAIN, weights, x, at_kink="middle")


def test_errors_name_what_is_wrong():
    weights, x = [Fraction(1), Fraction(1)], [Fraction(1)]
    with pytest.raises(NotRationalError, match="tanh"):
        values(CHAIN.with_activations({"h": TANH}), weights, x)
    with pytest.raises(ParameterError, match="1 weights for the 2 parameters"):
        values(CHAIN, weights[:1], x)
    with pytest.raises(NetworkError, match="2 coordinates for the 1 free inputs"):
        values(CHAIN, weights, [1, 1])
    with pytest.raises(NetworkError, match="2 risk coefficients for 1 examples"):
        risk_gradient(CHAIN, weights, [x], [1, 1])
    with pytest.raises(NetworkError, match="no examples"):
        risk_gradient(CHAIN, weights, [], [])
