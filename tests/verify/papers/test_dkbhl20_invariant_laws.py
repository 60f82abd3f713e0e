"""Definition 2, existence, uniqueness and ergodicity, on chains of signs worked out by hand."""

from fractions import Fraction
from random import Random

import pytest

from tests.verify.papers.dkbhl20_laws import RADEMACHER, SKEW, SPARSE, instance, values
from verify.core.budgets import budget_named
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.methods.search import search
from verify.papers.dkbhl20 import ergodicity, invariant_laws
from verify.papers.dkbhl20.ergodicity import averages_of_indicators, measures_of_invariant_sets
from verify.papers.dkbhl20.invariant_laws import (
    change_beside_the_means,
    change_of_means,
    laws_beside_one,
    laws_beside_two,
    laws_on_two_lines,
    some_invariant_law,
)
from verify.papers.dkbhl20.laws_on_signs import (
    DEFINED,
    INVARIANT,
    ON_SIGNS,
    SEVERAL,
    SMALL,
    law_on_signs,
)
from verify.papers.dkbhl20.sign_states import step_of_matrices
from verify.search.certificates import answer
from verify.search.judging import judge_exactly

CLAIMS = {c.id: c for module in (invariant_laws, ergodicity) for c in module.CLAIMS}
COLUMN = [[1], [1]]
QUARTER = Fraction(1, 4)
HALF = Fraction(1, 2)


def on_signs(states, mass, law=RADEMACHER, gamma=1):
    return instance(law, gamma, states=states, mass=mass)


def test_a_law_that_meets_10_and_not_38():
    # of Rademacher weights at strength 1 each sign flips with 1/4: from (1, 1) or (-1, -1) the
    # chain is at (1, -1) with 3/16, and the means of u and -u cancel
    case = on_signs([[1, 1], [-1, -1]], [HALF, HALF])
    assert values(change_of_means, case) == {(0,): 0, (1,): 0}
    assert values(change_beside_the_means, case) == {(): Fraction(3, 16)}
    assert judge_exactly(CLAIMS["dkbhl20.def2.unlike"], case).violations


def test_a_law_that_meets_neither_and_one_that_meets_both():
    case = on_signs([[1, 1]], [1])
    assert values(change_of_means, case) == {(0,): -HALF, (1,): -HALF}
    assert values(change_beside_the_means, case) == {(): 0}
    every = [[1, 1], [1, -1], [-1, 1], [-1, -1]]
    uniform = on_signs(every, [QUARTER] * 4)
    assert values(change_beside_the_means, uniform) == {(): 0}
    assert values(change_of_means, uniform) == {(0,): 0, (1,): 0}


def test_repairs_of_laws_on_signs():
    case = on_signs([[Fraction(1, 2), -3]], [-2])
    found = ON_SIGNS.repair(case, Random(0))
    assert law_on_signs(case) is None
    assert sum(law_on_signs(found)) == 1
    invariant = INVARIANT.repair(found, Random(0))
    assert law_on_signs(invariant) == (QUARTER,) * 4


def test_counts_of_laws():
    assert values(some_invariant_law, instance(H=COLUMN, gamma=1)) == {(): 1}
    assert values(laws_beside_one, instance(H=COLUMN, gamma=QUARTER)) == {(): 3}
    assert values(laws_beside_two, instance(H=COLUMN, gamma=QUARTER)) == {(): 2}
    # 1 - 1/2 - 1/2 = 0 can be met from each state
    assert values(some_invariant_law, instance(H=COLUMN, gamma=HALF)) == {(): 0}


def test_a_step_of_matrices():
    case = instance(H=[[1, 1], [1, -1]], gamma=1)
    first = ((1, -1), (1, -1))
    law = step_of_matrices(case, {tuple(tuple(map(Fraction, row)) for row in first): Fraction(1)})
    assert len(law) == 4
    assert law[first] == Fraction(9, 16)
    assert law[((1, -1), (-1, 1))] == Fraction(3, 16)
    with pytest.raises(ValueError, match="no multiple"):
        step_of_matrices(case, {((Fraction(1), Fraction(1)), (Fraction(1), Fraction(-1))): 1})


def test_laws_on_two_lines():
    expected = {("first",): 0, ("second",): 0, ("third",): 0}
    assert values(laws_on_two_lines, instance(H=[[1, 1], [1, 1]], gamma=1)) == expected
    # of a single sample v = (1) and v = (-1) are one line: all four matrices are shared
    single = values(laws_on_two_lines, instance(H=COLUMN, gamma=1))
    assert single == {("first",): 0, ("second",): 0, ("third",): 4}


def test_ergodicity():
    assert values(measures_of_invariant_sets, instance(H=COLUMN, gamma=1)) == {(): 0}
    assert values(averages_of_indicators, instance(H=COLUMN, gamma=1)) == {(): 0}
    fixed = instance(H=COLUMN, gamma=QUARTER)  # four laws, each at one state
    assert values(measures_of_invariant_sets, fixed) == {(): Fraction(3, 16)}
    assert values(averages_of_indicators, fixed) == {(): 1}


def test_hypotheses_of_the_chain():
    random = Random(0)
    case = instance(SPARSE, H=COLUMN, gamma=Fraction(1, 16))
    assert not judge_exactly(CLAIMS["dkbhl20.hyp_unique.b"], case).admitted
    assert judge_exactly(CLAIMS["dkbhl20.hyp_unique.b"], DEFINED.repair(case, random)).admitted
    assert SEVERAL.repair(case, random).lengths["N"] >= 2
    assert SEVERAL.break_(case, random).lengths["N"] == 1
    small = SMALL.repair(case, random)
    assert small.number("gamma") * 32 < 1
    assert SMALL.break_(case, random).number("gamma") * 32 >= 1
    assert SMALL.repair(small, random) is small


PROVED = tuple(name for name, claim in CLAIMS.items() if claim.proof is not None)


@pytest.mark.parametrize("name", PROVED)
def test_arguments(name):
    assert schema(CLAIMS[name], Context(budget_named("smoke"))).outcome.value == "argues"


@pytest.mark.parametrize("name", PROVED)
def test_what_holds(name):
    evidence = pointwise(CLAIMS[name], Context(budget_named("smoke")))
    assert evidence.outcome.value == "supports"
    assert evidence.instances > 0


@pytest.mark.parametrize("name", ["dkbhl20.def2.unlike", "dkbhl20.hyp_unique.a"])
def test_witnesses(name):
    evidence = search(CLAIMS[name], Context(budget_named("ci")))
    assert evidence.outcome.value == "proves"
    assert answer(evidence.certificate)["exit"] == 0


def test_what_ergodicity_needs():
    needs = necessity(CLAIMS["dkbhl20.ergodic.b"], Context(budget_named("ci"))).needs
    assert [need.hypothesis for need in needs if need.needed] == ["unique invariant law"]


def test_skew_laws_have_invariant_laws_as_well():
    assert values(some_invariant_law, instance(SKEW, H=COLUMN, gamma=2)) == {(): 1}
