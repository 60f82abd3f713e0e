"""Paths: counts against enumeration, enumeration against networkx, tables against both."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.errors import NetworkError, TooManyPathsError
from graphs.evaluation import Union
from graphs.families import fully_connected
from graphs.network import Network, network
from graphs.paths import (
    count_paths,
    enumerate_paths,
    path_table,
)
from graphs.strategies import networks

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
    ends = enumerate(zip(net.tails, net.heads, strict=True))
    assert all(counts.into[u] * counts.out_of[v] == edges[e] for e, (u, v) in ends)
    through = [a * b for a, b in zip(counts.into, counts.out_of, strict=True)]
    assert through == [vertices[v] for v in range(net.vertex_count)]


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
    assert list(enumerate_paths(net, total)) == list(enumerate_paths(net))
    lazily = enumerate_paths(net, total - 1)
    assert len([next(lazily) for _ in range(total - 1)]) == total - 1
    with pytest.raises(TooManyPathsError, match="raise the cap"):
        next(lazily)


def test_counts_are_exact_integers_of_any_size():
    counts = count_paths(fully_connected([30] * 30 + [1]))
    assert counts.total == 30**30
    assert counts.into[31] * counts.out_of[31] == 30**29
    assert len(next(enumerate_paths(counts.network))) == 30


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


def test_the_cap_of_a_table_is_for_each_network():
    union = Union.of([fully_connected([2, 2, 1]), fully_connected([2, 3, 1])])
    assert len(path_table(union, 6)) == 10
    with pytest.raises(TooManyPathsError, match="6 paths"):
        path_table(union, 5)
