"""Balance identities against sums over paths; and that nothing balances where it must not."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.activations import TANH
from graphs.balance import Balanced, Unbalanced, Unqualified
from graphs.families import fully_connected
from graphs.layers import is_layer
from graphs.strategies import networks
from tests.verify.drawn_cases import naive_paths, net_of
from verify.controls import doubled_out_edges
from verify.corpus import all_small_networks
from verify.registry import find
from verify.structure import PAIRS, SMALL, disagreement, layer_identities, vertex_identities

NETWORKS = networks(max_inputs=2, max_hidden=4)
KINDS = ("A", "B")


def decided(identities, net):
    return identities(net, Random(1))


def edges_of(net, ends):
    return [net.edge_between(tail, head) for tail, head in ends]


def path_sums(net, first, second):
    """For each path the number of its edges in `first` minus that in `second`."""
    return [
        sum(e in first for e in path) - sum(e in second for e in path)
        for _, path in naive_paths(net)
    ]


# vertices -----------------------------------------------------------------------------------
@settings(max_examples=40)
@given(NETWORKS)
def test_every_vertex_of_a_homogeneous_network_balances(net):
    found = decided(vertex_identities, net)
    assert [entry["vertex"] for entry, _ in found] == [net.names[v] for v in net.inner]
    for entry, outcome in found:
        v = net.index[entry["vertex"]]
        assert isinstance(outcome, Balanced)
        assert set(path_sums(net, net.in_edges[v], net.out_edges[v])) == {0}


def test_a_frozen_edge_a_tied_weight_and_tanh_balance_nothing():
    edges = "x1>h x2>h h>g g>o"
    for net in (
        net_of(edges, fixed={("h", "g"): 1}),
        net_of(edges, parameters={("x1", "h"): "w", ("g", "o"): "w"}),
        net_of(edges, {"h": TANH}),
        net_of(edges, {"o": TANH}),
    ):
        for _, outcome in decided(vertex_identities, net):
            assert isinstance(outcome, Unqualified)
            assert outcome.reason


def test_a_frozen_edge_elsewhere_does_no_harm():
    net = net_of("x>h h>g g>f f>o", fixed={("x", "h"): 1})
    found = {entry["vertex"]: type(outcome) for entry, outcome in decided(vertex_identities, net)}
    assert found == {"h": Unqualified, "g": Balanced, "f": Balanced}


# layers -------------------------------------------------------------------------------------
@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("reading", KINDS)
@settings(max_examples=30)
@given(net=NETWORKS)
def test_pairs_of_layers_balance_exactly_where_every_path_does(reading, last, net):
    for entry, outcome in decided(layer_identities(reading, last=last), net):
        first, second = (edges_of(net, ends) for ends in entry["layers"])
        for layer in (first, second):
            assert is_layer(net, layer, reading)
        sums = path_sums(net, first, second)
        if isinstance(outcome, Unbalanced):
            assert reading == "A"  # by reading B every path meets both once
            assert any(sums)
        else:
            assert isinstance(outcome, Balanced)
            assert set(sums) == {0}
        if last:
            assert sorted(second) == list(net.in_edges[net.outputs[0]])


@pytest.mark.parametrize("reading", KINDS)
def test_small_networks_are_looked_at_completely(reading):
    """All layers, each against one: as many as there are."""
    for net in all_small_networks(1):
        assert net.edge_count <= SMALL
        found = [entry["layers"] for entry, _ in decided(layer_identities(reading), net)]
        subsets = [
            {e for e in range(net.edge_count) if bits >> e & 1}
            for bits in range(1, 1 << net.edge_count)
        ]
        expected = {frozenset(s) for s in subsets if is_layer(net, sorted(s), reading)}
        layers = {frozenset(edges_of(net, layer)) for pair in found for layer in pair}
        assert layers == expected if len(expected) > 1 else found == []
        assert len(found) == len(expected) - 1
        assert len({str(second) for _, second in found}) <= 1


def test_reading_a_has_layers_that_do_not_balance():
    net = net_of("x1>o x2>o")
    outcomes = [outcome for _, outcome in decided(layer_identities("A"), net)]
    assert any(isinstance(outcome, Unbalanced) for outcome in outcomes)
    assert all(isinstance(outcome, Balanced) for _, outcome in decided(layer_identities("B"), net))


@pytest.mark.parametrize("reading", KINDS)
def test_large_networks_are_sampled(reading):
    found = decided(layer_identities(reading), fully_connected([3, 4, 4, 1]))
    distinct = {str(entry) for entry, _ in found}
    assert PAIRS / 4 < len(found) == len(distinct) < PAIRS
    assert all(first != second for first, second in (entry["layers"] for entry, _ in found))


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("reading", KINDS)
def test_layers_with_frozen_or_tied_edges_are_left_out(reading, last):
    edges = "x1>h x2>h h>g g>o x2>o"
    for net in (
        net_of(edges, fixed={("h", "g"): 1, ("x2", "o"): 1}),
        net_of(edges, parameters={("x1", "h"): "w", ("h", "g"): "w", ("x2", "o"): "w"}),
    ):
        for entry, _ in decided(layer_identities(reading, last=last), net):
            for layer in entry["layers"]:
                assert all(net.own_parameter(e) for e in edges_of(net, layer))
    frozen = net_of("x>h h>o", fixed={("h", "o"): 1})
    assert decided(layer_identities(reading, last=True), frozen) == []


# identities and measures -------------------------------------------------------------------------
LAW, LAYERS, LAST = map(find, ("lj22.lemma2a", "lj22.lemma3@B", "lj22v1.eq8.b@B"))


@settings(max_examples=20)
@given(NETWORKS)
def test_identities_are_those_of_the_measures(net):
    for claim in (LAW, LAYERS, LAST):
        assert disagreement(claim, net, decided(claim.identities, net), Random(2)) is None


def noticed(claim, net, found):
    """Whether some random weights and velocities tell the measure from the identities."""
    return any(disagreement(claim, net, found, Random(seed)) is not None for seed in range(5))


@settings(max_examples=20)
@given(NETWORKS)
def test_a_measure_of_something_else_is_noticed(net):
    """The true identities beside the law with the out-edges counted twice; and layers swapped."""
    twice = replace(LAW, measure=doubled_out_edges)
    found = decided(LAW.identities, net)
    assert noticed(twice, net, found) is bool(found)

    def swapped(scene):
        entries = LAYERS.measure(scene)
        return replace(entries, values=-entries.values)

    found = decided(LAYERS.identities, net)
    other = replace(LAYERS, measure=swapped)
    assert noticed(other, net, found) is bool(found)


@settings(max_examples=20)
@given(networks(max_inputs=2, max_hidden=3, activations=st.just(TANH)))
def test_layers_of_smooth_networks_balance_nowhere(net):
    for reading in KINDS:
        for last in (False, True):
            for _, outcome in decided(layer_identities(reading, last=last), net):
                assert isinstance(outcome, Unqualified)
