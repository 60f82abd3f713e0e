"""Clarke elements: limits of gradients, checked against gradients close by."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphs.activations import ABS, leaky_relu
from graphs.arithmetic import as_fraction
from graphs.errors import ParameterError
from graphs.exact import evaluation_at
from graphs.kinks import KinkError
from graphs.network import network
from graphs.subgradients import Jets, along_ray, clarke_element
from tests.graphs.drawn_points import BACKENDS, points
from tests.graphs.gradients import is_differentiable, risk_gradient, slopes_along

one, zero = Fraction(1), Fraction(0)
CHAIN = network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"])
coarse = st.sampled_from([zero, one, -one, Fraction(2)])
KAPPA = [Fraction(-1, 2), Fraction(3)]


def directions(net):
    return st.tuples(*[st.integers(-3, 3).map(Fraction)] * net.parameter_count)


@given(points(numbers=coarse, sharing=True, fixed=True, constants=True), st.data())
def test_it_is_the_limit_of_gradients_close_by(point, data):
    net = point.network
    direction = data.draw(directions(net))
    try:
        element = clarke_element(net, point.weights, point.xs, KAPPA, direction)
    except KinkError:
        assume(False)
    # the numbers are small integers: no root of a pre-activation lies as near to 0 as this
    step = Fraction(1, 10**12)
    near = [w + step * d for w, d in zip(point.weights, direction, strict=True)]
    assert is_differentiable(net, near, point.xs)
    found = risk_gradient(net, near, point.xs, KAPPA)
    for limit, there in zip(element, found, strict=True):
        assert abs(limit - there) <= 10**8 * step
    slopes = slopes_along(net, point.weights, point.xs, direction)
    exact = evaluation_at(net, near, point.xs)
    for name, row in slopes.items():
        v = net.index[name]
        decided = ~exact.kinks[v]
        assert [s for s, sure in zip(row, decided, strict=True) if sure] == [
            as_fraction(s) for s in exact.slopes[v][decided]
        ]


@given(points(sharing=True, fixed=True), st.data())
def test_at_a_differentiable_point_it_is_the_gradient(point, data):
    net = point.network
    assume(is_differentiable(net, point.weights, point.xs))
    direction = data.draw(directions(net))
    try:
        element = clarke_element(net, point.weights, point.xs, KAPPA, direction)
    except KinkError:
        assume(False)
    assert element == risk_gradient(net, point.weights, point.xs, KAPPA)


@pytest.mark.parametrize("backend", BACKENDS)
def test_jets_are_compared_near_zero(backend):
    jets = Jets(backend)
    eps = jets.epsilon
    numbers = jets.array([eps, -eps, eps - eps, jets.convert(-1) + eps * jets.convert(5)])
    numbers[0] = eps * eps - eps * eps * eps * jets.convert(100)
    assert [jets.sign(jet) for jet in numbers] == [1, -1, 0, -1]
    assert jets.is_negative(numbers).tolist() == [False, True, False, True]
    assert jets.may_be_zero(numbers).tolist() == [False, False, True, False]
    assert [jets.limit(jet) for jet in numbers] == [0, 0, 0, -1]


@pytest.mark.parametrize(
    ("activation", "left"), [(None, 0), (ABS, -1), (leaky_relu("1/4"), Fraction(1, 4))]
)
def test_the_direction_chooses_the_slope(activation, left):
    net = CHAIN if activation is None else CHAIN.with_activations({"h": activation})
    weights, xs = [zero, Fraction(3)], [[Fraction(2)]]
    assert clarke_element(net, weights, xs, [one], [1, 0]) == (6, 0)
    assert clarke_element(net, weights, xs, [one], [-1, 5]) == (6 * left, 0)
    assert slopes_along(net, weights, xs, [-1, 5]) == {"h": (left,), "o": (1,)}


def test_the_second_order_decides_where_the_first_vanishes():
    """z_h = w_xh w_hg x at w = 0 moves with eps^2, and has the sign of the product."""
    net = network([("x", "h"), ("h", "g"), ("g", "o")], inputs=["x"], outputs=["o"])
    weights = [zero, zero, one]
    slopes = slopes_along(net, weights, [[one]], [1, -1, 0])
    assert slopes == {"h": (1,), "g": (0,), "o": (1,)}
    assert slopes_along(net, weights, [[one]], [1, 2, 0])["g"] == (1,)


def test_a_direction_that_stays_on_the_kink_is_refused():
    with pytest.raises(KinkError, match=r"'h' is 0 on example 1.*choose another"):
        along_ray(CHAIN, [zero, one], [[one]], [0, 1])
    # with out-weight 0 along the whole ray the kink is immaterial
    assert clarke_element(CHAIN, [zero, zero], [[one]], [one], [0, 0]) == (0, 0)


def test_a_direction_has_one_number_for_each_parameter():
    with pytest.raises(ParameterError, match="1 weights for the 2 parameters"):
        along_ray(CHAIN, [zero, one], [[one]], [1])
