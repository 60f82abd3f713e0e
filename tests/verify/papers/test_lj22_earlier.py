"""Statements of the earlier version by hand."""

from graphs.activations import RELU
from tests.verify.drawn_cases import case_of, net_of, seen, value_of, values_of
from verify.papers.registry import find

PAIR = find("lj22v1.lemma3b")
SHAPE = find("lj22v1.eq8.a@A")
LAW = {reading: find(f"lj22v1.eq8.b@{reading}") for reading in "AB"}


def test_pairs_without_a_condition_on_patterns():
    net = net_of("x>u x>v u>o v>o", {"u": RELU, "v": RELU})
    # u = 1 is active and moves with -3, v = -2 rests; out-velocities -1 and 0: incoming
    # -2 * -3 = 6, outgoing 5 * -1
    case = case_of(net, {"x>u": 1, "x>v": -2, "u>o": 3, "v>o": 5}, [([1], 1, 1)])
    assert value_of(PAIR, case, at=["u", "v"]) == 11
    case = case_of(net, {"x>u": 1, "x>v": 2, "u>o": 3, "v>o": 5}, [([1], 1, 1)])
    assert value_of(PAIR, case, at=["u", "v"]) == 0


def test_the_in_edges_of_the_output():
    net = net_of("x1>o x2>o")
    layers = [[["x1", "o"]], [["x1", "o"], ["x2", "o"]]]
    # nu = x1 + 2 x2 at (0, 1): 2 w wdot is 0 on the first edge and -4 on the second
    case = case_of(net, {"x1>o": 1, "x2>o": 2}, [([0, 1], 1, 1)], layers=layers)
    # each path has one of the two edges, and without them there are three pieces: 3 > 1
    assert [value for _, value, _ in seen(SHAPE, case)] == [0, 0, 2]
    assert value_of(LAW["A"], case, at=[]) == 4
    assert values_of(LAW["B"], case) == []


def test_only_the_last_layer_is_compared_with():
    net = net_of("x>h h>o")
    weights = {"x>h": 2, "h>o": 3}
    last, first = [["h", "o"]], [["x", "h"]]
    for law in LAW.values():
        case = case_of(net, weights, [([1], 1, 1)], layers=[first, last])
        assert values_of(law, case) == [0]
        assert values_of(law, case.choosing(layers=[last, first])) == []
