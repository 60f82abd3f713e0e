"""What is made of the lengths of arrays and of whole numbers alone: every arithmetic knows it
exactly, whatever has to be decided on the way."""

from __future__ import annotations

from verify.language.sorts import INT
from verify.language.terms import Term

LENGTHS = ("rows", "cols", "dim")
ARRAYS = frozenset(["field", "unfold", "transpose"])
RATIONAL = """
    number truth real var add sub neg mul div abs sign larger smaller mod if eq ne le lt ge gt
    and or implies not in range list at card union intersection minus distinct concat sorted
    sum prod maximum minimum count each some filter map
"""
KNOWN = frozenset(RATIONAL.split())
"""The operators that make rationals of rationals."""


def of_sizes(term: Term) -> bool:
    """Whether a term in which nothing is free asks a case for lengths and whole numbers alone."""
    return not term.free and _of_sizes(term)


def _of_sizes(term: Term) -> bool:
    if term.op in LENGTHS:
        return all(part.op in ARRAYS for part in term.args[0].walk())
    if term.op == "field":
        return term.sort == INT
    return term.op in KNOWN and all(map(_of_sizes, term.children))
