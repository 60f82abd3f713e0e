"""Inequalities from the draw to the checker: what is a violation, what a touch."""

from dataclasses import replace
from fractions import Fraction
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.exhibit import exhibit
from tests.verify.norms import FALSE as KNOWN
from tests.verify.norms import MATRIX, above, below, measured
from verify.cases.tensors import Tensors, tensor
from verify.checker.restated import ACCEPT, REJECT, check
from verify.core.budgets import budget_named
from verify.core.claim import Kind
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.methods.search import search
from verify.methods.trials import trials
from verify.runs.controls import CONTROLS
from verify.search.admission import Admitted, admit
from verify.search.judging import judge_exactly

SMOKE = Context(budget_named("smoke"))
TRUE, FALSE = measured(above), measured(below, id=KNOWN)
pytestmark = pytest.mark.usefixtures("norms")
STATED = {name: CONTROLS[f"control.inequality.{name}"][0] for name in ("true", "false")}
numbers = st.fractions(-3, 3, max_denominator=4)
# by 0.38 more than what is so for [[1, 1], [0, 1]], of norm squared (3 + root 5) / 2 and 3
SHEAR = Tensors({"M": tensor(("rows", "columns"), [[1, 1], [0, 1]])})


def entry_by_norm(scene):
    """|M|_2^2 - M_11^2: at least 0, and 0 where nothing else stands in M."""
    return scene.compare(scene.norm_squared(scene["M"]), scene["M"][:, 0, 0] * scene["M"][:, 0, 0])


@given(numbers, numbers)
def test_a_slack_of_0_is_a_touch_and_no_violation(a, b):
    case = Tensors({"M": tensor(("rows", "columns"), [[a, b]])})
    judgement = judge_exactly(measured(entry_by_norm), case)
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
    low, high = map(Fraction, found.certificate["value"])
    assert low < high < 0
    # the value is -(3 - root 5)/2
    assert (2 * low + 3) ** 2 < 5 < (2 * high + 3) ** 2
    assert check(found.certificate).code == ACCEPT


@pytest.mark.parametrize(
    "value", ["-1", ["-1", "-1/2"], ["-2/5", "1/10"], ["-1/3", "-2/5"], "0", ["1", "2"], []]
)
def test_another_value_is_rejected(value):
    certificate = admit(FALSE, SHEAR, steps=0).certificate
    assert check({**certificate, "value": value}).code == REJECT


@pytest.mark.parametrize("method", [pointwise, search, trials])
def test_every_method_tells_the_true_one_from_the_false_one(method):
    """Of the older form, and of statements."""
    for true, false, told in (
        (TRUE, FALSE, "should be at least 0"),
        (STATED["true"], STATED["false"], "where the left side is about 1, the right side 2"),
    ):
        evidence = method(true, SMOKE)
        assert evidence.outcome is Outcome.SUPPORTS
        assert evidence.instances > 0
        assert any("slack" in name for name in evidence.figures)
        evidence = method(false, SMOKE)
        assert evidence.outcome is Outcome.REFUTES
        assert told in evidence.summary
        # nothing smaller than two equal singular values violates it
        entries = evidence.certificate["case"]["arrays"]["M"]["entries"]
        assert sorted(entries) == [["0", "1"], ["1", "0"]]


def test_the_report_shows_the_matrix_and_the_slack():
    certificate = admit(FALSE, SHEAR, steps=0).certificate
    claim = {"kind": "inequality", "certificate": certificate, "through": "", "quantity": ""}
    page = exhibit(claim, {})
    assert "<mtable>" in page
    assert "is at least 0. It is" in page
    assert "about −0.381966" in page


def test_a_tie_of_irrational_sides_supports_an_identity():
    def both_grams(scene):
        matrix = scene["M"]
        sides = (scene.gram(matrix), scene.gram(scene.transpose(matrix)))
        return scene.compare(*map(scene.largest_eigenvalue, sides))

    claim = measured(both_grams, MATRIX, kind=Kind.IDENTITY)
    for method in (pointwise, search, trials):
        assert method(claim, SMOKE).outcome is Outcome.SUPPORTS
    assert judge_exactly(claim, SHEAR).violations == ()
