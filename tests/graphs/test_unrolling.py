"""Unrolling, pull-back and the tree networks of the decomposition, exactly, on drawn networks."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import networkx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphs.activations import ABS, leaky_relu
from graphs.arithmetic import RATIONALS, as_fraction
from graphs.errors import NetworkError, ParameterError, TooManyPathsError
from graphs.evaluation import Union, evaluate
from graphs.families import fully_connected
from graphs.network import network
from graphs.paths import all_paths, path_enumeration, path_vertices, suffixes
from graphs.pullback import iterated_pull_back, pull_back, pull_back_input
from graphs.strategies import networks, rationals
from graphs.unrolling import decomposition_tree, hasse, recursive_isomorphism, sign, unroll
from tests.graphs.evaluated import outputs_at

READINGS = list(product(("edges", "vertices"), ("definition", "proof")))
SIGNS = st.sampled_from([1, -1])
TRIANGLE = network(
    [("x", "h"), ("h", "o"), ("x", "o")], inputs=["x"], outputs=["o"], activations=ABS
)


def rational_scales(net):
    return replace(net, scale_squares=tuple(square**2 for square in net.scale_squares))


# every kind of edge and vertex: shared, fixed and zero weights, constants, scales
ANY = networks(sharing=True, fixed=True, constants=True, scaling=True).map(rational_scales)
DEAD_ENDS = networks(max_outputs=2).map(lambda net: replace(net, outputs=net.outputs[:1]))


@st.composite
def at_a_point(draw, nets=ANY, *, zero=True):
    net = draw(nets)
    weights = draw(st.tuples(*[rationals(zero=zero)] * net.parameter_count))
    x = draw(st.tuples(*[rationals()] * len(net.free_inputs)))
    return net, weights, x


def is_tree(net):
    return networkx.is_tree(net.to_networkx().to_undirected())


# Hasse diagrams ------------------------------------------------------------------------------
@given(st.sets(st.frozensets(st.integers(0, 7)), max_size=12))
def test_hasse_pairs_are_those_of_the_definition(family):
    sets = sorted(family, key=sorted)
    pairs = hasse(sets)
    assert list(pairs) == sorted(
        (i, j)
        for i, p in enumerate(sets)
        for j, q in enumerate(sets)
        if p <= q and len(q) - len(p) == 1
    )


def test_a_family_has_each_set_once():
    with pytest.raises(NetworkError, match="listed twice"):
        hasse([frozenset("a"), frozenset("a")])


# the four readings of definition 10 -------------------------------------------------------------
@given(st.one_of(networks(), DEAD_ENDS))
def test_by_edges_the_unrolled_graph_is_a_tree(net):
    for direction in ("definition", "proof"):
        unrolled = unroll(net, "edges", direction)
        assert unrolled.paths == suffixes(net, 10**6)
        assert unrolled.is_tree
        assert unrolled.leaves_are_paths
        assert len(unrolled.leaves) == len(all_paths(net, 10**6))


@given(networks())
def test_by_vertices_it_is_the_same_tree_unless_a_path_can_be_shortened(net):
    by_edges, by_vertices = (unroll(net, elements) for elements in ("edges", "vertices"))
    sets = {frozenset(path_vertices(net, path, net.outputs[0])) for path in by_vertices.paths}
    shortened = any(len(q - p) == len(q) - len(p) == 1 and min(q) in p for p in sets for q in sets)
    assert set(by_edges.arcs) <= set(by_vertices.arcs)
    assert by_vertices.is_tree == (by_vertices.arcs == by_edges.arcs) == (not shortened)


def test_a_skip_edge_makes_a_graph_by_vertices_that_is_no_tree():
    unrolled = unroll(TRIANGLE, "vertices")
    assert not unrolled.is_tree
    assert not unrolled.leaves_are_paths  # x->o lies in x->h->o
    with pytest.raises(NetworkError, match="by sets of vertices is not a tree: 4 vertices, 4 arcs"):
        unrolled.network()
    weights = [Fraction(1)] * 3
    assert outputs_at(TRIANGLE, weights, [Fraction(1)]) == [2]
    # x->o is no leaf: it receives x->h->o's coordinate along an arc with the weight of x->h
    assert unrolled.output(weights, [Fraction(1)]) == 2
    weights[TRIANGLE.edge_between("x", "h")] = Fraction(3)
    assert outputs_at(TRIANGLE, weights, [Fraction(1)]) == [4]
    assert unrolled.output(weights, [Fraction(1)]) == 6


@given(networks(), st.sampled_from(["edges", "vertices"]))
def test_in_the_printed_direction_a_weight_is_undefined(net, elements):
    unrolled = unroll(net, elements, "definition")
    undefined = [arc for arc, e in zip(unrolled.arcs, unrolled.arc_edges, strict=True) if e is None]
    assert undefined == [arc for arc in unrolled.arcs if arc[0] == 0] != []
    assert not unrolled.weights_defined
    with pytest.raises(NetworkError, match="has no weight"):
        unrolled.output([Fraction(1)] * net.parameter_count, [Fraction(1)] * len(net.free_inputs))
    # the other direction has the same arcs reversed, and all weights
    proof = unroll(net, elements, "proof")
    assert Counter(proof.arcs) == Counter((q, p) for p, q in unrolled.arcs)
    assert proof.weights_defined


@given(at_a_point())
def test_lemma_6_by_edges_in_the_direction_of_the_proof(point):
    net, weights, x = point
    assert [unroll(net, "edges", "proof").output(weights, x)] == outputs_at(net, weights, x)


@given(at_a_point())
def test_the_tree_as_a_network(point):
    net, weights, x = point
    tree = unroll(net).network()
    assert is_tree(tree.network)
    assert tree.network.parameter_of == tuple(range(tree.network.edge_count))
    for e, original in enumerate(tree.edges):
        tail, head = (tree.paths[ends[e]] for ends in (tree.network.tails, tree.network.heads))
        assert tail == (original, *head)
    for v, start in enumerate(tree.starts):
        assert tree.network.activations[v] == net.activations[start]
    value = outputs_at(tree.network, tree.weights(weights), tree.inputs(x))
    assert value == outputs_at(net, weights, x)


def test_names_of_vertices_may_contain_arrows():
    net = network([("a", "b"), ("b", "o"), ("a->b", "o")], inputs=["a", "a->b"], outputs=["o"])
    tree = unroll(net).network()
    weights = [Fraction(w) for w in (2, 3, 5)]
    assert outputs_at(tree.network, tree.weights(weights), tree.inputs([Fraction(1)] * 2)) == [
        outputs_at(net, weights, [Fraction(1)] * 2)[0]
    ]


def test_readings_outputs_and_caps_are_checked():
    with pytest.raises(NetworkError, match="unknown elements 'paths'"):
        unroll(TRIANGLE, "paths")
    with pytest.raises(NetworkError, match="unknown direction 'up'"):
        unroll(TRIANGLE, "edges", "up")
    with pytest.raises(NetworkError, match="exactly one output"):
        unroll(fully_connected([1, 2]))
    with pytest.raises(TooManyPathsError):
        unroll(TRIANGLE, cap=3)


# the recursive construction (23) ------------------------------------------------------------------
@given(networks())
def test_the_recursive_construction_by_edges_in_the_direction_of_the_proof(net):
    found = recursive_isomorphism(net, "edges", "proof")
    assert found.bijection
    assert found.edges
    assert found.weights
    assert found.activations


@given(networks(), st.sampled_from(READINGS))
def test_pi_is_always_a_bijection_that_preserves_activations(net, reading):
    found = recursive_isomorphism(net, *reading)
    assert found.bijection
    assert found.activations


@given(networks(), st.sampled_from(["edges", "vertices"]))
def test_in_the_printed_direction_edges_and_weights_are_not_preserved(net, elements):
    found = recursive_isomorphism(net, elements, "definition")
    assert not found.edges  # the new output is joined by edges that point to it
    assert not found.weights


def test_by_vertices_a_skip_edge_at_the_output_adds_an_edge():
    found = recursive_isomorphism(TRIANGLE, "vertices", "proof")
    assert (found.edges, found.weights) == (False, True)
    # a skip edge deeper inside lies within one of the parts
    inside = network([("x", "a"), ("a", "b"), ("x", "b"), ("b", "o")], inputs=["x"], outputs=["o"])
    assert recursive_isomorphism(inside, "vertices", "proof").edges


# the decomposition -----------------------------------------------------------------------------
@given(at_a_point(), SIGNS)
def test_lemmas_1_and_5_hold_exactly(point, at_zero):
    net, weights, x = point
    for absolute in (False, True):
        built = decomposition_tree(net, weights, absolute, at_zero)
        entries = path_enumeration(net, weights, x, absolute)
        assert outputs_at(built.tree, built.weights, entries) == outputs_at(net, weights, x)


@given(at_a_point(), SIGNS, st.booleans())
def test_the_trees_are_trees_of_signs_with_one_input_for_each_path(point, at_zero, absolute):
    net, weights, _ = point
    built = decomposition_tree(net, weights, absolute, at_zero)
    assert is_tree(built.tree)
    assert set(built.weights) <= {1, -1}
    assert built.paths == all_paths(net, 10**6)
    assert len(built.tree.free_inputs) == len(built.tree.inputs) == len(built.paths)
    extra = 0 if absolute else len(built.paths)
    assert built.tree.vertex_count == len(suffixes(net, 10**6)) + extra
    names = [
        "->".join(net.names[v] for v in path_vertices(net, p, net.outputs[0])) for p in built.paths
    ]
    inputs = [built.tree.names[v] for v in built.tree.inputs]
    assert inputs == (names if absolute else [f"h({name})" for name in names])


@given(at_a_point(), SIGNS, st.booleans(), st.data())
def test_they_depend_on_the_signs_of_the_weights_only(point, at_zero, absolute, data):
    net, weights, _ = point
    sizes = data.draw(st.tuples(*[st.integers(1, 5)] * net.parameter_count))
    others = [Fraction(sign(w, at_zero) * size) for w, size in zip(weights, sizes, strict=True)]
    fixed = [e for e in range(net.edge_count) if not net.learnable(e)]
    assume(all(net.fixed[e] for e in fixed))
    first, second = (decomposition_tree(net, w, absolute, at_zero) for w in (weights, others))
    assert first == second


@given(at_a_point(networks(), zero=False))
def test_they_do_depend_on_the_signs(point):
    net, weights, _ = point
    for k in range(net.parameter_count):
        flipped = [-w if p == k else w for p, w in enumerate(weights)]
        trees = [decomposition_tree(net, w, True).weights for w in (weights, flipped)]
        assert trees[0] != trees[1]


def test_the_sign_of_zero_is_a_reading():
    weights = [Fraction(0), Fraction(1), Fraction(-2)]
    assert sorted(decomposition_tree(TRIANGLE, weights, True).weights) == [-1, 1, 1]
    assert sorted(decomposition_tree(TRIANGLE, weights, True, -1).weights) == [-1, -1, 1]
    with pytest.raises(NetworkError, match="read as 1 or as -1"):
        decomposition_tree(TRIANGLE, weights, True, 0)


# pull-back ------------------------------------------------------------------------------------
def pre_activation(net, weights, x, vertex):
    given = RATIONALS.array(net.edge_weights(weights))
    values = evaluate(Union.of([net]), RATIONALS, given, RATIONALS.array([[v] for v in x]))
    return as_fraction(values.pre[vertex, 0])


@given(at_a_point(networks(scaling=True).map(rational_scales)), SIGNS)
def test_lemma_7_moves_sizes_and_keeps_the_function(point, at_zero):
    net, weights, x = point
    movable = [v for v in net.inner if len(net.out_edges[v]) == 1]
    assume(movable)
    for v in movable:
        moved = pull_back(net, weights, v, at_zero)
        (f,) = net.out_edges[v]
        for e in range(net.edge_count):
            w, size = weights[net.parameter_of[e]], abs(weights[net.parameter_of[f]])
            expected = sign(w, at_zero) if e == f else w * size if e in net.in_edges[v] else w
            assert moved[net.parameter_of[e]] == expected
        assert outputs_at(net, moved, x) == outputs_at(net, weights, x)
        after = net.heads[f]
        assert pre_activation(net, moved, x, after) == pre_activation(net, weights, x, after)


@given(at_a_point(networks()), SIGNS)
def test_an_input_hands_the_size_to_its_coordinate(point, at_zero):
    net, weights, x = point
    movable = [v for v in net.inputs if len(net.out_edges[v]) == 1]
    assume(movable)
    for v in movable:
        moved, factor = pull_back_input(net, weights, v, at_zero)
        changed = [
            value * factor if v == i else value for i, value in zip(net.inputs, x, strict=True)
        ]
        (f,) = net.out_edges[v]
        assert factor == abs(weights[net.parameter_of[f]])
        assert moved[net.parameter_of[f]] == sign(weights[net.parameter_of[f]], at_zero)
        assert outputs_at(net, moved, changed) == outputs_at(net, weights, x)


def test_pull_back_needs_one_out_edge_and_own_parameters():
    weights = [Fraction(1)] * 3
    with pytest.raises(NetworkError, match=r"'o' of .* is not an inner vertex"):
        pull_back(TRIANGLE, weights, TRIANGLE.index["o"])
    with pytest.raises(NetworkError, match=r"'h' of .* is not an input"):
        pull_back_input(TRIANGLE, weights, TRIANGLE.index["h"])
    with pytest.raises(NetworkError, match=r"'x' of .* has 2 out-edges"):
        pull_back_input(TRIANGLE, weights, TRIANGLE.index["x"])
    with pytest.raises(ParameterError, match="2 weights"):
        pull_back(TRIANGLE, weights[1:], TRIANGLE.index["h"])
    chain = [("x", "h"), ("h", "o")]
    for options in (
        {"fixed": {("h", "o"): 1}},
        {"parameters": {("x", "h"): "k", ("h", "o"): "k"}},
    ):
        net = network(chain, inputs=["x"], outputs=["o"], **options)
        with pytest.raises(ParameterError, match="no parameter of its own"):
            pull_back(net, [Fraction(1)] * net.parameter_count, 1)


@given(at_a_point(), SIGNS)
def test_the_iteration_of_lemma_5_moves_all_sizes_to_the_inputs(point, at_zero):
    net, weights, x = point
    value = outputs_at(net, weights, x)
    steps = list(iterated_pull_back(net, weights, sign_at_zero=at_zero))
    assert [step.number for step in steps] == list(range(1, len(suffixes(net, 10**6))))
    assert [step.path for step in steps] == list(suffixes(net, 10**6)[1:])
    for step in steps:
        assert set(step.second_residuals(weights)) == {0}
        x_now = [a * b for a, b in zip(step.factors, step.tree.inputs(x), strict=True)]
        assert outputs_at(step.tree.network, step.weights, x_now) == value
    last = steps[-1]
    entries = dict(zip(all_paths(net, 10**6), path_enumeration(net, weights, x, True), strict=True))
    assert [entries[last.tree.paths[v]] for v in last.tree.network.inputs] == x_now


@given(at_a_point(networks(constants=True), zero=False), SIGNS)
def test_without_zero_weights_the_iteration_leaves_the_tree_of_signs(point, at_zero):
    net, weights, _ = point
    for step in iterated_pull_back(net, weights, sign_at_zero=at_zero):
        assert step.first_residuals(weights, at_zero) == (0,) * step.number
    built = decomposition_tree(net, weights, True, at_zero)
    left = dict(zip(step.tree.network.parameter_names, step.weights, strict=True))
    assert left == dict(zip(built.tree.parameter_names, built.weights, strict=True))


@pytest.mark.parametrize("at_zero", [1, -1])
def test_a_zero_weight_breaks_the_first_invariant_in_either_reading_of_its_sign(at_zero):
    # pulling back 0 makes the in-edge's weight 0, and with it forgets the sign
    net = network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"])
    weights = [Fraction(-at_zero), Fraction(0)]
    *_, last = iterated_pull_back(net, weights, sign_at_zero=at_zero)
    assert last.first_residuals(weights, at_zero) == (0, 2 * at_zero)


def test_the_residuals_of_the_invariants_see_a_wrong_step():
    weights = [Fraction(2), Fraction(3), Fraction(-5)]
    first = next(iterated_pull_back(TRIANGLE, weights))
    wrong = replace(first, weights=tuple(w + 1 for w in first.weights))
    assert set(first.first_residuals(weights)) == {0} != set(wrong.first_residuals(weights))
    inner = next(
        s for s in iterated_pull_back(TRIANGLE, weights) if len(s.second_residuals(weights)) == 1
    )
    assert inner.second_residuals(weights) == (0,)
    assert replace(inner, weights=(Fraction(7),) * 3, factors=(Fraction(7),) * 2).second_residuals(
        weights
    ) != (0,)


def test_the_iteration_needs_a_tree_network():
    weights = [Fraction(1)] * 3
    for elements, direction in READINGS:
        if (elements, direction) == ("edges", "proof"):
            continue
        with pytest.raises(NetworkError):
            next(iterated_pull_back(TRIANGLE, weights, elements, direction))
    # without skip edges the vertex sets do as well
    net = fully_connected([2, 2, 1], hidden=leaky_relu("1/2"))
    weights = [Fraction(k - 2) for k in range(6)]
    by_edges, by_vertices = (
        list(iterated_pull_back(net, weights, elements)) for elements in ("edges", "vertices")
    )
    assert [s.weights for s in by_edges] == [s.weights for s in by_vertices]
