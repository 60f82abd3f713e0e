"""Small instances made of arrays, and what claims and the checker say of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from graphs.algebraic import Enclosure, exact_value
from graphs.rationals import RATIONALS
from verify.cases.tensors import Tensor, Tensors, tensor
from verify.core.claim import Claim, Kind
from verify.language.columns import plain
from verify.language.evaluation import Evaluation
from verify.language.sorts import VEC
from verify.language.terms import Term
from verify.search.judging import judge_exactly, view


def arrays(**nested: Any) -> Tensors:
    """An instance from nested lists. Names of axes: the axes of U, Y, Z and so on of the claims."""
    return Tensors({name: tensor(AXES[name], value) for name, value in nested.items()})


AXES: dict[str, Sequence[str]] = {
    "M": ("rows", "columns"),
    "U": ("c", "b"),
    "Y": ("b", "a"),
    "Z": ("c", "a"),
    "T": ("a", "b", "c"),
    "C": ("n", "n"),
    "D": ("n", "n"),
    "W": ("m", "n"),
    "W1": ("b", "a"),
    "W2": ("c", "b"),
    "W3": ("one", "c"),
}


def integers(**values: int) -> Tensors:
    """An instance made of integers."""
    return Tensors({name: Tensor((), (), (Fraction(v),), True) for name, v in values.items()})


def entries_of(claim: Claim, case: Tensors) -> list[tuple[dict[str, Any], Fraction | Enclosure]]:
    """Label and exact value of every entry that meets the hypotheses."""
    seen = view(claim, [case], RATIONALS)
    values = seen.entries.values
    return [
        (seen.entries.label(k), exact_value(values[k]))
        for k in range(len(values))
        if seen.admitted[k]
    ]


def value_of(claim: Claim, case: Tensors, **label: Any) -> Fraction | Enclosure:
    """The value of the entry with this label, which meets the hypotheses."""
    (value,) = [value for found, value in entries_of(claim, case) if found == label]
    return value


def value_at(claim: Claim, case: Tensors, *at: Any) -> Fraction | Enclosure:
    """The value at a place of what the claim says, which meets the hypotheses."""
    return value_of(claim, case, at=list(at))


def saying(claim: Claim, says: Term) -> Claim:
    """The claim with something else in place of what it says, without an argument."""
    assert claim.terms is not None
    statement = replace(claim.terms, says=says)
    kind = Kind.INEQUALITY if statement.ordered else Kind.IDENTITY
    return replace(claim, terms=statement, measure=statement.measure, kind=kind, proof=None)


def violated(claim: Claim, case: Tensors) -> bool:
    """Whether the case is a counterexample."""
    return bool(judge_exactly(claim, case).violations)


def worth_in(term: Term, case: Tensors) -> Any:
    """The value of a term, of a vector its entries; None where it has none."""
    column = Evaluation.of(type(case).scene([case], RATIONALS)).column(term)
    if not column.defined[0]:
        return None
    found = plain(column.values, term.sort, 0)
    return list(found[1:]) if term.sort == VEC else found
