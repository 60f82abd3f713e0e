"""Lemma 5, on small matrices worked out by hand."""

from fractions import Fraction
from random import Random

import pytest

from tests.verify.papers.dkbhl20_cases import number_of, truth_of
from tests.verify.papers.dkbhl20_laws import RADEMACHER, SPARSE, instance
from verify.core.budgets import budget_named
from verify.language.building import rank
from verify.methods.context import Context
from verify.methods.exhibit import exhibit
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.dkbhl20 import rank_two
from verify.papers.dkbhl20.invariance import FULL_RANK, WIDE
from verify.papers.dkbhl20.rank_two import AVERAGES_TEND, MEANS_OF_SIZE_ONE, TWO
from verify.papers.dkbhl20.step_cases import BEFORE
from verify.search.judging import judge_exactly

CLAIMS = {claim.id: claim for claim in rank_two.CLAIMS}
COLUMN = [[1], [1]]
IDENTITY = [[1, 0], [0, 1]]
EVERY = [[1, 1], [1, -1], [-1, 1], [-1, -1]]
QUARTER = Fraction(1, 4)


@pytest.mark.parametrize(("gamma", "found"), [(1, 1), (2, 2)])  # I + W = [[1, 1], [1, 1]]
def test_the_rank_after_a_step(gamma, found):
    case = instance(H=IDENTITY, W=[[0, 1], [1, 0]], gamma=gamma)
    assert number_of(rank(BEFORE), case) == found
    assert truth_of(TWO, case) is (found >= 2)


def test_averages_under_one_law_and_under_several():
    uniform = {"states": EVERY, "mass": [QUARTER] * 4}
    assert truth_of(AVERAGES_TEND, instance(H=COLUMN, gamma=1, **uniform))
    # states are fixed: from (1, 1) the averages tend to 1, under the law at (1, -1) the mean is -1
    for state, held in (([1, -1], False), ([-1, -1], True)):
        fixed = instance(H=COLUMN, gamma=QUARTER, states=[state], mass=[1])
        assert truth_of(AVERAGES_TEND, fixed) is held


def test_means_of_products():
    case = instance(H=COLUMN, gamma=1, states=EVERY, mass=[QUARTER] * 4)
    assert truth_of(MEANS_OF_SIZE_ONE, case) is False
    assert truth_of(MEANS_OF_SIZE_ONE, instance(H=COLUMN, states=[[1, -1]], mass=[1]))


def test_a_counterexample_from_full_rank_by_hand():
    # gamma B = 1/2: I + gamma W = [[1/2, 1/2], [1/2, 1/2]]
    case = instance(SPARSE, H=IDENTITY, W=[[-16, 16], [16, -16]], gamma=Fraction(1, 32))
    assert judge_exactly(CLAIMS["dkbhl20.lem5.a.full"], case).violations
    assert not judge_exactly(CLAIMS["dkbhl20.lem5.a.full.fix"], case).admitted
    assert not judge_exactly(CLAIMS["dkbhl20.lem5.a"], case).admitted  # two samples: not unique


def test_hypotheses():
    single = instance(RADEMACHER, H=[[1, 2]], W=[[1]])
    wide = WIDE.repair(single, Random(0))
    assert wide.arrays["W"].shape == (2, 2)
    full = FULL_RANK.repair(instance(H=[[1], [1]], W=IDENTITY), Random(0))
    assert full.arrays["H"].shape == (2, 2)
    broken = FULL_RANK.break_(full, Random(0))
    rows = [[Fraction(x) for x in row] for row in broken.arrays["H"].nested()]
    assert rows[0][0] * rows[1][1] == rows[0][1] * rows[1][0]


@pytest.mark.parametrize("name", ["dkbhl20.lem5.a", "dkbhl20.lem5.a.full", "dkbhl20.lem5.c"])
def test_what_is_refuted(name):
    assert exhibit(CLAIMS[name], Context(budget_named("ci"))).outcome.value == "refutes"


def test_the_threshold_with_b_keeps_the_rank():
    claim = CLAIMS["dkbhl20.lem5.a.full.fix"]
    assert schema(claim, Context(budget_named("smoke"))).outcome.value == "argues"
    assert pointwise(claim, Context(budget_named("smoke"))).instances > 0


def test_averages_are_drawn():
    evidence = pointwise(CLAIMS["dkbhl20.lem5.b"], Context(budget_named("smoke")))
    assert evidence.outcome.value == "supports"
    assert evidence.instances > 0
