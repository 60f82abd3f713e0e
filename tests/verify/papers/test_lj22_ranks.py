"""Remark 1 by hand."""

from fractions import Fraction

import pytest

from graphs.activations import LINEAR, RELU
from tests.verify.drawn_cases import case_of, net_of, value_of, values_of
from verify.certificates import certificate_of
from verify.checker import REJECT, check
from verify.judging import Violation
from verify.registry import find

FORK = "x>u x>v u>o v>o"
WEIGHTS = {"x>u": 2, "x>v": 3, "u>o": 5, "v>o": 7}
ON = {"u": RELU, "v": RELU}


def claim(reading, bound):
    return find(f"lj22.remark1.r{bound}@{reading}")


def ranks(case, layer=1):
    """The ranks of the three matrices."""
    return [1 - value_of(claim(reading, 1), case, layer=layer) for reading in "ABC"]


def test_two_neurons_by_hand():
    both = case_of(net_of(FORK, ON), WEIGHTS, [([1], 1, 1)])
    # delta = (5, 7), z = (2, 3): delta z^T + z delta^T = [[20, 29], [29, 42]], twice: rank 2, 2, 0
    assert ranks(both) == [2, 2, 0]
    # v off: delta = (5, 0), z = (2, -3): [[20, -15], [-15, 0]]; post = (2, 0), c = (5, 7):
    # [[20, 14], [14, 0]]; the difference [[0, 29], [29, 0]]
    one = case_of(net_of(FORK, ON), {**WEIGHTS, "x>v": -3}, [([1], 1, 1)])
    assert ranks(one) == [2, 2, 2]


def test_four_neurons_reach_rank_4():
    edges = " ".join(f"x>h{k} h{k}>o" for k in range(4))
    into, out_of = (1, 2, -1, -2), (1, 1, 1, 3)
    weights = {f"x>h{k}": into[k] for k in range(4)} | {f"h{k}>o": out_of[k] for k in range(4)}
    net = net_of(edges, {f"h{k}": RELU for k in range(4)})
    case = case_of(net, weights, [([1], 1, 1)])
    # z_A = (1, 2), c_A = (1, 1), z_I = (-1, -2), c_I = (1, 3): N = z_A c_I^T - c_A z_I^T
    # = [[2, 5], [3, 8]] is regular
    assert ranks(case) == [2, 2, 4]
    assert value_of(claim("C", 3), case, layer=1) == -1
    assert value_of(claim("C", 4), case, layer=1) == 0


def test_two_examples_are_outside_and_have_larger_ranks():
    edges = " ".join(f"x{i}>h{k}" for i in (1, 2) for k in range(3))
    edges += " " + " ".join(f"h{k}>o" for k in range(3))
    numbers = iter((1, 2, 3, 5, 1, 4, 1, 1, 1))
    weights = {edge: next(numbers) for edge in edges.split()}
    net = net_of(edges, {f"h{k}": RELU for k in range(3)})
    single = case_of(net, weights, [([Fraction(3, 5), Fraction(4, 5)], 1, 1)])
    double = case_of(net, weights, [([1, 0], 1, 1), ([0, 1], 1, -3)])
    assert ranks(single)[0] == 2
    assert values_of(claim("A", 2), double) == []


def test_held_weights_are_outside():
    # of W_1 the diagonal alone moves: its product with W_1 = 1 has rank 3
    edges = " ".join(f"x{i}>h{k}" for i in range(3) for k in range(3))
    edges += " h0>o h1>o h2>o"
    held = {(f"x{i}", f"h{k}"): 0 for i in range(3) for k in range(3) if i != k}
    net = net_of(edges, {f"h{k}": RELU for k in range(3)}, fixed=held)
    case = case_of(net, dict.fromkeys(edges.split(), 1), [(["1/2", "1/2", "1/2"], 1, -1)])
    assert values_of(claim("A", 2), case) == []
    for value in ("-1", "1"):
        wrong = certificate_of(claim("A", 2), Violation(case, {"layer": 1}, value))
        assert check(wrong).code == REJECT


@pytest.mark.parametrize("kind", ["linear", "skip"])
def test_what_is_outside(kind):
    net = net_of(FORK, {"u": RELU, "v": LINEAR}) if kind == "linear" else net_of(f"{FORK} x>o", ON)
    case = case_of(net, {**WEIGHTS, "x>o": 1}, [([1], 1, 1)])
    for reading in "ABC":
        assert values_of(claim(reading, 1), case) == []
