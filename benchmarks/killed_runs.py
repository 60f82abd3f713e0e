"""Whether a run that is ended at any moment loses nothing and leaves nothing behind.

A run of one claim with two workers is started again and again on one store, and ended by a signal
at a random moment: most often SIGKILL, else one of those that a terminal, a scheduler or a user
sends. After each it is looked whether
- a process of it is left,
- the store has a record that cannot be read, lost one, or changed one,
- the page of the report is torn.
A run that comes to its end before its moment must give the record and the page of the uninterrupted
run, and so must the same run asked for again; after that, one bit of the store is altered, or a
file of it cut or deleted, and the run has to refuse it or to find the same all the same. Then the
store is emptied.

With `--forks` so many runs besides are ended that are forked from a process which has run the claim
once, with one worker and without controls: such a kill costs a quarter of a CPU second in place of
several. With `--writes` a process that does nothing but write records is killed so many times, and
a tenth as often one that writes records of finished runs.

Run: python -m benchmarks.killed_runs [--kills 20] [--forks 100] [--writes 100] [--claim ID]
[--seed N]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from verify.core.evidence import Evidence, Outcome
from verify.runs.finished import Finished
from verify.runs.journal import FINISHED, Journal, JournalError

SIGNALS = ("SIGKILL",) * 4 + ("SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT")
PATIENCE = 60.0  # seconds for the processes of a run to be gone
GLANCE = 0.05
REFUSED = 4  # the exit code where the journal has a record that is not believed
RECORD, PAGE, END = "run.json", "report.html", "</html>\n"
LARGE = 4_000_000  # characters of a finished run


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--forks", type=int, default=100)
    parser.add_argument("--writes", type=int, default=100)
    parser.add_argument("--claim", default="lj22.pullback")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    draw = random.Random(options.seed)
    for name in ("SIGHUP", "SIGQUIT"):  # ignored by what a shell starts in the background
        signal.signal(signal.Signals[name], signal.SIG_DFL)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder  # a secret of its own
        place = Path(folder)
        faults = killed_writes(place / "writes", options.writes, draw)
        faults += killed_keeps(place / "keeps", options.writes // 10, draw)
        if options.kills:
            faults += killed_runs(place / "kills", options.kills, draw, starts(options.claim))
        if options.forks:
            faults += killed_runs(place / "forks", options.forks, draw, forks(options.claim))
    for fault, count in faults.items():
        print(f"FAULT {fault}: {count}")
    runs = options.kills + options.forks
    print(f"{options.writes} writes and {runs} runs killed: {faults.total()} faults")
    return 1 if faults else 0


def killed_writes(folder: Path, kills: int, draw: random.Random) -> Counter[str]:
    """Processes that write records, killed within their first records."""
    journal, kept = Journal(folder), dict[str, bytes]()
    for number in range(kills):
        child = os.fork()
        if child == 0:
            _write_on(journal, number)
        time.sleep(draw.uniform(0.0, 0.02))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    faults = looked_at(journal, kept)  # what is torn stays so
    print(f"{kills} processes killed while they wrote {len(kept)} records")
    return faults


def _write_on(journal: Journal, number: int) -> None:
    """Write records until the process is killed."""
    for count in range(10**9):
        key = f"{count % 256:02x}{number:030x}{count:032x}"
        piece = Evidence("search", Outcome.SUPPORTS, "x" * (count % 7000), instances=count)
        journal.put(key, piece)


def killed_keeps(folder: Path, kills: int, draw: random.Random) -> Counter[str]:
    """Processes that write the records of finished runs, killed within their first ones."""
    journal, faults = Journal(folder), Counter[str]()
    keys = [f"{number:064x}" for number in range(3)]
    for key in keys:
        journal.put(key, None)
    past = Finished.of(journal, {}, (), None)
    assert past is not None
    for number in range(kills):
        child = os.fork()
        if child == 0:
            for count in range(10**9):
                run = {"id": "", "started": "", "number": number}
                past.keep({"run": run, "count": count, "text": f"{count}" * LARGE}, keys)
        time.sleep(draw.uniform(0.0, 1.0))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        found = past.record("")
        if found is None:
            faults["a finished run is torn"] += any(journal.folder.glob(f"{FINISHED}/*.json"))
        elif found["text"] != f"{found['count']}" * LARGE:
            faults["a finished run was served that is none"] += 1
    print(f"{kills} processes killed while they wrote finished runs")
    return +faults


# runs ---------------------------------------------------------------------------------------------
Start = Callable[[Path], "subprocess.Popen[bytes] | Fork"]
"""From a store to a run on it."""


def killed_runs(folder: Path, kills: int, draw: random.Random, started: Start) -> Counter[str]:
    """Runs that are ended at random moments, on one store."""
    _finished(folder / "first", started)  # what is compiled once is compiled
    start = time.monotonic()
    whole = _finished(folder / "whole", started)
    length = time.monotonic() - start
    print(f"uninterrupted: {length:.1f} s, {len(Journal(folder / 'whole').records())} records")
    faults: Counter[str] = Counter()
    journal, kept = Journal(folder / "store"), dict[str, bytes]()
    ended: Counter[str] = Counter()
    completed = 0
    while ended.total() < kills:
        run = started(folder / "store")
        name = draw.choice(SIGNALS)
        try:
            run.wait(draw.uniform(0.0, length))
        except subprocess.TimeoutExpired:
            run.send_signal(signal.Signals[name])
            ended[name] += 1
            count, so_far = len(journal.records()), faults.total()
            print(f"{ended.total()}: {name}, {count} records, {so_far} faults", flush=True)
            if left := _left(run):
                faults[f"{left} processes are left after {name}"] += 1
                os.killpg(run.pid, signal.SIGKILL)
                run.wait()
        faults += looked_at(journal, kept)
        page = folder / "store" / PAGE
        if page.exists() and not page.read_text(encoding="utf-8").endswith(END):
            faults["a page is torn"] += 1
        if run.returncode == 0:
            completed += 1
            if _settled(folder / "store") != whole:
                faults["a resumed run found something else"] += 1
            if _finished(folder / "store", started) != whole:
                faults["a run that was served found something else"] += 1
            what = altered(folder / "store", draw)
            code = started(folder / "store").wait()
            if code != REFUSED and _settled(folder / "store") != whole:
                faults[f"it was not seen that {what}"] += 1
            shutil.rmtree(folder / "store")
            kept.clear()
    told = ", ".join(f"{count} by {name}" for name, count in sorted(ended.items()))
    print(f"ended: {told or 'none'}; {completed} came to their end")
    return faults


def altered(store: Path, draw: random.Random) -> str:
    """Alter a file of a store; returns what was done."""
    path = draw.choice(Journal(store).records())
    whole, how = path.read_bytes(), draw.choice(("one bit is another", "it is cut", "it is gone"))
    place = draw.randrange(len(whole))
    if how == "it is gone":
        path.unlink()
    elif how == "it is cut":
        path.write_bytes(whole[:place])
    else:
        bit = bytes([whole[place] ^ 1 << draw.randrange(8)])
        path.write_bytes(whole[:place] + bit + whole[place + 1 :])
    return f"{how}, in a file of {path.parent.name}"


def starts(claim: str) -> Start:
    """Runs with two workers, each from nothing."""

    def started(store: Path) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "lemmata", *_words(claim, store, 2)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # a group of its own, by which its processes are told
        )

    return started


def forks(claim: str) -> Start:
    """Runs in one process each, forked from this one when it has run the claim."""
    from lemmata.main import main as lemmata
    from verify.runs import engine

    engine.CONTROLS = {}  # type: ignore[assignment]  # they take most of the time of a short run

    def started(store: Path) -> Fork:
        words = _words(claim, store, 1)
        return Fork(lambda: lemmata(words))

    with tempfile.TemporaryDirectory() as folder:
        lemmata(_words(claim, Path(folder), 1))
    return started


class Fork:
    """A copy of this process that does one thing, with what is asked of a Popen."""

    def __init__(self, work: Callable[[], int]) -> None:
        self.returncode: int | None = None
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            code = 1
            try:
                code = work()
            finally:
                os._exit(code)

    def poll(self) -> int | None:
        """The exit code, once there is one."""
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode

    def wait(self, timeout: float = PATIENCE) -> int:
        """The exit code. Raises TimeoutExpired."""
        end = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() >= end:
                raise subprocess.TimeoutExpired("a fork", timeout)
            time.sleep(min(0.002, timeout))
        return code

    def send_signal(self, number: int) -> None:
        """Send it."""
        os.kill(self.pid, number)


def _words(claim: str, store: Path, workers: int) -> list[str]:
    store.mkdir(parents=True, exist_ok=True)
    words = ["run", claim, "--budget", "smoke", "--workers", str(workers), "--quiet"]
    written = f"json={store / RECORD},html={store / PAGE}"
    return [*words, "--journal", str(store), "--output", written]


def _finished(store: Path, started: Start) -> Any:
    """What the run finds when nobody disturbs it."""
    code = started(store).wait()
    if code != 0:
        raise SystemExit(f"the run ends with {code} where nobody disturbs it")
    return _settled(store)


def _settled(store: Path) -> Any:
    """The record and the page without what differs between two runs of the same."""
    data = json.loads((store / RECORD).read_text(encoding="utf-8"))
    page = (store / PAGE).read_text(encoding="utf-8").partition(data["run"]["id"])[0]
    for name in ("id", "started", "seconds", "command"):
        del data["run"][name]
    for claim in data["claims"]:
        claim.pop("command", None)
        for piece in claim["evidence"]:
            del piece["seconds"]
    return data, page


def _left(run: subprocess.Popen[bytes] | Fork) -> int:
    """How many processes of a run are there when they have had time to go."""
    end = time.monotonic() + PATIENCE
    while (run.poll() is None or _living(run.pid)) and time.monotonic() < end:
        time.sleep(GLANCE)
    return _living(run.pid)


def _living(group: int) -> int:
    listed = subprocess.run(
        ["ps", "-A", "-o", "pgid=,stat="], capture_output=True, text=True, check=True
    ).stdout
    rows = (line.split() for line in listed.splitlines())
    return sum(int(row[0]) == group and not row[1].startswith("Z") for row in rows)


def looked_at(journal: Journal, kept: dict[str, bytes]) -> Counter[str]:
    """What is wrong with a store. kept: its records when it was last looked at; as they are now."""
    faults: Counter[str] = Counter()
    there = {
        path.stem: path
        for path in journal.records()
        if path.suffix == ".json" and path.parent.name != FINISHED
    }
    faults["a record was lost"] += len(kept.keys() - there.keys())
    for key, path in there.items():
        content = path.read_bytes()
        if key not in kept:
            try:
                journal.get(key)
            except JournalError:
                faults["a record is torn"] += 1
        elif kept[key] != content:
            faults["a record was changed"] += 1
        kept[key] = content
    return +faults


if __name__ == "__main__":
    sys.exit(main())
