"""A run: tasks are planned, found in the journal or executed, and decided into a record."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
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
    CONFLICTS,
    METHODS,
    Task,
    claims_of,
    conflicts_key,
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
    whole = whole_papers(claims)
    evidence = gather(everything, settings, whole)
    looks = {paper: evidence.pop(paper) for paper in whole}
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
    reasons += [
        f"{CONFLICTS} of {paper}: {piece.summary}"
        for paper, pieces in looks.items()
        for piece in pieces
        if piece.outcome is Outcome.ERROR
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
        "conflicts": conflicts_in(looks),
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


def conflicts_in(looks: Mapping[str, Sequence[Evidence]]) -> list[dict[str, Any]] | None:
    """Pairs of hypotheses of a paper that were met, but not together, by what was found of each
    paper; None where no paper was looked at as a whole."""
    if not looks:
        return None
    return [
        {"paper": paper, **meeting}
        for paper, pieces in looks.items()
        for piece in pieces
        for meeting in piece.to_json()["meetings"]
    ]


def whole_papers(claims: Sequence[Claim]) -> list[str]:
    """The papers of which all registered claims are among these."""
    ids = {claim.id for claim in claims}
    papers = dict.fromkeys(claim.source.paper for claim in claims)
    return [paper for paper in papers if all(claim.id in ids for claim in claims_of(paper))]


def gather(
    claims: Sequence[Claim], settings: Settings, papers: Sequence[str] = ()
) -> dict[str, list[Evidence]]:
    """The evidence on each claim, in the order of METHODS whatever order it was found in, and by
    the name of a paper that on its hypotheses pair by pair.

    Each claim goes through the stages by itself, see verify.runs.stages; the papers are looked at
    beside them.
    """
    journal = None if settings.journal is None else Journal(settings.journal)
    asked = (settings.budget, settings.seed, settings.device)
    keys = {task: task.key(claim) for claim in claims for task in tasks_for(claim, *asked)}
    aside = {task: conflicts_key(task) for task in (Task(p, CONFLICTS, *asked) for p in papers)}
    kept = {} if journal is None or settings.fresh else _kept(journal, keys | aside)
    whole: dict[Task, Evidence | None] = {task: kept[task] for task in aside if task in kept}
    course = Course(keys, {task: kept[task] for task in keys if task in kept})

    def finish(task: Task, piece: Evidence | None) -> Sequence[Task]:
        if task not in aside:
            return course.finish(task, piece)
        whole[task] = piece
        return ()

    begun = [*(task for task in aside if task not in whole), *course.begin()]
    lasting = journal is not None and not settings.fresh
    # what claims measure together is kept at least as long as the run
    with nullcontext(journal.folder) if journal and lasting else TemporaryDirectory() as folder:
        for task, piece in execute(begun, settings.workers, finish, Path(folder) / "parts"):
            if journal is not None and piece is not None and piece.outcome is not Outcome.ERROR:
                journal.put((keys | aside)[task], piece)
            if settings.progress is not None:
                done = len(course.done) + len(whole)
                settings.progress(done, len(keys) + len(aside), task)
    found: dict[str, list[Evidence]] = {name: [] for name in (*(c.id for c in claims), *papers)}
    ordered = sorted(course.done, key=lambda t: METHODS.index(t.method))
    for task in (*ordered, *whole):
        piece = (course.done | whole)[task]
        if piece is not None:
            found[task.claim].append(piece)
    return found


def _kept(journal: Journal, keys: Mapping[Task, str]) -> dict[Task, Evidence]:
    """What the journal has of these tasks."""
    found = {task: journal.get(key) for task, key in keys.items()}
    return {task: piece for task, piece in found.items() if piece is not None}


def _options(settings: Settings) -> list[str]:
    """The options of the command line that the evidence depends on, where they are not usual."""
    usual = Settings()
    names = ("budget", "seed", "device")
    values = {name: getattr(settings, name) for name in names}
    chosen = [name for name in names if values[name] != getattr(usual, name)]
    return [word for name in chosen for word in (f"--{name}", str(values[name]))]
