"""The record of a run: what reports, baselines and other programs read. Plain JSON data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.core.claim import Claim
from verify.core.evidence import Evidence, Outcome, smallest
from verify.core.foundations import foundations
from verify.core.grade import Grade
from verify.core.headline import Headline
from verify.core.ledger import Role, Statement, statement_id
from verify.core.negation import negation
from verify.core.power import Power
from verify.core.verdict import FALSE, STANDS, WHOLE, Decision, Verdict
from verify.language.spelled import held, legend, spelled
from verify.runs.fingerprint import claim_fingerprint
from verify.search.certificates import answer

SHOWS = {
    **dict.fromkeys(FALSE, (Outcome.REFUTES,)),
    Verdict.PROVED: (Outcome.PROVES,),
    Verdict.PROVED_ON_SCOPE: (Outcome.PROVES_ON_SCOPE,),
    Verdict.ARGUED: (Outcome.PROVES, Outcome.PROVES_ON_SCOPE),
}
"""Of which evidence the certificate goes with a verdict."""


@dataclass(frozen=True)
class Found:
    """What a run has found out about one claim.

    known: whether the verdict was taken from the baseline. not_run: methods that speak of the claim
    and are not part of the budget. unproved: claims that it rests on and that are not settled.
    """

    decision: Decision
    evidence: Sequence[Evidence]
    power: Power | None = None
    grade: Grade | None = None
    known: bool = False
    not_run: tuple[str, ...] = ()
    unproved: tuple[str, ...] = ()


def claim_record(claim: Claim, found: Found, options: Sequence[str] = ()) -> dict[str, Any]:
    """What the record says of one claim. options: of the command line that find the same evidence
    again."""
    decision, evidence = found.decision, found.evidence
    piece = deciding_certificate(decision, evidence)
    certificate = None if piece is None else dict(piece.certificate or {})
    file = None if certificate is None else f"certificates/{claim.id}.json"
    role = Role.VARIANT if claim.source.paper == "control" else claim.role
    said, asked = _checked(claim)
    rests_on = foundations(claim, decision, evidence, certificate, found.unproved)
    return {
        "id": claim.id,
        "statement_id": claim.id if claim.source.paper == "control" else claim.ledger_id,
        "role": role.value,
        "paper": claim.source.paper,
        "version": claim.source.version,
        "reference": claim.source.reference,
        "title": claim.title,
        "kind": claim.kind.value,
        "reading": claim.reading,
        "reading_text": claim.reading_text,
        "repairs": claim.repairs,
        "mended_by": [],
        "statement": claim.statement,
        "checked": said,
        "negation": negation(claim),
        "hypotheses": [
            {
                "id": f"H{k + 1}",
                "name": h.name,
                "statement": h.statement,
                "checked": asked.get(h.name),
            }
            for k, h in enumerate(claim.hypotheses)
        ],
        "examples": [e.to_json() for e in (claim.examples() if claim.examples else ())],
        "through": claim.through,
        "quantity": claim.quantity,
        "why": claim.why,
        "depends": list(claim.depends),
        "verdict": decision.verdict.value,
        "scope": claim.only if decision.scope == WHOLE and claim.only else decision.scope,
        "reason": decision.reason,
        "beside": decision.beside,
        "rests_on": rests_on.to_json(),
        "power": None if found.power is None else found.power.to_json(),
        "grade": None if found.grade is None else found.grade.to_json(),
        "not_run": list(found.not_run),
        "from_baseline": found.known,
        "worst": None if decision.verdict in FALSE else worst_figure(evidence),
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


def _checked(claim: Claim) -> tuple[dict[str, Any] | None, dict[str, dict[str, Any]]]:
    """What is checked, and each hypothesis by its name, as made from the terms; of a claim that is
    not in the language nothing."""
    if claim.terms is None:
        return None, {}
    of = claim.terms
    asked = {name: spelled(term).to_json() for name, term in of.given.items()}
    return {"case": list(held(of.domain)), **spelled(of.says).to_json()}, asked


def notation(claims: Sequence[Claim]) -> dict[str, str]:
    """What the formulas mean of what is checked: words by formula."""
    stated = [claim.terms for claim in claims if claim.terms is not None]
    return legend(term for one in stated for term in (one.says, *one.given.values()))


def statement_record(
    statement: Statement, told: Headline, claims: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """What the record says of a printed statement. claims: the records of its claims; whoever
    mends which is written into them."""
    order = [Role.MAIN, Role.REPAIR, Role.OTHER, Role.VARIANT]
    own = sorted(claims, key=lambda claim: order.index(Role(claim["role"])))
    texts = ("id", "paper", "version", "place", "section", "title", "printed")
    return {
        **{name: getattr(statement, name) for name in texts},
        "rank": statement.rank.value,
        "because": statement.because,
        "restored": statement.restored,
        "headline": told.to_json(),
        "claims": [claim["id"] for claim in own],
        "uses": [],
        "used_by": [],
        "finding": None,
    }


def connect(statements: Sequence[dict[str, Any]], claims: Sequence[dict[str, Any]]) -> None:
    """Write into the records what mends what, and which printed statement uses which."""
    by_id = {claim["id"]: claim for claim in claims}
    rows = {row["id"]: row for row in statements}
    for claim in claims:
        broken = by_id.get(claim["repairs"])
        falls = broken is not None and Verdict(broken["verdict"]) in (*FALSE, Verdict.VACUOUS)
        if broken is not None and falls and Verdict(claim["verdict"]) in STANDS:
            broken["mended_by"].append(claim["id"])
        if claim["role"] == Role.MAIN.value:
            for name in (*claim["depends"], *claim["rests_on"]["cites"]):
                _add(rows, claim["statement_id"], statement_id(name))


def enter(statements: Sequence[dict[str, Any]], findings: Sequence[Mapping[str, Any]]) -> None:
    """Write into the records of printed statements the first finding that reaches them."""
    rows = {row["id"]: row for row in statements}
    for finding in findings:
        for name in finding["statements"]:
            rows[name]["finding"] = rows[name]["finding"] or finding["id"]


def _add(rows: Mapping[str, dict[str, Any]], user: str, used: str) -> None:
    """Note that one printed statement uses another, once."""
    if user in rows and used in rows and user != used and used not in rows[user]["uses"]:
        rows[user]["uses"].append(used)
        rows[used]["used_by"].append(user)


def deciding_certificate(decision: Decision, evidence: Sequence[Evidence]) -> Evidence | None:
    """The evidence whose certificate goes with the verdict: the smallest of the counterexamples
    (or witnesses), otherwise that of identities which the checker replayed."""
    outcomes = SHOWS.get(decision.verdict, ())
    return smallest([piece for piece in evidence if piece.outcome in outcomes])


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
    """No claim has both a counterexample and a proof of, or an argument for, the whole of it: one
    would be broken."""
    whole = {Outcome.PROVES, Outcome.ARGUES}
    clashes = [
        name
        for name, pieces in evidence.items()
        if Outcome.REFUTES in (found := {piece.outcome for piece in pieces}) and found & whole
    ]
    return {
        "id": "control.consistent",
        "title": "no claim is both refuted and proved or argued for",
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


def _moved(value: Any) -> Any:
    """A value plus 1; both ends of an enclosure plus 1 and its width, so that they no longer hold
    what they held; the left one of two sides; sides, where there are none."""
    if value is None:
        return {"left": "0", "right": "1"}
    if isinstance(value, dict):
        return {**value, "left": _moved(value["left"])}
    if isinstance(value, list):
        low, high = map(Fraction, value)
        return [str(end + 1 + high - low) for end in (low, high)]
    return str(Fraction(value) + 1)
