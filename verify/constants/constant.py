"""One constant of an inequality, and the claim with another value in its place.

Besides the numbers that a measure is written with, every inequality has one constant that is not
written: the factor 1 before its right side; and where a measure has no sides, the number 0 that
could be added to the right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from graphs.errors import NetworkError
from verify.case import CaseError
from verify.claim import Claim
from verify.language.latex import formula, names_in
from verify.language.sorts import NUM
from verify.language.terms import Body, Term, number, with_argument
from verify.mutants.literals import Literal, literals, with_literal
from verify.vocabulary import Entries

Changed = Callable[[Fraction], Claim]
Directly = Callable[[np.ndarray, np.ndarray, float], np.ndarray]
FACTOR, ADDEND = "factor before the right side", "number subtracted from the slack"
SCALARS = ("operand", "exponent", "alone", "parameter")  # roles of numbers that can be moved
WHOLE = ("exponent",)  # roles in which only integers have rational values
ARITHMETIC = ("add", "sub", "mul", "div")  # of which a number in a term can be moved
BROKEN = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What a measure may raise with a number that it was not written for."""


class UnusableValueError(ArithmeticError):
    """A measure cannot be evaluated with this value of a constant."""


@dataclass(frozen=True)
class Constant:
    """One constant of a claim.

    place: which one, in words. printed: its value. changed: the claim with another value. whole:
    whether only integers make sense in its place. directly: from slacks and left sides as printed
    (arrays of floats) the slacks with another value, where no measure is needed for that.
    """

    place: str
    printed: Fraction
    changed: Changed
    whole: bool = False
    directly: Directly | None = None


def factor(claim: Claim) -> Constant:
    """The factor before the right side, 1 as printed."""
    return Constant(
        FACTOR,
        Fraction(1),
        _remeasured(claim, _scaled),
        directly=lambda slacks, left, value: slacks * value + left * (1 - value),
    )


def addend(claim: Claim) -> Constant:
    """What could be subtracted from the slack of a measure without sides, 0 as printed."""
    return Constant(
        ADDEND,
        Fraction(0),
        _remeasured(claim, _shifted),
        directly=lambda slacks, left, value: slacks - value,
    )


def written(claim: Claim) -> list[Constant]:
    """The numbers that the measure is written with, other than indices, ranges and 0 (from which
    sums start); of a statement in the language those that are added, multiplied or divided by."""
    assert claim.measure is not None, f"{claim.id} is not judged"
    if claim.terms is not None:
        return _in_terms(claim)
    return [
        Constant(literal.place, literal.value, _rewritten(claim, literal), literal.role in WHOLE)
        for literal in literals(claim.measure)
        if literal.role in SCALARS and literal.value
    ]


def _in_terms(claim: Claim) -> list[Constant]:
    statement = claim.terms
    assert statement is not None
    names = names_in(statement.says)

    def changed(build: Callable[[Term], Term], value: Fraction) -> Claim:
        other = replace(statement, says=build(number(value)))
        return replace(claim, measure=other.measure, terms=other)

    return [
        Constant(f"{value} in ${formula(around, names)}$", value, partial(changed, build))
        for value, around, build in _numbers(statement.says, lambda term: term)
    ]


def _numbers(
    term: Term, build: Callable[[Term], Term]
) -> Iterator[tuple[Fraction, Term, Callable[[Term], Term]]]:
    """The literals that arithmetic is done with, the term around each, the whole with another."""
    for place, part in enumerate(term.args):
        inner = part.term if isinstance(part, Body) else part
        if not isinstance(inner, Term) or (term.op == "pow" and place == 1):
            continue

        def rebuilt(new: Term, place: int = place, part: Any = part) -> Term:
            changed = replace(part, term=new) if isinstance(part, Body) else new
            return build(with_argument(term, place, changed))

        literal = inner.args[0] if inner.op == "real" else inner
        if literal.op == "number" and inner.sort == NUM and term.op in ARITHMETIC:
            if literal.args[0]:
                yield literal.args[0], term, rebuilt
        else:
            yield from _numbers(inner, rebuilt)


def _rewritten(claim: Claim, literal: Literal) -> Changed:
    measure = claim.measure
    assert measure is not None, f"{claim.id} is not judged"
    return lambda value: replace(claim, measure=_guarded(measure, literal, value))


def _guarded(
    measure: Callable[..., Entries], literal: Literal, value: Fraction
) -> Callable[..., Entries]:
    """The measure with another number, which says so where it makes no sense with it: that is no
    error of the claim."""
    changed = with_literal(measure, literal, value)

    def guarded(scene: Any) -> Entries:
        try:
            entries: Entries = changed(scene)
        except (NetworkError, CaseError):  # so a measure says that a case is not for it
            raise
        except BROKEN as error:
            raise UnusableValueError(f"{literal.place} cannot be {value}: {error}") from error
        return entries

    return guarded


def _remeasured(claim: Claim, change: Callable[[Any, Entries, Fraction], Entries]) -> Changed:
    measure = claim.measure
    assert measure is not None, f"{claim.id} is not judged"

    def changed(value: Fraction) -> Claim:
        return replace(claim, measure=lambda scene: change(scene, measure(scene), value))

    return changed


def _scaled(scene: Any, entries: Entries, value: Fraction) -> Entries:
    """Left side minus the factor times the right side."""
    if entries.left is None or not len(entries):
        return entries
    right = entries.left - entries.values
    return replace(entries, values=entries.left - right * _repeated(scene, entries, value))


def _shifted(scene: Any, entries: Entries, value: Fraction) -> Entries:
    """The slack minus a number."""
    if not len(entries):
        return entries
    return replace(entries, values=entries.values - _repeated(scene, entries, value))


def _repeated(scene: Any, entries: Entries, value: Fraction) -> Any:
    return scene.arithmetic.array([value] * len(entries))
