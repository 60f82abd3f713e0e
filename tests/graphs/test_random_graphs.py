from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.activations import ABS, LINEAR, RELU
from graphs.convolutions import convolution
from graphs.errors import NetworkError
from graphs.families import fully_connected
from graphs.network import network
from graphs.random_graphs import drop_edges, layered_random_dag, random_dag
from graphs.strategies import networks
from tests.graphs.evaluated import on_paths

seeds = st.integers(0, 10**6)
densities = st.sampled_from([0, 0.1, 0.5, 1])


def edge_names(net):
    return {net.edge_name(e) for e in range(net.edge_count)}


@given(seed=seeds, widths=st.lists(st.integers(1, 5), min_size=2, max_size=5), density=densities)
def test_layered_graphs_have_their_widths_and_only_successive_edges(seed, widths, density):
    net = layered_random_dag(Random(seed), widths, density)
    assert on_paths(net)
    assert [net.depths.count(k) for k in range(len(widths))] == widths
    assert all(
        net.depths[b] == net.depths[a] + 1 for a, b in zip(net.tails, net.heads, strict=True)
    )
    assert net == layered_random_dag(Random(seed), widths, density)
    if density == 1:
        assert net == fully_connected(widths)


@given(
    seed=seeds,
    inputs=st.integers(1, 4),
    hidden=st.integers(0, 8),
    outputs=st.integers(1, 3),
    density=densities,
)
def test_random_graphs_have_no_dead_ends(seed, inputs, hidden, outputs, density):
    net = random_dag(Random(seed), inputs, hidden, density, outputs=outputs)
    assert on_paths(net)
    assert (len(net.inputs), len(net.inner), len(net.outputs)) == (inputs, hidden, outputs)
    assert net == random_dag(Random(seed), inputs, hidden, density, outputs=outputs)
    if density == 1:
        every = hidden * (hidden - 1) // 2 + inputs * hidden + (inputs + hidden) * outputs
        assert net.edge_count == every


def test_random_graphs_are_not_layered_and_differ():
    drawn = [random_dag(Random(seed), 2, 5, 0.4) for seed in range(30)]
    assert len({(net.tails, net.heads) for net in drawn}) > 20
    jumps = [
        any(net.depths[b] > net.depths[a] + 1 for a, b in zip(net.tails, net.heads, strict=True))
        for net in drawn
    ]
    assert sum(jumps) > 20
    assert any(len(net.out_edges[v]) == 1 for net in drawn for v in net.inner)
    assert any(len(net.out_edges[v]) > 1 for net in drawn for v in net.inner)


def test_edges_that_mend_dead_ends_are_random_too():
    drawn = [random_dag(Random(seed), 4, 4, 0) for seed in range(20)]
    assert any(len(net.in_edges[v]) > 1 for net in drawn for v in net.inner)
    layered = [layered_random_dag(Random(seed), [3, 3], 0) for seed in range(20)]
    for name in ("x1", "x2", "x3"):
        assert any(f"{name}->o2" not in edge_names(net) for net in layered)
        assert any(f"{name}->o2" in edge_names(net) for net in layered)


def test_density_is_the_share_of_edges():
    net = layered_random_dag(Random(1), [40, 40, 40, 40], 0.3)
    assert 0.25 < net.edge_count / 4800 < 0.35


def test_activations_are_drawn_for_hidden_vertices_alone():
    net = random_dag(Random(3), 2, 30, 0.2, activations=[RELU, ABS], output=ABS)
    assert {str(net.activations[v]) for v in net.inner} == {"relu", "abs"}
    assert [net.activations[v] for v in net.outputs] == [ABS]
    assert {net.activations[v] for v in net.inputs} == {LINEAR}


@given(net=networks(max_hidden=6, max_outputs=2, sharing=True, fixed=True), seed=seeds)
def test_dropping_every_edge_that_can_go_leaves_a_minimal_network(net, seed):
    least = drop_edges(net, Random(seed), 1)
    assert on_paths(least)
    assert set(least.names) == set(net.names)
    kept = {least.edge_name(e) for e in range(least.edge_count)}
    assert kept <= {net.edge_name(e) for e in range(net.edge_count)}
    assert set(least.parameter_names) <= set(net.parameter_names)
    leaving = [len(edges) + (v in least.outputs) for v, edges in enumerate(least.out_edges)]
    for e in range(least.edge_count):
        alone = len(least.in_edges[least.heads[e]]) == 1 or leaving[least.tails[e]] == 1
        assert alone, f"{least.edge_name(e)} could have gone too"


@given(
    net=networks(max_hidden=6, max_outputs=2, sharing=True, fixed=True, scaling=True), seed=seeds
)
def test_dropping_no_edge_changes_nothing(net, seed):
    assert drop_edges(net, Random(seed), 0) == net


def test_edges_are_dropped_everywhere_with_the_given_probability():
    net = fully_connected([20, 20, 20, 20])
    thin = drop_edges(net, Random(0), 0.3)
    for layer in range(3):
        count = sum(thin.depths[tail] == layer for tail in thin.tails)
        assert 230 < count < 330


def test_any_edge_may_be_the_one_that_stays():
    net = network(
        [
            ("x", "a"),
            ("x", "b"),
            ("a", "c"),
            ("b", "c"),
            ("a", "d"),
            ("b", "d"),
            ("c", "o"),
            ("d", "o"),
        ],
        inputs=["x"],
        outputs=["o"],
    )
    left = {tuple(sorted(edge_names(drop_edges(net, Random(seed), 1)))) for seed in range(40)}
    assert len(left) == 2  # a->c and b->d, or a->d and b->c
    assert set().union(*left) == edge_names(net)


def test_an_output_may_lose_all_its_out_edges():
    net = network([("x", "p"), ("p", "o"), ("x", "o")], inputs=["x"], outputs=["p", "o"])
    left = {tuple(sorted(edge_names(drop_edges(net, Random(seed), 1)))) for seed in range(20)}
    assert left == {("x->o", "x->p"), ("p->o", "x->p")}


def test_dropped_edges_keep_the_sharing_of_the_others():
    net = convolution(8, (1, 1), 3)
    thin = drop_edges(net, Random(0), 0.4)
    for e in range(thin.edge_count):
        tail, head = thin.edge_name(e).split("->")
        before = net.parameter_of[net.edge_between(tail, head)]
        assert thin.parameter_names[thin.parameter_of[e]] == net.parameter_names[before]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda r: layered_random_dag(r, [2], 0.5), "at least two, all positive"),
        (lambda r: layered_random_dag(r, [2, 0, 1], 0.5), "at least two, all positive"),
        (lambda r: layered_random_dag(r, [2, 1], 1.5), r"density = 1.5 is not in \[0, 1\]"),
        (lambda r: random_dag(r, 0, 1, 0.5), "0 inputs"),
        (lambda r: random_dag(r, 1, 1, 0.5, activations=[]), "activations is empty"),
        (lambda r: drop_edges(fully_connected([1, 1]), r, -0.1), "probability = -0.1"),
    ],
)
def test_impossible_arguments_are_refused(call, message):
    with pytest.raises(NetworkError, match=message):
        call(Random(0))
