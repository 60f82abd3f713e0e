"""The tree networks of the decomposition, exactly, on drawn networks."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import networkx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphs.activations import ABS
from graphs.errors import NetworkError, TooManyPathsError
from graphs.families import fully_connected
from graphs.network import network
from graphs.paths import all_paths, path_enumeration, path_vertices, suffixes
from graphs.strategies import networks, rationals
from graphs.unrolling import decomposition_tree
from tests.graphs.evaluated import outputs_at

READINGS = list(product(("edges", "vertices"), ("definition", "proof")))
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


# the decomposition -----------------------------------------------------------------------------
@given(at_a_point())
def test_lemmas_1_and_5_hold_exactly(point):
    net, weights, x = point
    for absolute in (False, True):
        built = decomposition_tree(net, weights, absolute)
        entries = path_enumeration(net, weights, x, absolute)
        assert outputs_at(built.tree, built.weights, entries) == outputs_at(net, weights, x)


@given(at_a_point(), st.booleans())
def test_the_trees_are_trees_of_signs_with_one_input_for_each_path(point, absolute):
    net, weights, _ = point
    built = decomposition_tree(net, weights, absolute)
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


@given(at_a_point(), st.booleans(), st.data())
def test_they_depend_on_the_signs_of_the_weights_only(point, absolute, data):
    net, weights, _ = point
    sizes = data.draw(st.tuples(*[st.integers(1, 5)] * net.parameter_count))
    others = [Fraction(-size if w < 0 else size) for w, size in zip(weights, sizes, strict=True)]
    fixed = [e for e in range(net.edge_count) if not net.learnable(e)]
    assume(all(net.fixed[e] for e in fixed))
    first, second = (decomposition_tree(net, w, absolute) for w in (weights, others))
    assert first == second


@given(at_a_point(networks(), zero=False))
def test_they_do_depend_on_the_signs(point):
    net, weights, _ = point
    for k in range(net.parameter_count):
        flipped = [-w if p == k else w for p, w in enumerate(weights)]
        trees = [decomposition_tree(net, w, True).weights for w in (weights, flipped)]
        assert trees[0] != trees[1]


def test_the_sign_of_zero_is_1():
    weights = [Fraction(0), Fraction(1), Fraction(-2)]
    assert sorted(decomposition_tree(TRIANGLE, weights, True).weights) == [-1, 1, 1]


def test_names_of_vertices_may_contain_arrows():
    net = network([("a", "b"), ("b", "o"), ("a->b", "o")], inputs=["a", "a->b"], outputs=["o"])
    weights, x = [Fraction(w) for w in (2, 3, 5)], [Fraction(1)] * 2
    for absolute in (False, True):
        built = decomposition_tree(net, weights, absolute)
        entries = path_enumeration(net, weights, x, absolute)
        assert outputs_at(built.tree, built.weights, entries) == outputs_at(net, weights, x)


def test_outputs_and_caps_are_checked():
    with pytest.raises(NetworkError, match="exactly one output"):
        decomposition_tree(fully_connected([1, 2]), [Fraction(1)] * 2, True)
    with pytest.raises(TooManyPathsError):
        decomposition_tree(TRIANGLE, [Fraction(1)] * 3, True, cap=3)
