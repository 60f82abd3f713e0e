"""Layers: predicates against networkx, enumeration against all subsets, random ones against it."""

from itertools import chain, combinations
from random import Random

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.errors import NetworkError
from graphs.families import fully_connected
from graphs.layers import (
    antichain,
    disconnects,
    distance_cuts,
    edges_leaving,
    is_layer,
    layers,
    random_layer,
)
from graphs.network import network
from graphs.residual import residual_block
from graphs.strategies import networks

READINGS = st.sampled_from("AB")
SMALL = networks(max_inputs=2, max_hidden=3).filter(lambda net: net.edge_count <= 7)
N_SHAPE = network(
    [("x", "h"), ("x", "o"), ("y", "h"), ("h", "o")], inputs=["x", "y"], outputs=["o"]
)


def subsets(net):
    edges = range(net.edge_count)
    return chain.from_iterable(combinations(edges, k) for k in range(net.edge_count + 1))


def without(net, removed):
    graph = net.to_networkx()
    graph.remove_edges_from([edge for *edge, e in graph.edges.data("edge") if e in removed])
    return graph


def one_path_contains(net, e, f):
    graph = net.to_networkx()
    first, second = sorted((e, f))
    head, tail = net.names[net.heads[first]], net.names[net.tails[second]]
    return head == tail or networkx.has_path(graph, head, tail)


@given(networks(), st.data())
def test_antichain_means_that_no_path_contains_two(net, data):
    chosen = data.draw(st.sets(st.integers(0, net.edge_count - 1), max_size=4))
    expected = not any(one_path_contains(net, e, f) for e, f in combinations(chosen, 2))
    assert antichain(net, chosen) == expected


@given(networks(), st.data())
def test_disconnection_in_both_readings(net, data):
    chosen = data.draw(st.sets(st.integers(0, net.edge_count - 1)))
    left = without(net, chosen)
    assert disconnects(net, chosen, "A") == (not networkx.is_weakly_connected(left))
    assert disconnects(net, chosen, "B") == (
        not any(
            networkx.has_path(left, net.names[v], net.names[o])
            for v in net.inputs
            for o in net.outputs
        )
    )


@given(SMALL, READINGS)
def test_layers_are_found_among_all_sets_of_edges(net, reading):
    found = layers(net, reading, 2**7)
    assert set(found) == {s for s in subsets(net) if is_layer(net, s, reading)}
    assert list(found) == sorted(found)
    assert len(set(found)) == len(found)


@given(SMALL, READINGS)
def test_layers_of_allowed_edges_only(net, reading):
    allowed = {e for e in range(net.edge_count) if e % 2}
    found = layers(net, reading, 2**7, only=allowed.__contains__)
    assert found == tuple(f for f in layers(net, reading, 2**7) if allowed.issuperset(f))


@given(SMALL)
def test_what_blocks_all_paths_also_splits_the_graph(net):
    # in these networks every vertex lies on a path from an input to an output
    assert set(layers(net, "B", 2**7)) <= set(layers(net, "A", 2**7))


def test_the_readings_differ_where_an_input_is_cut_off():
    cut_off = [N_SHAPE.edge_between("y", "h")]
    assert is_layer(N_SHAPE, cut_off, "A")
    assert not is_layer(N_SHAPE, cut_off, "B")


def test_the_cap_is_on_the_sets_looked_at():
    assert layers(N_SHAPE, "B", 10) == ((0, 1, 2), (2, 3))
    with pytest.raises(NetworkError, match="more than 9 sets"):
        layers(N_SHAPE, "B", 9)


@given(networks(max_hidden=7), READINGS, st.randoms(use_true_random=False))
def test_random_layers_are_layers(net, reading, random):
    layer = random_layer(net, reading, random)
    assert is_layer(net, layer, reading)
    assert list(layer) == sorted(layer) != []


@given(SMALL)
def test_every_layer_of_reading_b_is_drawn_sooner_or_later(net):
    random = Random(1)
    found = {random_layer(net, "B", random) for _ in range(200)}
    expected = set(layers(net, "B", 2**7))
    assert found <= expected
    assert found == expected or len(expected) > 4  # rare ones may need more draws


@given(networks(max_hidden=7), st.data())
def test_random_layers_of_allowed_edges_only(net, data):
    reading = data.draw(READINGS)
    allowed = data.draw(st.sets(st.integers(0, net.edge_count - 1)))
    random = data.draw(st.randoms(use_true_random=False))
    closed = chain.from_iterable(
        combinations(range(net.vertex_count), k) for k in range(1, net.vertex_count)
    )
    possible = reading == "B" and any(
        allowed.issuperset(edges_leaving(net, part))
        and set(net.inputs) <= set(part)
        and set(part).isdisjoint(net.outputs)
        and not any(t not in part and h in part for t, h in zip(net.tails, net.heads, strict=True))
        for part in closed
    )
    try:
        layer = random_layer(net, reading, random, only=allowed.__contains__)
    except NetworkError:
        assert not possible
    else:
        assert allowed.issuperset(layer)
        assert is_layer(net, layer, reading)


def test_learnable_layers_of_a_block_with_identity_skips():
    block = residual_block("identity", 3)
    with pytest.raises(NetworkError, match="no layer of the kind asked for"):
        random_layer(block, "B", Random(0), only=block.own_parameter)
    free = residual_block("free", 3)
    layer = random_layer(free, "B", Random(0), only=free.own_parameter)
    assert is_layer(free, layer, "B")


def test_a_network_without_layers_says_so():
    net = network([("x", "o")], inputs=["x"], outputs=["x", "o"])
    assert layers(net, "B", 10) == ()
    with pytest.raises(NetworkError, match="reading B"):
        random_layer(net, "B", Random(0))


@given(networks())
def test_cuts_by_distance(net):
    cuts = distance_cuts(net)
    assert len(cuts) == max(net.depths)
    for k, cut in enumerate(cuts):
        near = [v for v in range(net.vertex_count) if net.depths[v] <= k]
        assert cut == edges_leaving(net, near)
        assert is_layer(net, cut, "A")
    assert is_layer(net, cuts[0], "B")


def test_the_weight_matrices_of_a_fully_connected_network_are_layers():
    net = fully_connected([2, 3, 4, 1])
    cuts = distance_cuts(net)
    assert [len(cut) for cut in cuts] == [6, 12, 4]
    assert sorted(chain(*cuts)) == list(range(net.edge_count))
    assert all(is_layer(net, cut, reading) for cut in cuts for reading in "AB")


@pytest.mark.parametrize("reading", ["C", "", "a"])
def test_unknown_readings_are_refused(reading):
    for call in (
        lambda: is_layer(N_SHAPE, [], reading),
        lambda: layers(N_SHAPE, reading, 9),
        lambda: random_layer(N_SHAPE, reading, Random(0)),
    ):
        with pytest.raises(NetworkError, match="use one of A, B"):
            call()


def test_edges_must_exist():
    with pytest.raises(NetworkError, match="no edge number 4"):
        antichain(N_SHAPE, [0, 4])
