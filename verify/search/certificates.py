"""Certificates: what the engine hands to the independent checker, and the checker's answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from verify.cases.case import Case, case_from_json
from verify.cases.tensors import tensors_from_json
from verify.core.claim import Claim, Kind
from verify.core.instance import Instance
from verify.core.losses import PRESCRIBED
from verify.search.judging import Violation


def certificate_of(claim: Claim, violation: Violation) -> dict[str, Any]:
    """The certificate of a counterexample, or of a witness of an existence claim."""
    kind = "witness" if claim.kind is Kind.EXISTENCE else "counterexample"
    return _certificate(claim, kind, violation)


def necessity_certificate(claim: Claim, hypothesis: str, violation: Violation) -> dict[str, Any]:
    """The certificate that a claim needs a hypothesis: a case that violates it and meets all its
    other hypotheses."""
    return _certificate(claim, "necessity", violation, hypothesis)


def _certificate(
    claim: Claim, kind: str, violation: Violation, without: str = ""
) -> dict[str, Any]:
    assert claim.terms is not None  # there are no certificates of anything else
    return claim.terms.certificate(kind, violation.case, violation.entry["at"], without)


def claim_of(certificate: Mapping[str, Any]) -> str | None:
    """The id of the claim that a certificate speaks of."""
    named: str | None = certificate.get("statement", {}).get("id")
    return named


def case_json(case: Instance) -> dict[str, Any]:
    """A case as JSON; with a loss by name the examples have no slopes of their own."""
    if not isinstance(case, Case) or case.loss == PRESCRIBED:
        return case.to_json()
    slopes = (Fraction(0),) * case.example_count
    data = replace(case, loss=PRESCRIBED, slopes=slopes).to_json()
    for example in data["examples"]:
        del example["slope"]
    return data | {"loss": case.loss}


def case_of(claim: Claim, data: Mapping[str, Any]) -> Any:
    """The case of a certificate of the claim, as the claim's pool has them. Raises CaseError."""
    if "network" in data:
        return case_from_json(data)
    read = tensors_from_json(data)
    if claim.pool is None:
        return read
    drawn = claim.pool.draw(Random(0), n=claim.pool.examples[0], loss=PRESCRIBED)
    return replace(drawn, arrays=read.arrays, choice=read.choice)


def answer(certificate: dict[str, Any]) -> dict[str, Any]:
    """What the checker says: exit code (0 accept, 1 reject, 2 decline) and message."""
    from verify.checker import check
    from verify.papers.registry import hash_of

    outcome = check(certificate, hash_of(claim_of(certificate) or ""))
    return {"exit": outcome.code, "message": outcome.message}
