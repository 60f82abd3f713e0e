"""What tests of papers let a method look at: a budget in which what is found is made less small.

How small a counterexample becomes the baseline and the exhibits tell; that there is one, and that
the checker accepts it, takes a tenth of the changes.
"""

from dataclasses import replace

from verify.core.budgets import budget_named
from verify.methods.context import Context


def looking(name: str, seed: int = 0, **more: int) -> Context:
    """The budget of this name, with few changes to what is found, and what else is said of it."""
    return Context(replace(budget_named(name), shrink_steps=320, **more), seed)
