"""From evidence to a verdict. Nobody types a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from verify.core.evidence import Evidence, Outcome, smallest

if TYPE_CHECKING:
    from verify.core.claim import Claim
    from verify.core.power import Power

DRAWN = ("pointwise", "trials")  # methods whose cases are drawn independently
LISTED = ("enumeration", "corners")  # methods whose cases are listed
LED = ("ascent", "extremes", "flow")  # methods whose cases are led somewhere
BESIDE = ("necessity", "clarke")  # methods whose cases leave out a hypothesis
ABOUT_CHECKS = ("constants", "mutation", "generic")  # methods that say nothing for the claim


class Verdict(Enum):
    """What is known of a claim, the worst first."""

    ERROR = "error"
    REFUTED = "refuted"
    REFUTED_BY_ARGUMENT = "refuted by argument"
    CONTRADICTED = "contradicted"
    VACUOUS = "vacuous"
    UNTESTED = "untested"
    OPEN = "open"
    NOT_RUN = "not run"
    SUPPORTED = "supported"
    ARGUED_ON_SCOPE = "argued on scope"
    ARGUED = "argued"
    PROVED_ON_SCOPE = "proved on scope"
    PROVED = "proved"
    DEFINITION = "definition"


FALSE = (Verdict.REFUTED, Verdict.REFUTED_BY_ARGUMENT, Verdict.CONTRADICTED)
STANDS = (
    Verdict.SUPPORTED,
    Verdict.ARGUED_ON_SCOPE,
    Verdict.ARGUED,
    Verdict.PROVED_ON_SCOPE,
    Verdict.PROVED,
)
SETTLED = (Verdict.ARGUED, Verdict.PROVED, Verdict.DEFINITION)  # what may be built upon


@dataclass(frozen=True)
class Decision:
    """A verdict, the scope it holds for, why, and what else is known."""

    verdict: Verdict
    scope: str
    reason: str
    beside: str = ""


WHOLE = "the whole claim"


def decide(claim: Claim, evidence: Sequence[Evidence], power: Power | None = None) -> Decision:
    """The verdict on a claim. power: whether its checks could have failed, where that is known.

    A counterexample outranks everything, then a broken check, then an exact violation that the
    checker could not judge, then measurements that exclude the claim. A claim whose hypotheses no
    case met is vacuous, also where an argument would show it; that none can meet them is known
    where claims with an argument exclude one. Proofs and arguments outrank support, and support by
    checks that could not have failed is none. (A proof or an argument for the whole claim beside a
    counterexample is a contradiction, which voids the run: see verify.runs.record.)
    """
    drawn = (claim.experiment, claim.rate, claim.sampled, claim.exponents)
    measured = any(part is not None for part in drawn)
    if not (claim.judged or measured):
        return Decision(Verdict.DEFINITION, "", "a definition or assumption: other claims use it")
    met = [piece for piece in evidence if _on_hypotheses(piece)]
    evidence = [piece for piece in evidence if not (_on_hypotheses(piece) or _on_checks(piece))]
    found = {
        outcome: [piece for piece in evidence if piece.outcome is outcome] for outcome in Outcome
    }
    if (against := _against(claim, found, evidence)) is not None:
        return against
    if not evidence:
        return Decision(Verdict.NOT_RUN, "", "no method was run within this budget")
    if claim.kind.value != "existence" and (empty := _without_cases(evidence, met)) is not None:
        return empty
    if (shown := _shown(claim, found)) is not None:
        return shown
    reason = evidence[0].summary if measured else _support(evidence)
    if power is not None and power.tested is False and not measured:
        text = f"{reason}, but {power.why}"
        return Decision(Verdict.UNTESTED, _scope(evidence), text)
    return Decision(Verdict.SUPPORTED, _scope(evidence), reason)


Found = Mapping[Outcome, Sequence[Evidence]]


def _against(claim: Claim, found: Found, evidence: Sequence[Evidence]) -> Decision | None:
    """The decision where something speaks against the claim, or a check broke."""
    if refuting := found[Outcome.REFUTES]:
        piece = smallest(refuting) or refuting[0]
        if claim.through:
            return Decision(
                Verdict.REFUTED_BY_ARGUMENT,
                WHOLE,
                f"{piece.summary} It leads to the statement by a lemma: {claim.through}",
            )
        return Decision(Verdict.REFUTED, WHOLE, piece.summary)
    if found[Outcome.ERROR]:
        piece = found[Outcome.ERROR][0]
        return Decision(Verdict.ERROR, "", f"{piece.method}: {piece.summary}")
    if found[Outcome.VIOLATES]:
        piece = found[Outcome.VIOLATES][0]
        return Decision(Verdict.OPEN, _scope(evidence), f"{piece.method}: {piece.summary}")
    if contradicting := found[Outcome.CONTRADICTS]:
        return Decision(Verdict.CONTRADICTED, _scope(contradicting), contradicting[0].summary)
    return None


def _shown(claim: Claim, found: Found) -> Decision | None:
    """The decision where something is proved, argued for, or left undecided."""
    on_scope = found[Outcome.PROVES_ON_SCOPE]
    part = f"proved on scope: {_scope(on_scope)}" if on_scope else ""
    if proofs := found[Outcome.PROVES]:
        verdict = Verdict.ARGUED if claim.through else Verdict.PROVED
        return Decision(verdict, WHOLE, proofs[0].summary)
    if found[Outcome.ARGUES]:
        return Decision(Verdict.ARGUED, WHOLE, found[Outcome.ARGUES][0].summary, part)
    if undecided := found[Outcome.INCONCLUSIVE]:
        pieces = [piece for some in found.values() for piece in some]
        return Decision(Verdict.OPEN, _scope(pieces), undecided[0].summary, part)
    if on_scope:
        verdict = Verdict.ARGUED_ON_SCOPE if claim.through else Verdict.PROVED_ON_SCOPE
        return Decision(verdict, _scope(on_scope), _summaries(on_scope))
    if argued := found[Outcome.ARGUES_ON_SCOPE]:
        return Decision(Verdict.ARGUED_ON_SCOPE, _scope(argued), _summaries(argued))
    return None


def _summaries(pieces: Sequence[Evidence]) -> str:
    return " ".join(piece.summary for piece in pieces)


def _on_hypotheses(piece: Evidence) -> bool:
    """Whether evidence is on the hypotheses alone, and says nothing for the claim."""
    return piece.method == "vacuity" and piece.outcome is not Outcome.ERROR


def _on_checks(piece: Evidence) -> bool:
    """Whether evidence tells how far constants can go, what the checks would notice, or how often
    the claim fails: none of it says anything for the claim."""
    return piece.method in ABOUT_CHECKS and piece.outcome is Outcome.SUPPORTS


def _excluded(proof: Evidence, evidence: Sequence[Evidence]) -> Decision:
    """The decision where claims with an argument leave no case that meets all hypotheses."""
    seen = [piece for piece in evidence if piece.method in (*DRAWN, *LISTED, "search")]
    if met := [piece for piece in seen if piece.instances > 0]:
        text = f"{met[0].method}: cases met all hypotheses, though {proof.summary}"
        return Decision(Verdict.ERROR, "", text)
    return Decision(Verdict.VACUOUS, WHOLE, proof.summary)


def _without_cases(evidence: Sequence[Evidence], met: Sequence[Evidence]) -> Decision | None:
    """The decision where no case that was drawn, or listed, met all hypotheses. met: of the vacuity
    run, which tells why, or has a case that the other methods have not."""
    for piece in met:
        if piece.outcome is Outcome.ARGUES:
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
        return Decision(Verdict.OPEN, scope, text)
    told = [piece.summary for piece in met]
    return Decision(Verdict.VACUOUS, scope, ". ".join([reason, *told]))


def _without_draws(evidence: Sequence[Evidence]) -> Decision | None:
    """The decision where no case was drawn and what was looked at beside met no hypotheses: that
    is too little to say that none can."""
    proofs = (
        Outcome.PROVES,
        Outcome.PROVES_ON_SCOPE,
        Outcome.ARGUES,
        Outcome.ARGUES_ON_SCOPE,
        Outcome.CONTRADICTS,
    )
    on_claim = [piece for piece in evidence if piece.method not in BESIDE]
    if any(piece.instances > 0 or piece.outcome in proofs for piece in on_claim):
        return None
    names = ", ".join(dict.fromkeys(piece.method for piece in evidence))
    reason = f"no case was drawn, and none of {names} met all hypotheses"
    return Decision(Verdict.OPEN, _scope(evidence), reason)


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
