"""Paths: counts against enumeration, enumeration against networkx, tables against both."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import prod

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.activations import LINEAR
from graphs.errors import NetworkError, ParameterError, TooManyPathsError
from graphs.evaluation import Union
from graphs.families import fully_connected
from graphs.network import Network, network
from graphs.paths import (
    all_paths,
    count_paths,
    enumerate_paths,
    path_enumeration,
    path_table,
)
from graphs.strategies import networks, rationals
from tests.graphs.evaluated import outputs_at

ONE_OUTPUT = networks()
# the second output of two is no longer one: a dead end, as graphs by hand may have them
DEAD_ENDS = networks(max_outputs=2).map(lambda net: replace(net, outputs=net.outputs[:1]))
ANY = st.one_of(ONE_OUTPUT, networks(max_outputs=3), DEAD_ENDS)


def by_networkx(net: Network, source: int, target: int) -> set[tuple[int, ...]]:
    if source == target:
        return {()}
    graph = net.to_networkx()
    found = networkx.all_simple_edge_paths(graph, net.names[source], net.names[target])
    return {tuple(graph.edges[edge]["edge"] for edge in path) for path in found}


def from_inputs(net: Network) -> Counter:
    return Counter(path for v in net.inputs for o in net.outputs for path in by_networkx(net, v, o))


@given(ANY)
def test_enumeration_finds_the_paths_of_networkx(net):
    assert Counter(enumerate_paths(net)) == from_inputs(net)


@given(ANY)
def test_order_is_that_of_the_inputs_then_lexicographic(net):
    paths = list(enumerate_paths(net))
    position = {v: k for k, v in enumerate(net.inputs)}
    assert paths == sorted(paths, key=lambda p: (position[net.tails[p[0]]], p))


@given(ANY)
def test_counts_are_those_of_the_enumeration(net):
    counts = count_paths(net)
    paths = list(enumerate_paths(net))
    assert counts.total == len(paths)
    edges = Counter(e for path in paths for e in path)
    vertices = Counter(v for p in paths for v in (net.tails[p[0]], *(net.heads[e] for e in p)))
    assert [counts.through_edge(e) for e in range(net.edge_count)] == [
        edges[e] for e in range(net.edge_count)
    ]
    assert [counts.through_vertex(v) for v in range(net.vertex_count)] == [
        vertices[v] for v in range(net.vertex_count)
    ]


@given(ANY, st.data())
def test_paths_between_any_vertices(net, data):
    source, target = (data.draw(st.integers(0, net.vertex_count - 1)) for _ in range(2))
    expected = by_networkx(net, source, target)
    ends = {"sources": (source,), "targets": (target,)}
    assert set(enumerate_paths(net, **ends)) == expected
    counts = count_paths(net, **ends)
    assert counts.total == counts.into[target] == counts.out_of[source] == len(expected)


@given(ANY)
def test_the_cap_is_the_number_of_paths_allowed(net):
    total = count_paths(net).total
    assert len(all_paths(net, total)) == total
    assert list(enumerate_paths(net, total)) == list(all_paths(net, total))
    with pytest.raises(TooManyPathsError, match=f"the cap is {total - 1}"):
        all_paths(net, total - 1)
    lazily = enumerate_paths(net, total - 1)
    assert len([next(lazily) for _ in range(total - 1)]) == total - 1
    with pytest.raises(TooManyPathsError, match="raise the cap"):
        next(lazily)


def test_counts_are_exact_integers_of_any_size():
    counts = count_paths(fully_connected([30] * 30 + [1]))
    assert counts.total == 30**30
    assert counts.through_vertex(31) == 30**29
    assert counts.through_edge(0) == 30**28


def test_a_huge_network_is_refused_before_enumerating_and_begun_lazily():
    net = fully_connected([30] * 30 + [1])
    with pytest.raises(TooManyPathsError):
        all_paths(net, 10**6)
    assert len(next(enumerate_paths(net))) == 30


def test_a_deep_chain_needs_no_recursion():
    names = [f"v{k}" for k in range(5000)]
    chain = network(list(pairwise(names)), inputs=names[:1], outputs=names[-1:])
    assert list(enumerate_paths(chain)) == [tuple(range(4999))]
    assert count_paths(chain).total == 1


def test_an_input_that_is_an_output_has_the_empty_path():
    net = network([("x", "o")], inputs=["x"], outputs=["x", "o"])
    assert list(enumerate_paths(net)) == [(), (0,)]
    assert path_table(Union.of([net]), 2).edges.tolist() == [[-1], [0]]


def test_ends_must_be_vertices():
    net = fully_connected([1, 1])
    with pytest.raises(NetworkError, match="sources"):
        count_paths(net, sources=(7,))
    with pytest.raises(NetworkError, match="targets"):
        list(enumerate_paths(net, targets=(1, 1)))


@given(networks(fixed=True, sharing=True, constants=True), st.data())
def test_path_enumeration_is_its_definition(net, data):
    weights = data.draw(st.tuples(*[rationals()] * net.parameter_count))
    x = data.draw(st.tuples(*[rationals()] * len(net.free_inputs)))
    carried = net.edge_weights(weights)
    coordinate = dict(zip(net.free_inputs, x, strict=True))
    coordinate |= {v: c for v, c in zip(net.inputs, net.constants, strict=True) if c is not None}
    for absolute in (False, True):
        sizes = [abs(w) for w in carried] if absolute else carried
        expected = tuple(
            coordinate[net.tails[path[0]]] * prod((sizes[e] for e in path), start=Fraction(1))
            for path in enumerate_paths(net)
        )
        assert path_enumeration(net, weights, x, absolute) == expected


@given(networks(activations=st.just(LINEAR), constants=True), st.data())
def test_the_entries_of_a_linear_network_sum_to_its_value(net, data):
    weights = data.draw(st.tuples(*[rationals()] * net.parameter_count))
    x = data.draw(st.tuples(*[rationals()] * len(net.free_inputs)))
    assert [sum(path_enumeration(net, weights, x))] == outputs_at(net, weights, x)


def test_path_enumeration_checks_what_it_is_given():
    net = fully_connected([2, 2, 1])
    weights = [Fraction(1)] * 6
    with pytest.raises(NetworkError, match="1 coordinates for the 2 free inputs"):
        path_enumeration(net, weights, [Fraction(1)])
    with pytest.raises(ParameterError, match="5 weights"):
        path_enumeration(net, weights[1:], [Fraction(1)] * 2)
    with pytest.raises(TooManyPathsError, match="4 paths"):
        path_enumeration(net, weights, [Fraction(1)] * 2, cap=3)


@given(st.lists(ANY, min_size=1, max_size=4))
def test_the_table_lists_the_paths_of_every_network(nets):
    union = Union.of(nets)
    table = path_table(union, 10**6)
    expected = [
        (owner, tuple(union.edge_offset[owner] + np.array(path)))
        for owner, net in enumerate(nets)
        for path in enumerate_paths(net)
    ]
    rows = [tuple(e for e in row if e >= 0) for row in table.edges.tolist()]
    assert list(zip(table.owner.tolist(), rows, strict=True)) == expected
    assert len(table) == len(expected)
    assert table.first_input.tolist() == [union.tails[row[0]] for row in rows]
    padded = table.edges == -1
    assert (padded[:, :-1] <= padded[:, 1:]).all()  # at the right only


@given(st.lists(ANY, min_size=1, max_size=3))
def test_incidence_pairs_a_path_with_what_it_passes_through(nets):
    union = Union.of(nets)
    table = path_table(union, 10**6)
    rows = [[e for e in row if e >= 0] for row in table.edges.tolist()]
    edges = [(k, e) for k, row in enumerate(rows) for e in row]
    vertices = [
        (k, v) for k, row in enumerate(rows) for v in [union.tails[row[0]], *union.heads[row]]
    ]
    for incidence, expected in ((table.edge_incidence, edges), (table.vertex_incidence, vertices)):
        pairs = zip(incidence.paths.tolist(), incidence.members.tolist(), strict=True)
        assert list(pairs) == expected


def test_the_cap_of_a_table_is_for_each_network():
    union = Union.of([fully_connected([2, 2, 1]), fully_connected([2, 3, 1])])
    assert len(path_table(union, 6)) == 10
    with pytest.raises(TooManyPathsError, match="6 paths"):
        path_table(union, 5)
