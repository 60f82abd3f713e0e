"""Promised laws have defect 0; defects are rates of change at every point."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.activations import LINEAR, RELU
from graphs.conserved import (
    equal_neighbourhoods,
    layer_laws,
    pair_laws,
    rate_of_change,
    vertex_laws,
)
from graphs.exact import evaluation_at
from graphs.families import fully_connected
from graphs.network import network
from graphs.polynomials import Symbols
from graphs.strategies import networks
from tests.graphs.drawn_points import points
from tests.graphs.gradients import risk_gradient

DIAMOND = [("x", "h"), ("x", "g"), ("h", "o"), ("g", "o")]


def diamond(**options):
    return network(DIAMOND, inputs=["x"], outputs=["o"], **options)


@settings(max_examples=30)
@given(networks(max_hidden=3, sharing=True, fixed=True, scaling=True))
def test_what_lemma_2_promises_is_conserved(net):
    laws = [*vertex_laws(net), *pair_laws(net)]
    assert [law.subject["vertex"] for law in laws[: len(net.inner)]] == [
        net.names[v] for v in net.inner
    ]
    for law in laws:
        assert law.conserved or not law.promised
        assert law.reason


@settings(max_examples=30)
@given(networks(max_hidden=3, fixed=True))
def test_what_lemma_3_promises_in_reading_b_is_conserved(net):
    laws, left_out = layer_laws(net, "B", limit=5)
    assert left_out >= 0
    for law in laws:
        assert law.conserved or not law.promised


@settings(max_examples=40)
@given(points(examples=2, max_hidden=3, sharing=True, fixed=True), st.data())
def test_a_rate_of_change_is_the_chain_rule_along_the_flow(point, data):
    """At a point: dQ/dt = sum_p dQ/dw_p dw_p/dt, with Q a sum of products of two weights."""
    net = point.network
    symbols = Symbols.of(net, 2)
    weights = [symbols.edge_weights[edges[0]] for edges in net.edges_of_parameter]
    if not weights:
        return
    index = st.integers(0, len(weights) - 1)
    pairs = data.draw(st.lists(st.tuples(index, index), min_size=1, max_size=3))
    quantity = sum((weights[p] * weights[q] for p, q in pairs), start=symbols.convert(0))
    kappa = [Fraction(1, 2), Fraction(-3)]
    gradient = risk_gradient(net, point.weights, point.xs, kappa, at_kink="right")
    w = point.weights
    expected = -sum((w[p] * gradient[q] + w[q] * gradient[p] for p, q in pairs), Fraction(0))
    found = symbols.at(
        rate_of_change(symbols, quantity),
        weights=w,
        inputs=[[x[i] for x in point.xs] for i in range(len(net.free_inputs))],
        slopes=evaluation_at(net, w, point.xs).slopes,
        kappa=[kappa],
    )
    assert found == expected


def test_a_frozen_edge_leaves_a_defect():
    law = vertex_laws(diamond(fixed={("h", "o"): "1/2"}))[0]
    assert not law.promised
    assert law.reason == "the weight of h->o is fixed"
    assert law.quantity.as_text() == "w_x_h**2 - 1/4"
    assert law.defect.as_text() == "-kappa*s_h*w_x_h*x"


def test_pairs_need_equal_slopes():
    equal, free = pair_laws(diamond())
    assert (equal.promised, equal.conserved) == (True, True)
    assert equal.condition == "h and g have the same slope on every example"
    assert equal.quantity.as_text() == "-w_g_o*w_h_o + w_x_g*w_x_h"
    assert (free.promised, free.conserved) == (False, False)
    assert free.title == "pair h, g"


def test_two_linear_vertices_always_have_equal_slopes():
    (law,) = pair_laws(diamond(activations={"h": LINEAR, "g": LINEAR}))
    assert law.promised
    assert law.conserved


def test_different_scales_are_no_equal_slopes():
    equal, _ = pair_laws(diamond(scale_squares={"h": "1/3"}))
    assert not equal.promised
    assert equal.reason == "the scales of h and g differ"
    assert not equal.conserved


def test_equal_neighbourhoods():
    net = network([*DIAMOND, ("x", "k"), ("h", "k"), ("k", "o")], inputs=["x"], outputs=["o"])
    assert equal_neighbourhoods(net) == []
    wide = fully_connected([2, 3, 2, 1], RELU)
    names = [tuple(wide.names[v] for v in pair) for pair in equal_neighbourhoods(wide)]
    assert len(names) == 3 + 1


def test_layers_of_a_fully_connected_network():
    laws, left_out = layer_laws(fully_connected([1, 2, 1], RELU), "B", limit=100)
    assert left_out == 0
    assert len(laws) == 3  # four cuts in all, each path to be cut at one of two edges
    for law in laws:
        assert law.promised
        assert law.conserved
        assert law.lemma == "lj22.lemma3@B"


def test_reading_a_promises_more_than_holds():
    """By reading A an edge that cuts off a leaf of the graph is a layer."""
    net = network([("x", "o"), ("y", "h"), ("h", "o")], inputs=["x", "y"], outputs=["o"])
    laws, _ = layer_laws(net, "A", limit=100)
    assert any(law.promised and not law.conserved for law in laws)
    assert all("reading A" in law.reason for law in laws if law.promised and not law.conserved)


def test_layers_with_fixed_weights_promise_nothing():
    laws, _ = layer_laws(diamond(fixed={("h", "o"): 1}), "B")
    barred = [law for law in laws if not law.promised]
    assert barred
    assert all("h->o" in law.reason for law in barred)
    assert any(law.promised for law in laws)


def test_a_limit_tells_how_many_layers_are_left_out():
    net = fully_connected([1, 3, 1], RELU)
    laws, left_out = layer_laws(net, "B", limit=2)
    assert (len(laws), left_out) == (2, 5)


def test_a_network_with_very_many_layers_has_the_laws_of_its_distance_cuts():
    net = fully_connected([1, 5, 5, 5, 1], LINEAR)
    laws, left_out = layer_laws(net, "B")
    assert (len(laws), left_out) == (3, 0)
    assert all(law.promised for law in laws)


@pytest.mark.parametrize("reading", ["A", "B"])
def test_a_network_with_a_single_layer_has_no_layer_law(reading):
    net = network([("x", "o")], inputs=["x"], outputs=["o"])
    assert layer_laws(net, reading) == ([], 0)
