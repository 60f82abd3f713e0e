"""Balance identities: the decision against all paths, the identities against exact gradients."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmarks.residues import balance_residues, edge_terms, residue, vertex_coefficients
from graphs.activations import LINEAR, TANH
from graphs.arithmetic import as_fraction
from graphs.balance import (
    Balanced,
    Unbalanced,
    Unqualified,
    decide,
    layer_balance,
    layer_coefficients,
    useful_edges,
    vertex_balances,
)
from graphs.errors import NetworkError
from graphs.evaluation import Union, evaluate
from graphs.families import fully_connected
from graphs.layers import layers, random_layer
from graphs.network import network
from graphs.paths import count_paths, enumerate_paths, path_table
from graphs.rationals import RATIONALS
from graphs.strategies import networks, rationals
from tests.graphs.potentials import check_potential

ONE_OUTPUT = networks(constants=True)
DEAD_ENDS = networks(max_outputs=2).map(lambda net: replace(net, outputs=net.outputs[:1]))
ANY = st.one_of(ONE_OUTPUT, networks(max_outputs=3), DEAD_ENDS)
SEEDS = st.randoms(use_true_random=False)
SKIP = network(
    [("x", "h"), ("y", "h"), ("h", "o"), ("x", "o")],
    inputs=["x", "y"],
    outputs=["o"],
    activations=LINEAR,
)


@st.composite
def with_coefficients(draw, nets=ANY):
    net = draw(nets)
    if draw(st.booleans()):
        coefficients = draw(st.tuples(*[st.integers(-2, 2)] * net.edge_count))
        return net, dict(enumerate(coefficients))
    # differences of a potential, so that many are balanced, with one perhaps changed
    phi = [draw(st.integers(-3, 3)) if v in net.inner else 0 for v in range(net.vertex_count)]
    coefficients = {e: phi[net.heads[e]] - phi[net.tails[e]] for e in range(net.edge_count)}
    if draw(st.booleans()):
        coefficients[draw(st.integers(0, net.edge_count - 1))] += 1
    return net, coefficients


@st.composite
def at_a_point(draw, nets=ONE_OUTPUT):
    net = draw(nets)
    weights = draw(st.tuples(*[rationals()] * net.parameter_count))
    examples = st.tuples(*[rationals()] * len(net.free_inputs))
    return net, weights, draw(st.lists(examples, min_size=1, max_size=2))


def evaluation(net, weights, examples):
    given = RATIONALS.array(net.edge_weights(weights))
    inputs = RATIONALS.array(list(zip(*examples, strict=True)))
    return evaluate(Union.of([net]), RATIONALS, given, inputs)


def terms(net, weights, examples):
    """(E, n) of w_e dnu(x_j)/dw_e."""
    found = evaluation(net, weights, examples)
    return found.weights[:, None] * found.edge_gradients


# the decision -----------------------------------------------------------------------------------
@given(with_coefficients())
def test_the_decision_is_that_of_all_paths_one_by_one(case):
    net, coefficients = case
    sums = {path: sum(coefficients[e] for e in path) for path in enumerate_paths(net)}
    outcome = decide(net, coefficients)
    if isinstance(outcome, Balanced):
        assert set(sums.values()) <= {0}
        assert check_potential(net, coefficients, outcome.potential)
    else:
        assert outcome.total == sums[outcome.path] != 0


@given(with_coefficients(), st.data())
def test_a_wrong_potential_is_not_accepted(case, data):
    net, coefficients = case
    outcome = decide(net, coefficients)
    assume(isinstance(outcome, Balanced))
    counts = count_paths(net)
    on_paths = [v for v in range(net.vertex_count) if counts.into[v] and counts.out_of[v]]
    v = data.draw(st.sampled_from(on_paths))
    wrong = {**outcome.potential, v: outcome.potential.get(v, 0) + 1}
    assert not check_potential(net, coefficients, wrong)


@given(ANY)
def test_useful_edges_are_those_on_paths(net):
    counts = count_paths(net)
    ends = zip(net.tails, net.heads, strict=True)
    assert useful_edges(net) == [counts.into[u] * counts.out_of[v] > 0 for u, v in ends]


@given(with_coefficients(), SEEDS)
def test_random_evaluation_agrees_with_the_decision(case, random):
    net, coefficients = case
    random = Random(random.random())
    value = residue(edge_terms(net, random), coefficients)
    assert (value == 0) == isinstance(decide(net, coefficients), Balanced)


def test_edges_must_exist():
    with pytest.raises(NetworkError, match="no edge number 4"):
        decide(SKIP, {4: 1})
    with pytest.raises(NetworkError, match="no edge number 9"):
        layer_balance(SKIP, [0], [9])


# vertices -----------------------------------------------------------------------------------------
@given(ANY, SEEDS)
def test_every_inner_vertex_balances(net, random):
    outcomes = vertex_balances(net)
    assert outcomes == {v: Balanced({v: 1}) for v in net.inner}
    for v, outcome in outcomes.items():
        coefficients = vertex_coefficients(net, v)
        assert check_potential(net, coefficients, outcome.potential)
        assert isinstance(decide(net, coefficients), Balanced)
    residues = balance_residues(net, Random(random.random()))
    assert residues == dict.fromkeys(net.inner, 0)


@given(at_a_point())
def test_in_sums_are_out_sums_and_sums_over_paths_at_every_point(point):
    net, weights, examples = point
    found = evaluation(net, weights, examples)
    flow = terms(net, weights, examples)
    table, heads = path_table(Union.of([net]), 10**6), np.array(net.heads)
    for v in vertex_balances(net):
        into = sum(flow[e] for e in net.in_edges[v])
        assert (into == sum(flow[e] for e in net.out_edges[v])).all()
        through = np.flatnonzero(((table.edges >= 0) & (heads[table.edges] == v)).any(axis=1))
        for j in range(len(examples)):
            by_path = Fraction(0)
            for p in through:
                term = found.post[table.first_input[p], j]
                for e in table.edges[p][table.edges[p] >= 0]:
                    term = term * found.weights[e] * found.slopes[net.heads[e], j]
                by_path += as_fraction(term)
            assert as_fraction(into[j]) == by_path


def test_vertices_that_do_not_qualify_say_why():
    edges = [("x", "h"), ("h", "k"), ("k", "o"), ("x", "m"), ("m", "o")]
    ends = {"inputs": ["x"], "outputs": ["o"]}
    fixed = vertex_balances(network(edges, fixed={("x", "m"): 1}, **ends))
    net = network(edges, parameters={("x", "h"): "k", ("k", "o"): "k"}, **ends)
    shared = vertex_balances(net)
    h, k, m = (net.index[name] for name in "hkm")
    assert fixed[m] == Unqualified("the weight of x->m is fixed")
    assert fixed[h] == Balanced({h: 1})
    assert shared[h] == Unqualified("x->h shares the parameter k with other edges")
    assert shared[k] == Unqualified("k->o shares the parameter k with other edges")
    assert shared[m] == Balanced({m: 1})
    smooth = vertex_balances(network(edges, activations={"k": TANH}, **ends))
    reason = "the activation tanh of k is not positively homogeneous"
    assert smooth == dict.fromkeys((h, k, m), Unqualified(reason))


def test_a_graph_with_more_paths_than_could_be_listed():
    net = fully_connected([30] * 30 + [1])
    assert count_paths(net).total == 30**30 > 10**44
    outcomes = vertex_balances(net)
    assert outcomes == {v: Balanced({v: 1}) for v in range(30, 900)}
    unbalanced = decide(net, {0: 1})
    assert isinstance(unbalanced, Unbalanced)
    assert 0 in unbalanced.path
    assert unbalanced.total == 1


# layers -------------------------------------------------------------------------------------------
@given(ANY, SEEDS)
def test_layers_that_block_all_paths_balance(net, random):
    first, second = (random_layer(net, "B", random) for _ in range(2))
    outcome = layer_balance(net, first, second)
    assert isinstance(outcome, Balanced)
    assert check_potential(net, layer_coefficients(net, first, second), outcome.potential)
    assert set(outcome.potential.values()) <= {1, -1}


@given(at_a_point(networks(max_inputs=2, max_hidden=3).filter(lambda net: net.edge_count <= 7)))
def test_layer_balances_hold_and_fail_as_decided_at_exact_points(point):
    net, weights, examples = point
    flow = terms(net, weights, examples)
    found = layers(net, "A", 2**7)
    for first, second in pairwise(found):
        difference = sum(flow[e] for e in first) - sum(flow[e] for e in second)
        if isinstance(layer_balance(net, first, second), Balanced):
            assert (difference == 0).all()


def test_a_layer_that_only_cuts_off_an_input_does_not_balance():
    cut_off = [SKIP.edge_between("y", "h")]
    last = list(SKIP.in_edges[SKIP.index["o"]])
    outcome = layer_balance(SKIP, cut_off, last)
    # x->h->o has no edge of the first set and one of the second
    assert outcome == Unbalanced((SKIP.edge_between("x", "h"), SKIP.edge_between("h", "o")), -1)
    flow = terms(SKIP, [Fraction(1)] * 4, [(Fraction(1), Fraction(1))])[:, 0]
    assert sum(flow[e] for e in cut_off) - sum(flow[e] for e in last) == -2


def test_layers_that_do_not_qualify_say_why():
    fixed = network(
        [("x", "h"), ("h", "o"), ("x", "o")],
        inputs=["x"],
        outputs=["o"],
        fixed={("x", "o"): 1},
    )
    skip, into_h, out_of_h = (fixed.edge_between(*e) for e in (("x", "o"), ("x", "h"), ("h", "o")))
    reason = "the weight of x->o is fixed"
    assert layer_balance(fixed, [into_h, skip], [out_of_h]) == Unqualified(reason)
    # in both sets it cancels
    assert layer_balance(fixed, [into_h, skip], [out_of_h, skip]) == Balanced({1: 1})
    smooth = fixed.with_activations({"h": TANH})
    assert "not positively homogeneous" in layer_balance(smooth, [into_h], [out_of_h]).reason


@given(ANY, st.data())
def test_coefficients_of_layers(net, data):
    first, second = (data.draw(st.sets(st.integers(0, net.edge_count - 1))) for _ in range(2))
    coefficients = layer_coefficients(net, first, second)
    expected = {e: (e in first) - (e in second) for e in range(net.edge_count)}
    assert coefficients == {e: c for e, c in expected.items() if c}
    assert layer_coefficients(net, list(first) * 2, list(second) * 2) == coefficients


def test_a_residue_sees_a_false_identity():
    net = fully_connected([3, 3, 1])
    terms_modulo = edge_terms(net, Random(3))
    assert np.unique(terms_modulo).size == net.edge_count
    assert residue(terms_modulo, {0: 1}) != 0
    assert residue(terms_modulo, vertex_coefficients(net, net.inner[0]) | {0: 2}) != 0
