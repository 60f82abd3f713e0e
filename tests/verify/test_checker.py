"""The checker accepts what is so and nothing else: certificates of claims, corrupted everywhere."""

from __future__ import annotations

import pytest

from tests.verify import certificates as c
from tests.verify.corruptions import changed, everywhere
from tests.verify.failing_hypotheses import HYPOTHESES
from verify.checker import ACCEPTED, REJECTED, check


@pytest.mark.parametrize("name", c.STATED)
def test_statements_about_networks_fail_where_they_do_by_hand(name: str) -> None:
    left, right = c.SIDES[name]
    assert c.STATED[name]["value"] == {"left": left, "right": right}
    assert check(c.STATED[name]).code == ACCEPTED
    wrong = changed(c.STATED[name], "value", "left", to="5/7")
    assert check(wrong).code == REJECTED


@pytest.mark.parametrize("name", ["control.false", "control.planted, h on and off", "spectrum"])
def test_corrupted_certificates_of_statements_are_not_accepted(name: str) -> None:
    corrupted = list(everywhere(c.STATED[name]))
    accepted = [w for w, broken in corrupted if check(broken).code == ACCEPTED]
    supposed = name != "control.false"  # of which labels are any
    assert all(what.startswith("case: y is") and not supposed for what in accepted)
    assert len(corrupted) > 100


@pytest.mark.parametrize("name", HYPOTHESES)
def test_a_case_outside_the_hypotheses_is_rejected_for_that(name: str) -> None:
    certificate, reason = HYPOTHESES[name]
    code, message = check(certificate)
    assert code == REJECTED
    assert reason in message
