"""The registered statements on one network: at most forty lines of text, and one page."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from reports.figures import draw, drawable
from reports.page import page
from reports.pieces import escape, line, section
from reports.plain import plain
from reports.verdicts import Record

MOST_LINES = 40
OUTCOMES = {
    "holds": ("holds in every case that was looked at", "hold in every case that was looked at"),
    "violated": ("is violated", "are violated"),
    "not met": ("has a hypothesis that is not met", "have a hypothesis that is not met"),
    "nothing": (
        "speaks of nothing that the network has",
        "speak of nothing that the network has",
    ),
    "left out": ("is left out", "are left out"),
}
"""What is said of one statement, and of several."""
SHOWN = 6  # of hypotheses, laws, reasons in text


def by_outcome(record: Record) -> dict[str, list[Record]]:
    """The statements of a record by what was found, each kind in the order of OUTCOMES."""
    found: dict[str, list[Record]] = {outcome: [] for outcome in OUTCOMES}
    for row in record["statements"]:
        found[row["outcome"]].append(row)
    return found


def by_hypothesis(rows: Sequence[Record]) -> list[tuple[Record, bool, list[Record]]]:
    """Statements whose hypothesis is not met, by that hypothesis and how; the most frequent
    first."""
    groups: dict[tuple[str, bool, str], list[Record]] = {}
    for row in rows:
        key = row["hypothesis"]["name"], row["definite"], row["reason"]
        groups.setdefault(key, []).append(row)
    found = [(rows[0]["hypothesis"], key[1], rows) for key, rows in groups.items()]
    return sorted(found, key=lambda group: -len(group[2]))


# text ---------------------------------------------------------------------------------------------
def as_text(record: Record, *, width: int = 100) -> str:
    """What was found, in at most forty lines."""
    found = by_outcome(record)
    facts = [f"{record['name']}: {record['title']}"]
    facts += [f"  {text}" for text in structure(record["structure"])]
    facts += [f"  {text}" for text in _laws_text(record["laws"])]
    facts += [f"  curvature: {record['curvature']['told']}", ""]
    count = len(record["statements"])
    facts += [f"{count} statement{'s' * (count != 1)} about networks: {counts(found)}"]
    facts += [f"  not among them: {record['others']['told']}"]
    lines = [part for text in facts for part in _wrapped(text, width)]
    groups = by_hypothesis(found["not met"])
    unmet = [
        f"  {len(rows):4} {plain(hypothesis['name'])}"
        f"{'' if definite else f' (in no case drawn{_more(rows[0])})'}"
        for hypothesis, definite, rows in groups[:SHOWN]
    ]
    reasons = Counter(row["reason"] for row in found["left out"])
    left = [f"left out: {count}, {why}" for why, count in reasons.most_common(3)]
    violated = sorted(found["violated"], key=lambda row: row["role"] not in ("main", "repair"))
    if violated:
        room = max(MOST_LINES - len(lines) - len(unmet) - len(left) - 2, 3)
        lines += ["violated on this network", *_some([_violated(row) for row in violated], room)]
    if unmet:
        more = len(groups) - len(unmet)
        lines += [f"not met, by hypothesis{f' ({more} more in the report)' if more else ''}"]
    lines += [*unmet, *left]
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], "… more in the report: --output html=FILE"]
    return "".join(f"{one if len(one) <= width else one[: width - 1] + '…'}\n" for one in lines)


def _more(row: Record) -> str:
    """What else is said of a statement, behind a comma."""
    return f", {row['reason']}" if row["reason"] else ""


def _wrapped(text: str, width: int) -> list[str]:
    indent = text[: len(text) - len(text.lstrip())] + "  "
    return textwrap.wrap(text, width, subsequent_indent=indent, max_lines=2) or [""]


def counts(found: Mapping[str, Sequence[Record]]) -> str:
    """How many statements there are of each kind, in words."""
    told = {kind: f"{len(rows)} {_verb(kind, rows)}" for kind, rows in found.items() if rows}
    if limited := sum(bool(row["reason"]) for row in found["holds"]):
        told["holds"] += f" ({limited} of them enclosed or in part, see the report)"
    return "; ".join(told.values())


def _verb(kind: str, rows: Sequence[Record]) -> str:
    return OUTCOMES[kind][len(rows) != 1]


def structure(facts: Record) -> list[str]:
    """What a network is, in words."""
    cuts = f"edge cuts by distance {_short(facts['cuts'])}"
    if facts["all_cuts"] is not None:
        cuts += f"; sets of edges that cut every path once: {facts['all_cuts']}"
    return [
        f"paths {facts['paths']}, depth {facts['depth']}, width {facts['width']}",
        f"vertices by distance from the inputs {_short(facts['widths'])}",
        cuts,
        f"layers in sequence: {facts['pieces'] or 'none of a kind that statements are about'}",
    ]


def _short(numbers: Sequence[int]) -> str:
    shown = [str(number) for number in numbers[:12]]
    return ", ".join(shown) + ", …" * (len(numbers) > len(shown))


def _violated(row: Record) -> str:
    known = f"; known: {row['known']}" if row["known"] else ""
    seal = "accepted by the checker" if row["accepted"] else row["reason"] or row["checker"]
    other = (
        ""
        if row["role"] in ("main", "repair")
        else {"other": "another reading, ", "variant": "a variant, "}[row["role"]]
    )
    return f"  {row['id']}: {other}{plain(row['title'])} ({seal}{known})"


def _laws_text(laws: Record) -> list[str]:
    if not laws["told"]:
        return [f"laws: {laws['reason']}"]
    shown = [f"  {row['lemma']}, {row['subject']}: {row['law']}" for row in laws["laws"]]
    return [f"laws: {laws['told']}", *_some(shown, SHOWN)]


def _some(lines: Sequence[str], most: int) -> list[str]:
    if len(lines) <= most:
        return list(lines)
    return [*lines[: most - 1], f"  … and {len(lines) - most + 1} more"]


# the page -----------------------------------------------------------------------------------------
def as_html(record: Record) -> str:
    """One page: the picture, what the network is, its laws, the statements."""
    name, found = escape(record["name"]), by_outcome(record)
    network = record["network"]
    picture = f"<figure>{draw(network)}</figure>" if network and drawable(network) else ""
    rows = [f"<li>{escape(text)}</li>" for text in structure(record["structure"])]
    laws = record["laws"]
    table = _table(
        ("lemma", "of", "conserved"),
        [(row["lemma"], row["subject"], row["law"]) for row in laws["laws"]],
    )
    parts = [
        section("The network", escape(record["title"]), f"{picture}<ul>{''.join(rows)}</ul>"),
        section("Conserved quantities", escape(laws["told"] or laws["reason"]), table),
        section("Curvature", "", f"<pre>{escape(record['curvature']['text'])}</pre>"),
        section("Violated here", _told(found, "violated"), _statements(found["violated"])),
        section("Hold here", _told(found, "holds"), _statements(found["holds"])),
    ]
    unmet = "".join(
        f"<h3>{line(hypothesis['name'])}: {line(hypothesis['statement'])}</h3>"
        f"<p>{'' if definite else f'In none of the cases drawn on this network{_more(rows[0])}. '}"
        f"{', '.join(escape(row['id']) for row in rows)}</p>"
        for hypothesis, definite, rows in by_hypothesis(found["not met"])
    )
    parts.append(section("A hypothesis is not met", _told(found, "not met"), unmet))
    rest = [(row["id"], row["reason"]) for row in [*found["nothing"], *found["left out"]]]
    parts.append(section("Not looked at", record["others"]["told"], _table(("id", "why"), rest)))
    body = f'<main id="main"><h1>{name}</h1>{"".join(parts)}</main>'
    return page(f"{record['name']}", body)


def _told(found: Mapping[str, Sequence[Record]], kind: str) -> str:
    rows = found[kind]
    return f"{len(rows)} statement{'s' * (len(rows) != 1)} {_verb(kind, rows)}."


def _statements(rows: Sequence[Record]) -> str:
    return "".join(
        f"<h3>{escape(row['id'])}: {line(row['title'])}</h3>"
        f'<p class="said">{line(row["statement"])}</p>'
        f"<p><small>{escape(row['place'])}; {_looked(row)}</small></p>"
        for row in rows
    )


def _looked(row: Record) -> str:
    told = f"{row['entries']} entries in {row['cases']} cases"
    if row["outcome"] == "violated":
        told += f"; {row['checker'] or row['reason']}"
        told += f"; known: {row['known']}" if row["known"] else ""
        told += f"; certificate {row['certificate_file']}" if row["certificate_file"] else ""
    elif row["reason"]:
        told += f"; {row['reason']}"
    return escape(told)


def _table(heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    if not rows:
        return ""
    top = "".join(f"<th>{escape(head)}</th>" for head in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
