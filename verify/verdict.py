"""From evidence to a verdict. Nobody types a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from verify.claim import Claim, Kind
from verify.evidence import Evidence, Outcome, smallest

DRAWN = ("pointwise", "trials", "sweep")  # methods whose cases are drawn independently
LISTED = ("enumeration", "corners")  # methods whose cases are listed
LED = ("ascent", "extremes", "flow")  # methods whose cases are led somewhere
BESIDE = ("necessity", "clarke")  # methods whose cases leave out a hypothesis


class Verdict(Enum):
    """What is known of a claim, the worst first."""

    ERROR = "error"
    REFUTED = "refuted"
    VACUOUS = "vacuous"
    INCONCLUSIVE = "inconclusive"
    UNCHECKED = "unchecked"
    SUPPORTED = "supported"
    PROVED_ON_SCOPE = "proved on scope"
    PROVED = "proved"
    DEFINITION = "definition"


@dataclass(frozen=True)
class Decision:
    """A verdict, the scope it holds for, and why."""

    verdict: Verdict
    scope: str
    reason: str


def decide(claim: Claim, evidence: Sequence[Evidence]) -> Decision:
    """The verdict on a claim.

    A counterexample outranks everything, then a broken check, then an exact violation that the
    checker could not judge. A claim whose hypotheses no case met is vacuous, also where an argument
    would prove it; that none can meet them is known where proved claims exclude one. A proof
    outranks support. (A proof of the whole claim beside a counterexample is a contradiction, which
    voids the run: see verify.runs.record.)
    """
    drawn = (claim.experiment, claim.rate, claim.sampled, claim.exponents)
    measured = any(part is not None for part in drawn)
    if not (claim.judged or measured):
        return Decision(Verdict.DEFINITION, "", "a definition or assumption: other claims use it")
    met = [piece for piece in evidence if _on_hypotheses(piece)]
    evidence = [piece for piece in evidence if not (_on_hypotheses(piece) or _on_checks(piece))]
    by_outcome = {
        outcome: [piece for piece in evidence if piece.outcome is outcome] for outcome in Outcome
    }
    if by_outcome[Outcome.REFUTES]:
        found = by_outcome[Outcome.REFUTES]
        piece = smallest(found) or found[0]
        scope = "the claim as printed" if claim.repairs is None else "the repaired claim"
        return Decision(Verdict.REFUTED, scope, piece.summary)
    if by_outcome[Outcome.ERROR]:
        piece = by_outcome[Outcome.ERROR][0]
        return Decision(Verdict.ERROR, "", f"{piece.method}: {piece.summary}")
    if by_outcome[Outcome.VIOLATES]:
        piece = by_outcome[Outcome.VIOLATES][0]
        return Decision(Verdict.INCONCLUSIVE, _scope(evidence), f"{piece.method}: {piece.summary}")
    if not evidence:
        return Decision(Verdict.UNCHECKED, "", "no method was run within this budget")
    if claim.kind is not Kind.EXISTENCE and (empty := _without_cases(evidence, met)) is not None:
        return empty
    if by_outcome[Outcome.PROVES]:
        piece = by_outcome[Outcome.PROVES][0]
        return Decision(Verdict.PROVED, "the whole claim", piece.summary)
    if by_outcome[Outcome.INCONCLUSIVE]:
        piece = by_outcome[Outcome.INCONCLUSIVE][0]
        return Decision(Verdict.INCONCLUSIVE, _scope(evidence), piece.summary)
    if by_outcome[Outcome.PROVES_ON_SCOPE]:
        proofs = by_outcome[Outcome.PROVES_ON_SCOPE]
        return Decision(
            Verdict.PROVED_ON_SCOPE, _scope(proofs), " ".join(piece.summary for piece in proofs)
        )
    if measured:
        return Decision(Verdict.SUPPORTED, _scope(evidence), evidence[0].summary)
    return Decision(Verdict.SUPPORTED, _scope(evidence), _support(evidence))


def _on_hypotheses(piece: Evidence) -> bool:
    """Whether evidence is on the hypotheses alone, and says nothing for the claim."""
    return piece.method == "vacuity" and piece.outcome is not Outcome.ERROR


def _on_checks(piece: Evidence) -> bool:
    """Whether evidence tells how far constants can go, or what the checks would notice: neither
    says anything for the claim."""
    return piece.method in ("constants", "mutation") and piece.outcome is Outcome.SUPPORTS


def _excluded(proof: Evidence, evidence: Sequence[Evidence]) -> Decision:
    """The decision where claims that are proved leave no case that meets all hypotheses."""
    seen = [piece for piece in evidence if piece.method in (*DRAWN, *LISTED, "search")]
    if met := [piece for piece in seen if piece.instances > 0]:
        text = f"{met[0].method}: cases met all hypotheses, though {proof.summary}"
        return Decision(Verdict.ERROR, "", text)
    return Decision(Verdict.VACUOUS, "the whole claim", proof.summary)


def _without_cases(evidence: Sequence[Evidence], met: Sequence[Evidence]) -> Decision | None:
    """The decision where no case that was drawn, or listed, met all hypotheses. met: of the vacuity
    run, which tells why, or has a case that the other methods have not."""
    for piece in met:
        if piece.outcome is Outcome.PROVES:
            return _excluded(piece, evidence)
    on_cases = [piece for piece in evidence if piece.method in (*DRAWN, "search")]
    listed = [piece for piece in evidence if piece.method in LISTED]
    if sum(piece.instances for piece in (*on_cases, *listed)) > 0:
        return None
    if not on_cases:
        return _without_draws(evidence)
    drawn = sum(int(piece.figures.get("drawn", 0)) for piece in on_cases)
    scope, reason = f"{drawn} cases drawn", f"none of {drawn} cases met all hypotheses"
    if any(piece.instances > 0 for piece in met):
        text = f"{reason} but in the vacuity run: {met[0].summary}"
        return Decision(Verdict.INCONCLUSIVE, scope, text)
    told = [piece.summary for piece in met]
    return Decision(Verdict.VACUOUS, scope, ". ".join([reason, *told]))


def _without_draws(evidence: Sequence[Evidence]) -> Decision | None:
    """The decision where no case was drawn and what was looked at beside met no hypotheses: that
    is too little to say that none can."""
    proofs = (Outcome.PROVES, Outcome.PROVES_ON_SCOPE)
    on_claim = [piece for piece in evidence if piece.method not in BESIDE]
    if any(piece.instances > 0 or piece.outcome in proofs for piece in on_claim):
        return None
    names = ", ".join(dict.fromkeys(piece.method for piece in evidence))
    reason = f"no case was drawn, and none of {names} met all hypotheses"
    return Decision(Verdict.INCONCLUSIVE, _scope(evidence), reason)


def _support(evidence: Sequence[Evidence]) -> str:
    """How many cases agree. Only those that were drawn independently bound the violation rate."""
    solutions, flows = (
        sum(piece.instances for piece in evidence if piece.method == method)
        for method in ("rays", "limits")
    )
    if solutions or flows:  # a claim about the limit
        return f"no violation on {solutions} exact solutions and {flows} flows with growing norm"
    cases = sum(piece.instances for piece in evidence if piece.method in (*DRAWN, "search"))
    if not cases:  # these are all there is
        others = [piece for piece in evidence if piece.method in (*LISTED, *LED)]
        told = " and ".join(f"{piece.instances} ({piece.method})" for piece in others)
        return f"no violation in {told or '0'} cases that met all hypotheses"
    independent = sum(piece.instances for piece in evidence if piece.method in DRAWN)
    found = f"no violation in {cases} cases that met all hypotheses"
    if not independent:
        return found
    bound = min(1.0, 3 / independent)
    return f"{found} (violation rate under the same draw below {bound:.2g} at 95 %)"


def _scope(evidence: Sequence[Evidence]) -> str:
    lines = dict.fromkeys(line for piece in evidence for line in piece.scope)
    return "; ".join(lines)
