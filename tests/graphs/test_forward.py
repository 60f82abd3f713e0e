from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.activations import TANH
from graphs.arithmetic import as_fraction
from graphs.errors import NetworkError, NotRationalError, ParameterError
from graphs.exact import evaluation_at
from graphs.families import fully_connected
from graphs.forward import forward
from graphs.strategies import inputs_for, networks, weighted_networks

OPEN = weighted_networks(networks(sharing=True, fixed=True, constants=True))


@given(OPEN, st.data())
def test_it_is_the_evaluation_of_one_network_on_one_example(pair, data):
    net, weights = pair
    x = data.draw(inputs_for(net))
    pre, post = forward(net, weights, x)
    expected = evaluation_at(net, weights, [x])
    assert list(map(as_fraction, pre)) == list(map(as_fraction, expected.pre[:, 0]))
    assert list(map(as_fraction, post)) == list(map(as_fraction, expected.post[:, 0]))


def test_solved_by_hand():
    # relu(2 * 1 - 3 * 1) = 0, relu(1 + 1/2) = 3/2; their sum with weights 5 and 4 is 6
    net = fully_connected([2, 2, 1])
    pre, post = forward(net, [2, -3, 1, Fraction(1, 2), 5, 4], [1, 1])
    assert list(map(as_fraction, pre[2:4])) == [-1, Fraction(3, 2)]
    assert list(map(as_fraction, post[2:])) == [0, Fraction(3, 2), 6]


def test_scales_multiply_the_preactivation():
    net = fully_connected([1, 1, 1])
    halved = replace(net, scale_squares=(Fraction(1), Fraction(1, 4), Fraction(1)))
    assert list(map(as_fraction, forward(halved, [2, 3], [1])[1])) == [1, 1, 3]
    crooked = replace(net, scale_squares=(Fraction(1), Fraction(1, 2), Fraction(1)))
    with pytest.raises(NotRationalError, match="not rational"):
        forward(crooked, [2, 3], [1])


def test_what_is_wrong_is_named():
    net = fully_connected([2, 1])
    with pytest.raises(NetworkError, match="1 coordinates for the 2 free inputs"):
        forward(net, [1, 1], [1])
    with pytest.raises(ParameterError, match="1 weights for the 2 parameters"):
        forward(net, [1], [1, 1])
    with pytest.raises(NotRationalError, match="tanh has no exact values"):
        forward(net.with_activations({"o": TANH}), [1, 1], [1, 1])
