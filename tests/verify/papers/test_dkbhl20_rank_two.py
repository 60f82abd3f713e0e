"""Lemma 5, on small matrices worked out by hand."""

from fractions import Fraction
from random import Random

import pytest

from tests.verify.papers.dkbhl20_laws import RADEMACHER, SPARSE, instance, values
from verify.core.budgets import budget_named
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.dkbhl20 import rank_two
from verify.papers.dkbhl20.rank_two import (
    FULL_RANK,
    WIDE,
    averages_and_means,
    means_of_products,
    rank_above_one,
)
from verify.search.certificates import answer
from verify.search.judging import judge_exactly

CLAIMS = {claim.id: claim for claim in rank_two.CLAIMS}
COLUMN = [[1], [1]]
IDENTITY = [[1, 0], [0, 1]]


def test_the_rank_after_a_step():
    # I + W = [[1, 1], [1, 1]]
    case = instance(H=IDENTITY, W=[[0, 1], [1, 0]], gamma=1)
    assert values(rank_above_one, case) == {(): -1}
    case = instance(H=IDENTITY, W=[[0, 1], [1, 0]], gamma=2)
    assert values(rank_above_one, case) == {(): 0}
    three = instance(H=[[1, 0, 0], [0, 1, 0], [0, 0, 1]], W=[[0] * 3] * 3)
    assert values(rank_above_one, three) == {(): 1}


def test_averages_under_one_law_and_under_several():
    assert values(averages_and_means, instance(H=COLUMN, gamma=1)) == {((0, 1),): 0}
    # states are fixed: from (1, 1) the averages tend to 1, under the law at (1, -1) the mean is -1
    fixed = instance(H=COLUMN, gamma=Fraction(1, 4))
    assert values(averages_and_means, fixed) == {((0, 1),): 2}
    assert values(averages_and_means, instance(H=IDENTITY, gamma=1)) == {((0, 1),): 0}


def test_means_of_products():
    assert values(means_of_products, instance(H=COLUMN, gamma=1)) == {((0, 1),): -1}
    fixed = instance(H=COLUMN, gamma=Fraction(1, 4))
    assert values(means_of_products, fixed) == {((0, 1),): 0}


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
    judged = judge_exactly(CLAIMS["dkbhl20.lem5.a.full"], full)
    assert judged is not None
    broken = FULL_RANK.break_(full, Random(0))
    rows = broken.arrays["H"].nested()
    assert Fraction(rows[0][0]) * Fraction(rows[1][1]) == Fraction(rows[0][1]) * Fraction(
        rows[1][0]
    )


@pytest.mark.parametrize("name", ["dkbhl20.lem5.a", "dkbhl20.lem5.c"])
def test_what_is_refuted(name):
    evidence = pointwise(CLAIMS[name], Context(budget_named("ci")))
    assert evidence.outcome.value == "refutes"
    assert answer(evidence.certificate)["exit"] == 0


def test_the_threshold_with_b_keeps_the_rank():
    claim = CLAIMS["dkbhl20.lem5.a.full.fix"]
    assert schema(claim, Context(budget_named("smoke"))).outcome.value == "argues"
    assert pointwise(claim, Context(budget_named("smoke"))).instances > 0


def test_averages_are_drawn():
    evidence = pointwise(CLAIMS["dkbhl20.lem5.b"], Context(budget_named("ci")))
    assert evidence.outcome.value == "supports"
    assert evidence.instances > 0
