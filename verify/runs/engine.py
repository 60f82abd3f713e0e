"""A run: tasks are planned, found in the journal or executed, and decided into a record."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from verify.claim import Claim
from verify.controls import CONTROLS
from verify.evidence import Evidence, Outcome
from verify.fingerprint import versions
from verify.ledger import citations
from verify.registry import all_claims
from verify.runs.budgets import budget_named
from verify.runs.executors import execute
from verify.runs.journal import Journal
from verify.runs.record import (
    claim_record,
    consistency_control,
    control_record,
    tampering_control,
)
from verify.runs.stages import Course
from verify.runs.tasks import (
    METHODS,
    Task,
    conflicts_key,
    conflicts_of,
    tasks_for,
)
from verify.verdict import decide
from verify.versions import comparison

Progress = Callable[[int, int, Task], None]


@dataclass(frozen=True)
class Settings:
    """What a run is asked to do.

    workers: processes. journal: where finished tasks are kept, None to keep nothing. fresh: run
    every task again. command: as the user typed it, for the report.
    """

    budget: str = "ci"
    seed: int = 0
    device: str = "cpu"
    workers: int = 1
    journal: Path | None = None
    fresh: bool = False
    command: str = "lemmata run"
    progress: Progress | None = field(default=None, compare=False)


def run(claims: Sequence[Claim], settings: Settings) -> dict[str, Any]:
    """Check the claims and the controls; returns the record of the run (see the schema).

    Raises JournalError for a corrupt journal. An interrupt leaves the journal as it is, so that
    the next run goes on from there.
    """
    start = time.perf_counter()
    started = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    everything = [*claims, *(claim for claim, _ in CONTROLS.values())]
    evidence = gather(everything, settings)
    decisions = {claim.id: decide(claim, evidence[claim.id]) for claim in everything}
    verdicts = {name: decision.verdict.value for name, decision in decisions.items()}
    options = _options(settings)
    told = [claim_record(c, decisions[c.id], evidence[c.id], verdicts, options) for c in everything]
    records = told[: len(claims)]
    controls = [control_record(claim, verdicts[claim.id], ok) for claim, ok in CONTROLS.values()]
    controls += [consistency_control(evidence), tampering_control(told)]
    reasons = [
        f"{control['id']}: expected {control['expected']}, observed {control['observed']}"
        for control in controls
        if not control["ok"]
    ]
    return {
        "format": "lemmata-run",
        "version": 1,
        "run": {
            "id": f"{started}-{settings.budget}-{settings.seed}",
            "started": started,
            "seconds": round(time.perf_counter() - start, 3),
            "budget": settings.budget,
            "seed": settings.seed,
            "command": settings.command,
            "device": settings.device,
            "versions": versions(),
            "void": bool(reasons),
            "void_reasons": reasons,
        },
        "papers": {
            paper: text
            for paper, text in citations().items()
            if any(claim.source.paper == paper for claim in claims)
        },
        "controls": controls,
        "conflicts": paper_conflicts(claims, settings),
        "laws": laws_of(claims, settings),
        "changes": None,
        "versions": comparison(claims),
        "claims": records,
    }


def laws_of(claims: Sequence[Claim], settings: Settings) -> list[dict[str, Any]] | None:
    """The table of conserved quantities of networks, in a run of all claims whose budget has it."""
    if not budget_named(settings.budget).laws:
        return None
    if {claim.id for claim in all_claims()} - {claim.id for claim in claims}:
        return None
    from graphs.laws.table import laws_table

    return laws_table(settings.seed)


def paper_conflicts(claims: Sequence[Claim], settings: Settings) -> list[dict[str, Any]] | None:
    """Pairs of hypotheses of a paper that were met, but not together; None where no paper is
    looked at as a whole. Once for each paper, and kept in the journal."""
    papers = dict.fromkeys(claim.source.paper for claim in claims)
    whole = [paper for paper in papers if not {*_claims_of(paper)} - {claim.id for claim in claims}]
    if not whole:
        return None
    journal = None if settings.journal is None else Journal(settings.journal)
    found = []
    for paper in whole:
        members = [claim for claim in claims if claim.source.paper == paper]
        key = conflicts_key(members, settings.budget, settings.seed)
        piece = None if journal is None or settings.fresh else journal.get(key)
        if piece is None:
            piece = conflicts_of(members, settings.budget, settings.seed)
            if journal is not None:
                journal.put(key, piece)
        found += [{"paper": paper, **meeting} for meeting in piece.to_json()["meetings"]]
    return found


def _claims_of(paper: str) -> list[str]:
    return [claim.id for claim in all_claims() if claim.source.paper == paper]


def gather(claims: Sequence[Claim], settings: Settings) -> dict[str, list[Evidence]]:
    """The evidence on each claim, in the order of METHODS whatever order it was found in.

    Each claim goes through the stages by itself, see verify.runs.stages.
    """
    journal = None if settings.journal is None else Journal(settings.journal)
    keys: dict[Task, str] = {}
    done: dict[Task, Evidence | None] = {}
    for claim in claims:
        for task in tasks_for(claim, settings.budget, settings.seed, settings.device):
            keys[task] = task.key(claim)
            kept = None if journal is None or settings.fresh else journal.get(keys[task])
            if kept is not None:
                done[task] = kept
    course = Course(keys, done)
    for task, piece in execute(course.begin(), settings.workers, course.finish):
        if journal is not None and piece is not None and piece.outcome is not Outcome.ERROR:
            journal.put(keys[task], piece)
        if settings.progress is not None:
            settings.progress(len(course.done), len(keys), task)
    found: dict[str, list[Evidence]] = {claim.id: [] for claim in claims}
    for task in sorted(course.done, key=lambda t: METHODS.index(t.method)):
        piece = course.done[task]
        if piece is not None:
            found[task.claim].append(piece)
    return found


def _options(settings: Settings) -> list[str]:
    """The options of the command line that the evidence depends on, where they are not usual."""
    usual = Settings()
    names = ("budget", "seed", "device")
    values = {name: getattr(settings, name) for name in names}
    chosen = [name for name in names if values[name] != getattr(usual, name)]
    return [word for name in chosen for word in (f"--{name}", str(values[name]))]
