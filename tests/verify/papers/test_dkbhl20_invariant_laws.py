"""Definition 2, existence, uniqueness and ergodicity, on chains of signs worked out by hand."""

from fractions import Fraction
from random import Random

import pytest

from tests.verify.papers.dkbhl20_cases import number_of, says, truth_of
from tests.verify.papers.dkbhl20_laws import RADEMACHER, SKEW, SPARSE, instance
from verify.core.budgets import budget_named
from verify.language.building import row
from verify.methods.context import Context
from verify.methods.exhibit import exhibit
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.methods.search import search
from verify.papers.dkbhl20 import ergodicity, invariant_laws
from verify.papers.dkbhl20.invariant_laws import COUNT, KEEPS_MEANS, KEEPS_MEANS_ALONE
from verify.papers.dkbhl20.laws_on_signs import (
    DEFINED,
    INVARIANT,
    ON_SIGNS,
    SEVERAL,
    SMALL,
    law_on_signs,
)
from verify.papers.dkbhl20.notation import H
from verify.papers.dkbhl20.sign_chain import D, step_on_line
from verify.search.certificates import answer
from verify.search.judging import judge_exactly

CLAIMS = {c.id: c for module in (invariant_laws, ergodicity) for c in module.CLAIMS}
COLUMN = [[1], [1]]
QUARTER = Fraction(1, 4)
HALF = Fraction(1, 2)
EVERY = [[1, 1], [1, -1], [-1, 1], [-1, -1]]
UNIFORM = {"states": EVERY, "mass": [QUARTER] * 4}


def on_signs(states, mass, law=RADEMACHER, gamma=1):
    return instance(law, gamma, states=states, mass=mass)


def test_a_law_that_meets_10_and_not_38():
    # of Rademacher weights at strength 1 each sign flips with 1/4: from (1, 1) or (-1, -1) the
    # chain is at (1, -1) with 3/16, and the means of u and -u cancel
    case = on_signs([[1, 1], [-1, -1]], [HALF, HALF])
    assert truth_of(KEEPS_MEANS, case)
    assert truth_of(KEEPS_MEANS_ALONE, case)
    assert judge_exactly(CLAIMS["dkbhl20.def2.unlike"], case).violations


def test_a_law_that_meets_neither_and_one_that_meets_both():
    case = on_signs([[1, 1]], [1])
    assert truth_of(KEEPS_MEANS, case) is False
    assert truth_of(KEEPS_MEANS_ALONE, case) is False
    uniform = on_signs(EVERY, [QUARTER] * 4)
    assert truth_of(INVARIANT.holds, uniform)
    assert truth_of(KEEPS_MEANS, uniform)
    assert truth_of(KEEPS_MEANS_ALONE, uniform) is False


def test_repairs_of_laws_on_signs():
    case = on_signs([[Fraction(1, 2), -3]], [-2])
    found = ON_SIGNS.repair(case, Random(0))
    assert law_on_signs(case) is None
    assert sum(law_on_signs(found)) == 1
    invariant = INVARIANT.repair(found, Random(0))
    assert law_on_signs(invariant) == (QUARTER,) * 4


@pytest.mark.parametrize(
    ("gamma", "count"),
    [(1, 1), (QUARTER, 4), (HALF, 0)],  # 1 - 1/2 - 1/2 = 0 can be met from each state
)
def test_counts_of_laws(gamma, count):
    assert number_of(COUNT, instance(H=COLUMN, gamma=gamma)) == count


def test_a_step_of_matrices():
    # rows (1, -1) and (1, -1): each row turns with 1/4, as signs of one sample do
    case = instance(H=[[1, 1], [1, -1]], gamma=1)
    line = row(H, 2)
    found = [number_of(step_on_line(D, line)[1, t], case) for t in (1, 2)]
    assert found == [Fraction(9, 16), Fraction(3, 16)]


def test_laws_on_two_lines():
    claim = CLAIMS["dkbhl20.hyp_unique.c.samples"]
    assert says(claim, instance(H=[[1, 1], [1, 1]], gamma=1, **UNIFORM))
    # of a single sample v = (1) and v = (-1) are one line: all four matrices are shared
    assert says(claim, instance(H=COLUMN, gamma=1, **UNIFORM)) is False


def test_ergodicity():
    sets, averages = CLAIMS["dkbhl20.ergodic.a"], CLAIMS["dkbhl20.ergodic.b"]
    for claim in (sets, averages):
        assert says(claim, instance(H=COLUMN, gamma=1, **UNIFORM))
        # four laws, each at one state; the uniform one is a mixture
        assert says(claim, instance(H=COLUMN, gamma=QUARTER, **UNIFORM)) is False
    single = instance(H=COLUMN, gamma=QUARTER, states=[[1, 1]], mass=[1])
    assert says(sets, single)
    assert says(averages, single) is False


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
    assert exhibit(CLAIMS[name], Context(budget_named("ci"))).outcome.value == "proves"


def test_a_witness_is_found_anew():
    evidence = search(CLAIMS["dkbhl20.def2.unlike"], Context(budget_named("ci")))
    assert evidence.outcome.value == "proves"
    assert answer(evidence.certificate)["exit"] == 0


def test_skew_laws_have_invariant_laws_as_well():
    assert number_of(COUNT, instance(SKEW, H=COLUMN, gamma=2)) == 1
