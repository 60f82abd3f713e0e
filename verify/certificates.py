"""Certificates: what the engine hands to the independent checker, and the checker's answer."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from graphs.algebraic import Enclosure
from verify.claim import Claim, Kind
from verify.judging import Violation

FORMAT = "lemmata-certificate"
VERSION = 1


def certificate_of(claim: Claim, violation: Violation) -> dict[str, Any]:
    """The certificate of a counterexample, or of a witness of an existence claim."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "kind": "witness" if claim.kind is Kind.EXISTENCE else "counterexample",
        "claim": claim.id,
        "case": violation.case.to_json(),
        "entry": violation.entry,
        "value": value_to_json(violation.value),
    }


def value_to_json(value: Fraction | Enclosure) -> str | list[str]:
    """A rational as "p/q", an enclosure as its two ends."""
    return [str(end) for end in value] if isinstance(value, Enclosure) else str(value)


def answer(certificate: dict[str, Any]) -> dict[str, Any]:
    """What the checker says: exit code (0 accept, 1 reject, 2 decline) and message."""
    from verify.checker import check

    outcome = check(certificate)
    return {"exit": outcome.code, "message": outcome.message}
