"""Appendix B by hand: pre-activations, the two readings of the unrolled tree, the pull-back."""

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
from tests.verify.language.values import worth
from verify.language.building import When, edges, item, list_, tuple_, upto, w, x
from verify.papers.lj22.tree_terms import (
    ALL_PATHS,
    OUTPUT,
    components,
    decomposed,
    decomposed_absolutely,
    forward,
    hasse,
    is_tree,
)
from verify.papers.registry import find

PRE = {reading: find(f"lj22.eq16@{reading}") for reading in "AB"}
MORE_PATHS, ABSOLUTE, ABSOLUTE_SHAPE, PULL = map(
    find, ("lj22.hg", "lj22.lemma5", "lj22.lemma5.shape", "lj22.lemma7")
)
ITERATION_FIX = find("lj22.lemma5-iter@A1B2.fix")


READINGS = ("A1B1", "A1B2")
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
    assert value_of(PRE["A"], EDGE, at=[1, "o", 1]) == -1
    assert value_of(PRE["B"], EDGE, at=[1, "o", 1]) == 0
    # z_h = 1, z_o = 3: by (16) 1 * -2 and 3 * 3
    assert value_of(PRE["A"], CHAIN, at=[0, "h", 1]) == 1 + 2
    assert value_of(PRE["A"], CHAIN, at=[1, "o", 1]) == 3 - 9


@settings(max_examples=30)
@given(drawn_cases())
def test_the_displays_against_a_plain_forward_pass(case):
    net = case.network
    weights = net.edge_weights(case.weights)
    for label, value, _ in seen(PRE["A"], case):
        v, j = net.index[label["at"][1]], label["at"][2] - 1
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


def test_a_forward_pass_with_other_weights_and_inputs():
    # w[h>o] = 1: 1 * 1; the input 1: relu(-2) = 0; the weight 4 and the input -1: 4 * 2
    last = edges()[2]
    assert worth(forward(OUTPUT, lambda e: When(e == last, 1, w(e)), lambda v: x(v, 1)), CHAIN) == 1
    assert worth(forward(OUTPUT, w, lambda v: 1), CHAIN) == 0
    assert worth(forward(OUTPUT, lambda e: When(e == last, 4, w(e)), lambda v: -1), CHAIN) == 8


# paths from all vertices ------------------------------------------------------------------------
def test_there_are_more_paths_than_complete_ones():
    assert values_of(MORE_PATHS, EDGE) == []  # two vertices
    assert values_of(MORE_PATHS, CHAIN) == [0, 0]  # the one path, and 3 > 1


# the unrolled graph -----------------------------------------------------------------------------
def test_paths_and_arcs_of_a_skip_edge():
    # x>h, x>o, h>o are 0, 1, 2: the paths are o, x>o, h>o, x>h>o; o and the last are no neighbours
    assert worth(ALL_PATHS, SKIP) == ((), (1,), (2,), (0, 2))
    assert worth(hasse(ALL_PATHS), SKIP) == ((2, 1), (3, 1), (4, 3))


@pytest.mark.parametrize(
    ("arcs", "parts", "tree"),
    [
        (((1, 2), (3, 2), (4, 3)), 1, True),
        (((1, 2), (3, 4)), 2, False),
        (((1, 2), (2, 3), (3, 1)), 2, False),  # as many as a tree of 4 has
        (((1, 2), (2, 3), (3, 4), (1, 4)), 1, False),
    ],
)
def test_trees(arcs, parts, tree):
    points, listed = upto(4), list_(*(tuple_(*arc) for arc in arcs))
    ends = (lambda arc: item(arc, 1), lambda arc: item(arc, 2))
    assert len(worth(components(points, listed, *ends), EDGE)) == parts
    assert worth(is_tree(points, listed), EDGE) is tree


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("case", [CHAIN, SKIP])
def test_the_shape_of_the_unrolled_graph(reading, case):
    """By Definition 9 an arc from the trivial path has no weight, for that has no edge."""
    failing = [label["at"] for label, value, _ in seen(SHAPE[reading], case) if value]
    assert failing == ([[0, 1]] if reading == "A1B1" else [])


def paths_to_output(net):
    """Breadth first from the output, the empty path at first."""
    found = [()]
    for path in found:  # grows while it is read
        start = net.tails[path[0]] if path else net.outputs[0]
        found += [(e, *path) for e in net.in_edges[start]]
    return tuple(found)


@settings(max_examples=20)
@given(drawn_cases(n=1, max_hidden=4))
def test_by_edge_sets_and_the_proof_it_is_a_tree_of_all_paths(case):
    assert set(values_of(SHAPE["A1B2"], case)) == {0}
    assert worth(ALL_PATHS, case) == paths_to_output(case.network)
    inner = {smaller for _, smaller in worth(hasse(ALL_PATHS), case)}
    leaves = len(worth(ALL_PATHS, case)) - len(inner)
    assert leaves == len(naive_paths(case.network))
    assert set(values_of(RECURSION, case)) == {0}


# its value --------------------------------------------------------------------------------------
@settings(max_examples=20)
@given(drawn_cases(n=2, max_hidden=4))
def test_by_edge_sets_and_the_proof_it_is_the_network(case):
    assert values_of(VALUE, case) == [0, 0]


# the recursive construction -----------------------------------------------------------------------
def test_the_recursive_construction():
    for case in (CHAIN, SKIP):
        assert set(values_of(RECURSION, case)) == {0}


# trees of signs -----------------------------------------------------------------------------------
def test_trees_of_signs_by_hand():
    # h' = -1/2 * 2 * 3 = -3: the weights are -1 and 1, relu(3) = 3; h = 3 and the product -1 first
    assert worth(decomposed_absolutely(1, 1), CHAIN) == worth(decomposed(1, 1), CHAIN) == 3


@settings(max_examples=20)
@given(drawn_cases())
def test_the_absolute_tree_has_the_value_of_the_network(case):
    assert values_of(ABSOLUTE, case) == [0] * (2 * case.example_count)
    assert set(values_of(ABSOLUTE_SHAPE, case)) == {0}


# the pull-back ------------------------------------------------------------------------------------
def test_the_pull_back_looks_at_inner_vertices_and_inputs_with_one_out_edge():
    parts = [[1, 0], [1, 1], [-1, 0], [-1, 1]]  # sgn(0), and value or pre-activation
    looked = [label["at"] for label, _, _ in seen(PULL, SKIP)]
    assert sorted(looked) == sorted(["h", 1, *part] for part in parts)  # x has two out-edges
    looked = [label["at"] for label, _, _ in seen(PULL, CHAIN)]
    assert sorted(looked) == sorted([v, 1, *part] for v in "xh" for part in parts)


@settings(max_examples=20)
@given(drawn_cases(n=1))
def test_the_pull_back_keeps_value_and_preactivation(case):
    assert set(values_of(PULL, case)) <= {0}


# the iteration ------------------------------------------------------------------------------------
def test_a_zero_weight_forgets_the_signs_before_it():
    """x -> g -> h -> o with the weight 0 at last: h hands |0| to its in-weight and so on, and all
    that were before become sgn(0). With weights of both signs some sign is lost, whichever sgn(0)
    is; with one sign it is found by luck."""
    net = net_of("x>g g>h h>o", {"g": LINEAR, "h": LINEAR})
    for weights, lost in (((-1, 1), 1), ((-1, -1), 0), ((1, 1), 0)):
        named = dict(zip(("x>g", "g>h", "h>o"), (*weights, 0), strict=True))
        case = case_of(net, named, [(["1/2"], 1, 1)])
        assert values_of(ITERATION, case) == [lost]
        assert values_of(ITERATION_FIX, case) == []


@settings(max_examples=20)
@given(drawn_cases(n=1, zero=False, max_hidden=4))
def test_the_invariants_hold_without_zero_weights(case):
    assert set(values_of(ITERATION_FIX, case)) == {0}


def test_leaky_networks_are_unrolled_too():
    net = net_of("x1>h x2>h h>o", {"h": leaky_relu("1/3"), "o": leaky_relu("1/2")})
    case = case_of(net, {"x1>h": 1, "x2>h": -2, "h>o": 3}, [(["1/2", "1/2"], 1, 1)])
    assert values_of(VALUE, case) == [0]
    assert set(values_of(ITERATION, case)) == {0}
