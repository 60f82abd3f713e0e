"""Proposition 8 by hand, and what it needs."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.verify.arrays import entries_of
from verify.cases.tensors import Tensors, tensor
from verify.checker import check
from verify.core.budgets import budget_named
from verify.methods.context import Context
from verify.methods.necessity import necessity
from verify.papers.dkbhl20 import proposition8
from verify.papers.dkbhl20 import proposition8_arguments as arguments
from verify.papers.registry import find
from verify.search.arguments import beside_the_point

CI = Context(budget_named("ci"), 2, "cpu")
CROSS = [[1, Fraction(1, 2)], [Fraction(1, 2), 1]]  # eigenvalues 1/2, 3/2
BLOCKS = [[1, 0, 0], [0, 1, 1], [0, 1, 1]]  # eigenvalues 1, 2, 0; squared norms of rows 1, 2, 2
APART = 9 - Fraction(25, 3)  # 1 + 4 + 4 against (1 + 4)^2/3
OF_ROWS = [Fraction(value, 3) for value in (-2, 1, 1, 0, 0, 0)]  # 1, 2, 2 against 5/3


@pytest.mark.parametrize(
    ("name", "rows", "differences"),
    [
        ("a@BA", CROSS, [0, 0, 0]),
        ("a@BA", BLOCKS, [0, APART, 0]),
        ("a@BA", [[1, 2], [2, 1]], [26 - 28, 50 - 50, 0]),  # eigenvalues 3, -1
        ("b@A", CROSS, [0]),
        ("b@A", BLOCKS, [8 * APART]),
        ("c", BLOCKS, [0, 0, 0, 0]),
        ("c", [[1, 2], [2, 1]], [0, 0, 0, 26 - 28]),
        ("d", BLOCKS, OF_ROWS),
        ("e", BLOCKS, [0, APART]),
    ],
)
def test_by_hand(name, rows, differences):
    claim = replace(find(f"dkbhl20.prop8.{name}"), hypotheses=())
    case = Tensors({"M": tensor(("d", "d"), rows)})
    assert [value for _, value in entries_of(claim, case)] == differences


@pytest.mark.parametrize(
    ("name", "needed"),
    [("a@BA", {"positive semidefinite", "equal row norms"}), ("e", {"equal row norms"})],
)
def test_what_is_needed_is_shown_with_a_certificate(name, needed):
    found = necessity(find(f"dkbhl20.prop8.{name}"), CI)
    shown = {need.hypothesis: need.certificate for need in found.needs if need.needed}
    assert set(shown) == needed
    assert all(check(certificate).code == 0 for certificate in shown.values())


@pytest.mark.parametrize("claim", proposition8.CLAIMS, ids=lambda claim: claim.id)
def test_arguments_hold_and_are_about_the_claim(claim):
    argument = claim.proof()
    assert argument.holds
    assert not beside_the_point(claim, argument)


def test_arguments_notice_a_wrong_power_sum(monkeypatch):
    right = arguments.power_sum
    monkeypatch.setattr(arguments, "power_sum", lambda m, k: right(m, k) + (k == 3) * m[0, 0])
    assert not arguments.powers_of_the_matrix().holds
    assert arguments.rows_of_the_square().holds  # rests on squares alone
