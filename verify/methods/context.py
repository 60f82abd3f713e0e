"""What every method is given besides the claim."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from verify.core.budgets import Budget
from verify.core.claim import Claim
from verify.core.evidence import Evidence, Outcome

REDRAWS = 6


@dataclass(frozen=True)
class Context:
    """The budget, the root seed and the device of a run, and the folder where long experiments
    keep what they have so far (None: nowhere)."""

    budget: Budget
    seed: int = 0
    device: str = "cpu"
    kept: Path | None = None

    def random(self, claim: Claim, method: str) -> Random:
        """A generator of its own for each claim and method, derived from the root seed."""
        return self.random_for(claim.id, method)

    def random_for(self, name: str, method: str) -> Random:
        """Likewise by a name."""
        text = f"{self.seed}:{name}:{method}".encode()
        return Random(int.from_bytes(hashlib.sha256(text).digest()[:8], "big"))


@dataclass
class Inquiry:
    """One method at work on one claim: what it has looked at so far, and its clock.

    scope, figures, instances: of the evidence that comes of it, see Evidence. start, begun: when
    it began, by the clock and in CPU time.
    """

    method: str
    context: Context
    scope: tuple[str, ...] = ()
    figures: dict[str, int | float | str] = field(default_factory=dict)
    instances: int = 0
    start: float = field(default_factory=time.perf_counter)
    begun: float = field(default_factory=time.process_time)

    @property
    def overdue(self) -> bool:
        """Whether a look at constants or checks has taken the CPU time that the budget has for it:
        what is looked at besides says how sharp they are, and nothing of the claim."""
        return time.process_time() - self.begun > self.context.budget.longest

    def finds(
        self,
        outcome: Outcome,
        summary: str,
        *,
        certificate: Mapping[str, Any] | None = None,
        checker: Mapping[str, Any] | None = None,
        **findings: Any,
    ) -> Evidence:
        """The evidence: what was found, over what has been looked at. findings: plots, needs,
        mutants, bounds, joint_cases, see Evidence."""
        return Evidence(
            self.method,
            outcome,
            summary,
            self.scope,
            self.figures,
            self.instances,
            time.perf_counter() - self.start,
            self.context.seed,
            certificate,
            checker,
            **findings,
        )
