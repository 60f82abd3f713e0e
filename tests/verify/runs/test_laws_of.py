"""When a run makes the table of laws."""

from verify.core.budgets import BUDGETS
from verify.papers.registry import all_claims
from verify.runs import engine
from verify.runs.engine import Settings, laws_of


def test_only_a_run_of_all_claims_makes_the_table(monkeypatch):
    made = []
    monkeypatch.setattr("graphs.laws.table.laws_table", lambda seed: made.append(seed) or [])
    claims = all_claims()
    assert laws_of(claims, Settings(seed=5)) == []
    assert made == [5]
    assert laws_of(claims[:-1], Settings()) is None
    assert laws_of([], Settings()) is None
    assert laws_of(claims, Settings(budget="smoke")) is None
    assert len(made) == 1
    assert [name for name, budget in BUDGETS.items() if budget.laws] == ["ci", "full"]
    assert engine.laws_of is laws_of
