"""What a term is worth in one case, as a Python value; None where it has no value."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from graphs.rationals import RATIONALS
from graphs.reals import Real
from verify.cases.tensors import Tensors, tensor
from verify.language.columns import plain
from verify.language.evaluation import Evaluation
from verify.language.lowering import lowered
from verify.language.terms import Term


def case(**arrays: Any) -> Tensors:
    """A case of matrices (lists of lists), vectors (lists), numbers and whole numbers."""
    return Tensors({name: _array(name, value) for name, value in arrays.items()})


def _array(name: str, value: Any) -> Any:
    if isinstance(value, int):
        return tensor((), value, integer=True)
    if isinstance(value, Fraction):
        return tensor((), value)
    depth, inner = 0, value
    while isinstance(inner, list):
        depth, inner = depth + 1, inner[0]
    return tensor(tuple(f"{name} {axis}" for axis in range(depth)), value)


def worth(term: Term, of: Any, flow: Any = None) -> Any:
    """The value of a term in a case."""
    scene = type(of).scene([of], RATIONALS)
    column = Evaluation(scene).column(lowered(term, flow or {}))
    if not column.defined[0]:
        return None
    found = plain(column.values, term.sort, 0)
    return float(found) if isinstance(found, Real) else found
