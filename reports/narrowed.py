"""A run's record of one paper alone."""

from __future__ import annotations

from reports.json_report import RecordError
from reports.verdicts import Record


def of_paper(record: Record, paper: str) -> Record:
    """What a record says of a paper, as the record of a run of it would. Raises RecordError where
    the run was not about it."""
    there = [row["id"] for row in record["papers"]]
    if paper not in there:
        raise RecordError(f"--paper {paper}: the run is about {', '.join(there) or 'no paper'}")
    names = {row["id"] for part in ("claims", "statements") for row in _of(record[part], paper)}
    begin = {name.split(".")[0] for name in names}
    changes, conflicts = record["changes"], record.get("conflicts")
    statements = [
        {**row, **{link: [name for name in row[link] if name in names] for link in LINKS}}
        for row in _of(record["statements"], paper)
    ]
    return {
        **{part: found for part, found in record.items() if part != "history"},
        "papers": [row for row in record["papers"] if row["id"] == paper],
        "statements": statements,
        "findings": _of(record["findings"], paper),
        "conflicts": None if conflicts is None else _of(conflicts, paper),
        "changes": changes and {part: _about(rows, begin) for part, rows in changes.items()},
        "versions": _of(record.get("versions", []), paper),
        "laws": None,
        "claims": _of(record["claims"], paper),
    }


LINKS = ("uses", "used_by")


def _of(rows: list[Record], paper: str) -> list[Record]:
    return [row for row in rows if row["paper"] == paper]


def _about(rows: list[Record], begin: set[str]) -> list[Record]:
    """The changes of ids with one of these first words; what is gone has no other."""
    return [row for row in rows if row["id"].split(".")[0] in begin]
