"""What is made of the lengths of arrays and of whole numbers alone: every arithmetic knows it
exactly, whatever has to be decided on the way."""

from __future__ import annotations

from verify.language.sorts import EDGE, INT, NUM, VERTEX, Sort
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


_OF_GRAPHS = """
    vertices inputs hidden outputs edges examples into out_of held tail head users learnable paths
    edges_on start edge number truth var eq ne and or not implies in card count each some filter
    paths_to add sub mul neg at range field le lt ge gt map list concat union intersection minus
    distinct fold the tuple item
"""
OF_GRAPHS = frozenset(_OF_GRAPHS.split())
STEPS = ("slope_left", "slope_right")


def of_graph(term: Term) -> bool:
    """Whether a term asks a network for its graph, for which weights are parameters, and for which
    numbers the slopes of its activations are, and a case for lists of these: whatever its weights
    and examples."""
    if term.op == "field":
        return of_no_numbers(term.sort)
    if term.op in ("eq", "ne") and term.args[0].sort == NUM:
        return all(map(_is_slope, term.args))
    if term.op == "real":
        return of_graph(term.args[0])
    return term.op in OF_GRAPHS and term.sort != NUM and all(map(of_graph, term.children))


def of_no_numbers(sort: Sort) -> bool:
    """Whether a list is one of vertices, edges or whole numbers."""
    element = sort.inner[0] if sort.name == "seq" else None
    return element is not None and (element in (VERTEX, EDGE, INT) or of_no_numbers(element))


def _is_slope(term: Term) -> bool:
    """Whether a number is one of the two slopes of an activation, or a literal."""
    literal = term.args[0] if term.op == "real" else term
    return literal.op == "number" or (term.op in STEPS and of_graph(term.args[0]))
