from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.activations import ABS, LINEAR, RELU
from graphs.composition import (
    compose,
    linear_head,
    single_output,
    with_bias,
    without_dead_ends,
)
from graphs.convolutions import convolution
from graphs.errors import NetworkError
from graphs.families import dense_net, fully_connected, random_tree
from graphs.network import network
from graphs.random_graphs import layered_random_dag, random_dag
from graphs.residual import residual_block
from graphs.strategies import inputs_for, networks, rationals, weights_for
from tests.graphs.drawn_points import in_degree_scaling
from tests.graphs.evaluated import by_name, in_order, matrix, on_paths, outputs_at, times

drawn_networks = networks(max_hidden=3, max_outputs=2, sharing=True, fixed=True, constants=True)


@given(data=st.data(), first=drawn_networks, second=drawn_networks)
def test_a_composition_computes_the_composed_function(data, first, second):
    count = len(second.free_inputs)
    if len(first.outputs) != count:
        first = linear_head(first, count, ABS)
    whole = compose(first, second)
    w1, w2 = data.draw(weights_for(first)), data.draw(weights_for(second))
    x = data.draw(inputs_for(first))
    named = {f"1/{name}": weight for name, weight in by_name(first, w1).items()}
    named |= {f"2/{name}": weight for name, weight in by_name(second, w2).items()}
    expected = outputs_at(second, w2, outputs_at(first, w1, x))
    assert outputs_at(whole, in_order(whole, named), x) == expected
    assert whole.parameter_count == len(named)
    assert whole.edge_count == first.edge_count + second.edge_count
    assert whole.vertex_count == first.vertex_count + second.vertex_count - count


def test_families_compose_in_sequence():
    r = Random(5)
    parts = [
        convolution(6, (1, 2), 3, stride=1, activation=RELU),
        convolution(4, (2, 1), 2, stride=1, activation=RELU),
        residual_block("identity", 3, 2),
        residual_block("free", 3, 2, 2),
        layered_random_dag(r, [2, 3, 3], 0.5),
        fully_connected([3, 1]),
    ]
    whole = compose(*parts)
    weights = [[Fraction(r.randint(-3, 3)) for _ in p.parameter_names] for p in parts]
    x = [Fraction(r.randint(-3, 3)) for _ in range(6)]
    named, expected = {}, x
    for place, (part, own) in enumerate(zip(parts, weights, strict=True), start=1):
        named |= {f"{place}/{name}": weight for name, weight in by_name(part, own).items()}
        expected = outputs_at(part, own, expected)
    assert outputs_at(whole, in_order(whole, named), x) == expected
    assert on_paths(whole)


def test_a_merged_vertex_keeps_what_it_was_as_an_output():
    first = in_degree_scaling(fully_connected([2, 2], output=ABS))
    whole = compose(first, fully_connected([2, 1], output=RELU))
    merged = whole.index["1/o2"]
    assert whole.activations[merged] == ABS
    assert whole.scale_squares[merged] == Fraction(1, 2)
    assert merged in whole.inner
    assert "2/x2" not in whole.index
    assert whole.title == "fully connected 2-2 > fully connected 2-1"


def test_later_networks_keep_their_scales():
    whole = compose(fully_connected([2, 2]), in_degree_scaling(fully_connected([2, 3, 1])))
    scales = dict(zip(whole.names, whole.scale_squares, strict=True))
    assert (scales["2/h1.2"], scales["2/o"]) == (Fraction(1, 2), Fraction(1, 3))
    assert scales["1/o1"] == 1


def test_biases_of_later_networks_are_inputs_of_the_whole():
    part = fully_connected([2, 2], bias=True)
    whole = compose(part, part)
    constants = [whole.names[v] for v in whole.inputs if v not in whole.free_inputs]
    assert constants == ["1/bias", "2/bias"]
    assert [whole.names[v] for v in whole.free_inputs] == ["1/x1", "1/x2"]


def test_a_composition_of_one_is_itself_and_sizes_must_match():
    net = fully_connected([2, 3])
    assert compose(net) is net
    with pytest.raises(NetworkError, match=r"network 2 .* has 3 outputs but network 3, .* has 2"):
        compose(fully_connected([1, 2]), net, net)


@given(data=st.data(), net=networks(max_outputs=3), heads=st.integers(1, 2))
def test_a_head_is_a_matrix_on_the_outputs(data, net, heads):
    whole = linear_head(net, heads)
    named = by_name(whole, data.draw(weights_for(whole)))
    x = data.draw(inputs_for(net))
    before = outputs_at(net, in_order(net, named), x)
    rows = matrix(
        named, [net.names[v] for v in net.outputs], [whole.names[v] for v in whole.outputs]
    )
    assert outputs_at(whole, in_order(whole, named), x) == times(rows, before)


def test_only_networks_with_several_outputs_get_a_head():
    one = fully_connected([2, 3, 1])
    assert single_output(one) is one
    many = single_output(fully_connected([2, 3]), ABS)
    assert [many.names[v] for v in many.outputs] == ["o"]
    assert many.activations[many.outputs[0]] == ABS
    second = linear_head(one)
    assert [second.names[v] for v in second.outputs] == ["o'"]
    with pytest.raises(NetworkError, match="outputs = 0"):
        linear_head(one, 0)


@given(data=st.data(), net=networks(max_outputs=2), shared=st.booleans())
def test_a_bias_is_added_to_the_preactivation(data, net, shared):
    # the same value from a network whose last input is a free one that we set to 1 ourselves
    at = [net.names[v] for v in data.draw(st.sets(st.sampled_from([*net.inner, *net.outputs])))]
    biased = with_bias(net, at, shared=shared)
    edges = [tuple(net.edge_name(e).split("->")) for e in range(net.edge_count)]
    explicit = network(
        edges + [("one", name) for name in at],
        inputs=[*(net.names[v] for v in net.inputs), "one"],
        outputs=[net.names[v] for v in net.outputs],
        activations={net.names[v]: net.activations[v] for v in (*net.inner, *net.outputs)},
    )
    named = {name: data.draw(rationals()) for name in explicit.parameter_names}
    for name in at:
        source = "bias" if shared else f"bias[{name}]"
        named[f"w[{source}->{name}]"] = named[f"w[one->{name}]"]
    x = data.draw(inputs_for(net))
    assert outputs_at(biased, in_order(biased, named), x) == outputs_at(
        explicit, in_order(explicit, named), [*x, Fraction(1)]
    )
    assert len(biased.inputs) - len(net.inputs) == (min(1, len(at)) if shared else len(at))
    assert biased.parameter_count == net.parameter_count + len(at)


def test_the_two_readings_of_a_bias():
    net = fully_connected([2, 2, 1])
    shared, own = with_bias(net), with_bias(net, shared=False)
    assert [shared.names[v] for v in shared.inputs] == ["x1", "x2", "bias"]
    assert [own.names[v] for v in own.inputs] == ["x1", "x2"] + [
        f"bias[{name}]" for name in ("h1.1", "h1.2", "o")
    ]
    assert shared.constants == (None, None, 1)
    assert own.constants == (None, None, 1, 1, 1)
    assert shared.has_bias
    assert own.has_bias
    assert with_bias(net, []) == net


@pytest.mark.parametrize(
    ("at", "message"),
    [
        (["nobody"], "'nobody', which is not a vertex"),
        (["x1"], "bias at the input 'x1'"),
        (["o", "o"], "'o' twice"),
    ],
)
def test_impossible_biases_are_refused(at, message):
    with pytest.raises(NetworkError, match=message):
        with_bias(fully_connected([1, 1]), at)


def test_a_second_shared_bias_is_refused():
    with pytest.raises(NetworkError, match="has a vertex 'bias' already"):
        with_bias(fully_connected([1, 1], bias=True))


@given(net=networks(max_hidden=5, scaling=True))
def test_in_degree_scaling_divides_by_the_root_of_the_in_degree(net):
    scaled = in_degree_scaling(net)
    for v in (*net.inner, *net.outputs):
        assert scaled.scale_squares[v] * sum(head == v for head in net.heads) == 1
    assert all(scaled.scale_squares[v] == 1 for v in net.inputs)
    assert scaled.tails == net.tails


def test_dead_ends_go_and_the_function_stays():
    # a stride of 2 passes over the last of six positions
    whole = compose(convolution(6, (1, 1), 1, activation=RELU), convolution(6, (1, 1), 3, stride=2))
    assert not on_paths(whole)
    alive = without_dead_ends(whole)
    assert set(whole.names) - set(alive.names) == {"1/y[1,6]"}
    weights = [Fraction(k + 1) for k in range(whole.parameter_count)]
    x = [Fraction(k, 5) for k in (-1, 2, 3, -2, 4, 1)]
    assert outputs_at(alive, in_order(alive, by_name(whole, weights)), x) == outputs_at(
        whole, weights, x
    )
    assert [alive.names[v] for v in alive.inputs] == [whole.names[v] for v in whole.inputs]


@given(net=networks(max_hidden=5, sharing=True, fixed=True, constants=True, scaling=True))
def test_a_network_without_dead_ends_stays_as_it_is(net):
    assert without_dead_ends(net) == net


@pytest.mark.parametrize(
    "net",
    [
        random_dag(Random(0), 3, 6, 0.4),
        random_tree(Random(0), 4),
        dense_net(2, 2, [2, 2]),
        convolution((3, 3), (1, 2), (2, 2), 1, 1),
    ],
    ids=lambda net: net.title,
)
def test_every_family_becomes_scalar(net):
    scalar = single_output(net)
    assert len(scalar.outputs) == 1
    assert on_paths(scalar)
    assert scalar.activations[scalar.outputs[0]] == LINEAR
