"""What tests of papers let a method look at: a budget in which what is found is made less small,
and fewer cases are drawn.

How small a counterexample becomes, and how many cases do not refute what holds, the baseline and
the exhibits tell; that there is one, and that the checker accepts it, takes a tenth of the changes.
"""

from dataclasses import replace

from verify.core.budgets import budget_named
from verify.methods.context import Context


def looking(name: str, seed: int = 0, **more: int) -> Context:
    """The budget of this name, with few changes to what is found and at most 24 cases, and what
    else is said of it."""
    budget = budget_named(name)
    few = {"shrink_steps": 320, "draws": min(budget.draws, 24)}
    return Context(replace(budget, **few | more), seed)
