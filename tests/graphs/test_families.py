from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.activations import ABS, LINEAR, RELU, leaky_relu
from graphs.errors import CycleError, NetworkError
from graphs.families import bottleneck, dense_net, fully_connected, random_tree, tree
from graphs.strategies import inputs_for, rationals, weights_for
from tests.graphs.evaluated import applied, by_name, matrix, on_paths, outputs_at, times

KINDS = {"linear": LINEAR, "relu": RELU, "abs": ABS, "half": leaky_relu("1/2")}
kinds = st.sampled_from(sorted(KINDS))


@given(data=st.data(), widths=st.lists(st.integers(1, 4), min_size=2, max_size=5), last=kinds)
def test_a_fully_connected_network_is_its_matrices(data, widths, last):
    inner = data.draw(st.lists(kinds, min_size=len(widths) - 2, max_size=len(widths) - 2))
    net = fully_connected(widths, [KINDS[kind] for kind in inner], KINDS[last])
    weights = data.draw(weights_for(net))
    x = data.draw(inputs_for(net))
    layers = [[f"x{j + 1}" for j in range(widths[0])]]
    layers += [[f"h{k}.{j + 1}" for j in range(w)] for k, w in enumerate(widths[1:-1], start=1)]
    layers += [["o"] if widths[-1] == 1 else [f"o{j + 1}" for j in range(widths[-1])]]
    expected = list(x)
    for before, after, kind in zip(layers, layers[1:], [*inner, last], strict=False):
        expected = applied(kind, times(matrix(by_name(net, weights), before, after), expected))
    assert outputs_at(net, weights, x) == expected
    assert net.parameter_count == sum(a * b for a, b in pairwise(widths))


@given(data=st.data(), widths=st.lists(st.integers(1, 3), min_size=2, max_size=4))
def test_the_bias_of_a_fully_connected_network_is_added(data, widths):
    net = fully_connected(widths, RELU, bias=True)
    plain = fully_connected(widths, RELU)
    named = {name: data.draw(rationals()) for name in net.parameter_names}
    x = data.draw(inputs_for(net))
    expected = list(x)
    layers = [
        [plain.names[v] for v in range(plain.vertex_count) if plain.depths[v] == k]
        for k in range(len(widths))
    ]
    for k, (before, after) in enumerate(pairwise(layers), start=1):
        z = times(matrix(named, before, after), expected)
        z = [number + named[f"w[bias->{name}]"] for number, name in zip(z, after, strict=True)]
        expected = applied("linear" if k == len(widths) - 1 else "relu", z)
    assert outputs_at(net, [named[name] for name in net.parameter_names], x) == expected


@pytest.mark.parametrize(
    ("widths", "hidden", "message"),
    [
        ([3], RELU, "at least those of inputs and outputs"),
        ([3, 0, 1], RELU, "width 0 is not positive"),
        ([3, 2, 1], [RELU, RELU], "2 activations for 1 hidden layers"),
    ],
)
def test_impossible_widths_are_refused(widths, hidden, message):
    with pytest.raises(NetworkError, match=message):
        fully_connected(widths, hidden)


def test_a_bottleneck_has_its_own_activation_only_where_it_is_narrow():
    net = bottleneck([2, 4, 1, 3, 2, 5, 1], hidden=ABS, narrow=RELU)
    kinds_by_layer = {net.depths[v]: net.activations[v] for v in net.inner}
    assert kinds_by_layer == {1: ABS, 2: RELU, 3: ABS, 4: RELU, 5: ABS}
    assert net == fully_connected([2, 4, 1, 3, 2, 5, 1], [ABS, RELU, ABS, RELU, ABS])
    with pytest.raises(NetworkError, match="no bottleneck"):
        bottleneck([4, 3, 2, 1])


@given(
    data=st.data(),
    inputs=st.integers(1, 3),
    growth=st.integers(1, 2),
    blocks=st.lists(st.integers(1, 3), min_size=1, max_size=2),
    share=st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(1)]),
)
def test_a_dense_net_concatenates(data, inputs, growth, blocks, share):
    net = dense_net(inputs, growth, blocks, share, hidden=ABS, transition=LINEAR, output=RELU)
    weights = data.draw(weights_for(net))
    named = by_name(net, weights)
    x = data.draw(inputs_for(net))
    names, features = [f"x{k + 1}" for k in range(inputs)], list(x)
    for b, layers in enumerate(blocks, start=1):
        if b > 1:
            width = max(1, len(names) * share.numerator // share.denominator)
            passed = [f"t{b - 1}.{k + 1}" for k in range(width)]
            names, features = passed, times(matrix(named, names, passed), features)
        for layer in range(1, layers + 1):
            new = [f"h{b}.{layer}.{k + 1}" for k in range(growth)]
            grown = applied("abs", times(matrix(named, names, new), features))
            names, features = names + new, features + grown
    expected = applied("relu", times(matrix(named, names, ["o"]), features))
    assert outputs_at(net, weights, x) == expected
    assert len(named) == net.edge_count


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 1, [1]), "inputs 0 is not positive"),
        ((1, 1, [1, 0]), "blocks 0 is not positive"),
        ((1, 1, []), "blocks is empty"),
        ((1, 1, [1, 1], "3/2"), r"compression 3/2 is not in \(0, 1\]"),
    ],
)
def test_impossible_dense_nets_are_refused(arguments, message):
    with pytest.raises(NetworkError, match=message):
        dense_net(*arguments)


def is_tree(net):
    """Connected without direction, and one edge fewer than vertices."""
    component = {0}
    for _ in range(net.vertex_count):
        for tail, head in zip(net.tails, net.heads, strict=True):
            if tail in component or head in component:
                component |= {tail, head}
    return len(component) == net.vertex_count == net.edge_count + 1


@given(seed=st.integers(0, 10**6), leaves=st.integers(1, 12), chain=st.sampled_from([0, 0.3, 0.7]))
def test_a_random_tree_is_a_tree_with_that_many_leaves(seed, leaves, chain):
    net = random_tree(Random(seed), leaves, chain)
    assert is_tree(net)
    assert on_paths(net)
    assert [net.names[v] for v in net.inputs] == [f"x{k + 1}" for k in range(leaves)]
    assert len(net.outputs) == 1
    assert all(len(net.out_edges[v]) == 1 for v in range(net.vertex_count) if v not in net.outputs)
    assert net == random_tree(Random(seed), leaves, chain)
    if chain == 0 and leaves > 1:
        assert all(len(net.in_edges[v]) > 1 for v in net.inner)


def test_random_trees_differ_and_have_chains_where_asked():
    chained = [random_tree(Random(seed), 3, 0.5) for seed in range(10)]
    assert any(len(net.in_edges[v]) == 1 for net in chained for v in net.inner)
    assert len({random_tree(Random(seed), 5).tails for seed in range(20)}) > 5


def test_a_tree_has_one_root_and_no_cycle():
    net = tree({"a": "h", "b": "h", "h": "root", "c": "root"}, hidden=ABS, output=RELU)
    assert [net.names[v] for v in net.inputs] == ["a", "b", "c"]
    assert [net.names[v] for v in net.outputs] == ["root"]
    assert str(net.activations[net.index["h"]]) == "abs"
    with pytest.raises(NetworkError, match="roots o, p"):
        tree({"x": "o", "y": "p"})
    with pytest.raises(CycleError, match="a->b->a"):
        tree({"a": "b", "b": "a"})
    with pytest.raises(CycleError, match="a->b->a"):
        tree({"x": "o", "a": "b", "b": "a"})
    with pytest.raises(NetworkError, match="without edges"):
        tree({})
    with pytest.raises(NetworkError, match="leaves 0 is not positive"):
        random_tree(Random(0), 0)
    with pytest.raises(NetworkError, match="chain = 1 is not in"):
        random_tree(Random(0), 2, chain=1)
