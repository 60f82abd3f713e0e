"""The small networks are all there are, each of them once; biases are as described."""

from itertools import product

import pytest

from graphs.activations import LINEAR, RELU
from verify.cases.small_networks import all_small_networks, biased, small_networks


def edge_sets(networks):
    return [
        frozenset((net.names[a], net.names[b]) for a, b in zip(net.tails, net.heads, strict=True))
        for net in networks
    ]


def every_graph(inputs, hidden):
    """Every edge set along x1, ..., h1, ..., o in which no vertex is loose, by brute force."""
    names = [f"x{k + 1}" for k in range(inputs)] + [f"h{k + 1}" for k in range(hidden)] + ["o"]
    possible = [
        (tail, head)
        for place, head in enumerate(names)
        if place >= inputs
        for tail in names[:place]
    ]
    for chosen in product((False, True), repeat=len(possible)):
        edges = {edge for edge, there in zip(possible, chosen, strict=True) if there}
        heads, tails = {head for _, head in edges}, {tail for tail, _ in edges}
        if heads == set(names[inputs:]) and tails == set(names[:-1]):
            yield frozenset(edges)


@pytest.mark.parametrize(
    ("inputs", "hidden"), [(1, 0), (2, 0), (1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (1, 3)]
)
def test_small_networks_are_all_and_each_once(inputs, hidden):
    found = edge_sets(small_networks(inputs, hidden))
    assert len(found) == len(set(found))
    assert set(found) == set(every_graph(inputs, hidden))


def test_small_networks_by_hand():
    # x -> h -> o, with and without x -> o
    assert [len(edges) for edges in edge_sets(small_networks(1, 1))] == [2, 3]


def test_small_networks_are_networks():
    for net in small_networks(2, 2, LINEAR):
        assert [net.names[v] for v in net.inputs] == ["x1", "x2"]
        assert [net.names[v] for v in net.outputs] == ["o"]
        assert {a for v, a in enumerate(net.activations) if v in net.inner} == {LINEAR}
        assert not net.shares_parameters
        assert all(map(net.own_parameter, range(net.edge_count)))
    assert {a for net in small_networks(1, 1) for a in net.activations} == {LINEAR, RELU}


def test_all_small_networks_are_those_of_each_size():
    found = edge_sets(all_small_networks(2))
    sizes = [(inputs, hidden) for hidden in range(3) for inputs in (1, 2)]
    assert len(found) == sum(len(list(small_networks(*size))) for size in sizes)
    assert len(found) == len(set(found))


@pytest.mark.parametrize(("reading", "extra"), [("A", 1), ("B", 2)])
def test_biases(reading, extra):
    net = next(small_networks(1, 1))
    with_bias = biased(net, reading)
    assert len(with_bias.inputs) == 1 + extra
    assert with_bias.edge_count == net.edge_count + 2
    assert with_bias.constants[1:] == (1,) * extra
