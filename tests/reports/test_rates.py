"""Rates in the report: the fits, their intervals, the plot, and that nothing refutes them."""

from dataclasses import replace

import pytest

from reports.sections import section
from verify.methods.context import Context
from verify.methods.rates import rates
from verify.registry import find
from verify.runs.budgets import budget_named
from verify.runs.record import claim_record
from verify.verdict import decide

NAME = "j23.thm10.deep@A"


@pytest.mark.parametrize(("shift", "verdict"), [(0, "supported"), (1, "inconclusive")])
def test_a_rate_is_shown_with_its_fits_and_its_plot(shift, verdict):
    claim = find(NAME)
    shifted = tuple(replace(said, low=said.low + shift) for said in claim.rate.claimed)
    claim = replace(claim, rate=replace(claim.rate, claimed=shifted))
    found = rates(claim, Context(budget_named("smoke")))
    record = claim_record(claim, decide(claim, [found]), [found], {})
    assert record["kind"] == "rate"
    assert record["verdict"] == verdict
    shown = section(record, {NAME: record})
    assert "Nothing refutes it" in shown
    assert "kernel, k = 2, exponent" in shown
    assert '<div class="plots"><' in shown
    assert "<td>rates</td>" in shown
