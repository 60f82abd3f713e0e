"""Section 4.2 by hand: vertices, pairs, layers, biases; where each holds and where not."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graphs.activations import LINEAR, RELU, leaky_relu
from tests.verify.drawn_cases import (
    case_of,
    derivative_by_values,
    drawn_cases,
    kappas,
    kinked,
    net_of,
    nu,
    seen,
    value_of,
    values_of,
)
from verify.language.building import Each, Rate, hidden, into, out_of
from verify.papers.lj22.graph_terms import LAYERS_BALANCE, squares
from verify.papers.registry import find
from verify.statements.stated import stated

VERTEX = find("lj22.lemma2a")
PAIR_A, PAIR_FIX = map(find, ("lj22.lemma2b@A", "lj22.lemma2b@A.fix"))
LAYER_A, LAYER_B = map(find, ("lj22.lemma3@A", "lj22.lemma3@B"))
BIAS = {name: find(f"lj22.bias@{name}") for name in ("BA", "BB")}
HALF = [(["1/2"], 1, 1)]
LEAKY = leaky_relu("1/2")


def without_hypotheses(says):
    """The statement alone, of whatever edges."""
    return stated("alone", VERTEX.source, "", "", says, ())


BALANCE = without_hypotheses(
    Each(hidden(), lambda v: Rate(squares(into(v))) == Rate(squares(out_of(v))))
)
LAYERS = without_hypotheses(LAYERS_BALANCE)


# vertices -----------------------------------------------------------------------------------
def test_the_balance_of_a_vertex():
    # nu = 2 * 3 * x, x = 1/2, kappa = 1: dnu/dw = 3/2 and 1; 2 w wdot = -6 on both sides
    case = case_of(net_of("x>h h>o", {"h": RELU}), {"x>h": 2, "h>o": 3}, HALF)
    assert value_of(VERTEX, case, at=["h"]) == 0


def test_a_frozen_edge_spoils_the_balance_and_is_outside():
    # 2 w wdot is 0 on the first edge, and -6 on the second
    net = net_of("x>h h>o", {"h": RELU}, fixed={("x", "h"): 2})
    case = case_of(net, {"h>o": 3}, HALF)
    assert values_of(VERTEX, case) == []
    assert value_of(BALANCE, case, at=["h"]) == 6


def test_a_tied_edge_spoils_the_balance_and_is_outside():
    # w = 2 on x -> h and x -> o: nu = 2 * 3 x + 2 x, dnu/dw = 3/2 + 1/2 = 2: 2 w wdot = -8, not -6
    net = net_of("x>h h>o x>o", {"h": RELU}, parameters={("x", "h"): "w", ("x", "o"): "w"})
    case = case_of(net, {"w": 2, "h>o": 3}, HALF)
    assert values_of(VERTEX, case) == []
    assert value_of(BALANCE, case, at=["h"]) == -2


@settings(max_examples=20)
@given(drawn_cases(zero=False))
def test_every_vertex_balances(case):
    values = values_of(VERTEX, case)
    assert set(values) <= {0}


@settings(max_examples=25)
@given(drawn_cases(fixed=True, sharing=True, zero=False))
def test_the_defect_is_the_derivative_of_the_balance_along_the_flow(case):
    """Also where it is not 0, from values of the risk alone."""
    assume(not kinked(case))
    net = case.network
    degree = max(net.depths)

    def risk(other):
        return sum(k * nu(other, j) for j, k in enumerate(kappas(case)))

    velocity = [-derivative_by_values(case, p, risk, degree) for p in range(net.parameter_count)]
    weights = net.edge_weights(case.weights)
    for label, value, _ in seen(BALANCE, case):
        v = net.index[label["at"][0]]
        rates = [
            0 if p < 0 else 2 * weights[e] * velocity[p] for e, p in enumerate(net.parameter_of)
        ]
        expected = sum(rates[e] for e in net.in_edges[v]) - sum(rates[e] for e in net.out_edges[v])
        assert value == expected


# pairs --------------------------------------------------------------------------------------
def pair(u, v, kinds=(RELU, RELU), x=1, **choice):
    """x -> u, v -> o with in-weights u, v, out-weights 3, 5, kappa = 1."""
    net = net_of("x>u x>v u>o v>o", dict(zip("uv", kinds, strict=True)))
    weights = {"x>u": u, "x>v": v, "u>o": 3, "v>o": 5}
    return case_of(net, weights, [([x], 1, 1)], **choice)


def test_a_pair_with_equal_patterns():
    # in-weights 1, 2: velocities -3, -5; out: -1, -2. Incoming 1 * -5 + 2 * -3, outgoing 3 * -2
    # + 5 * -1: both -11
    for claim in (PAIR_A, PAIR_FIX):
        assert value_of(claim, pair(1, 2), at=["u", "v"]) == 0
        # both inactive: nothing moves
        assert value_of(claim, pair(-1, -2), at=["u", "v"]) == 0
        # a linear neuron counts as active: velocities as above with u = -1
        assert value_of(claim, pair(-1, 2, (LINEAR, RELU)), at=["u", "v"]) == 0


def test_a_pair_with_different_patterns_is_outside():
    # v = -2 is inactive: incoming -2 * -3 = 6, outgoing 5 * -1 = -5
    for claim in (PAIR_A, PAIR_FIX):
        assert values_of(claim, pair(1, -2)) == []
    assert value_of(find("lj22v1.lemma3b"), pair(1, -2), at=["u", "v"]) == 11


def test_a_leaky_neuron_is_outside():
    assert values_of(PAIR_A, pair(-1, -2, (LEAKY, RELU))) == []
    assert values_of(PAIR_A, pair(1, 2, (LEAKY, LEAKY))) == []


def test_the_dormant_point():
    """u sleeps: in-weight 0 for all time, pre-activation 0, which the rule calls active."""
    asleep = {"slopes_at_0": [["u", 1, "0"]]}
    # velocities: u stays, v: -5; out of u: 0, out of v: -1. Incoming 0, outgoing 3 * -1 + 5 * 0
    case = pair(0, 1, **asleep)
    assert value_of(PAIR_A, case, at=["u", "v"]) == 3
    assert values_of(PAIR_FIX, case) == []  # no point of differentiability
    # awake, with the other slope at the kink, it is not a point of the claim either
    assert values_of(PAIR_A, pair(0, 1)) == []
    # and beside an inactive neuron the patterns differ
    assert values_of(PAIR_A, pair(0, -1, **asleep)) == []


@settings(max_examples=30)
@given(drawn_cases(max_hidden=4, zero=False, activations=st.sampled_from([RELU, LINEAR])))
def test_pairs_balance_at_points_of_differentiability(case):
    assert set(values_of(PAIR_FIX, case)) <= {0}
    assert set(values_of(PAIR_A, case)) <= {0}


# layers -------------------------------------------------------------------------------------
def apart(reading_claim):
    # nu = x1 + 2 x2 at x = (0, 1): 2 w wdot is 0 on x1 -> o and -4 on x2 -> o
    case = case_of(
        net_of("x1>o x2>o"),
        {"x1>o": 1, "x2>o": 2},
        [([0, 1], 1, 1)],
        layers=[[["x1", "o"]], [["x2", "o"]]],
    )
    return values_of(reading_claim, case)


def test_two_edges_that_disconnect_only_the_undirected_graph():
    assert apart(LAYER_A) == [4]
    assert apart(LAYER_B) == []
    assert apart(LAYERS) == [4]


@pytest.mark.parametrize("claim", [LAYER_A, LAYER_B])
def test_layers_that_cut_every_path_balance(claim):
    # x -> h -> o and x -> o: nu = (2 * 3 + 5) x at x = 1/2. F without the skip edge: 2 * 2 * 3/2,
    # F' without it: 2 * 3 * 1; the skip edge adds 2 * 5 * 1/2 to both
    net = net_of("x>h h>o x>o", {"h": LEAKY})
    layers = [[["x", "h"], ["x", "o"]], [["h", "o"], ["x", "o"]]]
    case = case_of(net, {"x>h": 2, "h>o": 3, "x>o": 5}, HALF, layers=layers)
    assert value_of(claim, case, at=[]) == 0
    # without it in the first one that is no layer, and the residual is -10/2 * -1
    layers = [[["x", "h"]], layers[1]]
    case = case.choosing(layers=layers)
    assert values_of(claim, case) == []
    assert values_of(LAYERS, case) == [5]


# biases -------------------------------------------------------------------------------------
def test_a_bias_against_a_weight():
    # nu = x + 2 b at x = 1/2, b = 1: 2 w wdot is -1 on x -> o, -4 on b -> o
    net = net_of("x>o b>o", constants={"b": 1})
    case = case_of(net, {"x>o": 1, "b>o": 2}, HALF, layers=[[["x", "o"]], [["b", "o"]]])
    assert values_of(BIAS["BA"], case) == [3]
    assert values_of(BIAS["BB"], case) == []
    both = [["b", "o"], ["x", "o"]]
    for name in BIAS:
        assert values_of(BIAS[name], case.choosing(layers=[both, both])) == [0]
    # an extra input of another value, and none at all
    for held in (net_of("x>o b>o", constants={"b": 2}), net_of("x1>o x2>o")):
        other = dict.fromkeys(held.parameter_names, 1)
        edges = [[held.names[t], "o"] for t in held.tails]
        rows = [(["1/2"] * len(held.free_inputs), 1, 1)]
        outside = case_of(held, other, rows, layers=[[edges[0]], [edges[1]]])
        assert values_of(BIAS["BA"], outside) == []


def test_each_neuron_has_its_own_bias_input():
    shared = net_of("x>h h>o b>h b>o", constants={"b": 1})
    own = net_of("x>h h>o b>h c>o", constants={"b": 1, "c": 1})
    for net, second, expected in ((shared, "b", []), (own, "c", [0])):
        layer = [["x", "h"], ["b", "h"], [second, "o"]]
        weights = dict.fromkeys(net.parameter_names, 1)
        case = case_of(net, weights, HALF, layers=[layer, layer])
        assert values_of(BIAS["BB"], case) == expected
