"""Small changes of a case: what they keep and what they change."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graphs.activations import LINEAR, RELU, TANH
from graphs.families import fully_connected
from graphs.layers import is_layer
from graphs.neighbourhoods import equal_neighbourhoods
from tests.verify.drawn_cases import case_of, drawn_cases, net_of, nu, pres
from verify.cases.pool import Pool
from verify.cases.transformations import (
    contract,
    copy_in_weights,
    freeze_edge,
    freeze_one_of,
    make_dormant,
    map_inner_activations,
    nonzero_weights,
    random_layers,
    random_rational,
    tie_edges,
    twin,
    with_one_loss,
)

FEW = settings(max_examples=30)
RANDOMS = st.integers(0, 10**6).map(Random)
CHAIN = case_of(net_of("x>h h>o", {"h": RELU}), {"x>h": 3, "h>o": 2}, [(["1/2"], 1, 1)])


def outputs(case):
    return [nu(case, j) for j in range(case.example_count)]


@FEW
@given(RANDOMS, st.booleans())
def test_random_rationals_are_small(random, zero):
    number = random_rational(random, zero=zero)
    assert abs(number) <= 6
    assert number.denominator <= 4
    assert zero or number != 0


@FEW
@given(drawn_cases(sharing=True), RANDOMS)
def test_zero_weights_are_replaced_and_no_others(case, random):
    changed = nonzero_weights(case, random)
    assert 0 not in changed.weights
    pairs = zip(case.weights, changed.weights, strict=True)
    assert all(before == after for before, after in pairs if before != 0)


@FEW
@given(drawn_cases())
def test_activations_are_mapped_inside(case):
    inside = map_inner_activations(case, lambda a: TANH).network
    everywhere = map_inner_activations(case, lambda a: TANH, outputs=True).network
    for v in range(inside.vertex_count):
        is_inner = v in case.network.inner
        assert (inside.activations[v] == TANH) is is_inner
        assert (everywhere.activations[v] == TANH) is (is_inner or v in case.network.outputs)


# slopes of one loss ----------------------------------------------------------------------------
@FEW
@given(drawn_cases(n=3))
def test_equal_margins_get_equal_slopes(case):
    changed = with_one_loss(case)
    margins = [nu(case, j) * case.labels[j] for j in range(3)]
    by_margin = {}
    for margin, before, after in zip(margins, case.slopes, changed.slopes, strict=True):
        # the first slope at a margin is the one that all of them get
        assert after == by_margin.setdefault(margin, before)
    if len(set(margins)) == 3:
        assert changed == case


def test_other_losses_keep_their_slopes():
    squared = replace(CHAIN, loss="squared", slopes=())
    assert with_one_loss(squared) == squared
    net = CHAIN.network.with_activations({"h": TANH})
    smooth = replace(CHAIN, network=net)
    assert with_one_loss(smooth) == smooth


# edges ------------------------------------------------------------------------------------------
@FEW
@given(drawn_cases(), RANDOMS)
def test_a_frozen_edge_keeps_its_weight(case, random):
    frozen = freeze_edge(case, random)
    assert outputs(frozen) == outputs(case)
    lost = case.network.parameter_count - frozen.network.parameter_count
    assert lost == (1 if case.network.inner else 0)
    held = [e for e in range(case.network.edge_count) if not frozen.network.learnable(e)]
    assert len(held) == lost
    for e in held:
        inner = set(case.network.inner)
        assert inner & {case.network.tails[e], case.network.heads[e]}
    assert set(frozen.network.parameter_names) <= set(case.network.parameter_names)


@FEW
@given(drawn_cases(), RANDOMS)
def test_edges_that_share_a_parameter_are_frozen_together(case, random):
    tied = tie_edges(case, random)
    net = tied.network
    shared = [e for e in range(net.edge_count) if net.learnable(e) and not net.own_parameter(e)]
    frozen = freeze_one_of(tied, shared, random)
    assert outputs(frozen) == outputs(tied)
    held = [e for e in range(net.edge_count) if not frozen.network.learnable(e)]
    assert set(held) == set(shared)
    assert freeze_one_of(tied, (), random) == tied


@FEW
@given(drawn_cases(), RANDOMS)
def test_tied_edges_have_the_weight_of_the_first(case, random):
    tied = tie_edges(case, random)
    before, after = case.network, tied.network
    if before.parameter_count < 2:
        assert tied == case
        return
    assert after.parameter_count == before.parameter_count - 1
    assert after.shares_parameters
    [gone] = set(before.parameter_names) - set(after.parameter_names)
    old, new = before.edge_weights(case.weights), after.edge_weights(tied.weights)
    [shared] = [edges for edges in after.edges_of_parameter if len(edges) == 2]
    assert before.parameter_names.index(gone) == before.parameter_of[shared[1]] or (
        before.parameter_names.index(gone) == before.parameter_of[shared[0]]
    )
    assert new[shared[0]] == new[shared[1]]
    assert all(new[e] == old[e] for e in range(before.edge_count) if e not in shared)


# twins ------------------------------------------------------------------------------------------
@FEW
@given(drawn_cases(sharing=True, fixed=True, constants=True), RANDOMS)
def test_a_twin_has_the_same_neighbours_and_the_rest_stays(case, random):
    net = case.network
    changed = twin(case, random)
    if equal_neighbourhoods(net) or not net.inner:
        assert changed == case
        return
    added = set(changed.network.names) - set(net.names)
    if not added:  # only vertices with shared or frozen edges
        assert changed == case
        return
    [name] = added
    [(u, v)] = [
        pair
        for pair in equal_neighbourhoods(changed.network)
        if name in {changed.network.names[w] for w in pair}
    ]
    assert changed.network.activations[u] == changed.network.activations[v]
    # with the twin's out-weights 0 the function is what it was
    weights = list(changed.weights)
    mute = changed.network.index[name]
    for e in changed.network.out_edges[mute]:
        weights[changed.network.parameter_of[e]] = Fraction(0)
    assert outputs(changed.with_weights(weights)) == outputs(case)


def test_the_twin_of_a_dormant_vertex():
    net = net_of("x>a x>b a>o b>b2 b2>o", {"a": RELU, "b": RELU, "b2": RELU})
    weights = dict.fromkeys(("x>b", "a>o", "b>b2", "b2>o"), 1) | {"x>a": 0}
    case = case_of(net, weights, [([1], 1, 1)], dormant=["a"], direction={"w[x->a]": "-1"})
    for seed in range(20):
        assert "a'" in twin(case, Random(seed)).network.names


@FEW
@given(st.integers(0, 10**6))
def test_copied_in_weights_point_the_same_way(seed):
    """Where a copy was made, one vertex's in-weights are those of the other, times a positive
    factor and up to 1/8 of each."""
    random = Random(seed)
    case = Pool(losses=("prescribed",)).fill(
        fully_connected([2, 2, 1]), random, n=1, loss="prescribed", family="pair"
    )
    changed = copy_in_weights(case, random)
    names = case.network.parameter_names
    first = [case.weights[names.index(f"w[x{k}->h1.1]")] for k in (1, 2)]
    second = [changed.weights[names.index(f"w[x{k}->h1.2]")] for k in (1, 2)]
    others = [k for k, name in enumerate(names) if not name.endswith("->h1.2]")]
    assert all(changed.weights[k] == case.weights[k] for k in others)
    if changed != case:
        ratios = [b / a for a, b in zip(first, second, strict=True) if a != 0]
        assert all(r > 0 for r in ratios)
        assert not ratios or max(ratios) <= min(ratios) * Fraction(9, 7)
        assert all(b == 0 for a, b in zip(first, second, strict=True) if a == 0)


def test_beside_a_dormant_vertex_the_other_one_is_active():
    number = 0
    for seed in range(200):
        random = Random(seed)
        pool = Pool(families=("fully connected",), activations=("relu",))
        case = pool.fill(fully_connected([2, 2, 1]), random, n=2, loss="prescribed", family="pair")
        case = make_dormant(case, random)
        changed = copy_in_weights(case, random)
        if changed == case:
            continue
        net = case.network
        [name] = case.choice["dormant"]
        asleep = net.index[name]
        [other] = [v for v in net.inner if v != asleep]
        posts = list(zip(*case.inputs, strict=True))
        steps = [Fraction(case.choice["direction"][f"w[x{k}->{name}]"]) for k in (1, 2)]
        for j in range(2):
            towards = sum(s * posts[k][j] for k, s in enumerate(steps))
            assert pres(changed)[j][asleep] == 0
            if abs(towards) * 7 > sum(abs(s * posts[k][j]) for k, s in enumerate(steps)):
                assert pres(changed)[j][other] * towards < 0  # the nudges cannot turn it
                number += 1
    assert number > 50


# layers -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("reading", ["A", "B"])
@settings(max_examples=40)
@given(drawn_cases(n=1, max_hidden=5, fixed=True), RANDOMS)
def test_chosen_layers_are_layers(reading, case, random):
    chosen = random_layers(case, reading, random)
    layers = chosen.choice.get("layers", [])
    assert len(layers) in (0, 2)
    net = case.network
    for layer in layers:
        edges = [net.edge_between(tail, head) for tail, head in layer]
        assert all(net.own_parameter(e) for e in edges)
        assert is_layer(net, edges, reading)
    if layers and any(not layer for layer in layers):
        # only a graph in pieces has the empty layer, and a drawn one is in one piece
        pytest.fail(f"an empty layer in {net}")


# contraction --------------------------------------------------------------------------------------
@FEW
@given(drawn_cases(max_hidden=4))
def test_contraction_takes_a_vertex_and_its_in_edge(case):
    net = case.network
    for v in net.inner:
        if len(net.in_edges[v]) != 1:
            continue
        for smaller in contract(case, v):
            assert smaller.network.vertex_count == net.vertex_count - 1
            assert smaller.network.edge_count == net.edge_count - 1
            assert set(smaller.network.names) == set(net.names) - {net.names[v]}


@FEW
@given(drawn_cases(max_hidden=4, activations=st.just(LINEAR)))
def test_contraction_of_a_linear_vertex_keeps_the_function(case):
    net = case.network
    single = [v for v in net.inner if len(net.in_edges[v]) == 1]
    assume(single)
    for v in single:
        for plain, scaled in [tuple(contract(case, v))] if list(contract(case, v)) else []:
            assert outputs(scaled) == outputs(case)
            assert plain.network == scaled.network


def test_layers_move_with_a_contraction():
    # x -> h -> p, q -> o: F = {x -> h} becomes {x -> p, x -> q}, F' = {h -> p, h -> q} the same
    net = net_of("x>h h>p h>q p>o q>o")
    weights = dict.fromkeys(("x>h", "h>p", "h>q", "p>o", "q>o"), 1)
    layers = [[["x", "h"]], [["h", "p"], ["h", "q"]]]
    case = case_of(net, weights, [([1], 1, 1)], layers=layers)
    for smaller in contract(case, net.index["h"]):
        assert [sorted(layer) for layer in smaller.choice["layers"]] == [
            [["x", "p"], ["x", "q"]],
            [["x", "p"], ["x", "q"]],
        ]
        edges = [smaller.network.edge_between(*pair) for pair in smaller.choice["layers"][0]]
        assert is_layer(smaller.network, edges, "B")


def test_nothing_is_contracted_onto_an_edge_that_is_there():
    net = net_of("x>h h>o x>o")
    case = case_of(net, dict.fromkeys(("x>h", "h>o", "x>o"), 1), [([1], 1, 1)])
    assert list(contract(case, net.index["h"])) == []
