"""The block of a layer's own neurons: by hand, and what the engine says."""

from fractions import Fraction

import pytest

from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from verify.dag_scene import Dag
from verify.deep import tensor_of
from verify.evidence import Outcome
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.zlb22 import own_layer
from verify.registry import find
from verify.runs.budgets import budget_named

CI = Context(budget_named("ci"), 2, "cpu")
N = 5
EDGES = {(2, 0): 1, (2, 1): 2, (3, 0): 3, (4, 2): 1, (4, 3): -1}  # head, tail: weight


def network(x=(2, 3)):
    """Inputs 0 and 1; 2 = z^2 of both, 3 = z of the first; 4 their sum with signs."""
    edges = [[int((v, u) in EDGES) for u in range(N)] for v in range(N)]
    weights = [[EDGES.get((v, u), 0) for u in range(N)] for v in range(N)]
    activations = [[0, 1, 0], [0, 1, 0], [0, 0, 1], [0, 1, 0], [0, 1, 0]]
    return Dag(
        {
            "E": tensor_of(("n", "n"), edges),
            "W": tensor_of(("n", "n"), weights),
            "A": tensor_of(("n", "k"), activations),
            "X": tensor_of(("N", "n"), [[*x, 0, 0, 0]]),
        }
    )


def sides(case):
    found = own_layer.own_gram(Dag.scene([case], RATIONALS))
    labels = [tuple(found.label(k)["numbers"]) for k in range(len(found))]
    values = zip(found.left, found.values, strict=True)
    pairs = [(as_fraction(left), as_fraction(value)) for left, value in values]
    return dict(zip(labels, pairs, strict=True))


def test_gradients_by_hand():
    # z_2 = 2 + 6 = 8, slope 16: 16^2 (4 + 9) / 2; 3 is linear: 2^2; 4 reads 64 and 6
    assert sides(network()) == {
        (3, 3): (Fraction(256 * 13, 2), 0),
        (3, 4): (0, 0),
        (4, 4): (4, 0),
        (5, 5): (Fraction(64**2 + 6**2, 2), 0),
    }


def test_the_factor_of_the_in_degree_counts(monkeypatch):
    every = property(lambda scene: scene.chosen(scene.slot_layer > 0))
    monkeypatch.setattr("verify.dag_scene.DagScene.inverse_degrees", every)
    assert sides(network())[3, 3][1] == 256 * 13 - Fraction(256 * 13, 2)


def test_it_is_proved():
    claim = find("zlb22.lemB.1.own")
    assert schema(claim, CI).outcome is Outcome.ARGUES
    found = pointwise(claim, CI)
    assert found.outcome is Outcome.SUPPORTS
    assert found.instances > 10


@pytest.mark.parametrize("zeros", [(0, 3), (0, 0)])
def test_inputs_that_are_0(zeros):
    assert {value for _, value in sides(network(zeros)).values()} == {0}
