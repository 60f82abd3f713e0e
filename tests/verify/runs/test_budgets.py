"""Budgets: named, ordered, and an unknown one is refused with the names there are."""

from dataclasses import FrozenInstanceError, fields
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.core.budgets import BUDGETS, UnknownBudgetError, budget_named
from verify.runs.tasks import CONFLICTS, METHODS


def test_each_budget_looks_at_more_than_the_one_before():
    assert list(BUDGETS) == ["smoke", "ci", "full"]
    work = [
        [getattr(budget, f.name) for f in fields(budget) if f.type == "int"]
        for budget in BUDGETS.values()
    ]
    for less, more in pairwise(work):
        assert all(a <= b for a, b in zip(less, more, strict=True))
        assert less != more
    smoke, ci, full = BUDGETS.values()
    assert set(smoke.leaves_out) <= {*METHODS, CONFLICTS}
    assert ci.leaves_out == full.leaves_out == ()
    assert smoke.exhibits
    assert not full.exhibits  # it looks for itself


@pytest.mark.parametrize("name", BUDGETS)
def test_a_budget_gives_every_method_something_to_do(name):
    budget = budget_named(name)
    assert budget.name == name
    numbers = {f.name: getattr(budget, f.name) for f in fields(budget) if f.type == "int"}
    assert len(numbers) >= 7
    assert [key for key, value in numbers.items() if value < 1] == []


@given(st.text())
def test_another_name_is_refused(name):
    if name in BUDGETS:
        return
    with pytest.raises(UnknownBudgetError) as caught:
        budget_named(name)
    message = str(caught.value)
    assert repr(name) in message
    assert all(known in message for known in BUDGETS)


def test_a_budget_is_not_changed_on_the_way():
    with pytest.raises(FrozenInstanceError):
        budget_named("ci").draws = 1
