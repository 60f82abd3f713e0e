"""The tables of a whole run: controls, conserved quantities, versions, conflicts of hypotheses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reports.pieces import escape, handle, line, of, seconds, section, sentence, table, verdict
from reports.verdicts import ORDER, Record

UNNAMED = "unnamed"


def controls(record: Record) -> str:
    """Claims whose verdict is known beforehand."""
    columns = {
        "": lambda c: "as expected" if c["ok"] else '<b class="bad">! void</b>',
        "Control": of("id", handle),
        "What it is": of("title", line),
        "Expected": of("expected"),
        "Observed": of("observed"),
    }
    inner = table("Controls", columns, record["controls"])
    return section("Controls", "If one of them misbehaves, the run is void.", inner)


def laws(record: Record) -> str:
    """The conserved quantities of many networks: how many, named how, and whether that is all."""
    rows = record.get("laws") or []
    if not rows:
        return ""
    complete = sum(row["complete"] for row in rows)
    unnamed = sum(UNNAMED in row["named"] for row in rows)
    open_rows = sum(not row["all_quadratic"] for row in rows)
    listed = "all laws of degree 2 are listed, which is proved"
    if open_rows:
        listed = f"for all but {open_rows} it is proved that no other law of degree 2 exists"
    told = (
        f"Quantities of degree 2 that gradient flow keeps whatever the data and the loss, in "
        f"{len(rows)} networks: {listed}. For {complete} of them there is no other conserved "
        "quantity of any kind near a rational point: as many independent ones were found as there "
        f"can be at most. {unnamed} have laws that no statement explains."
    )
    columns = {
        "Family": of("family"),
        "Network": of("network"),
        "Activations": of("activations"),
        "Parameters": of("parameters"),
        "Laws": _count,
        "Explained by": lambda row: ", ".join(f"{n} {escape(k)}" for k, n in row["named"].items()),
        "Independent": of("independent"),
        "At most": lambda row: f"{row['bound']}{'' if row['complete'] else ' (gap)'}",
        "Seconds": lambda row: seconds(row["seconds"]),
    }
    return section("What gradient flow conserves", told, table("Laws", columns, rows))


def _count(row: Record) -> str:
    linear = f" and {row['linear']} linear" if row["linear"] else ""
    return f"{row['quadratic']}{linear}{'' if row['all_quadratic'] else ' at least'}"


def versions(record: Record) -> str:
    """Two versions of a paper beside each other."""
    known = {claim["id"]: claim["verdict"] for claim in record["claims"]}
    columns = {
        "Statement": lambda row: (
            f"<b>{line(row['subject'])}</b><br><small>{sentence(row['change'])}</small>"
        ),
        "Earlier version": lambda row: _side(row["earlier"], known),
        "Final version": lambda row: _side(row["final"], known),
    }
    rows = record.get("versions") or []
    title = "Two versions, statement by statement"
    return section(title, "", table("Versions", columns, rows)) if rows else ""


def _side(names: Sequence[str], known: Mapping[str, str]) -> str:
    """Verdicts with the claims that have them; what was not selected is not called missing."""
    by_verdict: dict[str, list[str]] = {}
    for name in names:
        by_verdict.setdefault(known.get(name, ""), []).append(name)
    lines = [
        f"{verdict(word) if word else 'not selected:'} {', '.join(map(handle, by_verdict[word]))}"
        for word in sorted(by_verdict, key=lambda word: ORDER.get(word, len(ORDER)))
    ]
    return "<br>".join(lines) or "no such statement"


def conflicts(record: Record) -> str:
    """Hypotheses of one paper, each of which some case meets, that no case met together."""
    rows = record.get("conflicts") or []
    columns = {
        "Hypotheses": lambda row: " <b>and</b> ".join(map(line, row["hypotheses"])),
        "Looked at": of("text", sentence),
    }
    told = "Hypotheses of one paper, each of which some case meets."
    title = "Hypotheses that were never met together"
    return section(title, told, table("Conflicts", columns, rows)) if rows else ""
