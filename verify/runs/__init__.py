"""How claims are run: budgets, tasks, the journal, executors, the record, the baseline."""
