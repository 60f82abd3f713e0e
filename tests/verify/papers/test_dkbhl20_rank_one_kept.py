"""Lemma 6, on rank one states worked out by hand."""

from fractions import Fraction
from random import Random

import pytest

from graphs.normalised.laws import finite_law
from tests.graphs.normalised.entries import independent_entries
from tests.graphs.normalised.expectations import equal_entries
from tests.graphs.normalised.sign_chains import sign_chain
from tests.verify.papers.dkbhl20_cases import met, number_of, says, truth_of
from tests.verify.papers.dkbhl20_laws import RADEMACHER, SKEW, SPARSE, instance
from verify.core.budgets import budget_named
from verify.methods.context import Context
from verify.methods.exhibit import exhibit
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.dkbhl20 import rank_one_kept
from verify.papers.dkbhl20.invariance import UNIQUE, largest_atom
from verify.papers.dkbhl20.notation import H
from verify.papers.dkbhl20.rank_one_kept import AFTER_IT, BEFORE_IT, KEPT, LIMITS, OF_SIZE_ONE
from verify.papers.dkbhl20.sign_chain import (
    STEP,
    STEP_OF_EITHER,
    D,
    defined,
    laws_of,
    limits,
    state_of,
)
from verify.papers.dkbhl20.sign_states import law_count, sign_chain_of
from verify.search.certificates import answer
from verify.search.judging import judge_exactly

CLAIMS = {claim.id: claim for claim in rank_one_kept.CLAIMS}
COLUMN = [[1], [1]]


def test_a_sign_that_changes_changes_m():
    # u + W u = (1 - 2, 1 + 0) = (-1, 1): M_12 goes from 1 to -1
    case = instance(H=COLUMN, W=[[-1, -1], [1, -1]], gamma=1)
    assert number_of(BEFORE_IT[1, 2], case) == 1
    assert number_of(AFTER_IT[1, 2], case) == -1
    assert truth_of(KEPT, case) is False
    assert truth_of(OF_SIZE_ONE, case)


def test_of_rank_two_both_are_decided_by_hand():
    # rows (1, 1), (1, -1): M = I; H + W H = rows (2, 0), (1, -1)
    case = instance(H=[[1, 1], [1, -1]], W=[[0, 1], [0, 0]], gamma=1)
    assert number_of(BEFORE_IT[1, 2], case) == 0
    assert truth_of(OF_SIZE_ONE, case) is False


def test_the_chain_of_signs_at_strength_one():
    # u_i + (w_1 u_1 + w_2 u_2) is 3, 1, 1, -1 of the sign of u_i: each sign flips with 1/4
    case = instance(H=COLUMN, gamma=1)
    assert truth_of(defined(STEP), case)
    found = [number_of(STEP[1, t], case) for t in (1, 2, 3, 4)]
    assert found == [Fraction(9, 16), Fraction(3, 16), Fraction(3, 16), Fraction(1, 16)]
    uniform = limits(STEP, D, lambda s: s == 1, lambda law: law[4] == Fraction(1, 4))
    assert truth_of(uniform, case)


@pytest.mark.parametrize(
    ("hidden", "law", "gamma", "count"),
    [
        (COLUMN, RADEMACHER, 1, 1),
        (COLUMN, RADEMACHER, Fraction(1, 4), 4),  # no sign can change: each state is one
        ([[1, 1], [1, 1]], RADEMACHER, 1, 2),  # (1, 1) and (1, -1) as directions of the rows
        ([[1, 1, 1]], RADEMACHER, 2, 4),
        (COLUMN, RADEMACHER, Fraction(1, 2), 0),  # 1 - 1/2 - 1/2 = 0: BN is not defined
        (COLUMN, SPARSE, Fraction(3, 64), 1),  # below 1/16, and 3/64 * 32 > 1
        (COLUMN, SPARSE, Fraction(1, 16), 0),
        ([[1]], RADEMACHER, 2, 1),
        ([[1]], SKEW, Fraction(1, 4), 2),
    ],
)
def test_how_many_invariant_laws_there_are(hidden, law, gamma, count):
    case = instance(law, H=hidden, gamma=gamma)
    assert law_count(case) == count
    assert met(CLAIMS["dkbhl20.lem6.c@A"], UNIQUE.name, case) is (count == 1)
    if count:
        assert number_of(laws_of(STEP), case) * 2 ** (len(hidden[0]) - 1) == count


@pytest.mark.parametrize("law", [RADEMACHER, SPARSE, SKEW])
@pytest.mark.parametrize("width", [1, 2, 3])
@pytest.mark.parametrize("rows", [independent_entries, equal_entries])
def test_the_chain_of_signs_is_the_one_made_row_by_row(law, width, rows):
    gamma = Fraction(5, 4) / (width * max(law[0]))
    tied = int(rows is equal_entries)
    case = instance(law, gamma=gamma, H=[[1]] * width, tied=tied)
    found = sign_chain_of(case)
    finite = finite_law("P", zip(*law, strict=True))
    assert found.chain == sign_chain(width, rows(finite, width), gamma, of_moments=False)
    last = (-1,) * width  # all ones are the first state in both orders, this is the last one
    there = found.chain.transition[0][found.states.index(last)]
    assert number_of(STEP_OF_EITHER[1, 2**width], case) == there


def test_no_law_of_weights_no_invariant_law():
    assert law_count(instance(((1, 2), (Fraction(1, 2), 1)), H=COLUMN)) == 0


def test_the_limit_of_an_average():
    assert truth_of(LIMITS, instance(H=COLUMN, gamma=1)) is False  # the mean is 0
    assert truth_of(LIMITS, instance(H=[[1], [-1]], gamma=Fraction(1, 4)))
    # of the skew law at strength 2: 9, 4, 4, -1 with 1/25, 8/25, 16/25 from (1, 1)
    assert truth_of(LIMITS, instance(SKEW, H=COLUMN, gamma=2)) is False


def test_signs_of_rows():
    assert number_of(state_of(H), instance(H=[[3, 1], [-3, -1]])) == 3  # (1, -1)
    assert number_of(state_of(H), instance(H=[[3, 1], [3, 1]])) == 1
    for other in ([[3, 1], [-6, -2]], [[3, 1], [1, 3]], [[3, 1], [0, 0]]):
        assert truth_of(state_of(H) >= 1, instance(H=other)) is None  # no u v^T of signs u


@pytest.mark.parametrize("seed", range(6))
def test_uniqueness_is_repaired_and_broken(seed):
    random = Random(seed)
    law = (RADEMACHER, SPARSE)[seed % 2]
    case = instance(law, H=[[1, 1], [1, 1]], W=[[1, 1], [1, 1]], gamma=Fraction(1, 100))
    found = UNIQUE.repair(case, random)
    assert law_count(found) in (0, 1)  # 0 where a sum of weights is 0 for the strengths tried
    assert found.lengths["N"] == 1
    assert law_count(UNIQUE.break_(found, random)) == 2 ** found.lengths["d"]


def test_repairs_reach_uniqueness():
    cases = [UNIQUE.repair(instance(SPARSE, H=COLUMN, gamma=0), Random(k)) for k in range(12)]
    assert sum(law_count(case) == 1 for case in cases) > 6
    assert largest_atom(cases[0]) == 16


REFUTED = ("dkbhl20.lem6.a@A", "dkbhl20.lem6.c@A")
PROVED = tuple(name for name, claim in CLAIMS.items() if claim.proof is not None)


def test_what_is_refuted_and_what_is_argued():
    assert set(PROVED) == set(CLAIMS) - set(REFUTED)


@pytest.mark.parametrize("name", REFUTED)
def test_above_b_8_the_threshold_of_lemma_5_does_not_keep_signs(name):
    assert exhibit(CLAIMS[name], Context(budget_named("ci"))).outcome.value == "refutes"


def test_a_counterexample_is_found_anew():
    evidence = pointwise(CLAIMS["dkbhl20.lem6.a@A"], Context(budget_named("ci")))
    assert evidence.outcome.value == "refutes"
    assert answer(evidence.certificate)["exit"] == 0


@pytest.mark.parametrize("name", PROVED)
def test_arguments(name):
    evidence = schema(CLAIMS[name], Context(budget_named("smoke")))
    assert evidence.outcome.value == "argues"


def test_below_the_threshold_with_b_cases_are_met():
    evidence = pointwise(CLAIMS["dkbhl20.lem6.a@B.fix"], Context(budget_named("smoke")))
    assert evidence.instances > 0


def test_a_counterexample_by_hand():
    # gamma = 3/64, B = 16: u_1 + 3/64 (-16 - 16) = -1/2, and d = 2 allows gamma <= 1/16
    case = instance(SPARSE, H=COLUMN, W=[[-16, -16], [0, 0]], gamma=Fraction(3, 64))
    assert judge_exactly(CLAIMS["dkbhl20.lem6.a@A"], case).violations
    assert says(CLAIMS["dkbhl20.lem6.a@A"], case) is False
    assert not judge_exactly(CLAIMS["dkbhl20.lem6.a@B.fix"], case).admitted
