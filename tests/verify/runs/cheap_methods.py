"""Methods that answer at once, in place of the real ones: what is tested is how they are run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from verify.core.claim import Claim, Kind
from verify.core.evidence import Evidence, Outcome
from verify.methods.context import Context
from verify.papers.registry import find
from verify.runs.engine import Settings
from verify.runs.tasks import Task

Method = Callable[[Claim, Context], Evidence | None]

# Identities, a law with readings, an existence claim and a definition.
NAMES = ("lj22.risk", "lj22.gflow", "lj22.pullback", "lj22.lemma3@A", "lj22.lemma4", "lj22.def1")
CLAIMS = [find(name) for name in NAMES]

CONTROLS_ANSWER = {
    "control.true": Outcome.PROVES_ON_SCOPE,
    "control.false": Outcome.REFUTES,
    "control.undecided": Outcome.INCONCLUSIVE,
    "control.argument.forged": Outcome.ERROR,
    "control.argument.other": Outcome.ERROR,
    "control.argument.unfounded": Outcome.PROVES_ON_SCOPE,
    "control.argument.circular": Outcome.PROVES_ON_SCOPE,
    "control.proof.true": Outcome.PROVES,
    **{f"control.proof.{name}": Outcome.ERROR for name in ("forged", "empty", "another")},
    "control.inequality.false": Outcome.REFUTES,
    "control.planted.lj22": Outcome.REFUTES,
    "control.planted.j23": Outcome.REFUTES,
    "control.planted.dkbhl20": Outcome.REFUTES,
    "control.planted.zlb22": Outcome.REFUTES,
}


class CheapMethods:
    """performed: (claim, method) in order. outcomes: by claim, where they are not the usual ones.

    broken: claims whose checks raise, with what they raise.
    """

    def __init__(self) -> None:
        self.performed: list[tuple[str, str]] = []
        self.outcomes: dict[str, Outcome] = {}
        self.broken: dict[str, BaseException] = {}
        self.certificates: dict[str, Mapping[str, Any]] = {}

    def named(self, method: str) -> Method:
        def answer(claim: Claim, context: Context) -> Evidence:
            self.performed.append((claim.id, method))
            if claim.id in self.broken:
                raise self.broken[claim.id]
            outcome = self.outcomes.get(claim.id, self._usual(claim))
            return Evidence(
                method,
                outcome,
                f"{method} on {claim.id}",
                (f"budget {context.budget.name}",),
                {"drawn": 7, "worst residual": "1.0e-16"},
                instances=5,
                seconds=0.25,
                seed=context.seed,
                certificate=self.certificates.get(claim.id),
            )

        return answer

    @staticmethod
    def _usual(claim: Claim) -> Outcome:
        existence = Outcome.PROVES if claim.kind is Kind.EXISTENCE else Outcome.SUPPORTS
        return CONTROLS_ANSWER.get(claim.id, existence)

    def forget(self) -> list[tuple[str, str]]:
        """What has been performed so far; from here on it counts anew."""
        performed, self.performed = self.performed, []
        return performed


def install(patch: pytest.MonkeyPatch) -> CheapMethods:
    """Put cheap methods in place of the real ones, in this process."""
    methods = CheapMethods()
    patch.setattr("verify.runs.tasks.method_named", methods.named)
    patch.setattr("verify.search.conflicts.conflicts", lambda claims, seed, draws: ())
    return methods


class Interrupt:
    """A progress callback that interrupts the run after so many tasks."""

    def __init__(self, after: int) -> None:
        self.after = after

    def __call__(self, done: int, total: int, task: Task, ahead: object) -> None:
        self.after -= 1
        if self.after <= 0:
            raise KeyboardInterrupt


def settled(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record without what differs between two runs of the same: ids and times."""
    run = {k: v for k, v in record["run"].items() if k not in ("id", "started", "seconds")}
    claims = [
        {**claim, "evidence": [{**e, "seconds": 0.0} for e in claim["evidence"]]}
        for claim in record["claims"]
    ]
    return {**record, "run": run, "claims": claims}


SMOKE = Settings(budget="smoke")
