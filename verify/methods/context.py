"""What every method is given besides the claim."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from random import Random

from verify.case import Case
from verify.claim import Claim
from verify.runs.budgets import Budget

REDRAWS = 6


@dataclass(frozen=True)
class Context:
    """The budget, the root seed and the device of a run."""

    budget: Budget
    seed: int = 0
    device: str = "cpu"

    def random(self, claim: Claim, method: str) -> Random:
        """A generator of its own for each claim and method, derived from the root seed."""
        text = f"{self.seed}:{claim.id}:{method}".encode()
        return Random(int.from_bytes(hashlib.sha256(text).digest()[:8], "big"))


def draw(claim: Claim, random: Random, *, n: int, loss: str, large: bool) -> Case:
    """A case from the claim's pool, with every hypothesis repaired in turn."""
    assert claim.pool is not None, f"{claim.id} has no pool"
    return repair(claim, claim.pool.draw(random, n=n, loss=loss, large=large), random)


def repair(claim: Claim, case: Case, random: Random) -> Case:
    """The case after the repair of each hypothesis."""
    for hypothesis in claim.hypotheses:
        case = hypothesis.repair(case, random)
    return case
