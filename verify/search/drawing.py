"""Cases of a claim: drawn from its pool, and made to meet its hypotheses."""

from __future__ import annotations

from random import Random
from typing import Any

from verify.core.claim import Claim


def draw(claim: Claim, random: Random, *, n: int, loss: str, large: bool) -> Any:
    """A case from the claim's pool, with every hypothesis repaired in turn."""
    assert claim.pool is not None, f"{claim.id} has no pool"
    return repair(claim, claim.pool.draw(random, n=n, loss=loss, large=large), random)


def repair(claim: Claim, case: Any, random: Random) -> Any:
    """The case after the repair of each hypothesis."""
    for hypothesis in claim.hypotheses:
        case = hypothesis.repair(case, random)
    return case
