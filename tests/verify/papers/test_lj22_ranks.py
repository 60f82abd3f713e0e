"""Remark 1 by hand."""

from dataclasses import replace
from fractions import Fraction

import pytest

from graphs.activations import LINEAR, RELU
from tests.verify.arrays import saying
from tests.verify.drawn_cases import case_of, net_of, value_of, values_of
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.language.building import Each, Rate, hidden, rank
from verify.methods.context import Context
from verify.methods.schema import schema
from verify.papers.lj22.ranks import weights_into
from verify.papers.registry import find
from verify.search.certificates import answer, certificate_of
from verify.search.judging import Violation

FORK = "x>u x>v u>o v>o"
WEIGHTS = {"x>u": 2, "x>v": 3, "u>o": 5, "v>o": 7}
ON = {"u": RELU, "v": RELU}


CLAIM = find("lj22.remark1.r2@A")


def rank_at(case, vertex):
    """The rank of the derivative at the layer of a vertex."""
    return 2 - value_of(CLAIM, case, vertex=vertex)


def test_two_neurons_by_hand():
    both = case_of(net_of(FORK, ON), WEIGHTS, [([1], 1, 1)])
    # delta = (5, 7), z = (2, 3): delta z^T + z delta^T = [[20, 29], [29, 42]]
    assert rank_at(both, "u") == 2
    # v off: delta = (5, 0), z = (2, -3): [[20, -15], [-15, 0]]
    one = case_of(net_of(FORK, ON), {**WEIGHTS, "x>v": -3}, [([1], 1, 1)])
    assert rank_at(one, "v") == 2
    # v counts as active where its preactivation is 0: delta = (5, 7), z = (2, 0)
    edge = case_of(net_of(FORK, ON), {**WEIGHTS, "x>u": -2}, [([0], 1, 1)])
    assert rank_at(edge, "u") == 0


def test_four_neurons_have_rank_2():
    edges = " ".join(f"x>h{k} h{k}>o" for k in range(4))
    into, out_of = (1, 2, -1, -2), (1, 1, 1, 3)
    weights = {f"x>h{k}": into[k] for k in range(4)} | {f"h{k}>o": out_of[k] for k in range(4)}
    net = net_of(edges, {f"h{k}": RELU for k in range(4)})
    case = case_of(net, weights, [([1], 1, 1)])
    assert rank_at(case, "h0") == 2


def test_two_examples_are_outside_and_have_larger_ranks():
    edges = " ".join(f"x{i}>h{k}" for i in (1, 2) for k in range(3))
    edges += " " + " ".join(f"h{k}>o" for k in range(3))
    numbers = iter((1, 2, 3, 5, 1, 4, 1, 1, 1))
    weights = {edge: next(numbers) for edge in edges.split()}
    net = net_of(edges, {f"h{k}": RELU for k in range(3)})
    single = case_of(net, weights, [([Fraction(3, 5), Fraction(4, 5)], 1, 1)])
    double = case_of(net, weights, [([1, 0], 1, 1), ([0, 1], 1, -3)])
    assert rank_at(single, "h0") == 2
    assert values_of(CLAIM, double) == []


def test_held_weights_are_outside():
    # of W_1 the diagonal alone moves: its product with W_1 = 1 has rank 3
    edges = " ".join(f"x{i}>h{k}" for i in range(3) for k in range(3))
    edges += " h0>o h1>o h2>o"
    held = {(f"x{i}", f"h{k}"): 0 for i in range(3) for k in range(3) if i != k}
    net = net_of(edges, {f"h{k}": RELU for k in range(3)}, fixed=held)
    case = case_of(net, dict.fromkeys(edges.split(), 1), [(["1/2", "1/2", "1/2"], 1, -1)])
    assert values_of(CLAIM, case) == []
    assert answer(certificate_of(CLAIM, Violation(case, {"at": ["h0"]}, "-1")))["exit"] == 1


@pytest.mark.parametrize("kind", ["linear", "skip"])
def test_what_is_outside(kind):
    net = net_of(FORK, {"u": RELU, "v": LINEAR}) if kind == "linear" else net_of(f"{FORK} x>o", ON)
    case = case_of(net, {**WEIGHTS, "x>o": 1}, [([1], 1, 1)])
    assert values_of(CLAIM, case) == []


def test_the_argument_is_about_this_bound():
    smoke, matrices = Context(budget_named("smoke")), weights_into
    assert schema(CLAIM, smoke).outcome is Outcome.ARGUES
    lower = Each(hidden(), lambda v: rank(Rate(matrices(v) @ matrices(v).T)) <= 1)
    other = replace(saying(CLAIM, lower), proof=CLAIM.proof)
    assert schema(other, smoke).outcome is Outcome.ERROR
