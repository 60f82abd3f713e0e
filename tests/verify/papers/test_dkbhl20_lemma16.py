"""Lemma 16: by hand, and what the engine says."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.verify.arrays import violated
from verify.cases.tensors import Tensors, tensor
from verify.checker import check
from verify.core.budgets import budget_named
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.registry import find

CI = Context(budget_named("ci"), 2, "cpu")
HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("name", "y", "alpha", "size", "wrong"),
    [
        ("a", [3, 1, 0], HALF, 1, True),  # 0 < 1/2
        ("a", [3, 1, 1], HALF, 1, False),
        ("b", [2, 1], 3 * HALF, 7, True),  # n = 7: 1 < 0
        ("b", [-1], -HALF, 2, False),  # -1 < -1/4 and -1 < 0
        ("b.fix", [3, 1, 0], HALF, 1, False),
        ("b.fix", [1, 0], 0, 1, True),  # strict
        ("b.fix", [1, 0, 1], HALF, 1, True),  # no number behind y_2 may be above alpha
    ],
)
def test_by_hand(name, y, alpha, size, wrong):
    claim = replace(find(f"dkbhl20.lem16.{name}"), hypotheses=())
    numbers = {"y": tensor(("K",), y), "alpha": tensor((), alpha)}
    case = Tensors(numbers | {"N": tensor((), size, integer=True)} if name == "b" else numbers)
    assert violated(claim, case) is wrong


def test_what_is_false_is_refuted_and_certified():
    found = pointwise(find("dkbhl20.lem16.b"), CI)
    assert found.outcome is Outcome.REFUTES
    assert check(found.certificate).code == 0


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("a", {"non-increasing", "limit of the means above alpha"}),
        ("b.fix", {"non-increasing", "a number below alpha"}),
    ],
)
def test_what_is_needed_is_shown_with_a_certificate(name, needed):
    found = necessity(find(f"dkbhl20.lem16.{name}"), CI)
    shown = {need.hypothesis: need.certificate for need in found.needs if need.needed}
    assert set(shown) == needed
    assert all(check(certificate).code == 0 for certificate in shown.values())
