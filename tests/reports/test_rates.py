"""Rates in the report: the fits, their intervals, the plot, and that nothing refutes them."""

import pytest

from reports.sections import section
from verify.methods.context import Context
from verify.methods.rates import rates
from verify.registry import find
from verify.runs.budgets import budget_named
from verify.runs.record import claim_record
from verify.verdict import decide


@pytest.mark.parametrize(
    ("name", "verdict"), [("j23.thm10.deep@A", "supported"), ("j23.thm10.deep@C", "inconclusive")]
)
def test_a_rate_is_shown_with_its_fits_and_its_plot(name, verdict):
    claim = find(name)
    found = rates(claim, Context(budget_named("smoke")))
    record = claim_record(claim, decide(claim, [found]), [found], {})
    assert record["kind"] == "rate"
    assert record["verdict"] == verdict
    shown = section(record, {name: record})
    assert "Nothing refutes it" in shown
    assert "kernel, k = 2, exponent" in shown
    assert '<div class="plots"><' in shown
    assert "<td>rates</td>" in shown
