"""What a run found as Markdown: what is wrong or changed, then the headlines of main results."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path

from reports.plain import plain
from reports.troubles import BREAKS, Trouble, asides, troubles
from reports.verdicts import (
    HEADLINES,
    Record,
    by_version,
    counted,
    detail,
    paper_sentence,
    worst_first,
)
from verify.runs.written import written_whole

SPECIAL = re.compile(r"([\\`*_\[\]<>|~$#])")
ROOM = 80  # bytes for the line that says that something has no room


def render(record: Record, *, limit: int | None = None) -> str:
    """The Markdown text of a run's record. limit: the most bytes that it may take as UTF-8; what
    has no room is counted in the last line."""
    lines = [*_standing(record), *_table_of_changes(record)]
    for paper in record["papers"]:
        rows = [row for row in record["statements"] if row["paper"] == paper["id"]]
        if rows:
            lines += _paper(paper, rows)
    lines += _facts(record)
    return _within(lines, limit)


def write(record: Record, path: str | os.PathLike[str]) -> None:
    """Writes the file, at once or not at all. Raises OSError."""
    written_whole(Path(path), render(record))


def escaped(text: str) -> str:
    r"""A text with formulas on one line of Markdown, where nothing in it is a mark.

    >>> print(escaped("$a_1<b$ | *c*"))
    a\_1\<b \| \*c\*
    """
    return SPECIAL.sub(r"\\\1", plain(text))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table, its cells escaped already."""
    lines = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(cells) + " |" for cells in lines]


def _standing(record: Record) -> list[str]:
    """How the run stands, in one line, and what broke."""
    found = troubles(record)
    changes = record["changes"]
    if found:
        number = len({trouble.statement for trouble in found})
        told = f"**{number} {'place asks' if number == 1 else 'places ask'} for attention.**"
    elif changes is None:
        told = "There was no baseline to compare with."
    else:
        told = "All is as the baseline says."
    lines = ["## Lemmata", "", told, ""]
    broken = [trouble for trouble in found if trouble.what in BREAKS]
    if broken:
        lines += [f"- {trouble.what.value}: {escaped(trouble.line)}" for trouble in broken] + [""]
    return lines


def _table_of_changes(record: Record) -> list[str]:
    """What differs from the baseline, headlines first."""
    count = [trouble for trouble in troubles(record) if trouble.what not in BREAKS]
    lines = _table("Against the baseline", count)
    return lines + _table("Told, and no reason to fail at another budget", asides(record))


def _table(title: str, found: Sequence[Trouble]) -> list[str]:
    if not found:
        return []
    rows = [(trouble.what.value, f"`{trouble.about}`", escaped(trouble.text)) for trouble in found]
    return [f"### {title}", "", *table(("what", "id", ""), rows), ""]


def _paper(paper: Record, rows: Sequence[Record]) -> list[str]:
    """One sentence, a table of the main results (of all where none is main), counts of the rest."""
    main = [row for row in rows if row["rank"] == "main"]
    shown = [row for own in by_version(main or rows) for row in worst_first(own)]
    lines = [f"### {escaped(paper['title'])}", "", escaped(paper_sentence(rows)), ""]
    lines += table(("", "statement", "headline", "id"), map(_result, shown))
    rest = [row for row in rows if row["rank"] != "main"] if main else []
    return [*lines, "", *([f"Other statements: {counted(rest)}.", ""] if rest else [])]


def _result(row: Record) -> tuple[str, ...]:
    word = row["headline"]["word"]
    told = [word, *filter(None, [escaped(detail(row["headline"]))])]
    place = f"{escaped(row['place'])}: {escaped(row['title'])}"
    return HEADLINES[word].sign, place, "; ".join(told), f"`{row['id']}`"


def _facts(record: Record) -> list[str]:
    run = record["run"]
    versions = ", ".join(f"{name} {version}" for name, version in run["versions"].items())
    return [f"Budget {escaped(run['budget'])}, seed {run['seed']}; {escaped(versions)}."]


def _within(lines: Sequence[str], limit: int | None) -> str:
    """The lines as one text of so many bytes at most."""
    sizes = [len(line.encode()) + 1 for line in lines]
    if limit is None or sum(sizes) <= limit:
        return "\n".join(lines) + "\n"
    ends = [end for end in accumulate(sizes) if end <= limit - ROOM]
    told = ["", f"{len(lines) - len(ends):,} more lines have no room here."]
    return "\n".join([*lines[: len(ends)], *told]) + "\n" if limit >= ROOM else ""
