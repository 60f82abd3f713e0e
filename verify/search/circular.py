"""Hypotheses that may be the conclusion: a part of what the claim says is asked by one of them.

Whether such a hypothesis is the conclusion is seen on cases that do not meet it: if the claim fails
in every one of them, the two are one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.language.records import key
from verify.language.sorts import BOOL

if TYPE_CHECKING:
    from verify.cases.hypotheses import Hypothesis
    from verify.core.claim import Claim
    from verify.language.terms import Term


def asked_twice(claim: Claim) -> list[Hypothesis]:
    """The hypotheses of which a part that says something by itself is one of what the claim
    says."""
    if claim.terms is None:
        return []
    said, given = _parts(claim.terms.says), claim.terms.given
    asked = (h for h in claim.hypotheses if h.name in given)
    return [h for h in asked if said & _parts(given[h.name])]


def _parts(term: Term) -> set[str]:
    """The parts of a term that say something by themselves."""
    return {key(part) for part in term.walk() if part.sort == BOOL and not part.free}
