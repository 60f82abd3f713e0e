"""Eq. (16) and what is said of PL*: kernels by hand, a wrong factor noticed."""

from fractions import Fraction

import pytest

from graphs.algebraic import exact_value
from graphs.arithmetic import RATIONALS
from verify.checker.restated import ACCEPT, check
from verify.deep_scene import RealTensors
from verify.evidence import Outcome
from verify.judging import judge_exactly, view
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.zlb22.square_loss import by_rayleigh, by_squares, no_rest_above_zero
from verify.registry import find
from verify.runs.budgets import budget_named
from verify.tensors import tensor

SMOKE = Context(budget_named("smoke"), 0, "cpu")


def loss(jacobian, residuals, other=None, others=None, factor="1/2"):
    """An instance: J, r, and of a second output G, s."""
    still = [[0] * len(row) for row in jacobian]
    return RealTensors(
        {
            "J": tensor(("n", "P"), jacobian),
            "G": tensor(("n", "P"), other or still),
            "r": tensor(("n",), residuals),
            "s": tensor(("n",), others or [0] * len(residuals)),
            "c": tensor((), factor),
        }
    )


def value(claim_id, case):
    """The one entry of a claim."""
    (found,) = view(find(claim_id), [case], RATIONALS).entries.values
    return exact_value(found)


def test_the_slack_of_a_diagonal_kernel():
    # K = diag(4, 1), gradient (2 r1, r2): 4 r1^2 + r2^2 - (r1^2 + r2^2) = 3 r1^2
    assert value("zlb22.eq16", loss([[2, 0], [0, 1]], [3, 5])) == 27
    assert value("zlb22.eq16", loss([[2, 0], [0, 1]], [0, 5])) == 0


def test_more_data_points_than_weights():
    # K of rank 1 has lambda_min 0: the slack is |grad|^2 = (1 + 2)^2
    assert value("zlb22.eq16", loss([[1], [1]], [1, 2])) == 9


def test_a_mean_over_the_data_violates_it():
    # c = 1/4: |grad|^2 = (1/4) |r|^2, 2 lambda L = (1/2) |r|^2
    case = loss([[1, 0], [0, 1]], [1, 1], factor="1/4")
    assert value("zlb22.eq16", case) == Fraction(-1, 2)
    assert judge_exactly(find("zlb22.eq16"), case).violations == ()  # the factor is a hypothesis


def test_two_outputs_violate_it():
    # the gradients cancel, K = 2, L = 1
    assert value("zlb22.eq16", loss([[1]], [1], [[1]], [-1])) == -4


def test_a_kernel_of_dependent_rows_is_semidefinite():
    (found,) = view(
        find("zlb22.eq16.semidefinite"),
        [RealTensors({"J": tensor(("n", "P"), [[1, 2], [2, 4]])})],
        RATIONALS,
    ).entries.values
    assert found == 0


def test_at_rest_with_a_loss():
    assert value("zlb22.eq16.pl", loss([[1], [1]], [1, -1])) == 1  # singular K
    assert value("zlb22.eq16.pl", loss([[1], [1]], [0, 0])) == 0  # no loss
    assert value("zlb22.eq16.pl", loss([[1, 0], [0, 1]], [1, -1])) == 0


@pytest.mark.parametrize("proof", [by_rayleigh, by_squares, no_rest_above_zero])
def test_the_arguments_hold(proof):
    assert proof().holds


@pytest.mark.parametrize("name", ["eq16", "eq16.semidefinite", "eq16.pl"])
def test_nothing_is_found_against_them(name):
    found = pointwise(find(f"zlb22.{name}"), SMOKE)
    assert found.outcome is Outcome.SUPPORTS


def test_both_hypotheses_are_needed_and_certified():
    found = necessity(find("zlb22.eq16"), SMOKE)
    assert [need.needed for need in found.needs] == [True, True]
    for need in found.needs:
        assert check(need.certificate).code == ACCEPT
