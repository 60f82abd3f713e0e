"""Lemma 10 on laws of finite support and with a unique law: by hand, and what the engine says."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.verify.arrays import value_at, violated
from tests.verify.papers.dkbhl20_cases import number_of, truth_of
from tests.verify.papers.dkbhl20_laws import instance
from tests.verify.papers.looking import looking
from tests.verify.papers.matrix_laws import law, of_matrices
from verify.cases.tensors import Tensors, tensor
from verify.core.evidence import Outcome
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.dkbhl20 import unique_laws
from verify.papers.dkbhl20.lemma10 import OTHER_THAN_BLOCKS
from verify.papers.registry import find
from verify.statements.stated import true_of

CI = looking("ci", 2)
HALF = Fraction(1, 2)


def told(name, case, *at):
    return value_at(find(f"dkbhl20.{name}"), case, *at)


def violates(name, case):
    """Whether what a claim says is false, whatever it supposes."""
    return violated(replace(find(f"dkbhl20.{name}"), hypotheses=()), case)


def numbers(*lam):
    return Tensors({"lambda": tensor(("d",), lam)})


def test_alpha_is_1_for_blocks_alone():
    assert not violates("lem10.a.fix", law((1, HALF)))
    assert violates("lem10.a.fix", law((HALF, 0), (HALF, 1)))
    assert not violates("lem10.a.fix", law((HALF, HALF), (HALF, 1)))
    other = true_of(OTHER_THAN_BLOCKS.holds)
    assert [other(law((1, c))) for c in (0, 1, HALF)] == [False, False, True]


def test_the_excess_by_hand():
    # m = 1/2: Tr diag(M^2)^2 = 2 (5/4)^2, Tr M^3 = 7/2
    claim = replace(find("dkbhl20.lem10.b"), hypotheses=())
    assert value_at(claim, law((1, HALF))) == Fraction(25, 8) - Fraction(7, 2)


def test_the_largest_eigenvalue_by_hand():
    assert told("lem10.c", numbers(2, 1, 0), 0, 0) == 6 - 5
    assert told("lem10.c", numbers(2, 1, 0), 0, 1) == 0
    assert told("lem10.c", numbers(2, 1, 0), 1) == 9 - 6
    assert violates("lem10.c", numbers(3, 0, 0))


def test_the_mean_change_by_hand():
    claim = replace(find("dkbhl20.lem10.d"), hypotheses=())
    # the identity: 2 d^2 - 2 d = 4, which is 4 (d - 1) for d = 2; rank one: 0
    assert value_at(claim, law((1, 0))) == 0
    assert value_at(claim, law((1, 1))) == -4
    # blocks of 1 and 3 rows: |M|_F^2 = 10 and delta_F = 12, the least there is for d = 4
    blocks = [[int((i == 0) == (j == 0)) for j in range(4)] for i in range(4)]
    assert told("lem10.d", of_matrices([(1, blocks)])) == 0
    # 2 P for a projection of rank two: |M|_F^2 = 8 and delta_F = 16
    rows = [[1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1]]
    assert told("lem10.d", of_matrices([(1, rows)])) == 4


def test_alpha_of_signs_is_1():
    case = instance(H=[[1], [1]], states=[[1, 1], [1, -1]], mass=[HALF, HALF], tau=HALF)
    assert number_of(unique_laws.ALPHA, case) == 1
    assert truth_of(unique_laws.BELOW_ONE, case) is False
    assert truth_of(unique_laws.SURROGATE, case)
    assert truth_of(unique_laws.ONE_LIMIT, case)


def test_theorem_14_and_its_corollary_suppose_a_law_that_is_symmetric():
    for name in ("thm14.a", "thm14.b", "thm14.d", "thm14.i", "cor15.a"):
        assert "symmetric law" in find(f"dkbhl20.{name}").terms.given
    assert "symmetric law" not in find("dkbhl20.lem10.a").terms.given


PROVED = ["lem10.a.fix", "lem10.b.fix", "lem10.c", "lem10.d", "cor15.a.fix"]


@pytest.mark.parametrize("name", PROVED)
def test_these_are_proved_and_no_case_speaks_against_them(name):
    claim = find(f"dkbhl20.{name}")
    assert schema(claim, CI).outcome is Outcome.ARGUES
    found = pointwise(claim, CI)
    assert found.outcome is Outcome.SUPPORTS
    assert found.instances > 10


def test_a_unique_law_at_a_large_gamma_has_alpha_1():
    found = necessity(find("dkbhl20.lem10.a"), CI)
    assert found.figures["certified"] == found.figures["needed"] >= 2
    assert "gamma at most 1/(8Bd)" in str(found)
    assert "unique invariant law" in str(found)


@pytest.mark.parametrize("name", PROVED)
def test_needed_hypotheses_have_certified_cases(name):
    found = necessity(find(f"dkbhl20.{name}"), CI)
    assert found.figures["certified"] == found.figures["needed"] > 0
