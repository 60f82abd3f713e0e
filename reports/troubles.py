"""Why a run is not as it should be: it is void, a check broke, or it differs from its baseline.

The exit code, JUnit, Markdown, the annotations of GitHub and the history of runs all ask here, so
that they agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from reports.plain import plain
from reports.verdicts import Record

CODE_CHANGED = "the statement's code changed since the baseline: write it again"


class What(StrEnum):
    """What is wrong. The first four leave nothing known; the others differ from the baseline."""

    EMPTY = "nothing was looked at"
    VOID = "the run is void"
    STOPPED = "the run was stopped"
    BROKE = "a check broke"
    HEADLINE = "headline"
    VERDICT = "verdict"
    SCOPE = "scope"
    CODE = "code"
    NEW = "new"
    GONE = "gone"


BREAKS = (What.EMPTY, What.VOID, What.STOPPED, What.BROKE)


@dataclass(frozen=True)
class Trouble:
    """One reason. about: the id of a printed statement, a claim or a control, empty of a run.
    statement: the printed statement that it is told with, likewise. text: on one line."""

    what: What
    about: str
    statement: str
    text: str

    @property
    def line(self) -> str:
        """The reason with what it is about."""
        return f"{self.about}: {self.text}" if self.about else self.text


def troubles(record: Record) -> list[Trouble]:
    """All of them, what breaks a run first, then headlines; none where all is as it should be."""
    found = [Trouble(What.VOID, "", "", plain(text)) for text in record["run"]["void_reasons"]]
    if left := record["run"].get("left", 0):
        found.append(Trouble(What.STOPPED, "", "", f"stopped with {left} tasks left"))
    if not record["statements"]:
        found.append(Trouble(What.EMPTY, "", "", What.EMPTY.value))
    found += [
        Trouble(What.BROKE, claim["id"], claim["statement_id"], plain(claim["reason"]))
        for claim in record["claims"]
        if claim["verdict"] == "error"
    ]
    return found + _changed(record, counts=True)


def asides(record: Record) -> list[Trouble]:
    """What is told of a baseline at another budget and is no reason to fail."""
    return _changed(record, counts=False)


def of_statements(found: Iterable[Trouble]) -> dict[str, list[Trouble]]:
    """The troubles by the printed statement that each is told with."""
    groups: dict[str, list[Trouble]] = {}
    for trouble in found:
        groups.setdefault(trouble.statement, []).append(trouble)
    return groups


def arrow(before: str | None, after: str | None) -> str:
    """What the baseline says and what the run found, `proved → refuted`."""
    return f"{before or 'not in the baseline'} → {after or 'gone'}"


def _changed(record: Record, *, counts: bool) -> list[Trouble]:
    changes = record["changes"] or {"statements": (), "claims": ()}
    owners = {claim["id"]: claim["statement_id"] for claim in record["claims"]}
    order = list(What)
    headlines = ({**row, "what": "headline"} for row in changes["statements"])
    rows = [*headlines, *changes["claims"]]
    chosen = [row for row in rows if row.get("counts", True) is counts]
    told = [
        Trouble(What(row["what"]), row["id"], owners.get(row["id"], row["id"]), _text(row))
        for row in chosen
    ]
    return sorted(told, key=lambda trouble: order.index(trouble.what))


def _text(row: Record) -> str:
    match What(row["what"]):
        case What.CODE:
            return CODE_CHANGED
        case What.SCOPE:
            return f"another scope: {plain(row['after'])}"
        case _:
            return arrow(row["before"], row["after"])
