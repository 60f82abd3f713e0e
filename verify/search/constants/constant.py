"""One constant of an inequality, and the claim with another value in its place.

Besides the numbers that a statement is written with, every inequality has one constant that is not
written: the factor 1 before its right side.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from graphs.errors import NetworkError
from verify.cases.scenes import Entries
from verify.cases.tensors import CaseError
from verify.core.claim import Claim
from verify.language.edits import Place, constants_in
from verify.language.statements import Statement
from verify.language.terms import TermError

Changed = Callable[[Fraction], Claim]
Directly = Callable[[np.ndarray, np.ndarray, float], np.ndarray]
FACTOR = "factor before the right side"
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


def written(claim: Claim) -> list[Constant]:
    """The numbers that the statement is written with, other than indices, ranges and 0 (from which
    sums start)."""
    if claim.terms is None:
        return []
    return [_in_term(claim, claim.terms, place) for place in constants_in(claim.terms.says)]


def _in_term(claim: Claim, statement: Statement, found: Place) -> Constant:
    """A number in the term of a statement."""

    def changed(value: Fraction) -> Claim:
        whole = int(value) if found.whole and value.denominator == 1 else value
        try:
            other = replace(statement, says=found.changed(whole))
        except TermError as error:
            raise UnusableValueError(f"{found.words} cannot be {value}: {error}") from error
        return replace(claim, measure=_guarded(other.measure, found.words, value))

    return Constant(found.words, found.value, changed, found.whole)


def _guarded(
    changed: Callable[..., Entries], place: str, value: Fraction
) -> Callable[..., Entries]:
    """A measure with another number, which says so where it makes no sense with it: that is no
    error of the claim."""

    def guarded(scene: Any) -> Entries:
        try:
            entries: Entries = changed(scene)
        except (NetworkError, CaseError):  # so a measure says that a case is not for it
            raise
        except BROKEN as error:
            raise UnusableValueError(f"{place} cannot be {value}: {error}") from error
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


def _repeated(scene: Any, entries: Entries, value: Fraction) -> Any:
    return scene.arithmetic.array([value] * len(entries))
