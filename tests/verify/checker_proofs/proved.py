"""The statements that have proofs, and their records."""

from __future__ import annotations

from functools import cache
from typing import Any

from verify.language.statements import Statement
from verify.papers.lj22.balance_proofs import (
    BALANCE_OF_ALL,
    VERTEX_BALANCE,
    balance_of_all,
    vertex_balance,
)
from verify.registry import all_claims
from verify.stated import proved

CLAIMS = {claim.id: claim for claim in all_claims() if claim.derivation is not None}
STATEMENTS: dict[str, Statement] = {name: claim.terms for name, claim in CLAIMS.items()}
OF_NETWORKS = {VERTEX_BALANCE: vertex_balance, BALANCE_OF_ALL: balance_of_all}
STATEMENTS |= {one.id: one for one in OF_NETWORKS}


@cache
def record_of(name: str) -> dict[str, Any]:
    """The record of a proof. Not to be changed."""
    for statement, steps in OF_NETWORKS.items():
        if name == statement.id:
            return proved(statement, steps).record
    return CLAIMS[name].derivation().record
