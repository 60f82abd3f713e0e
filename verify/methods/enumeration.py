"""All small cases up to a size, each judged exactly: complete on the scope that it names."""

from __future__ import annotations

from verify.core.claim import Claim, Kind
from verify.core.evidence import Evidence, Outcome
from verify.methods.context import Context, Inquiry
from verify.methods.pointwise import refutation
from verify.search.admission import Admitted, admit
from verify.search.enumeration.ladders import ladder_of
from verify.search.enumeration.looking import Count, look_at
from verify.search.enumeration.scopes import Scope, fitting

SHARES = (0.5, 1.0)
"""Of what is left of the budget, for one size; all of it where smaller scopes met no hypotheses."""


def enumeration(claim: Claim, context: Context) -> Evidence | None:
    """Judge every case of the largest scopes that the budget allows."""
    if not claim.judged:
        return None
    inquiry = Inquiry("enumeration", context)
    count = Count()
    lines: dict[str, str] = {}
    complete = False
    for share in SHARES if claim.pool is not None else ():
        random = context.random(claim, "enumeration")
        budget = context.budget.enumerated
        for scope in fitting(ladder_of(claim, random, budget), budget, share):
            before = count.met
            for block in scope.blocks if scope.words not in lines else ():
                look_at(claim, block, count)
                if count.broken is not None:
                    return _gate(inquiry, claim, count)
            complete |= not scope.drawn
            lines.setdefault(scope.words, _line(scope, count.met - before))
        if count.met or (lines and not complete):
            break
    inquiry.scope = tuple(lines.values())
    inquiry.figures = {
        "drawn": count.looked,
        "met all hypotheses": count.met,
        "entries": count.entries,
    }
    if claim.kind is Kind.INEQUALITY:
        inquiry.figures["slack 0"] = count.touches
    inquiry.instances = count.met
    if not lines or not (count.met or complete):  # nothing fits, or what was drawn says nothing
        return None
    if claim.kind is Kind.EXISTENCE:
        return inquiry.finds(Outcome.INCONCLUSIVE, f"no witness in {count.looked} small cases.")
    return inquiry.finds(
        Outcome.SUPPORTS,
        f"none of {count.looked} small cases violates it; {count.met} meet all hypotheses.",
    )


def _line(scope: Scope, met: int) -> str:
    return f"{scope.words}: {scope.count} cases, {met} meet all hypotheses, none violates"


def _gate(inquiry: Inquiry, claim: Claim, count: Count) -> Evidence:
    """What the admission gate says of a violation (of an existence: of a witness)."""
    found = admit(claim, count.broken, inquiry.context.budget.shrink_steps)
    if isinstance(found, Admitted):
        return refutation(inquiry, claim, found, count.looked)
    inquiry.figures = {"drawn": count.looked, "met all hypotheses": count.met}
    inquiry.instances = count.met
    return inquiry.finds(found.outcome, f"a violation could not be certified: {found.reason}")
