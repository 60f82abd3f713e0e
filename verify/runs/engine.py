"""A run: tasks are planned, found in the journal or executed, and decided into a record."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from verify.core.budgets import budget_named
from verify.core.claim import Claim
from verify.core.code_hashes import versions
from verify.core.evidence import Evidence, Outcome
from verify.core.findings import findings
from verify.core.headline import Known, headline
from verify.core.ledger import Paper, papers, statements
from verify.papers.registry import all_claims
from verify.papers.versions import comparison
from verify.runs.conclusions import concluded, elsewhere, without_grade
from verify.runs.controls import CONTROLS
from verify.runs.executors import execute
from verify.runs.finished import now
from verify.runs.journal import PARTS, Journal, Unfinished
from verify.runs.record import (
    Found,
    claim_record,
    connect,
    consistency_control,
    control_record,
    enter,
    notation,
    statement_record,
    tampering_control,
)
from verify.runs.stages import Course
from verify.runs.tasks import (
    AFTERWARDS,
    CONFLICTS,
    METHODS,
    RAISED,
    Task,
    claims_of,
    conflicts_key,
    keys_of,
    tasks_for,
)

Progress = Callable[[int, int, Task, Callable[[], Sequence[Task]]], None]
"""Told after each task: how many are done, of how many, which one, and what gives those ahead, the
ones that run now first."""

Stop = Callable[[Task, Evidence | None], bool]


@dataclass(frozen=True)
class Settings:
    """What a run is asked to do.

    workers: processes. executor: the address of a cluster that runs the tasks instead, see
    verify.runs.cluster. journal: where finished tasks are kept, None to keep nothing. fresh: run
    every task again. command: as the user typed it, for the report. known: a baseline, for what
    this run does not look at. graded: whether claims that are false are graded, but for those whose
    grade the baseline knows (fresh: those too). progress: told after each task. gathered: told when
    there are no more, and what is known is put together: the keys of the tasks on which it rests,
    none where some were left. stop: told what each gave; whether the run ends there. partial:
    whether an interrupt, too, gives the record of what is known by then.
    """

    budget: str = "ci"
    seed: int = 0
    device: str = "cpu"
    workers: int = 1
    executor: str = ""
    journal: Path | None = None
    fresh: bool = False
    command: str = "lemmata run"
    known: Mapping[str, Any] | None = field(default=None, compare=False)
    graded: bool = False
    progress: Progress | None = field(default=None, compare=False)
    gathered: Callable[[Collection[str]], None] | None = field(default=None, compare=False)
    stop: Stop | None = field(default=None, compare=False)
    partial: bool = False


def run(claims: Sequence[Claim], settings: Settings) -> dict[str, Any]:
    """Check the claims and the controls; returns the record of the run (see the schema).

    Raises JournalError for a corrupt journal, OSError for one that cannot be written. An interrupt
    leaves the journal as it is, so that the next run goes on from there. Of a run that is stopped
    the record has the claims of which something is known, and the controls that came to their end.
    """
    start = time.perf_counter()
    started = now()
    everything = [*claims, *(claim for claim, _ in CONTROLS.values())]
    looks_at_pairs = CONFLICTS not in budget_named(settings.budget).leaves_out
    whole = whole_papers(claims) if looks_at_pairs else []
    evidence, left = gather(everything, settings, whole)
    undone = {task.claim for task in left}
    looks = {paper: evidence.pop(paper) for paper in whole}
    looks = {} if undone & looks.keys() else looks
    claims = [claim for claim in claims if evidence[claim.id] or claim.id not in undone]
    controls = [claim for claim, _ in CONTROLS.values() if claim.id not in undone]
    everything = [*claims, *controls]
    evidence = {claim.id: evidence[claim.id] for claim in everything}
    found = concluded(everything, evidence, settings, left)
    options = _options(settings)
    told = [claim_record(claim, found[claim.id], options) for claim in everything]
    records = told[: len(claims)]
    statements = _statements(claims, found, records, settings)
    connect(statements, records)
    grouped = findings(records)
    enter(statements, grouped)
    judged = _controls(found, evidence, told)
    reasons = [
        f"{control['id']}: expected {control['expected']}, observed {control['observed']}"
        for control in judged
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
        "version": 4,
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
            "left": len(left),
        },
        "notation": notation(claims),
        "papers": [
            _paper(paper)
            for paper in papers().values()
            if any(claim.source.paper == paper.id for claim in claims)
        ],
        "statements": statements,
        "findings": grouped,
        "controls": judged,
        "conflicts": conflicts_in(looks),
        "laws": None if left else laws_of(claims, settings),
        "changes": None,
        "versions": comparison(claims),
        "claims": records,
    }


def _paper(paper: Paper) -> dict[str, Any]:
    """A paper as the record has it."""
    lists = {"authors": list(paper.authors), "versions": list(paper.versions)}
    return {**asdict(paper), **lists, "letters": dict(paper.letters), "citation": paper.citation}


def _statements(
    claims: Sequence[Claim],
    found: Mapping[str, Found],
    records: Sequence[Mapping[str, Any]],
    settings: Settings,
) -> list[dict[str, Any]]:
    """The records of the printed statements of which a claim was checked, in the order of the
    print. Parts of a main reading that were not, are known by the baseline or not at all."""
    groups: dict[str, list[Claim]] = {}
    for claim in claims:
        if claim.source.paper != "control":
            groups.setdefault(claim.ledger_id, []).append(claim)
    told = {record["id"]: record for record in records}
    parts = {claim.id: claim for claim in all_claims()}
    rows = []
    for name, statement in statements().items():
        if name not in groups:
            continue
        chosen = [_known(claim, found[claim.id]) for claim in groups[name]]
        missing = [name + end for end in statement.main if name + end not in told]
        chosen += [elsewhere(parts[part], settings.known) for part in missing]
        own = [told[claim.id] for claim in groups[name]]
        rows.append(statement_record(statement, headline(chosen), own))
    return rows


def _known(claim: Claim, found: Found) -> Known:
    """A claim, as headlines see it."""
    verdict = found.decision.verdict
    grade, known = found.grade, found.known
    return Known(claim.id, claim.role, verdict, claim.repairs, grade, known, claim.only)


def _controls(
    found: Mapping[str, Found],
    evidence: Mapping[str, Sequence[Evidence]],
    told: Sequence[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """What the controls gave."""
    judged = [
        control_record(claim, found[claim.id].decision.verdict.value, expected)
        for claim, expected in CONTROLS.values()
        if claim.id in found
    ]
    return [*judged, consistency_control(evidence), tampering_control(told)]


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
        {"paper": paper, **joint}
        for paper, pieces in looks.items()
        for piece in pieces
        for joint in piece.to_json()["joint_cases"]
    ]


def whole_papers(claims: Sequence[Claim]) -> list[str]:
    """The papers of which all registered claims are among these."""
    ids = {claim.id for claim in claims}
    papers = dict.fromkeys(claim.source.paper for claim in claims)
    return [paper for paper in papers if all(claim.id in ids for claim in claims_of(paper))]


def gather(
    claims: Sequence[Claim], settings: Settings, papers: Sequence[str] = ()
) -> tuple[dict[str, list[Evidence]], list[Task]]:
    """The evidence on each claim, in the order of METHODS whatever order it was found in, and by
    the name of a paper that on its hypotheses pair by pair; and the tasks that were left when the
    run was stopped.

    Each claim goes through the stages by itself, see verify.runs.stages; the papers are looked at
    beside them.
    """
    journal = None if settings.journal is None else Journal(settings.journal)
    asked = (settings.budget, settings.seed, settings.device)
    keys: dict[Task, str] = {}
    for claim in claims:
        keys |= keys_of(claim, tasks_for(claim, *asked))
    looks = (Task(of, CONFLICTS, *asked, claims_of(of)[0].source.file) for of in papers)
    aside = {task: conflicts_key(task) for task in looks}
    kept = {} if journal is None or settings.fresh else _kept(journal, keys | aside)
    whole: dict[Task, Evidence | None] = {task: kept[task] for task in aside if task in kept}
    course = Course(keys, {task: kept[task] for task in keys if task in kept})

    def finish(task: Task, piece: Evidence | None) -> Sequence[Task]:
        if task not in aside:
            return course.finish(task, piece)
        whole[task] = piece
        return ()

    begun = [*(task for task in aside if task not in whole), *course.begin()]
    if begun and journal is not None:
        journal.check_writable()
    lasting = journal is not None and not settings.fresh
    # what claims measure together is kept at least as long as the run
    seen = course.done.items()  # what an earlier run found may be what this one is to stop at
    met = settings.stop is not None and any(settings.stop(*one) for one in seen)
    left: list[Task] = begun if met else []
    with nullcontext(journal.folder) if journal and lasting else TemporaryDirectory() as folder:
        parts = Path(folder) / PARTS
        begun = [] if met else begun
        results = execute(begun, settings.workers, finish, parts, settings.executor)
        try:
            with closing(results):  # on whatever is raised here, the workers end at once
                for task, piece in results:
                    if journal is not None and _lasts(piece):
                        journal.put((keys | aside)[task], piece)
                    if settings.progress is not None:
                        count, total = len(course.done) + len(whole), course.total + len(aside)
                        settings.progress(count, total, task, course.ahead)
                    if settings.stop is not None and settings.stop(task, piece):
                        left = [*course.ahead(), *(task for task in aside if task not in whole)]
                        break
        except KeyboardInterrupt:
            left = [*course.ahead(), *(task for task in aside if task not in whole)]
            about = [task for task in course.done if task.claim not in CONTROLS]
            if not (settings.partial and left and about):
                raise
    done = course.done | whole
    false = [c for c in claims if c.id in course.refuted and c.source.paper != "control"]
    afterwards = {} if left else _afterwards(false, settings)
    if afterwards:
        looked_up: dict[Task, Evidence | None] = {}
        try:
            _look_up(afterwards, settings, journal, looked_up)
        except KeyboardInterrupt:
            left = [task for task in afterwards if task not in looked_up]
            if not settings.partial:
                raise
        done |= looked_up
    if settings.gathered is not None:
        every = keys | aside | afterwards
        settings.gathered(() if left else {every[task] for task in done})
    found: dict[str, list[Evidence]] = {name: [] for name in (*(c.id for c in claims), *papers)}
    order = (*METHODS, *AFTERWARDS, CONFLICTS)
    for task in sorted(done, key=lambda task: order.index(task.method)):
        piece = done[task]
        if piece is not None:
            found[task.claim].append(piece)
    return found, left


def _afterwards(false: Sequence[Claim], settings: Settings) -> dict[Task, str]:
    """What is looked at of claims that are false, where that is asked for or the claim is
    somebody's own: how often they fail, and of those in the language what stands near them."""
    generic, near = AFTERWARDS
    always = settings.graded or settings.budget == "full"
    graded = [claim for claim in false if always or claim.source.file]
    graded = graded if settings.fresh else without_grade(graded, settings.known)
    pairs = [(claim, generic) for claim in graded]
    pairs += [(claim, near) for claim in graded if claim.terms is not None]
    asked = (settings.budget, settings.seed, settings.device)
    tasks = ((c, Task(c.id, method, *asked, c.source.file)) for c, method in pairs)
    return {task: task.key(claim) for claim, task in tasks}


def _lasts(piece: Evidence | None) -> bool:
    """Whether what a task gave is kept: all but what raised, which runs again."""
    return piece is None or RAISED not in piece.figures


def _look_up(
    keys: Mapping[Task, str],
    settings: Settings,
    journal: Journal | None,
    done: dict[Task, Evidence | None],
) -> None:
    """Note in `done` what tasks that wait for no other give, from the journal or by execution."""
    if journal is not None and not settings.fresh:
        done |= _kept(journal, keys)
    tasks = [task for task in keys if task not in done]
    with closing(execute(tasks, settings.workers, executor=settings.executor)) as results:
        for task, piece in results:
            done[task] = piece
            if journal is not None and _lasts(piece):
                journal.put(keys[task], piece)
            if settings.progress is not None:
                left = [task for task in keys if task not in done]
                settings.progress(len(done), len(keys), task, left.copy)


def _kept(journal: Journal, keys: Mapping[Task, str]) -> dict[Task, Evidence | None]:
    """What the journal has of these tasks."""
    found = {}
    for task, key in keys.items():
        with suppress(Unfinished):
            found[task] = journal.accepted(key, task.claim)
    return found


def _options(settings: Settings) -> list[str]:
    """The options of the command line that the evidence depends on, where they are not usual."""
    usual = Settings()
    names = ("budget", "seed", "device")
    values = {name: getattr(settings, name) for name in names}
    chosen = [name for name in names if values[name] != getattr(usual, name)]
    return [word for name in chosen for word in (f"--{name}", str(values[name]))]
