"""From the evidence of a run to what is known of its claims, beside what the baseline knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from verify.core.budgets import BUDGETS
from verify.core.claim import Claim
from verify.core.evidence import Evidence, Outcome
from verify.core.foundations import LEFT_OUT, settled
from verify.core.grade import grade_from_json
from verify.core.headline import Known
from verify.core.power import power_from_json
from verify.core.verdict import FALSE, Decision, Verdict
from verify.methods.generic import grade_of
from verify.papers.registry import all_claims
from verify.runs.fingerprint import claim_fingerprint
from verify.runs.power import power_of
from verify.runs.record import Found, deciding_certificate
from verify.runs.tasks import Task, not_run

if TYPE_CHECKING:
    from verify.runs.engine import Settings

MAY_KNOW_LESS = (
    Verdict.UNTESTED,
    Verdict.OPEN,
    Verdict.NOT_RUN,
    Verdict.SUPPORTED,
    Verdict.ARGUED_ON_SCOPE,
    Verdict.PROVED_ON_SCOPE,
    Verdict.VACUOUS,
)
"""Verdicts that a larger budget may go beyond."""

TAKEN_OVER = (*(v for v in MAY_KNOW_LESS if v is not Verdict.NOT_RUN), Verdict.CONTRADICTED)
"""Verdicts that may come from a baseline: none of those that the checker, or an argument, gives in
every run."""

SPEAKS_AGAINST = (Outcome.VIOLATES, Outcome.CONTRADICTS, Outcome.ERROR)
EXACT = ("expanded",)  # methods whose "inconclusive" is a finding


def concluded(
    claims: Sequence[Claim],
    evidence: Mapping[str, Sequence[Evidence]],
    settings: Settings,
    left: Sequence[Task] = (),
) -> dict[str, Found]:
    """What is known of each claim, by its id. left: the tasks of a run that was stopped.

    The baseline fills in what this budget does not look at (the power of checks, grades, measured
    claims), as long as the claim's own code is the one that it knows. It never takes the place of
    what was found here against a claim.
    """
    rows = _rows(settings.known)
    known = {claim.id: rows[claim.id] for claim in claims if claim.id in rows}
    powers = {
        claim.id: power_of(claim, evidence[claim.id])
        or power_from_json(known.get(claim.id, {}).get("power"))
        for claim in claims
    }
    decisions, unproved = settled(
        [(claim, evidence[claim.id], powers[claim.id]) for claim in claims],
        {name: Verdict(row["verdict"]) for name, row in rows.items()},
    )
    smaller = _smaller(settings.budget, (settings.known or {}).get("budget"))
    undone: dict[str, tuple[str, ...]] = {}
    for task in left:
        undone[task.claim] = (*undone.get(task.claim, ()), task.method)
    found = {}
    for claim in claims:
        pieces, row = evidence[claim.id], known.get(claim.id)
        here = Found(
            decisions[claim.id],
            pieces,
            powers[claim.id],
            not_run=(*not_run(claim, settings.budget), *undone.get(claim.id, ())),
            unproved=unproved[claim.id],
        )
        if (smaller or claim.id in undone) and row is not None:
            here = _with(here, row)
        found[claim.id] = _graded(claim, here, row)
    return found


def elsewhere(claim: Claim, baseline: Mapping[str, Any] | None) -> Known:
    """A claim that a run is not about, as headlines see it: as the baseline knows it."""
    row = _rows(baseline, [claim]).get(claim.id)
    verdict = Verdict.NOT_RUN if row is None else Verdict(row["verdict"])
    grade = None if row is None else grade_from_json(row.get("grade"))
    return Known(claim.id, claim.role, verdict, None, grade, row is not None, claim.only)


def without_grade(claims: Sequence[Claim], baseline: Mapping[str, Any] | None) -> list[Claim]:
    """Those of which a baseline knows no grade."""
    rows = _rows(baseline, claims)
    return [claim for claim in claims if (rows.get(claim.id) or {}).get("grade") is None]


def _rows(
    baseline: Mapping[str, Any] | None, claims: Sequence[Claim] | None = None
) -> dict[str, Mapping[str, Any]]:
    """What a baseline knows of claims (None: of all) whose code is the one that it knows."""
    rows = (baseline or {}).get("claims", {})
    if not rows:
        return {}
    return {
        claim.id: rows[claim.id]
        for claim in (all_claims() if claims is None else claims)
        if claim.id in rows and rows[claim.id].get("code") == claim_fingerprint(claim)
    }


def _smaller(budget: str, known: str | None) -> bool:
    """Whether a budget is smaller than the baseline's."""
    order = list(BUDGETS)
    return known in order and order.index(budget) < order.index(known)


def _with(found: Found, row: Mapping[str, Any]) -> Found:
    """With the verdict of the baseline, where this budget may know less; of a verdict that every
    run has to find by itself it is only said that the baseline has another one."""
    verdict = Verdict(row["verdict"])
    decision = found.decision
    if verdict is decision.verdict or decision.verdict not in MAY_KNOW_LESS:
        return found
    against = any(
        piece.outcome in SPEAKS_AGAINST
        or (piece.outcome is Outcome.INCONCLUSIVE and piece.method in EXACT)
        for piece in found.evidence
    )
    if against or LEFT_OUT in decision.beside or verdict not in TAKEN_OVER:
        told = f"at a larger budget it is {verdict.value}, as the baseline has it"
        beside = f"{decision.beside}; {told}" if decision.beside else told
        return replace(found, decision=replace(decision, beside=beside))
    taken = Decision(verdict, row["scope"], row["reason"], decision.beside)
    return replace(found, decision=taken, known=True)


def _graded(claim: Claim, found: Found, row: Mapping[str, Any] | None) -> Found:
    """With the grade, of a claim that is false."""
    if found.decision.verdict not in FALSE:
        return found
    piece = deciding_certificate(found.decision, found.evidence)
    grade = grade_of(claim, found.evidence, None if piece is None else piece.certificate)
    if grade is None and row is not None:
        grade = grade_from_json(row.get("grade"))
    return replace(found, grade=grade)
