"""Why nothing meets all hypotheses of a claim: other claims, argued for, exclude one of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Exclusion:
    """Nothing meets this hypothesis together with the others of a claim.

    hypothesis: its name. cites: ids of claims that have an argument and whose hypotheses follow
    from the others. because: how it follows from them, as a clause.
    """

    hypothesis: str
    cites: tuple[str, ...]
    because: str
