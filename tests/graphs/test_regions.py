"""Activation regions: the weights drawn have the signs wanted, or there are none."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphs.activations import TANH
from graphs.errors import NetworkError, NotRationalError
from graphs.network import network
from graphs.regions import (
    EmptyRegionError,
    RegionError,
    pattern,
    random_weights_in_region,
    region_slopes,
    simplest_between,
)
from tests.graphs.drawn_points import forward, points

NET = network(
    [("x", "h"), ("y", "h"), ("x", "g"), ("y", "g"), ("h", "k"), ("g", "k"), ("k", "o")],
    inputs=["x", "y"],
    outputs=["o"],
)
XS = [
    [Fraction(3, 5), Fraction(4, 5)],
    [Fraction(-1, 2), Fraction(1, 3)],
    [Fraction(1, 7), Fraction(-1, 2)],
]


@given(points(examples=2, sharing=True, fixed=True, constants=True))
def test_the_pattern_is_the_signs_of_a_forward_pass(point):
    net = point.network
    signs = pattern(net, point.weights, point.xs)
    nonlinear = [v for v, a in enumerate(net.activations) if a.kind != "linear"]
    assert list(signs) == [net.names[v] for v in nonlinear]
    slopes = region_slopes(net, point.weights, point.xs)
    for j, x in enumerate(point.xs):
        pre, post = forward(net, point.weights, x)
        for v in nonlinear:
            sign = signs[net.names[v]][j]
            assert sign in (-1, 0, 1)
            assert sign * abs(pre[v]) == pre[v]
            assert slopes[net.names[v]][j] * pre[v] == post[v]


@given(points(examples=3, fixed=True, constants=True, max_hidden=3), st.integers(0, 99))
def test_weights_in_a_region_that_has_some(point, seed):
    net = point.network
    signs = pattern(net, point.weights, point.xs)
    assume(not any(0 in row for row in signs.values()))
    try:
        drawn = random_weights_in_region(net, point.xs, signs, Random(seed), tries=30)
    except EmptyRegionError:
        raise
    except RegionError:
        return  # earlier weights left no room; the region is not called empty
    assert pattern(net, drawn, point.xs) == signs
    assert 0 not in drawn
    assert drawn == random_weights_in_region(net, point.xs, signs, Random(seed), tries=30)


@given(points(examples=2, sharing=True, max_hidden=2))
def test_shared_parameters_are_sampled(point):
    net = point.network
    signs = pattern(net, point.weights, point.xs)
    assume(net.shares_parameters)
    assume(not any(0 in row for row in signs.values()))
    try:
        drawn = random_weights_in_region(net, point.xs, signs, Random(0), tries=40)
    except RegionError:
        return
    assert pattern(net, drawn, point.xs) == signs


def test_a_vain_sampling_says_so():
    edges = [("x", "h"), ("y", "h"), ("h", "o")]
    shared = dict.fromkeys(edges[:2], "k")  # of the sign of k (x + y): here of k on both examples
    net = network(edges, inputs=["x", "y"], outputs=["o"], parameters=shared)
    xs = [[Fraction(1), Fraction(2)], [Fraction(2), Fraction(1)]]
    with pytest.raises(RegionError, match="weights were sampled, and none of 40 samples"):
        random_weights_in_region(net, xs, {"h": (1, -1)}, Random(0), tries=40)


def test_a_deep_region_is_found_again_and_again():
    signs = {"h": (1, 1, -1), "g": (-1, 1, 1), "k": (1, 1, -1)}
    random = Random(3)
    drawn = {random_weights_in_region(NET, XS, signs, random) for _ in range(20)}
    assert len(drawn) == 20
    for weights in drawn:
        assert pattern(NET, weights, XS) == signs
        assert max(weight.denominator for weight in weights) < 1000


def test_vertices_left_out_may_have_any_sign():
    drawn = random_weights_in_region(NET, XS, {"g": (1, 1, -1)}, Random(0))
    assert pattern(NET, drawn, XS)["g"] == (1, 1, -1)


def test_contradicting_signs_name_vertex_and_examples():
    xs = [*XS, [-coordinate for coordinate in XS[1]]]
    with pytest.raises(EmptyRegionError, match="signs of 'g' on examples 2, 4 contradict"):
        random_weights_in_region(NET, xs, {"g": (-1, 1, 1, 1)}, Random(0))


def test_signs_behind_a_dead_layer_are_impossible():
    off = (-1, 1, 1)
    with pytest.raises(EmptyRegionError, match="signs of 'k' on example 1 contradict"):
        random_weights_in_region(NET, XS, {"h": off, "g": off, "k": (1, 1, 1)}, Random(0))


def test_fixed_weights_can_rule_out_a_sign():
    net = network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"], fixed={("x", "h"): -2})
    with pytest.raises(EmptyRegionError, match="signs of 'h' on example 1"):
        random_weights_in_region(net, [[Fraction(1)]], {"h": (1,)}, Random(0))
    assert random_weights_in_region(net, [[Fraction(1)]], {"h": (-1,)}, Random(0))[0] != 0


def test_a_failed_search_does_not_claim_a_proof():
    net = network([("x", "h"), ("x", "k"), ("h", "k"), ("k", "o")], inputs=["x"], outputs=["o"])
    xs = [[Fraction(1)], [Fraction(2)]]  # what flows into k is a multiple of x: its signs agree
    with pytest.raises(RegionError, match="5 tries failed; in the last, the signs of 'k'") as found:
        random_weights_in_region(net, xs, {"k": (1, -1)}, Random(0), tries=5)
    assert not isinstance(found.value, EmptyRegionError)


def test_ill_formed_signs_are_refused():
    for signs, message in (
        ({"h": (1, 0, 1)}, r"signs of 'h' are \(1, 0, 1\)"),
        ({"h": (1,)}, "give -1 or 1 for each of the 3"),
        ({"x": (1, 1, 1)}, "'x', which is no vertex with"),
        ({"q": (1, 1, 1)}, "'q', which is no vertex with"),
    ):
        with pytest.raises(NetworkError, match=message):
            random_weights_in_region(NET, XS, signs, Random(0))
    with pytest.raises(NotRationalError, match="'h' is tanh"):
        random_weights_in_region(NET.with_activations({"h": TANH}), XS, {}, Random(0))
    with pytest.raises(NetworkError, match="no examples"):
        random_weights_in_region(NET, [], {}, Random(0))


@given(
    st.builds(Fraction, st.integers(-30, 30), st.integers(1, 9)),
    st.builds(Fraction, st.integers(1, 20), st.integers(1, 9)),
)
def test_the_simplest_rational_between(low, length):
    found = simplest_between(low, low + length)
    assert low < found < low + length
    for denominator in range(1, found.denominator):
        above = low * denominator // 1 + 1
        assert above >= (low + length) * denominator
