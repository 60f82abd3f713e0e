"""Inequalities from the draw to the checker: what is a violation, what a touch."""

from dataclasses import replace
from fractions import Fraction
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verify.arrays import arrays
from verify.checker import ACCEPTED, REJECTED, check
from verify.core.budgets import budget_named
from verify.core.claim import Kind
from verify.core.evidence import Outcome
from verify.language.building import Matrix, eigenvalues, norm
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.methods.search import search
from verify.methods.trials import trials
from verify.runs.controls import CONTROLS
from verify.search.admission import Admitted, admit
from verify.search.judging import judge_exactly
from verify.statements.stated import stated

SMOKE = Context(budget_named("smoke"))
TRUE, FALSE = (CONTROLS[f"control.inequality.{name}"][0] for name in ("true", "false"))
SOURCE = TRUE.source
M = Matrix("M", "rows", "columns")
numbers = st.fractions(-3, 3, max_denominator=4)
# by 0.38 more than what is so for [[1, 1], [0, 1]], of norm squared (3 + root 5) / 2 and 3
SHEAR = arrays(M=[[1, 1], [0, 1]])
BY_AN_ENTRY = stated("planted", SOURCE, "", "", norm(M) ** 2 >= M[1, 1] ** 2)
"""Equal where nothing else stands in M."""


@given(numbers, numbers)
def test_a_slack_of_0_is_a_touch_and_no_violation(a, b):
    judgement = judge_exactly(BY_AN_ENTRY, arrays(M=[[a, b]]))
    assert (judgement.admitted, judgement.violations) == (1, ())
    assert judgement.touches == (b == 0)
    if a == b == 0:
        assert judgement.slack == inf  # both sides are 0: there is nothing to compare with
    else:
        assert judgement.slack == pytest.approx(float(b**2 / (a**2 + b**2)))


def test_an_identity_is_violated_from_both_sides_an_inequality_from_below():
    for kind, expected in ((Kind.IDENTITY, 1), (Kind.INEQUALITY, 0)):
        assert len(judge_exactly(replace(TRUE, kind=kind), SHEAR).violations) == expected
        assert len(judge_exactly(replace(FALSE, kind=kind), SHEAR).violations) == 1


def test_an_irrational_violation_is_admitted_with_an_enclosure():
    found = admit(FALSE, SHEAR, steps=0)
    assert isinstance(found, Admitted)
    low, high = map(Fraction, found.certificate["value"]["left"])
    assert low < high
    # the left side is (3 + root 5)/2
    assert (2 * low - 3) ** 2 < 5 < (2 * high - 3) ** 2
    assert found.certificate["value"]["right"] == "3"
    assert check(found.certificate).code == ACCEPTED


@pytest.mark.parametrize(
    "value", ["-1", ["-1", "-1/2"], ["13/5", "3"], ["11/4", "13/5"], "0", ["1", "2"], []]
)
def test_another_value_is_rejected(value):
    certificate = admit(FALSE, SHEAR, steps=0).certificate
    sides = {**certificate["value"], "left": value}
    assert (check({**certificate, "value": sides}).code == REJECTED) is (value != ["13/5", "3"])


@pytest.mark.parametrize("method", [pointwise, search, trials])
def test_every_method_tells_the_true_one_from_the_false_one(method):
    evidence = method(TRUE, SMOKE)
    assert evidence.outcome is Outcome.SUPPORTS
    assert evidence.instances > 0
    assert any("slack" in name for name in evidence.figures)
    evidence = method(FALSE, SMOKE)
    assert evidence.outcome is Outcome.REFUTES
    assert "where the left side is about 1, the right side 2" in evidence.summary
    # nothing smaller than two equal singular values violates it
    entries = evidence.certificate["case"]["arrays"]["M"]["entries"]
    assert sorted(entries) == [["0", "1"], ["1", "0"]]


def test_a_tie_of_irrational_sides_supports_an_identity():
    both = eigenvalues(M.T @ M)[1] == eigenvalues(M @ M.T)[1]
    claim = stated("planted", SOURCE, "", "", both)
    for method in (pointwise, search, trials):
        assert method(claim, SMOKE).outcome is Outcome.SUPPORTS
    assert judge_exactly(claim, SHEAR).violations == ()
