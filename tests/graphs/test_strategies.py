"""What the strategies draw, and how far it shrinks."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from graphs.activations import LINEAR, RELU
from graphs.strategies import (
    ALL_KINDS,
    activations,
    inputs_for,
    networks,
    quick_networks,
    quick_rationals,
    rationals,
    weighted_networks,
    weights_for,
)
from tests.graphs.evaluated import on_paths

STEADY = settings(database=None, derandomize=True, max_examples=1000)


def smallest(strategy, condition):
    return find(strategy, condition, settings=STEADY)


def edges(net):
    return [net.edge_name(e) for e in range(net.edge_count)]


# what is drawn -------------------------------------------------------------------------------
@given(networks(max_inputs=3, max_hidden=5, max_outputs=2))
def test_every_vertex_lies_on_a_path(net):
    assert on_paths(net)
    assert len(net.inputs) <= 3
    assert len(net.inner) <= 5
    assert len(net.outputs) <= 2
    assert net.homogeneous
    assert not net.shares_parameters
    assert net.parameter_count == net.edge_count
    assert not net.has_bias


@given(networks(activations=st.just(RELU), output=st.just(LINEAR)))
def test_activations_are_those_asked_for(net):
    assert all(net.activations[v] == RELU for v in net.inner)
    assert all(net.activations[v] == LINEAR for v in net.outputs)


def test_many_different_graphs_are_drawn():
    seen = Counter()

    @settings(STEADY, max_examples=300)
    @given(networks(max_hidden=3))
    def draw(net):
        seen[net.tails, net.heads] += 1

    draw()
    assert len(seen) > 60
    assert seen.most_common(1)[0][1] < 60


@pytest.mark.parametrize(
    ("options", "condition"),
    [
        ({"sharing": True}, lambda net: net.shares_parameters),
        ({"fixed": True}, lambda net: net.parameter_count < net.edge_count),
        ({"constants": True}, lambda net: net.has_bias),
        ({"scaling": True}, lambda net: any(s != 1 for s in net.scale_squares)),
        ({"max_hidden": 0}, lambda net: net.edge_count == 3),
        ({"max_outputs": 3}, lambda net: len(net.outputs) == 3),
        ({"activations": activations(ALL_KINDS)}, lambda net: not net.homogeneous),
    ],
)
def test_each_option_has_its_effect(options, condition):
    assert condition(smallest(networks(**options), condition))


@given(st.data())
def test_weights_and_inputs_are_in_range(data):
    net = data.draw(networks(sharing=True, fixed=True, constants=True))
    weights = data.draw(weights_for(net, zero=False))
    assert len(weights) == net.parameter_count
    assert all(0 < abs(w) <= 6 and w.denominator <= 4 for w in weights)
    x = data.draw(inputs_for(net))
    assert len(x) == len(net.free_inputs) > 0
    assert sum(number * number for number in x) <= 1


def test_inputs_reach_the_unit_sphere_and_zero():
    net = smallest(networks(), lambda net: len(net.inputs) == 2)
    x = smallest(inputs_for(net), lambda x: sum(v * v for v in x) == 1 and all(x))
    assert sorted(map(abs, x)) == [Fraction(3, 5), Fraction(4, 5)]
    assert smallest(inputs_for(net), bool) == (0, 0)


# how far it shrinks --------------------------------------------------------------------------
def test_a_path_of_three_edges_shrinks_to_three_edges():
    net = smallest(networks(), lambda net: max(net.depths) >= 3)
    assert edges(net) == ["x1->h1", "h1->h2", "h2->o"]
    assert set(net.activations) == {LINEAR}


def test_a_long_path_shrinks_by_contraction():
    net = smallest(networks(max_hidden=8), lambda net: max(net.depths) >= 6)
    assert (net.vertex_count, net.edge_count) == (7, 6)


def test_a_vertex_with_two_parents_shrinks_to_two_edges():
    net = smallest(networks(), lambda net: any(len(edges) >= 2 for edges in net.in_edges))
    assert edges(net) == ["x1->o", "x2->o"]


def test_a_hidden_vertex_with_two_parents_shrinks_to_three_edges():
    net = smallest(networks(), lambda net: any(len(net.in_edges[v]) >= 2 for v in net.inner))
    assert edges(net) == ["x1->h1", "x2->h1", "h1->o"]


def test_two_paths_that_part_and_meet_shrink_to_a_triangle():
    net = smallest(networks(), lambda net: net.edge_count >= net.vertex_count)
    assert edges(net) == ["x1->h1", "x1->o", "h1->o"]


def test_an_activation_shrinks_to_one_vertex():
    net = smallest(networks(), lambda net: any(a.kind == "abs" for a in net.activations))
    assert edges(net) == ["x1->o"]


@given(quick_networks(max_inputs=2, max_hidden=3, kinds=("relu", "leaky_relu")))
def test_quick_networks_are_valid_and_of_the_kinds_asked_for(net):
    assert len(net.free_inputs) <= 2
    assert net.vertex_count <= 6
    assert len(net.outputs) == 1
    assert {net.activations[v].kind for v in (*net.inner, *net.outputs)} <= {"relu", "leaky_relu"}
    assert all(net.out_edges[v] or v in net.outputs for v in range(net.vertex_count))


@given(quick_rationals(3, 2))
def test_quick_rationals_are_those_of_the_range(number):
    assert abs(number.numerator) <= 3
    assert number.denominator <= 2


def test_weights_shrink_to_small_integers():
    net, weights = smallest(weighted_networks(), lambda pair: sum(pair[1]) > 5)
    assert edges(net) == ["x1->o"]
    assert weights == (6,)
    net, weights = smallest(weighted_networks(zero=False), lambda pair: len(pair[1]) >= 2)
    assert (net.edge_count, weights) == (2, (1, 1))


def test_rationals_shrink_to_small_integers():
    assert smallest(rationals(), lambda number: number < 7) == 0
    assert smallest(rationals(zero=False), bool) == 1
    assert smallest(rationals(), lambda number: number < 0) == -1
    assert smallest(rationals(), lambda number: number.denominator > 2) == Fraction(1, 3)
