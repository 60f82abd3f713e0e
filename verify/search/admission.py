"""The admission gate: from a suspicion to a counterexample that the checker accepts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from verify.core.claim import Claim
from verify.core.evidence import Outcome
from verify.core.instance import Instance
from verify.search.certificates import answer, certificate_of
from verify.search.enclosing import needs_enclosing
from verify.search.judging import Violation, judge_exactly
from verify.search.shrinking import shrink

DECLINED = 2  # the checker's answer to a claim that it does not know


@dataclass(frozen=True)
class Admitted:
    """A violation that passed: shrunk, replayed exactly, certified and accepted by the checker."""

    violation: Violation
    certificate: dict[str, Any]
    checker: dict[str, Any]


@dataclass(frozen=True)
class Refused:
    """A suspicion that did not pass, and where it failed.

    outcome: ERROR where two of our own computations contradict each other, VIOLATES where the
    violation is exact but unknown to the checker, INCONCLUSIVE where it is one of a loss with a
    name, and gone where the slopes of that loss are rounded.
    """

    reason: str
    outcome: Outcome
    certificate: dict[str, Any] | None = None


def admit(claim: Claim, case: Instance, steps: int) -> Admitted | Refused:
    """Put a suspected violation through the gate.

    The case is replayed over the rationals (the slopes of a named loss are rounded to rationals
    first: the loss is then a polynomial with these slopes, equal ones at equal margins), shrunk,
    written as a certificate, and given to the checker.
    """
    judgement = judge_exactly(claim, case.exactly())
    if judgement.violations:
        return _certified(claim, judgement.violations[0], steps)
    if not needs_enclosing(case):  # the float enclosure was of this very case
        return Refused("exact replay contradicts the float enclosure", Outcome.ERROR)
    why = "exact replay, with the slopes of the loss rounded, finds no violation"
    return Refused(why, Outcome.INCONCLUSIVE)


def _certified(claim: Claim, violation: Violation, steps: int) -> Admitted | Refused:
    """Shrink a violation and give its certificate to the checker."""
    small = shrink(claim, violation, steps)
    small = replace(small, case=small.case.exactly())
    certificate = certificate_of(claim, small)
    reply = answer(certificate)
    if reply["exit"] != 0:
        outcome = Outcome.VIOLATES if reply["exit"] == DECLINED else Outcome.ERROR
        return Refused(f"the checker says: {reply['message']}", outcome, certificate)
    return Admitted(small, certificate, reply)
