"""The statements that have proofs, and their records."""

from __future__ import annotations

from functools import cache
from typing import Any

from verify.language.statements import Statement
from verify.papers.lj22.balance_proofs import VERTEX_BALANCE, vertex_balance
from verify.registry import all_claims
from verify.stated import proved

CLAIMS = {claim.id: claim for claim in all_claims() if claim.derivation is not None}
STATEMENTS: dict[str, Statement] = {name: claim.terms for name, claim in CLAIMS.items()}
STATEMENTS |= {VERTEX_BALANCE.id: VERTEX_BALANCE}


@cache
def record_of(name: str) -> dict[str, Any]:
    """The record of a proof. Not to be changed."""
    if name == VERTEX_BALANCE.id:
        return proved(VERTEX_BALANCE, vertex_balance).record
    return CLAIMS[name].derivation().record
