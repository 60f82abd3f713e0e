"""Small instances for claims of Daneshmand et al. (2020), and what these say of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from graphs.rationals import RATIONALS
from verify.cases.tensors import Tensors, tensor
from verify.core.claim import Claim
from verify.language.evaluation import Evaluation
from verify.language.lowering import lowered
from verify.language.terms import Term

AXES = {
    "H": ("d", "N"),
    "G": ("d", "N"),
    "M": ("d", "d"),
    "W": ("d", "d"),
    "R": ("d", "d"),
    "S": ("d",),
    "u": ("d",),
    "lam": ("d",),
    "alpha": ("d",),
    "beta": ("d",),
    "atoms": ("k",),
    "probs": ("k",),
}
WHOLE = {"l", "law", "ties", "shift", "n"}


def case(**nested: Any) -> Tensors:
    """An instance from nested lists."""
    return Tensors(
        {
            name: tensor(AXES.get(name, ()), value, integer=name in WHOLE)
            for name, value in nested.items()
        }
    )


def number_of(term: Term, found: Tensors) -> Fraction:
    """The value of a number in an instance."""
    column = Evaluation(Tensors.scene([found], RATIONALS)).column(lowered(term, {}))
    assert column.defined[0]
    return Fraction(str(column.values[0]))


def real_of(term: Term, found: Tensors) -> Any:
    """The value of a number in an instance, which may be irrational."""
    column = Evaluation(Tensors.scene([found], RATIONALS)).column(lowered(term, {}))
    assert column.defined[0]
    return column.values[0]


def truth_of(term: Term, found: Tensors) -> bool | None:
    """Whether something is true in an instance; None where it has no value."""
    column = Evaluation(Tensors.scene([found], RATIONALS)).column(lowered(term, {}))
    return bool(column.values[0]) if column.defined[0] else None


def says(claim: Claim, found: Tensors) -> bool | None:
    """Whether what a claim says is true, hypotheses or not."""
    assert claim.terms is not None
    term = lowered(claim.terms.says, claim.terms.flow)
    column = Evaluation(Tensors.scene([found], RATIONALS)).column(term)
    return bool(column.values[0]) if column.defined[0] else None


def met(claim: Claim, name: str, found: Tensors) -> bool:
    """Whether an instance meets the hypothesis of that name."""
    assert claim.terms is not None
    return bool(claim.terms.hypothesis(name)(Tensors.scene([found], RATIONALS))[0])
