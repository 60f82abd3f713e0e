"""Appendix B by hand: pre-activations, the two readings of the unrolled tree, the pull-back."""

from fractions import Fraction

import pytest
from hypothesis import given, settings

from graphs.activations import LINEAR, RELU, leaky_relu
from tests.verify.drawn_cases import (
    case_of,
    drawn_cases,
    naive_paths,
    net_of,
    posts,
    pres,
    seen,
    value_of,
    values_of,
)
from verify.papers.lj22.unrolling import READINGS, unrolled
from verify.registry import find

PRE = {reading: find(f"lj22.eq16@{reading}") for reading in "AB"}
MORE_PATHS, ABSOLUTE, ABSOLUTE_SHAPE, PULL = map(
    find, ("lj22.hg", "lj22.lemma5", "lj22.lemma5.shape", "lj22.lemma7")
)
ITERATION_FIX = find("lj22.lemma5-iter@A1B2.fix")


SHAPE = {reading: find(f"lj22.def10@{reading}") for reading in READINGS}
VALUE, RECURSION, ITERATION = (
    find(f"lj22.{name}@A1B2") for name in ("lemma6", "eq23", "lemma5-iter")
)
EDGE = case_of(net_of("x>o"), {"x>o": 2}, [(["1/2"], 1, 1)])
CHAIN = case_of(net_of("x>h h>o", {"h": RELU}), {"x>h": -2, "h>o": 3}, [(["-1/2"], 1, 1)])
SKIP_NET = net_of("x>h h>o x>o", {"h": RELU})
SKIP = case_of(SKIP_NET, {"x>h": 2, "h>o": 5, "x>o": 3}, [(["1/2"], 1, 1)])


# pre-activations --------------------------------------------------------------------------------
def test_the_displays_16_and_19():
    # z_o = 1; by (16) the sum is POST_o * 2 = 2
    assert value_of(PRE["A"], EDGE, vertex="o", example=0) == -1
    assert value_of(PRE["B"], EDGE, vertex="o", example=0) == 0
    # z_h = 1, z_o = 3: by (16) 1 * -2 and 3 * 3
    assert value_of(PRE["A"], CHAIN, vertex="h", example=0) == 1 + 2
    assert value_of(PRE["A"], CHAIN, vertex="o", example=0) == 3 - 9


@settings(max_examples=30)
@given(drawn_cases())
def test_the_displays_against_a_plain_forward_pass(case):
    net = case.network
    weights = net.edge_weights(case.weights)
    for label, value, _ in seen(PRE["A"], case):
        v, j = net.index[label["vertex"]], label["example"]
        assert value == pres(case)[j][v] - sum(
            weights[e] * posts(case)[j][v] for e in net.in_edges[v]
        )
    assert set(values_of(PRE["B"], case)) == {0}


def test_biased_networks_are_outside_but_no_obstacle():
    net = net_of("x>o b>o", constants={"b": 1})
    case = case_of(net, {"x>o": 2, "b>o": 3}, [(["1/2"], 1, 1)])
    for claim in PRE.values():
        assert values_of(claim, case) == []
    assert [value for _, value, _ in seen(PRE["B"], case)] == [0]


# paths from all vertices ------------------------------------------------------------------------
def test_there_are_more_paths_than_complete_ones():
    assert values_of(MORE_PATHS, EDGE) == []  # two vertices
    assert values_of(MORE_PATHS, CHAIN) == [0]


def test_complete_paths_that_are_no_paths_would_be_noticed(monkeypatch):
    monkeypatch.setattr("verify.papers.lj22.unrolling.all_paths", lambda net, cap: [(7, 8)])
    assert values_of(MORE_PATHS, CHAIN) == [1]


# the unrolled graph -----------------------------------------------------------------------------
SHAPES = {
    # reading: tree, weights, leaves, each 1 where it fails
    # an arc from the trivial path has no weight, for that path has no edge
    "A1B1": {"chain": (0, 1, 0), "skip": (0, 1, 0)},
    "A1B2": {"chain": (0, 0, 0), "skip": (0, 0, 0)},
}


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize(("name", "case"), [("chain", CHAIN), ("skip", SKIP)])
def test_the_shape_of_the_unrolled_graph(reading, name, case):
    found = {label["predicate"]: value for label, value, _ in seen(SHAPE[reading], case)}
    expected = dict(zip(("tree", "weights", "leaves"), SHAPES[reading][name], strict=True))
    assert found == expected


@settings(max_examples=40)
@given(drawn_cases(n=1, max_hidden=4))
def test_by_edge_sets_and_the_proof_it_is_a_tree_of_all_paths(case):
    assert set(values_of(SHAPE["A1B2"], case)) == {0}
    graph = unrolled(case, "A1B2")
    assert len(graph.leaves) == len(naive_paths(case.network))
    assert set(values_of(RECURSION, case)) == {0}


# its value --------------------------------------------------------------------------------------
def test_the_value_by_hand():
    assert value_of(VALUE, SKIP, example=0) == 0


@settings(max_examples=40)
@given(drawn_cases(n=2, max_hidden=4))
def test_by_edge_sets_and_the_proof_it_is_the_network(case):
    assert values_of(VALUE, case) == [0, 0]


# the recursive construction -----------------------------------------------------------------------
def test_the_recursive_construction():
    for case in (CHAIN, SKIP):
        assert set(values_of(RECURSION, case)) == {0}


# the absolute-valued tree ------------------------------------------------------------------------
@settings(max_examples=40)
@given(drawn_cases())
def test_the_absolute_tree_has_the_value_of_the_network(case):
    for at_zero in (1, -1):
        chosen = case.choosing(sign_at_zero=at_zero)
        assert set(values_of(ABSOLUTE, chosen)) == {0}
        assert set(values_of(ABSOLUTE_SHAPE, chosen)) == {0}


# the pull-back ------------------------------------------------------------------------------------
def test_the_pull_back_looks_at_inner_vertices_and_inputs_with_one_out_edge():
    labels = [label for label, value, _ in seen(PULL, SKIP) if "at" not in label]
    assert labels == [{"vertex": "h", "example": 0}]  # x has two out-edges
    labels = [label for label, _, _ in seen(PULL, CHAIN) if "at" not in label]
    assert labels == [{"vertex": "x", "example": 0}, {"vertex": "h", "example": 0}]


@settings(max_examples=40)
@given(drawn_cases(n=1))
def test_the_pull_back_keeps_value_and_preactivation(case):
    for at_zero in (1, -1):
        assert set(values_of(PULL, case.choosing(sign_at_zero=at_zero))) <= {0}


def test_a_wrong_pull_back_would_be_noticed(monkeypatch):
    """The out-weight becomes its sign, but the in-weights stay."""

    def half(network, weights, vertex, at_zero):
        [out] = network.out_edges[vertex]
        changed = list(weights)
        size = changed[network.parameter_of[out]]
        changed[network.parameter_of[out]] = Fraction(1 if size > 0 else -1)
        return tuple(changed)

    monkeypatch.setattr("verify.papers.lj22.unrolling.pull_back", half)
    # nu = 3 * 1 before, 1 * 1 after
    assert value_of(PULL, CHAIN, vertex="h", example=0) == 2
    assert value_of(PULL, CHAIN, vertex="h", example=0, at="pre") == 2
    assert value_of(PULL, CHAIN, vertex="x", example=0) == 0


# the iteration ------------------------------------------------------------------------------------
def zero_weight(at_zero):
    """x -> h -> o with weights -1 and 0, one step from the output back to x."""
    return case_of(
        net_of("x>h h>o", {"h": LINEAR}),
        {"x>h": -1, "h>o": 0},
        [(["1/2"], 1, 1)],
        sign_at_zero=at_zero,
    )


def test_a_zero_weight_forgets_the_sign_before_it():
    """h hands |0| to its in-weight, -1 * 0 = 0; at x the weight becomes sgn(0), not sgn(-1)."""
    failing = [label for label, value, _ in seen(ITERATION, zero_weight(1)) if value]
    assert failing == [{"iteration": 2, "invariant": 1}]
    assert values_of(ITERATION_FIX, zero_weight(1)) == []
    # with sgn(0) = -1 the lost sign is found by luck
    assert set(values_of(ITERATION, zero_weight(-1))) == {0}


@settings(max_examples=40)
@given(drawn_cases(n=1, zero=False))
def test_the_invariants_hold_without_zero_weights(case):
    values = values_of(ITERATION_FIX, case)
    assert set(values) == {0}
    # as many iterations as T_G has vertices beside the output
    labels = [label for label, _, _ in seen(ITERATION_FIX, case) if label["invariant"] == 1]
    assert len(labels) == len(unrolled(case, "A1B2").paths) - 1


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [((0, 0), (0, 1), (0, 0)), ((0, 1), (0, 0), (1, 0)), ((0, 0), (2, 1), (0, 1))],
)
def test_quantifiers_of_the_invariants(monkeypatch, first, second, expected):
    """The first speaks of all k, the second of some r."""
    monkeypatch.setattr("graphs.pullback.Iteration.first_residuals", lambda *_: first)
    monkeypatch.setattr("graphs.pullback.Iteration.second_residuals", lambda *_: second)
    for number, value in zip((1, 2), expected, strict=True):
        label = {"iteration": 1, "invariant": number}
        assert value_of(ITERATION, CHAIN, **label) == value


def test_leaky_networks_are_unrolled_too():
    net = net_of("x1>h x2>h h>o", {"h": leaky_relu("1/3"), "o": leaky_relu("1/2")})
    case = case_of(net, {"x1>h": 1, "x2>h": -2, "h>o": 3}, [(["1/2", "1/2"], 1, 1)])
    assert values_of(VALUE, case) == [0]
    assert set(values_of(ITERATION, case)) == {0}
