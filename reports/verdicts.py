"""Verdicts as they are shown: their order, their signs, their meaning; what needs attention."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Record = dict[str, Any]


@dataclass(frozen=True)
class Look:
    """How a verdict is shown. sign: one character that tells it apart without colour."""

    sign: str
    meaning: str


# In the order in which they ask for attention.
LOOKS = {
    "error": Look("!", "the check itself broke, so nothing is known"),
    "refuted": Look("×", "an exact counterexample exists, replayed by the checker"),
    "vacuous": Look("∅", "nothing that was found or can exist meets the hypotheses"),
    "inconclusive": Look("?", "the budget ran out, or a violation could not be made exact"),
    "unchecked": Look("–", "no method was run"),
    "supported": Look("○", "no violation in the instances that the scope lists"),
    "proved on scope": Look("◧", "an exact argument for the cases that the scope lists"),
    "proved": Look("■", "an exact argument for the whole claim"),
    "definition": Look("≔", "not judged; other claims use it"),
}
ORDER = {verdict: place for place, verdict in enumerate(LOOKS)}


@dataclass(frozen=True)
class Item:
    """One line of a summary. claim_id: the claim it is about, None for a control."""

    claim_id: str | None
    label: str
    text: str


@dataclass(frozen=True)
class Group:
    """Items that need attention for one reason. verdict: its look, or one that is as bad."""

    title: str
    verdict: str
    items: tuple[Item, ...]


def attention(record: Record) -> list[Group]:
    """What needs attention, the worst first; groups without items are left out."""
    claims = record["claims"]
    by_verdict = {v: [c for c in claims if c["verdict"] == v] for v in LOOKS}
    printed = [c for c in by_verdict["refuted"] if c["repairs"] is None]
    repairs = [c for c in by_verdict["refuted"] if c["repairs"] is not None]
    groups = [
        Group("Errors", "error", _claims(by_verdict["error"])),
        Group("Changes against the baseline", "error", _changes(record)),
        Group("Void controls", "error", _controls(record)),
        Group("Refuted as printed", "refuted", _claims(printed)),
        Group("Repairs that are refuted too", "refuted", _claims(repairs)),
        Group("Vacuous", "vacuous", _claims(by_verdict["vacuous"])),
        Group("Inconclusive", "inconclusive", _claims(by_verdict["inconclusive"])),
    ]
    return [group for group in groups if group.items]


def counts(record: Record) -> dict[str, int]:
    """Number of claims by verdict, in the order of attention, without zeros."""
    found = dict.fromkeys(LOOKS, 0)
    for claim in record["claims"]:
        found[claim["verdict"]] += 1
    return {verdict: number for verdict, number in found.items() if number}


def closing_line(record: Record) -> str:
    """The run in one sentence, as in `19 claims: 1 error, 7 refuted, 4 proved`."""
    total = len(record["claims"])
    parts = [_counted(number, verdict) for verdict, number in counts(record).items()]
    line = f"{total} {'claim' if total == 1 else 'claims'}"
    line += f": {', '.join(parts)}" if parts else ""
    changes = record["changes"]
    if changes is not None:
        line += f"; {len(changes) or 'none'} changed against the baseline"
    return line + (". THE RUN IS VOID." if record["run"]["void"] else ".")


def _counted(number: int, verdict: str) -> str:
    several = number > 1 and verdict in ("definition", "error")
    return f"{number} {verdict}{'s' if several else ''}"


def _claims(claims: list[Record]) -> tuple[Item, ...]:
    return tuple(Item(c["id"], f"{c['reference']}, {c['title']}", _why(c)) for c in claims)


def _why(claim: Record) -> str:
    """The reason for a verdict, after the reading that it is about where there are several."""
    if claim["reading_text"] is None:
        return str(claim["reason"])
    return f"Read as: {claim['reading_text']}. {claim['reason'][:1].upper()}{claim['reason'][1:]}"


def _changes(record: Record) -> tuple[Item, ...]:
    items = []
    for change in record["changes"] or ():
        before, after = change["before"] or "not there", change["after"] or "gone"
        items.append(Item(change["id"], "", f"{before} → {after}"))
    return tuple(items)


def _controls(record: Record) -> tuple[Item, ...]:
    return tuple(
        Item(None, c["id"], f"{c['title']}: expected {c['expected']}, observed {c['observed']}")
        for c in record["controls"]
        if not c["ok"]
    )
