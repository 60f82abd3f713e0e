"""Two versions of one paper beside each other, statement by statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from verify.core.ledger import Counterpart
from verify.papers.lj22.versions import COUNTERPARTS

if TYPE_CHECKING:
    from verify.core.claim import Claim


def counterparts() -> dict[str, tuple[Counterpart, ...]]:
    """Of each paper that has two versions."""
    return {"lj22": COUNTERPARTS}


def comparison(claims: Sequence[Claim]) -> list[dict[str, Any]]:
    """For the record of a run: paper, subject, change, and the claims of each version, by id.

    Repairs are of no version and are left out; so is what the run has no claim of.
    """
    of_statement: dict[str, list[str]] = {}
    for claim in claims:
        if claim.repairs is None:
            of_statement.setdefault(claim.ledger_id, []).append(claim.id)
    rows = []
    for paper, found in counterparts().items():
        for pair in found:
            sides = [
                [name for statement in side for name in of_statement.get(statement, ())]
                for side in (pair.earlier, pair.final)
            ]
            if any(sides):
                row = {"paper": paper, "subject": pair.subject, "change": pair.change}
                rows.append({**row, "earlier": sides[0], "final": sides[1]})
    return rows
