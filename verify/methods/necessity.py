"""Necessity: each hypothesis is broken in turn while the others hold.

A case that meets every other hypothesis, not this one, and violates the claim shows that the claim
needs the hypothesis; it is shrunk, written as a certificate and given to the checker. Where none is
found, that is all that is said. Of a claim that fails with all its hypotheses nothing is said. A
case with a loss by name is judged in Arb enclosures, and certified with its enclosure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graphs.algebraic import Enclosure, value_to_json
from graphs.errors import PrecisionError
from verify.cases.hypotheses import Hypothesis
from verify.core.claim import Claim, Kind
from verify.core.evidence import Evidence, Need, Outcome
from verify.core.losses import PRESCRIBED
from verify.methods.context import Context, Inquiry
from verify.search.certificates import answer, case_json, necessity_certificate
from verify.search.drawing import draw
from verify.search.enclosing import needs_enclosing
from verify.search.judging import Judgement, Violation
from verify.search.shrinking import TOGETHER, shrinking
from verify.search.weakened import Asking, broken_cases, in_step, judged, spoken_of

TRIES = 6  # cases that are shown to the checker for one hypothesis
ROUNDS = 3  # of breaking the same cases, while no more than FEW meet the other hypotheses
FEW = 6
FIRST = 4  # cases that are judged with all hypotheses


def necessity(claim: Claim, context: Context) -> Evidence | None:
    """Look for a case that needs each hypothesis of a claim that says something of all cases."""
    if not claim.judged or claim.kind is Kind.EXISTENCE or claim.pool is None:
        return None
    inquiry = Inquiry("necessity", context)
    cases = _cases(claim, context)
    if any(one is not None and one.violations for one in judged(claim, cases[:FIRST])):
        text = "the claim fails with all its hypotheses: which of them it needs cannot be told."
        return inquiry.finds(Outcome.SUPPORTS, text)
    asking = {h: _need(claim, h, cases, context, inquiry) for h in claim.hypotheses}
    needs = tuple(in_step(claim, asking))
    needed = [need for need in needs if need.needed]
    certified = sum(need.certificate is not None for need in needed)
    inquiry.figures = {"hypotheses": len(needs), "needed": len(needed), "certified": certified}
    inquiry.scope = (f"{context.budget.necessity_draws} random rational cases a hypothesis",)
    summary = (
        f"{len(needed)} of {len(needs)} hypotheses are needed: each has a case, of which "
        f"{certified} {'is' if certified == 1 else 'are'} certified."
    )
    return inquiry.finds(Outcome.SUPPORTS, summary, needs=needs)


def _cases(claim: Claim, context: Context) -> list[Any]:
    """Random exact cases that the claim speaks of."""
    assert claim.pool is not None
    random = context.random(claim, "necessity")
    counts = claim.pool.examples
    return [
        draw(claim, random, n=counts[number % len(counts)], loss=PRESCRIBED, large=False).exactly()
        for number in range(context.budget.necessity_draws)
    ]


def _need(
    claim: Claim, hypothesis: Hypothesis, cases: Sequence[Any], context: Context, inquiry: Inquiry
) -> Asking[Need]:
    """What random cases say of the need for one hypothesis."""
    name = hypothesis.name
    random = context.random(claim, f"necessity: {name}")
    broken: list[Any] = []
    found: list[Judgement] = []
    for _ in range(ROUNDS):  # once more where few have met the others
        broken += (more := list(broken_cases(claim, hypothesis, cases, random)))
        try:
            found += [one for one in (yield more) if one is not None]
        except PrecisionError as error:
            return Need(name, False, f"not tried: {error}")
        met = sum(bool(one.admitted) for one in found)
        violations = [one.violations for one in found if one.violations]
        if violations or hypothesis.break_ is None or not 0 < met <= FEW:
            break
    inquiry.instances += met
    if violations:
        return (yield from _shown(claim, name, violations, context))
    if not met and hypothesis.break_ is None:
        return Need(name, False, "not tried: there is no way to break it alone")
    if not met and broken and not found:
        return Need(name, False, "not decided: no case without it has exact values here")
    silent = 0 if met else sum(spoken_of(claim, case, hypothesis) for case in broken)
    if silent:
        return Need(name, False, f"the claim says nothing of {silent} cases without it")
    if not met:
        return Need(name, False, "no case that meets all the others and not this one")
    return Need(name, False, f"none found in {met} cases that meet all the others")


@dataclass(frozen=True)
class _Attempt:
    """A case, its certificate, and what the checker says of it."""

    violation: Violation
    certificate: dict[str, Any]
    reply: dict[str, Any]

    @property
    def accepted(self) -> bool:
        return bool(self.reply["exit"] == 0)

    @property
    def refused(self) -> bool:
        return bool(self.reply["exit"] == 1)


def _attempt(claim: Claim, name: str, violation: Violation) -> _Attempt:
    certificate = necessity_certificate(claim, name, violation)
    return _Attempt(violation, certificate, answer(certificate))


def _shown(
    claim: Claim, name: str, violations: Sequence[Sequence[Violation]], context: Context
) -> Asking[Need]:
    """The need that the first of a few cases shows that the checker does not refuse, made small.

    violations: for each case its entries.
    """
    for entries in violations[:TRIES]:
        for violation in (entries[0], entries[-1]):
            found = _attempt(claim, name, violation)
            if found.refused and violation is not violations[0][0]:
                continue
            steps = context.budget.shrink_steps // 32
            together = 1 if needs_enclosing(violation.case) else TOGETHER
            smallest = yield from shrinking(violation, steps, together)
            small = _attempt(claim, name, smallest)
            if found.accepted or small.accepted or not (found.refused or small.refused):
                return _need_by(name, small if small.accepted or not found.accepted else found)
    words = f"not shown: of the cases found the checker says {found.reply['message']!r}"
    return Need(name, False, words)


def _need_by(name: str, found: _Attempt) -> Need:
    """What a case shows that the checker has accepted, or does not know how to judge."""
    case, value = found.violation.case, found.violation.value
    told = f"{case.described()}, where the entry is {_told(value)}"
    data = {"case": case_json(case), "entry": found.violation.entry, "value": value_to_json(value)}
    if found.accepted:
        return Need(name, True, f"a certified case: {told}", data, found.certificate)
    return Need(name, True, f"a case, not certified ({found.reply['message']}): {told}", data)


def _told(value: Any) -> str:
    if isinstance(value, Enclosure):
        return f"between {float(value.low):.9g} and {float(value.high):.9g}"
    return str(value)
