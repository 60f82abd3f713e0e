"""Laws at kinks, for limits of gradients."""

from fractions import Fraction
from random import Random

import pytest

from graphs.activations import LINEAR, RELU
from graphs.network import network
from verify.cases.case import Case
from verify.core.budgets import BUDGETS
from verify.core.evidence import Outcome
from verify.methods.clarke import clarke, rates
from verify.methods.context import Context
from verify.papers.registry import find

SMOKE = Context(BUDGETS["smoke"])

# x -> u (ReLU, in-weight 0), x -> v (linear); u, v -> o; x = 1, y = 1, slope of the loss 1. With
# the slope s at u the velocities are w_xu' = -s w_uo = -2s, w_xv' = -3, w_uo' = 0, w_vo' = -1, and
# d/dt (w_xu w_xv - w_uo w_vo) = -2s + 0 - (0 - 2) = 2 - 2s.
FORK = Case(
    network(
        [("x", "u"), ("x", "v"), ("u", "o"), ("v", "o")],
        inputs=["x"],
        outputs=["o"],
        activations={"u": RELU, "v": LINEAR},
    ),
    tuple(map(Fraction, (0, 1, 2, 3))),
    ((Fraction(1),),),
    (Fraction(1),),
    slopes=(Fraction(1),),
)


def test_both_limits_at_a_fork():
    pair, vertex = find("lj22.lemma2b@A"), find("lj22.lemma2a")
    found = [rates(pair, FORK, Random(seed)) for seed in range(20)]
    assert {tuple(values) for values in found} == {(0, 0), (2, 2)}  # (u, v) and (v, u)
    for seed in range(20):
        assert rates(vertex, FORK, Random(seed)) == [0, 0]


def test_without_a_kink_there_is_nothing_to_see():
    smooth = FORK.with_weights([Fraction(1), *FORK.weights[1:]])
    assert rates(find("lj22.lemma2a"), smooth, Random(0)) == []


@pytest.mark.parametrize("name", ["lj22.lemma2a", "lj22.lemma3@B", "lj22.bias@BB"])
def test_laws_that_are_proved_hold_at_kinks(name):
    evidence = clarke(find(name), SMOKE)
    assert evidence.outcome is Outcome.SUPPORTS
    assert evidence.figures["rates"] > 0


def test_a_law_that_fails_is_not_refuted_by_elements_that_no_flow_need_select():
    evidence = clarke(find("lj22v1.lemma3b"), SMOKE)
    assert evidence.outcome is Outcome.INCONCLUSIVE
    assert evidence.figures["not 0"] > 0


def test_claims_about_smooth_points_are_not_asked():
    for name in ("lj22.lemma2b@A.fix", "lj22.risk", "lj22.lemma4"):
        assert clarke(find(name), SMOKE) is None
