"""Two runs, or two baselines, beside each other: headlines first, then claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reports.markdown import escaped, table
from reports.plain import cut, plain
from reports.verdicts import HEADLINES, ORDER, RANK

Changes = Mapping[str, Sequence[Mapping[str, Any]]]
ASIDE = {"scope": "Looked at in another scope", "code": "The statement's code differs"}


def text(changes: Changes, names: tuple[str, str], width: int) -> str:
    """For a terminal of this width. changes: of statements and of claims, as in a run's record,
    from the first of the two to the second. names: of the files."""
    headlines, verdicts = _headlines(changes), _verdicts(changes)
    lines = [f"from {names[0]}", f"  to {names[1]}", ""]
    lines.append(f"Headlines: {_many(len(headlines))}.")
    longest = max((len(row["id"]) for row in headlines + verdicts), default=0)
    for row in headlines:
        sign = HEADLINES[row["after"]].sign if row["after"] else " "
        lines.append(f"  {sign} {row['id']:{longest}}  {_arrow(row)}")
    lines.append(f"Verdicts: {_many(len(verdicts))}.")
    lines += [f"    {row['id']:{longest}}  {_arrow(row)}" for row in verdicts]
    for told, ids in _asides(changes).items():
        lines.append(f"{told}: {', '.join(ids)}")
    return "\n".join(cut(line, width) for line in lines) + "\n"


def markdown(changes: Changes, names: tuple[str, str]) -> str:
    """The same in Markdown."""
    lines = ["## Lemmata", "", f"From `{names[0]}` to `{names[1]}`.", ""]
    for title, rows in (("Headlines", _headlines(changes)), ("Verdicts", _verdicts(changes))):
        lines += [f"### {title}: {_many(len(rows))}", ""]
        if rows:
            cells = [(f"`{row['id']}`", escaped(_arrow(row))) for row in rows]
            lines += [*table(("id", "from → to"), cells), ""]
    for told, ids in _asides(changes).items():
        lines += [f"{told}: {', '.join(f'`{name}`' for name in ids)}.", ""]
    return "\n".join(lines)


def _headlines(changes: Changes) -> list[Mapping[str, Any]]:
    """The worst that is new first, what is gone last."""
    return sorted(changes["statements"], key=lambda row: RANK.get(row["after"], len(RANK)))


def _verdicts(changes: Changes) -> list[Mapping[str, Any]]:
    rows = [row for row in changes["claims"] if row["what"] not in ASIDE]
    return sorted(rows, key=lambda row: ORDER.get(row["after"], len(ORDER)))


def _asides(changes: Changes) -> dict[str, list[str]]:
    found = {
        told: [row["id"] for row in changes["claims"] if row["what"] == what]
        for what, told in ASIDE.items()
    }
    return {told: ids for told, ids in found.items() if ids}


def _arrow(row: Mapping[str, Any]) -> str:
    return plain(f"{row['before'] or 'not there'} → {row['after'] or 'not there'}")


def _many(number: int) -> str:
    return f"{number or 'none'} differ{'s' if number == 1 else ''}"
