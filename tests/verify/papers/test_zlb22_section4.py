"""Eq. (16) and what is said of PL*, by hand: kernels, a wrong factor, an output activation."""

from fractions import Fraction

import pytest

from graphs.rationals import RATIONALS
from tests.verify.arrays import value_at, violated
from verify.cases.tensors import Tensors, tensor
from verify.checker import check
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.papers.registry import find
from verify.papers.zlb22.section4 import CLAIMS

SMOKE = Context(budget_named("smoke"))
NAMES = [claim.id for claim in CLAIMS]


def loss(jacobian, residuals, other=None, others=None, factor="1/2"):
    """A case: J, r, and of a second output G, s."""
    still = [[0] * len(row) for row in jacobian]
    return Tensors(
        {
            "J": tensor(("n", "P"), jacobian),
            "G": tensor(("n", "P"), other or still),
            "r": tensor(("n",), residuals),
            "s": tensor(("n",), others or [0] * len(residuals)),
            "c": tensor((), factor),
        }
    )


def jacobian(rows, **slopes):
    return Tensors(
        {"J": tensor(("n", "P"), rows)}
        | {name: tensor(("n",), entries) for name, entries in slopes.items()}
    )


def slack(name, case):
    """What the sides differ by: a whole number, up to the width of an enclosure."""
    found = value_at(find(f"zlb22.{name}"), case)
    middle = found if isinstance(found, Fraction) else (found.low + found.high) / 2
    assert abs(middle - round(middle)) < Fraction(1, 10**6)
    return round(middle)


def test_the_slack_of_a_diagonal_kernel():
    # K = diag(4, 1), gradient (2 r1, r2): 4 r1^2 + r2^2 - (r1^2 + r2^2) = 3 r1^2
    assert slack("eq16", loss([[2, 0], [0, 1]], [3, 5])) == 27
    assert slack("eq16", loss([[2, 0], [0, 1]], [0, 5])) == 0


def test_more_data_points_than_weights():
    # K of rank 1 has lambda_min 0: the slack is |grad|^2 = (1 + 2)^2
    assert slack("eq16", loss([[1], [1]], [1, 2])) == 9


@pytest.mark.parametrize(
    "case",
    [
        loss([[1, 0], [0, 1]], [1, 1], factor="1/4"),  # |grad|^2 = |r|^2/4, 2 lambda L = |r|^2/2
        loss([[1]], [1], [[1]], [-1]),  # the gradients cancel, K = 2, L = 1
    ],
)
def test_a_mean_over_the_data_and_two_outputs_are_excluded(case):
    claim = find("zlb22.eq16")
    (gap,) = claim.terms.measure(Tensors.scene([case], RATIONALS)).values
    assert gap < 0
    assert not violated(claim, case)


def test_a_kernel_of_dependent_rows_is_semidefinite():
    assert slack("eq16.semidefinite", jacobian([[1, 2], [2, 4]])) == 0


def test_at_rest_with_a_loss():
    claim = find("zlb22.eq16.pl")
    assert slack("eq16.pl", loss([[1, 0], [0, 1]], [1, -1])) == 2  # |grad|^2
    singular = loss([[1], [1]], [1, -1])
    (gap,) = claim.terms.measure(Tensors.scene([singular], RATIONALS)).values
    assert gap < 0  # 0 > 0 is false
    assert not violated(claim, singular)


def test_the_kernel_of_a_composition():
    case = jacobian([[2, 0], [0, 1]], s=[1, 3])
    assert slack("nonlinear_output.c", case) == 3  # min(4, 9) - 1


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_found_against_them(name):
    claim = find(name)
    assert pointwise(claim, SMOKE).outcome is Outcome.SUPPORTS
    proved = claim.derivation is not None
    assert schema(claim, SMOKE).outcome is (Outcome.PROVES if proved else Outcome.ARGUES)


def test_both_hypotheses_are_needed_and_certified():
    found = necessity(find("zlb22.eq16"), SMOKE)
    assert [need.needed for need in found.needs] == [True, True]
    for need in found.needs:
        assert check(need.certificate).code == 0
