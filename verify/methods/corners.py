"""Cases at corners, a standing corpus for every kind of instance, each judged exactly.

Zeros, ties, kinks, drops of rank, sizes of one, extremes.
"""

from __future__ import annotations

from collections import Counter

from verify.core.claim import Claim, Kind
from verify.core.evidence import Evidence, Outcome
from verify.methods.context import Context, Inquiry
from verify.methods.pointwise import refutation
from verify.search.admission import Admitted, Refused, admit
from verify.search.corners.corpus import corpus
from verify.search.corners.numbers import KINDS
from verify.search.judging import judge_all


def corners(claim: Claim, context: Context) -> Evidence | None:
    """Judge the corners of a claim; the first violation goes through the admission gate."""
    if not claim.judged or claim.pool is None:
        return None
    inquiry = Inquiry("corners", context)
    found = corpus(claim, context.random(claim, "corners"), context.budget.corners)
    if not found:
        return None
    judgements = judge_all(claim, [case for _, case in found])
    met = Counter(kind for (kind, _), seen in zip(found, judgements, strict=True) if seen.admitted)
    looked = Counter(kind for kind, _ in found)
    inquiry.scope = (
        "corners that met the hypotheses: "
        + ", ".join(f"{kind} {met[kind]} of {looked[kind]}" for kind in KINDS if looked[kind]),
    )
    inquiry.figures = {
        "drawn": len(found),
        "met all hypotheses": met.total(),
        "entries": sum(seen.admitted for seen in judgements),
    }
    if claim.kind is Kind.INEQUALITY:
        inquiry.figures["slack 0"] = sum(seen.touches for seen in judgements)
    inquiry.instances = met.total()
    refused: Refused | None = None
    for number, ((_, case), seen) in enumerate(zip(found, judgements, strict=True)):
        if seen.violations and refused is None:
            admitted = admit(claim, case, context.budget.shrink_steps)
            if isinstance(admitted, Admitted):
                return refutation(inquiry, claim, admitted, number + 1)
            refused = admitted
    if refused is not None:
        why = f"a violation could not be certified: {refused.reason}"
        return inquiry.finds(refused.outcome, why)
    if claim.kind is Kind.EXISTENCE:
        return inquiry.finds(Outcome.INCONCLUSIVE, f"no witness at {met.total()} corners.")
    return inquiry.finds(
        Outcome.SUPPORTS, f"no violation at {met.total()} corners that meet all hypotheses."
    )
