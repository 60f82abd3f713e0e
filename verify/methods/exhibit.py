"""A counterexample or witness that was found before, replayed by the checker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphs.errors import PrecisionError
from verify.cases.tensors import CaseError
from verify.core.claim import Claim, Kind
from verify.core.evidence import Evidence, Outcome
from verify.methods.context import Context, Inquiry
from verify.search.certificates import answer, case_of
from verify.search.enclosing import look_closer
from verify.search.exhibits import exhibits
from verify.search.joint_hypotheses import NO_CASE
from verify.search.judging import judge_exactly


def exhibit(claim: Claim, context: Context) -> Evidence | None:
    """Have the checker replay the claim's exhibit. None where there is none, where the budget is to
    look for itself, or where the checker does not accept it (any more)."""
    kept = exhibits(claim.source.paper).get(claim.id) if context.budget.exhibits else None
    certificate = kept.certificate_of(claim) if kept else None
    if kept is None or certificate is None:
        return None
    witness = claim.kind is Kind.EXISTENCE
    if certificate.get("kind") != ("witness" if witness else "counterexample"):
        return None
    reply = answer(certificate)
    if reply["exit"] != 0:
        return None
    inquiry = Inquiry("exhibit", context, scope=("a case that was found before",))
    inquiry.instances = 1
    if _denied(claim, certificate):
        why = "the checker accepts the kept case, and the claim's own formula does not fail there"
        return inquiry.finds(Outcome.ERROR, f"{why}: one of the two has changed.")
    return inquiry.finds(
        Outcome.PROVES if witness else Outcome.REFUTES,
        kept.summary,
        certificate=certificate,
        checker=reply,
    )


def _denied(claim: Claim, certificate: Mapping[str, Any]) -> bool:
    """Whether the claim's own formula, exactly or in enclosures, sees no violation in the case of a
    certificate. A case that cannot be read back (one with a loss by its name) is left to the
    checker."""
    try:
        case = case_of(claim, certificate["case"])
        if judge_exactly(claim, case).violations:
            return False
        return not look_closer(claim, case).judgement.violations
    except (CaseError, *NO_CASE, PrecisionError):
        return False
