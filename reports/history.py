"""The history of runs: a file of JSON lines, one a run, to which lines are only added.

history.schema.json says what a line holds.
"""

from __future__ import annotations

import json
from collections import Counter
from importlib import resources
from pathlib import Path

from reports.troubles import troubles
from reports.verdicts import ORDER, Record, headline_counts

FORMAT = "lemmata-history"
MOST_RUNS = 100  # that a report tells of
LONGEST = 10_000_000  # characters of a line


class HistoryError(ValueError):
    """A file that is no history of runs."""


def entry(record: Record, version: str, commit: str | None) -> Record:
    """What is kept of a run. version: of Lemmata. commit: of the repository that it ran in."""
    run, changes = record["run"], record["changes"]
    verdicts = Counter(claim["verdict"] for claim in record["claims"])
    return {
        "format": FORMAT,
        "version": 1,
        "started": run["started"],
        "seconds": run["seconds"],
        "lemmata": version,
        "commit": commit,
        "command": run["command"],
        "budget": run["budget"],
        "seed": run["seed"],
        "as_expected": not troubles(record),
        "headlines": headline_counts(record["statements"]),
        "verdicts": {word: verdicts[word] for word in ORDER if verdicts[word]},
        "changed": None
        if changes is None
        else {"headlines": changes["statements"], "claims": len(changes["claims"])},
    }


def check(path: Path) -> None:
    """Raises HistoryError where a file is there and is no history: a line is not added to it."""
    if not path.exists() or not path.stat().st_size:
        return
    with path.open(encoding="utf-8", errors="replace") as file:
        first = file.readline(LONGEST)
    try:
        fine = json.loads(first)["format"] == FORMAT
    except (ValueError, TypeError, KeyError, RecursionError):
        fine = False
    if not fine:
        raise HistoryError(
            f"{path} is no history of runs: name another file, or one that is not there"
        )


def before(path: Path) -> list[Record]:
    """The lines of the last runs, the oldest first; what is no whole line is left out."""
    from jsonschema import Draft202012Validator

    schema = resources.files(__package__).joinpath("history.schema.json").read_text("utf-8")
    whole = Draft202012Validator(json.loads(schema)).is_valid
    text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    found = []
    for line in text.splitlines()[-MOST_RUNS:]:
        try:
            run = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if whole(run):
            found.append(run)
    return found


def add(path: Path, line: Record) -> None:
    """Add a line, behind one that was cut off as well. Raises OSError."""
    text = json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n"
    with path.open("a+b") as file:
        size = file.seek(0, 2)
        file.seek(max(size - 1, 0))
        whole = not size or file.read(1) == b"\n"
        file.write(("" if whole else "\n").encode() + text.encode())
