"""Hypotheses that may be the conclusion: the measure of a claim asks what they ask.

Whether such a hypothesis is the conclusion is seen on cases that do not meet it: if the claim fails
in every one of them, the two are one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from verify.core.code_hashes import functions_inside
from verify.language.records import key
from verify.language.sorts import BOOL

if TYPE_CHECKING:
    from verify.cases.hypotheses import Hypothesis
    from verify.core.claim import Claim
    from verify.language.terms import Term

DEPTH = 3  # calls followed from a measure
PACKAGES = "site-packages"  # whose functions are not followed


def asked_twice(claim: Claim) -> list[Hypothesis]:
    """The hypotheses whose predicate the measure of the claim uses as well."""
    if claim.measure is None:
        return []
    if claim.terms is not None:
        said, given = _parts(claim.terms.says), claim.terms.given
        asked = (h for h in claim.hypotheses if h.name in given)
        return [h for h in asked if said & _parts(given[h.name])]
    used = set(_reached(claim.measure, DEPTH))
    return [
        hypothesis
        for hypothesis in claim.hypotheses
        if used & {f for f in functions_inside(hypothesis.test) if "<locals>" not in f.__qualname__}
    ]


def _parts(term: Term) -> set[str]:
    """The parts of a term that say something by themselves."""
    return {key(part) for part in term.walk() if part.sort == BOOL and not part.free}


def _reached(function: Callable[..., Any], depth: int) -> Iterator[FunctionType]:
    """A function and those of ours that it calls by name, so many calls deep."""
    for inner in functions_inside(function):
        yield inner
        if not depth:
            continue
        for name in _names(inner.__code__):
            called = inner.__globals__.get(name)
            if isinstance(called, FunctionType) and PACKAGES not in called.__code__.co_filename:
                yield from _reached(called, depth - 1)


def _names(code: CodeType) -> set[str]:
    """The global names that a function uses, inner functions included."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*map(_names, inner))
