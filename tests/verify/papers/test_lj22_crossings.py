"""Claim 2, second sentence, by hand: what the risk does along the ray of the printed curve."""

from dataclasses import replace
from fractions import Fraction
from random import Random

from graphs.activations import RELU
from tests.verify.drawn_cases import case_of, exact_scene, net_of, values_of
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.language.building import examples, hidden
from verify.language.evaluation import Evaluation
from verify.methods.context import Context
from verify.methods.search import search
from verify.papers.lj22.crossings import moved_on_ray
from verify.papers.registry import find

SOME = find("lj22.claim2.b@A")
CI = Context(budget_named("ci"))
SKIP = net_of("x>h h>o x>o", {"o": RELU})
NEURON = net_of("x>o", {"o": RELU})


def skip(direct, slope=1):
    """z_o = c^2 - direct c at c times the weights, on x = 1."""
    weights = {"x>h": 1, "h>o": 1, "x>o": -direct}
    return case_of(SKIP, weights, [([1], 1, slope)])


def neuron(weight, slope=1, x=1):
    return case_of(NEURON, {"x>o": weight}, [([x], 1, slope)])


def test_a_skip_edge_lets_the_ray_cross_a_boundary():
    # just after c = 1, nu = c^2 - c, of derivative 1; before it is 0
    assert values_of(SOME, skip(1, slope=-3)) == [1]
    assert values_of(SOME, skip(2)) == [0]  # it crosses at c = 2, not at 1
    assert values_of(SOME, skip(1, slope=0)) == [0]


def test_in_layers_the_ray_crosses_nothing_but_0():
    layers = replace(SOME.pool, families=("fully connected",))
    for seed in range(60):
        case = layers.draw(Random(seed), n=1, loss="prescribed")
        assert set(values_of(SOME, case)) <= {0}


def test_a_neuron_moves_by_the_edges_before_it():
    # z_g = c^2 - c at c = 1 moves by 2 - 1, and nu by 5 for what g puts out
    net = net_of("x>h h>g x>g g>o", {"g": RELU})
    case = case_of(net, {"x>h": 1, "h>g": 1, "x>g": -1, "g>o": 5}, [([1], 1, 1)])
    moved = moved_on_ray(hidden()[2], examples()[1])
    assert Evaluation(exact_scene(case)).column(moved).values[0] == 5
    assert values_of(SOME, case) == [1]
    assert values_of(SOME, case.with_weights([Fraction(w) for w in (1, 1, -1, 0)])) == [0]


def test_two_kinks_tell_nothing():
    case = skip(1)
    twice = replace(case, inputs=case.inputs * 2, labels=case.labels * 2, slopes=case.slopes * 2)
    assert values_of(SOME, twice) == [0]


def test_a_case_is_found_and_accepted():
    found = search(SOME, CI)
    assert found.outcome is Outcome.PROVES
    assert found.checker["exit"] == 0
