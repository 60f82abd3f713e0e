"""Whether a run that is ended at any moment loses nothing and leaves nothing behind.

A run of one claim with two workers is started again and again on one store, and ended by a signal
at a random moment: most often SIGKILL, else one of those that a terminal, a scheduler or a user
sends. After each it is looked whether
- a process of it is left,
- the store has a record that cannot be read, lost one, or changed one.
A run that comes to its end before its moment must give the record of the uninterrupted run; then
the store is emptied. With `--writes` a process that does nothing but write records is killed so
many times, too.

Run: python -m benchmarks.killed_runs [--kills 20] [--writes 100] [--claim ID] [--seed N]
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
from pathlib import Path
from typing import Any

from verify.core.evidence import Evidence, Outcome
from verify.runs.journal import Journal, JournalError

SIGNALS = ("SIGKILL",) * 4 + ("SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT")
PATIENCE = 60.0  # seconds for the processes of a run to be gone
GLANCE = 0.05


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--writes", type=int, default=100)
    parser.add_argument("--claim", default="lj22.pullback")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    draw = random.Random(options.seed)
    for name in ("SIGHUP", "SIGQUIT"):  # ignored by what a shell starts in the background
        signal.signal(signal.Signals[name], signal.SIG_DFL)
    with tempfile.TemporaryDirectory() as folder:
        faults = killed_writes(Path(folder) / "writes", options.writes, draw)
        faults += killed_runs(Path(folder), options.claim, options.kills, draw)
    for fault, count in faults.items():
        print(f"FAULT {fault}: {count}")
    print(f"{options.writes} writes and {options.kills} runs killed: {faults.total()} faults")
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


def killed_runs(folder: Path, claim: str, kills: int, draw: random.Random) -> Counter[str]:
    """Runs that are ended at random moments, on one store."""
    start = time.monotonic()
    whole = _finished(folder / "whole", claim)
    length = time.monotonic() - start
    print(f"uninterrupted: {length:.1f} s, {len(Journal(folder / 'whole').records())} records")
    faults: Counter[str] = Counter()
    journal, kept = Journal(folder / "store"), dict[str, bytes]()
    ended: Counter[str] = Counter()
    completed = 0
    while ended.total() < kills:
        run = _started(folder / "store", claim)
        name = draw.choice(SIGNALS)
        try:
            run.wait(draw.uniform(0.0, length))
        except subprocess.TimeoutExpired:
            run.send_signal(signal.Signals[name])
            ended[name] += 1
            print(f"{ended.total()}: {name}, {len(journal.records())} records", flush=True)
            if left := _left(run):
                faults[f"{left} processes are left after {name}"] += 1
                os.killpg(run.pid, signal.SIGKILL)
                run.wait()
        faults += looked_at(journal, kept)
        if run.returncode == 0:
            completed += 1
            if _settled(folder / "store" / "run.json") != whole:
                faults["a resumed run found something else"] += 1
            shutil.rmtree(folder / "store")
            kept.clear()
    told = ", ".join(f"{count} by {name}" for name, count in sorted(ended.items()))
    print(f"ended: {told or 'none'}; {completed} came to their end")
    return faults


def _started(store: Path, claim: str) -> subprocess.Popen[bytes]:
    store.mkdir(parents=True, exist_ok=True)
    words = ["run", claim, "--budget", "smoke", "--workers", "2", "--quiet"]
    words += ["--journal", str(store), "--output", f"json={store / 'run.json'}"]
    return subprocess.Popen(
        [sys.executable, "-m", "lemmata", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # a group of its own, by which its processes are told
    )


def _finished(store: Path, claim: str) -> Any:
    """What the run finds when nobody disturbs it."""
    code = _started(store, claim).wait()
    if code != 0:
        raise SystemExit(f"the run of {claim} ends with {code} where nobody disturbs it")
    return _settled(store / "run.json")


def _settled(record: Path) -> Any:
    """A record without what differs between two runs of the same."""
    data = json.loads(record.read_text(encoding="utf-8"))
    for name in ("id", "started", "seconds", "command"):
        del data["run"][name]
    for claim in data["claims"]:
        claim.pop("command", None)
        for piece in claim["evidence"]:
            del piece["seconds"]
    return data


def _left(run: subprocess.Popen[bytes]) -> int:
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
    there = {path.stem: path for path in journal.records() if path.suffix == ".json"}
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
