"""Rewrites: changes of the source of a measure that leave the statement as it is.

Whether two operands may be exchanged depends on what they are (numbers may be in a sum, lists may
not), so the changed code calls functions that look at the operands and change nothing where they
are no numbers. A rewritten measure must give the same entries; where one does not, something is
wrong with the arithmetic.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache, partial
from types import FunctionType
from typing import Any

import numpy as np

from verify.search.mutants.candidates import Candidate, Measure
from verify.search.mutants.clones import parts
from verify.search.mutants.literals import NAMES
from verify.search.mutants.rules import Site, expressions
from verify.search.mutants.sources import NoSourceError, definition_of

MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
}


def is_number(value: Any) -> bool:
    """Whether a value is a number, or an array of numbers."""
    if isinstance(value, bool | np.bool_) or not hasattr(value, "__neg__"):
        return False
    return getattr(value, "dtype", None) != np.bool_


def _numbers(one: Any, other: Any) -> bool:
    return is_number(one) and is_number(other)


def commuted_sum(one: Any, other: Any) -> Any:
    """other + one, of numbers."""
    return other + one if _numbers(one, other) else one + other


def commuted_product(one: Any, other: Any) -> Any:
    """other * one, of numbers."""
    return other * one if _numbers(one, other) else one * other


def negated_difference(one: Any, other: Any) -> Any:
    """-(other - one), of numbers."""
    return -(other - one) if _numbers(one, other) else one - other


def doubled_sum(one: Any, other: Any) -> Any:
    """(one + one + other) - one, of numbers."""
    return one + one + other - one if _numbers(one, other) else one + other


def negated_twice(one: Any, other: Any) -> Any:
    """-(-one * other), of numbers."""
    return -((-one) * other) if _numbers(one, other) else one * other


REWRITES: dict[type[ast.operator], tuple[Callable[[Any, Any], Any], ...]] = {
    ast.Add: (commuted_sum, doubled_sum),
    ast.Mult: (commuted_product, negated_twice),
    ast.Sub: (negated_difference,),
}
REWRITE_NAMES: dict[str, Any] = {
    **NAMES,
    **{f"_{function.__name__}": function for group in REWRITES.values() for function in group},
}
"""What the code of rewrites may call besides."""


def rewrites(measure: Measure) -> list[Candidate]:
    """Every rewrite of a measure and of what it calls."""
    found = []
    for function in parts(measure).functions:
        for site in _sites(function):
            found.append(Candidate("rewrite", site.change, partial(_built, measure, site)))
    return found


def _built(measure: Measure, site: Site) -> Measure:
    made: Measure = parts(measure).rebuilt({site.function: site.code}, names=REWRITE_NAMES)
    return made


@cache
def _sites(function: FunctionType) -> tuple[Site, ...]:
    try:
        nodes = list(expressions(definition_of(function)))
    except NoSourceError:
        return ()
    return tuple(Site("rewrite", function, node, new) for node in nodes for new in _same(node))


def _same(node: ast.expr) -> Iterator[ast.expr]:
    """What may stand in the place of an expression without changing the statement."""
    if isinstance(node, ast.BinOp):
        for function in REWRITES.get(type(node.op), ()):
            name = ast.Name(f"_{function.__name__}", ast.Load())
            yield ast.Call(name, [node.left, node.right], [])
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in MIRRORED:
        mirrored = MIRRORED[type(node.ops[0])]()
        yield ast.Compare(node.comparators[0], [mirrored], [node.left])
