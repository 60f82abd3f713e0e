"""Which kinks matter: where none does, the network is differentiable and slopes are immaterial."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphs.arithmetic import as_fraction
from graphs.exact import evaluation_at, output
from graphs.kinks import KinkError, deciding_kinks, refuse_kinks
from graphs.network import network
from graphs.subgradients import Jets
from tests.graphs.drawn_points import points
from tests.graphs.gradients import gradient, is_differentiable

one, two, zero = Fraction(1), Fraction(2), Fraction(0)
LONG = network([("x", "h"), ("h", "g"), ("g", "o")], inputs=["x"], outputs=["o"])
coarse = st.sampled_from([zero, zero, one, -one])


@given(points(examples=1, numbers=coarse, sharing=True, fixed=True, max_hidden=5), st.data())
def test_where_no_kink_matters_all_directions_agree_with_the_gradient(point, data):
    net, (x,) = point.network, point.xs
    assume(evaluation_at(net, point.weights, [x]).kinks.any())
    assume(is_differentiable(net, point.weights, [x]))
    found = gradient(net, point.weights, x)
    assert found == gradient(net, point.weights, x, at_kink="left")
    direction = data.draw(st.tuples(*[coarse] * net.parameter_count))
    jets = Jets()
    moving = [
        jets.convert(w) + jets.convert(d) * jets.epsilon
        for w, d in zip(point.weights, direction, strict=True)
    ]
    value = evaluation_at(net, moving, [x], jets).outputs[0, 0]
    slope = jets.ring.terms(value).get((1,), zero)
    assert slope == sum((a * b for a, b in zip(found, direction, strict=True)), zero)


def test_behind_a_dead_layer_nothing_matters():
    weights = [-one, one, one]
    evaluation = evaluation_at(LONG, weights, [[one]])
    assert evaluation.kinks[LONG.index["g"], 0]
    assert not deciding_kinks(evaluation).any()
    assert gradient(LONG, weights, [one]) == (0, 0, 0)


def test_an_input_zero_silences_a_network_without_biases():
    assert is_differentiable(LONG, [one, one, one], [[zero]])


def test_a_bias_speaks_even_then():
    net = network(
        [("x", "h"), ("b", "h"), ("h", "o")], inputs=["x", "b"], outputs=["o"], constants={"b": 1}
    )
    assert not is_differentiable(net, [one, zero, one], [[zero]])


def test_an_out_weight_of_zero_hides_a_kink():
    weights = [zero, one, one]
    assert not is_differentiable(LONG, weights, [[one]])
    assert is_differentiable(LONG, [zero, one, zero], [[one]])
    assert gradient(LONG, [zero, one, zero], [one]) == (0, 0, 0)


def test_two_examples_are_told_apart():
    evaluation = evaluation_at(LONG, [zero, one, one], [[one], [zero]])
    assert deciding_kinks(evaluation).tolist() == [
        [False, False],
        [True, False],
        [True, False],
        [False, False],
    ]
    with pytest.raises(KinkError, match=r"'h' is 0 on example 1.*: turn left"):
        refuse_kinks(evaluation, "turn left")


def test_a_selected_slope_is_no_kink():
    evaluation = evaluation_at(LONG, [zero, one, one], [[one]], at_kink="left")
    assert not deciding_kinks(evaluation).any()
    assert output(LONG, [zero, one, one], [one]) == 0


def test_each_kink_gets_the_slope_that_is_chosen_there_and_is_decided():
    """Two neurons at 0 on both examples: one chosen slope on each example, the others open."""
    half, third = Fraction(1, 2), Fraction(1, 3)
    net = network([("x", "h"), ("x", "g"), ("h", "o"), ("g", "o")], inputs=["x"], outputs=["o"])
    found = evaluation_at(net, [zero, zero, one, two], [[one], [two]])
    h, g = net.index["h"], net.index["g"]
    assert found.kinks[[h, g]].all()
    chosen = found.with_slopes({(h, 0): half, (g, 1): third})
    assert [as_fraction(chosen.slopes[at]) for at in ((h, 0), (g, 1))] == [half, third]
    assert [chosen.slopes[h, 1], chosen.slopes[g, 0]] == [found.slopes[h, 1], found.slopes[g, 0]]
    assert chosen.kinks[[h, g]].tolist() == [[False, True], [True, False]]
    assert found.kinks[[h, g]].all()
    assert found.with_slopes({}) is found
