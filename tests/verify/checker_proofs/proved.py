"""The statements that have proofs, and their records."""

from __future__ import annotations

from functools import cache
from typing import Any

from verify.language.statements import Statement
from verify.papers.registry import all_claims

CLAIMS = {claim.id: claim for claim in all_claims() if claim.derivation is not None}
STATEMENTS: dict[str, Statement] = {name: claim.terms for name, claim in CLAIMS.items()}


@cache
def record_of(name: str) -> dict[str, Any]:
    """The record of a proof. Not to be changed."""
    return CLAIMS[name].derivation().record
