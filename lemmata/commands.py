"""The commands, one function each: from parsed options to an exit code.

Findings go to stdout, progress to stderr. Nothing heavy is imported before a command needs it.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from argparse import Namespace
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lemmata import __version__
from lemmata.checking import check
from lemmata.completion import completion
from lemmata.curvature import curvature
from lemmata.differing import diff
from lemmata.drawing import draw
from lemmata.errors import DIFFERS, FINE, UsageError
from lemmata.failing import FirstFailure, failed_before, note_failed
from lemmata.finished import finished
from lemmata.journal import journal
from lemmata.networks import derive, laws
from lemmata.own import loaded, new
from lemmata.progress import Progress
from lemmata.rocq import rocq, write_rocq
from lemmata.showing import list_statements, show
from lemmata.terminal import coloured, columns, steered
from lemmata.updating import check_update, commit, tell_update, update_row
from lemmata.writing import (
    annotate,
    tell_outputs,
    writable_history,
    writable_outputs,
    write_outputs,
)
from reports.made import afresh

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from lemmata.writing import Outputs
    from reports.made import Made
    from verify.core.claim import Claim
    from verify.runs.engine import Stop
    from verify.runs.finished import Finished
    from verify.runs.tasks import Task

CROWD = 16  # workers for each core: each takes some 350 MB
UNCHANGED = (
    "this run is finished, and nothing has changed since: told from its record "
    "(--fresh looks once more)"
)


def run(options: Namespace) -> int:
    """Check claims; write reports; print what is known; compare with a baseline."""
    from reports.history import add, before, entry
    from reports.troubles import troubles
    from verify.runs.baseline import left_undone

    outputs = writable_outputs(options.output)
    history = None if options.history is None else writable_history(Path(options.history))
    record, own, stopped, past = checked(options)
    if history is not None:
        line = entry(record, __version__, commit())
        record["history"] = [*before(history), line]
        add(history, line)
    tell(record, outputs, own, afresh if past is None else past.made)
    if left_undone(record) and not stopped:
        raise KeyboardInterrupt
    return DIFFERS if stopped or troubles(record) else FINE


class Checked(NamedTuple):
    """The record of a run, the claims of one's own that it was asked about, whether it stopped at
    one that fails, and where it is kept."""

    record: dict[str, Any]
    own: list[Claim]
    stopped: bool
    past: Finished | None


def checked(options: Namespace) -> Checked:
    """A run as these options ask for it, compared with their baseline."""
    from verify.runs import baseline

    compared = None if options.baseline is None else baseline.read(Path(options.baseline))
    known = baseline.known(None if options.known is None else Path(options.known))
    if options.known is None and known is None and baseline.USUAL.exists():
        print(f"{baseline.USUAL} is no baseline of this version: left aside", file=sys.stderr)
    stop = FirstFailure(compared) if options.stop else None
    whole = not options.ids and not options.keyword and not options.failed
    known = compared if options.known is None and compared else known
    past = finished(options, known)
    record = None if past is None else found_again(past, options)
    own, chosen = ([], []) if record is not None else asked_for(options)
    about = [(c.source.paper, c.id) for c in chosen]
    about += [(row["paper"], row["id"]) for row in (record or {"claims": ()})["claims"]]
    if compared is not None and (options.files or options.paper):  # it may know others too
        compared = _of_these(compared, about, options.baseline)
    if record is None:
        record = perform(chosen, options, known, stop, past)
    if compared is not None:
        record["changes"] = baseline.differences(record, compared, whole=whole)
        if compared["budget"] != options.budget:
            print(
                f"the baseline is of budget {compared['budget']}, this run of {options.budget}: "
                "only contradictions count",
                file=sys.stderr,
            )
    note_failed(record, Path(options.journal))
    return Checked(record, own, stop is not None and stop.met, past)


def asked_for(options: Namespace) -> tuple[list[Claim], Sequence[Claim]]:
    """The claims of one's own, and those that a run is asked about."""
    from verify.runs.selection import select
    from verify.runs.workers import COLLECT

    gc.set_threshold(*COLLECT)
    own = loaded(options.files)
    named = bool(options.ids or options.paper or options.keyword)
    chosen = own if own and not named else select(options.ids, options.paper, options.keyword)
    if not own and not named:  # papers of installed packages are asked for by name
        chosen = [claim for claim in chosen if not claim.source.file]
    if own and options.keyword and not options.ids and not options.paper:
        chosen = [claim for claim in chosen if claim.source.file]
    if options.failed:
        chosen = failed_before(chosen, Path(options.journal))
    return own, chosen


def found_again(past: Finished, options: Namespace) -> dict[str, Any] | None:
    """The record of a run that is finished; who asks is told that nothing was looked at again."""
    record = past.record(options.typed)
    if record is not None:
        usable_workers(options)
        if not options.quiet:
            print(UNCHANGED, file=sys.stderr)
    return record


def _of_these(
    compared: Mapping[str, Any], about: Sequence[tuple[str, str]], file: str
) -> dict[str, Any]:
    """What a baseline says of the papers of these claims, (paper, id) each. Raises BaselineError
    where it knows none of them."""
    from verify.runs import baseline

    words = {word for paper, name in about for word in (paper, name.split(".")[0])}
    found = baseline.of_papers(compared, words)
    if not found["claims"]:
        raise baseline.BaselineError(
            f"{file} knows none of these claims: name their baseline, or write it with "
            "`lemmata baseline`"
        )
    others = {name.split(".")[0] for name in compared["claims"].keys() - found["claims"].keys()}
    if others:
        print(f"not looked at, of the baseline: {', '.join(sorted(others))}", file=sys.stderr)
    return found


def write_baseline(options: Namespace) -> int:
    """Check every claim, or those that changed, and write the baseline file."""
    from verify.runs import baseline
    from verify.runs.selection import select

    path = Path(options.file)
    check_update(path, options)
    claims = loaded(options.files) or [claim for claim in select() if not claim.source.file]
    before = _before(path)
    same = before is not None and before["budget"] == options.budget
    chosen, kept = claims, baseline.NOTHING
    if options.changed:
        if before is None or not same:
            raise UsageError(f"--changed: {path} is no baseline of budget {options.budget}")
        chosen, kept = baseline.outdated(claims, before), baseline.still_there(before, claims)
        if not chosen and len(kept["claims"]) == len(before["claims"]):
            print(f"no claim is another than {path} knows: nothing was looked at")
            return FINE
    record = perform(chosen, options, before if same else None)  # another knows other things
    if baseline.left_undone(record):
        raise KeyboardInterrupt
    updates = []
    if options.update:
        if before is not None:
            after = baseline.lock(record, kept)
            record["changes"] = baseline.between(before, after, same=same, whole=True)
        updates = [*(before or {}).get("updates", ()), update_row(record, options.reason)]
    baseline.write(record, path, updates, kept)
    if not options.files:
        baseline.write_hashes(path.with_name(baseline.HASHES))
    if options.exhibits:
        keep_exhibits(record, {claim.id for claim in claims})
    headlines, verdicts = len(record["statements"]), len(record["claims"])
    print(f"{headlines} headlines and {verdicts} verdicts written to {options.file}")
    tell_update(record)
    broken = [claim["id"] for claim in record["claims"] if claim["verdict"] == "error"]
    if broken:
        print(f"checks broke: {', '.join(broken)}", file=sys.stderr)
    return DIFFERS if broken else FINE


def keep_exhibits(record: Mapping[str, Any], known: Collection[str]) -> None:
    """Keep the counterexamples and witnesses of a run beside the papers; and those that are there,
    of known claims that it did not look at."""
    from verify.runs.written import written_whole
    from verify.search.exhibits import exhibits_of, path_of

    for paper in record["papers"]:
        written_whole(path_of(paper["id"]), exhibits_of(record["claims"], paper["id"], known))


def _before(path: Path) -> dict[str, Any] | None:
    """The baseline that is to be replaced, if it can be read."""
    from verify.runs import baseline

    try:
        return baseline.read(path)
    except baseline.BaselineError:
        return None


def perform(
    chosen: Sequence[Claim],
    options: Namespace,
    known: Mapping[str, Any] | None,
    stop: Stop | None = None,
    past: Finished | None = None,
) -> dict[str, Any]:
    """The record of a run of the chosen claims. known: the baseline, for what is not looked at.
    stop: see Settings. past: where the record is kept."""
    from verify.runs.engine import Settings
    from verify.runs.engine import run as run_claims
    from verify.runs.interrupts import noted_interrupts

    workers = usable_workers(options)
    shown = options.progress or (sys.stderr.isatty() and not options.quiet)
    tell_progress = Progress(workers) if shown else None
    record: dict[str, Any] | None = None
    rests_on: Collection[str] = ()
    putting_together = False

    def ends_it(interrupts: int) -> bool:
        """What is known is put together all the same, unless there is a second interrupt."""
        return not putting_together or interrupts > 1

    def gathered(keys: Collection[str]) -> None:
        nonlocal putting_together, rests_on
        putting_together, rests_on = True, keys
        if tell_progress is not None:
            tell_progress.gathered()

    with (
        suppress_interrupt(lambda: record is not None),
        noted_interrupts(at_once=ends_it) as check_interrupts,
    ):

        def progress(
            done: int, total: int, task: Task, ahead: Callable[[], Sequence[Task]]
        ) -> None:
            check_interrupts()
            if tell_progress is not None:
                tell_progress(done, total, task, ahead)

        settings = Settings(
            budget=options.budget,
            seed=options.seed,
            device=options.device,
            workers=workers,
            executor=options.executor,
            journal=Path(options.journal),
            fresh=options.fresh,
            command=options.typed,
            known=known,
            graded=options.graded,
            progress=progress,
            gathered=gathered,
            stop=stop,
            partial=True,
        )
        record = run_claims(chosen, settings)
        if past is not None:
            past.keep(record, rests_on)
    assert record is not None
    return record


def usable_workers(options: Namespace) -> int:
    """How many processes there are. Raises UsageError, or another error that is the user's, where
    they, the device, the budget or a cluster cannot be had."""
    from verify.core.budgets import budget_named

    budget_named(options.budget)
    check_device(options.device)
    if options.executor:
        from verify.runs.cluster import address

        address(options.executor)
    cores = os.cpu_count() or 1
    workers: int = cores if options.workers is None else options.workers
    if not 1 <= workers <= CROWD * cores:
        raise UsageError(
            f"--workers {workers}: give at least 1, and at most {CROWD * cores} on {cores} cores"
        )
    return workers


@contextmanager
def suppress_interrupt(known: Callable[[], bool]) -> Iterator[None]:
    """Let an interrupt pass that is told once more when what it left has been gathered."""
    try:
        yield
    except KeyboardInterrupt:
        if not known():
            raise


def check_device(device: str) -> None:
    """Raises UsageError for a device that is not there."""
    if device == "cpu":
        return
    if re.fullmatch(r"cuda(:\d+)?", device):
        import torch

        if int(device.partition(":")[2] or 0) < torch.cuda.device_count():
            return
    raise UsageError(f"--device {device}: not available here, use cpu")


def tell(
    record: dict[str, Any], outputs: Outputs, own: Sequence[Claim] = (), made: Made = afresh
) -> None:
    """Write the reports, then print what was found: a reader that goes away takes no report with
    it. Where one cannot be written, what was found is printed all the same. own: claims of one's
    own. made: see write_outputs."""
    from reports import text

    failed: list[OSError] = []
    try:
        failed = write_outputs(record, outputs, made)
    finally:
        shown = text.render(record, width=columns(), colour=coloured(sys.stdout))
        print(shown, end="", file=steered(sys.stdout), flush=True)
    if "github" in outputs:
        annotate(record, own)
    tell_outputs(outputs, failed)


def report(options: Namespace) -> int:
    """Write reports from a record; print what it says."""
    from reports import json_report
    from reports.narrowed import of_paper

    outputs = writable_outputs(options.output)
    record = json_report.load(options.record)
    tell(record if options.paper is None else of_paper(record, options.paper), outputs)
    return FINE


def repro(options: Namespace) -> int:
    """Have the independent checker replay a certificate; its exit code is the answer."""
    from verify.checker import ACCEPTED
    from verify.checker.statements import check_content
    from verify.papers.registry import hash_of

    path = Path(options.certificate)
    if not path.is_file():
        raise UsageError(
            f"no certificate {path}: `lemmata run --output json=FILE` writes them in a folder "
            "beside FILE"
        )
    content = path.read_bytes()
    outcome = check_content(content, hash_of(_spoken_of(content)))
    print(outcome.message)
    if options.rocq is not None and outcome.code == ACCEPTED:
        write_rocq(content, Path(options.rocq))
    return int(outcome.code)


def _spoken_of(content: bytes) -> str:
    """The id of the statement of a certificate, of whose paper alone something is to be known; ""
    where none is read."""
    import json

    try:
        return str(json.loads(content)["statement"]["id"])
    except (ValueError, LookupError, TypeError, RecursionError):  # the checker says what is wrong
        return ""


def selftest(options: Namespace) -> int:
    """Run the controls, and have the checker reject what it must."""
    from verify.runs.engine import Settings
    from verify.runs.engine import run as run_claims

    record = run_claims([], Settings(budget="smoke", seed=options.seed, command="lemmata selftest"))
    for control in record["controls"]:
        state = "ok" if control["ok"] else "FAILED"
        print(
            f"{state:7} {control['id']:24} expected {control['expected']}, "
            f"observed {control['observed']}"
        )
    for name, version in record["run"]["versions"].items():
        print(f"        {name} {version}")
    return DIFFERS if record["run"]["void"] else FINE


COMMANDS = {
    "run": run,
    "list": list_statements,
    "show": show,
    "check": check,
    "derive": derive,
    "laws": laws,
    "curvature": curvature,
    "draw": draw,
    "repro": repro,
    "rocq": rocq,
    "new": new,
    "report": report,
    "diff": diff,
    "baseline": write_baseline,
    "journal": journal,
    "completion": completion,
    "selftest": selftest,
}
