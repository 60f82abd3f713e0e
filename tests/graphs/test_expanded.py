"""The expanded engine: it proves what is so, and tells what is not."""

from fractions import Fraction
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings

from benchmarks.expanded_balance import vertex_sides, weighted_gradients, zero_residuals
from graphs.arithmetic import as_fraction
from graphs.balance import Balanced, vertex_balances
from graphs.errors import TooManyPathsError
from graphs.exact import evaluation_at, parameter_gradients
from graphs.expanded import path_terms
from graphs.families import fully_connected
from graphs.network import network
from graphs.paths import count_paths, enumerate_paths
from graphs.polynomials import Symbols
from graphs.strategies import networks
from tests.graphs.drawn_points import BACKENDS, exact_networks, points

SQUARE = fully_connected([2, 2, 2, 1])


@pytest.mark.parametrize("backend", BACKENDS)
@settings(max_examples=30)
@given(exact_networks(max_hidden=3, sharing=True, fixed=True, constants=True, scaling=True))
def test_the_output_is_the_sum_over_the_paths(backend, net):
    symbols = Symbols.of(net, backend=backend, symbolic_scales=True)
    terms = [term for _, term in path_terms(symbols, 10**4, slopes=True)]
    assert sum(terms, start=symbols.convert(0)) == symbols.evaluation.outputs[0, 0]


@given(points(examples=1, sharing=True, fixed=True, constants=True))
def test_path_terms_are_the_path_enumeration_function(point):
    symbols = Symbols.of(point.network)
    terms = path_terms(symbols, 100)
    rows = [[number] for number in point.xs[0]]
    found = [symbols.at(t, weights=point.weights, inputs=rows) for _, t in terms]
    net, weights = point.network, point.network.edge_weights(point.weights)
    values = dict(zip(net.free_inputs, point.xs[0], strict=True))
    values |= {v: c for v, c in zip(net.inputs, net.constants, strict=True) if c is not None}
    assert found == [
        values[net.tails[path[0]]] * prod((weights[e] for e in path), start=Fraction(1))
        for path in enumerate_paths(net)
    ]
    for vertices, _ in terms:
        assert vertices[0] in point.network.inputs
        assert vertices[-1] == point.network.outputs[0]


@pytest.mark.parametrize("backend", BACKENDS)
@settings(max_examples=30)
@given(networks(max_hidden=4, sharing=True, fixed=True))
def test_what_the_graph_proves_expands_to_zero(backend, net):
    symbols = Symbols.of(net, 2, backend=backend)
    for v, answer in vertex_balances(net).items():
        if isinstance(answer, Balanced):
            into, out_of = vertex_sides(symbols.evaluation, v)
            assert zero_residuals(symbols, into - out_of) == [True, True]


@given(networks(max_hidden=4))
def test_each_side_has_a_term_for_each_path_through_the_vertex(net):
    counts = count_paths(net)
    symbols = Symbols.of(net)
    for v in net.inner:
        into, out_of = vertex_sides(symbols.evaluation, v)
        assert symbols.term_count(into[0]) == counts.into[v] * counts.out_of[v]
        assert into[0] == out_of[0]


def test_an_identity_that_does_not_hold_is_told():
    frozen = network(
        [("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"], fixed={("h", "o"): "1/2"}
    )
    symbols = Symbols.of(frozen)
    into, out_of = vertex_sides(symbols.evaluation, frozen.index["h"])
    assert zero_residuals(symbols, into - out_of) == [False]
    assert str(symbols.to_sympy((into - out_of)[0])) == "s_h*w_x_h*x/2"


def test_a_wrong_slope_is_told():
    """The in-side taken with the slope of another vertex is not the out-side."""
    symbols = Symbols.of(SQUARE)
    evaluation = symbols.evaluation
    v, u = (SQUARE.index[name] for name in SQUARE.names[2:4])
    into, out_of = vertex_sides(evaluation, v)
    wrong = into * evaluation.slopes[u]
    assert zero_residuals(symbols, [(into - out_of)[0], (wrong - out_of)[0]]) == [True, False]


@given(points(examples=2, sharing=True, fixed=True))
def test_weighted_gradients_are_weights_times_gradients(point):
    net = point.network
    evaluation = evaluation_at(net, point.weights, point.xs)
    gradients = parameter_gradients(evaluation)
    edges = list(reversed(range(net.edge_count)))
    found = weighted_gradients(evaluation, edges)
    for row, e in zip(found, edges, strict=True):
        p = net.parameter_of[e]
        for j in range(2):
            expected = point.weights[p] * as_fraction(gradients[p, j]) if p >= 0 else Fraction(0)
            assert as_fraction(row[j]) == expected


def test_residuals_may_come_as_an_array():
    symbols = Symbols.of(SQUARE)
    zero, one = symbols.convert(0), symbols.convert(1)
    table = np.empty((2, 2), dtype=object)
    table[0, 0], table[0, 1], table[1, 0], table[1, 1] = zero, one, zero - zero, one - one
    assert zero_residuals(symbols, table) == [True, False, True, True]


def test_too_many_paths_are_refused():
    with pytest.raises(TooManyPathsError, match=r"8 paths in .*, the cap is 7"):
        path_terms(Symbols.of(SQUARE), 7)
