"""The record of a run: what reports, baselines and other programs read. Plain JSON data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from verify.certificates import answer
from verify.claim import Claim, Kind
from verify.evidence import Evidence, Outcome, rests_on_selection, smallest
from verify.fingerprint import claim_fingerprint
from verify.negation import negation
from verify.verdict import Decision, Verdict

FINE = {"supported", "proved", "proved on scope", "definition"}


def claim_record(
    claim: Claim,
    decision: Decision,
    evidence: Sequence[Evidence],
    verdicts: Mapping[str, str],
    options: Sequence[str] = (),
) -> dict[str, Any]:
    """What the record says of one claim.

    verdicts: of all claims of the run, by id. options: of the command line that find the same
    evidence again.
    """
    piece = deciding_certificate(decision, evidence)
    certificate = None if piece is None else dict(piece.certificate or {})
    file = None if certificate is None else f"certificates/{claim.id}.json"
    return {
        "id": claim.id,
        "paper": claim.source.paper,
        "version": claim.source.version,
        "reference": claim.source.reference,
        "title": claim.title,
        "kind": claim.kind.value,
        "reading": claim.reading,
        "reading_text": claim.reading_text,
        "repairs": claim.repairs,
        "statement": claim.statement,
        "negation": negation(claim),
        "hypotheses": [
            {"id": f"H{k + 1}", "name": h.name, "statement": h.statement}
            for k, h in enumerate(claim.hypotheses)
        ],
        "examples": [e.to_json() for e in (claim.examples() if claim.examples else ())],
        "depends": list(claim.depends),
        "ancestors_supported": ancestors_supported(claim, verdicts),
        "verdict": decision.verdict.value,
        "scope": decision.scope,
        "reason": decision.reason,
        "trusted": _trusted(claim, decision, evidence),
        "worst": None if decision.verdict is Verdict.REFUTED else worst_figure(evidence),
        "evidence": [_evidence_record(e) for e in evidence],
        "certificate": certificate,
        "certificate_file": file,
        "checker": None if piece is None or piece.checker is None else dict(piece.checker),
        "command": (
            " ".join(["lemmata run", claim.id, *options])
            if file is None
            else f"lemmata repro {file}"
        ),
        "code": claim_fingerprint(claim),
    }


def deciding_certificate(decision: Decision, evidence: Sequence[Evidence]) -> Evidence | None:
    """The evidence whose certificate goes with the verdict: the smallest of the counterexamples
    (or witnesses), otherwise that of an argument the checker replayed."""
    if decision.verdict is Verdict.REFUTED:
        wanted = [e for e in evidence if e.outcome is Outcome.REFUTES]
    elif decision.verdict in (Verdict.PROVED, Verdict.PROVED_ON_SCOPE):
        wanted = [e for e in evidence if e.outcome in (Outcome.PROVES, Outcome.PROVES_ON_SCOPE)]
    else:
        wanted = []
    return smallest(wanted)


def ancestors_supported(claim: Claim, verdicts: Mapping[str, str]) -> bool | None:
    """Whether all claims that this one rests on are at least supported; None if one was not run."""
    from verify.registry import all_claims

    by_id = {c.id: c for c in all_claims()}
    waiting, seen = list(claim.depends), set()
    unknown = False
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        if name not in verdicts:
            unknown = True
        elif verdicts[name] not in FINE:
            return False
        if name in by_id:
            waiting += by_id[name].depends
    return None if unknown else True


def _trusted(claim: Claim, decision: Decision, evidence: Sequence[Evidence]) -> list[str]:
    if decision.verdict is Verdict.REFUTED:
        return _trusted_by_refutation(claim, deciding_certificate(decision, evidence))
    trusted = list(claim.trusted)
    if decision.verdict in (Verdict.PROVED, Verdict.PROVED_ON_SCOPE, Verdict.VACUOUS):
        for piece in evidence:
            excludes = piece.method == "vacuity"
            argues = piece.outcome in (Outcome.PROVES, Outcome.PROVES_ON_SCOPE)
            if argues and excludes == (decision.verdict is Verdict.VACUOUS):
                trusted += [
                    line.removeprefix("rests on: ")
                    for line in piece.scope
                    if line.startswith("rests on: ")
                ]
    if any(piece.method == "structural" for piece in evidence):
        trusted.append(
            "the path theorem: with positively homogeneous activations w dnu/dw is a sum of one "
            "term for each path through the edge (docs/mathematics.md)"
        )
    on_scope = [piece for piece in evidence if piece.outcome is Outcome.PROVES_ON_SCOPE]
    if any(piece.method in ("structural", "expanded") for piece in on_scope):
        trusted.append(
            "where the network is differentiable, an activation is its slope times its argument "
            "(docs/mathematics.md, 1); at kinks, limits and convex combinations of gradients"
        )
    return list(dict.fromkeys(trusted))


def _trusted_by_refutation(claim: Claim, piece: Evidence | None) -> list[str]:
    """What a counterexample rests on beside arithmetic (docs/mathematics.md, 3 and 4)."""
    if claim.kind is not Kind.LAW or piece is None:
        return []
    trusted = [
        "a law whose rate of change at a point is not 0 fails along the flow through that point",
        "a polynomial loss with the given slopes at the margins exists",
    ]
    if rests_on_selection(piece.certificate or {}):
        trusted.append(
            "gradient flow in the sense of Clarke: a solution may keep the in-weights of a ReLU "
            "vertex at 0 where the slope 0 is a limit of gradients"
        )
    return trusted


def worst_figure(evidence: Sequence[Evidence]) -> str | None:
    """The largest residual that float trials saw, beside the smallest violation that they would
    have noticed; of an inequality the smallest slack that any method saw first."""
    for piece in evidence:
        if "worst residual" in piece.figures:
            noticed = piece.figures.get("noticed in every entry", "?")
            return f"{piece.figures['worst residual']} (resolution {noticed})"
        if "smallest relative slack" in piece.figures:
            return f"slack {piece.figures['smallest relative slack']}"
    return None


def _evidence_record(piece: Evidence) -> dict[str, Any]:
    data = piece.to_json()
    for key in ("certificate", "checker"):
        data.pop(key)
    data["seconds"] = round(data["seconds"], 3)
    return data


def control_record(claim: Claim, observed: str, expected: tuple[str, ...]) -> dict[str, Any]:
    """Whether a control behaved."""
    return {
        "id": claim.id,
        "title": claim.title,
        "expected": " or ".join(expected),
        "observed": observed,
        "ok": observed in expected,
    }


def consistency_control(evidence: Mapping[str, Sequence[Evidence]]) -> dict[str, Any]:
    """No claim has both a counterexample and a proof of the whole claim: one would be broken."""
    clashes = [
        name
        for name, pieces in evidence.items()
        if {Outcome.REFUTES, Outcome.PROVES} <= {piece.outcome for piece in pieces}
    ]
    return {
        "id": "control.consistent",
        "title": "no claim is both refuted and proved",
        "expected": "none",
        "observed": ", ".join(clashes) or "none",
        "ok": not clashes,
    }


def tampering_control(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Every accepted counterexample, its value changed by 1 or more, is rejected by the checker.

    records: of the claims, and of the controls, so that there always is one.
    """
    tampered = rejected = 0
    for record in records:
        certificate = record["certificate"]
        if certificate is not None and "value" in certificate:
            tampered += 1
            rejected += answer({**certificate, "value": _moved(certificate["value"])})["exit"] == 1
    return {
        "id": "control.tampered",
        "title": "certificates with a changed value are rejected",
        "expected": f"{tampered} rejected",
        "observed": f"{rejected} rejected",
        "ok": rejected == tampered,
    }


def _moved(value: str | list[str]) -> str | list[str]:
    """A value plus 1; both ends of an enclosure plus 1 and its width, so that they no longer hold
    what they held."""
    if isinstance(value, list):
        low, high = map(Fraction, value)
        return [str(end + 1 + high - low) for end in (low, high)]
    return str(Fraction(value) + 1)
