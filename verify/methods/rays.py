"""Exact solutions of the gradient flow, on which limits are decided for all times.

w(t) = s(t) w on a ray, points of rest, and interpolations.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from verify.core.claim import Claim, Kind
from verify.core.evidence import Evidence, Outcome
from verify.kinds.solutions.rays import RAY, REST
from verify.kinds.solutions.solution_pool import PER_DRAW, SolutionPool
from verify.methods.context import Context, Inquiry
from verify.methods.pointwise import in_words, refutation
from verify.search.admission import Admitted, Refused, admit
from verify.search.judging import judge_all

ENOUGH = 6  # violations, the smallest of which goes to the gate
SHRINK_STEPS = 200
WORDS = {
    RAY: "the ray w(t) = s(t) w with s to infinity",
    REST: "a point of rest of the logistic risk (on multiples of the examples)",
}


def rays(claim: Claim, context: Context) -> Evidence | None:
    """Judge a claim about the limit on exact solutions; the smallest violation of several goes
    through the admission gate."""
    if claim.kind is not Kind.LIMIT:
        return None
    assert isinstance(claim.pool, SolutionPool), f"{claim.id}: solutions come from no other pool"
    inquiry = Inquiry("rays", context)
    met: Counter[str] = Counter()
    broken = []
    drawn = entries = 0
    solutions = claim.pool.solutions_of(context.seed, PER_DRAW * context.budget.draws)
    for case, judgement in zip(solutions, judge_all(claim, solutions), strict=True):
        drawn += 1
        met[case.choice["solution"]] += bool(judgement.admitted)
        entries += judgement.admitted
        if judgement.violations:
            broken.append(case)
            if len(broken) == ENOUGH:
                break
    refused: Refused | None = None
    for case in sorted(broken, key=lambda case: case.size()):
        found = admit(claim, case, min(context.budget.shrink_steps, SHRINK_STEPS))
        if isinstance(found, Admitted):
            text = _told(found)
            return replace(refutation(inquiry, claim, found, drawn), summary=text)
        refused = found
        break
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(met.items()) if count)
    inquiry.scope = (f"exact solutions of the gradient flow: {kinds or 'none'}",)
    inquiry.instances = sum(met.values())
    inquiry.figures = {
        "drawn": drawn,
        "met all hypotheses": inquiry.instances,
        "entries": entries,
    }
    if refused is not None:
        why = f"a violation could not be certified: {refused.reason}"
        return inquiry.finds(refused.outcome, why)
    if not inquiry.instances:
        return inquiry.finds(Outcome.INCONCLUSIVE, "no exact solution met all hypotheses.")
    return inquiry.finds(
        Outcome.SUPPORTS,
        f"no violation on {inquiry.instances} exact solutions ({entries} entries).",
    )


def _told(found: Admitted) -> str:
    """What the counterexample is, in words."""
    case, sides = found.violation.case, found.certificate["value"]
    amount = in_words(sides) if sides else ""
    what = WORDS[case.choice["solution"]]
    return f"an exact solution for all times, {what}: {case.described()}{amount}."
